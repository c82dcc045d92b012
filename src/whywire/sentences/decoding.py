"""The layout of the sentence model's outputs, and decoding of its arrays to the most probable valid spans.

A relation has one cause and one effect; each starts before it ends, and they do not overlap. The most probable pair
of such spans is found exactly: one span lies wholly before the other, so every place to cut the sentence is tried, in
linear time with running maxima. The next best pairs are found in order by a best-first search, the beam search of
RECESS (section 5) with an unlimited beam.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from whywire.news.article import Span, overlap
from whywire.sentences.direction import directed
from whywire.sentences.reading import CausalRelation

SLOTS = 3
"""The most relations of a sentence; 11 of RECESS's 1,624 causal training sentences have more."""

CAUSAL, COUNTERFACTUAL, DENIAL = 0, 1, 2
"""Columns of the ``sentence`` output: the sentence claims a cause, imagines what did not happen, denies a cause."""

QUESTIONS = {"causal": CAUSAL, "counterfactual": COUNTERFACTUAL, "denial": DENIAL}

PRESENT = slice(3, 3 + SLOTS)
DENIED = slice(PRESENT.stop, PRESENT.stop + SLOTS)
"""The next columns, one for each slot: the slot holds a relation; its relation is denied."""

SENTENCE_WIDTH = DENIED.stop

CAUSE, EFFECT, SIGNAL = (0, 1), (2, 3), 4
"""Columns of a slot in the ``tokens`` output: first and last token of cause and effect; part of the signal."""

SLOT_WIDTH = 5
SIGNALS = slice(SIGNAL, SLOTS * SLOT_WIDTH, SLOT_WIDTH)
"""The signal columns of all slots."""

ANTECEDENT = (SLOTS * SLOT_WIDTH, SLOTS * SLOT_WIDTH + 1)
CONSEQUENT = (SLOTS * SLOT_WIDTH + 2, SLOTS * SLOT_WIDTH + 3)
TOKEN_WIDTH = SLOTS * SLOT_WIDTH + 4

Scores = NDArray[np.float32]


def best_span(first: Scores, last: Scores) -> tuple[float, int, int]:
    """Return the best (score, first token, last token) with first ≤ last."""
    running = np.maximum.accumulate(first)
    end = int(np.argmax(running + last))
    start = int(np.argmax(first[: end + 1]))
    return float(first[start] + last[end]), start, end


def best_disjoint_spans(cause: tuple[Scores, Scores], effect: tuple[Scores, Scores]) -> tuple[Span, Span] | None:
    """Return the best pair of spans (in tokens, half-open) that do not overlap: cause and effect, or two other parts.

    Args:
        cause: scores of being the first and the last token of the cause, (tokens,) each.
        effect: the same for the effect.

    Returns:
        ``None`` for fewer than two tokens, which have no room for two spans.
    """
    length = len(cause[0])
    if length < 2:
        return None
    options = []
    for (left, right), swapped in (((cause, effect), False), ((effect, cause), True)):
        before = np.maximum.accumulate(np.maximum.accumulate(left[0]) + left[1])
        after = np.maximum.accumulate(np.maximum.accumulate(right[1][::-1]) + right[0][::-1])[::-1]
        cut = int(np.argmax(before[:-1] + after[1:])) + 1
        options.append((float(before[cut - 1] + after[cut]), swapped, cut))
    _, swapped, cut = max(options)
    left, right = (effect, cause) if swapped else (cause, effect)
    _, start, end = best_span(left[0][:cut], left[1][:cut])
    first = (start, end + 1)
    _, start, end = best_span(right[0][cut:], right[1][cut:])
    second = (cut + start, cut + end + 1)
    return (second, first) if swapped else (first, second)


