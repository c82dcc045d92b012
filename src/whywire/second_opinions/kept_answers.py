"""Where answers of a chat model are kept, and what was spent on them."""

from __future__ import annotations

import threading
from collections import Counter
from datetime import date
from typing import Protocol


class KeptAnswers(Protocol):
    """Answers by what was asked, and what was spent a day. Safe for several threads; a store's for several processes.

    The words of an answer are kept as they came, so that the same kept answers give the same graph.
    """

    def answer(self, key: str) -> str | None:
        """The kept answer to a request; ``None`` if none is kept."""

    def keep(self, key: str, model: str, answer: str) -> str:
        """Keep an answer, and return it, or the one that is kept already."""

    def reserve(self, day: date, unit: str, amount: int, limit: int) -> bool:
        """Count an amount as spent on a day, unless more than the limit would be; whether it was counted."""

    def settle(self, day: date, unit: str, amount: int) -> None:
        """Correct what is counted as spent on a day by an amount, mostly negative."""


class AnswersInMemory:
    """Answers that are kept as long as the process runs."""

    def __init__(self) -> None:
        self._answers: dict[str, str] = {}
        self._spent: Counter[tuple[date, str]] = Counter()
        self._lock = threading.Lock()

    def answer(self, key: str) -> str | None:
        """The kept answer to a request."""
        return self._answers.get(key)

    def keep(self, key: str, model: str, answer: str) -> str:  # noqa: ARG002  the protocol's
        """Keep an answer, and return it, or the one that is kept already."""
        return self._answers.setdefault(key, answer)

    def reserve(self, day: date, unit: str, amount: int, limit: int) -> bool:
        """Count an amount as spent, unless the limit would be passed."""
        with self._lock:
            fits = self._spent[day, unit] + amount <= limit
            if fits:
                self._spent[day, unit] += amount
            return fits

    def settle(self, day: date, unit: str, amount: int) -> None:
        """Correct what is counted as spent."""
        with self._lock:
            self._spent[day, unit] += amount
