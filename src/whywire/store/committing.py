"""Writes the changes of an update, in one transaction."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, Table, bindparam, func, insert, select, update

from whywire.elements import Claim
from whywire.store import correcting, inputs, queue, search
from whywire.store.model_answers import keep_answers
from whywire.store.records import Lease, StaleStateError
from whywire.store.reprocessing import check_models
from whywire.store.rows import (
    article_row,
    change_row,
    claim_row,
    event_row,
    link_row,
    mention_row,
    now,
)
from whywire.store.schema import (
    articles,
    changes,
    claims,
    copies,
    events,
    head,
    links,
    mentions,
    successors,
)
from whywire.store.statements import delete_among, insert_missing, replace_rows, rows_among, upsert
from whywire.store.story_summaries import sum_up
from whywire.updating import Changes

_OF_ID = update(articles).where(articles.c.id == bindparam("of_id"))


def commit(
    connection: Connection,
    decided: Changes,
    held: Lease | None,
    *,
    decided_at: int,
    models: str,
    is_rebuild: bool = False,
) -> int:
    """Write the changes of an update, and take the articles of its lease out of the queue.

    Args:
        held: the lease; ``None`` if the articles were not in the queue.
        decided_at: the last change of the state from which the changes were decided.
        models: version of the models that gave the answers.
        is_rebuild: everything was decided again by new models, so claims that they do not make are removed.

    Returns:
        The number of the last change.

    Raises:
        InputError: other models decided what is in the store.
        StaleStateError: another update was committed since, or a correction was applied already.
        LeaseLostError: the lease ran out.
    """
    changes_anything = decided or decided.events or decided.links or decided.claims
    last = decided_at + max(len(decided.history), bool(changes_anything))
    if not is_rebuild:
        check_models(connection, models)
    moved = connection.execute(
        update(head).where(head.c.id == 1, head.c.last_change == decided_at).values(last_change=last, models=models)
    )
    if not moved.rowcount:
        raise StaleStateError(
            f"decided by the state of change {decided_at}, and there are later ones",
            hint="load the state again and decide again",
        )
    keep_answers(connection, decided.predictions, models)
    if decided.history:
        before = connection.execute(select(changes.c.at).order_by(changes.c.id.desc()).limit(1)).scalar()
        at = max(now(), before or 0)  # a clock that is set back must not disorder the history
        rows = [change_row(number, at, change) for number, change in enumerate(decided.history, start=decided_at + 1)]
        connection.execute(insert(changes), rows)
    if changes_anything:
        _write(connection, decided, last)
    if is_rebuild:
        _forget_claims(connection, {*connection.execute(select(claims.c.id)).scalars()}, decided)
    correcting.apply(connection, decided.corrections)
    if held is not None:
        queue.finish(connection, held, _left_out(decided))
        if held.by_time:
            inputs.reject(connection, decided.problems)
    return last


def _write(connection: Connection, decided: Changes, last: int) -> None:
    _write_articles(connection, decided, last)
    _write_positions(connection, decided, last)
    listed = [{"id": copy, "article": article.id} for article in decided.articles for copy in article.also]
    insert_missing(connection, copies, listed)
    touched = _stories_of(connection, [*(event.id for event in decided.events), *decided.ended])
    _write_events(connection, decided, last)
    _write_claims(connection, decided.claims, last)
    _write_links(connection, decided, last)
    _forget_gone(connection, decided)
    touched |= {event.story for event in decided.events if event.story}
    joined = [end for link in decided.links for end in (link.source, link.target)]
    touched |= _stories_of(connection, {*joined, *(end for key in decided.dropped for end in key[:2])})
    sum_up(connection, touched)


def _write_articles(connection: Connection, decided: Changes, last: int) -> None:
    """Write new articles and new versions, and the ids of new copies of stored articles."""
    given = decided.articles
    stored = _numbers(connection, articles, [article.id for article in given]).keys() - decided.gone
    if new := [article for article in given if article.id not in stored]:
        first = _next_number(connection, articles)
        rows = [article_row(article, number, last) for number, article in enumerate(new, start=first)]
        upsert(connection, articles, rows)
    search.index_headlines(connection, given)
    if copied := [{"of_id": article.id, "ids": article.also} for article in given if article.id in stored]:
        connection.execute(_OF_ID.values(also=bindparam("ids"), changed=last), copied)


def _write_positions(connection: Connection, decided: Changes, last: int) -> None:
    """Write the vectors and positions of articles, by which stories are found."""
    coming = [article for regrouping in decided.regroupings.values() for article in regrouping.coming]
    moved = [pair for regrouping in decided.regroupings.values() for pair in regrouping.positions.items()]
    if coming:
        vectors = [{"of_id": article.id, "as_bytes": article.vector.tobytes()} for article in coming]
        connection.execute(_OF_ID.values(vector=bindparam("as_bytes")), vectors)
    if moved:
        positions = [{"of_id": name, "into": position.story, "among": position.crowd} for name, position in moved]
        statement = _OF_ID.values(story=bindparam("into"), crowd=bindparam("among"), changed=last)
        connection.execute(statement, positions)


def _write_claims(connection: Connection, given: Sequence[Claim], last: int) -> None:
    """Write claims; new ones get the next numbers."""
    numbers = _numbers(connection, claims, [claim.id for claim in given])
    new = itertools.count(_next_number(connection, claims))
    rows = [claim_row(claim, numbers[claim.id] if claim.id in numbers else next(new), last) for claim in given]
    upsert(connection, claims, rows)


def _forget_gone(connection: Connection, decided: Changes) -> None:
    """Remove the earlier claims of replaced and withdrawn articles, and the withdrawn articles."""
    earlier = rows_among(connection, select(claims.c.id), claims.c.article, decided.gone)
    _forget_claims(connection, {row.id for row in earlier}, decided)
    withdrawn = decided.gone - {article.id for article in decided.articles}
    delete_among(connection, copies.c.article, withdrawn)
    search.forget_headlines(connection, withdrawn)
    delete_among(connection, articles.c.id, withdrawn)


def _forget_claims(connection: Connection, earlier: Collection[str], decided: Changes) -> None:
    """Remove earlier claims that the update did not make again."""
    delete_among(connection, claims.c.id, {*earlier} - {claim.id for claim in decided.claims})


def _numbers(connection: Connection, table: Table, ids: Sequence[str]) -> dict[str, int]:
    """The numbers of rows of a table, by id; ids that are not in the table are missing."""
    rows = rows_among(connection, select(table.c.id, table.c.number), table.c.id, ids)
    return {row.id: row.number for row in rows}


def _next_number(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.coalesce(func.max(table.c.number), 0))).scalar_one()) + 1


def _write_events(connection: Connection, decided: Changes, last: int) -> None:
    upsert(connection, events, [event_row(event, last) for event in decided.events])
    ended = list(decided.ended)
    if ended:
        statement = update(events).where(events.c.id == bindparam("gone"))
        connection.execute(statement.values(ended=last, changed=last), [{"gone": name} for name in ended])
        followed = [
            {"event": name, "position": position, "into": into}
            for name in ended
            for position, into in enumerate(decided.ended[name])
        ]
        if followed:
            connection.execute(insert(successors), followed)
    rows = [mention_row(mention, event.id) for event in decided.events for mention in event.mentions]
    replace_rows(connection, mentions, mentions.c.event, [*(event.id for event in decided.events), *ended], rows)
    search.index_events(connection, decided.events)
    search.forget_events(connection, ended)


def _write_links(connection: Connection, decided: Changes, last: int) -> None:
    upsert(connection, links, [link_row(link, last) for link in decided.links])
    if decided.dropped:
        nothing: dict[str, Any] = {
            "evidence": [],
            "denied_by": [],
        }  # the articles it refers to may be withdrawn later
        key = {"of_source": links.c.source, "of_target": links.c.target, "of_kind": links.c.kind}
        statement = update(links).where(*(column == bindparam(name) for name, column in key.items()))
        dropped = [dict(zip(key, link_key, strict=True)) for link_key in decided.dropped]
        connection.execute(statement.values(ended=last, changed=last, **nothing), dropped)


def _stories_of(connection: Connection, event_ids: Collection[str]) -> set[str]:
    rows = rows_among(connection, select(events.c.story), events.c.id, event_ids)
    return {row.story for row in rows if row.story}


def _left_out(decided: Changes) -> dict[str, str]:
    """The reasons why the update left articles out, by article id."""
    return {
        str(problem.row["id"]): problem.reason
        for problem in decided.problems
        if isinstance(problem.row, dict) and "id" in problem.row
    }
