"""The result of reading a sentence: causal relations, denials, a counterfactual, and mentions of events."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from whywire.news.article import Span, overlap
from whywire.sentences.counterfactual.forms import Form


@dataclass(frozen=True, slots=True)
class CausalRelation:
    """One cause, one effect, and the parts of the signal between them (RECESS, section 3).

    Args:
        cause: half-open character offsets into the sentence; never overlaps ``effect``.
        signals: in order; empty where the relation is implicit.
        probability: that the sentence claims this relation (0 to 1).
        denied: the sentence claims that the one did *not* lead to the other (Hagen et al. 2025).
        edge: that it is worth a link (0 to 1): the sentence is rightly read so, and both sides are events;
            ``None`` where that was not asked.
    """

    cause: Span
    effect: Span
    signals: tuple[Span, ...] = ()
    probability: float = 1.0
    denied: bool = False
    edge: float | None = None

    def meets(self, other: CausalRelation) -> bool:
        """Whether both arguments share characters with those of the other relation."""
        return overlap(self.cause, other.cause) and overlap(self.effect, other.effect)

    def is_of_pair(self, other: CausalRelation) -> bool:
        """Whether it joins the two things that the other relation joins, in either direction."""
        return self.meets(other) or (overlap(self.cause, other.effect) and overlap(self.effect, other.cause))


@dataclass(frozen=True, slots=True, eq=False)
class MentionReading:
    """What the sentence model says of some words of a sentence, read as the mention of an event.

    Args:
        span: half-open character offsets into the sentence.
        vector: (size,), unit length, made of the words' tokens in their sentence: near for mentions of one event.
        actual: probability that they tell of something that happened, happens or was decided (0 to 1).
        planned: that they tell of something planned or announced, which has not happened.
        alone: that they can be understood without the sentence.
    """

    span: Span
    vector: NDArray[np.float32]
    actual: float
    planned: float
    alone: float


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything one pass of the sentence model says of one sentence.

    Args:
        causal: probability that the sentence claims a cause and an effect.
        relations: those asserted, most probable first; empty where ``causal`` is under one half.
        counterfactual: probability that it imagines what did not happen (SemEval-2020 Task 5).
        antecedent: the imagined condition; ``None`` where ``counterfactual`` is under one half.
        consequent: what would have followed, where the sentence says it; never overlaps ``antecedent``.
        denial: probability that the sentence denies that something led to something.
        denials: the relations denied, most probable first; empty where ``denial`` is under one half.
        n_best: as many of the most probable relations as were asked for, rivals for the same words among them.
        form: the grammatical form of the counterfactual, where it is one of the five (English only, as the next).
        contrapositive: a sentence that says what the counterfactual implies of the world.
        mentions: where they were asked for, the whole sentence, its clauses, and the causes and effects of all
            relations; each span once.
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
    mentions: tuple[MentionReading, ...] = field(default=(), compare=False)
