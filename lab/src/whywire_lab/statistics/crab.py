"""CRAB (Romanou et al. 2023, tables 1, 5 and 6): stories, pairs by class, and frames and chains by kind."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from whywire.elements import strength_class
from whywire.graph.chains import ChainKind
from whywire.graph.frames import Frame, frame_of
from whywire_lab.corpora.crab import CausalPair, find_pairs, read_pairs
from whywire_lab.metrics.crab import CLASSES, chains_of, frames_of, make_choices
from whywire_lab.statistics.tables import Cell, StatisticsTable, mean

PUBLISHED_STORIES = 20
"""Appendix B holds out five of so many."""


def tables(folder: Path) -> list[StatisticsTable]:
    """Sizes, classes, stories, frames and chains.

    Raises:
        InputError: the file is missing or broken.
    """
    pairs = read_pairs(find_pairs(folder))
    return [_sizes(pairs), _classes(pairs), _stories(pairs), _structures(pairs)]


def _sizes(pairs: list[CausalPair]) -> StatisticsTable:
    rows: tuple[tuple[Cell, ...], ...] = (
        ("stories", len({pair.story for pair in pairs}), str(PUBLISHED_STORIES)),
        ("documents", len(_documents(pairs)), None),
        ("events", len(_events(pairs)), None),
        ("pairs", len(pairs), "about 2.7K"),
        ("pairs of one document", sum(pair.in_document is True for pair in pairs), None),
        ("pairs of two documents", sum(pair.in_document is False for pair in pairs), None),
        ("multiple choice questions", len(make_choices(pairs)), None),
    )
    note = "published: the paper's abstract (pairs) and appendix B (stories); its tables are not at hand here."
    return StatisticsTable("sizes", "Sizes (table 1)", ("", "number", "published"), rows, (note,))


def _classes(pairs: list[CausalPair]) -> StatisticsTable:
    rows: list[tuple[Cell, ...]] = []
    for name in CLASSES:
        own = [pair for pair in pairs if strength_class(pair.score) is name]
        inside = sum(pair.in_document is True for pair in own)
        across = sum(pair.in_document is False for pair in own)
        rows.append((name, len(own), len(own) / len(pairs), inside, across, mean(pair.score for pair in own)))
    columns = ("class", "pairs", "share", "one document", "two documents", "mean score")
    return StatisticsTable("classes", "Pairs by class", columns, tuple(rows))


def _stories(pairs: list[CausalPair]) -> StatisticsTable:
    rows: list[tuple[Cell, ...]] = []
    for story in dict.fromkeys(pair.story for pair in pairs):
        own = [pair for pair in pairs if pair.story == story]
        causal = sum(strength_class(pair.score) in CLASSES[2:] for pair in own)
        rows.append((story, len(_documents(own)), len(_events(own)), len(own), causal))
    columns = ("story", "documents", "events", "pairs", "medium or high")
    return StatisticsTable("stories", "Stories", columns, tuple(rows))


def _structures(pairs: list[CausalPair]) -> StatisticsTable:
    frames = Counter(frame_of([pairs[number].score for number in numbers]) for numbers in frames_of(pairs))
    chains = Counter(kind for kind, _ in chains_of(pairs))
    rows = [(f"frame {kind}".replace("_", " "), frames[kind]) for kind in Frame]
    rows += [(f"chain {kind}", chains[kind]) for kind in ChainKind]
    return StatisticsTable("structures", "Frames and chains", ("kind", "number"), tuple(rows))


def _documents(pairs: list[CausalPair]) -> set[str]:
    return {event.document for pair in pairs for event in (pair.cause, pair.effect) if event.document}


def _events(pairs: list[CausalPair]) -> set[tuple[str, str]]:
    return {(pair.story, event.name) for pair in pairs for event in (pair.cause, pair.effect)}
