"""Routes of annotation: the owner of a campaign makes it and reads its results; annotators join, are asked, answer.

An annotator is known by a token in the header ``X-Annotator``, which no browser adds by itself.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from fastapi import APIRouter, Depends, Header, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from whywire.annotation.answers import Name
from whywire.annotation.campaigns import Campaign, estimate, report_people, rules_of, vote_of
from whywire.annotation.items import Item, Kind, answer_to, item_of
from whywire.annotation.results import Method, agreement, results
from whywire.annotation.rows import result_row, vote_row
from whywire.errors import InputError, escape_invisible
from whywire.service.access import PROBLEM_RESPONSES, READS, WRITES, take_rate
from whywire.service.campaign_rows import (
    EXAMPLE_ITEM,
    EXAMPLE_VOTE,
    Answered,
    CampaignRow,
    Erased,
    Excluded,
    Imported,
    ItemAndVotes,
    Joined,
    NextRow,
    OwnVoteRow,
    People,
    ResultRow,
    VoteRow,
    answered_row,
    campaign_row,
    next_row,
    own_vote_row,
    people_answer,
)
from whywire.service.context import Context, Service
from whywire.service.keys import hashed
from whywire.service.problems import ProblemError
from whywire.service.responses import TaggedRoute, json_answer, page_answer
from whywire.service.rows import PageOf
from whywire.service.v1.parameters import After, Id, Limit, body_of, described
from whywire.store import Annotator, AnswerRefusedError, ListedCampaign

router = APIRouter(route_class=TaggedRoute, prefix="/campaigns", tags=["annotation"])

MAX_TITLE_CHARS, MAX_GUIDE_CHARS, MAX_PERSON_CHARS, MAX_TOKEN_CHARS = 200, 20_000, 80, 200

MAX_AT_ONCE = 5_000
"""Items or votes of one request."""

JOIN_COST = 20
"""What joining costs, in plain requests, so that nobody takes all names."""

TOKEN_MARK, TOKEN_BYTES = "wa_", 32

T = TypeVar("T")

GivenTitle = Annotated[str, Field(min_length=1, max_length=MAX_TITLE_CHARS)]
Guide = Annotated[str, Field(max_length=MAX_GUIDE_CHARS, description="What is added to the guidelines of the kind.")]
GivenRules = Annotated[dict[str, Any], Field(description="Rules that differ from the usual ones of the kind.")]
GivenItems = Annotated[
    list[dict[str, Any]], Field(max_length=MAX_AT_ONCE, description="Items in the form of the kind.")
]

_CHANGED = PROBLEM_RESPONSES[404] | {"description": "Somebody answered otherwise already, or the name is taken."}
_CONFLICT: dict[int | str, Any] = {409: _CHANGED}
_ITEM = {key: value for key, value in EXAMPLE_ITEM.items() if key != "id"}


class CampaignGiven(BaseModel):
    """A campaign with its first items."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [
                {
                    "title": "Pairs of March",
                    "kind": "relation",
                    "language": "en",
                    "rules": {"overlap": 5, "control_rate": 0.1},
                    "items": [
                        EXAMPLE_ITEM,
                        {**_ITEM, "id": "t-1", "role": "training", "gold": {"relation": "left_right_cause"}},
                    ],
                }
            ]
        },
    )

    title: GivenTitle
    kind: Literal["relation", "grouping", "counterfactual", "spans", "strength", "graph"]
    language: Literal["en", "ru"]
    rules: GivenRules = {}
    guide: Guide = ""
    items: GivenItems


class CampaignChange(BaseModel):
    """What is to be changed about a campaign; what is left out stays."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"open": False}, {"rules": {"overlap": 3}}]}
    )

    title: GivenTitle | None = None
    guide: Guide | None = None
    rules: GivenRules | None = None
    open: bool | None = Field(None, description="Whether items are given out.")


class ItemsGiven(BaseModel):
    """Further items."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"items": [EXAMPLE_ITEM]}]}
    )

    items: GivenItems


class VotesGiven(BaseModel):
    """Votes that were given elsewhere."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"votes": [EXAMPLE_VOTE]}]}
    )

    votes: list[dict[str, Any]] = Field(
        max_length=MAX_AT_ONCE, description="With *item*, *person*, *answer*, and perhaps *seconds* and *at*."
    )


class PersonGiven(BaseModel):
    """A person who joins."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"examples": [{"name": "Ann"}]})

    name: str = Field(min_length=1, max_length=MAX_PERSON_CHARS, description="Any that is free.")


