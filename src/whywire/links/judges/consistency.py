"""Several questions about the causes of one effect, answered so that no two answers contradict each other.

A question alone says which of its options is the strongest. Questions that share their effect say more: an event
that cannot be a cause in one question is no cause in the others. This holds only where every question is known to
have an answer, as in a test or an annotation task; so the caller must ask for it, and a question alone is answered
by :mod:`whywire.links.judges.choosing`. The rules:

1. Options with the same words, in one question or in several of the same effect, are one event, with one strength
   and one answer.
2. Every question has a cause among its options, or offers "None of the others" as one. That option excludes the
   others of its question.
3. Of all answers that obey these rules the most probable is taken. Each event is a cause or not, independently, by
   its strength; an answer that "None of the others" fits counts as ``NONE_ODDS`` times as probable.

A contradiction is no worse than a wrong answer, but it shows that one of the two answers is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from whywire.links.judges.choosing import direct_causes
from whywire.links.judges.judge import Choice
from whywire.models.odds import log_odds

CAUSE_BY_ITSELF = 62.0
"""The strength from which an event is more probably a cause than not, whatever else is offered.

62, 73 and 82 give 94.2, 91.9 and 90.6 % of the task's score on the questions of event_causes (mean of 21 topics), and
82.5, 76.8 and 70.4 % on the three of them that the judge never saw: see docs/experiments/direct-causes.md."""

NONE_ODDS = 3.0
"""How much more probable "None of the others" is, where it is offered, than by the strengths alone.

Who offers it mostly has a reason. It is always right in event_causes, where 1 and 3 give 84.6 and 94.2 % and more
than 3 gains nothing. With 3 an event stronger than 83, of the class *high*, overrules it."""

MAX_EVENTS = 16
"""The most events of an effect whose combinations are all compared: 65,536 of them. Further, weaker events are
causes only where a question has no other. No effect of event_causes has more than 15.
"""

_NONE = re.compile(
    r"(?:none|neither) of (?:the|these|them|those)\b.*|none|no cause"
    r"|ничего из (?:этого|перечисленного|остального)\b.*|ни (?:один|одно|одна) из\b.*",
    re.IGNORECASE | re.DOTALL,
)

Booleans = NDArray[np.bool_]


def is_none_option(option: str) -> bool:
    """Whether an option says that no other is a cause, in English or Russian, instead of telling of an event."""
    words = option.strip().rstrip(".")
    return bool(_NONE.fullmatch(words)) and len(words.split()) <= _LONGEST_NONE


_LONGEST_NONE = 8
"""Most words of such an option: a report that begins with "None of the" is longer, or says of whom."""


def causes_alone(choice: Choice, strengths: Sequence[float]) -> frozenset[int]:
    """The indices of the options taken for direct causes in a question by itself; may be empty.

    "None of the others" is the only answer if it is more probable than that the strongest other option is a
    cause; its own strength counts for nothing.
    """
    none = {place for place, option in enumerate(choice.options) if is_none_option(option)}
    if not none:
        return direct_causes(strengths)
    events = [place for place in range(len(choice.options)) if place not in none]
    own = [strengths[place] for place in events]
    if max(_log_odds(own), default=0.0) <= np.log(NONE_ODDS):
        return frozenset(none)
    return frozenset(events[place] for place in direct_causes(own))


def causes_together(choices: Sequence[Choice], strengths: Sequence[Sequence[float]]) -> list[frozenset[int]]:
    """The indices of the options taken for direct causes in each question; none is empty where there are options.

    Args:
        choices: questions, of which those with the same effect are answered together; each has a right option.
        strengths: of the options of each, 0 to 100.
    """
    by_effect: dict[str, list[int]] = {}
    for number, choice in enumerate(choices):
        by_effect.setdefault(_key(choice.effect), []).append(number)
    answers: dict[int, frozenset[int]] = {}
    for numbers in by_effect.values():
        own = _of_one_effect([choices[number] for number in numbers], [strengths[number] for number in numbers])
        answers |= zip(numbers, own, strict=True)
    return [answers[number] for number in range(len(choices))]


def _of_one_effect(choices: Sequence[Choice], strengths: Sequence[Sequence[float]]) -> list[frozenset[int]]:
    judged: dict[str, list[float]] = {}
    offered: list[set[str]] = []
    for choice, own in zip(choices, strengths, strict=True):
        own_events: dict[str, float] = {}
        for option, strength in zip(choice.options, own, strict=True):
            if not is_none_option(option):
                own_events[_key(option)] = strength
        for event, strength in own_events.items():
            judged.setdefault(event, []).append(strength)
        offered.append(set(own_events))
    mean = {event: sum(found) / len(found) for event, found in judged.items()}
    ranked = sorted(mean, key=lambda event: (-mean[event], event))
    may_be_none = [any(map(is_none_option, choice.options)) for choice in choices]
    causes = _most_probable(ranked, mean, offered, may_be_none)
    for events, with_none in zip(offered, may_be_none, strict=True):
        if events and not with_none and not events & causes:
            causes.add(next(event for event in ranked if event in events))
    return [
        frozenset(
            place
            for place, option in enumerate(choice.options)
            if (not events & causes if is_none_option(option) else _key(option) in causes)
        )
        for choice, events in zip(choices, offered, strict=True)
    ]


def _most_probable(
    ranked: Sequence[str], strength: dict[str, float], offered: Sequence[set[str]], may_be_none: Sequence[bool]
) -> set[str]:
    """The events that are causes in the most probable answer, of the ``MAX_EVENTS`` strongest.

    Args:
        ranked: the events, the strongest first.
        offered: the events of each question.
        may_be_none: whether a question offers "None of the others".
    """
    compared = ranked[:MAX_EVENTS]
    weights = _log_odds([strength[event] for event in compared])
    answers: Booleans = (np.arange(2 ** len(compared))[:, None] >> np.arange(len(compared)) & 1).astype(bool)
    worth = answers @ weights
    for events, with_none in zip(offered, may_be_none, strict=True):
        places = [place for place, event in enumerate(compared) if event in events]
        has_cause = answers[:, places].any(axis=1)
        if with_none:
            worth = worth + np.where(has_cause, 0.0, np.log(NONE_ODDS))
        elif places:
            worth = np.where(has_cause, worth, -np.inf)
    best = answers[int(np.argmax(worth))]
    return {event for event, is_cause in zip(compared, best, strict=True) if is_cause}


def _log_odds(strengths: Sequence[float]) -> NDArray[np.float64]:
    """The log-odds that events of these strengths (0 to 100) are causes."""
    return log_odds(np.array(strengths) / 100) - log_odds(CAUSE_BY_ITSELF / 100)


def _key(words: str) -> str:
    """A key that is the same for the same words, whatever their case, spaces and full stop."""
    return " ".join(words.split()).rstrip(".").casefold()
