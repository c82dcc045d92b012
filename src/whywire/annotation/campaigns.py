"""A campaign: items of one kind, the people who answer them, and the rules by which their answers are taken.

The rules follow the papers. HeadlineCause (section 3.2): training with hints, an exam, and control items among the
work; who falls below the thresholds is not asked any more, and each pair is answered by ten people. SemEval-2020
Task 5 (section 3.2) asks five, CRAB (appendix A.3) seven.

Everything is decided from values: nothing here knows where items and answers are kept.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from math import ceil
from statistics import median
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from whywire.annotation.answers import Answer, Name
from whywire.annotation.items import Item, Kind, Role, Time, answer_to
from whywire.errors import InputError

Share = Annotated[float, Meta(ge=0, le=1)]
Seconds = Annotated[float, Meta(ge=0, le=1e9)]

CURATOR = "curator"
"""The person whose answer decides, whatever the others say."""

OVERLAP: Mapping[Kind, int] = {
    Kind.RELATION: 10,
    Kind.GROUPING: 3,
    Kind.COUNTERFACTUAL: 5,
    Kind.SPANS: 2,
    Kind.STRENGTH: 7,
    Kind.GRAPH: 2,
}
"""How many people answer an item, as in the papers; two read a whole article."""


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """By which rules the answers of people are taken.

    Args:
        overlap: people who answer each item.
        agreed: the share of all answers that one label must have for the item to count as agreed; when the others
            cannot take it away any more, nobody else is asked.
        pass_training, pass_exam, pass_controls: the shares of right answers that a person must reach to be asked
            further.
        control_rate: the share of control items among those given out once a person has passed the exam.
        fewest_controls: answers to controls before they can exclude somebody.
        seconds: expected for an item, for the estimate; 0 for what people have needed so far.
        pay: for an item, in any currency, for the estimate.
    """

    overlap: Annotated[int, Meta(ge=1, le=100)] = 3
    agreed: Share = 0.7
    pass_training: Share = 0.7
    pass_exam: Share = 0.8
    pass_controls: Share = 0.8
    control_rate: Share = 0.1
    fewest_controls: Annotated[int, Meta(ge=1, le=1000)] = 5
    seconds: Seconds = 0.0
    pay: Annotated[float, Meta(ge=0, le=1e9)] = 0.0


class Campaign(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What people are asked to do.

    Args:
        guide: what is added to the guidelines of the kind.
        seed: of the order in which items are given out, which differs from person to person.
        open: whether items are given out.
    """

    id: str
    title: str
    kind: Kind
    language: Annotated[str, Meta(pattern="^(en|ru)$")]
    made: datetime
    rules: Rules = Rules()
    guide: str = ""
    seed: int = 0
    open: bool = True


class Vote(Struct, frozen=True, kw_only=True):
    """An answer of a person.

    Args:
        seconds: between the item and the answer.
        at: when it was given.
        counted: whether it counts; answers of somebody who was excluded do not.
    """

    item: Name
    person: Name
    answer: Answer
    at: datetime
    seconds: Seconds = 0.0
    counted: bool = True


class Stage(StrEnum):
    """How far a person has come."""

    TRAINING = "training"
    EXAM = "exam"
    WORK = "work"
    FAILED = "failed"
    """Below a threshold: not asked further."""


class Standing(Struct, frozen=True, kw_only=True):
    """How well a person has done.

    Args:
        given, right: answers, and right ones, to items of each role whose gold answer is known.
        worked: answers to items of work.
        seconds: the median for an item; 0 without answers.
        failed_at: the role at which the person fell below the threshold.
    """

    stage: Stage
    given: dict[Role, int]
    right: dict[Role, int]
    worked: int
    seconds: float
    failed_at: Role | None = None

    def accuracy(self, role: Role) -> float | None:
        """The share of right answers to items of a role; ``None`` without answers."""
        return self.right[role] / self.given[role] if self.given[role] else None


