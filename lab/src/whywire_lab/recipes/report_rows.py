"""A training row for the model of report pairs: two reports, each a title and perhaps a lead.

Labels were made by two guidelines. *Neighbours*: the relation of two neighbouring headlines of a stream, with causes
as a causal graph needs them. *Picked*: the relation of a pair that somebody picked, by HeadlineCause's annotators,
who call more pairs causes. Most rows fit both; the model answers each by an output of its own.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from whywire.pairs.relations import MIRROR, RELATIONS, Relation
from whywire.pairs.reports import Report
from whywire_lab.recipes.pair_rows import PairRow

NEIGHBOURS, PICKED = "neighbours", "picked"
BOTH = frozenset({NEIGHBOURS, PICKED})

BOTH_DROPPED, ONE_DROPPED = 0.25, 0.2
"""Shares of the training pairs whose leads are dropped: both, or that of one report at random."""


@dataclass(frozen=True, slots=True)
class ReportPair:
    """Two reports and what ``source`` says of them.

    Args:
        allowed: the relations that may hold; all of them where the source gives strength alone.
        source: the name that draws, priors and scores go by.
        guidelines: which outputs the row trains.
        strength: how strongly left caused right, 0 to 1, and right left; ``None`` where the source does not say.
        story: pairs of one story are never in two folds; empty where only related reports are of one story.
    """

    left: Report
    right: Report
    allowed: frozenset[Relation]
    language: str
    source: str
    guidelines: frozenset[str] = field(default=BOTH)
    weight: float = 1.0
    strength: tuple[float | None, float | None] = (None, None)
    story: str = ""

    def mirrored(self) -> ReportPair:
        """The same pair with left and right exchanged."""
        allowed = frozenset(RELATIONS[MIRROR[RELATIONS.index(relation)]] for relation in self.allowed)
        return replace(self, left=self.right, right=self.left, allowed=allowed, strength=self.strength[::-1])

    @property
    def bare(self) -> ReportPair:
        """The same pair without leads."""
        return replace(self, left=self.left.bare, right=self.right.bare)


def of_titles(row: PairRow, source: str, *, guidelines: frozenset[str] = BOTH, story: str = "") -> ReportPair:
    """A row of two headlines as one of two reports without leads."""
    return ReportPair(
        Report(row.left),
        Report(row.right),
        row.allowed,
        row.language,
        source,
        guidelines,
        row.weight,
        row.strength,
        story,
    )


def with_leads_dropped(row: ReportPair) -> ReportPair:
    """The row, sometimes without one lead or both: the model must do with what there is."""
    draw = random.random()
    if draw < BOTH_DROPPED:
        return row.bare
    if draw < BOTH_DROPPED + ONE_DROPPED:
        if random.random() < 0.5:
            return replace(row, left=row.left.bare)
        return replace(row, right=row.right.bare)
    return row
