"""What chat models have answered before, without asking them.

A store keeps the answers that it paid for, and a story of it is decided with them whoever decides it again: an
update, a withdrawal or a correction, with a chat model at hand or without one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from whywire.second_opinions.kept_answers import KeptAnswers
from whywire.second_opinions.questions import UNREADABLE, Opinion, Questions, Verdict


class Recollection:
    """A second reader that knows what was answered before, and asks nobody.

    Args:
        models: whose answers count; of several that answered a question, the first.
    """

    def __init__(self, kept: KeptAnswers, models: Sequence[str]) -> None:
        self._kept, self._models = kept, models

    @classmethod
    def of(cls, kept: KeptAnswers) -> Self | None:
        """All that is kept, the model that answered last first; ``None`` if nothing is."""
        models = kept.models()
        return cls(kept, models) if models else None

    def opinions(self, asked: Questions) -> list[Opinion]:
        """An opinion on each question; *unsure*, of no model, where no answer is kept."""
        of_models = [asked.keys(model) for model in self._models]
        kept = self._kept.answers([key for keys in of_models for key in keys])
        found = [Opinion()] * len(asked.listed)
        for model, keys in reversed([*zip(self._models, of_models, strict=True)]):
            for number, key in enumerate(keys):
                if kept.get(key, UNREADABLE) != UNREADABLE:
                    found[number] = Opinion(Verdict(kept[key]), model)
        return found