def standing(rules: Rules, items: Mapping[str, Item], votes: Iterable[Vote]) -> Standing:
    """How well a person has done.

    Args:
        items: of the campaign, by id; those of work may be left out.
        votes: of this person.
    """
    answered = {vote.item: vote for vote in votes}
    given, right = Counter[Role](), Counter[Role]()
    for vote in answered.values():
        item = items.get(vote.item)
        given[item.role if item else Role.WORK] += 1
        if item and item.is_right(vote.answer):
            right[item.role] += 1
    in_all = Counter(item.role for item in items.values())
    stage, failed_at = Stage.WORK, None
    for role, threshold in ((Role.TRAINING, rules.pass_training), (Role.EXAM, rules.pass_exam)):
        if given[role] < in_all[role]:
            stage = Stage(role.value)
            break
        if right[role] < threshold * in_all[role]:
            failed_at = role
            break
    controls = given[Role.CONTROL]
    if controls >= rules.fewest_controls and right[Role.CONTROL] < rules.pass_controls * controls:
        failed_at = failed_at or Role.CONTROL
    gold = (Role.TRAINING, Role.EXAM, Role.CONTROL)
    return Standing(
        stage=Stage.FAILED if failed_at else stage,
        given={role: given[role] for role in gold},
        right={role: right[role] for role in gold},
        worked=given[Role.WORK],
        seconds=median(vote.seconds for vote in answered.values()) if answered else 0.0,
        failed_at=failed_at,
    )


def rules_of(kind: Kind, row: Mapping[str, Any]) -> Rules:
    """The rules that a row of JSON holds; what it leaves out is as usual for the kind.

    Raises:
        InputError: a rule cannot be kept.
    """
    try:
        return msgspec.convert({"overlap": OVERLAP[kind], **row}, Rules)
    except msgspec.ValidationError as error:
        raise InputError(f"no rules: {error}", hint=f"known are {', '.join(Rules.__struct_fields__)}") from None


def vote_of(items: Mapping[str, Item], row: object, at: datetime) -> Vote:
    """The vote that a row of JSON holds.

    Args:
        items: of the campaign, by id.
        at: when it was given, if the row does not say.

    Raises:
        InputError: it holds none, there is no such item, or the answer does not fit it.
    """
    try:
        given = msgspec.convert(row, _VoteRow)
        at = (given.at or at).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise InputError(f"no vote: {error}") from None
    item = items.get(given.item)
    if item is None:
        raise InputError(f"there is no item {given.item!r}")
    answer = answer_to(item, given.answer)
    return Vote(
        item=item.id,
        person=given.person,
        answer=answer,
        at=at,
        seconds=given.seconds,
        counted=given.counted,
    )


class _VoteRow(Struct):
    """A row of votes."""

    item: Name
    person: Name
    answer: Any
    seconds: Seconds = 0.0
    at: Time | None = None
    counted: bool = True


def label_of(answer: Answer) -> Hashable:
    """An answer as a value that is equal for equal answers."""
    return msgspec.json.encode(answer)


def is_finished(rules: Rules, answers: Sequence[Answer]) -> bool:
    """Whether nobody else needs to be asked: enough have answered, or the rest cannot take the agreement away."""
    if len(answers) >= rules.overlap:
        return True
    leading = max(Counter(map(label_of, answers)).values(), default=0)
    return leading >= ceil(rules.agreed * rules.overlap) and leading > 1


def count_answers(rules: Rules, items: Iterable[str], votes: Iterable[Vote]) -> dict[str, tuple[int, bool]]:
    """How many answers of each item count, and whether nobody else needs to be asked.

    Args:
        items: their ids.
        votes: on these items.
    """
    answers: dict[str, list[Answer]] = {item: [] for item in items}
    decided = set()
    for vote in votes:
        if vote.counted and vote.person == CURATOR:
            decided.add(vote.item)
        elif vote.counted:
            answers[vote.item].append(vote.answer)
    return {item: (len(counted), item in decided or is_finished(rules, counted)) for item, counted in answers.items()}


