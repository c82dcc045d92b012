"""The model of report pairs: title and lead of two articles in, what they are to each other out.

Two layouts. :class:`SplitNet` reads every article alone with the lower layers, which a build pays once an article,
and lets the two titles, whose tokens know their leads by then, meet in the upper layers, once a pair (PreTTR,
MacAvaney et al. 2020; DeFormer, Cao et al. 2020). :class:`CrossNet` reads both titles together with all layers, once
a pair, and no leads.

Both end in the same head, of three outputs: ``neighbours`` and ``picked``, (batch, 7) each, are the logits of the
seven relations by the two guidelines, free of the prior of any source (:mod:`whywire_lab.recipes.relation_priors`);
``strength``, (batch, 2), how strongly left caused right and right left. Besides there is an embedding of each
article, a unit vector, near for articles of one event.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn import functional

from whywire.pairs.relations import RELATIONS
from whywire_lab.recipes.encoder_net import EncoderNet, mean_of, sides, text_vectors
from whywire_lab.recipes.pair_model import DIRECTIONS, Alignment
from whywire_lab.recipes.report_rows import NEIGHBOURS, PICKED, Report, ReportPair
from whywire_lab.recipes.training_loop import collate

ARTICLE_TOKENS = 96
"""Tokens of title and lead that are read."""

JOINT_LAYERS = 3
"""Layers in which the two titles meet."""

GUIDELINES = (NEIGHBOURS, PICKED)


@dataclass(frozen=True, slots=True)
class Answers:
    """What a net says of pairs: logits by each guideline, of strength, and the vectors of both articles."""

    relations: dict[str, torch.Tensor]
    strength: torch.Tensor
    left: torch.Tensor
    right: torch.Tensor


@dataclass(frozen=True, slots=True)
class ReadArticles:
    """Articles as the lower layers left them.

    Args:
        states: (batch, length, size), the title's tokens first.
        tokens: (batch, length, 1), one where there is a token and not padding.
        title: (batch, shorter length, size), the states of the title alone; its mask is ``title_tokens``.
        has_lead: (batch, 1), one where there is a lead.
    """

    states: torch.Tensor
    tokens: torch.Tensor
    title: torch.Tensor
    title_tokens: torch.Tensor
    has_lead: torch.Tensor

    @classmethod
    def of(cls, states: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> ReadArticles:
        """From states, mask and types of the tokens (0 title, 1 lead), (batch, length) each."""
        tokens, leads = (values.unsqueeze(-1).to(states.dtype) for values in (mask, types))
        titles = tokens - leads
        longest = int(titles.sum(1).max())
        return cls(states, tokens, states[:, :longest], titles[:, :longest], leads.amax(1))


class Head(torch.nn.Module):
    """From the features of a pair to the logits of relations, by either guideline, and of strength."""

    def __init__(self, width: int, size: int) -> None:
        super().__init__()
        self.trunk = torch.nn.Sequential(torch.nn.Linear(width, size), torch.nn.GELU())
        self.neighbours, self.picked = (torch.nn.Linear(size, len(RELATIONS)) for _ in GUIDELINES)
        self.strength = torch.nn.Sequential(
            torch.nn.Linear(size, size), torch.nn.GELU(), torch.nn.Linear(size, DIRECTIONS)
        )

    def forward(self, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return ``neighbours``, ``picked`` and ``strength``."""
        seen = self.trunk(features)
        return self.neighbours(seen), self.picked(seen), self.strength(seen)


class ReportPairNet(EncoderNet):
    """What both layouts have in common: how texts become tokens, and the way from rows to answers."""

    def answers(self, rows: Sequence[ReportPair], tokenizer: Any) -> Answers:
        """The answers on rows as they stand; on the device of the weights."""
        raise NotImplementedError

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return next(self.parameters()).device

    def _inputs(self, texts: Sequence[Any], tokenizer: Any) -> list[torch.Tensor]:
        return [tensor.to(self.device) for tensor in collate(tokenizer.encode_batch(list(texts)))]


class CrossNet(ReportPairNet):
    """All layers read both titles together, and no leads."""

    def __init__(self, encoder: Any) -> None:
        super().__init__(encoder)
        self.align = Alignment(self.size)
        self.head = Head(4 * self.size + 2 * self.align.width, self.size)

    def answers(self, rows: Sequence[ReportPair], tokenizer: Any) -> Answers:
        """One pass a pair."""
        ids, mask, types = self._inputs([(row.left.title, row.right.title) for row in rows], tokenizer)
        hidden = self.hidden(ids, mask, types)
        left, right = sides(mask, types, hidden)
        seen = text_vectors(hidden, left, right)
        words = [self.align(hidden, left, right), self.align(hidden, right, left)]
        neighbours, picked, strength = self.head(self.dropout(torch.cat([*seen, *words], dim=-1)))
        vectors = (functional.normalize(seen[side], dim=-1) for side in (1, 2))
        return Answers({NEIGHBOURS: neighbours, PICKED: picked}, strength, *vectors)