class AnswerGiven(BaseModel):
    """An answer."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"answer": {"relation": "left_right_cause"}, "seconds": 12.5}]},
    )

    answer: dict[str, Any] = Field(description="In the form of the campaign's kind.")
    seconds: float = Field(0.0, ge=0, le=1e9, description="Between the item and the answer.")


# What the owner of a campaign does.


@router.get("", dependencies=[READS], response_model=PageOf[CampaignRow])
def campaigns(request: Request, service: Service) -> Response:
    """All campaigns, the latest first."""
    return page_answer(request, [*map(campaign_row, service.store.campaigns())], None)


@router.post("", dependencies=[WRITES], response_model=CampaignRow, status_code=201, **described(CampaignGiven))
def make(service: Service, given: Annotated[CampaignGiven, body_of(CampaignGiven)]) -> Response:
    """Make a campaign.

    Items of `training` and `exam` come first and need a `gold` answer; items of `control` are mixed into the work.
    More items than a request may hold are added by further requests.
    """
    kind = Kind(given.kind)
    made = Campaign(
        id=f"t-{secrets.token_hex(6)}",
        title=_line(given.title, "title"),
        kind=kind,
        language=given.language,
        made=datetime.now(UTC),
        rules=_placed("rules", rules_of, kind, given.rules),
        guide=given.guide,
        seed=secrets.randbelow(2**31),
    )
    service.store.add_campaign(made, _items(kind, given.items))
    return json_answer(campaign_row(_found(service, made.id)), status=201)


@router.get("/{campaign_id}", dependencies=[READS], response_model=CampaignRow)
def campaign(service: Service, campaign_id: Id) -> Response:
    """One campaign."""
    return json_answer(campaign_row(_found(service, campaign_id)))


@router.patch("/{campaign_id}", dependencies=[WRITES], response_model=CampaignRow, **described(CampaignChange))
def change(service: Service, campaign_id: Id, given: Annotated[CampaignChange, body_of(CampaignChange)]) -> Response:
    """Give a campaign another title, guide or rules, close it or open it again."""
    known = _found(service, campaign_id).campaign
    rules = msgspec.to_builtins(known.rules) | (given.rules or {})
    changed = msgspec.structs.replace(
        known,
        title=known.title if given.title is None else _line(given.title, "title"),
        guide=known.guide if given.guide is None else given.guide,
        rules=_placed("rules", rules_of, known.kind, rules),
        open=known.open if given.open is None else given.open,
    )
    service.store.change_campaign(changed)
    return json_answer(campaign_row(_found(service, campaign_id)))


@router.delete("/{campaign_id}", dependencies=[WRITES], response_model=CampaignRow)
def remove(service: Service, campaign_id: Id) -> Response:
    """Remove a campaign with all its items, people and answers; the answer is the campaign that was removed."""
    row = campaign_row(_found(service, campaign_id))
    service.store.remove_campaign(campaign_id)
    return json_answer(row)


@router.get("/{campaign_id}/items", dependencies=[WRITES], response_model=PageOf[dict[str, Any]])
def items(request: Request, service: Service, campaign_id: Id, after: After = None, limit: Limit = 50) -> Response:
    """The items of a campaign with their gold answers."""
    _found(service, campaign_id)
    page = service.store.items_page(campaign_id, after=after, limit=limit)
    return page_answer(request, [msgspec.to_builtins(item) for item in page.items], page.next)


@router.post("/{campaign_id}/items", dependencies=[WRITES], response_model=CampaignRow, **described(ItemsGiven))
def add_items(service: Service, campaign_id: Id, given: Annotated[ItemsGiven, body_of(ItemsGiven)]) -> Response:
    """Add items to a campaign."""
    known = _found(service, campaign_id).campaign
    service.store.add_items(campaign_id, _items(known.kind, given.items))
    return json_answer(campaign_row(_found(service, campaign_id)))


@router.get("/{campaign_id}/items/{item_id:id}", dependencies=[WRITES], response_model=ItemAndVotes)
def item_and_votes(service: Service, campaign_id: Id, item_id: Id) -> Response:
    """An item with its gold answer, and what everybody answered to it."""
    _found(service, campaign_id)
    item = service.store.item(campaign_id, item_id)
    if item is None:
        raise ProblemError(404, f"there is no item {item_id}")
    given = service.store.votes(campaign_id, item=item_id)
    return json_answer({"item": msgspec.to_builtins(item), "votes": [*map(vote_row, given)]})


@router.get("/{campaign_id}/votes", dependencies=[WRITES], response_model=PageOf[VoteRow])
def votes(request: Request, service: Service, campaign_id: Id, after: After = None, limit: Limit = 50) -> Response:
    """What everybody answered, by item and person."""
    _found(service, campaign_id)
    page = service.store.votes_page(campaign_id, after=after, limit=limit)
    return page_answer(request, [*map(vote_row, page.items)], page.next)


@router.post(
    "/{campaign_id}/votes",
    dependencies=[WRITES],
    response_model=Imported,
    **described(VotesGiven, _CONFLICT),
)
def import_votes(service: Service, campaign_id: Id, given: Annotated[VotesGiven, body_of(VotesGiven)]) -> Response:
    """Take votes that were given elsewhere, such as on a sheet; all of them or none.

    A vote replaces an imported one of the same person on the same item. The answer of the person `curator` decides.
    """
    _found(service, campaign_id)
    known, now = service.store.items(campaign_id), datetime.now(UTC)
    taken = [_placed(f"votes.{number}", vote_of, known, row, now) for number, row in enumerate(given.votes)]
    return json_answer({"changed": _unrefused(service.store.import_votes, campaign_id, taken)})


@router.get("/{campaign_id}/results", dependencies=[WRITES], response_model=PageOf[ResultRow])
def show_results(
    request: Request,
    service: Service,
    campaign_id: Id,
    method: Annotated[Method, Query(description="How labels are decided.")] = Method.MAJORITY,
) -> Response:
    """What the answers to each item of work say, in the order of the campaign."""
    known = _found(service, campaign_id).campaign
    with service.store.snapshot() as store:
        asked, given = store.items(campaign_id), store.votes(campaign_id)
    rows = [*map(result_row, results(known.kind, known.rules, asked, given, method))]
    return page_answer(request, rows, None)


@router.get("/{campaign_id}/people", dependencies=[WRITES], response_model=People)
def people(service: Service, campaign_id: Id) -> Response:
    """What each person has done, and what is left to do."""
    known = _found(service, campaign_id).campaign
    with service.store.snapshot() as store:
        asked, given, named = store.items(campaign_id), store.votes(campaign_id), store.annotators(campaign_id)
    alike = agreement(known.kind, asked, given).by_person
    excluded = {person.name: person.excluded is not None for person in named}
    reports = report_people(known.rules, asked, given, alike, excluded)
    return json_answer(people_answer(reports, estimate(known.rules, asked, given)))


@router.post("/{campaign_id}/people/{name:id}/withdraw", dependencies=[WRITES], response_model=Excluded)
def withdraw(service: Service, campaign_id: Id, name: Id) -> Response:
    """Let the answers of a person count no more; the person is asked nothing further."""
    return _excluded(service, campaign_id, name, excluded=True)


@router.post("/{campaign_id}/people/{name:id}/restore", dependencies=[WRITES], response_model=Excluded)
def restore(service: Service, campaign_id: Id, name: Id) -> Response:
    """Let the answers of a person count again."""
    return _excluded(service, campaign_id, name, excluded=False)


# What annotators do.


@router.post(
    "/{campaign_id}/people",
    dependencies=[READS],
    response_model=Joined,
    status_code=201,
    **described(PersonGiven, _CONFLICT),
)
def join(
    request: Request, service: Service, campaign_id: Id, given: Annotated[PersonGiven, body_of(PersonGiven)]
) -> Response:
    """Join a campaign under a name of one's choice."""
    _found(service, campaign_id)
    take_rate(request, cost=JOIN_COST)
    name = _placed("name", msgspec.convert, _line(given.name, "name"), Name)
    token = TOKEN_MARK + secrets.token_urlsafe(TOKEN_BYTES)
    if not service.store.join_campaign(campaign_id, name, hashed(token)):
        raise ProblemError(409, f"somebody is called {name} already; choose another name")
    return json_answer({"name": name, "token": token}, status=201)


