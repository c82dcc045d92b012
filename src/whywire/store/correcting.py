"""Corrections by persons, kept in a store: a worker applies them, and undoes those that are taken back.

A correction waits while the graph is not decided as it asks: it was made and is not in force yet, or was taken back
and still is. One that an update fails on is refused, with the reason, and no longer tried.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, and_, insert, or_, select, update

from whywire.correction import Anchor, Correction, CorrectionKind, events_at
from whywire.elements import LinkKind
from whywire.errors import InputError
from whywire.graph import correcting
from whywire.graph.codec import Row
from whywire.store import queries, subgraphs
from whywire.store.cursors import page_of
from whywire.store.records import CorrectionState, ListedCorrection, Page, StaleStateError
from whywire.store.rows import UNSTORABLE, mention_of, micros, moment, now
from whywire.store.schema import anchors, corrections, mentions
from whywire.store.statements import rows_among

_LEFT, _RIGHT = 0, 1

_WAITS = and_(
    corrections.c.refused.is_(None),
    or_(
        and_(~corrections.c.in_force, corrections.c.taken_back.is_(None)),
        and_(corrections.c.in_force, corrections.c.taken_back.is_not(None)),
    ),
)


def hide_link(
    connection: Connection, source: str, target: str, kind: LinkKind = LinkKind.CAUSES, *, by: str, note: str = ""
) -> Correction:
    """Have a link hidden (:func:`whywire.graph.correcting.hide_link`); durable when this returns.

    Raises:
        InputError: there is no such link, or no database can store the note.
    """
    graph = subgraphs.around(connection, [source, target])
    return add(connection, correcting.hide_link(graph, source, target, kind, by=by, at=datetime.now(UTC), note=note))


def tell_apart(
    connection: Connection, event: str, articles: Collection[str], *, by: str, note: str = ""
) -> Correction:
    """Have an event divided (:func:`whywire.graph.correcting.tell_apart`); durable when this returns.

    Raises:
        InputError: there is no such event, it has no such articles or no others, or no database can store the note.
    """
    graph = subgraphs.around(connection, [event], steps=0)
    return add(connection, correcting.tell_apart(graph, event, articles, by=by, at=datetime.now(UTC), note=note))


def add(connection: Connection, correction: Correction) -> Correction:
    """Have a correction applied; returns an earlier one instead if it says the same and holds.

    Raises:
        InputError: no database can store its note.
    """
    if UNSTORABLE.search(correction.note):
        raise InputError("the note contains a NUL or half of a surrogate pair, which no database can store")
    about = select(anchors.c.correction).where(anchors.c.article == correction.anchors[0].article)
    holds = corrections.c.taken_back.is_(None) & corrections.c.refused.is_(None)
    known = select(corrections).where(corrections.c.id.in_(about), holds)
    same = (one for one in _corrections(connection, known) if one.says_the_same(correction))
    if earlier := next(same, None):
        return earlier
    connection.execute(insert(corrections), [_row(correction)])
    connection.execute(insert(anchors), [*_anchor_rows(correction)])
    return correction


def take_back(connection: Connection, id: str, by: str) -> bool:  # noqa: A002
    """Have a correction undone; return whether there is one. One that was taken back already stays as it is."""
    named = corrections.c.id == id
    undone = update(corrections).where(named, corrections.c.taken_back.is_(None))
    connection.execute(undone.values(taken_back=now(), taken_back_by=by))
    return connection.execute(select(corrections.c.id).where(named)).first() is not None


def waiting(connection: Connection) -> Correction | None:
    """The correction that has waited longest to be applied or undone; ``None`` if none waits."""
    oldest = select(corrections).where(_WAITS).order_by(corrections.c.at, corrections.c.id).limit(1)
    return next(iter(_corrections(connection, oldest)), None)


def refuse(connection: Connection, id: str, reason: str) -> None:  # noqa: A002
    """Apply or undo a correction no more, because an update failed on it."""
    connection.execute(update(corrections).where(corrections.c.id == id).values(refused=reason))


def in_force(connection: Connection, articles: Collection[str] | None = None) -> list[Correction]:
    """The corrections that the graph is decided by.

    Args:
        articles: only corrections that are about one of these; ``None`` for all.
    """
    statement = select(corrections).where(corrections.c.in_force)
    if articles is None:
        return _corrections(connection, statement)
    about = rows_among(connection, select(anchors.c.correction).distinct(), anchors.c.article, articles)
    names = {row.correction for row in about}
    return _made_of(connection, [*rows_among(connection, statement, corrections.c.id, names)])


def apply(connection: Connection, decided: Iterable[Correction]) -> None:
    """Record that the graph is decided by corrections, or no longer by those that were taken back.

    Raises:
        StaleStateError: another worker has recorded that.
    """
    for correction in decided:
        wanted = correction.taken_back is None
        changed = update(corrections).where(corrections.c.id == correction.id, corrections.c.in_force != wanted)
        if not connection.execute(changed.values(in_force=wanted)).rowcount:
            raise StaleStateError("another update applied the correction", hint="decide again")


def all_corrections(
    connection: Connection, *, after: str | None = None, limit: int = 50, event: str | None = None
) -> Page[ListedCorrection]:
    """Corrections, the latest first.

    Args:
        event: only corrections that name words of this event.
    """
    statement = select(corrections)
    if event is not None:
        of_event = and_(
            mentions.c.event == event,
            mentions.c.article == anchors.c.article,
            mentions.c.field == anchors.c.field,
            mentions.c.start < anchors.c.end,
            mentions.c.end > anchors.c.start,
        )
        about = select(anchors.c.correction).join(mentions, of_event)
        statement = statement.where(corrections.c.id.in_(about))
    keys = [(corrections.c.at, True), (corrections.c.id, True)]

    def make(rows: list[Any]) -> list[ListedCorrection]:
        return _listed(connection, rows)

    return page_of(connection, statement, keys, after=after, limit=limit, make=make)


def correction(connection: Connection, id: str) -> ListedCorrection | None:  # noqa: A002
    """The correction with this id."""
    rows = connection.execute(select(corrections).where(corrections.c.id == id)).all()
    return next(iter(_listed(connection, rows)), None)


def _listed(connection: Connection, rows: Sequence[Any]) -> list[ListedCorrection]:
    """The corrections of rows, with their state and the events that they are about now."""
    made = _made_of(connection, rows)
    names = {name for one in made for name in one.articles}
    articles = queries.articles_named(connection, names)
    told = [
        (mention_of(row), row.event) for row in rows_among(connection, select(mentions), mentions.c.article, names)
    ]
    titles = queries.titles_of(connection, {event for _, event in told})
    listed = []
    for row, one in zip(rows, made, strict=True):
        ends = left, right = events_at(one, articles, told)
        if row.in_force == (row.taken_back is not None):
            state = CorrectionState.WAITING if row.refused is None else CorrectionState.REFUSED
        elif row.taken_back is not None:
            state = CorrectionState.TAKEN_BACK
        else:
            state = CorrectionState.RESTING if None in ends else CorrectionState.IN_FORCE
        named = left and titles[left], right and titles[right]
        listed.append(ListedCorrection(one, state, ends, named, row.refused))
    return listed


def _corrections(connection: Connection, statement: Any) -> list[Correction]:
    return _made_of(connection, connection.execute(statement).all())


def _made_of(connection: Connection, rows: Sequence[Any]) -> list[Correction]:
    """The corrections of rows of ``corrections``, with their anchors."""
    sides: defaultdict[tuple[str, int], list[tuple[int, Anchor]]] = defaultdict(list)
    for row in rows_among(connection, select(anchors), anchors.c.correction, {row.id for row in rows}):
        anchor = Anchor(row.article, row.field, (row.start, row.end), row.words)
        sides[row.correction, row.side].append((row.position, anchor))

    def side(name: str, number: int) -> tuple[Anchor, ...]:
        return tuple(anchor for _, anchor in sorted(sides[name, number], key=lambda one: one[0]))

    return [
        Correction(
            row.id,
            CorrectionKind(row.kind),
            side(row.id, _LEFT),
            side(row.id, _RIGHT),
            at=moment(row.at),
            by=row.by,
            link_kind=row.link_kind and LinkKind(row.link_kind),
            note=row.note,
            taken_back=None if row.taken_back is None else moment(row.taken_back),
            taken_back_by=row.taken_back_by,
        )
        for row in rows
    ]


def _row(correction: Correction) -> Row:
    return {
        "id": correction.id,
        "kind": correction.kind.value,
        "link_kind": correction.link_kind,
        "at": micros(correction.at),
        "by": correction.by,
        "note": correction.note,
        "taken_back": correction.taken_back and micros(correction.taken_back),
        "taken_back_by": correction.taken_back_by,
        "in_force": False,
        "refused": None,
    }


def _anchor_rows(correction: Correction) -> Iterable[Row]:
    for side, its_anchors in ((_LEFT, correction.left), (_RIGHT, correction.right)):
        for position, anchor in enumerate(its_anchors):
            yield {
                "correction": correction.id,
                "side": side,
                "position": position,
                "article": anchor.article,
                "field": anchor.field,
                "start": anchor.span[0],
                "end": anchor.span[1],
                "words": anchor.words,
            }
