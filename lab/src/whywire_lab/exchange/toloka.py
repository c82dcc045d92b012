"""Toloka's TSV of pairs of headlines, with the columns of HeadlineCause's project: tasks, and the votes on them.

    INPUT:id  INPUT:left_title  INPUT:right_title  …  OUTPUT:result  GOLDEN:result  HINT:text  ASSIGNMENT:worker_id  …

A row is a vote, or a task without one; a row with ``GOLDEN:result`` is a control, with ``HINT:text`` beside it a task
of training. What a rejected assignment says is kept, and does not count. The tasks of an assignment share its time
equally. The authors' raw votes (``result`` or ``full_result``, ``worker_id``, ``assignment_id`` and the pair) are
read, too.

Lost in this format: the difference of exam and control, priorities, results, parts of a second.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from whywire.annotation.campaigns import Vote
from whywire.annotation.items import HeadlinePair, Kind, Role
from whywire.errors import InputError
from whywire.news.times import parse_time
from whywire.pairs.relations import Relation
from whywire_lab.exchange.labelled_items import UNKNOWN_TIME, Collector, LabelledItems
from whywire_lab.exchange.tables import Row, files_of, given, given_text, table_text
from whywire_lab.labels.keys import short_hash

CODES = {
    "bad": Relation.NO_RELATIONSHIP,
    "same": Relation.SAME_EVENT,
    "rel": Relation.OTHER_RELATIONSHIP,
    "left_right_cause": Relation.LEFT_RIGHT_CAUSE,
    "right_left_cause": Relation.RIGHT_LEFT_CAUSE,
    "left_right_cancel": Relation.LEFT_RIGHT_REFUTE,
    "right_left_cancel": Relation.RIGHT_LEFT_REFUTE,
}
"""What the project calls the relations."""

CODE_OF = {relation: code for code, relation in CODES.items()}

APPROVED, REJECTED = "APPROVED", "REJECTED"

INPUTS = ("left_title", "right_title", "left_url", "right_url", "left_published", "right_published")
COLUMNS = (
    *(f"INPUT:{name}" for name in ("id", *INPUTS)),
    *("OUTPUT:result", "GOLDEN:result", "HINT:text"),
    *(f"ASSIGNMENT:{name}" for name in ("assignment_id", "worker_id", "status", "started", "submitted")),
)


def to_toloka(data: LabelledItems) -> str:
    """The rows of all votes, and those of the pairs that have none."""
    return table_text(COLUMNS, _rows(data), "\t")


def read_toloka(path: Path) -> LabelledItems:
    """Read a file of votes or tasks, or all files ``*.tsv`` of a folder.

    Raises:
        InputError: there is no such file.
    """
    collector = Collector(Kind.RELATION)
    for file in files_of(path, ".tsv"):
        rows = [(place, _plain(row)) for place, row in collector.rows(file)]
        pages = Counter(row.get("assignment_id") for _, row in rows)
        for place, row in rows:
            with collector.row(place, row):
                item = collector.add_item(_item_row(row))
                if given(row, "OUTPUT", "result", "full_result"):
                    collector.add_vote(
                        {
                            "item": item.id,
                            "person": given_text(row, "worker_id"),
                            "answer": {"relation": _relation(given_text(row, "OUTPUT", "result", "full_result"))},
                            "at": _time(row, "submitted") or _time(row, "started"),
                            "seconds": _seconds(row) / pages[row.get("assignment_id")],
                            "counted": row.get("status") != REJECTED,
                        }
                    )
    return collector.done()


def _rows(data: LabelledItems) -> Iterator[Row]:
    votes: dict[str, list[Vote]] = {item.id: [] for item in data.items}
    for vote in data.votes:
        votes[vote.item].append(vote)
    number = 0
    for item in data.items:
        task = _task(item)
        for vote in votes[item.id]:
            number += 1
            yield task | _assignment(vote, number)
        if not votes[item.id]:
            yield task


def _task(item: Any) -> Row:
    pair: HeadlinePair = item
    row = {f"INPUT:{name}": getattr(pair, name) or "" for name in ("id", *INPUTS)}
    for side in ("left", "right"):
        published = getattr(pair, f"{side}_published")
        row[f"INPUT:{side}_published"] = published.isoformat() if published else ""
    if pair.gold is not None:
        row |= {"GOLDEN:result": CODE_OF[pair.gold.relation], "HINT:text": pair.hint}
    return row


def _assignment(vote: Any, number: int) -> Row:
    row = {
        "OUTPUT:result": CODE_OF[vote.answer.relation],
        "ASSIGNMENT:assignment_id": f"{number:010x}",
        "ASSIGNMENT:worker_id": vote.person,
        "ASSIGNMENT:status": APPROVED if vote.counted else REJECTED,
    }
    if vote.at != UNKNOWN_TIME:
        row["ASSIGNMENT:submitted"] = _utc(vote.at)
        row["ASSIGNMENT:started"] = _utc(vote.at - timedelta(seconds=vote.seconds))
    return row


def _utc(at: datetime) -> str:
    """A time as Toloka writes it: UTC, without a zone."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds")


def _plain(row: Row) -> Row:
    """A row without the groups of its columns, but for OUTPUT, GOLDEN and HINT, whose fields may share names."""
    renamed = {"OUTPUT:result": "OUTPUT", "GOLDEN:result": "GOLDEN", "HINT:text": "HINT"}
    return {renamed.get(name, name.rpartition(":")[2]): value for name, value in row.items()}


def _item_row(row: Row) -> Row:
    times = {}
    for side in ("left", "right"):
        try:
            published = parse_time(given(row, f"{side}_published", f"{side}_timestamp"))
        except InputError as error:
            raise InputError(f"{side}_published: {error.message}") from None
        times[f"{side}_published"] = published and published.at
    golden = row.get("GOLDEN")
    gold = {"relation": _relation(golden)} if golden else None
    hint = row.get("HINT") if gold else ""
    return {
        "id": given(row, "id") or _key(row),
        **{name: row.get(name) for name in INPUTS[:4]},
        **times,
        "gold": gold,
        "hint": hint,
        "role": (Role.TRAINING if hint else Role.CONTROL) if gold else Role.WORK,
    }


def _key(row: Row) -> str:
    """A name for a pair that has none, by its addresses or titles."""
    return short_hash("\n".join(given_text(row, f"{side}_url", f"{side}_title") for side in ("left", "right")))


def _relation(said: str) -> Relation:
    if said in CODES:
        return CODES[said]
    if said in set(Relation):
        return Relation(said)
    raise InputError(f"{said[:40]!r} is no relation", hint=f"known are {', '.join(CODES)}")


def _time(row: Row, name: str) -> datetime | None:
    said = row.get(name)
    if not said:
        return None
    try:
        at = datetime.fromisoformat(said)
    except ValueError:
        raise InputError(f"{name} is no time: {said[:40]!r}") from None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _seconds(row: Row) -> float:
    started, submitted = _time(row, "started"), _time(row, "submitted")
    return max(0.0, (submitted - started).total_seconds()) if started and submitted else 0.0