def next_item(
    campaign: Campaign,
    items: Mapping[str, Item],
    person: str,
    own: Sequence[Vote],
    open_items: Iterable[str],
) -> Item | None:
    """The item that a person is asked next; ``None`` if there is none, or the person is not asked further.

    Items of training and of the exam come in the order of the campaign, work in that of priority and then in an order
    of the person's own. Controls take the place of work at the rate of the rules; where, nobody can foresee.

    Args:
        items: of the campaign, by id; those of work that are not open may be left out.
        own: the person's answers so far.
        open_items: ids of the items of work that still need answers.
    """
    if not campaign.open:
        return None
    now = standing(campaign.rules, items, own)
    answered = {vote.item for vote in own}
    if now.stage in (Stage.TRAINING, Stage.EXAM):
        return next(item for item in items.values() if item.role.value == now.stage.value and item.id not in answered)
    if now.stage is Stage.FAILED:
        return None

    def drawn(item: str, salt: str) -> bytes:
        return hashlib.sha256(f"{campaign.seed}\0{person}\0{salt}\0{item}".encode()).digest()

    work = [item for item in open_items if item not in answered and items[item].role is Role.WORK]
    if not work:
        return None
    controls = [item.id for item in items.values() if item.role is Role.CONTROL and item.id not in answered]
    number = now.worked + now.given[Role.CONTROL]
    luck = int.from_bytes(drawn(str(number), "control")[:8]) / 2**64
    if controls and luck < campaign.rules.control_rate:
        return items[min(controls, key=lambda item: drawn(item, "which"))]
    return items[min(work, key=lambda item: (-items[item].priority, drawn(item, "work")))]


class PersonReport(Struct, frozen=True, kw_only=True):
    """What a person has done.

    Args:
        given, right: answers, and right ones, to items of each role whose gold answer is known.
        worked: answers to items of work.
        seconds: the median for an item; 0 without answers.
        agreement: the mean likeness of the person's answers to those of others, 0 to 1.
        excluded: whether the answers do not count.
        last: when the person last answered.
    """

    name: str
    stage: Stage
    given: dict[Role, int]
    right: dict[Role, int]
    worked: int
    seconds: float
    agreement: float | None
    excluded: bool
    last: datetime | None


def report_people(
    rules: Rules,
    items: Mapping[str, Item],
    votes: Iterable[Vote],
    agreement: Mapping[str, float],
    people: Mapping[str, bool],
) -> list[PersonReport]:
    """What each person has done.

    Args:
        items: of the campaign, by id.
        agreement: of people with the others.
        people: whether each is excluded, by name.
    """
    own: dict[str, list[Vote]] = {name: [] for name in people}
    for vote in votes:
        own[vote.person].append(vote)
    reports = []
    for name, given in sorted(own.items()):
        now = standing(rules, items, given)
        reports.append(
            PersonReport(
                name=name,
                stage=now.stage,
                given=now.given,
                right=now.right,
                worked=now.worked,
                seconds=now.seconds,
                agreement=agreement.get(name),
                excluded=people[name],
                last=max((vote.at for vote in given), default=None),
            )
        )
    return reports


class Estimate(Struct, frozen=True, kw_only=True):
    """What is left to do.

    Args:
        answers: at most so many more; agreement may save some.
        seconds: of work for them.
        pay: for them.
    """

    answers: int
    seconds: float
    pay: float


def estimate(rules: Rules, items: Mapping[str, Item], votes: Sequence[Vote]) -> Estimate:
    """Estimate what is left to do.

    Args:
        items: of the campaign, by id.
        votes: on these items.
    """
    counts = count_answers(rules, items, votes)
    answered = {item: count for item, (count, done) in counts.items() if items[item].role is Role.WORK and not done}
    timed = [vote.seconds for vote in votes if vote.seconds]
    seconds = median(timed) if timed else 0.0
    missing = sum(max(0, rules.overlap - count) for count in answered.values())
    has_controls = any(item.role is Role.CONTROL for item in items.values())
    rate = rules.control_rate if has_controls and rules.control_rate < 1 else 0.0
    with_controls = ceil(missing / (1 - rate))
    return Estimate(
        answers=with_controls, seconds=with_controls * (rules.seconds or seconds), pay=with_controls * rules.pay
    )
