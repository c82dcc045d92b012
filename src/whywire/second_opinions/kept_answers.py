"""Where answers of chat models are kept, and what was spent on them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Collection, Mapping
from datetime import date
from typing import Protocol


class KeptAnswers(Protocol):
    """Answers by what was asked, and what was spent a day. Safe for several threads; a store's for several processes.

    An answer that is kept is never replaced, so that the same kept answers give the same graph.
    """

    def answers(self, keys: Collection[str]) -> dict[str, str]:
        """The kept answers among those with these keys."""

    def keep(self, model: str, answers: Mapping[str, str]) -> None:
        """Keep a model's answers, by key; those that are kept already stay."""

    def models(self) -> list[str]:
        """The models whose answers are kept, the one that answered last first."""

    def reserve(self, day: date, unit: str, amount: int, limit: int) -> bool:
        """Count an amount as spent on a day, unless more than the limit would be; whether it was counted."""

    def settle(self, day: date, unit: str, amount: int) -> None:
        """Correct what is counted as spent on a day by an amount, mostly negative."""


class AnswersInMemory:
    """Answers that are kept as long as the process runs."""

    def __init__(self) -> None:
        self._answers: dict[str, str] = {}
        self._models: dict[str, None] = {}
        self._spent: Counter[tuple[date, str]] = Counter()
        self._lock = threading.Lock()

    def answers(self, keys: Collection[str]) -> dict[str, str]:
        """The kept answers among those with these keys."""
        return {key: self._answers[key] for key in keys if key in self._answers}

    def keep(self, model: str, answers: Mapping[str, str]) -> None:
        """Keep a model's answers, by key; those that are kept already stay."""
        with self._lock:
            for key, answer in answers.items():
                self._answers.setdefault(key, answer)
            self._models.pop(model, None)
            self._models[model] = None

    def models(self) -> list[str]:
        """The models whose answers are kept, the one that answered last first."""
        return [*reversed(self._models)]

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
