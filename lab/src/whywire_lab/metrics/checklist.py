"""Behavioural tests of a model of headline pairs (CheckList, Ribeiro et al. 2020; HeadlineCause 2021, table 7).

A test has one of three types: a change that must leave the relation as it is (invariance, INV), a change that must
mirror it (directional expectation, DIR), and a pair whose relation everybody agrees on (minimum functionality, MFT).
The score is the failure rate. INV and DIR compare two answers, and do not ask whether they are right. The paper's
rates are those of three classes, in which *same event* and no relation are one, and a refutation counts as a cause.

A case is a line of JSON::

    {"test": "typos", "type": "INV", "left": "…", "right": "…", "change": "typo"}
    {"test": "swapped causes", "type": "DIR", "left": "…", "right": "…", "change": "swap"}
    {"test": "paraphrase", "type": "INV", "left": "…", "right": "…", "change": {"right": "in other words"}}
    {"test": "refutations", "type": "MFT", "left": "…", "right": "…", "expect": "left_right_refute"}
    {"test": "other places", "type": "MFT", "left": "…", "right": "…", "not": ["same_event"], "note": "why"}
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whywire.errors import InputError
from whywire.news import Problem
from whywire.news.row_files import read_json_lines
from whywire.news.text_files import decode, open_bytes
from whywire.pairs.relations import CAUSALITIES, MIRROR, RELATIONS, Relation, class_of, column, most_likely
from whywire.pairs.reports import TextPair

RelationFunction = Callable[[list[TextPair]], NDArray[np.float64]]
"""From pairs of headlines to the probabilities (pairs, 7) of the relations, in the order of ``RELATIONS``."""

LONG_WORD = re.compile(r"[^\W\d_]{5,}")
"""Words that stay readable with a typo; in a short one (*not*, *no*, «не») it would change the meaning."""

FIELDS = ("test", "type", "left", "right", "change", "expect", "not", "note")


class CaseType(StrEnum):
    """What a test asks of a model."""

    INV = "INV"
    """A change must leave the relation as it is."""
    DIR = "DIR"
    """A change must turn the relation into its mirror."""
    MFT = "MFT"
    """The relation must be one of the expected."""


@dataclass(frozen=True, slots=True)
class Case:
    """A case of a test.

    Args:
        place: where it was read, ``file:line``.
        test: the name of the test it belongs to.
        changed: the pair that must be answered alike (INV), or the other way round (DIR); none in an MFT.
        allowed: the relations that are right; all of them except in an MFT.
        note: the reason, in the words of the case's author.
    """

    place: str
    test: str
    type: CaseType
    pair: TextPair
    changed: TextPair | None = None
    allowed: tuple[Relation, ...] = RELATIONS
    note: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A model's answers to a case: the relation of the pair, and of the changed pair if there is one."""

    case: Case
    found: Relation
    after: Relation | None

    @property
    def passing(self) -> tuple[Relation, ...]:
        """The answers that would have passed, of the changed pair where there is one."""
        if self.case.type is CaseType.INV:
            return (self.found,)
        if self.case.type is CaseType.DIR:
            return (RELATIONS[MIRROR[column(self.found)]],)
        return self.case.allowed

    @property
    def failed(self) -> bool:
        """Whether the last answer is none of the passing ones."""
        return (self.after or self.found) not in self.passing

    @property
    def failed_in_three(self) -> bool | None:
        """Whether the class of the last answer is that of no passing one; ``None`` where every class passes.

        A relation is in its model's most likely class (:func:`whywire.pairs.relations.most_likely`).
        """
        passing = {class_of(relation) for relation in self.passing}
        return None if len(passing) == len(CAUSALITIES) else class_of(self.after or self.found) not in passing


@dataclass(frozen=True, slots=True)
class CaseResults:
    """A model's outcomes in one test."""

    test: str
    type: CaseType
    outcomes: tuple[Outcome, ...]

    @property
    def failures(self) -> tuple[Outcome, ...]:
        """The cases that failed, in their order."""
        return tuple(outcome for outcome in self.outcomes if outcome.failed)

    @property
    def rate(self) -> float:
        """The share of cases that failed, 0 to 1."""
        return len(self.failures) / len(self.outcomes)

    @property
    def in_three(self) -> tuple[int, int]:
        """The number of cases that failed in three classes, and of those that can."""
        asked = [outcome.failed_in_three for outcome in self.outcomes if outcome.failed_in_three is not None]
        return sum(asked), len(asked)

    @property
    def rate_in_three(self) -> float | None:
        """The share of cases that failed in three classes, 0 to 1; ``None`` where none can."""
        failed, asked = self.in_three
        return failed / asked if asked else None


def run_checklist(cases: Sequence[Case], judge: RelationFunction) -> list[CaseResults]:
    """Run the model on all pairs at once; results by test, in the order of their first cases.

    Raises:
        ValueError: the judge does not answer seven probabilities a pair.
    """
    pairs = [case.pair for case in cases] + [case.changed for case in cases if case.changed]
    probabilities = judge(pairs)
    if probabilities.shape != (len(pairs), len(RELATIONS)):
        raise ValueError(
            f"{len(pairs)} pairs need answers of shape ({len(pairs)}, {len(RELATIONS)}), not {probabilities.shape}"
        )
    answers = [most_likely(row) for row in probabilities]
    after = iter(answers[len(cases) :])
    tests: dict[str, list[Outcome]] = {}
    for case, found in zip(cases, answers, strict=False):
        outcome = Outcome(case, found, next(after) if case.changed else None)
        tests.setdefault(case.test, []).append(outcome)
    return [CaseResults(test, outcomes[0].case.type, tuple(outcomes)) for test, outcomes in tests.items()]


