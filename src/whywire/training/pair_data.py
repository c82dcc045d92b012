"""Rows for the pair model: two headlines and the relations that are possible between them.

A corpus seldom names the relation outright. One that groups headlines says *same event* or *not that*; a
question about causes says *this caused that* or *it did not*. So a row carries the set of relations that agree
with its corpus, and the model is asked to put its probability inside the set.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from whywire.corpora import event_causes, headline_cause, same_event
from whywire.corpora.same_event import GroupedHeadline
from whywire.headlines.relations import MIRROR, RELATIONS, Relation
from whywire.training.sentence_data import LABELS, url_key

ALL = frozenset(RELATIONS)
SAME = frozenset({Relation.SAME_EVENT})
NOT_SAME = ALL - SAME
CODES = dict(
    zip(
        "NSOCcRr",
        (
            Relation.NO_RELATIONSHIP,
            Relation.SAME_EVENT,
            Relation.OTHER_RELATIONSHIP,
            Relation.LEFT_RIGHT_CAUSE,
            Relation.RIGHT_LEFT_CAUSE,
            Relation.LEFT_RIGHT_REFUTE,
            Relation.RIGHT_LEFT_REFUTE,
        ),
        strict=True,
    )
)
"""The letters of our own label files: capitals point from left to right."""


@dataclass(frozen=True, slots=True)
class PairRow:
    """Two headlines and the relations that may hold between them, by the word of ``corpus``."""

    left: str
    right: str
    allowed: frozenset[Relation]
    language: str
    corpus: str
    weight: float = 1.0

    def mirrored(self) -> PairRow:
        """The same pair read from right to left."""
        allowed = frozenset(RELATIONS[MIRROR[RELATIONS.index(relation)]] for relation in self.allowed)
        return PairRow(self.right, self.left, allowed, self.language, self.corpus, self.weight)


def load_pairs(data: Path, embed: Callable[[Sequence[str]], np.ndarray[Any, Any]]) -> dict[str, list[PairRow]]:
    """Return the rows of ``train``, ``valid`` and ``dev``.

    Args:
        data: the folder of corpora.
        embed: unit vectors of headlines by the untrained base, to find pairs that look alike and are not the same.
    """
    parts: dict[str, list[PairRow]] = {"train": [], "valid": [], "dev": []}
    for rows in (
        stream_pairs(data / "news_stream"),
        invented_pairs(),
        _headline_cause(data / "headline_cause"),
        _event_causes(data / "event_causes"),
        _toloka(data / "same_event"),
        _groups(data / "same_event", embed),
    ):
        for part, row in rows:
            parts[part].append(row)
    return parts


def stream_pairs(folder: Path) -> Iterator[tuple[str, PairRow]]:
    """Pairs of the news streams labelled for this project; the files hold hashes of urls, never text.

    Training takes articles up to noon of the second day, the other parts later ones, so no pair crosses over.
    """
    for language in ("en", "ru"):
        titles: dict[str, str] = {}
        with (folder / f"{language}.jsonl").open(encoding="utf-8") as file:
            for line in file:
                row = json.loads(line)
                titles.setdefault(url_key(row["url"]), row["title"])
        for part in ("train", "valid", "dev"):
            for line in (LABELS / f"stream_{language}_{part}.tsv").read_text(encoding="ascii").splitlines():
                left, right, code = line.split("\t")
                allowed = frozenset({CODES[code]})
                yield part, PairRow(titles[left], titles[right], allowed, language, "stream")


def invented_pairs() -> Iterator[tuple[str, PairRow]]:
    """Pairs written for this project, for relations that a stream holds few of."""
    for language in ("en", "ru"):
        for line in (LABELS / f"invented_{language}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            yield "train", PairRow(row["a"], row["b"], frozenset({CODES[row["label"]]}), language, "invented")


def _headline_cause(folder: Path) -> Iterator[tuple[str, PairRow]]:
    for pair in headline_cause.read_pairs(folder / "pairs.jsonl"):
        part = _quarter(min(pair.left, pair.right))
        yield (
            part,
            PairRow(pair.left, pair.right, frozenset({pair.relation}), pair.language, "headline-cause"),
        )


def _quarter(key: str) -> str:
    """A quarter of a small corpus is reported on, the rest is for training."""
    return "dev" if int.from_bytes(hashlib.sha256(key.encode()).digest()[:4]) % 4 == 0 else "train"


def _event_causes(folder: Path) -> Iterator[tuple[str, PairRow]]:
    caused = frozenset({Relation.LEFT_RIGHT_CAUSE})
    known: dict[tuple[str, str], tuple[int, bool]] = {}
    for question in event_causes.read_questions(folder / "questions.jsonl"):
        for number, option in enumerate(question.options):
            known[option, question.effect] = (question.topic, number in question.answers)
    for (cause, effect), (topic, right) in known.items():
        part = "dev" if topic % 5 == 0 else "train"
        yield (
            part,
            PairRow(cause, effect, caused if right else ALL - caused - SAME, "en", "event-causes", 0.7),
        )


def _toloka(folder: Path) -> Iterator[tuple[str, PairRow]]:
    for left, right, same in same_event.read_toloka(folder / "toloka_pairs.jsonl"):
        yield "train", PairRow(left, right, SAME if same else NOT_SAME, "ru", "toloka")


def _groups(folder: Path, embed: Callable[[Sequence[str]], np.ndarray[Any, Any]]) -> Iterator[tuple[str, PairRow]]:
    """Same-event pairs of each grouped corpus, and as many that look alike and are not the same."""
    for corpus, headlines, per_group in (
        ("uci", same_event.read_uci(folder / "uci_news_aggregator.jsonl"), 12),
        ("wikinews", same_event.read_wikinews(folder / "wikinews.jsonl"), 4),
        ("ecbplus", same_event.read_ecbplus(folder / "ecbplus.jsonl"), 10),
    ):
        by_part: dict[str, list[GroupedHeadline]] = defaultdict(list)
        for headline in headlines:
            by_part[_quarter(headline.topic)].append(headline)
        for part, members in by_part.items():
            for left, right, same in alike_pairs(members, embed([member.title for member in members]), per_group):
                yield part, PairRow(left.title, right.title, SAME if same else NOT_SAME, "en", corpus, 0.5)


def alike_pairs(
    headlines: Sequence[GroupedHeadline], vectors: np.ndarray[Any, Any], per_group: int
) -> Iterable[tuple[GroupedHeadline, GroupedHeadline, bool]]:
    """Pairs inside a group that share some words at least, and for each a near neighbour outside the group."""
    chance = random.Random(0)
    groups: dict[str, list[int]] = defaultdict(list)
    for number, headline in enumerate(headlines):
        groups[headline.group].append(number)
    similarity = vectors @ vectors.T
    names = np.array([headline.group for headline in headlines])
    for members in groups.values():
        pairs = [(a, b) for a in members for b in members if a < b and 0.45 < similarity[a, b] < 0.98]
        for a, b in chance.sample(pairs, min(per_group, len(pairs))):
            yield headlines[a], headlines[b], True
            others = np.where(names != names[a], similarity[a], -1.0)
            near = int(chance.choice(list(np.argsort(-others)[:8])))
            yield headlines[a], headlines[near], False
