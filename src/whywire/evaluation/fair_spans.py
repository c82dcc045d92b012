"""Fair evaluation of labelled spans (Ortmann 2022), over sentences with several relations (RECESS, section 5).

Counting a span that is a word too long as wrong *and* its true span as missed punishes it twice, so the nearest
misses are counted by their kind, each as half a false positive and half a false negative: the right label on an
overlapping span (boundary), another label on the very span (label), another label on an overlapping one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations

from whywire.evaluation.metrics import Score, score
from whywire.news.article import Span
from whywire.sentences.reading import CausalRelation

Labelled = tuple[str, Span]

CAUSE, EFFECT, SIGNAL = "cause", "effect", "signal"


@dataclass(frozen=True, slots=True)
class SpanCounts:
    """How many predicted and true spans met exactly, nearly, or not at all."""

    hits: int = 0
    near: int = 0
    surplus: int = 0
    missed: int = 0

    def __add__(self, other: SpanCounts) -> SpanCounts:
        return SpanCounts(
            self.hits + other.hits, self.near + other.near, self.surplus + other.surplus, self.missed + other.missed
        )

    @property
    def score(self) -> Score:
        """Fair precision and recall: a near miss is half of each kind of error."""
        near = self.near / 2
        return score(self.hits, self.hits + near + self.surplus, self.hits + near + self.missed)


def compare_spans(predicted: Iterable[Labelled], truth: Iterable[Labelled]) -> dict[str, SpanCounts]:
    """Count by label; a near miss with a wrong label counts under the label of the true span.

    A predicted span that overlaps a true one of its label is a boundary error, also where another prediction
    has met that span already.
    """
    guesses, reals = list(predicted), list(truth)
    counts: dict[str, SpanCounts] = {}

    def count(label: str, found: SpanCounts) -> None:
        counts[label] = counts.get(label, SpanCounts()) + found

    exact = [guess for guess in guesses if guess in reals]
    for label, _ in exact:
        count(label, SpanCounts(hits=1))
    waiting = [guess for guess in guesses if guess not in reals]
    met = {number for number, real in enumerate(reals) if real in exact}
    for same_label, same_span in ((True, False), (False, True), (False, False)):
        still = []
        for guess in waiting:
            near = [
                number
                for number, real in enumerate(reals)
                if (real[0] == guess[0]) == same_label
                and (same_label or number not in met)
                and (real[1] == guess[1] if same_span else _shared(real[1], guess[1]) > 0)
            ]
            if not near:
                still.append(guess)
                continue
            best = max(near, key=lambda number: (number not in met, _shared(reals[number][1], guess[1])))
            met.add(best)
            count(reals[best][0], SpanCounts(near=1))
        waiting = still
    for label, _ in waiting:
        count(label, SpanCounts(surplus=1))
    for number, (label, _) in enumerate(reals):
        if number not in met:
            count(label, SpanCounts(missed=1))
    return counts


def compare_relations(
    predicted: Sequence[CausalRelation], truth: Sequence[CausalRelation], *, strict: bool = False
) -> dict[str, SpanCounts]:
    """Count the spans of one sentence, its relations paired as they fit best.

    Args:
        predicted: most probable first; as in the published scorer, those beyond the true number are left out.
        strict: count the spans of those left out as surplus, too.
    """
    size = len(truth)
    kept: list[CausalRelation | None] = [*predicted[:size], *[None] * (size - len(predicted))]

    def of(pairing: Sequence[CausalRelation | None]) -> list[dict[str, SpanCounts]]:
        found = []
        for guess, real in zip(pairing, truth, strict=True):
            found.append(compare_spans(_arguments(guess), _arguments(real)))
            found.append(compare_spans(_signals(guess), _signals(real)))
        return found

    best = max((of(pairing) for pairing in permutations(kept)), key=lambda found: total(found).score.f1)
    if strict:
        best += [compare_spans([*_arguments(extra), *_signals(extra)], ()) for extra in predicted[size:]]
    return by_label(best)


def by_label(parts: Iterable[dict[str, SpanCounts]]) -> dict[str, SpanCounts]:
    """The counts of many sentences together."""
    result: dict[str, SpanCounts] = {}
    for part in parts:
        for label, found in part.items():
            result[label] = result.get(label, SpanCounts()) + found
    return result


def total(parts: Iterable[dict[str, SpanCounts]]) -> SpanCounts:
    """All labels together."""
    return sum((found for part in parts for found in part.values()), SpanCounts())


def _arguments(relation: CausalRelation | None) -> list[Labelled]:
    return [(CAUSE, relation.cause), (EFFECT, relation.effect)] if relation else []


def _signals(relation: CausalRelation | None) -> list[Labelled]:
    return [(SIGNAL, span) for span in relation.signals] if relation else []


def _shared(one: Span, other: Span) -> int:
    return min(one[1], other[1]) - max(one[0], other[0])
