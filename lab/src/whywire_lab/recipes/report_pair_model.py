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

    def relate(
        self,
        left: torch.Tensor, left_title: torch.Tensor, left_lead: torch.Tensor,
        right: torch.Tensor, right_title: torch.Tensor, right_lead: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:  # fmt: skip
        """From the states of two articles to the three outputs of the head.

        Args:
            left: (batch, length, size); titles come first.
            left_title: (batch, length), one where a token is of the title.
            left_lead: the same of the lead; all zero where there is none.
        """
        others = self.compared_leads(left, left_title, left_lead, right, right_title, right_lead)
        return self.meet(*_title_alone(left, left_title), *_title_alone(right, right_title), others)

    def compared_leads(
        self,
        left: torch.Tensor, left_title: torch.Tensor, left_lead: torch.Tensor,
        right: torch.Tensor, right_title: torch.Tensor, right_lead: torch.Tensor,
    ) -> list[torch.Tensor]:  # fmt: skip
        """Features of title and lead: what each title finds in the other article, and how the articles differ.

        Arguments are those of :meth:`relate`.
        """
        masks = [mask.unsqueeze(-1).to(left.dtype) for mask in (left_title, left_lead, right_title, right_lead)]
        one, one_lead, two, two_lead = masks
        whole, other_whole = one + one_lead, two + two_lead
        both = torch.cat([left, right], dim=1)
        none, other_none = torch.zeros_like(one), torch.zeros_like(two)
        found = [
            self.align_lead(both, torch.cat([one, other_none], 1), torch.cat([none, other_whole], 1)),
            self.align_lead(both, torch.cat([none, two], 1), torch.cat([whole, other_none], 1)),
        ]
        has = [(lead.sum(1) > 0).to(left.dtype) for lead in (one_lead, two_lead)]
        means = [mean_of(left, whole), mean_of(right, other_whole)]
        similarity = functional.cosine_similarity(means[0], means[1], dim=-1).unsqueeze(-1)
        return [*means, (means[0] - means[1]).abs(), means[0] * means[1], *found, *has, similarity]

    def meet(
        self,
        left: torch.Tensor, own: torch.Tensor, right: torch.Tensor, other: torch.Tensor,
        others: Sequence[torch.Tensor],
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:  # fmt: skip
        """Two titles go through the upper layers together, and with the features ``others`` through the head.

        Args:
            left: (batch, length, size), the states of the left title.
            own: (batch, length, 1), one where that is a token; so ``right`` and ``other``.
        """
        hidden = torch.cat([left + self.side.weight[0], right + self.side.weight[1]], dim=1)
        one = torch.cat([own, torch.zeros_like(other)], dim=1)
        two = torch.cat([torch.zeros_like(own), other], dim=1)
        mask = additive((one + two).squeeze(-1), hidden)
        for layer in self._layers[len(self._layers) - self.joint :]:
            hidden = layer(hidden, mask)
        seen = text_vectors(hidden, one, two)
        words = [self.align(hidden, one, two), self.align(hidden, two, one)]
        outputs: tuple[torch.Tensor, torch.Tensor, torch.Tensor] = self.head(
            self.dropout(torch.cat([*seen, *words, *others], dim=-1))
        )
        return outputs

    def answers(self, rows: Sequence[ReportPair], tokenizer: Any) -> Answers:
        """One pass an article, however many pairs it is in, and one through the upper layers a pair."""
        places: dict[Report, int] = {}
        for row in rows:
            for report in (row.left, row.right):
                places.setdefault(report, len(places))
        left = torch.tensor([places[row.left] for row in rows], device=self.device)
        right = torch.tensor([places[row.right] for row in rows], device=self.device)
        states, vectors, titles, leads = self._read_all(list(places), tokenizer)
        neighbours, picked, strength = self.relate(
            states[left], titles[left], leads[left], states[right], titles[right], leads[right]
        )
        return Answers({NEIGHBOURS: neighbours, PICKED: picked}, strength, vectors[left], vectors[right])

    def _read_all(
        self, reports: Sequence[Report], tokenizer: Any
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """States, vectors, and the masks of title and lead, of each report; those with leads apart from the others.

        Titles alone are a third as long, so reading them among the others would mostly read padding.
        """
        order: list[int] = []
        found: list[list[torch.Tensor]] = [[], [], [], []]
        for has_lead in (True, False):
            places = [place for place, report in enumerate(reports) if bool(report.lead) == has_lead]
            if places:
                ids, mask, types = self._inputs([texts_of(reports[place]) for place in places], tokenizer)
                for own, tensor in zip(found, (*self.read(ids, mask, types), mask * (1 - types), types), strict=True):
                    own.append(tensor)
                order += places
        back = torch.tensor(order, device=self.device).argsort()
        longest = max(states.shape[1] for states in found[0])
        states = torch.cat([functional.pad(own, (0, 0, 0, longest - own.shape[1])) for own in found[0]])[back]
        titles, leads = (
            torch.cat([functional.pad(own, (0, longest - own.shape[1])) for own in masks])[back]
            for masks in found[2:]
        )
        return states, torch.cat(found[1])[back], titles, leads

    @property
    def _layers(self) -> Any:
        return self.encoder.encoder.layer


def _title_alone(states: torch.Tensor, title: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The states of the titles without those of the leads, and their mask (batch, length, 1)."""
    longest = int(title.sum(1).max())
    return states[:, :longest], title[:, :longest].unsqueeze(-1).to(states.dtype)


def texts_of(report: Report) -> str | tuple[str, str]:
    """What a tokenizer is given of a report: the lead is the second text."""
    return (report.title, report.lead) if report.lead else report.title


def additive(mask: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """A mask of ones (batch, length) as what attention adds to its scores, (batch, 1, 1, length)."""
    return (1.0 - mask.to(like.dtype))[:, None, None, :] * -1e4
