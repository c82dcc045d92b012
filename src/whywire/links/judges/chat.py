"""A chat model as the judge of direct causes: one of CRAB's four questions for each pair or choice.

An answer that cannot be read is asked for again with a reminder of its form, and after that the pair is unjudged,
with the model's last answer as the reason. A pair whose answers are no chat completions is unjudged, too. An
endpoint that cannot be reached or refuses stops the work: answers so far are kept (see ``completion_cache``), and
the next run continues there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from whywire.links.judges.judge import Choice, EventPair, NoScore, weigh_by_pairs
from whywire.links.judges.prompts import (
    MAX_OPTIONS,
    PromptKind,
    choice_prompt,
    pair_prompt,
    read_choice,
    read_pair,
    reminder,
)
from whywire.models.chat import AnswerError
from whywire.models.completion_cache import CachedChatModel

MAX_ATTEMPTS = 3
"""How often a question is asked while its answers cannot be read."""

_SHOWN = 80
"""Characters of an unreadable answer that are shown."""

T = TypeVar("T")


class ChatJudge:
    """Asks a chat model.

    Args:
        kind: how pairs are asked about; ``CHOICE`` asks about a choice as a whole, and about single pairs by score.
    """

    def __init__(self, chat_model: CachedChatModel, kind: PromptKind = PromptKind.SCORE) -> None:
        self.chat_model = chat_model
        self.kind = kind

    def score(self, pairs: Sequence[EventPair]) -> list[float | NoScore]:
        """How strongly each cause led to its effect; a class, yes or no counts as the middle of its class."""
        kind = PromptKind.SCORE if self.kind is PromptKind.CHOICE else self.kind
        return [self._judged(pair_prompt(pair, kind), kind, lambda answer: read_pair(answer, kind)) for pair in pairs]

    def weigh(self, choices: Sequence[Choice]) -> list[list[float] | NoScore]:
        """How strongly each option of each choice led to the effect; ``YES`` or ``NO`` if asked as a whole."""
        if self.kind is PromptKind.CHOICE:
            return [self._picked(choice) for choice in choices]
        return weigh_by_pairs(self, choices)

    def _picked(self, choice: Choice) -> list[float] | NoScore:
        options = len(choice.options)
        if options > MAX_OPTIONS:
            return NoScore(f"{options} options are more than there are letters; ask about each by score")
        return self._judged(choice_prompt(choice), PromptKind.CHOICE, lambda answer: read_choice(answer, options))

    def _judged(self, prompt: str, kind: PromptKind, read: Callable[[str], T | None]) -> T | NoScore:
        answer = ""
        for attempt in range(MAX_ATTEMPTS):
            try:
                answer = self.chat_model.ask("\n\n".join([prompt] + [reminder(kind)] * attempt))
            except AnswerError as error:
                return NoScore(error.message)
            if (found := read(answer)) is not None:
                return found
            self.chat_model.usage.malformed += 1
        return NoScore(f"the chat model answered {MAX_ATTEMPTS} times in another form: {answer[-_SHOWN:]!r}")
