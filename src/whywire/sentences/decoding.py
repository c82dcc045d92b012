"""How the sentence model lays out its outputs, and decoding: from its arrays to the most probable valid spans.

A relation has one cause and one effect, each starts before it ends, and the two do not overlap. Among all pairs
of spans that keep these rules the most probable is taken, exactly: one of the two lies wholly before the other,
so the best pair is found by trying every place to cut the sentence (linear time with running maxima). The next
best are found in order by a best-first search, the beam search of RECESS (section 5) with a beam of any width.
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
"""Relations a sentence can carry; 11 of RECESS's 1,624 causal training sentences have more."""

CAUSAL, COUNTERFACTUAL, DENIAL = 0, 1, 2
"""Columns of the ``sentence`` output: it claims a cause, it imagines what did not happen, it denies a cause."""

QUESTIONS = {"causal": CAUSAL, "counterfactual": COUNTERFACTUAL, "denial": DENIAL}

PRESENT = slice(3, 3 + SLOTS)
DENIED = slice(PRESENT.stop, PRESENT.stop + SLOTS)
"""The columns that follow, one a slot each: there is a relation in it; that relation is denied."""

SENTENCE_WIDTH = DENIED.stop

CAUSE, EFFECT, SIGNAL = (0, 1), (2, 3), 4
"""Columns of a slot in the ``tokens`` output: first and last token of cause and effect; part of the signal."""

SLOT_WIDTH = 5
SIGNALS = slice(SIGNAL, SLOTS * SLOT_WIDTH, SLOT_WIDTH)
"""The columns of all slots that say *part of the signal*."""

ANTECEDENT = (SLOTS * SLOT_WIDTH, SLOTS * SLOT_WIDTH + 1)
CONSEQUENT = (SLOTS * SLOT_WIDTH + 2, SLOTS * SLOT_WIDTH + 3)
TOKEN_WIDTH = SLOTS * SLOT_WIDTH + 4

Scores = NDArray[np.float32]


def best_span(first: Scores, last: Scores) -> tuple[float, int, int]:
    """The best (score, first token, last token) with first ≤ last."""
    running = np.maximum.accumulate(first)
    end = int(np.argmax(running + last))
    start = int(np.argmax(first[: end + 1]))
    return float(first[start] + last[end]), start, end


def best_disjoint_spans(one: tuple[Scores, Scores], other: tuple[Scores, Scores]) -> tuple[Span, Span] | None:
    """The best pair of spans (in tokens, half-open) of two kinds that do not overlap.

    Args:
        one: scores of being the first and the last token of the first kind, (tokens,) each.
        other: the same of the second kind.

    Returns:
        ``None`` for fewer than two tokens: there is no room for two spans.
    """
    length = len(one[0])
    if length < 2:
        return None
    options = []
    for (left, right), swapped in (((one, other), False), ((other, one), True)):
        before = np.maximum.accumulate(np.maximum.accumulate(left[0]) + left[1])
        after = np.maximum.accumulate(np.maximum.accumulate(right[1][::-1]) + right[0][::-1])[::-1]
        cut = int(np.argmax(before[:-1] + after[1:])) + 1
        options.append((float(before[cut - 1] + after[cut]), swapped, cut))
    _, swapped, cut = max(options)
    left, right = (other, one) if swapped else (one, other)
    _, start, end = best_span(left[0][:cut], left[1][:cut])
    first = (start, end + 1)
    _, start, end = best_span(right[0][cut:], right[1][cut:])
    second = (cut + start, cut + end + 1)
    return (second, first) if swapped else (first, second)


def disjoint_spans_in_order(
    one: tuple[Scores, Scores], other: tuple[Scores, Scores]
) -> Iterator[tuple[float, Span, Span]]:
    """Every pair of spans (in tokens, half-open) of two kinds that do not overlap, the most probable first.

    Args:
        one: logarithms of the probabilities of being the first and the last token of the first kind, (tokens,) each.
        other: the same of the second kind.

    Yields:
        The probability of the pair among all such pairs (they sum to one), and its two spans.
    """
    spans = [_spans_in_order(*kind) for kind in (one, other)]
    if len(one[0]) < 2:
        return
    whole = _sum_over_disjoint(one, other) + _sum_over_disjoint(other, one)
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
    """Every span (in tokens, half-open) with its score, best first."""
    scores = first[:, None].astype(np.float64) + last[None, :]
    starts, ends = np.triu_indices(len(first))
    values = scores[starts, ends]
    return [(float(values[at]), (int(starts[at]), int(ends[at]) + 1)) for at in np.argsort(-values, kind="stable")]


