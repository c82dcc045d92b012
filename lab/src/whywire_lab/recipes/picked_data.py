"""Rows for the model of picked pairs: related as HeadlineCause's annotators would say, who call much a cause."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from whywire.pairs.relations import Relation
from whywire_lab.corpora.json_lines import json_lines
from whywire_lab.recipes.crowd_data import CrowdPair, crowd_pairs
from whywire_lab.recipes.pair_data import (
    CAUSAL,
    CAUSED,
    NOT_TIED,
    REFUTING,
    SAME,
    UNRELATED,
    PairRow,
    load_pairs,
    row_of,
)
from whywire_lab.recipes.sentence_data import LABELS, articles_by_key

LANGUAGES = ("en", "ru")
NEWS = "news_stream"

SHARES: Mapping[str, float] = {
    "directed": 0.18,
    "other": 0.12,
    "plain": 0.09,
    "unrelated": 0.065,
    "chance": 0.055,
    "headline-cause": 0.05,
    "affairs": 0.21,
    "families": 0.025,
    "contrasts": 0.075,
    "invented": 0.03,
    "event-causes": 0.04,
    "stories": 0.03,
    "pools": 0.01,
    "e-care": 0.02,
}
"""How often a row is drawn from each source.

Pairs of the streams that the annotators' manner calls a cause or a refutation are *directed*; those it calls related
are *other*, and the rest *plain*.
"""

UNRELATED_VALID = 120
"""So many unrelated pairs of either stream's valid part stand beside the related ones."""


@dataclass(slots=True)
class Source:
    """Rows, and how often each is drawn to the others."""

    rows: list[PairRow] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)

    def add(self, row: PairRow, weight: float = 1.0) -> None:
        """Take in one more row."""
        self.rows.append(row)
        self.weights.append(weight)


@dataclass(frozen=True, slots=True)
class PickedRows:
    """What the model of picked pairs learns from and is judged by.

    Args:
        sources: by the names in ``SHARES``.
        related: pairs of the streams' valid part, both languages.
        graded: valid pairs whose strength is known.
    """

    sources: dict[str, Source]
    related: list[PairRow]
    graded: list[PairRow]

    def draw(self, count: int) -> list[PairRow]:
        """Some ``count`` rows, mixed as ``SHARES`` says."""
        whole = sum(SHARES[name] for name in self.sources)
        rows: list[PairRow] = []
        for name, source in self.sources.items():
            rows += random.choices(source.rows, source.weights, k=round(count * SHARES[name] / whole))
        return rows


def picked_rows(data: Path) -> PickedRows:
    """Read all of it, both languages.

    Args:
        data: the folder of corpora.
    """
    others = load_pairs(data)
    sources = {name: Source() for name in SHARES}
    for row in others["train"]:
        if row.corpus == "stream" and row.allowed == UNRELATED:
            sources["unrelated"].add(row)
        elif row.corpus in sources:
            sources[row.corpus].add(_ungraded(row) if row.corpus == "headline-cause" else row)
    for row in affair_pairs(data):
        sources["affairs"].add(row)
    related = []
    for language in LANGUAGES:
        train = [(_crowd_row(pair, language), pair.affair) for pair in crowd_pairs(data / NEWS, language, "train")]
        told = Counter((affair, _kind(row)) for row, affair in train)
        for row, affair in train:  # hundreds of pairs of one affair are much the same pair
            sources[_kind(row)].add(row, told[affair, _kind(row)] ** -0.5)
        related += [_crowd_row(pair, language) for pair in crowd_pairs(data / NEWS, language, "valid")]
        far = [row for row in others["valid"] if row.corpus == "stream" and row.language == language]
        far = [row for row in far if row.allowed == UNRELATED]
        related += random.Random(1).sample(far, min(UNRELATED_VALID, len(far)))
    graded = [row for row in others["valid"] if row.corpus in ("event-causes", "stories", "pools")]
    return PickedRows({name: source for name, source in sources.items() if source.rows}, related, graded)


def _crowd_row(pair: CrowdPair, language: str) -> PairRow:
    """Where the first annotator thought that others would be divided, two relations are possible."""
    return PairRow(pair.left, pair.right, frozenset(pair.said[0]), language, "crowd")


def _kind(row: PairRow) -> str:
    if row.allowed & (CAUSAL | REFUTING):
        return "directed"
    return "other" if Relation.OTHER_RELATIONSHIP in row.allowed else "plain"


def _ungraded(row: PairRow) -> PairRow:
    """What annotators call a cause may be a weak one, so it says nothing of strength."""
    return replace(row, strength=(None, None))


def affair_pairs(data: Path) -> Iterator[PairRow]:
    """Pairs of invented affairs: a first report, what followed it, and what only looks as if it belonged to it.

    Some are invented around a headline of the streams, which is their first report; ``of`` is the hash of its url.
    """
    for language in LANGUAGES:
        articles = articles_by_key(data / NEWS, language)
        for affair in json_lines(LABELS / f"affairs_{language}.jsonl"):
            if "of" in affair:
                affair["B"].insert(0, articles[affair["of"]]["title"])
            for left, right, allowed in pairs_of_story(affair):
                yield _ungraded(row_of(left, right, allowed, language, "affairs", 0.8))


def pairs_of_story(affair: dict[str, Any]) -> Iterator[tuple[str, str, frozenset[Relation]]]:
    """The pairs of one affair and the relations they may have.

    ``B`` is the first report in several wordings; ``F`` are follow-ups, none of which led to another; ``G`` is the
    number of a follow-up and what followed from it; ``P`` led to the first report, and ``S`` is something else that
    it led to; ``D`` denies the first report; ``X`` is another affair of the same people or kind.
    """
    first, follow = affair["B"], affair["F"]
    led = [(report, later) for report in first for later in follow]
    untied = list(combinations(follow, 2))
    untied += [(affair["X"], told) for told in (*first, *follow) if "X" in affair]
    perhaps = []
    if "G" in affair:
        number, answer = affair["G"]
        led.append((follow[number], answer))
        untied += [(later, answer) for place, later in enumerate(follow) if place != number]
        perhaps += [(report, answer) for report in first]
    if "P" in affair:
        led += [(affair["P"], report) for report in first]
        perhaps += [(affair["P"], later) for later in follow]
        if "S" in affair:
            led.append((affair["P"], affair["S"]))
            untied += [(affair["S"], told) for told in (*first, follow[0])]
    denied = [(report, affair["D"]) for report in first if "D" in affair]
    for pairs, allowed in (
        (combinations(first, 2), SAME),
        (led, CAUSED),
        (untied, NOT_TIED),
        (perhaps, frozenset({Relation.LEFT_RIGHT_CAUSE, Relation.OTHER_RELATIONSHIP})),
        (denied, frozenset({Relation.LEFT_RIGHT_REFUTE})),
    ):
        for left, right in pairs:
            yield left, right, allowed
