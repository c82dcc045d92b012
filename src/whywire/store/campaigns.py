"""Campaigns of annotation and their items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, delete, func, select, update

from whywire.annotation.campaigns import Campaign
from whywire.annotation.items import Item, Kind, Role
from whywire.errors import InputError
from whywire.store.cursors import page_of
from whywire.store.records import ListedCampaign, Page
from whywire.store.rows import micros, moment
from whywire.store.schema import annotators, campaign_items, campaigns, votes
from whywire.store.statements import rows_among
from whywire.store.votes import count_again

MAX_CAMPAIGNS = 1_000
MAX_ITEMS = 100_000
"""The most items of a campaign."""


def add(connection: Connection, campaign: Campaign, items: Sequence[Item]) -> None:
    """Add a campaign with its items.

    Raises:
        InputError: there are too many, or two items have one id.
    """
    if connection.execute(select(func.count()).select_from(campaigns)).scalar_one() >= MAX_CAMPAIGNS:
        raise InputError(f"there are {MAX_CAMPAIGNS:,} campaigns", hint="remove one that nobody needs")
    connection.execute(campaigns.insert(), [{"id": campaign.id, **_changeable(campaign), **_fixed(campaign)}])
    add_items(connection, campaign.id, items)


def all_campaigns(connection: Connection) -> list[ListedCampaign]:
    """All campaigns, the latest first."""
    return _listed(connection, select(campaigns).order_by(campaigns.c.made.desc(), campaigns.c.id))


def find(connection: Connection, id: str) -> ListedCampaign | None:  # noqa: A002
    """The campaign with this id; ``None`` if there is none."""
    return next(iter(_listed(connection, select(campaigns).where(campaigns.c.id == id))), None)


def change(connection: Connection, campaign: Campaign) -> bool:
    """Give a campaign another title, guide or rules, close or open it; return whether there is one."""
    changed = update(campaigns).where(campaigns.c.id == campaign.id).values(_changeable(campaign))
    if not connection.execute(changed).rowcount:
        return False
    count_again(connection, campaign)
    return True


def remove(connection: Connection, id: str) -> bool:  # noqa: A002
    """Remove a campaign with all its items, people and answers; return whether there was one."""
    return bool(connection.execute(delete(campaigns).where(campaigns.c.id == id)).rowcount)


def add_items(connection: Connection, campaign: str, items: Sequence[Item]) -> None:
    """Add items to a campaign, at its end.

    Raises:
        InputError: there is no such campaign, it would have too many items, or two would have one id.
    """
    lock(connection, campaign)
    there = connection.execute(
        select(func.count()).select_from(campaign_items).where(campaign_items.c.campaign == campaign)
    ).scalar_one()
    if there + len(items) > MAX_ITEMS:
        raise InputError(f"a campaign has at most {MAX_ITEMS:,} items", hint="make another one of the rest")
    names = [item.id for item in items]
    of_campaign = select(campaign_items.c.id).where(campaign_items.c.campaign == campaign)
    twice = [row.id for row in rows_among(connection, of_campaign, campaign_items.c.id, names)]
    twice += [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(f"two items have the id {twice[0]!r}", where=f"items.{names.index(twice[0])}")
    rows = [
        {
            "campaign": campaign,
            "id": item.id,
            "position": position,
            "role": item.role.value,
            "rank": -item.priority,
            "content": msgspec.to_builtins(item),
            "answers": 0,
            "finished": False,
        }
        for position, item in enumerate(items, there)
    ]
    if rows:
        connection.execute(campaign_items.insert(), rows)


def items(connection: Connection, campaign: str, *, roles: Collection[Role] = tuple(Role)) -> dict[str, Item]:
    """The items of a campaign in its order, by id.

    Args:
        roles: only items for this.
    """
    wanted = select(campaign_items.c.content, campaigns.c.kind).join(campaigns)
    of_roles = campaign_items.c.role.in_([role.value for role in roles])
    rows = connection.execute(
        wanted.where(campaign_items.c.campaign == campaign, of_roles).order_by(campaign_items.c.position)
    )
    return {item.id: item for item in map(_item, rows)}


def items_page(connection: Connection, campaign: str, *, after: str | None = None, limit: int = 50) -> Page[Item]:
    """A page of the items of a campaign in its order."""
    wanted = select(campaign_items.c.content, campaign_items.c.position, campaigns.c.kind).join(campaigns)
    keys = [(campaign_items.c.position, False)]
    chosen = wanted.where(campaign_items.c.campaign == campaign)
    return page_of(connection, chosen, keys, after=after, limit=limit, make=lambda rows: [*map(_item, rows)])


def item(connection: Connection, campaign: str, id: str) -> Item | None:  # noqa: A002
    """An item of a campaign; ``None`` if there is none."""
    wanted = select(campaign_items.c.content, campaigns.c.kind).join(campaigns)
    row = connection.execute(wanted.where(campaign_items.c.campaign == campaign, campaign_items.c.id == id)).first()
    return None if row is None else _item(row)


def lock(connection: Connection, campaign: str) -> Campaign:
    """The campaign, which nobody else changes or answers until the transaction ends.

    Raises:
        InputError: there is no such campaign.
    """
    row = connection.execute(select(campaigns).where(campaigns.c.id == campaign).with_for_update()).first()
    if row is None:
        raise InputError(f"there is no campaign {campaign}")
    return _campaign(row)


def _listed(connection: Connection, chosen: Select[Any]) -> list[ListedCampaign]:
    rows = connection.execute(chosen).all()

    def counts(table: Any, *conditions: ColumnElement[bool]) -> dict[str, int]:
        counted = select(table.c.campaign, func.count()).where(*conditions).group_by(table.c.campaign)
        names = [row.id for row in rows]
        return {row[0]: row[1] for row in rows_among(connection, counted, table.c.campaign, names)}

    work = campaign_items.c.role == Role.WORK.value
    finished, asked = counts(campaign_items, work, campaign_items.c.finished), counts(campaign_items)
    given, people = counts(votes), counts(annotators)
    return [
        ListedCampaign(
            _campaign(row),
            asked.get(row.id, 0),
            finished.get(row.id, 0),
            given.get(row.id, 0),
            people.get(row.id, 0),
        )
        for row in rows
    ]


def _changeable(campaign: Campaign) -> dict[str, Any]:
    return {
        "title": campaign.title,
        "rules": msgspec.to_builtins(campaign.rules),
        "guide": campaign.guide,
        "open": campaign.open,
    }


def _fixed(campaign: Campaign) -> dict[str, Any]:
    return {
        "kind": campaign.kind.value,
        "language": campaign.language,
        "made": micros(campaign.made),
        "seed": campaign.seed,
    }


def _campaign(row: Any) -> Campaign:
    fields = {
        name: getattr(row, name) for name in ("id", "title", "kind", "language", "rules", "guide", "seed", "open")
    }
    return msgspec.convert({**fields, "made": moment(row.made)}, Campaign)


def _item(row: Any) -> Item:
    return msgspec.convert(row.content, Kind(row.kind).item_type)
