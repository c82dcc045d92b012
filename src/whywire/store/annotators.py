"""People who label: they join by a name, are asked, and answer; their answers count, or do not, or are erased.

Every change locks its campaign first, so two people never get the last place of one item, and nobody overwrites the
answer of another: a vote belongs to an item and a person.

An item that is given out is reserved for :data:`RESERVED_SECONDS`. An answer that comes later is kept as well, even
if others were asked in that person's place: an answer too many is better than one that is lost.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, exists, func, select, update

from whywire.annotation.campaigns import CURATOR, Campaign, Stage, Vote, next_item, standing
from whywire.annotation.items import Item, Role, answer_to
from whywire.errors import InputError
from whywire.store.campaigns import item as find_item
from whywire.store.campaigns import items as load_items
from whywire.store.campaigns import lock
from whywire.store.records import Annotator, AnswerRefusedError, Asked, NoItem
from whywire.store.rows import micros, moment, now
from whywire.store.schema import annotators, campaign_items, votes
from whywire.store.statements import upsert
from whywire.store.votes import all_votes, count_again, votes_on

MAX_PEOPLE = 10_000
"""The most people of a campaign."""

RESERVED_SECONDS = 1800.0

LOOKED_AT = 100
"""Open items of work, those with the highest priority first, among which a person's next one is."""

GOLD = (Role.TRAINING, Role.EXAM, Role.CONTROL)
"""The roles of items whose gold answer is known."""


def join(connection: Connection, campaign: str, name: str, hash: str) -> bool:  # noqa: A002
    """Let a person join under a name; return whether the name was free.

    Args:
        hash: of the token by which the person will be known.

    Raises:
        InputError: there is no such campaign, it has too many people, or the name is the curator's.
    """
    lock(connection, campaign)
    if name == CURATOR:
        raise InputError(f"the name {CURATOR} is for whoever decides", where="name", hint="choose another name")
    of_campaign = annotators.c.campaign == campaign
    if connection.execute(select(func.count()).select_from(annotators).where(of_campaign)).scalar_one() >= MAX_PEOPLE:
        raise InputError(f"a campaign has at most {MAX_PEOPLE:,} people")
    if connection.execute(select(annotators.c.name).where(*_is(campaign, name))).first():
        return False
    row = {"campaign": campaign, "name": name, "hash": hash, "joined": now(), "reserved_until": 0}
    connection.execute(annotators.insert(), [row])
    return True


def annotator(connection: Connection, campaign: str, hash: str) -> Annotator | None:  # noqa: A002
    """The person with a token of this hash; ``None`` if there is none."""
    wanted = select(annotators).where(annotators.c.campaign == campaign, annotators.c.hash == hash)
    row = connection.execute(wanted).first()
    return None if row is None else _annotator(row)


def all_annotators(connection: Connection, campaign: str) -> list[Annotator]:
    """The people of a campaign, by name."""
    rows = connection.execute(select(annotators).where(annotators.c.campaign == campaign).order_by(annotators.c.name))
    return [*map(_annotator, rows)]


def exclude(connection: Connection, campaign: str, name: str, *, excluded: bool = True) -> bool:
    """Let the answers of a person count no more, or count again; return whether there is such a person.

    A person whose answers do not count is asked nothing.
    """
    known = lock(connection, campaign)
    since = now() if excluded else None
    stays = annotators.c.excluded.is_not(None) if excluded else annotators.c.excluded.is_(None)
    connection.execute(update(annotators).where(*_is(campaign, name), ~stays).values(excluded=since))
    if not connection.execute(select(annotators.c.name).where(*_is(campaign, name))).first():
        return False
    count_again(connection, known, _answered(connection, campaign, name))
    return True


def erase(connection: Connection, campaign: str, name: str) -> bool:
    """Erase a person and all their answers; return whether there was such a person."""
    known = lock(connection, campaign)
    answered = _answered(connection, campaign, name)
    if not connection.execute(delete(annotators).where(*_is(campaign, name))).rowcount:
        return False
    count_again(connection, known, answered)
    return True


def ask(connection: Connection, campaign: str, person: str, *, seconds: float = RESERVED_SECONDS) -> Asked:
    """What a person is asked now; asked again before the answer, it is the same.

    Args:
        seconds: for how long nobody else is asked in the person's place.

    Raises:
        InputError: there is no such campaign or person.
    """
    known, me = lock(connection, campaign), _present(connection, campaign, person)
    gold = load_items(connection, campaign, roles=GOLD)
    own = all_votes(connection, campaign, person=person)
    reached = standing(known.rules, gold, own)
    item, reason = None, None
    if not known.open:
        reason = NoItem.CLOSED
    elif me.excluded is not None:
        reason = NoItem.EXCLUDED
    elif reached.stage is Stage.FAILED:
        reason = NoItem.FAILED
    else:
        given = find_item(connection, campaign, me.item) if me.item else None
        open_items = _open_items(connection, known, person)
        if given and (me.reserved_until > now() or given.role is not Role.WORK or given.id in open_items):
            item = given
        else:
            item = next_item(known, gold | open_items, person, own, open_items)
        if item is None:
            reason = NoItem.FINISHED
        else:
            reserved = {"item": item.id, "reserved_until": now(seconds)}
            connection.execute(update(annotators).where(*_is(campaign, person)).values(reserved))
    return Asked(item, len(own) + 1, reason, reached)