class SplitNet(ReportPairNet):
    """Lower layers read each article alone, upper ones both titles together.

    Args:
        encoder: of the BERT family, with ``embeddings`` and ``encoder.layer``.
        joint: how many of its layers are the upper ones; 0 compares finished articles word by word and no more.
    """

    def __init__(self, encoder: Any, joint: int = JOINT_LAYERS) -> None:
        super().__init__(encoder)
        self.joint = joint
        self.side = torch.nn.Embedding(2, self.size)
        torch.nn.init.zeros_(self.side.weight)
        self.align = Alignment(self.size)
        self.align_lead = Alignment(self.size)
        width = 4 * self.size + 2 * self.align.width + 4 * self.size + 2 * self.align_lead.width + 3
        self.head = Head(width, self.size)

    def read(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Read articles alone: their tokens' states (batch, length, size) and their vectors (batch, size)."""
        hidden = self.encoder.embeddings(input_ids=input_ids, token_type_ids=token_type_ids)
        for layer in self._layers[: len(self._layers) - self.joint]:
            hidden = layer(hidden, additive(attention_mask, hidden))
        return hidden, functional.normalize(mean_of(hidden, attention_mask.unsqueeze(-1).to(hidden.dtype)), dim=-1)

    def relate(self, left: ReadArticles, right: ReadArticles) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """From articles that were read, (batch) on either side, to the three outputs of the head."""
        means = [mean_of(side.states, side.tokens) for side in (left, right)]
        features = [*means, (means[0] - means[1]).abs(), means[0] * means[1]]
        for asking, asked in ((left, right), (right, left)):  # what a title finds in the other title and lead
            features.append(self.align_lead.between(asking.title, asking.title_tokens, asked.states, asked.tokens))
        features += [
            left.has_lead,
            right.has_lead,
            functional.cosine_similarity(means[0], means[1], dim=-1).unsqueeze(-1),
        ]
        outputs: tuple[torch.Tensor, torch.Tensor, torch.Tensor] = self.head(
            self.dropout(torch.cat([*self._titles_together(left, right), *features], dim=-1))
        )
        return outputs

    def _titles_together(self, left: ReadArticles, right: ReadArticles) -> list[torch.Tensor]:
        """Features of the two titles after the upper layers, which they go through together."""
        hidden = torch.cat([left.title + self.side.weight[0], right.title + self.side.weight[1]], dim=1)
        one = torch.cat([left.title_tokens, torch.zeros_like(right.title_tokens)], dim=1)
        two = torch.cat([torch.zeros_like(left.title_tokens), right.title_tokens], dim=1)
        mask = additive((one + two).squeeze(-1), hidden)
        for layer in self._layers[len(self._layers) - self.joint :]:
            hidden = layer(hidden, mask)
        words = [self.align(hidden, one, two), self.align(hidden, two, one)]
        return [*text_vectors(hidden, one, two), *words]

    def answers(self, rows: Sequence[ReportPair], tokenizer: Any) -> Answers:
        """One pass an article, however many pairs it is in, and one through the upper layers a pair."""
        places: dict[Report, int] = {}
        for row in rows:
            for report in (row.left, row.right):
                places.setdefault(report, len(places))
        states, vectors, types, mask = self._read_all(list(places), tokenizer)
        sides = []
        for own in ([places[row.left] for row in rows], [places[row.right] for row in rows]):
            chosen = torch.tensor(own, device=self.device)
            sides.append((ReadArticles.of(states[chosen], mask[chosen], types[chosen]), vectors[chosen]))
        (left, left_vectors), (right, right_vectors) = sides
        neighbours, picked, strength = self.relate(left, right)
        return Answers({NEIGHBOURS: neighbours, PICKED: picked}, strength, left_vectors, right_vectors)

    def _read_all(
        self, reports: Sequence[Report], tokenizer: Any
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """States, vectors, types and mask of the tokens, of each report; those with leads are read apart.

        Titles alone are a quarter as long, so reading them among the others would mostly read padding.
        """
        order: list[int] = []
        found: list[list[torch.Tensor]] = [[], [], [], []]
        for has_lead in (True, False):
            places = [place for place, report in enumerate(reports) if bool(report.lead) == has_lead]
            if places:
                ids, mask, types = self._inputs([texts_of(reports[place]) for place in places], tokenizer)
                for own, tensor in zip(found, (*self.read(ids, mask, types), types, mask), strict=True):
                    own.append(tensor)
                order += places
        back = torch.tensor(order, device=self.device).argsort()
        longest = max(states.shape[1] for states in found[0])
        states = torch.cat([functional.pad(own, (0, 0, 0, longest - own.shape[1])) for own in found[0]])[back]
        types, mask = (
            torch.cat([functional.pad(own, (0, longest - own.shape[1])) for own in both])[back] for both in found[2:]
        )
        return states, torch.cat(found[1])[back], types, mask

    @property
    def _layers(self) -> Any:
        return self.encoder.encoder.layer


def texts_of(report: Report) -> str | tuple[str, str]:
    """What a tokenizer is given of a report: the lead is the second text."""
    return (report.title, report.lead) if report.lead else report.title


def additive(mask: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """A mask of ones (batch, length) as what attention adds to its scores, (batch, 1, 1, length)."""
    return (1.0 - mask.to(like.dtype))[:, None, None, :] * -1e4
