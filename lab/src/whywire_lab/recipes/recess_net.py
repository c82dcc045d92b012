"""The span extractor of the RECESS paper: pointers to first and last tokens, and how spans are read off them.

RECESS (Tan et al. 2023) measures the winner of CASE 2022, 1Cademy (Chen et al. 2022): an encoder with one linear
layer that scores every token as the first and the last of cause, effect and signal, as in reading comprehension.
Such a net answers for one relation; a sentence with several is several examples to learn from, and is read by
taking the best ``COMBINATIONS`` of borders. Of a signal in parts the first is learnt and found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Encoding
from torch.nn import functional

from whywire.news.article import Span, overlap
from whywire.sentences.decoding import Scores, characters, log_softmax
from whywire.sentences.reading import CausalRelation
from whywire_lab.recipes.encoder_net import EncoderNet
from whywire_lab.recipes.sentence_model import IGNORED, token_span

CAUSE, EFFECT, SIGNAL = (0, 1), (2, 3), (4, 5)
"""Columns of the ``tokens`` output: first and last token of each."""

WIDTH = 6

BEAM = 5
"""Positions looked at for each border; the paper's (Chen et al. 2022, ablation of top-k)."""

COMBINATIONS = 2
"""Relations read from a sentence, as published: a third of RECESS's causal sentences have two or more."""

SIGNAL_TOKENS = 5
"""The longest signal, as published; of 1,330 signals to learn from five have more words."""

SpanPair = tuple[Span, Span]


@dataclass(frozen=True, slots=True)
class Example:
    """One relation of a sentence, to learn from.

    Args:
        signal: the first part; ``None`` where the relation is implicit.
        signalled: whether any relation of the sentence has a signal.
    """

    text: str
    cause: Span
    effect: Span
    signal: Span | None
    signalled: bool


