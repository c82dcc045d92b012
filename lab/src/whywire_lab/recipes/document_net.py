"""The document reader: one encoder, spans that name events, which of them are one event, and who caused whom.

1. *Spans.* A span of tokens within a sentence has a score from its first and its last token (biaffine, as in Yu et
   al. 2020) and its length. The best that do not overlap much are the candidates.
2. *Mentions.* A candidate is the vectors of its ends and the mean between, and what it is beside the others: two
   layers of attention among all candidates of the article.
3. *Pairs.* Two mentions are one event or not; one led to the other or not. A link of two events rests on all pairs of
   their mentions (the logarithm of the sum), so a sentence that says it and a hint elsewhere both count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

MAX_SPAN = 40
"""Tokens of the longest span: all but 2 in 1,000 that readers chose are shorter."""

NEGATIVE = -1e4
DISTANCES = 16


@dataclass(frozen=True)
class Shape:
    """The sizes of what stands on the encoder."""

    span: int = 160
    mention: int = 256
    pair: int = 160
    layers: int = 2
    heads: int = 4
    dropout: float = 0.15
    share: float = 0.14
    """Candidates for each token of a window."""
    fewest: int = 10
    most: int = 96
    """Candidates of an article: its pairs are what a step costs, and readers find 45 mentions in the longest."""
    between: int = 0
    """Size of what is said between two mentions of one sentence or of neighbours; 0: not looked at."""
    linked: float = -99.0
    """Logit of being an event below which a candidate takes no part in learning links."""


@dataclass
class Candidates:
    """Spans of a batch of articles: (articles, most candidates) each, -1 where an article has fewer.

    Args:
        window: place among the windows of the batch.
        event: the reader's event, for training; -1: none.
    """

    window: Tensor
    first: Tensor
    last: Tensor
    sentence: Tensor
    event: Tensor
    score: Tensor
    names: list[list[tuple[int, int, int]]] = field(default_factory=list)


def bucket(distance: Tensor) -> Tensor:
    """A signed distance as one of ``DISTANCES`` classes: exact up to 3, then by powers of two."""
    size = distance.abs().clamp(max=63)
    grown = torch.where(size < 4, size, (torch.log2(size.clamp(min=1).float()).floor().long() + 2).clamp(max=7))
    return grown + torch.where(distance < 0, 8, 0)


class DocumentNet(nn.Module):
    """The net. The encoder's ``embeddings`` are not trained: a piece that no article has must keep its place."""

    def __init__(self, encoder: Any, shape: Shape) -> None:
        super().__init__()
        self.encoder, self.shape = encoder, shape
        size = encoder.config.hidden_size
        for parameter in encoder.embeddings.parameters():
            parameter.requires_grad_(False)
        self.drop = nn.Dropout(shape.dropout)
        self.first, self.last = nn.Linear(size, shape.span), nn.Linear(size, shape.span)
        self.biaffine = nn.Parameter(torch.zeros(shape.span, shape.span))
        self.first_score, self.last_score = nn.Linear(shape.span, 1), nn.Linear(shape.span, 1)
        self.length = nn.Parameter(torch.zeros(MAX_SPAN))
        self.bias = nn.Parameter(torch.tensor(-5.0))
        self.ends = nn.LayerNorm(3 * size)
        self.mention = nn.Linear(3 * size, shape.mention)
        self.where = nn.Embedding(64, shape.mention)
        self.order = nn.Embedding(128, shape.mention)
        self.norm = nn.LayerNorm(shape.mention)
        layer = nn.TransformerEncoderLayer(
            shape.mention, shape.heads, 2 * shape.mention, shape.dropout, "gelu", batch_first=True, norm_first=True
        )
        self.among = nn.TransformerEncoder(layer, shape.layers, enable_nested_tensor=False)
        self.after = nn.LayerNorm(shape.mention)
        self.is_event, self.status, self.main = (nn.Linear(shape.mention, n) for n in (1, 4, 1))
        self.cause, self.effect = nn.Linear(shape.mention, shape.pair), nn.Linear(shape.mention, shape.pair)
        self.gap, self.steps = nn.Embedding(DISTANCES, shape.pair), nn.Embedding(DISTANCES, shape.pair)
        self.joined = nn.LayerNorm(shape.pair)
        if shape.between:
            self.token = nn.Linear(size, shape.between)
            self.said_between = nn.Linear(shape.between, shape.pair)
        self.pair = nn.Linear(shape.pair, shape.pair)
        self.pair_out = nn.Linear(shape.pair, 3)
        with torch.no_grad():
            self.pair_out.bias[0] = -4  # one pair in thirty is a link
            for table in (self.where, self.order, self.gap, self.steps):
                nn.init.normal_(table.weight, std=0.1)  # a place must not drown the words
        self.same = nn.Linear(shape.mention + size, shape.pair)
        self.same_gap = nn.Embedding(DISTANCES, shape.pair)
        nn.init.normal_(self.same_gap.weight, std=0.1)
        self.same_pair = nn.Linear(2 * shape.pair, shape.pair)
        self.same_out = nn.Linear(shape.pair, 1)

    def new_parameters(self) -> list[nn.Parameter]:
        """All that does not come from the base."""
        return [value for name, value in self.named_parameters() if not name.startswith("encoder.")]

    def hidden(self, ids: Tensor, mask: Tensor) -> Tensor:
        """(windows, tokens, size) of numbers of word pieces and 1 where there is one."""
        states: Tensor = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        return states

    def spans(self, hidden: Tensor, sentences: Tensor) -> Tensor:
        """Logits (windows, tokens, MAX_SPAN) of spans by first token and length - 1; NEGATIVE: no such span."""
        first = self.drop(functional.gelu(self.first(hidden)))
        last = self.drop(functional.gelu(self.last(hidden)))
        windows, tokens, _ = first.shape
        padded = functional.pad(last, (0, 0, 0, MAX_SPAN - 1))
        at = torch.arange(tokens, device=hidden.device)[:, None] + torch.arange(MAX_SPAN, device=hidden.device)
        table = torch.einsum("wti,ij,wuj->wtu", first, self.biaffine, padded)
        scores = torch.gather(table, 2, at.expand(windows, -1, -1))
        ends = self.last_score(padded).squeeze(-1)[:, at]
        scores = scores + self.first_score(first) + ends + self.length + self.bias
        fields = functional.pad(sentences, (0, MAX_SPAN - 1), value=-1)
        allowed = (sentences[:, :, None] >= 0) & (fields[:, at] == sentences[:, :, None])
        result: Tensor = scores.float().masked_fill(~allowed, NEGATIVE)
        return result

    def mentions(self, hidden: Tensor, found: Candidates) -> tuple[Tensor, Tensor, Tensor]:
        """Vectors beside the others (articles, candidates, mention), each alone (…, 2 size), and which there are."""
        there = found.window >= 0
        window, first, last = (value.clamp(min=0) for value in (found.window, found.first, found.last))
        sums = functional.pad(hidden.float().cumsum(1), (0, 0, 1, 0))
        mean = (sums[window, last + 1] - sums[window, first]) / (last - first + 1).unsqueeze(-1)
        ends = torch.cat([hidden[window, first], hidden[window, last], mean.to(hidden.dtype)], -1)
        vectors = self.mention(self.drop(self.ends(ends)))
        vectors = vectors + self.where(found.sentence.clamp(0, 63))
        vectors = vectors + self.order(torch.arange(vectors.shape[1], device=hidden.device).clamp(max=127))
        among = self.among(self.norm(vectors), src_key_padding_mask=~there)
        return self.after(among), mean, there

    def links(self, vectors: Tensor, found: Candidates, hidden: Tensor) -> Tensor:
        """(articles, candidates, candidates, 3): that the row led to the column, that it is said, and strength."""
        gap = bucket(found.sentence[:, None, :] - found.sentence[:, :, None])
        number = torch.arange(vectors.shape[1], device=vectors.device)
        steps = bucket(number[None, :] - number[:, None])
        cause, effect = self.cause(vectors), self.effect(vectors)
        joined = cause[:, :, None] + effect[:, None] + cause[:, :, None] * effect[:, None]
        joined = joined + self.gap(gap) + self.steps(steps)[None]
        if self.shape.between:
            joined = joined + self.said_between(self.drop(self._between(hidden, found)))
        pair = self.drop(functional.gelu(self.pair(self.drop(functional.gelu(self.joined(joined))))))
        result: Tensor = self.pair_out(pair).float().clamp(-12, 12)
        return result

    def _between(self, hidden: Tensor, found: Candidates) -> Tensor:
        """(articles, candidates, candidates, between): the mean of what stands between two; 0 if far apart."""
        sums = functional.pad(self.token(hidden).float().cumsum(1), (0, 0, 1, 0))
        window, first, last = (value.clamp(min=0) for value in (found.window, found.first, found.last))
        start = torch.minimum(last[:, :, None], last[:, None]) + 1
        end = torch.maximum(start, torch.maximum(first[:, :, None], first[:, None]))
        near = (found.window[:, :, None] == found.window[:, None]) & (found.window >= 0)[:, :, None]
        near &= (found.sentence[:, :, None] - found.sentence[:, None]).abs() <= 1
        near &= (found.sentence > 0)[:, :, None] & (found.sentence > 0)[:, None]
        start, end = start.clamp(max=sums.shape[1] - 1), end.clamp(max=sums.shape[1] - 1)
        rows = window[:, :, None].expand_as(start)
        mean = (sums[rows, end] - sums[rows, start]) / (end - start).clamp(min=1).unsqueeze(-1)
        return mean * near.unsqueeze(-1)

    def sames(self, vectors: Tensor, alone: Tensor, found: Candidates) -> Tensor:
        """(articles, candidates, candidates), symmetric: that two mentions are of one event."""
        vector = self.same(self.drop(torch.cat([vectors, alone.to(vectors.dtype)], -1)))
        gap = (found.sentence[:, None, :] - found.sentence[:, :, None]).abs()
        product = vector[:, :, None] * vector[:, None]
        difference = (vector[:, :, None] - vector[:, None]).abs()
        hidden = self.same_pair(torch.cat([product, difference], -1)) + self.same_gap(bucket(gap))
        result: Tensor = self.same_out(self.drop(functional.gelu(hidden))).squeeze(-1).float()
        return result


