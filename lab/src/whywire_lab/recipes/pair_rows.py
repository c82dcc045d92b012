"""A training row for the pair model: two headlines and the relations that may hold between them.

A corpus seldom names the relation outright. One that groups headlines says *same event* or *not the same event*; a
question about causes says *this caused that* or *it did not*. So a row carries the set of relations that agree with
its corpus, and the model is trained to put its probability inside the set.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from whywire.elements import StrengthClass
from whywire.pairs.relations import MIRROR, RELATIONS, Relation

ALL = frozenset(RELATIONS)
SAME = frozenset({Relation.SAME_EVENT})
NOT_SAME = ALL - SAME
NOT_CAUSAL = frozenset({Relation.NO_RELATIONSHIP, Relation.OTHER_RELATIONSHIP})
UNRELATED = frozenset({Relation.NO_RELATIONSHIP})
REFUTING = frozenset({Relation.LEFT_RIGHT_REFUTE, Relation.RIGHT_LEFT_REFUTE})
CAUSED = frozenset({Relation.LEFT_RIGHT_CAUSE})
CAUSED_BACK = frozenset({Relation.RIGHT_LEFT_CAUSE})
CAUSAL = CAUSED | CAUSED_BACK

ALLOWED_BY_STRENGTH = {
    StrengthClass.HIGH: CAUSED,
    StrengthClass.MEDIUM: NOT_CAUSAL | CAUSED,
    StrengthClass.LOW: NOT_CAUSAL,
    StrengthClass.NONE: NOT_CAUSAL,
}
"""The relations that may hold between a cause of that strength and its effect."""

DIRECT_STRENGTH, INDIRECT_STRENGTH, NO_STRENGTH = 0.9, 0.25, 0.05
"""Strength (0 to 1) where a corpus gives none: of a direct cause, of another event of the same story, of neither."""

DIRECTIONS = 2
"""The directions of strength: how strongly left caused right, and right left."""

TYPO_SHARE = 0.05
"""Share of training headlines with one letter dropped or two swapped (HeadlineCause, section 3.8)."""


@dataclass(frozen=True, slots=True)
class PairRow:
    """Two headlines and what ``corpus`` says of them.

    Args:
        allowed: the relations that may hold.
        strength: how strongly left caused right, 0 to 1, and right left; ``None`` where the corpus does not say.
    """

    left: str
    right: str
    allowed: frozenset[Relation]
    language: str
    corpus: str
    weight: float = 1.0
    strength: tuple[float | None, float | None] = (None, None)

    def mirrored(self) -> PairRow:
        """The same pair with left and right exchanged."""
        allowed = frozenset(RELATIONS[MIRROR[RELATIONS.index(relation)]] for relation in self.allowed)
        return replace(self, left=self.right, right=self.left, allowed=allowed, strength=self.strength[::-1])


def row_of(
    left: str, right: str, allowed: frozenset[Relation], language: str, corpus: str, weight: float = 1.0
) -> PairRow:
    """A row whose strength follows from its relations."""
    known = len(allowed & CAUSAL) == 0 or allowed in (CAUSED, CAUSED_BACK)
    strengths = (
        (DIRECT_STRENGTH if Relation.LEFT_RIGHT_CAUSE in allowed else NO_STRENGTH),
        (DIRECT_STRENGTH if Relation.RIGHT_LEFT_CAUSE in allowed else NO_STRENGTH),
    )
    return PairRow(left, right, allowed, language, corpus, weight, strengths if known else (None, None))


def augmented(row: PairRow) -> PairRow:
    """The row in random order, sometimes with a typo: neither may change the relation."""
    return with_typos(row.mirrored() if random.random() < 0.5 else row)


def with_typos(row: PairRow) -> PairRow:
    """The row, sometimes with a letter dropped or two swapped in a headline."""
    return replace(row, left=with_typo(row.left), right=with_typo(row.right))


def with_typo(text: str) -> str:
    """The text, sometimes with a letter dropped or two swapped."""
    if random.random() > TYPO_SHARE or len(text) < 8:
        return text
    at = random.randrange(1, len(text) - 2)
    middle = text[at + 1] + text[at] if random.random() < 0.5 else text[at + 1]
    return text[:at] + middle + text[at + 2 :]
