"""What a chat model may cost a day, in tokens or in money, and what a request may cost at most.

A budget is never passed: before a request is sent, the most that it can cost is reserved, and once it is answered,
what it did cost takes the place of that. A reservation whose request came to no answer stays, since the endpoint may
have worked for it. Days are those of UTC.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Self

from whywire.errors import InputError

if TYPE_CHECKING:  # every command has the default budget, and few a chat model
    from whywire.models.chat import Completion, Message

DEFAULT_BUDGET = "200k"
"""Tokens of about 80 articles, or of more where less is uncertain (docs/experiments/second-reader.md)."""

MILLION = 1_000_000
"""Money is counted in millionths, so that sums are exact."""

MESSAGE_TOKENS = 16
"""The most tokens that an endpoint adds to a message: its role, and marks of its begin and end."""

_FACTORS = {"": 1, "k": 1_000, "m": MILLION}
_TOKENS = re.compile(r"(\d+(?:\.\d+)?)\s*([km]?)", re.IGNORECASE | re.ASCII)
_MONEY = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]{3})", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost.

    Args:
        prompt: of a question.
        completion: of an answer.
    """

    prompt: float
    completion: float


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that may be spent a day.

    Args:
        limit: in units.
        unit: ``"tokens"``, or a currency such as ``"usd"``, which is counted in millionths.
        prices: in that currency; ``None`` for a budget in tokens.
    """

    limit: int
    unit: str = "tokens"
    prices: Prices | None = None

    @classmethod
    def parse(cls, text: str, prices: Prices | None = None) -> Self:
        """Read a budget: ``200k`` or ``1.5m`` tokens, or money such as ``2.50usd``.

        Args:
            prices: of tokens; a budget in money needs them, and one in tokens does not look at them.

        Raises:
            InputError: the text is no budget, or the prices are missing.
        """
        if tokens := _TOKENS.fullmatch(text.strip()):
            return cls(round(float(tokens[1]) * _FACTORS[tokens[2].lower()]))
        money = _MONEY.fullmatch(text.strip())
        if not money:
            raise InputError(
                f"{text!r} is no budget", hint="give tokens a day, such as 200k, or money, such as 2.50usd"
            )
        if prices is None:
            raise InputError(
                f"a budget of {text} needs the prices of tokens",
                hint="give what a million tokens of questions and of answers cost: --llm-prices 0.15 0.60",
            )
        return cls(round(float(money[1]) * MILLION), money[2].lower(), prices)

    def cost(self, prompt_tokens: int, completion_tokens: int) -> int:
        """What tokens cost, in units; fractions are rounded up."""
        if self.prices is None:
            return prompt_tokens + completion_tokens
        # a million tokens have the price, and money is counted in millionths
        return ceil(prompt_tokens * self.prices.prompt + completion_tokens * self.prices.completion)

    def most(self, messages: Sequence[Message], sent: int, max_tokens: int) -> int:
        """The most that a request can cost, in units: a token has at least one byte.

        Args:
            sent: bytes that are sent beside the messages, such as a schema.
            max_tokens: of the answer.
        """
        size = sum(len(message["content"].encode("utf-8", "surrogatepass")) + MESSAGE_TOKENS for message in messages)
        return self.cost(size + sent, max_tokens)

    def spent(self, completion: Completion, reserved: int) -> int:
        """What a completion cost, in units: all that was reserved if the endpoint does not count its tokens."""
        if not completion.prompt_tokens or completion.completion_tokens is None:
            return reserved
        return self.cost(completion.prompt_tokens, completion.completion_tokens)