def choose_spans(
    scores: np.ndarray[Any, Any], count: int, *, most_overlap: float = 0.5
) -> list[tuple[int, int, float]]:
    """The best spans of a window, ``(first, last, logit)``; of two that overlap more, the better."""
    flat = scores.ravel()
    best = np.argpartition(-flat, min(len(flat) - 1, 12 * count))[: 12 * count]
    best = best[flat[best] > NEGATIVE]
    best = best[np.argsort(-flat[best], kind="stable")]
    first, length = np.divmod(best, scores.shape[1])
    last = first + length
    kept: list[int] = []
    left = np.arange(len(best))
    while len(left) and len(kept) < count:
        top = left[0]
        kept.append(int(top))
        shared = np.minimum(last[left], last[top]) - np.maximum(first[left], first[top]) + 1
        union = np.maximum(last[left], last[top]) - np.minimum(first[left], first[top]) + 1
        left = left[shared <= most_overlap * union]
    return [(int(first[at]), int(last[at]), float(flat[best[at]])) for at in kept]


def pooled(scores: Tensor, membership: Tensor) -> Tensor:
    """The logarithm of the sum over mention pairs, (articles, events, events), of scores within -12 to 12.

    Args:
        membership: (articles, events, mentions), 1 where a mention is of an event.
    """
    return torch.log(membership @ scores.exp() @ membership.transpose(1, 2) + 1e-12)


def pad_numbers(rows: Sequence[Sequence[float]], value: float = -1) -> np.ndarray[Any, Any]:
    """Rows of different length as one array."""
    table = np.full((len(rows), max(1, *map(len, rows))), value, dtype=np.int64 if value == -1 else np.float32)
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
    return table
