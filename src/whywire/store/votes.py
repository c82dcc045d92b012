"""What annotators answered, and about which items nobody else needs to be asked."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, bindparam, select, update

from whywire.annotation.campaigns import Campaign, Vote, count_answers
from whywire.annotation.items import Kind
from whywire.store.cursors import page_of
from whywire.store.records import Page
from whywire.store.rows import moment
from whywire.store.schema import annotators, campaign_items, campaigns, votes
from whywire.store.statements import rows_among


def all_votes(
    connection: Connection, campaign: str, *, person: str | None = None, item: str | None = None
) -> list[Vote]:
    """The votes of a campaign by item and person.

    Args:
        person, item: only those of this person, or on this item.
    """
    chosen = _votes(campaign)
    if person is not None:
        chosen = chosen.where(votes.c.person == person)
    if item is not None:
        chosen = chosen.where(votes.c.item == item)
    return [*map(_vote, connection.execute(chosen.order_by(votes.c.item, votes.c.person)))]


def votes_on(connection: Connection, campaign: str, items: Collection[str]) -> list[Vote]:
    """The votes of a campaign on these items."""
    return [*map(_vote, rows_among(connection, _votes(campaign), votes.c.item, items))]


def votes_page(connection: Connection, campaign: str, *, after: str | None = None, limit: int = 50) -> Page[Vote]:
    """A page of the votes of a campaign by item and person."""
    keys = [(votes.c.item, False), (votes.c.person, False)]
    return page_of(
        connection, _votes(campaign), keys, after=after, limit=limit, make=lambda rows: [*map(_vote, rows)]
    )


def count_again(connection: Connection, campaign: Campaign, items: Collection[str] | None = None) -> None:
    """Count the answers to items again, and decide which items are finished.

    Args:
        campaign: locked by the transaction.
        items: only these.
    """
    of_campaign = campaign_items.c.campaign == campaign.id
    if items is None:
        items = connection.execute(select(campaign_items.c.id).where(of_campaign)).scalars().all()
    counts = count_answers(campaign.rules, items, votes_on(connection, campaign.id, items))
    changed = [
        {"counted": item, "answers": answers, "finished": finished} for item, (answers, finished) in counts.items()
    ]
    if changed:
        counted = update(campaign_items).where(of_campaign, campaign_items.c.id == bindparam("counted"))
        connection.execute(counted, changed)


def _votes(campaign: str) -> Select[Any]:
    return (
        select(votes, annotators.c.excluded, campaigns.c.kind)
        .join(annotators, (annotators.c.campaign == votes.c.campaign) & (annotators.c.name == votes.c.person))
        .join(campaigns, campaigns.c.id == votes.c.campaign)
        .where(votes.c.campaign == campaign)
    )


def _vote(row: Any) -> Vote:
    return Vote(
        item=row.item,
        person=row.person,
        answer=msgspec.convert(row.answer, Kind(row.kind).answer_type),
        at=moment(row.at),
        seconds=row.seconds,
        counted=row.excluded is None,
    )
