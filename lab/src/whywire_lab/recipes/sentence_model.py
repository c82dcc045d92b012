"""The sentence model: one pass gives a sentence's causal relations, denials and counterfactual parts.

Two outputs. ``sentence``, one row a sentence: the logits of *causal*, *counterfactual* and *denial*, then two a
relation slot (is there a relation in it? is that relation denied?). ``tokens``, one row a token: for each slot
the logits of being the cause's first and last token, the effect's first and last, and part of the signal; then
antecedent first, last and consequent first, last. A part that is missing points at the first token ([CLS]). Slots
take up the several relations of a sentence (RECESS, section 3); which slot holds which is free, and the loss pairs
them best.

A net with strength has a third, ``strength``, one row a pair of sentences: the logits of how strongly left caused
right, and right left.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import log
from typing import Any

import torch
from tokenizers import Encoding
from torch.nn import functional

from whywire.news.article import Span
from whywire.sentences.decoding import (
    ANTECEDENT,
    CONSEQUENT,
    DENIED,
    PRESENT,
    SENTENCE_WIDTH,
    SLOT_WIDTH,
    SLOTS,
    TOKEN_WIDTH,
)
from whywire_lab.recipes.encoder_net import EncoderNet, mean_of, sides, text_vectors
from whywire_lab.recipes.pair_rows import DIRECTIONS
from whywire_lab.recipes.sentence_data import SentenceRow

MAX_TOKENS = 128
IGNORED = -100

SIGNAL_WEIGHT = 4.0
"""Weight in the loss of a token that is part of a signal, beside 1 for the others: one in forty is."""

SIGNAL_CALIBRATION = {"scale": 1.0, "shift": round(-log(SIGNAL_WEIGHT), 4)}
"""Undoes the weight: the odds at which the loss is least are as many times the true ones (Elkan 2001, theorem 2)."""


class SentenceNet(EncoderNet):
    """An encoder with a head for the sentence and a head for its tokens.

    Args:
        has_strength: whether it has a head for pairs of sentences as well.
    """

    def __init__(self, encoder: Any, *, has_strength: bool = False) -> None:
        super().__init__(encoder)
        self.sentence = torch.nn.Sequential(
            torch.nn.Linear(self.size, self.size), torch.nn.GELU(), torch.nn.Linear(self.size, SENTENCE_WIDTH)
        )
        self.tokens = torch.nn.Sequential(
            torch.nn.Linear(self.size, self.size), torch.nn.GELU(), torch.nn.Linear(self.size, TOKEN_WIDTH)
        )
        self.has_strength = has_strength
        if has_strength:
            self.strength = torch.nn.Sequential(
                torch.nn.Linear(4 * self.size, self.size), torch.nn.GELU(), torch.nn.Linear(self.size, DIRECTIONS)
            )

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        """Return ``sentence`` (batch, SENTENCE_WIDTH) and ``tokens`` (batch, length, TOKEN_WIDTH).

        And ``strength`` (batch, 2) if the net has it.
        """
        hidden = self.hidden(input_ids, attention_mask, token_type_ids)
        pooled = mean_of(hidden, attention_mask.unsqueeze(-1).to(hidden.dtype))
        read = self.sentence(self.dropout(pooled)), self.tokens(self.dropout(hidden))
        if not self.has_strength:
            return read
        seen = text_vectors(hidden, *sides(attention_mask, token_type_ids, hidden))
        return *read, self.strength(self.dropout(torch.cat(seen, dim=-1)))


def token_span(encoding: Encoding, span: Span) -> tuple[int, int] | None:
    """First and last token that overlap a character span, or ``None`` where truncation cut it off."""
    inside = [
        number
        for number, (start, end) in enumerate(encoding.offsets)
        if start < span[1] and end > span[0] and end > start
    ]
    return (inside[0], inside[-1]) if inside else None


def sentence_loss(
    outputs: Sequence[torch.Tensor],
    rows: Sequence[SentenceRow],
    encodings: Sequence[Encoding],
    mask: torch.Tensor,
) -> torch.Tensor:
    """The sum of what each row can teach; rows are silent about what their corpus does not mark."""
    sentence, tokens = outputs[0].float(), outputs[1].float()
    tokens = tokens.masked_fill(mask.unsqueeze(-1) == 0, -1e4)
    labels = [[row.causal, row.counterfactual, row.denial] for row in rows]
    known = torch.tensor([[value is not None for value in answers] for answers in labels])
    truth = torch.tensor([[float(bool(value)) for value in answers] for answers in labels])
    loss = functional.binary_cross_entropy_with_logits(sentence[:, :3][known], truth[known], reduction="sum")
    edges = functional.log_softmax(tokens, dim=1)
    loss = loss + _relations_loss(sentence, tokens, edges, rows, encodings, mask)
    loss = loss + 0.5 * _parts_loss(edges, rows, encodings)
    return loss / len(rows)


def _relations_loss(
    sentence: torch.Tensor,
    tokens: torch.Tensor,
    edges: torch.Tensor,
    rows: Sequence[SentenceRow],
    encodings: Sequence[Encoding],
    mask: torch.Tensor,
) -> torch.Tensor:
    """Pair the marked relations with the slots as they fit best (at most SLOTS of them a sentence)."""
    owners: list[int] = []
    firsts_and_lasts: list[list[int]] = []
    signals: list[torch.Tensor] = []
    denied: list[float] = []
    groups: list[tuple[int, list[int]]] = []
    for number, (row, encoding) in enumerate(zip(rows, encodings, strict=True)):
        if row.relations is None:
            continue
        group: list[int] = []
        for relation in row.relations:
            cause, effect = token_span(encoding, relation.cause), token_span(encoding, relation.effect)
            if cause and effect and len(group) < SLOTS:
                signal = torch.zeros(tokens.shape[1])
                for where in filter(None, (token_span(encoding, span) for span in relation.signals)):
                    signal[where[0] : where[1] + 1] = 1
                group.append(len(owners))
                owners.append(number)
                firsts_and_lasts.append([*cause, *effect])
                signals.append(signal)
                denied.append(float(relation.denied))
        groups.append((number, group))
    if not groups:
        return tokens.sum() * 0
    there, absent = functional.logsigmoid(sentence[:, PRESENT]), functional.logsigmoid(-sentence[:, PRESENT])
    if not owners:
        return -absent[[number for number, _ in groups]].sum() / SLOTS
    slot_columns = torch.tensor([[slot * SLOT_WIDTH + column for column in range(4)] for slot in range(SLOTS)])
    own_edges = edges[owners][:, :, slot_columns]  # (relations, length, slots, 4)
    places = torch.tensor(firsts_and_lasts)[:, None, None, :].expand(-1, 1, SLOTS, 4)
    pointing = -own_edges.gather(1, places).squeeze(1).mean(-1)  # (relations, slots)
    target = torch.stack(signals).unsqueeze(-1).expand(-1, -1, SLOTS)
    own_signals = tokens[owners][:, :, [slot * SLOT_WIDTH + 4 for slot in range(SLOTS)]]
    marking = functional.binary_cross_entropy_with_logits(
        own_signals, target, reduction="none", pos_weight=torch.tensor(SIGNAL_WEIGHT)
    )
    weights = mask[owners].unsqueeze(-1).to(marking.dtype)
    judging = functional.binary_cross_entropy_with_logits(
        sentence[owners][:, DENIED], torch.tensor(denied).unsqueeze(-1).expand(-1, SLOTS), reduction="none"
    )
    costs = pointing + (marking * weights).sum(1) / weights.sum(1) + judging
    detached = costs.detach().tolist()
    loss = tokens.sum() * 0
    for number, group in groups:
        best = min(
            permutations(range(SLOTS), len(group)),
            key=lambda slots: sum(detached[relation][slot] for relation, slot in zip(group, slots, strict=True)),
        )
        empty = [slot for slot in range(SLOTS) if slot not in best]
        loss = (
            loss
            + costs[group, list(best)].sum()
            - (there[number, list(best)].sum() + absent[number, empty].sum()) / SLOTS
        )
    return loss


def _parts_loss(edges: torch.Tensor, rows: Sequence[SentenceRow], encodings: Sequence[Encoding]) -> torch.Tensor:
    """How badly antecedent and consequent are pointed at; a missing consequent is the first token."""
    owners, positions, columns = [], [], []
    for number, (row, encoding) in enumerate(zip(rows, encodings, strict=True)):
        if row.parts is None:
            continue
        antecedent, consequent = row.parts
        spans = (
            (token_span(encoding, antecedent), ANTECEDENT),
            ((0, 0) if consequent is None else token_span(encoding, consequent), CONSEQUENT),
        )
        for span, pair in spans:
            for position, column in zip(span or (), pair, strict=False):
                owners.append(number)
                positions.append(position)
                columns.append(column)
    return -edges[owners, positions, columns].sum() / 4
