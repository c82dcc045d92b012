"""Rows for the pair models from all sources: published corpora, label files, and random pairs."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from whywire.news.stems import stems
from whywire_lab.corpora import e_care, event_causes, headline_cause, news_stream, same_event
from whywire_lab.corpora.same_event import GroupedHeadline, grouped_headlines
from whywire_lab.corpora.splits import part_of_story, part_of_topic
from whywire_lab.labels.files import LANGUAGES
from whywire_lab.recipes.label_pairs import (
    contrast_pairs,
    graded_story_pairs,
    headline_story_pairs,
    invented_pairs,
    stream_pairs,
    topic_pairs,
)
from whywire_lab.recipes.pair_rows import (
    ALL,
    CAUSED,
    DIRECT_STRENGTH,
    INDIRECT_STRENGTH,
    NO_STRENGTH,
    NOT_CAUSAL,
    NOT_SAME,
    REFUTING,
    SAME,
    UNRELATED,
    PairRow,
    row_of,
)

HELD_OUT_FROM = datetime(2020, 5, 3, 12, tzinfo=UTC)
"""Articles of the news streams from this time on are only for stopping, calibrating and measuring."""

E_CARE_QUESTIONS = 3000
"""Questions of e-CARE that rows are made of."""

RANDOM_PAIRS = 2000
"""Random pairs drawn from each news stream."""

PAIRS_PER_GROUP = {"uci": 60, "wikinews": 8, "ecbplus": 20}
"""Same-event pairs at most from one group of each corpus that groups headlines."""

Embed = Callable[[Sequence[str]], np.ndarray[Any, Any]]
"""From headlines to unit vectors (headlines, size)."""


def load_pairs(data: Path, embed: Embed | None = None) -> dict[str, list[PairRow]]:
    """The rows of ``train``, ``valid`` and ``dev``.

    Args:
        data: the folder of corpora.
        embed: the untrained base encoder, to find similar headlines of two events in the corpora that group
            headlines; without it, these corpora are left out.
    """
    parts: dict[str, list[PairRow]] = {"train": [], "valid": [], "dev": []}
    for rows in (
        stream_pairs(data / "news_stream"),
        topic_pairs(data / "same_event"),
        invented_pairs(),
        headline_story_pairs(),
        contrast_pairs(),
        graded_pairs(data),
        random_pairs(data / "news_stream"),
        _headline_cause(data / "headline_cause"),
        _toloka(data / "same_event"),
        _grouped(data / "same_event", embed) if embed else (),
    ):
        for part, row in rows:
            parts[part].append(row)
    return parts


def load_graded(data: Path, language: str) -> dict[str, list[PairRow]]:
    """The rows of a language that have a strength, of ``train``, ``valid`` and ``dev``."""
    parts: dict[str, list[PairRow]] = {"train": [], "valid": [], "dev": []}
    for part, row in graded_pairs(data):
        if row.language == language:
            parts[part].append(row)
    return parts


def graded_pairs(data: Path) -> Iterator[tuple[str, PairRow]]:
    """Pairs with a strength of cause, each with its part."""
    yield from graded_story_pairs()
    yield from _event_causes(data / "event_causes")
    yield from e_care_pairs(data / "e_care" / "train.jsonl")


def random_pairs(folder: Path) -> Iterator[tuple[str, PairRow]]:
    """Random pairs of the streams without a common word stem, taken for unrelated without a label.

    A model trained on similar pairs alone is confidently wrong about dissimilar ones.
    """
    rng = random.Random(0)
    for language in LANGUAGES:
        titles = [row["title"] for row in training_articles(folder, language)]
        for _ in range(RANDOM_PAIRS):
            left, right = rng.sample(titles, 2)
            if not stems(left) & stems(right):
                yield "train", row_of(left, right, UNRELATED, language, "random", 0.5)


def training_articles(folder: Path, language: str) -> Iterator[dict[str, str]]:
    """The articles of a news stream that are not held out."""
    for row in news_stream.read_articles(folder, language):
        if datetime.fromisoformat(row["published"]) < HELD_OUT_FROM:
            yield row


def _headline_cause(folder: Path) -> Iterator[tuple[str, PairRow]]:
    for pair in headline_cause.read_pairs(folder / "pairs.jsonl"):
        row = row_of(pair.left, pair.right, pair.allowed, pair.language, "headline-cause")
        yield headline_cause.part_of_pair(pair), row


def _event_causes(folder: Path) -> Iterator[tuple[str, PairRow]]:
    known: dict[tuple[str, str], tuple[int, bool]] = {}
    for question in event_causes.read_questions(folder / "questions.jsonl"):
        for number, option in enumerate(question.options):
            known[option, question.effect] = (question.topic, number in question.answers)
    for (cause, effect), (topic, right) in known.items():
        part = part_of_story(topic)
        allowed = CAUSED if right else NOT_SAME - CAUSED
        strength = DIRECT_STRENGTH if right else INDIRECT_STRENGTH
        yield part, PairRow(cause, effect, allowed, "en", "event-causes", 0.7, (strength, None))


def e_care_pairs(path: Path) -> Iterator[tuple[str, PairRow]]:
    """Plausible and implausible causes of everyday events: they give strength only, since they are no headlines."""
    for question in islice(e_care.read_questions(path), E_CARE_QUESTIONS):
        for hypothesis, strength in ((question.right, DIRECT_STRENGTH), (question.wrong, NO_STRENGTH)):
            pair = (question.premise, hypothesis) if question.asks_for_effect else (hypothesis, question.premise)
            yield "train", PairRow(*pair, ALL, "en", "e-care", 0.3, (strength, None))


def _toloka(folder: Path) -> Iterator[tuple[str, PairRow]]:
    for left, right, same in same_event.read_toloka(folder / "toloka_pairs.jsonl"):
        yield "train", row_of(left, right, SAME if same else NOT_SAME, "ru", "toloka")


def _grouped(folder: Path, embed: Embed) -> Iterator[tuple[str, PairRow]]:
    """Same-event pairs of each grouped corpus, and as many similar headlines of two events."""
    for corpus, headlines in grouped_headlines(folder).items():
        for part in ("train", "valid"):
            members = [headline for headline in headlines if part_of_topic(headline.topic) == part]
            vectors = embed([member.title for member in members])
            for left, right, same in similar_pairs(members, vectors, PAIRS_PER_GROUP[corpus]):
                allowed = NOT_CAUSAL if not same else SAME if corpus == "ecbplus" else ALL - UNRELATED - REFUTING
                yield part, PairRow(left.title, right.title, allowed, "en", corpus, 0.5)


def similar_pairs(
    headlines: Sequence[GroupedHeadline], vectors: np.ndarray[Any, Any], per_group: int
) -> Iterable[tuple[GroupedHeadline, GroupedHeadline, bool]]:
    """Pairs within a group, not too dissimilar, and for each a near neighbour outside the group.

    Args:
        vectors: (headlines, size), unit length.
        per_group: pairs within one group at most.
    """
    rng = random.Random(0)
    groups: dict[str, list[int]] = defaultdict(list)
    for number, headline in enumerate(headlines):
        groups[headline.group].append(number)
    similarity = vectors @ vectors.T
    names = np.array([headline.group for headline in headlines])
    for members in groups.values():
        pairs = [(a, b) for a in members for b in members if a < b and 0.15 < similarity[a, b] < 0.98]
        for a, b in rng.sample(pairs, min(per_group, len(pairs))):
            yield headlines[a], headlines[b], True
            others = np.where(names != names[a], similarity[a], -1.0)
            near = int(rng.choice(list(np.argsort(-others)[:8])))
            yield headlines[a], headlines[near], False
