"""Fair evaluation of labelled spans (Ortmann 2022), over sentences with several relations (RECESS, section 5).

Counting a span that is a word too long as wrong *and* its true span as missed punishes it twice, so the nearest
misses are counted by their kind, each as half a false positive and half a false negative: another label on the
very span (label), the right label on an overlapping span (boundary), another label on an overlapping one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from whywire.news.article import Span
from whywire.sentences.reading import CausalRelation
from whywire_lab.metrics.classification import Score, score

LabelledSpan = tuple[str, Span]

Marks = tuple[Sequence[LabelledSpan], Sequence[LabelledSpan]]
"""The arguments of a relation, and its signals, which may lie inside them and are compared apart."""

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


def compare_spans(predicted: Iterable[LabelledSpan], truth: Iterable[LabelledSpan]) -> dict[str, SpanCounts]:
    """Count by label, in Ortmann's order (section 3); a near miss counts under the label of the true span.

    Exact spans are settled first, then the same span under another label. Overlapping spans meet next, those of one
    label before those of two, short before long, the most similar first. What is then left over may still meet a
    span that met another, where the two share units that no other span took: the second piece of a span that was cut
    in two.

    Args:
        predicted: half-open spans, in characters or in tokens.
    """
    counts: dict[str, SpanCounts] = {}

    def count(label: str, found: SpanCounts) -> None:
        counts[label] = counts.get(label, SpanCounts()) + found

    estimates, reals = list(predicted), list(truth)
    for real in list(reals):
        if real in estimates:
            estimates.remove(real)
            reals.remove(real)
            count(real[0], SpanCounts(hits=1))
    for real in list(reals):
        twin = next((estimate for estimate in estimates if estimate[1] == real[1]), None)
        if twin:
            estimates.remove(twin)
            reals.remove(real)
            count(real[0], SpanCounts(near=1))

    surplus, missed = _by_length(estimates), _by_length(reals)
    for label in _meet(surplus, missed):
        count(label, SpanCounts(near=1))
    for piece in surplus:
        count(piece.label, SpanCounts(surplus=1))
    for piece in missed:
        count(piece.label, SpanCounts(missed=1))
    return counts


def compare_relations(
    predicted: Sequence[CausalRelation], truth: Sequence[CausalRelation], *, strict: bool = False
) -> dict[str, SpanCounts]:
    """Count the spans of one sentence, its relations paired as they fit best.

    Args:
        predicted: most probable first; as in the published scorer, those beyond the true number are left out.
        strict: count the spans of those left out as surplus, too.
    """
    return compare_marks(list(map(_marks, predicted)), list(map(_marks, truth)), strict=strict)


def compare_marks(
    predicted: Sequence[Marks], truth: Sequence[Marks], *, strict: bool = False
) -> dict[str, SpanCounts]:
    """As :func:`compare_relations`, for relations that need not have one cause and one effect."""
    size = len(truth)
    kept = [*predicted[:size], *[((), ())] * (size - len(predicted))]
    cells = [
        [by_label([compare_spans(estimate[0], real[0]), compare_spans(estimate[1], real[1])]) for estimate in kept]
        for real in truth
    ]
    pairings = ([cells[row][column] for column, row in enumerate(order)] for order in permutations(range(size)))
    best = max(pairings, key=lambda found: total(found).score.f1)
    if strict:
        best += [compare_spans([*arguments, *signals], ()) for arguments, signals in predicted[size:]]
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


def _marks(relation: CausalRelation) -> Marks:
    arguments = [(CAUSE, relation.cause), (EFFECT, relation.effect)]
    return arguments, [(SIGNAL, span) for span in relation.signals]


class _Piece:
    """A span that met none of its own kind exactly, and those of its units that no other span has taken."""

    def __init__(self, labelled: LabelledSpan) -> None:
        self.label, self.span = labelled
        self.free = set(range(*self.span))

    def likest(self, others: Sequence[_Piece], same_label: bool) -> _Piece | None:
        """Of the overlapping ones the one that shares most, lacks least, adds least and is shortest."""
        near = [
            other
            for other in others
            if (other.label == self.label) == same_label and other.span != self.span and self.free & other.free
        ]
        return min(
            near,
            key=lambda other: (
                -len(self.free & other.free),
                len(self.free - other.free),
                len(other.free - self.free),
                other.span[1] - other.span[0],
            ),
            default=None,
        )

    def meet(self, other: _Piece) -> None:
        """Take from both the units they share."""
        shared = self.free & other.free
        self.free -= shared
        other.free -= shared


def _meet(estimates: list[_Piece], reals: list[_Piece]) -> Iterator[str]:
    """The true label of each pair that overlaps; those that met are taken out of the lists."""
    met_estimates: list[_Piece] = []
    met_reals: list[_Piece] = []
    for same_label in (True, False):
        for real in list(reals):
            estimate = real.likest(estimates, same_label)
            if estimate:
                real.meet(estimate)
                _move(real, reals, met_reals)
                _move(estimate, estimates, met_estimates)
                yield real.label
        for real in list(reals):
            estimate = real.likest(met_estimates, same_label)
            if estimate:
                real.meet(estimate)
                _move(real, reals, met_reals)
                yield real.label
        for piece in list(estimates):
            near = piece.likest(met_reals, same_label)
            if near:
                piece.meet(near)
                _move(piece, estimates, met_estimates)
                yield near.label


def _by_length(spans: Iterable[LabelledSpan]) -> list[_Piece]:
    return sorted(map(_Piece, spans), key=lambda piece: piece.span[1] - piece.span[0])


def _move(piece: _Piece, source: list[_Piece], target: list[_Piece]) -> None:
    source.remove(piece)
    target.append(piece)
