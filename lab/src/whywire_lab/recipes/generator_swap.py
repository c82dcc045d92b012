"""Headline Generator Swap: how probable each headline of a pair is for the other's article.

A headline generator gives the probability of a headline under a text. Two reports of one event can swap their
headlines; of two events, each headline is improbable under the other's
text. No labelled pairs are needed (HLGD: Laban, Bandarkar and Hearst 2021, section 4.2).

As in the published code, an article's first tokens go in, then a start token, and the headline's tokens and an end
token are scored; what counts for a pair is the mean log-likelihood of a token of each swapped headline. By that a
plain headline is probable under any text, and an odd one under none. Measured against the headlines under their own
texts, it is the likelihood that the swap loses.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from transformers import AutoModelForCausalLM, AutoTokenizer

from whywire.errors import ModelError
from whywire_lab.candidates.same_event_baselines import DECAY_PER_DAY, time_decay

CONTENT_TOKENS, HEADLINE_TOKENS = 300, 30
"""How much is read of an article, and of a headline with its end (the published code's)."""

Floats = NDArray[np.float64]
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class HeadlineAndText:
    """A headline and its article's text."""

    headline: str
    content: str


class HeadlineGenerator:
    r"""Any causal language model, asked how probable a headline is under a text.

    Args:
        model: a causal language model of ``transformers``; it is put into evaluation, where it does not vary.
        tokenizer: its own.
        between: what stands between text and headline, such as ``"\nHeadline:"`` for a model that was not trained to
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
        known = signature(model.forward).parameters
        self._can_leave_out_logits = "logits_to_keep" in known
        self._cache_name = next((name for name in ("cache", "past_key_values") if name in known), "")

    @classmethod
    def from_pretrained(
        cls,
        name: str | Path,
        *,
        between: str | None = None,
        batch: int = 8,
        device: str = "cpu",
        dtype: torch.dtype = torch.float32,
    ) -> HeadlineGenerator:
        """Load a checkpoint: a hub name such as ``"gpt2-medium"``, or a folder.

        Args:
            dtype: the type of its numbers; ``torch.bfloat16`` takes half the memory and, where the processor knows
                it, half the time, and is too coarse to learn in.

        Raises:
            ModelError: there is none of that name, or it is no causal language model.
        """
        try:
            tokenizer = AutoTokenizer.from_pretrained(str(name))
            model: Any = AutoModelForCausalLM.from_pretrained(str(name), dtype=dtype)
        except (OSError, ValueError, KeyError) as error:
            raise ModelError(f"not a usable causal language model: {error}", where=str(name)) from error
        return cls(model.to(device), tokenizer, between=between, batch=batch)

    def log_likelihoods(self, contents: Sequence[str], headlines: Sequence[str]) -> Floats:
        """The mean log-likelihood of a token of each headline and its end under the content beside it, 0 or less.

        A text that several headlines are asked about is read once.
        """
        sequences = [self._sequence(*pair) for pair in zip(contents, headlines, strict=True)]
        of_text: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for number, (tokens, count) in enumerate(sequences):
            of_text[tuple(tokens[:-count])].append(number)
        shared = {
            text: numbers for text, numbers in of_text.items() if self._cache_name and text and len(numbers) > 1
        }
        alone = [number for text, numbers in of_text.items() if text not in shared for number in numbers]
        alone.sort(key=lambda number: len(sequences[number][0]))
        result = np.zeros(len(sequences))
        with torch.inference_mode():
            for text, numbers in shared.items():
                endings = [sequences[number][0][len(text) :] for number in numbers]
                result[numbers] = -self._losses_after(text, endings).double().cpu().numpy()
            for chosen in _parted(alone, self.batch):
                result[chosen] = -self._losses([sequences[number] for number in chosen]).double().cpu().numpy()
        return result

    def learn(
        self, stories: Sequence[HeadlineAndText], *, epochs: int = 1, rate: float = 5e-5, seed: int = 1
    ) -> None:
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

        Padding follows, where nothing before it can see it. A text's own tokens are never asked about, so where the
        model can leave their logits out (a vocabulary for each of them), it does.
        """
        longest = max(len(tokens) for tokens, _ in sequences)
        ids = torch.full((len(sequences), longest), int(self.tokenizer.eos_token_id))
        mask, scored = torch.zeros_like(ids), torch.zeros(ids.shape)
        for row, (tokens, count) in enumerate(sequences):
            ids[row, : len(tokens)] = torch.tensor(tokens)
            mask[row, : len(tokens)] = 1
            scored[row, len(tokens) - count : len(tokens)] = 1
        ids, mask, scored = (tensor.to(self.model.device) for tensor in (ids, mask, scored))
        kept = min(longest - 1, max(longest - len(tokens) + count for tokens, count in sequences))
        only = {"logits_to_keep": kept + 1} if self._can_leave_out_logits else {}
        logits = self.model(input_ids=ids, attention_mask=mask, **only).logits[:, -kept - 1 : -1].float()
        losses = torch.nn.functional.cross_entropy(logits.transpose(1, 2), ids[:, -kept:], reduction="none")
        return (losses * scored[:, -kept:]).sum(1) / scored[:, -kept:].sum(1)

    def _losses_after(self, text: Sequence[int], endings: Sequence[list[int]]) -> torch.Tensor:
        """The mean loss of each ending, all of them after one text, (endings,)."""
        only = {"logits_to_keep": 1} if self._can_leave_out_logits else {}
        read = self.model(input_ids=torch.tensor([text], device=self.model.device), use_cache=True, **only)
        losses = []
        for chosen in _parted(endings, self.batch):
            past = deepcopy(read[self._cache_name])
            past.batch_repeat_interleave(len(chosen))
            longest = max(map(len, chosen))
            ids = torch.full((len(chosen), longest), int(self.tokenizer.eos_token_id))
            scored = torch.zeros(ids.shape)
            for row, ending in enumerate(chosen):
                ids[row, : len(ending)] = torch.tensor(ending)
                scored[row, : len(ending)] = 1
            mask = torch.cat([torch.ones(len(chosen), len(text)), scored], 1).long()
            ids, mask, scored = (tensor.to(self.model.device) for tensor in (ids, mask, scored))
            later = self.model(input_ids=ids, attention_mask=mask, use_cache=True, **{self._cache_name: past}).logits
            logits = torch.cat([read.logits[:, -1:].expand(len(chosen), -1, -1), later[:, :-1]], 1).float()
            loss = torch.nn.functional.cross_entropy(logits.transpose(1, 2), ids, reduction="none")
            losses.append((loss * scored).sum(1) / scored.sum(1))
        return torch.cat(losses)


def _parted(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    for at in range(0, len(items), size):
        yield items[at : at + size]


def swap_scores(
    generator: HeadlineGenerator,
    left: Sequence[HeadlineAndText],
    right: Sequence[HeadlineAndText],
    days: ArrayLike | None = None,
    *,
    against_own: bool = False,
    per_day: float = DECAY_PER_DAY,
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
    logs = swap_logs(generator, left, right, against_own=against_own)
    result: Floats = np.exp(logs[0] - logs[1] if against_own else logs[0])
    return result * (1.0 if days is None else time_decay(days, per_day))


def swap_logs(
    generator: HeadlineGenerator,
    left: Sequence[HeadlineAndText],
    right: Sequence[HeadlineAndText],
    *,
    against_own: bool = False,
) -> Floats:
    """The mean log-likelihood of a token of each pair's headlines; what is asked twice is read once.

    Returns:
        (1, pairs): swapped; or (2, pairs): swapped, and under their own texts.
    """
    asked = [pair for one, other in zip(left, right, strict=True) for pair in ((one, other), (other, one))]
    if against_own:
        asked += [(story, story) for pair in zip(left, right, strict=True) for story in pair]
    unique = list(dict.fromkeys(asked))
    found = generator.log_likelihoods([left.content for left, _ in unique], [right.headline for _, right in unique])
    known = dict(zip(unique, found, strict=True))
    logs: Floats = np.array([known[pair] for pair in asked], dtype=np.float64).reshape(1 + against_own, len(left), 2)
    return np.asarray(logs.mean(axis=2))
