"""``whywire.score`` and ``whywire.choose``: how strongly one event led to another, and which of several did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from whywire.elements import StrengthClass, strength_class
from whywire.errors import InputError
from whywire.language_models import model_language
from whywire.links.judges.chat import ChatJudge
from whywire.links.judges.choosing import CAUSAL_THRESHOLD
from whywire.links.judges.consistency import causes_alone, causes_together
from whywire.links.judges.embedded import EmbeddedJudge
from whywire.links.judges.judge import Choice, EventPair, Judge, NoScore
from whywire.links.judges.prompts import PromptKind
from whywire.models.chat import ChatEndpoint, RateLimiter
from whywire.models.completion_cache import CachedChatModel, CompletionCache, default_cache_folder

PairInput: TypeAlias = tuple[str, str] | Mapping[str, Any] | EventPair
"""Cause and effect in words; or a row with *cause*, *effect* and, optionally, *context*, a list of documents."""

ChoiceInput: TypeAlias = tuple[str, Sequence[str]] | Mapping[str, Any] | Choice
"""An effect and the options in words; or a row with *effect*, *options* and, optionally, *context*."""


@dataclass(frozen=True, slots=True)
class Score:
    """How strongly one event caused another, 0 to 100 on CRAB's scale."""

    strength: float

    @property
    def strength_class(self) -> StrengthClass:
        """None up to 20, low up to 50, medium up to 80, high above."""
        return strength_class(self.strength)

    def is_causal(self, threshold: float = CAUSAL_THRESHOLD) -> bool:
        """Whether the strength is above a threshold (0 to 100)."""
        return self.strength > threshold


@dataclass(frozen=True, slots=True)
class ChosenCauses:
    """Which of several events caused another directly.

    Args:
        strengths: how strongly each option caused the effect (0 to 100).
        direct_causes: the indices, from 0, of the options chosen as direct causes; may be empty.
    """

    strengths: tuple[float, ...]
    direct_causes: tuple[int, ...]


def score(pairs: Iterable[PairInput], *, judge: Judge | None = None) -> list[Score | NoScore]:
    """Score how strongly one event caused another.

    >>> (score,) = whywire.score([("Fire shuts refinery", "Fuel runs short in the north")])
    >>> score.strength, score.strength_class

    Args:
        pairs: causes and effects.
        judge: the embedded models by default; :func:`chat_judge` asks a chat model.

    Returns:
        One score for each pair; ``NoScore`` with the reason if a chat model gave no answer.

    Raises:
        InputError: a row has no cause or no effect, or a text is empty.
    """
    strengths = (judge or EmbeddedJudge()).score(list(map(to_pair, pairs)))
    return [strength if isinstance(strength, NoScore) else Score(strength) for strength in strengths]


def choose(
    choices: Iterable[ChoiceInput], *, judge: Judge | None = None, together: bool = False
) -> list[ChosenCauses | NoScore]:
    """Choose which of several events caused another directly.

    An option such as "None of the others" is the only answer if no other option is stronger than 83.

    >>> (chosen,) = whywire.choose([("Fuel runs short", ["Fire shuts refinery", "Actor wins prize"])])
    >>> chosen.direct_causes

    Args:
        choices: effects, each with the events that may have caused it.
        judge: as for :func:`score`.
        together: answer choices with the same effect without contradiction: an event is a cause in all of them or in
            none, and every choice has a cause among its options, or "None of the others". This is for tests and
            annotation tasks, where it is known. The strengths do not change.

    Returns:
        One result for each choice; ``NoScore`` with the reason if a chat model gave no answer.

    Raises:
        InputError: a row has no effect or no options, or a text is empty.
    """
    asked = list(map(to_choice, choices))
    weighed = (judge or EmbeddedJudge()).weigh(asked)
    judged = [choice for choice, result in zip(asked, weighed, strict=True) if not isinstance(result, NoScore)]
    strengths = [result for result in weighed if not isinstance(result, NoScore)]
    causes = iter(causes_together(judged, strengths) if together else map(causes_alone, judged, strengths))
    return [
        result if isinstance(result, NoScore) else ChosenCauses(tuple(result), tuple(sorted(next(causes))))
        for result in weighed
    ]


def chat_judge(
    form: PromptKind | str = PromptKind.SCORE,
    *,
    model: str | None = None,
    timeout: float = 60.0,
    per_minute: float | None = None,
    cache: str | Path | None = None,
) -> ChatJudge:
    """Open a judge that asks the chat model which the environment names (``WHYWIRE_CHAT_URL``, ``…MODEL``, ``…KEY``).

    Events and context are sent there. Answers are kept on disk, so no question is asked twice.

    >>> judge = whywire.chat_judge("class")
    >>> whywire.score([("Fire shuts refinery", "Fuel runs short")], judge=judge)

    Args:
        form: what the model is asked for: a ``score``, a ``class``, or yes or no (``binary``); for :func:`choose`
            also one answer on all options (``choice``).
        model: the name of the model, instead of ``WHYWIRE_CHAT_MODEL``.
        timeout: seconds that the endpoint may be silent.
        per_minute: the most requests a minute; unlimited by default.
        cache: the folder in which answers are kept; the user's cache folder by default.

    Raises:
        InputError: the environment names no endpoint or no model.
    """
    endpoint = replace(ChatEndpoint.from_environment(model), timeout=timeout, rate_limiter=RateLimiter(per_minute))
    completions = CompletionCache(Path(cache) if cache else default_cache_folder())
    return ChatJudge(CachedChatModel(endpoint, completions), PromptKind(form))


def to_pair(given: PairInput) -> EventPair:
    """The pair that a tuple or a row stands for.

    Raises:
        InputError: the cause or the effect is missing or empty, or the context is not a list of texts.
    """
    if isinstance(given, EventPair):
        return given
    row = given if isinstance(given, Mapping) else dict(zip(("cause", "effect"), given, strict=True))
    cause, effect = (_text(row.get(name), name) for name in ("cause", "effect"))
    return EventPair(cause, effect, _context(row), model_language(f"{cause} {effect}"))


def to_choice(given: ChoiceInput) -> Choice:
    """The choice that a tuple or a row stands for.

    Raises:
        InputError: the effect or the options are missing or empty, or the context is not a list of texts.
    """
    if isinstance(given, Choice):
        return given
    row = given if isinstance(given, Mapping) else dict(zip(("effect", "options"), given, strict=True))
    effect = _text(row.get("effect"), "effect")
    options = row.get("options")
    if not isinstance(options, list | tuple) or not options:
        raise InputError("options must be a list of events" if "options" in row else "there are no options")
    events = tuple(_text(option, f"option {number}") for number, option in enumerate(options))
    return Choice(effect, events, _context(row), model_language(" ".join([effect, *events])))


def _context(row: Mapping[str, Any]) -> tuple[str, ...]:
    context = row.get("context")
    if context is None:
        return ()
    if not isinstance(context, list | tuple) or not all(isinstance(text, str) for text in context):
        raise InputError("context must be a list of texts")
    return tuple(context)


def _text(value: object, name: str) -> str:
    if value is None:
        raise InputError(f"there is no {name}")
    if not isinstance(value, str):
        raise InputError(f"{name} must be a string")
    if not value.strip():
        raise InputError(f"the {name} is empty")
    return " ".join(value.split())