def read_cases(paths: Sequence[Path], *, seed: int = 0) -> list[Case]:
    """Read the cases of files, in order; a test may go on in another file.

    Args:
        seed: of the places of typos.

    Raises:
        InputError: a file cannot be read, a line is no case, a test has two types, or there is no case at all.
    """
    cases: list[Case] = []
    types: dict[str, Case] = {}
    for path in paths:
        for place, row in _rows(path):
            try:
                case = _case(place, row, seed)
            except InputError as error:
                raise InputError(error.message, where=place, hint=error.hint) from error
            first = types.setdefault(case.test, case)
            if case.type is not first.type:
                raise InputError(
                    f"the test {case.test!r} is {case.type} here and {first.type} at {first.place}",
                    where=place,
                    hint="give one of them another name",
                )
            cases.append(case)
    if not cases:
        raise InputError("there are no cases", where=", ".join(map(str, paths)))
    return cases


def with_typo(pair: TextPair, seed: int = 0) -> TextPair:
    """The pair with one typo in one of its titles: a letter left out, or two swapped, inside a longer word.

    The place of the typo depends on the pair and the seed alone, so it is the same on every machine.

    Raises:
        InputError: neither title has a word of five letters.
    """
    left, right = pair
    slips = [(slip, right) for slip in _typos(left)] + [(left, slip) for slip in _typos(right)]
    if not slips:
        raise InputError("no word is long enough for a typo", hint="one needs five letters")
    digest = hashlib.blake2b("\n".join((str(seed), left, right)).encode(), digest_size=8).digest()
    return slips[int.from_bytes(digest) % len(slips)]


def _typos(title: str) -> Iterator[str]:
    """The title with each possible typo; a word keeps its first letter and its last."""
    for word in LONG_WORD.finditer(title):
        for at in range(word.start() + 1, word.end() - 1):
            yield title[:at] + title[at + 1 :]
            if at + 2 < word.end() and title[at] != title[at + 1]:
                yield title[:at] + title[at + 1] + title[at] + title[at + 2 :]


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    with decode(open_bytes(path)) as lines:
        for row in read_json_lines(lines, str(path)):
            if isinstance(row, Problem):
                raise InputError(row.reason, where=row.place)
            if not isinstance(row.value, dict):
                raise InputError("a case must be a JSON object", where=row.place)
            yield row.place, row.value


def _case(place: str, row: Mapping[str, Any], seed: int) -> Case:
    unknown = [name for name in row if name not in FIELDS]
    if unknown:
        raise InputError(f"there is no field {unknown[0]!r}", hint=f"a case has {', '.join(FIELDS)}")
    test, kind, pair = _text(row, "test"), _type(row), (_text(row, "left"), _text(row, "right"))
    note = _text(row, "note") if "note" in row else ""
    wrong = [name for name in (("change",) if kind is CaseType.MFT else ("expect", "not")) if name in row]
    if wrong:
        raise InputError(f"{kind} has no {wrong[0]!r}", hint="INV and DIR have 'change'; MFT has 'expect' or 'not'")
    if kind is CaseType.MFT:
        return Case(place, test, kind, pair, allowed=_allowed(row), note=note)
    return Case(place, test, kind, pair, changed=_changed(row, kind, pair, seed), note=note)


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{name!r} must be a text" if name in row else f"there is no {name!r}")
    return " ".join(value.split())


def _type(row: Mapping[str, Any]) -> CaseType:
    name = _text(row, "type")
    if name not in tuple(CaseType):
        raise InputError(f"there is no type {name!r}", hint=f"known are {', '.join(CaseType)}")
    return CaseType(name)


def _changed(row: Mapping[str, Any], kind: CaseType, pair: TextPair, seed: int) -> TextPair:
    change = row.get("change")
    if change == "swap":
        return pair[1], pair[0]
    if change == "typo" and kind is CaseType.INV:
        return with_typo(pair, seed)
    if not isinstance(change, dict) or not change or not set(change) <= {"left", "right"}:
        raise InputError(
            f"'change' must say how the pair is changed, not {change!r}"
            if "change" in row
            else "there is no 'change'",
            hint='"typo" (INV only), "swap", or new titles: {"left": …}, {"right": …} or both',
        )
    left, right = (_text({**row, **change}, side) for side in ("left", "right"))
    return left, right


def _allowed(row: Mapping[str, Any]) -> tuple[Relation, ...]:
    if ("expect" in row) == ("not" in row):
        raise InputError("MFT needs 'expect' or 'not', and not both")
    name = "expect" if "expect" in row else "not"
    listed = row[name] if isinstance(row[name], list) else [row[name]]
    unknown = [relation for relation in listed if relation not in RELATIONS]
    if unknown or not listed:
        raise InputError(
            f"there is no relation {unknown[0]!r}" if unknown else f"{name!r} names no relation",
            hint=f"known are {', '.join(RELATIONS)}",
        )
    return tuple(relation for relation in RELATIONS if (relation in listed) == (name == "expect"))