def _known_annotator(
    service: Service,
    campaign_id: Id,
    token: Annotated[
        str, Header(alias="X-Annotator", max_length=MAX_TOKEN_CHARS, description="The token of who joined.")
    ],
) -> Annotator:
    """The person whose token a request has."""
    person: Annotator | None = service.store.annotator(campaign_id, hashed(token))
    if person is None:
        _found(service, campaign_id)
        challenge = {"www-authenticate": "X-Annotator"}  # a browser asks for no password
        raise ProblemError(401, "nobody of this campaign has this token", headers=challenge)
    return person


Person = Annotated[Annotator, Depends(_known_annotator)]


@router.get("/{campaign_id}/next", dependencies=[READS], response_model=NextRow)
def ask(service: Service, campaign_id: Id, person: Person) -> Response:
    """What the person is asked now: the same item until it is answered; reserved for half an hour."""
    return json_answer(next_row(service.store.ask_annotator(campaign_id, person.name)))


@router.get("/{campaign_id}/answers", dependencies=[READS], response_model=PageOf[OwnVoteRow])
def own_answers(request: Request, service: Service, campaign_id: Id, person: Person) -> Response:
    """What the person answered."""
    own = service.store.votes(campaign_id, person=person.name)
    return page_answer(request, [*map(own_vote_row, own)], None)


