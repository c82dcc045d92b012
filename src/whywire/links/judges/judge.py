"""The judge of direct causes: what it is asked and what it answers (CRAB: Romanou et al., 2023, sections 3 and 4).

A judgement that could not be had is never a strength of zero: it is a ``NoScore`` that says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from whywire.news import Language


@dataclass(frozen=True, slots=True)
class EventPair:
    """A possible cause and its effect, with the documents that report them.

    Args:
        context: texts of the documents that mention them: one if both stand in the same document, two or more across
            documents, none if unknown.
    """

    cause: str
    effect: str
    context: tuple[str, ...] = ()
    language: Language = Language.ENGLISH


@dataclass(frozen=True, slots=True)
class Choice:
    """An event, and one or more options: events that may have caused it."""

    effect: str
    options: tuple[str, ...]
    context: tuple[str, ...] = ()
    language: Language = Language.ENGLISH

    def pairs(self) -> list[EventPair]:
        """Each option with the effect, in their order."""
        return [EventPair(option, self.effect, self.context, self.language) for option in self.options]


@dataclass(frozen=True, slots=True)
class NoScore:
    """A missing judgement, and why it is missing."""

    reason: str


class Judge(Protocol):
    """Says how strongly events caused events, each from 0 to 100 on CRAB's scale."""

    def score(self, pairs: Sequence[EventPair]) -> list[float | NoScore]:
        """How strongly each cause led to its effect."""
        ...

    def weigh(self, choices: Sequence[Choice]) -> list[list[float] | NoScore]:
        """How strongly each option of each choice led to the effect."""
        ...


def weigh_by_pairs(judge: Judge, choices: Sequence[Choice]) -> list[list[float] | NoScore]:
    """Choices judged option by option; where one option is unjudged, so is the choice."""
    strengths = iter(judge.score([pair for choice in choices for pair in choice.pairs()]))
    return [_all_judged([next(strengths) for _ in choice.options]) for choice in choices]


T = TypeVar("T")


def _all_judged(found: Sequence[T | NoScore]) -> list[T] | NoScore:
    judged: list[T] = []
    for one in found:
        if isinstance(one, NoScore):
            return one
        judged.append(one)
    return judged


class Ensemble:
    """Several judges: the mean of their strengths.

    Where one of them has no judgement there is none: a mean of the others would not be comparable from row to row.
    """

    def __init__(self, judges: Sequence[Judge]) -> None:
        self.judges = judges

    def score(self, pairs: Sequence[EventPair]) -> list[float | NoScore]:
        """How strongly each cause led to its effect."""
        opinions = zip(*(judge.score(pairs) for judge in self.judges), strict=True)
        return [_mean(_all_judged(each)) for each in opinions]

    def weigh(self, choices: Sequence[Choice]) -> list[list[float] | NoScore]:
        """How strongly each option of each choice led to the effect."""
        opinions = zip(*(judge.weigh(choices) for judge in self.judges), strict=True)
        return [_mean_rows(_all_judged(each)) for each in opinions]


def _mean(strengths: list[float] | NoScore) -> float | NoScore:
    return strengths if isinstance(strengths, NoScore) else sum(strengths) / len(strengths)


def _mean_rows(rows: list[list[float]] | NoScore) -> list[float] | NoScore:
    if isinstance(rows, NoScore):
        return rows
    return [sum(column) / len(column) for column in zip(*rows, strict=True)]
