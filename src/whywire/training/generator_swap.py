"""Headline Generator Swap: whether each headline would do for the other's article.

A generator that writes headlines says how probable a headline is, given what an article says. Two reports of one
event can swap their headlines; of two events, each headline is a surprise under the other's text. So nobody need
label a pair (HLGD: Laban, Bandarkar and Hearst 2021, section 4.2).

As in the published code, an article's first tokens go in, then a start token, and the headline's tokens and an end
token are scored; what counts for a pair is the mean log-likelihood of a token of each swapped headline. By that a
plain headline is likely under anything, and an odd one under nothing, be it its own text. Measured against the
headlines under their own texts, it says how much likelihood the swap loses.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from transformers import AutoModelForCausalLM, AutoTokenizer

from whywire.errors import ModelError
from whywire.headlines.baselines import PER_DAY, time_decay

CONTENT_TOKENS, HEADLINE_TOKENS = 300, 30
"""How much is read of an article, and of a headline with its end (the published code's)."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Story:
    """A headline and the text under it."""

    headline: str
    content: str


class HeadlineGenerator:
    r"""Any causal language model, asked how probable a headline is under a text.

    Args:
        model: a causal language model of ``transformers``; it is put into evaluation, where it does not vary.
        tokenizer: its own.
        between: what stands between text and headline, such as ``"\nHeadline:"`` for a model that nobody taught to
            write headlines; by default the model's start token.
        batch: pairs read at a time.

    Raises:
        ModelError: the tokenizer has no end token.
    """

    def __init__(self, model: Any, tokenizer: Any, *, between: str | None = None, batch: int = 8) -> None:
        if tokenizer.eos_token_id is None:
            raise ModelError("the tokenizer has no end token, which says where a headline ends")
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.batch = batch
        start = tokenizer.eos_token_id if tokenizer.bos_token_id is None else tokenizer.bos_token_id
        self.between: list[int] = [start] if between is None else self._tokens(between)

    @classmethod
    def from_pretrained(
        cls, name: str | Path, *, between: str | None = None, batch: int = 8, device: str = "cpu"
    ) -> HeadlineGenerator:
        """Load a checkpoint: a hub name such as ``"gpt2-medium"``, or a folder.

        Raises:
            ModelError: there is none of that name, or it is no causal language model.
        """
        try:
            tokenizer = AutoTokenizer.from_pretrained(str(name))
            model: Any = AutoModelForCausalLM.from_pretrained(str(name), dtype=torch.float32)
        except (OSError, ValueError, KeyError) as error:
            raise ModelError(f"not a usable causal language model: {error}", where=str(name)) from error
        return cls(model.to(device), tokenizer, between=between, batch=batch)

    def log_likelihoods(self, contents: Sequence[str], headlines: Sequence[str]) -> Floats:
        """The mean log-likelihood of a token of each headline and its end under the content beside it, 0 or less."""
        sequences = [self._sequence(*pair) for pair in zip(contents, headlines, strict=True)]
        order = sorted(range(len(sequences)), key=lambda number: len(sequences[number][0]))
        result = np.zeros(len(sequences))
        with torch.inference_mode():
            for at in range(0, len(order), self.batch):
                chosen = order[at : at + self.batch]
                result[chosen] = -self._losses([sequences[number] for number in chosen]).double().cpu().numpy()
        return result

    def learn(self, stories: Sequence[Story], *, epochs: int = 1, rate: float = 5e-5, seed: int = 1) -> None:
        """Fine-tune the model, in place, to write the headlines of stories; after it, it is in evaluation again."""
        torch.manual_seed(seed)
        dice = random.Random(seed)
        optimiser = torch.optim.AdamW(self.model.parameters(), lr=rate)
        sequences = [self._sequence(story.content, story.headline) for story in stories]
        self.model.train()
        for _ in range(epochs):
            dice.shuffle(sequences)
            for at in range(0, len(sequences), self.batch):
                self._losses(sequences[at : at + self.batch]).mean().backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                optimiser.step()
                optimiser.zero_grad(set_to_none=True)
        self.model.eval()

    def _tokens(self, text: str, limit: int | None = None) -> list[int]:
        found: list[int] = self.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
        return found[:limit]

    def _sequence(self, content: str, headline: str) -> tuple[list[int], int]:
        """The tokens of content and headline, and how many at the end are to be scored.

        The content begins with a start token where the tokenizer puts one there, and is cut to what the model holds.
        """
        ending = [*self._tokens(headline, HEADLINE_TOKENS - 1), self.tokenizer.eos_token_id]
        longest = getattr(self.model.config, "max_position_embeddings", None) or CONTENT_TOKENS + HEADLINE_TOKENS
        room = min(CONTENT_TOKENS, longest - len(self.between) - len(ending))
        opening: list[int] = self.tokenizer("")["input_ids"][:1]
        known = opening if opening == [self.tokenizer.bos_token_id] else []
        text = [*known, *self._tokens(content)][: max(0, room)]
        return [*text, *self.between, *ending], len(ending)

    def _losses(self, sequences: Sequence[tuple[list[int], int]]) -> torch.Tensor:
        """The mean loss of each sequence's scored tokens, (sequences,).

        Padding follows, where nothing before it can see it.
        """
        longest = max(len(tokens) for tokens, _ in sequences)
        ids = torch.full((len(sequences), longest), int(self.tokenizer.eos_token_id))
        mask, scored = torch.zeros_like(ids), torch.zeros(ids.shape)
        for row, (tokens, count) in enumerate(sequences):
            ids[row, : len(tokens)] = torch.tensor(tokens)
            mask[row, : len(tokens)] = 1
            scored[row, len(tokens) - count : len(tokens)] = 1
        ids, mask, scored = (tensor.to(self.model.device) for tensor in (ids, mask, scored))
        logits = self.model(input_ids=ids, attention_mask=mask).logits[:, :-1].float()
        losses = torch.nn.functional.cross_entropy(logits.transpose(1, 2), ids[:, 1:], reduction="none")
        return (losses * scored[:, 1:]).sum(1) / scored[:, 1:].sum(1)


def swap_scores(
    generator: HeadlineGenerator,
    left: Sequence[Story],
    right: Sequence[Story],
    days: ArrayLike | None = None,
    *,
    against_own: bool = False,
    per_day: float = PER_DAY,
) -> Floats:
    """How well the headlines of each pair can be swapped: the same whichever comes first, and the higher the better.

    Args:
        days: days between the two reports; where given, they lower the score by :func:`time_decay`.
        against_own: divide by how probable the headlines are under their own texts.
        per_day: the rate of decay.

    Returns:
        The probability of a token of the swapped headlines, their geometric mean, 0 to 1; or what is left of that of
        the unswapped ones, which may exceed 1.
    """
    if not left and not right:
        return np.zeros(0)
    asked = [pair for one, other in zip(left, right, strict=True) for pair in ((one, other), (other, one))]
    if against_own:
        asked += [(story, story) for pair in zip(left, right, strict=True) for story in pair]
    unique = list(dict.fromkeys(asked))
    known = dict(
        zip(
            unique,
            generator.log_likelihoods([told.content for told, _ in unique], [named.headline for _, named in unique]),
            strict=True,
        )
    )
    values = np.array([known[pair] for pair in asked], dtype=np.float64).reshape(-1, len(left), 2).mean(axis=2)
    logs = values[0] - values[1] if against_own else values[0]
    result: Floats = np.exp(logs) * (1.0 if days is None else time_decay(days, per_day))
    return result