@router.put(
    "/{campaign_id}/answers/{item_id:id}",
    dependencies=[READS],
    response_model=Answered,
    **described(AnswerGiven, _CONFLICT),
)
def take_answer(
    service: Service,
    campaign_id: Id,
    item_id: Id,
    person: Person,
    given: Annotated[AnswerGiven, body_of(AnswerGiven)],
) -> Response:
    """Answer the item that one was asked, or answer an item of work anew.

    The same answer again changes nothing. The first answer to training, the exam and controls stays (409). Only
    training says whether the answer is right.
    """
    item = service.store.item(campaign_id, item_id)
    if item is None:
        raise ProblemError(404, f"there is no item {item_id}")
    answer = _placed("answer", answer_to, item, given.answer)
    _unrefused(service.store.take_answer, campaign_id, item_id, person.name, given.answer, given.seconds)
    return json_answer(answered_row(item, answer))


@router.delete("/{campaign_id}/people/me", dependencies=[READS], response_model=Erased)
def erase(service: Service, campaign_id: Id, person: Person) -> Response:
    """Erase oneself and all one's answers."""
    answers = len(service.store.votes(campaign_id, person=person.name))
    service.store.erase_annotator(campaign_id, person.name)
    return json_answer({"name": person.name, "answers": answers})


def _found(service: Context, campaign_id: str) -> ListedCampaign:
    listed: ListedCampaign | None = service.store.campaign(campaign_id)
    if listed is None:
        raise ProblemError(404, f"there is no campaign {campaign_id}")
    return listed


def _excluded(service: Context, campaign_id: str, name: str, *, excluded: bool) -> Response:
    _found(service, campaign_id)
    if not service.store.exclude_annotator(campaign_id, name, excluded=excluded):
        raise ProblemError(404, f"nobody in this campaign is called {name}")
    return json_answer({"name": name, "excluded": excluded})


def _items(kind: Kind, rows: Sequence[Mapping[str, Any]]) -> list[Item]:
    return [_placed(f"items.{number}", item_of, kind, row) for number, row in enumerate(rows)]


def _placed(where: str, make: Callable[..., T], *arguments: Any) -> T:
    """What a function makes; an error names the place in the request."""
    try:
        return make(*arguments)
    except InputError as error:
        raise InputError(error.message, where=where, hint=error.hint) from None
    except msgspec.ValidationError as error:
        raise InputError(str(error), where=where) from None


def _unrefused(take: Callable[..., T], *arguments: Any) -> T:
    """What a method of the store returns; a refused answer is a conflict."""
    try:
        return take(*arguments)
    except AnswerRefusedError as error:
        raise ProblemError(409, str(error)) from None


def _line(text: str, where: str) -> str:
    """Return a text in one line.

    Raises:
        InputError: it is blank, or holds characters that nobody sees.
    """
    line = " ".join(text.split())
    if not line:
        raise InputError("it is blank", where=where)
    if escape_invisible(line) != line:
        raise InputError("it holds invisible characters", where=where)
    return line