def disjoint_spans_in_order(
    cause: tuple[Scores, Scores], effect: tuple[Scores, Scores]
) -> Iterator[tuple[float, Span, Span]]:
    """Yield every pair of spans (in tokens, half-open) that do not overlap, the most probable first.

    Args:
        cause: log-probabilities of being the first and the last token of the cause, (tokens,) each.
        effect: the same for the effect.

    Yields:
        The probability of the pair among all such pairs (they sum to one), the cause and the effect.
    """
    spans = [_spans_in_order(*part) for part in (cause, effect)]
    if len(cause[0]) < 2:
        return
    whole = _sum_over_disjoint(cause, effect) + _sum_over_disjoint(effect, cause)
    waiting = [(-spans[0][0][0] - spans[1][0][0], 0, 0)]
    while waiting:
        cost, left, right = heappop(waiting)
        (_, first), (_, second) = spans[0][left], spans[1][right]
        if first[1] <= second[0] or second[1] <= first[0]:
            yield float(np.exp(-cost) / whole), first, second
        for place in ([(left + 1, right)] if right == 0 else []) + [(left, right + 1)]:
            if place[0] < len(spans[0]) and place[1] < len(spans[1]):
                heappush(waiting, (-spans[0][place[0]][0] - spans[1][place[1]][0], *place))


def _spans_in_order(first: Scores, last: Scores) -> list[tuple[float, Span]]:
    """Return every span (in tokens, half-open) with its score, the best first."""
    scores = first[:, None].astype(np.float64) + last[None, :]
    starts, ends = np.triu_indices(len(first))
    values = scores[starts, ends]
    return [(float(values[at]), (int(starts[at]), int(ends[at]) + 1)) for at in np.argsort(-values, kind="stable")]


def _sum_over_disjoint(left: tuple[Scores, Scores], right: tuple[Scores, Scores]) -> float:
    """Return the summed probability of all pairs in which a span of ``left`` lies before one of ``right``."""
    ends_at = np.cumsum(np.exp(left[0], dtype=np.float64)) * np.exp(left[1])
    to_the_end = np.cumsum(np.exp(right[1], dtype=np.float64)[::-1])[::-1]
    starts_from = np.cumsum((np.exp(right[0]) * to_the_end)[::-1])[::-1]
    return float(ends_at[:-1] @ starts_from[1:])


def calibrated_signals(tokens: Scores, fitted: Mapping[str, float]) -> Scores:
    """Return the logits with calibrated signal columns, in which a token above 0 is part of the signal.

    Args:
        tokens: (tokens, TOKEN_WIDTH) logits; not changed.
        fitted: ``scale`` and ``shift`` of the log-odds.
    """
    moved = tokens.copy()
    moved[:, SIGNALS] = fitted["scale"] * tokens[:, SIGNALS] + fitted["shift"]
    return moved


def relations_by_slot(
    tokens: Scores,
    offsets: list[Span],
    text: str,
    present: Scores,
    denied: Scores | None = None,
    *,
    floor: float = 0.5,
) -> dict[int, CausalRelation]:
    """Return the relations of a sentence, by their slots, given that it has at least one.

    Hence the most probable relation has the probability 1. Of relations between the same two spans, in either
    direction, only the most probable is kept.

    Args:
        tokens: (tokens, TOKEN_WIDTH) logits without special tokens and padding.
        offsets: the tokens' characters in ``text``.
        present: (SLOTS,) probability that a slot holds a relation.
        denied: (SLOTS,) probability that the relation in a slot is denied.
        floor: the least probability of further relations.
    """
    relations: dict[int, CausalRelation] = {}
    for rank, slot in enumerate(sorted(range(SLOTS), key=lambda slot: -present[slot])):
        pair = best_disjoint_spans(*_cause_and_effect(tokens, slot))
        if pair is None or (rank and present[slot] < floor):
            break
        if (arguments := _arguments(*pair, offsets, text)) is None:
            continue
        relation = CausalRelation(
            *arguments,
            signals_in_slot(tokens, slot, offsets, text),
            probability=float(present[slot]) if rank else 1.0,
            denied=denied is not None and bool(denied[slot] >= 0.5),
        )
        if not any(map(relation.is_of_pair, relations.values())):
            relations[slot] = relation
    return relations


