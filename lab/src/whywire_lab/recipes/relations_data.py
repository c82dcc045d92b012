"""Rows for the model ``relations``, which relates pairs as HeadlineCause's annotators do."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from whywire.pairs.relations import Relation
from whywire_lab.labels.files import LANGUAGES
from whywire_lab.recipes.annotator_style import ReadPair, annotator_style_pairs
from whywire_lab.recipes.corpus_pairs import load_pairs
from whywire_lab.recipes.label_pairs import follow_up_pairs
from whywire_lab.recipes.pair_rows import CAUSAL, REFUTING, UNRELATED, PairRow

NEWS = "news_stream"

SHARES: Mapping[str, float] = {
    "directed": 0.18,
    "other": 0.12,
    "not directed": 0.09,
    "unrelated": 0.065,
    "random": 0.055,
    "headline-cause": 0.05,
    "follow-ups": 0.21,
    "headline-stories": 0.025,
    "contrast-sets": 0.075,
    "invented": 0.03,
    "event-causes": 0.04,
    "graded-stories": 0.03,
    "main-event-stories": 0.01,
    "e-care": 0.02,
}
"""The share of an epoch's rows drawn from each source.

Pairs labelled in the annotators' style are *directed* (a cause or a refutation), *other* (another relationship), or
*not directed* (the rest).
"""

UNRELATED_VALID = 120
"""Unrelated pairs of each stream's valid part that are added to those in the annotators' style."""


@dataclass(slots=True)
class Source:
    """Rows and their weights in drawing."""

    rows: list[PairRow] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)

    def add(self, row: PairRow, weight: float = 1.0) -> None:
        """Add a row."""
        self.rows.append(row)
        self.weights.append(weight)


@dataclass(frozen=True, slots=True)
class RelationsRows:
    """Training and validation rows of the model ``relations``.

    Args:
        sources: training rows, by the names in ``SHARES``.
        related: validation pairs of the streams, both languages.
        graded: validation pairs with a strength.
    """

    sources: dict[str, Source]
    related: list[PairRow]
    graded: list[PairRow]

    def draw(self, count: int) -> list[PairRow]:
        """About ``count`` random rows in the proportions of ``SHARES``."""
        whole = sum(SHARES[name] for name in self.sources)
        rows: list[PairRow] = []
        for name, source in self.sources.items():
            rows += random.choices(source.rows, source.weights, k=round(count * SHARES[name] / whole))
        return rows


def relations_rows(data: Path) -> RelationsRows:
    """Read the rows of both languages.

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
    for row in follow_up_pairs(data / NEWS):
        sources["follow-ups"].add(row)
    related = []
    for language in LANGUAGES:
        pairs = annotator_style_pairs(data / NEWS, language, "train")
        train = [(_row_of(pair, language), pair.stories) for pair in pairs]
        counts = Counter((stories, _source(row)) for row, stories in train)
        for row, stories in train:  # hundreds of pairs of one story are near-duplicates
            sources[_source(row)].add(row, counts[stories, _source(row)] ** -0.5)
        related += [_row_of(pair, language) for pair in annotator_style_pairs(data / NEWS, language, "valid")]
        far = [row for row in others["valid"] if row.corpus == "stream" and row.language == language]
        far = [row for row in far if row.allowed == UNRELATED]
        related += random.Random(1).sample(far, min(UNRELATED_VALID, len(far)))
    graded = [
        row for row in others["valid"] if row.corpus in ("event-causes", "graded-stories", "main-event-stories")
    ]
    return RelationsRows({name: source for name, source in sources.items() if source.rows}, related, graded)


def _row_of(pair: ReadPair, language: str) -> PairRow:
    """The row by the first annotator's reading, who may have named two relations."""
    return PairRow(pair.left, pair.right, frozenset(pair.readings[0]), language, "annotator-style")


def _source(row: PairRow) -> str:
    if row.allowed & (CAUSAL | REFUTING):
        return "directed"
    return "other" if Relation.OTHER_RELATIONSHIP in row.allowed else "not directed"


def _ungraded(row: PairRow) -> PairRow:
    """The row without its strength: what annotators call a cause may be a weak one."""
    return replace(row, strength=(None, None))
