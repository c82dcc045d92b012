"""Items and votes of annotation, from files or from a campaign of a store, and what comes of them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whywire.annotation.campaigns import (
    Estimate,
    PersonReport,
    Rules,
    Vote,
    estimate,
    report_people,
    rules_of,
    vote_of,
)
from whywire.annotation.items import Item, Kind, item_of
from whywire.annotation.results import Agreement, Method, Result, agreement, disputed, results
from whywire.annotation.sheets import COLUMNS, sheet_rows, sheet_votes
from whywire.errors import InputError
from whywire.graph.exports.csv_tables import BYTE_ORDER_MARK, csv_table, unescaped
from whywire.news import Problem
from whywire.news.row_files import read_csv, read_json_lines
from whywire.news.sources import STANDARD_INPUT
from whywire.news.text_files import decode, open_bytes

if TYPE_CHECKING:
    from whywire.store import Store

TABLES = (".csv", ".tsv")

FIELDS_OF_KINDS: Mapping[Kind, frozenset[str]] = {
    Kind.RELATION: frozenset({"left_title", "right_title"}),
    Kind.GROUPING: frozenset({"headlines"}),
    Kind.STRENGTH: frozenset({"cause", "effect"}),
    Kind.GRAPH: frozenset({"articles"}),
}
"""Fields that only items of a kind have; sentences of two kinds look the same."""


@dataclass(frozen=True)
class Labels:
    """Items of one kind, and what people answered.

    Args:
        items: by id.
        people: whether the answers of each are left out, by name.
    """

    kind: Kind
    rules: Rules
    items: Mapping[str, Item]
    votes: Sequence[Vote]
    people: Mapping[str, bool]

    def without(self, names: Collection[str]) -> Labels:
        """The same, but the answers of these people do not count.

        Raises:
            InputError: there is no such person.
        """
        if unknown := sorted(set(names) - self.people.keys()):
            raise InputError(f"nobody is called {unknown[0]!r}", hint=f"known are {', '.join(self.people)}")
        votes = [
            Vote(
                item=vote.item,
                person=vote.person,
                answer=vote.answer,
                at=vote.at,
                seconds=vote.seconds,
                counted=vote.counted and vote.person not in names,
            )
            for vote in self.votes
        ]
        people = {name: excluded or name in names for name, excluded in self.people.items()}
        return Labels(self.kind, self.rules, self.items, votes, people)

    def results(self, method: Method | str = Method.MAJORITY) -> list[Result]:
        """One result for each item of work."""
        return results(self.kind, self.rules, self.items, self.votes, Method(method))

    def disputed(self, method: Method | str = Method.MAJORITY) -> list[Result]:
        """The results on which several people do not agree, the most disputed first."""
        return disputed(self.results(method))

    @cached_property
    def agreement(self) -> Agreement:
        """How far people agree."""
        return agreement(self.kind, self.items, self.votes)

    def report_people(self) -> list[PersonReport]:
        """What each person has done."""
        return report_people(self.rules, self.items, self.votes, self.agreement.by_person, self.people)

    def estimate(self) -> Estimate:
        """What is left to do."""
        return estimate(self.rules, self.items, self.votes)


def read_labels(
    items: str | Path,
    votes: Iterable[str | Path] = (),
    *,
    kind: Kind | str | None = None,
    rules: Mapping[str, Any] | None = None,
    person: str | None = None,
) -> Labels:
    """Read items, and what people answered, from files.

    >>> labels = whywire.read_labels("items.jsonl", ["votes.jsonl", "sheet.csv"], person="Ann")
    >>> labels.agreement.alpha, labels.disputed()

    Args:
        items: JSON lines.
        votes: JSON lines, or sheets that were filled in (.csv, .tsv).
        kind: of the items; by default what their fields say.
        rules: those that differ from the usual ones of the kind.
        person: who filled the sheets in, where they do not say.

    Raises:
        InputError: a file or a row cannot be used; the message names the place.
    """
    of_kind, known = read_items(items, kind)
    at = datetime.now(UTC)
    given = [vote for path in votes for vote in read_votes(path, of_kind, known, person=person, at=at)]
    twice = [key for key, count in Counter((vote.item, vote.person) for vote in given).items() if count > 1]
    if twice:
        raise InputError(f"{twice[0][1]} answers the item {twice[0][0]!r} twice", hint="give each vote once")
    people = dict.fromkeys(sorted({vote.person for vote in given}), False)
    people |= {vote.person: True for vote in given if not vote.counted}
    return Labels(of_kind, rules_of(of_kind, rules or {}), known, given, people)


def labels_of(store: Store, campaign: str) -> Labels:
    """Items and votes of a campaign of a store.

    Raises:
        InputError: there is no such campaign.
    """
    with store.snapshot() as frozen:
        listed = frozen.campaign(campaign)
        if listed is None:
            raise InputError(f"there is no campaign {campaign}", where=store.name)
        people = {person.name: person.excluded is not None for person in frozen.annotators(campaign)}
        found = listed.campaign
        return Labels(found.kind, found.rules, frozen.items(campaign), frozen.votes(campaign), people)


def read_items(path: str | Path, kind: Kind | str | None = None) -> tuple[Kind, dict[str, Item]]:
    """Read items from JSON lines; return their kind, and the items by id.

    Args:
        kind: by default what the fields of the first item say.

    Raises:
        InputError: the file or a row cannot be used.
    """
    items: dict[str, Item] = {}
    of_kind = None if kind is None else Kind(kind)
    for place, row in json_rows(path):
        of_kind = of_kind or _kind_of(row, place)
        try:
            item = item_of(of_kind, row)
        except InputError as error:
            raise InputError(error.message, where=place, hint=error.hint) from None
        if item.id in items:
            raise InputError(f"two items have the id {item.id!r}", where=place)
        items[item.id] = item
    if of_kind is None:
        raise InputError("there is no item in it", where=str(path))
    return of_kind, items


def read_votes(
    path: str | Path, kind: Kind, items: Mapping[str, Item], *, person: str | None, at: datetime
) -> list[Vote]:
    """Read votes from JSON lines, or from a sheet that was filled in.

    Args:
        items: by id.
        person: who filled a sheet in, where it does not say.
        at: when they were given, where it is not said.

    Raises:
        InputError: the file or a row cannot be used.
    """
    if Path(path).suffix.lower() in TABLES:
        return sheet_votes(kind, items, _sheet(Path(path), kind), person=person, at=at)
    votes = []
    for place, row in json_rows(path):
        try:
            named = {"person": person} if person and isinstance(row, dict) else {}
            votes.append(vote_of(items, named | row if named else row, at))
        except InputError as error:
            raise InputError(error.message, where=place, hint=error.hint) from None
    return votes


def sheet(kind: Kind, items: Iterable[Item]) -> str:
    """A sheet to be filled in, as CSV that spreadsheets open.

    Raises:
        InputError: answers of this kind fit no table.
    """
    rows = [*sheet_rows(kind, items)]
    return BYTE_ORDER_MARK + csv_table(COLUMNS[kind], rows)


def _sheet(path: Path, kind: Kind) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows of a sheet with their places."""
    _check_file(path)
    with open_bytes(path) as stream, decode(stream) as lines:
        columns = COLUMNS.get(kind, ("item",))
        for row in read_csv(lines, str(path), needed="item", known=columns):
            if isinstance(row, Problem):
                raise InputError(row.reason, where=row.place)
            cells: Any = row.value
            yield row.place, {column: unescaped(cell) for column, cell in cells.items()}


def json_rows(path: str | Path) -> Iterator[tuple[str, Any]]:
    """The values of a file of JSON lines with their places; ``-`` is standard input.

    Raises:
        InputError: there is no such file, or a line is not JSON.
    """
    if str(path) == STANDARD_INPUT:
        yield from _lines(decode(sys.stdin.buffer), "standard input")
        return
    _check_file(Path(path))
    with open_bytes(Path(path)) as stream, decode(stream) as lines:
        yield from _lines(lines, str(path))


def _lines(lines: Iterable[str], name: str) -> Iterator[tuple[str, Any]]:
    for row in read_json_lines(lines, name):
        if isinstance(row, Problem):
            raise InputError(row.reason, where=row.place)
        yield row.place, row.value


def _check_file(path: Path) -> None:
    if not path.exists():
        raise InputError("no such file", where=str(path))
    if path.is_dir():
        raise InputError("a folder, not a file", where=str(path))


def _kind_of(row: object, place: str) -> Kind:
    if isinstance(row, dict):
        for kind, fields in FIELDS_OF_KINDS.items():
            if fields <= row.keys():
                return kind
    raise InputError("what is asked cannot be told from the item", where=place, hint=f"say --kind: {', '.join(Kind)}")
