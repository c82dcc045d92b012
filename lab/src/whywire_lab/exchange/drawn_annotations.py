"""Validation of the spans and arrows that annotators drew, and their conversion to causal relations.

Annotation tools allow invalid annotations, such as an arrow between two effects or a signal of no relation. Losing
valid annotations with the invalid ones is worse than reading a damaged file, so an invalid one is reported (its id,
its words, the reason) and left out, and the rest is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from whywire.news import Problem
from whywire.news.article import Span, overlap
from whywire.sentences.reading import CausalRelation

CAUSE, EFFECT, BOTH, SIGNAL = "Cause", "Effect", "CauseEffect", "Signal"
"""Labels of spans. A span that is the effect of one relation and the cause of another is labelled with both."""

SPAN_LABELS = (CAUSE, EFFECT, BOTH, SIGNAL)

LINE_BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""Line breaks; tools that annotate line by line split spans there."""

_BREAK = re.compile(f"[{LINE_BREAKS}]+")


@dataclass(frozen=True, slots=True)
class DrawnSpan:
    """A labelled span as drawn, valid or not.

    Args:
        label: one of ``SPAN_LABELS`` in a valid span.
        pieces: half-open character offsets in order; one for a cause or an effect, any number for a signal.
    """

    id: str
    label: str
    pieces: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class DrawnRelation:
    """A relation as drawn, valid or not, with the ids of its spans.

    Args:
        causes: ids of the spans the arrow starts from; one in a valid relation.
        effects: ids of the spans the arrow points to; one in a valid relation.
        signals: ids of the spans of its signal.
    """

    id: str
    causes: tuple[str, ...]
    effects: tuple[str, ...]
    signals: tuple[str, ...] = ()
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow between two spans, as tools draw it: from cause to effect, or from a signal to one of them.

    Args:
        source, target: ids of spans.
        role: of what a signal points to, ``cause`` or ``effect``; ``None`` if the tool does not say.
    """

    id: str
    source: str
    target: str
    role: str | None = None
    denied: bool = False


@dataclass(frozen=True, slots=True)
class InvalidAnnotation:
    """A drawn span or relation that cannot be used.

    Args:
        id: of the span or the relation.
        words: the words of the span, or those of cause and effect with an arrow in between.
        reason: what is wrong, without a full stop.
    """

    id: str
    words: str
    reason: str

    def problem(self, name: str) -> Problem:
        """Return the problem to report, with its place in a file."""
        return Problem(f"{name}:{self.id}", f"{self.reason}: “{self.words}”" if self.words else self.reason)


def find_invalid_annotations(
    text: str, spans: Sequence[DrawnSpan], relations: Sequence[DrawnRelation]
) -> list[InvalidAnnotation]:
    """Return the invalid annotations of a text, spans first, in their order.

    A span is invalid if its label is unknown, it is empty or outside the text, it is a cause or an effect in several
    pieces, or no relation uses it. A relation is invalid if one of its spans is missing or invalid, it does not have
    exactly one cause and one effect, it runs from an effect or to a cause, its cause and effect overlap, its signals
    overlap, or an earlier relation has the same cause and effect.
    """
    used = {key for relation in relations for key in (*relation.causes, *relation.effects, *relation.signals)}
    by_id = {span.id: span for span in spans}
    invalid: dict[str, InvalidAnnotation] = {}
    for span in spans:
        for reason in _span_errors(text, span):
            invalid[span.id] = InvalidAnnotation(span.id, _words(text, span), reason)
    usable = {span.id: span for span in spans if span.id not in invalid}
    unused = [
        InvalidAnnotation(span.id, _words(text, span), _UNUSED[span.label])
        for span in usable.values()
        if span.id not in used
    ]
    return [*invalid.values(), *unused, *_invalid_relations(text, relations, by_id, usable)]


def _invalid_relations(
    text: str, relations: Iterable[DrawnRelation], by_id: dict[str, DrawnSpan], usable: dict[str, DrawnSpan]
) -> Iterator[InvalidAnnotation]:
    first_with: dict[tuple[Span, Span], str] = {}
    for relation in relations:
        reason = next(_relation_errors(relation, usable), None)
        if reason is None:
            pair = (usable[relation.causes[0]].pieces[0], usable[relation.effects[0]].pieces[0])
            earlier = first_with.setdefault(pair, relation.id)
            if earlier == relation.id:
                continue
            reason = f"{earlier} has the same cause and effect"
        cause, effect = (
            " + ".join(_words(text, by_id[key]) for key in side if key in by_id)
            for side in (relation.causes, relation.effects)
        )
        yield InvalidAnnotation(relation.id, f"{cause} → {effect}", reason)


def valid_relations(
    text: str, spans: Sequence[DrawnSpan], relations: Sequence[DrawnRelation]
) -> tuple[tuple[CausalRelation, ...], list[InvalidAnnotation]]:
    """Return the valid relations in their order, and the invalid annotations."""
    invalid = find_invalid_annotations(text, spans, relations)
    invalid_ids = {one.id for one in invalid}
    pieces = {span.id: span.pieces for span in spans}
    valid = []
    for relation in relations:
        if relation.id not in invalid_ids:
            (cause,), (effect,) = pieces[relation.causes[0]], pieces[relation.effects[0]]
            signals = tuple(sorted(piece for key in relation.signals for piece in pieces[key]))
            valid.append(CausalRelation(cause, effect, signals, denied=relation.denied))
    return tuple(valid), invalid


def attach_signals(arrows: Iterable[Arrow], spans: Iterable[DrawnSpan]) -> list[DrawnRelation]:
    """Return a relation for each arrow that does not start from a signal, with the signals that point to its ends."""
    signals = {span.id for span in spans if span.label == SIGNAL}
    attached: dict[str, set[tuple[str, str | None]]] = {}
    drawn: list[Arrow] = []
    for arrow in arrows:
        if arrow.source in signals:
            attached.setdefault(arrow.source, set()).add((arrow.target, arrow.role))
        else:
            drawn.append(arrow)
    relations = []
    for arrow in drawn:
        ends = ((arrow.source, CAUSE.lower()), (arrow.target, EFFECT.lower()))
        fitting: set[tuple[str, str | None]] = {(span, role) for span, its in ends for role in (its, None)}
        own = tuple(signal for signal, drawn_to in attached.items() if drawn_to <= fitting)
        relations.append(DrawnRelation(arrow.id, (arrow.source,), (arrow.target,), own, arrow.denied))
    return relations


def span_labels(relations: Iterable[CausalRelation]) -> dict[Span, str]:
    """Return the label of each span that is a cause or an effect, in order of first use."""
    labels: dict[Span, str] = {}
    for relation in relations:
        for span, label in ((relation.cause, CAUSE), (relation.effect, EFFECT)):
            labels[span] = label if labels.get(span, label) == label else BOTH
    return labels


def split_at_breaks(text: str, span: Span) -> list[Span]:
    """Split a span at line breaks into pieces that are not empty."""
    pieces, start = [], span[0]
    for found in _BREAK.finditer(text, *span):
        pieces.append((start, found.start()))
        start = found.end()
    return [piece for piece in (*pieces, (start, span[1])) if piece[0] < piece[1]]


def join_over_breaks(text: str, pieces: Iterable[Span]) -> tuple[Span, ...]:
    """Sort pieces, and join those that only line breaks separate; the inverse of ``split_at_breaks``."""
    joined: list[Span] = []
    for start, end in sorted(pieces):
        if joined and _BREAK.fullmatch(text, joined[-1][1], max(start, joined[-1][1])):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(joined)


_UNUSED = {
    CAUSE: "a cause with no effect",
    EFFECT: "an effect with no cause",
    BOTH: "a cause with no effect, and an effect with no cause",
    SIGNAL: "a signal attached to no relation",
}

_ENDS = {
    (EFFECT, EFFECT): "an effect points at an effect",
    (EFFECT, CAUSE): "the link runs from effect to cause; draw it the other way round",
    (CAUSE, CAUSE): "a cause points at a cause",
    (BOTH, CAUSE): "a cause points at a cause",
    (EFFECT, BOTH): "an effect points at an effect",
}


def _span_errors(text: str, span: DrawnSpan) -> Iterator[str]:
    """Yield at most one reason why a span is invalid."""
    if span.label not in SPAN_LABELS:
        yield f"the label {span.label!r} is none of {', '.join(SPAN_LABELS)}"
    elif not all(0 <= start <= end <= len(text) for start, end in span.pieces):
        yield f"the span does not lie in the text of {len(text)} characters"
    elif not span.pieces or not all(text[start:end].strip() for start, end in span.pieces):
        yield "the span is empty"
    elif span.label != SIGNAL and len(span.pieces) > 1:
        yield "a cause or an effect must be in one piece"


def _relation_errors(relation: DrawnRelation, spans: dict[str, DrawnSpan]) -> Iterator[str]:
    """Yield reasons why a relation is invalid; the first one is the root of the others."""
    for key in (*relation.causes, *relation.effects, *relation.signals):
        if key not in spans:
            yield f"{key}, which it needs, is missing or invalid"
    for side, name in ((relation.causes, "cause"), (relation.effects, "effect")):
        if not side:
            yield f"the relation has no {name}"
        elif len(side) > 1:
            yield f"the relation has {len(side)} {name}s; draw a relation for each"
    cause, effect = spans[relation.causes[0]], spans[relation.effects[0]]
    if SIGNAL in (cause.label, effect.label):
        yield f"a signal stands where {'a cause' if cause.label == SIGNAL else 'an effect'} should"
    if (cause.label, effect.label) in _ENDS:
        yield _ENDS[cause.label, effect.label]
    for key in relation.signals:
        if spans[key].label != SIGNAL:
            yield f"{key} stands where a signal should, but is labelled {spans[key].label}"
    if overlap(cause.pieces[0], effect.pieces[0]):
        yield "cause and effect overlap"
    pieces = sorted(piece for key in relation.signals for piece in spans[key].pieces)
    if any(one[1] > other[0] for one, other in pairwise(pieces)):
        yield "its signals overlap"


def _words(text: str, span: DrawnSpan) -> str:
    return " … ".join(text[max(start, 0) : max(end, 0)] for start, end in span.pieces)
