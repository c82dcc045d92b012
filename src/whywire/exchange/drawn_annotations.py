"""What annotators drew, spans and arrows of any kind, sorted into causal relations and mistakes.

An annotation tool lets people draw anything: an arrow between two effects, a signal that belongs to nothing. Such a
mistake is named (its id, the words, what is wrong) and left out; what is right is read all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from whywire.news.article import Span, overlap
from whywire.news.problems import Problem
from whywire.sentences.reading import CausalRelation

CAUSE, EFFECT, BOTH, SIGNAL = "Cause", "Effect", "CauseEffect", "Signal"
"""Labels of spans; the effect of one relation that is the cause of another is one span, labelled with both."""

LABELS = (CAUSE, EFFECT, BOTH, SIGNAL)

LINE_BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""What ends a line; a tool that marks text by lines cuts a span there."""

_BREAK = re.compile(f"[{LINE_BREAKS}]+")


@dataclass(frozen=True, slots=True)
class DrawnSpan:
    """A labelled span as it was drawn.

    Args:
        label: one of ``LABELS``, if it is right.
        pieces: in order; an argument has one, a signal any number.
    """

    id: str
    label: str
    pieces: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class DrawnRelation:
    """A relation as it was drawn: ids of the marks that stand for its cause, its effect and its signals.

    Args:
        causes: one, if it is right; what the arrow starts from.
        effects: one, if it is right; what the arrow points at.
    """

    id: str
    causes: tuple[str, ...]
    effects: tuple[str, ...]
    signals: tuple[str, ...] = ()
    denied: bool = False


@dataclass(frozen=True, slots=True)
class InvalidAnnotation:
    """One mistake.

    Args:
        id: of the mark or the link that is wrong.
        words: the text it holds, or those of its cause and its effect with an arrow between.
        reason: what is wrong, without a full stop.
    """

    id: str
    words: str
    reason: str

    def problem(self, name: str) -> Problem:
        """Say it with its place in a file."""
        return Problem(f"{name}:{self.id}", f"{self.reason}: “{self.words}”" if self.words else self.reason)


def find_invalid(text: str, marks: Sequence[DrawnSpan], links: Sequence[DrawnRelation]) -> list[InvalidAnnotation]:
    """Find the mistakes in what was drawn on a text, marks first, in their order.

    A mark is wrong when its label is unknown, it is empty or not in the text, an argument has several pieces, or no
    link uses it: an effect without a cause, a cause without an effect, a signal attached to nothing. A link is wrong
    when it uses a mark that is missing or wrong, lacks cause or effect or has two, runs from an effect or to a cause,
    when its cause and effect overlap, its signals overlap, or an earlier link says the same.
    """
    used = {key for link in links for key in (*link.causes, *link.effects, *link.signals)}
    found = [
        InvalidAnnotation(mark.id, _words(text, mark), reason) for mark in marks for reason in _in_mark(text, mark)
    ]
    wrong = {mistake.id for mistake in found}
    found += [
        InvalidAnnotation(mark.id, _words(text, mark), _UNUSED[mark.label])
        for mark in marks
        if mark.id not in used and mark.id not in wrong
    ]
    usable = {mark.id: mark for mark in marks if mark.id not in wrong}
    said: dict[tuple[Span, Span], str] = {}
    for link in links:
        reason = next(_in_link(link, usable), None)
        if reason is None:
            pair = (usable[link.causes[0]].pieces[0], usable[link.effects[0]].pieces[0])
            earlier = said.setdefault(pair, link.id)
            if earlier == link.id:
                continue
            reason = f"{earlier} has the same cause and effect"
        by_id = {mark.id: mark for mark in marks}
        ends = (
            " + ".join(_words(text, by_id[key]) for key in side if key in by_id)
            for side in (link.causes, link.effects)
        )
        found.append(InvalidAnnotation(link.id, " → ".join(ends), reason))
    return found


def relations_of(
    text: str, marks: Sequence[DrawnSpan], links: Sequence[DrawnRelation]
) -> tuple[tuple[CausalRelation, ...], list[InvalidAnnotation]]:
    """The relations of the valid links, in their order, and the mistakes."""
    invalid = find_invalid(text, marks, links)
    wrong = {mistake.id for mistake in invalid}
    by_id = {mark.id: mark for mark in marks}
    relations = []
    for link in links:
        if link.id not in wrong:
            signals = tuple(sorted(piece for key in link.signals for piece in by_id[key].pieces))
            cause, effect = by_id[link.causes[0]].pieces[0], by_id[link.effects[0]].pieces[0]
            relations.append(CausalRelation(cause, effect, signals, denied=link.denied))
    return tuple(relations), invalid


def labels_of(relations: Iterable[CausalRelation]) -> dict[Span, str]:
    """The spans of causes and effects, each once, with their labels; in the order in which they are met."""
    labels: dict[Span, str] = {}
    for relation in relations:
        for span, label in ((relation.cause, CAUSE), (relation.effect, EFFECT)):
            labels[span] = label if labels.get(span, label) == label else BOTH
    return labels


def split_at_breaks(text: str, span: Span) -> list[Span]:
    """The pieces of a span between line breaks; none is empty."""
    pieces, start = [], span[0]
    for found in _BREAK.finditer(text, *span):
        pieces.append((start, found.start()))
        start = found.end()
    return [piece for piece in (*pieces, (start, span[1])) if piece[0] < piece[1]]


def join_over_breaks(text: str, pieces: Iterable[Span]) -> tuple[Span, ...]:
    """Put pieces in order, and those together again that only line breaks keep apart."""
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


def _in_mark(text: str, mark: DrawnSpan) -> Iterator[str]:
    """At most one reason why a mark cannot be used."""
    if mark.label not in LABELS:
        yield f"the label {mark.label!r} is none of {', '.join(LABELS)}"
    elif not all(0 <= start <= end <= len(text) for start, end in mark.pieces):
        yield f"the span does not lie in the text of {len(text)} characters"
    elif not mark.pieces or not all(text[start:end].strip() for start, end in mark.pieces):
        yield "the span is empty"
    elif mark.label != SIGNAL and len(mark.pieces) > 1:
        yield "a cause or an effect must be in one piece"


def _in_link(link: DrawnRelation, marks: dict[str, DrawnSpan]) -> Iterator[str]:
    """Reasons why a link is wrong; the first says it best."""
    for key in (*link.causes, *link.effects, *link.signals):
        if key not in marks:
            yield f"{key}, which it needs, is missing or invalid"
    for side, name in ((link.causes, "cause"), (link.effects, "effect")):
        if not side:
            yield f"the relation has no {name}"
        elif len(side) > 1:
            yield f"the relation has {len(side)} {name}s; draw a relation for each"
    cause, effect = marks[link.causes[0]], marks[link.effects[0]]
    if SIGNAL in (cause.label, effect.label):
        yield f"a signal stands where {'a cause' if cause.label == SIGNAL else 'an effect'} should"
    if (cause.label, effect.label) in _ENDS:
        yield _ENDS[cause.label, effect.label]
    for key in link.signals:
        if marks[key].label != SIGNAL:
            yield f"{key} stands where a signal should, but is labelled {marks[key].label}"
    if overlap(cause.pieces[0], effect.pieces[0]):
        yield "cause and effect overlap"
    pieces = sorted(piece for key in link.signals for piece in marks[key].pieces)
    if any(one[1] > other[0] for one, other in pairwise(pieces)):
        yield "its signals overlap"


def _words(text: str, mark: DrawnSpan) -> str:
    return " … ".join(text[max(start, 0) : max(end, 0)] for start, end in mark.pieces)
