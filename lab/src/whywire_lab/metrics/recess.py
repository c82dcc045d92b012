"""Cause, effect and signal spans as the published scorer of RECESS counts them, and a stricter count.

The scorer (subtask 2 of the Causal News Corpus, `evaluation/subtask2` of its repository) looks at causal sentences
only, takes as many predicted relations as there are true ones (the first), pairs them as they fit best, and counts
fairly over words, arguments and signals separately. The stricter count does none of this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whywire.news.article import Span
from whywire_lab.corpora.causal_news_corpus import CausalSentence
from whywire_lab.exchange.argument_tags import TaggedRelation
from whywire_lab.metrics.fair_spans import (
    CAUSE,
    EFFECT,
    SIGNAL,
    LabelledSpan,
    Marks,
    SpanCounts,
    by_label,
    compare_marks,
    total,
)

Table = Mapping[str, Mapping[str, float]]
"""Numbers by heading and by name, as the scorer prints them."""

ALL, SEVERAL = "All Examples", "Examples with Multiple Relations"
"""The headings: all causal sentences; those with more than one true relation."""


def evaluate(truth: Sequence[CausalSentence], predictions: Sequence[Sequence[TaggedRelation]]) -> Table:
    """Score as the published scorer does, number for number.

    Args:
        truth: any sentences; those without relations do not count.
        predictions: for each its relations, most probable first.

    Returns:
        For each heading ``Recall``, ``Precision`` and ``F1`` over all spans, then each with ``Cause_``, ``Effect_``
        and ``Signal_`` before it; 0 to 1, and 0 where there was nothing to find.
    """
    counted: list[tuple[int, dict[str, SpanCounts]]] = []
    for sentence, relations in zip(truth, predictions, strict=True):
        if sentence.relations:
            real = [_words(sentence.text, TaggedRelation.of(relation)) for relation in sentence.relations]
            estimate = [_words(sentence.text, relation) for relation in relations]
            counted.append((len(real), compare_marks(estimate, real)))
    several = [found for size, found in counted if size > 1]
    return {ALL: _numbers([found for _, found in counted]), SEVERAL: _numbers(several)}


def evaluate_strictly(
    truth: Sequence[CausalSentence], predictions: Sequence[Sequence[TaggedRelation]]
) -> Mapping[str, float]:
    """Score all sentences: a relation too many is surplus, and so is any in a sentence that is not causal.

    Args:
        predictions: made without knowing which sentences are causal.

    Returns:
        The names of :func:`evaluate`.
    """
    found = []
    for sentence, relations in zip(truth, predictions, strict=True):
        real = [_characters(TaggedRelation.of(relation)) for relation in sentence.relations]
        found.append(compare_marks(list(map(_characters, relations)), real, strict=True))
    return _numbers(found)


def scores_text(table: Table) -> str:
    """The table as the scorer writes it into ``scores.txt``."""
    sections = [
        "\n".join([f"### {heading}", *(f"{name}:{value}" for name, value in numbers.items())])
        for heading, numbers in table.items()
    ]
    return "\n\n".join(sections) + "\n"


def _numbers(parts: Sequence[dict[str, SpanCounts]]) -> dict[str, float]:
    labels = by_label(parts)
    numbers: dict[str, float] = {}
    for prefix, found in (
        ("", total(parts)),
        *((f"{label.title()}_", labels.get(label, SpanCounts())) for label in (CAUSE, EFFECT, SIGNAL)),
    ):
        numbers[f"{prefix}Recall"] = found.score.recall
        numbers[f"{prefix}Precision"] = found.score.precision
        numbers[f"{prefix}F1"] = found.score.f1
    return numbers


def _characters(relation: TaggedRelation) -> Marks:
    return _arguments(relation), [(SIGNAL, span) for span in relation.signals]


def _arguments(relation: TaggedRelation) -> list[LabelledSpan]:
    return [(CAUSE, span) for span in relation.causes] + [(EFFECT, span) for span in relation.effects]


def _words(text: str, relation: TaggedRelation) -> Marks:
    """The relation in words, as the scorer reads its tags word by word.

    The scorer does not see the end of an argument of one word: it runs on to the next argument, or to the end of the
    sentence. Of two arguments that begin, or end, in one word it sees the cause.
    """
    size = text.count(" ") + 1
    return (
        _read_tags(size, [(label, _word_span(text, span)) for label, span in _arguments(relation)], blind=True),
        _read_tags(size, [(SIGNAL, _word_span(text, span)) for span in relation.signals], blind=False),
    )


def _word_span(text: str, span: Span) -> Span:
    """First and last word, the last one included."""
    return text.count(" ", 0, span[0]), text.count(" ", 0, span[1] - 1)


def _read_tags(size: int, marked: Sequence[LabelledSpan], *, blind: bool) -> list[LabelledSpan]:
    """Spans of words (half-open) from the words in which tags open and close.

    Args:
        blind: overlook that a tag closes in the word it opened in.
    """
    opening = {span[0]: label for label, span in reversed(marked)}
    closing = {span[1]: label for label, span in reversed(marked)}
    closing_here = {span[0] for _, span in marked if span[0] == span[1]}
    found: list[LabelledSpan] = []
    label, start = "", 0
    for word in range(size):
        stop = None
        if word in opening:
            if label:
                found.append((label, (start, word)))
            label, start = opening[word], word
            stop = word + 1 if word in closing_here and not blind else None
        elif word in closing:
            stop = word + 1 if closing[word] == label else word
        if label and stop:
            found.append((label, (start, stop)))
            label = ""
    return [*found, (label, (start, size))] if label else found