def _sum_over_disjoint(left: tuple[Scores, Scores], right: tuple[Scores, Scores]) -> float:
    """The probabilities of all pairs in which a span of the first kind lies before one of the second, summed."""
    ends_at = np.cumsum(np.exp(left[0], dtype=np.float64)) * np.exp(left[1])
    to_the_end = np.cumsum(np.exp(right[1], dtype=np.float64)[::-1])[::-1]
    starts_from = np.cumsum((np.exp(right[0]) * to_the_end)[::-1])[::-1]
    return float(ends_at[:-1] @ starts_from[1:])


def calibrated_signals(tokens: Scores, fitted: Mapping[str, float]) -> Scores:
    """The logits with those for *part of the signal* calibrated: a token with 0 or more is part of it.

    Args:
        tokens: (tokens, TOKEN_WIDTH) logits; they stay as they are.
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
    """The relations of one sentence that says at least one, by their slots; the most probable is certain of that.

    Of relations between the same two things, whichever is the cause, the most probable is taken.

    Args:
        tokens: (tokens, TOKEN_WIDTH) logits without special tokens and padding.
        offsets: the tokens' characters in ``text``.
        present: (SLOTS,) probability that a slot holds a relation.
        denied: (SLOTS,) probability that the relation in a slot is denied.
        floor: the least probability of a second and a third.
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
        if not any(relation.is_of_pair(other) for other in relations.values()):
            relations[slot] = relation
    return relations


def n_best_relations(
    tokens: Scores, offsets: list[Span], text: str, present: Scores, n: int
) -> tuple[CausalRelation, ...]:
    """The ``n`` most probable relations of one sentence, rivals for the same words among them.

    A relation's probability is the probability that some slot holds it. Slots are read apart, so two may hold the
    same relation; its probability is then that of either. Arguments are those of :func:`relations_by_slot`.
    """
    relations: dict[tuple[Span, Span], CausalRelation] = {}
    for slot in range(SLOTS):
        signals = signals_in_slot(tokens, slot, offsets, text)
        for share, first, second in islice(disjoint_spans_in_order(*_cause_and_effect(tokens, slot)), 2 * n):
            if (arguments := _arguments(first, second, offsets, text)) is None:
                continue
            probability = float(present[slot]) * share
            known = relations.get(arguments)
            either = probability if known is None else 1 - (1 - known.probability) * (1 - probability)
            kept = signals if known is None or probability > known.probability else known.signals
            relations[arguments] = CausalRelation(*arguments, kept, either)
    return tuple(sorted(relations.values(), key=lambda relation: -relation.probability)[:n])


def signals_in_slot(tokens: Scores, slot: int, offsets: list[Span], text: str) -> tuple[Span, ...]:
    """The characters of the tokens that a slot marks as part of its signal, run by run."""
    return runs(tokens[:, slot * SLOT_WIDTH + SIGNAL] > 0, offsets, text)


def _cause_and_effect(tokens: Scores, slot: int) -> tuple[tuple[Scores, Scores], tuple[Scores, Scores]]:
    """Logarithms of the probabilities of being the first and the last token of a slot's cause and of its effect."""
    columns = log_softmax(tokens[:, slot * SLOT_WIDTH : slot * SLOT_WIDTH + 4])
    return _ends(columns, CAUSE), _ends(columns, EFFECT)


def _ends(columns: Scores, part: tuple[int, int]) -> tuple[Scores, Scores]:
    """The columns of the first and the last token of a part."""
    return columns[:, part[0]], columns[:, part[1]]


def _arguments(cause: Span, effect: Span, offsets: list[Span], text: str) -> tuple[Span, Span] | None:
    """Cause and effect as characters, in the direction that words give; ``None`` where they share a word."""
    first, second = characters(cause, offsets, text), characters(effect, offsets, text)
    return None if overlap(first, second) else directed(text, first, second)


def decode_parts(tokens: Scores, nothing: Scores, offsets: list[Span], text: str) -> tuple[Span | None, Span | None]:
    """Antecedent and consequent of one counterfactual sentence.

    Args:
        nothing: (TOKEN_WIDTH,) logits of the first special token, where a missing part points.
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
    """A span of tokens as characters, widened to whole words.

    Blanks, which some tokenizers count to a word, are left out at either end, unless there is nothing else.
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
    """Neighbouring marked tokens joined into spans."""
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
    """Logarithms of the softmax over tokens, column by column."""
    shifted = logits - logits.max(axis=0, keepdims=True)
    result: Scores = shifted - np.log(np.exp(shifted).sum(axis=0, keepdims=True))
    return result
