"""Pairs of events of two articles, of which readers said whether they are one.

In a story whose main events readers listed, two events are one if a main event has a mention in both. Of pairs of
articles readers listed the common events. Pairs of two events that no reader listed are left out, and so are those of
which readers were unsure.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whywire import Article, Language, LanguageModels
from whywire.events.article_readings import ArticleReading, read_articles
from whywire.progress import Stages
from whywire_lab.corpora.json_lines import json_lines
from whywire_lab.corpora.packs import Pack, article_rows, read_packs
from whywire_lab.labels.files import FOLDER, read_labels
from whywire_lab.labels.keys import short_hash
from whywire_lab.labels.rows import ReaderGraph, ReaderStory, SameEvents
from whywire_lab.metrics.reader_graphs import Place, matches

LATER = 9
"""Stories at the end of each label file that were read when the document reader was there: only to measure on."""


@dataclass(frozen=True, eq=False)
class EventPairs:
    """What readers said of the events of some articles.

    Args:
        articles: their ids.
        pairs: for each pair of these articles, by their places, whether each event of the first is one with each of
            the second: (events, events), 1 or 0, NaN where readers do not say.
    """

    articles: Sequence[str]
    pairs: Mapping[tuple[int, int], NDArray[np.float32]]


def read_event_pairs(
    data: Path, language: str, models: LanguageModels
) -> tuple[dict[str, ArticleReading], list[EventPairs]]:
    """Readings of the labelled articles by their ids, and what readers said of their events.

    What touches an article of the later stories, or one whose graph is kept for measuring, is left out.

    Args:
        data: the folder of corpora.
    """
    packs = [*_earlier(data, language)]
    matched = read_labels(SameEvents, f"same_events_{language}")
    kept = _kept(language)
    packs = [pack for pack in packs if kept.isdisjoint(pack.articles)]
    matched = [row for row in matched if kept.isdisjoint(row.articles)]
    named = [*(pack.articles for pack in packs), *(row.articles for row in matched)]
    read = _read(data, language, {*itertools.chain(*named)}, models)
    graphs = _drawn(data, language)
    rows = [_of_pack(pack, read) for pack in packs]
    for row in matched:
        numbers = [_numbers(read[name], graphs[name]) for name in row.articles]
        pairs = {(0, 1): _compared(*numbers, same={*row.same}, unsure={*row.unsure})}
        rows.append(EventPairs(row.articles, pairs))
    return read, rows


def _earlier(data: Path, language: str) -> Iterator[Pack]:
    later = {tuple(row.articles) for row in read_labels(ReaderStory, f"reader_stories_{language}")[-LATER:]}
    return (pack for pack in read_packs(data, language) if tuple(pack.articles) not in later)


def _kept(language: str) -> set[str]:
    """The articles that nothing learns from."""
    later = read_labels(ReaderStory, f"reader_stories_{language}")[-LATER:]
    graphs = read_labels(ReaderGraph, f"reader_graphs_kept_{language}")
    return {*itertools.chain(*(story.articles for story in later)), *(graph.article for graph in graphs)}


def _read(data: Path, language: str, names: Set[str], models: LanguageModels) -> dict[str, ArticleReading]:
    told = article_rows(data, language)
    articles = [
        Article(name, " ".join(told[name]["title"].split()), told[name]["text"], Language(language))
        for name in sorted(names)
    ]
    read = read_articles(articles, Language(language), models, Stages(None))
    return dict(zip(sorted(names), read, strict=True))


def _of_pack(pack: Pack, read: Mapping[str, ArticleReading]) -> EventPairs:
    numbers = [
        _numbers(read[name], [[place[1:] for place in places if place[0] == name] for places in pack.events])
        for name in pack.articles
    ]
    same = {(number, number) for number in range(len(pack.events))}
    pairs = itertools.combinations(range(len(numbers)), 2)
    return EventPairs(pack.articles, {(i, j): _compared(numbers[i], numbers[j], same=same) for i, j in pairs})


def _compared(
    mine: Sequence[set[int]],
    theirs: Sequence[set[int]],
    *,
    same: Set[tuple[int, int]],
    unsure: Set[tuple[int, int]] = frozenset(),
) -> NDArray[np.float32]:
    """Whether the events of two articles are one, as :class:`EventPairs` has it.

    Args:
        mine, theirs: the numbers that readers gave each event.
        same, unsure: pairs of such numbers.
    """
    table = np.full((len(mine), len(theirs)), np.nan, dtype=np.float32)
    for i, j in itertools.product(range(len(mine)), range(len(theirs))):
        both = {*itertools.product(mine[i], theirs[j])}
        is_one = not same.isdisjoint(both)
        if (mine[i] or theirs[j]) and (is_one or unsure.isdisjoint(both)):
            table[i, j] = is_one
    return table


def _numbers(reading: ArticleReading, events: Sequence[Sequence[Place]]) -> list[set[int]]:
    """Of each event of a reading the numbers of the readers' events that it is.

    Args:
        events: the places of the mentions of each reader's event in the article.
    """
    places = [(mention.mention.field, *mention.mention.span) for mention in reading.mentions]
    return matches([[places[at] for at in event] for event in reading.events], events)


def _drawn(data: Path, language: str) -> dict[str, list[list[Place]]]:
    """The events of the graphs that readers drew of articles of the stream, by the hashes of the articles."""
    articles = {row["id"]: row for row in json_lines(data / "reader_graphs" / "articles.jsonl")}
    found = {}
    for graph in json_lines(data / "reader_graphs" / "graphs.jsonl"):
        name = short_hash(articles[graph["article"]]["source_id"])
        found[name] = [[(own["field"], *own["span"]) for own in event["mentions"]] for event in graph["events"]]
    for row in json_lines(FOLDER / f"reader_graphs_{language}.jsonl"):
        found[row["article"]] = [[tuple(place) for place in event["mentions"]] for event in row["events"]]
    return found