class SpanNet(EncoderNet):
    """An encoder with a layer that points, and where asked for one that says whether there is a signal at all."""

    def __init__(self, encoder: Any, *, signal_classifier: bool) -> None:
        super().__init__(encoder)
        self.tokens = torch.nn.Linear(self.size, WIDTH)
        self.signalled = torch.nn.Linear(self.size, 1) if signal_classifier else None

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the logit of a signal, (batch, 1) or (batch, 0), and ``tokens``, (batch, length, WIDTH)."""
        hidden = self.dropout(self.hidden(input_ids, attention_mask, token_type_ids))
        if self.signalled is None:
            return hidden.new_zeros(len(hidden), 0), self.tokens(hidden)
        return self.signalled(hidden[:, 0]), self.tokens(hidden)


def span_loss(
    outputs: tuple[torch.Tensor, torch.Tensor], rows: Sequence[Example], encodings: Sequence[Encoding]
) -> torch.Tensor:
    """The mean of what cause, effect and signal cost, and the signal classifier where there is one.

    A span is two questions of one answer each among the sentence's tokens. A row without signal, or whose span
    was cut off, is not asked.
    """
    signalled, tokens = outputs
    allowed = torch.zeros(tokens.shape[:2], dtype=torch.bool)
    for number, encoding in enumerate(encodings):
        allowed[number, 1 : len(encoding.ids) - 1] = True
    probabilities = tokens.float().masked_fill(~allowed.unsqueeze(-1), -1e4).log_softmax(1)
    borders = torch.tensor([_borders(row, encoding) for row, encoding in zip(rows, encodings, strict=True)])
    asked = borders != IGNORED
    surprise = -probabilities.gather(1, borders.clamp(min=0).unsqueeze(1)).squeeze(1) * asked
    columns = surprise.sum(0) / asked.sum(0).clamp(min=1)
    costs = [columns[list(pair)].mean() for pair in (CAUSE, EFFECT, SIGNAL)]
    if signalled.shape[1]:
        truth = torch.tensor([[float(row.signalled)] for row in rows])
        costs.append(functional.binary_cross_entropy_with_logits(signalled.float(), truth))
    return torch.stack(costs).mean()


def _borders(row: Example, encoding: Encoding) -> list[int]:
    spans = (token_span(encoding, span) if span else None for span in (row.cause, row.effect, row.signal))
    return [border for span in spans for border in span or (IGNORED, IGNORED)]


def read_relations(
    tokens: Scores, signalled: Scores, offsets: list[Span], text: str, *, beam: bool
) -> tuple[CausalRelation, ...]:
    """The relations of one causal sentence, the best first; they share a signal, and no two are the same.

    Args:
        tokens: (tokens, WIDTH) logits without special tokens and padding.
        signalled: the logit of there being a signal, or empty where none was asked for: then there always is one.
        offsets: the tokens' characters in ``text``.
        beam: search for spans that keep the rules; without it each border is chosen by itself: one relation at most
            comes out, and none where cause and effect start together.
    """
    if not len(tokens):
        return ()
    probabilities = log_softmax(tokens)
    signal = None if len(signalled) and signalled[0] <= 0 else _spelled(signal_span(probabilities), offsets, text)
    found: list[CausalRelation] = []
    pairs = (
        beam_pairs(probabilities)
        if beam
        else filter(None, [valid_spans(*independent_borders(probabilities), len(tokens))])
    )
    for pair in pairs:
        cause, effect = (_spelled(span, offsets, text) for span in pair)
        if cause is None or effect is None or overlap(cause, effect):
            continue  # nothing but blanks, or two pieces of one word were given to both
        relation = CausalRelation(cause, effect, (signal,) if signal else ())
        if relation not in found:
            found.append(relation)
        if len(found) == COMBINATIONS:
            break
    return tuple(found)


def independent_borders(probabilities: Scores) -> SpanPair:
    """Cause and effect (in tokens, half-open) with each border where it is most probable by itself.

    So a span may end before it starts, and the two may overlap.
    """
    best = probabilities.argmax(axis=0)
    cause, effect = ((int(best[first]), int(best[last]) + 1) for first, last in (CAUSE, EFFECT))
    return cause, effect


def valid_spans(cause: Span, effect: Span, length: int) -> SpanPair | None:
    """Two spans made to keep the rules: each runs until the next border after its start, or to the sentence's end.

    So does the published scorer read tags that are crossed or the wrong way round.

    Args:
        length: tokens of the sentence.

    Returns:
        ``None`` where both start at one token: no border tells them apart.
    """
    if cause[0] == effect[0]:
        return None
    ends = [
        min((border for border in (own[1], other[0], other[1] - 1) if border > own[0]), default=length)
        for own, other in ((cause, effect), (effect, cause))
    ]
    return (cause[0], ends[0]), (effect[0], ends[1])


def beam_pairs(probabilities: Scores, width: int = BEAM) -> Iterator[SpanPair]:
    """Pairs of cause and effect (in tokens, half-open) that keep the rules, the most probable first.

    One of the two lies before the other. The beam takes the ``width`` most probable choices of the borders between
    them (last token of the one, first of the other), and for each the ``width`` most probable outer borders on either
    side (Chen et al. 2022, beam-search-based position selector).
    """
    orders = ((CAUSE, EFFECT), (EFFECT, CAUSE))
    inner = np.stack([probabilities[:, left[1], None] + probabilities[None, :, right[0]] for left, right in orders])
    inner[:, ~np.triu(np.ones(inner.shape[1:], dtype=bool), k=1)] = -np.inf
    found: list[tuple[float, SpanPair]] = []
    for place in _highest(inner.ravel(), width):
        number, end, start = (int(part) for part in np.unravel_index(place, inner.shape))
        if inner[number, end, start] == -np.inf:
            break  # a sentence of few tokens has fewer choices than the beam takes
        left, right = orders[number]
        starts, ends = probabilities[: end + 1, left[0]], probabilities[start:, right[1]]
        for first in _highest(starts, width):
            for last in _highest(ends, width):
                spans = (int(first), end + 1), (start, start + int(last) + 1)
                score = inner[number, end, start] + starts[first] + ends[last]
                found.append((float(score), spans if number == 0 else (spans[1], spans[0])))
    for _, pair in sorted(found, key=lambda option: -option[0]):
        yield pair


def signal_span(probabilities: Scores) -> Span:
    """The signal (in tokens, half-open): its most probable start, then the most probable of the few ends after it."""
    start = int(probabilities[:, SIGNAL[0]].argmax())
    return start, start + 1 + int(probabilities[start : start + SIGNAL_TOKENS, SIGNAL[1]].argmax())


def _highest(scores: Scores, count: int) -> NDArray[np.intp]:
    """The places of the highest scores, the highest first."""
    return np.argsort(-scores, kind="stable")[:count]


def _spelled(span: Span, offsets: list[Span], text: str) -> Span | None:
    """A span of tokens as characters, if there is more to it than blanks."""
    start, end = characters(span, offsets, text)
    return (start, end) if text[start:end].strip() else None
