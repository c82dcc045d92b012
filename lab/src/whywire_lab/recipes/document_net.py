"""The document reader: an encoder, spans that name events, which of them are one event, and links between events.

1. *Spans.* A span of tokens within a sentence has a score from its first and its last token (biaffine, as in Yu et
   al. 2020) and its length: how much of its union with a reader's span it shares. It is a candidate if no better one
   overlaps it by more than half of their union. A second score, learnt afterwards, says which of the spans near a
   candidate a reader would copy.
2. *Marks.* Spans are found in the states of the lower layers: the last layers of such an encoder know the text more
   than the place in it. The upper layers read the text with the ends of the candidates marked, each as much as it is
   likely to be an event (markers as in Zhong and Chen 2021, but of all candidates at once), so that they know which
   spans to relate.
3. *Mentions.* A candidate is the vectors of its ends and the mean between, beside the others: two layers of attention
   among all candidates of the article. Here it is judged again whether it is an event.
4. *Pairs.* Two mentions are one event or not; one led to the other or not. What both look at in the text is part of
   the pair (localized context, Zhou et al. 2021). A link of two events rests on all pairs of their mentions (the
   logarithm of the sum), so a sentence that says it and a hint elsewhere both count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

MAX_SPAN = 40
"""Tokens of the longest span: all but 2 in 1,000 that readers chose are shorter."""

HEAD_SIZE = 32
"""Numbers of a head of attention."""

NEGATIVE = -1e4
"""The logit of impossible spans and pairs."""

DISTANCES = 16


@dataclass(frozen=True)
class Shape:
    """The sizes of the net.

    Args:
        split: layers below the marks.
        context: heads that look at the text for a pair; 0: no pair looks at it.
        spans: candidates of a window.
        events: candidates of an article whose pairs are looked at.
    """

    size: int = 384
    layers: int = 12
    split: int = 8
    span: int = 160
    mention: int = 256
    pair: int = 160
    among: int = 2
    context: int = 4
    dropout: float = 0.15
    spans: int = 48
    events: int = 48


class Layer(nn.Module):
    """A layer of BERT."""

    def __init__(self, size: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.heads = size // HEAD_SIZE
        self.query, self.key, self.value, self.output = (nn.Linear(size, size) for _ in range(4))
        self.up, self.down = nn.Linear(size, 4 * size), nn.Linear(4 * size, size)
        self.after_attention, self.after = nn.LayerNorm(size, eps=1e-12), nn.LayerNorm(size, eps=1e-12)
        self.drop = nn.Dropout(dropout)

    def forward(self, hidden: Tensor, mask: Tensor) -> Tensor:
        """(windows, tokens, size) of the same; ``mask`` (windows, 1, 1, tokens) is true where there is a token."""
        windows, tokens, size = hidden.shape

        def by_head(values: Tensor) -> Tensor:
            return values.view(windows, tokens, self.heads, size // self.heads).transpose(1, 2)

        query, key, value = by_head(self.query(hidden)), by_head(self.key(hidden)), by_head(self.value(hidden))
        dropout = self.drop.p if self.training and hidden.is_cuda else 0.0  # makes a processor three times as slow
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=dropout)
        mixed = mixed.transpose(1, 2).reshape(windows, tokens, size)
        hidden = self.after_attention(hidden + self.drop(self.output(mixed)))
        result: Tensor = self.after(hidden + self.drop(self.down(functional.gelu(self.up(hidden)))))
        return result


class Embeddings(nn.Module):
    """Vectors of word pieces and their places; not trained: a piece that no article has must keep its place."""

    def __init__(self, words: int, size: int, positions: int = 512) -> None:
        super().__init__()
        self.word, self.position = nn.Embedding(words, size), nn.Embedding(positions, size)
        self.norm = nn.LayerNorm(size, eps=1e-12)
        self.drop = nn.Dropout(0.1)
        for parameter in self.parameters():
            parameter.requires_grad_(False)

    def forward(self, ids: Tensor) -> Tensor:
        """(windows, tokens, size) of numbers of word pieces."""
        places = torch.arange(ids.shape[1], device=ids.device)
        result: Tensor = self.drop(self.norm(self.word(ids) + self.position(places)))
        return result


@dataclass
class Candidates:
    """Spans of articles in the order of their texts, (articles, candidates) each; -1: an article has fewer.

    Args:
        window: place among the windows of the article.
        score: logit of the span.
    """

    window: Tensor
    first: Tensor
    last: Tensor
    sentence: Tensor
    score: Tensor

    def at(self, chosen: Tensor) -> Candidates:
        """The candidates at some places, (articles, fewer)."""
        return Candidates(*(torch.gather(getattr(self, name), 1, chosen) for name in Candidates.__annotations__))


class SpanScorer(nn.Module):
    """Scores spans of a sentence by their first and last tokens and their length."""

    def __init__(self, size: int, shape: Shape) -> None:
        super().__init__()
        self.drop = nn.Dropout(shape.dropout)
        self.first, self.last = nn.Linear(size, shape.span), nn.Linear(size, shape.span)
        self.biaffine = nn.Parameter(torch.zeros(shape.span, shape.span))
        self.first_score, self.last_score = nn.Linear(shape.span, 1), nn.Linear(shape.span, 1)
        self.length = nn.Parameter(torch.zeros(MAX_SPAN))
        self.bias = nn.Parameter(torch.tensor(-5.0))

    def ends(self, hidden: Tensor) -> tuple[Tensor, Tensor]:
        """Vectors of tokens as the first and as the last of a span."""
        return self.drop(functional.gelu(self.first(hidden))), self.drop(functional.gelu(self.last(hidden)))

    def forward(self, hidden: Tensor, sentences: Tensor) -> Tensor:
        """Logits (windows, tokens, MAX_SPAN) of spans by first token and length - 1; NEGATIVE: no such span."""
        first, last = self.ends(hidden)
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

    def of_spans(self, ends: tuple[Tensor, Tensor], first: Tensor, last: Tensor) -> Tensor:
        """Logits of spans of one window, by their first and last tokens, of any shape.

        Args:
            ends: (tokens, span) each, of :meth:`ends`.
        """
        left, right = ends[0][first], ends[1][last]
        scores = ((left @ self.biaffine) * right).sum(-1) + self.first_score(left).squeeze(-1)
        result: Tensor = scores + self.last_score(right).squeeze(-1) + self.length[last - first]
        return result


def bucket(distance: Tensor) -> Tensor:
    """A signed distance as one of ``DISTANCES`` classes: exact up to 3, then by powers of two."""
    size = distance.abs().clamp(max=63)
    grown = torch.where(size < 4, size, (torch.log2(size.clamp(min=1).float()).floor().long() + 2).clamp(max=7))
    return grown + torch.where(distance < 0, 8, 0)


class DocumentNet(nn.Module):
    """The net; windows of one article follow each other, and all articles of a batch have as many."""

    def __init__(self, words: int, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        size = shape.size
        self.embeddings = Embeddings(words, size)
        self.encoder = nn.ModuleList(Layer(size) for _ in range(shape.layers))
        self.marks = nn.Parameter(torch.zeros(2, size))
        self.drop = nn.Dropout(shape.dropout)
        self.rough, self.sharp = SpanScorer(size, shape), SpanScorer(size, shape)
        self.ends = nn.LayerNorm(3 * size)
        self.mention = nn.Linear(3 * size, shape.mention)
        self.where, self.order = nn.Embedding(64, shape.mention), nn.Embedding(128, shape.mention)
        self.norm = nn.LayerNorm(shape.mention)
        self.among = nn.ModuleList(Layer(shape.mention, shape.dropout) for _ in range(shape.among))
        self.is_event, self.status, self.main = (nn.Linear(shape.mention, n) for n in (1, 4, 1))
        self.cause, self.effect = nn.Linear(shape.mention, shape.pair), nn.Linear(shape.mention, shape.pair)
        self.gap, self.steps = nn.Embedding(DISTANCES, shape.pair), nn.Embedding(DISTANCES, shape.pair)
        if shape.context:
            self.look, self.seen = nn.Linear(shape.mention, shape.context * 32), nn.Linear(size, shape.context * 32)
            self.told = nn.Linear(size, shape.pair)
        self.joined = nn.LayerNorm(shape.pair)
        self.pair, self.pair_out = nn.Linear(shape.pair, shape.pair), nn.Linear(shape.pair, 3)
        self.same = nn.Linear(shape.mention + size, shape.pair)
        self.same_gap = nn.Embedding(DISTANCES, shape.pair)
        self.same_pair, self.same_out = nn.Linear(2 * shape.pair, shape.pair), nn.Linear(shape.pair, 1)
        with torch.no_grad():
            self.pair_out.bias[0] = -4  # one pair in thirty is a link
            for table in (self.where, self.order, self.gap, self.steps, self.same_gap):
                nn.init.normal_(table.weight, std=0.1)  # a place must not drown the words

    def start_from(self, state: Mapping[str, Tensor]) -> None:
        """Take a base's weights, by the names of ``BertModel``."""
        own = self.embeddings
        with torch.no_grad():
            own.word.weight.copy_(state["embeddings.word_embeddings.weight"])
            kind = state["embeddings.token_type_embeddings.weight"][0]
            own.position.weight.copy_(state["embeddings.position_embeddings.weight"] + kind)
            own.norm.weight.copy_(state["embeddings.LayerNorm.weight"])
            own.norm.bias.copy_(state["embeddings.LayerNorm.bias"])
            names = {
                "attention.self.query": "query", "attention.self.key": "key", "attention.self.value": "value",
                "attention.output.dense": "output", "attention.output.LayerNorm": "after_attention",
                "intermediate.dense": "up", "output.dense": "down", "output.LayerNorm": "after",
            }  # fmt: skip
            for number, layer in enumerate(self.encoder):
                for theirs, ours in names.items():
                    for part in ("weight", "bias"):
                        value = state[f"encoder.layer.{number}.{theirs}.{part}"]
                        getattr(getattr(layer, ours), part).copy_(value)

    def read(self, ids: Tensor, mask: Tensor) -> Tensor:
        """States below the marks, (windows, tokens, size)."""
        there = mask[:, None, None].bool()
        hidden: Tensor = self.embeddings(ids)
        for layer in self.encoder[: self.shape.split]:
            hidden = layer(hidden, there)
        return hidden

    def read_marked(self, below: Tensor, mask: Tensor, found: Candidates) -> Tensor:
        """States (articles, windows × tokens, size) of the text whose candidates are marked, and those below."""
        windows, tokens, size = below.shape
        articles = found.window.shape[0]
        weight = torch.sigmoid(found.score) * (found.window >= 0)
        start = found.window.clamp(min=0) * tokens
        ends = below.new_zeros(2, articles, windows // articles * tokens, dtype=torch.float32)
        ends[0].scatter_add_(1, start + found.first.clamp(min=0), weight)
        ends[1].scatter_add_(1, start + found.last.clamp(min=0), weight)
        marks = ends.clamp(max=1).view(2, windows, tokens, 1) * self.marks[:, None, None]
        hidden = below + marks.sum(0).to(below.dtype)
        there = mask[:, None, None].bool()
        for layer in self.encoder[self.shape.split :]:
            hidden = layer(hidden, there)
        return (below + hidden).reshape(articles, windows // articles * tokens, size)

    def mentions(self, text: Tensor, found: Candidates, tokens: int) -> tuple[Tensor, Tensor]:
        """Vectors of candidates beside the others, (articles, candidates, mention), and alone, (…, size)."""
        start = found.window.clamp(min=0) * tokens
        first, last = start + found.first.clamp(min=0), start + found.last.clamp(min=0)
        articles = torch.arange(text.shape[0], device=text.device)[:, None]
        sums = functional.pad(text.float().cumsum(1), (0, 0, 1, 0))
        mean = (sums[articles, last + 1] - sums[articles, first]) / (last - first + 1).unsqueeze(-1)
        mean = mean.to(text.dtype)
        ends = torch.cat([text[articles, first], text[articles, last], mean], -1)
        vectors = self.mention(self.drop(self.ends(ends)))
        vectors = vectors + self.where(found.sentence.clamp(0, 63))
        vectors = vectors + self.order(torch.arange(vectors.shape[1], device=text.device).clamp(max=127))
        vectors, there = self.norm(vectors), (found.window >= 0)[:, None, None]
        for layer in self.among:
            vectors = layer(vectors, there)
        return vectors, mean

    def links(self, vectors: Tensor, found: Candidates, text: Tensor, mask: Tensor) -> Tensor:
        """(articles, candidates, candidates, 3): that the row led to the column, that it is said, and strength.

        Args:
            text: (articles, windows × tokens, size); ``mask`` likewise.
        """
        gap = bucket(found.sentence[:, None, :] - found.sentence[:, :, None])
        number = torch.arange(vectors.shape[1], device=vectors.device)
        steps = bucket(number[None, :] - number[:, None])
        cause, effect = self.cause(vectors), self.effect(vectors)
        joined = cause[:, :, None] + effect[:, None] + cause[:, :, None] * effect[:, None]
        joined = joined + self.gap(gap) + self.steps(steps)[None]
        if self.shape.context:
            joined = joined + self._context(vectors, text, mask)
        pair = self.drop(functional.gelu(self.pair(self.drop(functional.gelu(self.joined(joined))))))
        result: Tensor = self.pair_out(pair).float().clamp(-12, 12)
        return result

    def _context(self, vectors: Tensor, text: Tensor, mask: Tensor) -> Tensor:
        """(articles, candidates, candidates, pair): what both of a pair look at."""
        articles, count, _ = vectors.shape
        heads = self.shape.context
        query = self.look(vectors).view(articles, count, heads, 32)
        key = self.seen(text).view(articles, -1, heads, 32)
        scores = torch.einsum("achd,athd->ahct", query, key) / 32**0.5
        look = scores.masked_fill(~mask[:, None, None].bool(), NEGATIVE).float().softmax(-1)
        both = torch.einsum("ahct,ahdt->acdt", look, look)
        share = both / (both.sum(-1, keepdim=True) + 1e-6)
        told = self.told(self.drop(text))
        return torch.einsum("acdt,atp->acdp", share.to(told.dtype), told)

    def sames(self, vectors: Tensor, alone: Tensor, found: Candidates) -> Tensor:
        """(articles, candidates, candidates), symmetric: that two mentions are of one event."""
        vector = self.same(self.drop(torch.cat([vectors, alone.to(vectors.dtype)], -1)))
        gap = (found.sentence[:, None, :] - found.sentence[:, :, None]).abs()
        product = vector[:, :, None] * vector[:, None]
        difference = (vector[:, :, None] - vector[:, None]).abs()
        hidden = self.same_pair(torch.cat([product, difference], -1)) + self.same_gap(bucket(gap))
        result: Tensor = self.same_out(self.drop(functional.gelu(hidden))).squeeze(-1).float()
        return result


def choose_spans(scores: Tensor, count: int, *, looked_at: int = 192) -> tuple[Tensor, Tensor, Tensor]:
    """The candidates of windows: the best spans that no better one overlaps by more than half of their union.

    Only spans that are the best among those that begin up to two tokens from them and are up to two tokens longer or
    shorter are looked at, for around each that is good there are dozens of others.

    Args:
        scores: (windows, tokens, MAX_SPAN).
        looked_at: how many of these spans of a window are looked at.

    Returns:
        First and last tokens (windows, count) and their scores; at or below half of ``NEGATIVE``: there are fewer.
    """
    best_near = functional.max_pool2d(scores[:, None], 5, stride=1, padding=2)[:, 0]
    flat = torch.where(scores == best_near, scores, NEGATIVE).flatten(1)
    best = flat.topk(min(looked_at, flat.shape[1]), dim=1)
    first = best.indices // MAX_SPAN
    last = first + best.indices % MAX_SPAN
    shared = torch.minimum(last[:, :, None], last[:, None]) - torch.maximum(first[:, :, None], first[:, None]) + 1
    union = torch.maximum(last[:, :, None], last[:, None]) - torch.minimum(first[:, :, None], first[:, None]) + 1
    covered = ((2 * shared > union) & torch.ones_like(shared[0], dtype=torch.bool).tril(-1)[None]).any(2)
    values = torch.where(covered, NEGATIVE, best.values)
    chosen = values.topk(min(count, values.shape[1]), dim=1)
    return torch.gather(first, 1, chosen.indices), torch.gather(last, 1, chosen.indices), chosen.values


def candidates_of(scores: Tensor, sentences: Tensor, articles: int, count: int, *, trim: bool = True) -> Candidates:
    """The candidates of articles, in the order of their texts.

    Args:
        scores: (windows, tokens, MAX_SPAN); ``sentences`` (windows, tokens).
        count: candidates of a window.
        trim: leave out columns that no article needs.
    """
    first, last, score = choose_spans(scores, count)
    windows = torch.arange(scores.shape[0] // articles, device=scores.device)
    window = windows[:, None].expand(-1, first.shape[1]).reshape(1, -1).expand(articles, -1)
    sentence = torch.gather(sentences, 1, first).reshape(articles, -1)
    first, last, score = (value.reshape(articles, -1) for value in (first, last, score))
    there = score > NEGATIVE / 2
    window, first, last, sentence = (torch.where(there, value, -1) for value in (window, first, last, sentence))
    return in_order(Candidates(window, first, last, sentence, score), trim=trim)


def in_order(found: Candidates, *, trim: bool = True) -> Candidates:
    """The candidates in the order of their texts; ``trim`` leaves out columns that no article needs."""
    key = torch.where(found.window >= 0, (found.window * 512 + found.first) * 64 + found.last - found.first, 2**30)
    order = key.sort(dim=1).indices
    if trim:
        order = order[:, : max(1, int((found.window >= 0).sum(1).max()))]
    return found.at(order)


NUDGE = 6
"""How many tokens an end of a candidate may move to where a reader would put it."""


def sharpened(found: Candidates, scores: Tensor) -> tuple[Tensor, Tensor]:
    """The first and last tokens (articles, candidates) that a reader would choose, near those of the candidates.

    Args:
        scores: (windows, tokens, MAX_SPAN) of the sharp scorer.
    """
    articles, tokens = len(found.window), scores.shape[1]
    moves = torch.arange(-NUDGE, NUDGE + 1, device=scores.device)
    first = found.first[:, :, None, None] + moves[:, None]
    last = found.last[:, :, None, None] + moves
    first, last = torch.broadcast_tensors(first, last)
    length = last - first
    shared = (
        torch.minimum(last, found.last[:, :, None, None]) - torch.maximum(first, found.first[:, :, None, None]) + 1
    )
    union = (
        torch.maximum(last, found.last[:, :, None, None]) - torch.minimum(first, found.first[:, :, None, None]) + 1
    )
    possible = (first >= 0) & (last < tokens) & (length >= 0) & (length < MAX_SPAN) & (2 * shared >= union)
    window = found.window.clamp(min=0) + torch.arange(articles, device=scores.device)[:, None] * (
        scores.shape[0] // articles
    )
    at = (window[:, :, None, None] * tokens + first.clamp(0, tokens - 1)) * MAX_SPAN + length.clamp(0, MAX_SPAN - 1)
    near = torch.where(possible, scores.flatten()[at], 2 * NEGATIVE).flatten(2)
    best = near.argmax(-1, keepdim=True)
    return torch.gather(first.flatten(2), 2, best).squeeze(-1), torch.gather(last.flatten(2), 2, best).squeeze(-1)


def pooled(scores: Tensor, membership: Tensor) -> Tensor:
    """The logarithm of the sum over mention pairs, (articles, events, events), of scores within -12 to 12.

    Args:
        membership: (articles, events, mentions), 1 where a mention is of an event.
    """
    return torch.log(membership @ scores.exp() @ membership.transpose(1, 2) + 1e-12)