def answer(
    connection: Connection, campaign: str, item: str, person: str, given: object, seconds: float = 0.0
) -> Item:
    """Take the answer of a person; the same answer again changes nothing. Returns the item.

    Args:
        given: as JSON.
        seconds: between the item and the answer.

    Raises:
        InputError: there is no such campaign, item or person, or the answer does not fit the item.
        AnswerRefusedError: the item was not given to the person, or its answer cannot be changed any more.
    """
    known, me = lock(connection, campaign), _present(connection, campaign, person)
    asked = find_item(connection, campaign, item)
    if asked is None:
        raise InputError(f"there is no item {item}")
    answered = answer_to(asked, given)
    before = next(iter(all_votes(connection, campaign, person=person, item=item)), None)
    if before is not None and before.answer == answered:
        return asked
    if before is not None and asked.role is not Role.WORK:
        raise AnswerRefusedError("the first answer to this item stays")
    if before is None and me.item != item:
        raise AnswerRefusedError("this item was not given to you", hint="ask for the next one")
    vote = Vote(item=item, person=person, answer=answered, at=moment(now()), seconds=seconds)
    upsert(connection, votes, [_row(campaign, vote)])
    if me.item == item:
        connection.execute(update(annotators).where(*_is(campaign, person)).values(item=None, reserved_until=0))
    count_again(connection, known, [item])
    return asked


def import_votes(connection: Connection, campaign: str, given: Sequence[Vote]) -> int:
    """Take votes that were given elsewhere; return how many are new or changed.

    A vote replaces an imported one of the same person on the same item. A vote that does not count where it comes from
    is not taken, because here only the answers of a whole person can be withdrawn.

    Args:
        given: on items of the campaign.

    Raises:
        InputError: there is no such campaign, or too many people.
        AnswerRefusedError: a person who joined here would have another answer.
    """
    known = lock(connection, campaign)
    wanted = {(vote.item, vote.person): (number, vote) for number, vote in enumerate(given) if vote.counted}
    there = votes_on(connection, campaign, {vote.item for vote in given})
    before = {(vote.item, vote.person): vote.answer for vote in there}
    people = {person.name: person for person in all_annotators(connection, campaign)}
    changed = []
    for key, (number, vote) in wanted.items():
        if before.get(key) == vote.answer:
            continue
        if key in before and people[vote.person].hash is not None:
            message = f"{vote.person} answered otherwise in the browser"
            raise AnswerRefusedError(message, where=f"votes.{number}", hint="import it under another name")
        changed.append(vote)
    if missing := sorted({vote.person for vote in changed} - people.keys()):
        if len(people) + len(missing) > MAX_PEOPLE:
            raise InputError(f"a campaign has at most {MAX_PEOPLE:,} people")
        rows = [{"campaign": campaign, "name": name, "joined": now(), "reserved_until": 0} for name in missing]
        connection.execute(annotators.insert(), rows)
    upsert(connection, votes, [_row(campaign, vote) for vote in changed])
    count_again(connection, known, sorted({vote.item for vote in changed}))
    return len(changed)


def _answered(connection: Connection, campaign: str, name: str) -> Collection[str]:
    wanted = select(votes.c.item).where(votes.c.campaign == campaign, votes.c.person == name)
    return connection.execute(wanted).scalars().all()


def _is(campaign: str, name: str) -> list[ColumnElement[bool]]:
    return [annotators.c.campaign == campaign, annotators.c.name == name]


def _present(connection: Connection, campaign: str, name: str) -> Any:
    row = connection.execute(select(annotators).where(*_is(campaign, name))).first()
    if row is None:
        raise InputError(f"nobody here is called {name}")
    return row


def _open_items(connection: Connection, campaign: Campaign, person: str) -> dict[str, Item]:
    """Items of work that a person may be given, the first of them, by id."""
    holds = select(annotators.c.item, func.count().label("held")).where(
        annotators.c.campaign == campaign.id,
        annotators.c.name != person,
        annotators.c.item.is_not(None),
        annotators.c.reserved_until > now(),
        annotators.c.excluded.is_(None),
    )
    held = holds.group_by(annotators.c.item).subquery()
    own = exists().where(
        votes.c.campaign == campaign.id, votes.c.item == campaign_items.c.id, votes.c.person == person
    )
    chosen = (
        select(campaign_items.c.content)
        .outerjoin(held, held.c.item == campaign_items.c.id)
        .where(
            campaign_items.c.campaign == campaign.id,
            campaign_items.c.role == Role.WORK.value,
            ~campaign_items.c.finished,
            campaign_items.c.answers + func.coalesce(held.c.held, 0) < campaign.rules.overlap,
            ~own,
        )
        .order_by(campaign_items.c.rank, campaign_items.c.position)
        .limit(LOOKED_AT)
    )
    found = (msgspec.convert(row.content, campaign.kind.item_type) for row in connection.execute(chosen))
    return {item.id: item for item in found}


def _row(campaign: str, vote: Vote) -> dict[str, Any]:
    return {
        "campaign": campaign,
        "item": vote.item,
        "person": vote.person,
        "answer": msgspec.to_builtins(vote.answer),
        "seconds": vote.seconds,
        "at": micros(vote.at),
    }


def _annotator(row: Any) -> Annotator:
    excluded = None if row.excluded is None else moment(row.excluded)
    return Annotator(row.name, moment(row.joined), row.hash, excluded)
