"""Rows of the API about campaigns of annotation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from whywire.annotation.campaigns import Estimate, PersonReport, Rules, Stage, Standing, Vote
from whywire.annotation.items import Item, Kind, Role
from whywire.annotation.rows import person_row, vote_row
from whywire.elements import StrengthClass
from whywire.graph.codec import Row
from whywire.news.times import utc_text
from whywire.store import Asked, ListedCampaign, NoItem

EXAMPLE_ITEM: Row = {
    "id": "p-1",
    "left_title": "Fire shuts the Calder Bay refinery",
    "right_title": "Fuel runs short in the north",
    "left_published": "2026-03-04T10:00:00Z",
    "right_published": "2026-03-05T09:00:00Z",
}
EXAMPLE_VOTE: Row = {
    "item": "p-1",
    "person": "Ann",
    "answer": {"relation": "left_right_cause"},
    "seconds": 12.5,
    "at": "2026-03-06T10:00:00Z",
}

GivenByRole = dict[Literal["training", "exam", "control"], int]


class CampaignRow(Struct):
    """A campaign, and how far it is."""

    id: str
    title: str
    kind: Kind
    language: Literal["en", "ru"]
    made: str
    rules: Rules
    guide: Annotated[str, Meta(description="What is added to the guidelines of the kind.")]
    open: Annotated[bool, Meta(description="Whether items are given out.")]
    items: int
    finished: Annotated[int, Meta(description="Items of work about which nobody else needs to be asked.")]
    answers: int
    people: int


class VoteRow(Struct):
    """An answer of a person."""

    item: str
    person: str
    answer: Annotated[dict[str, Any], Meta(description="In the form of the campaign's kind.")]
    seconds: Annotated[float, Meta(description="Between the item and the answer.")]
    at: str
    counted: Annotated[bool, Meta(description="False if the answers of the person were withdrawn.")]


class ItemAndVotes(Struct):
    """An item, and what everybody answered to it."""

    item: Annotated[dict[str, Any], Meta(description="With its gold answer, if it has one.")]
    votes: list[VoteRow]


class ResultRow(Struct):
    """What the answers to an item say."""

    item: str
    answer: Annotated[dict[str, Any] | None, Meta(description="Null without answers, and where labels tie.")]
    share: Annotated[float, Meta(description="How far the answers agree with it; of labels by the method; 0 to 1.")]
    agreed: Annotated[bool, Meta(description="Whether as many answers agree with it as the rules ask for.")]
    answers: int
    curated: Annotated[bool, Meta(description="Whether the curator decided.")]
    strength_class: Annotated[StrengthClass | None, Meta(description="Of the mean score.")]
    deviation: Annotated[float | None, Meta(description="The standard deviation of the scores.")]
    for_expert: Annotated[bool, Meta(description="Scores are spread around a bound of two classes.")]


class PersonRow(Struct):
    """What a person has done."""

    name: str
    stage: Stage
    given: Annotated[GivenByRole, Meta(description="Answers to items whose gold answer is known.")]
    right: GivenByRole
    worked: Annotated[int, Meta(description="Answers to items of work.")]
    seconds: Annotated[float, Meta(description="The median for an item.")]
    agreement: Annotated[
        float | None,
        Meta(description="Mean likeness to the answers of others, 0 to 1; null if nobody else answered."),
    ]
    excluded: Annotated[bool, Meta(description="Whether the answers do not count.")]
    last: Annotated[str | None, Meta(description="When the person last answered.")]


class EstimateRow(Struct):
    """What is left to do."""

    answers: Annotated[int, Meta(description="At most so many more, controls included.")]
    seconds: float
    pay: float


class People(Struct):
    """The people of a campaign, and what is left to do for them."""

    items: list[PersonRow]
    next: None
    estimate: EstimateRow


class Joined(Struct):
    """A person who joined."""

    name: str
    token: Annotated[str, Meta(description="For the header `X-Annotator`. Shown only now.")]


class StandingRow(Struct):
    """How far a person has come; controls look like work."""

    stage: Stage
    worked: int
    trained: Annotated[int, Meta(description="Answers to items of training.")]
    trained_right: int
    examined: Annotated[int, Meta(description="Answers to items of the exam.")]


class NextRow(Struct):
    """What a person is asked now."""

    item: Annotated[
        dict[str, Any] | None,
        Meta(description="Without gold answer and hint; `role` is `training`, `exam` or `work`."),
    ]
    number: Annotated[int, Meta(description="Of the item among those that the person was given, from 1.")]
    reason: Annotated[NoItem | None, Meta(description="Why there is no item.")]
    standing: StandingRow


class Answered(Struct):
    """What an answer is followed by; only training says anything."""

    right: bool | None
    gold: dict[str, Any] | None
    hint: str


class OwnVoteRow(Struct):
    """An answer of one's own."""

    item: str
    answer: dict[str, Any]
    seconds: float
    at: str


class Excluded(Struct):
    """Whether the answers of a person count."""

    name: str
    excluded: bool


class Erased(Struct):
    """Who was erased, and how many answers with them."""

    name: str
    answers: int


class Imported(Struct):
    """How many votes were new or changed."""

    changed: int


def campaign_row(listed: ListedCampaign) -> Row:
    """The row of a campaign (:class:`CampaignRow`)."""
    campaign = listed.campaign
    return {
        "id": campaign.id,
        "title": campaign.title,
        "kind": campaign.kind.value,
        "language": campaign.language,
        "made": utc_text(campaign.made),
        "rules": {name: getattr(campaign.rules, name) for name in Rules.__struct_fields__},
        "guide": campaign.guide,
        "open": campaign.open,
        "items": listed.items,
        "finished": listed.finished,
        "answers": listed.answers,
        "people": listed.people,
    }


def own_vote_row(vote: Vote) -> Row:
    """The row of a vote for whom it is of (:class:`OwnVoteRow`)."""
    row = vote_row(vote)
    return {name: row[name] for name in OwnVoteRow.__struct_fields__}


def people_answer(reports: Sequence[PersonReport], estimate: Estimate) -> Row:
    """The people of a campaign with what is left to do (:class:`People`)."""
    return {"items": [*map(person_row, reports)], "next": None, "estimate": msgspec.to_builtins(estimate)}


def next_row(asked: Asked) -> Row:
    """What a person is asked (:class:`NextRow`)."""
    return {
        "item": asked.item and asked.item.shown(),
        "number": asked.number,
        "reason": asked.reason and asked.reason.value,
        "standing": _standing_row(asked.standing),
    }


def answered_row(item: Item, answer: Any) -> Row:
    """What an answer is followed by (:class:`Answered`)."""
    if item.role is not Role.TRAINING:
        return {"right": None, "gold": None, "hint": ""}
    return {"right": item.is_right(answer), "gold": msgspec.to_builtins(item.right), "hint": item.hint}


def _standing_row(standing: Standing) -> Row:
    return {
        "stage": standing.stage.value,
        "worked": standing.worked + standing.given[Role.CONTROL],
        "trained": standing.given[Role.TRAINING],
        "trained_right": standing.right[Role.TRAINING],
        "examined": standing.given[Role.EXAM],
    }
