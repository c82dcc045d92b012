"""A chat model as a judge: one of CRAB's four questions for each pair or choice, again where the answer is none.

An answer of another form is asked for again with a word on the form, and after that the pair is unjudged, with what
the model said last; so is one whose answers are no chat completions. An endpoint that cannot be reached or refuses
stops the work: what was answered until then is kept (see ``asking``), and the next run goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from whywire.links.judges.judge import Choice, EventPair, Unjudged, weigh_by_pairs
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
"""How often one question is asked whose answers cannot be read."""

_SHOWN = 80
"""Characters of such an answer that are shown."""

T = TypeVar("T")


class ChatJudge:
    """Asks a chat model.

    Args:
        form: how pairs are asked about; ``CHOICE`` asks about a choice as a whole, and about single pairs by score.
    """

    def __init__(self, chat_model: CachedChatModel, form: PromptKind = PromptKind.SCORE) -> None:
        self.chat_model = chat_model
        self.form = form

    def score(self, pairs: Sequence[EventPair]) -> list[float | Unjudged]:
        """How strongly each cause led to its effect; by class or by yes or no, the middle of the class."""
        form = PromptKind.SCORE if self.form is PromptKind.CHOICE else self.form
        return [self._judged(pair_prompt(pair, form), form, lambda said: read_pair(said, form)) for pair in pairs]

    def weigh(self, choices: Sequence[Choice]) -> list[list[float] | Unjudged]:
        """How strongly each option of each choice led to the effect; asked as a whole, a plain yes or no."""
        if self.form is PromptKind.CHOICE:
            return [self._picked(choice) for choice in choices]
        return weigh_by_pairs(self, choices)

    def _picked(self, choice: Choice) -> list[float] | Unjudged:
        options = len(choice.options)
        if options > MAX_OPTIONS:
            return Unjudged(f"{options} options are more than there are letters; ask about each by score")
        return self._judged(choice_prompt(choice), PromptKind.CHOICE, lambda said: read_choice(said, options))

    def _judged(self, prompt: str, form: PromptKind, read: Callable[[str], T | None]) -> T | Unjudged:
        said = ""
        for attempt in range(MAX_ATTEMPTS):
            try:
                said = self.chat_model.ask("\n\n".join([prompt] + [reminder(form)] * attempt))
            except AnswerError as error:
                return Unjudged(error.message)
            if (found := read(said)) is not None:
                return found
            self.chat_model.usage.malformed += 1
        return Unjudged(f"the chat model answered {MAX_ATTEMPTS} times in another form: {said[-_SHOWN:]!r}")