def n_best_relations(
    tokens: Scores, offsets: list[Span], text: str, present: Scores, n: int
) -> tuple[CausalRelation, ...]:
    """Return the ``n`` most probable relations of a sentence, which may compete for the same words.

    A relation's probability is that of at least one slot holding it, since slots are independent and two may hold the
    same relation. The arguments are those of :func:`relations_by_slot`.
    """
    relations: dict[tuple[Span, Span], CausalRelation] = {}
    for slot in range(SLOTS):
        signals = signals_in_slot(tokens, slot, offsets, text)
        for share, first, second in islice(disjoint_spans_in_order(*_cause_and_effect(tokens, slot)), 2 * n):
            if (arguments := _arguments(first, second, offsets, text)) is None:
                continue
            probability = float(present[slot]) * share
            same = relations.get(arguments)
            either = probability if same is None else 1 - (1 - same.probability) * (1 - probability)
            kept = signals if same is None or probability > same.probability else same.signals
            relations[arguments] = CausalRelation(*arguments, kept, either)
    return tuple(sorted(relations.values(), key=lambda relation: -relation.probability)[:n])


def signals_in_slot(tokens: Scores, slot: int, offsets: list[Span], text: str) -> tuple[Span, ...]:
    """Return the spans of characters that a slot marks as its signal."""
    return runs(tokens[:, slot * SLOT_WIDTH + SIGNAL] > 0, offsets, text)


def _cause_and_effect(tokens: Scores, slot: int) -> tuple[tuple[Scores, Scores], tuple[Scores, Scores]]:
    """Return the log-probabilities of being the first and the last token of a slot's cause and of its effect."""
    columns = log_softmax(tokens[:, slot * SLOT_WIDTH : slot * SLOT_WIDTH + 4])
    return _ends(columns, CAUSE), _ends(columns, EFFECT)


def _ends(columns: Scores, part: tuple[int, int]) -> tuple[Scores, Scores]:
    return columns[:, part[0]], columns[:, part[1]]


def _arguments(cause: Span, effect: Span, offsets: list[Span], text: str) -> tuple[Span, Span] | None:
    """Return cause and effect in characters, directed by connectives; ``None`` if they share a word."""
    first, second = characters(cause, offsets, text), characters(effect, offsets, text)
    return None if overlap(first, second) else directed(text, first, second)


def decode_parts(tokens: Scores, nothing: Scores, offsets: list[Span], text: str) -> tuple[Span | None, Span | None]:
    """Return antecedent and consequent of a counterfactual sentence.

    Args:
        nothing: (TOKEN_WIDTH,) logits of the first special token, which is marked if a part is missing.
    """
    if not len(tokens):
        return None, None
    columns = log_softmax(np.vstack([nothing, tokens]))
    empty = columns[0]
    antecedent, consequent = _ends(columns[1:], ANTECEDENT), _ends(columns[1:], CONSEQUENT)
    best, start, end = best_span(*antecedent)
    if pair := best_disjoint_spans(antecedent, consequent):
        alone = best + empty[CONSEQUENT[0]] + empty[CONSEQUENT[1]]
        together = sum(
            first[span[0]] + last[span[1] - 1]
            for (first, last), span in zip((antecedent, consequent), pair, strict=True)
        )
        if together > alone:
            first, second = (characters(span, offsets, text) for span in pair)
            if not overlap(first, second):
                return first, second
    return characters((start, end + 1), offsets, text), None


def characters(span: Span, offsets: list[Span], text: str) -> Span:
    """Convert a span of tokens to characters, widened to whole words.

    Whitespace at either end, which some tokenizers include in a word, is left out unless there is nothing else.
    """
    start, end = offsets[span[0]][0], offsets[span[1] - 1][1]
    if text[start:end].strip():
        while text[start].isspace():
            start += 1
        while text[end - 1].isspace():
            end -= 1
    while start > 0 and text[start].isalnum() and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    return start, end


def runs(marked: NDArray[np.bool_], offsets: list[Span], text: str) -> tuple[Span, ...]:
    """Return the spans of characters of runs of marked tokens."""
    spans: list[Span] = []
    start = None
    for number, flag in enumerate([*marked.tolist(), False]):
        if flag and start is None:
            start = number
        elif not flag and start is not None:
            span = characters((start, number), offsets, text)
            if spans and span[0] < spans[-1][1]:
                span = (spans.pop()[0], span[1])
            spans.append(span)
            start = None
    return tuple(spans)


def log_softmax(logits: Scores) -> Scores:
    """Return the logarithm of the softmax over tokens, for each column."""
    shifted = logits - logits.max(axis=0, keepdims=True)
    result: Scores = shifted - np.log(np.exp(shifted).sum(axis=0, keepdims=True))
    return result
