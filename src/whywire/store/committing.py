"""Writes what an update changes: everything of it in one transaction, or nothing."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence

from sqlalchemy import Connection, Table, bindparam, func, insert, select, update

from whywire.elements import Claim, Event
from whywire.store import queue, search
from whywire.store.pair_keys import pair_key
from whywire.store.reading_codec import encode_floats, encode_reading
from whywire.store.records import Lease, StaleStateError
from whywire.store.renewing import check_models
from whywire.store.rows import (
    Row,
    article_row,
    change_row,
    claim_row,
    event_row,
    evidence_rows,
    link_row,
    mention_row,
)
from whywire.store.schema import (
    articles,
    changes,
    claims,
    copies,
    events,
    evidence,
    head,
    links,
    mentions,
    pair_answers,
    readings,
    successors,
)
from whywire.store.statements import among, insert_missing, replace_rows, upsert
from whywire.store.story_summaries import sum_up
from whywire.updating import Changes, PredictionCache


def commit(
    connection: Connection,
    decided: Changes,
    held: Lease | None,
    *,
    decided_at: int,
    now: int,
    models: str,
    renews: bool = False,
) -> int:
    """Write the changes of an update, and take the articles of its lease out of the queue.

    Args:
        decided_at: the last change of the state that the changes were decided by.
        now: microseconds.
        models: version of the models that gave the answers.
        renews: everything was decided again by other models, so what these do not claim is claimed no more.

    Returns:
        The number of the last change.

    Raises:
        InputError: other models decided what is in the store.
        StaleStateError: another update was committed since.
        LeaseLostError: the lease ran out.
    """
    changes_anything = decided or decided.events or decided.links or decided.claims
    last = decided_at + max(len(decided.history), bool(changes_anything))
    if not renews:
        check_models(connection, models)
    moved = connection.execute(
        update(head).where(head.c.id == 1, head.c.last_change == decided_at).values(last_change=last, models=models)
    )
    if not moved.rowcount:
        raise StaleStateError(
            f"decided by the state of change {decided_at}, and there are later ones",
            hint="load the state again and decide anew",
        )
    keep_answers(connection, decided.predictions, models)
    if changes_anything:
        _write(connection, decided, last)
    if renews:
        _forget_claims(connection, {*connection.execute(select(claims.c.id)).scalars()}, decided)
    if decided.history:
        before = connection.execute(select(changes.c.at).order_by(changes.c.id.desc()).limit(1)).scalar()
        now = max(now, before or 0)  # a clock that is set back must not disorder the history
        rows = [
            change_row(number, now, change) for number, change in enumerate(decided.history, start=decided_at + 1)
        ]
        connection.execute(insert(changes), rows)
    if held is not None:
        queue.finish(connection, held, _left_out(decided))
    return last


def keep_answers(connection: Connection, answers: PredictionCache, models: str) -> None:
    """Keep what models answered; what is there already stays."""
    insert_missing(
        connection,
        readings,
        [
            {"text_key": key, "models": models, "reading": encode_reading(reading)}
            for key, reading in answers.readings.items()
        ],
    )
    pairs = {*answers.relations, *answers.strengths}
    rows = [
        {
            "pair_key": pair_key(pair),
            "models": models,
            "language": pair[0].value,
            "first": pair[1][0],
            "second": pair[1][1],
            "relations": encode_floats(answers.relations[pair]) if pair in answers.relations else None,
            "strength": answers.strengths.get(pair),
        }
        for pair in sorted(pairs)
    ]
    _merge_pairs(connection, rows, models)


def _merge_pairs(connection: Connection, rows: list[Row], models: str) -> None:
    """Write answers on pairs; a pair may have one answer now and the other one already."""
    there = {
        row.pair_key: row
        for part in among(pair_answers.c.pair_key, [row["pair_key"] for row in rows])
        for row in connection.execute(select(pair_answers).where(part, pair_answers.c.models == models))
    }
    for row in rows:
        if known := there.get(str(row["pair_key"])):
            row["relations"] = row["relations"] if known.relations is None else known.relations
            row["strength"] = row["strength"] if known.strength is None else known.strength
    upsert(connection, pair_answers, rows)


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
    """Write new articles and new versions, and the ids of new copies of known ones."""
    given = decided.articles
    known = _numbers(connection, articles, [article.id for article in given]).keys() - decided.gone
    if new := [article for article in given if article.id not in known]:
        first = _next_number(connection, articles)
        rows = [article_row(article, number, last) for number, article in enumerate(new, start=first)]
        upsert(connection, articles, rows)
    if copied := [{"of_id": one.id, "ids": one.also} for one in given if one.id in known]:
        own = update(articles).where(articles.c.id == bindparam("of_id"))
        connection.execute(own.values(also=bindparam("ids"), changed=last), copied)


def _write_positions(connection: Connection, decided: Changes, last: int) -> None:
    """Write where articles lie, by which stories are found."""
    own = update(articles).where(articles.c.id == bindparam("of_id"))
    coming = [one for regrouping in decided.regroupings.values() for one in regrouping.coming]
    moved = [pair for regrouping in decided.regroupings.values() for pair in regrouping.positions.items()]
    if coming:
        vectors = [{"of_id": one.id, "as_bytes": one.vector.tobytes()} for one in coming]
        connection.execute(own.values(vector=bindparam("as_bytes")), vectors)
    if moved:
        positions = [{"of_id": name, "into": position.region, "among": position.crowd} for name, position in moved]
        statement = own.values(region=bindparam("into"), crowd=bindparam("among"), changed=last)
        connection.execute(statement, positions)


def _write_claims(connection: Connection, given: Sequence[Claim], last: int) -> None:
    """Write claims, new ones after all others."""
    known = _numbers(connection, claims, [claim.id for claim in given])
    new = itertools.count(_next_number(connection, claims))
    rows = [claim_row(claim, known[claim.id] if claim.id in known else next(new), last) for claim in given]
    upsert(connection, claims, rows)


def _forget_gone(connection: Connection, decided: Changes) -> None:
    """Remove what articles claimed that are replaced or withdrawn, and the latter with what ended links rest on."""
    claimed = {
        name
        for part in among(claims.c.article, decided.gone)
        for name in connection.execute(select(claims.c.id).where(part)).scalars()
    }
    _forget_claims(connection, claimed, decided)
    withdrawn = decided.gone - {article.id for article in decided.articles}
    for column in (evidence.c.source_article, evidence.c.target_article, copies.c.article, articles.c.id):
        for part in among(column, withdrawn):
            connection.execute(column.table.delete().where(part))


def _forget_claims(connection: Connection, claimed: Collection[str], decided: Changes) -> None:
    """Remove claims that were not decided now, and what ended links rested on them."""
    stale = {*claimed} - {claim.id for claim in decided.claims}
    for column in (evidence.c.claim, claims.c.id):
        for part in among(column, stale):
            connection.execute(column.table.delete().where(part))


def _numbers(connection: Connection, table: Table, ids: Sequence[str]) -> dict[str, int]:
    """The numbers of those of the ids that are in a table."""
    found = (connection.execute(select(table.c.id, table.c.number).where(part)) for part in among(table.c.id, ids))
    return {row.id: row.number for rows in found for row in rows}


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
    _write_mentions(connection, decided.events, ended)
    search.index_events(connection, decided.events)
    search.forget_events(connection, ended)


def _write_mentions(connection: Connection, changed: Collection[Event], ended: Collection[str]) -> None:
    rows = [mention_row(mention, event.id) for event in changed for mention in event.mentions]
    replace_rows(connection, mentions, mentions.c.event, [*(event.id for event in changed), *ended], rows)


def _write_links(connection: Connection, decided: Changes, last: int) -> None:
    upsert(connection, links, [link_row(link, last) for link in decided.links])
    if decided.links:
        keys = {"of_source": evidence.c.source, "of_target": evidence.c.target, "of_kind": evidence.c.link_kind}
        conditions = [column == bindparam(name) for name, column in keys.items()]
        connection.execute(
            evidence.delete().where(*conditions),
            [{"of_source": one.source, "of_target": one.target, "of_kind": one.kind.value} for one in decided.links],
        )
        connection.execute(insert(evidence), [row for link in decided.links for row in evidence_rows(link)])
    if decided.dropped:
        own = (links.c.source == bindparam("from_")) & (links.c.target == bindparam("to"))
        statement = update(links).where(own, links.c.kind == bindparam("of_kind")).values(ended=last, changed=last)
        connection.execute(
            statement,
            [{"from_": source, "to": target, "of_kind": kind.value} for source, target, kind in decided.dropped],
        )


def _stories_of(connection: Connection, event_ids: Collection[str]) -> set[str]:
    return {
        story
        for part in among(events.c.id, event_ids)
        for story in connection.execute(select(events.c.story).where(part)).scalars()
        if story
    }


def _left_out(decided: Changes) -> dict[str, str]:
    """The articles that the update left out, with the reason."""
    return {
        str(problem.row["id"]): problem.reason
        for problem in decided.problems
        if isinstance(problem.row, dict) and "id" in problem.row
    }
