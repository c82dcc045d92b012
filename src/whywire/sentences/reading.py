"""The result of reading a sentence: causal relations, denials and a counterfactual."""

from __future__ import annotations

from dataclasses import dataclass

from whywire.news.article import Span, overlap
from whywire.sentences.counterfactual.forms import Form


@dataclass(frozen=True, slots=True)
class CausalRelation:
    """One cause, one effect, and the parts of the signal between them (RECESS, section 3).

    Args:
        cause: half-open character offsets into the sentence; never overlaps ``effect``.
        signals: in order; empty if the relation is implicit.
        probability: that the sentence claims this relation (0 to 1).
        denied: the sentence claims that the cause did *not* lead to the effect (Hagen et al. 2025).
    """

    cause: Span
    effect: Span
    signals: tuple[Span, ...] = ()
    probability: float = 1.0
    denied: bool = False

    def meets(self, other: CausalRelation) -> bool:
        """Return whether both arguments overlap with those of the other relation."""
        return overlap(self.cause, other.cause) and overlap(self.effect, other.effect)

    def is_of_pair(self, other: CausalRelation) -> bool:
        """Return whether both relations join the same two spans, in either direction."""
        return self.meets(other) or (overlap(self.cause, other.effect) and overlap(self.effect, other.cause))


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of one pass of the sentence model over a sentence.

    Args:
        causal: probability that the sentence claims a cause and an effect.
        relations: the asserted ones, most probable first; empty if ``causal`` is below one half.
        counterfactual: probability that the sentence imagines what did not happen (SemEval-2020 Task 5).
        antecedent: the imagined condition; ``None`` if ``counterfactual`` is below one half.
        consequent: what would have followed, if the sentence says it; never overlaps ``antecedent``.
        denial: probability that the sentence denies that something led to something.
        denials: the denied relations, most probable first; empty if ``denial`` is below one half.
        n_best: the most probable relations, as many as asked for, which may compete for the same words.
        form: the grammatical form of the counterfactual, if it is one of the five (English only).
        contrapositive: a sentence that states the fact that the counterfactual implies (English only).
    """

    causal: float
    relations: tuple[CausalRelation, ...]
    counterfactual: float
    antecedent: Span | None = None
    consequent: Span | None = None
    denial: float = 0.0
    denials: tuple[CausalRelation, ...] = ()
    n_best: tuple[CausalRelation, ...] = ()
    form: Form | None = None
    contrapositive: str | None = None
