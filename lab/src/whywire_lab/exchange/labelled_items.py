"""The items of a campaign with what people answered: what every format of a campaign is converted to and from.

On disk a campaign is a folder of JSON Lines: ``items.jsonl``, and where they are there ``votes.jsonl`` ({item,
person, answer, seconds?, at?, counted?}) and ``results.jsonl`` ({item, answer, share?, agreed?, answers?}), as
``whywire annotate`` writes them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from whywire.annotation.answers import Name
from whywire.annotation.campaigns import CURATOR, Share, Vote, vote_of
from whywire.annotation.items import Item, Kind, Role, answer_to, item_of
from whywire.annotation.results import Result
from whywire.annotation.rows import result_row, vote_row
from whywire.elements import StrengthClass
from whywire.errors import InputError, OutputError
from whywire.news import Problem
from whywire.output import OutputFolder
from whywire_lab.exchange.tables import Row, read_rows

ITEMS, VOTES, RESULTS = "items.jsonl", "votes.jsonl", "results.jsonl"

UNKNOWN_TIME = datetime(1970, 1, 1, tzinfo=UTC)
"""When an answer was given, if its file does not say; it is not written."""

KINDS_BY_FIELD = {
    "left_title": Kind.RELATION,
    "headlines": Kind.GROUPING,
    "effect": Kind.STRENGTH,
    "articles": Kind.GRAPH,
    "counterfactual": Kind.COUNTERFACTUAL,
    "relations": Kind.SPANS,
}
"""The kind of items or answers by a field that no other kind has."""


class _ResultRow(Struct, frozen=True, kw_only=True):
    item: Name
    answer: Any
    share: Share = 1.0
    agreed: bool = True
    answers: Annotated[int, Meta(ge=0)] = 0
    curated: bool = False
    strength_class: StrengthClass | None = None
    deviation: float | None = None
    for_expert: bool = False


@dataclass(frozen=True, slots=True)
class LabelledItems:
    """Items of one kind and their answers, with a problem for everything that could not be used."""

    kind: Kind
    items: tuple[Item, ...]
    votes: tuple[Vote, ...] = ()
    results: tuple[Result, ...] = ()
    problems: tuple[Problem, ...] = ()

    def __str__(self) -> str:
        """What there is, in words."""
        return f"{len(self.items)} items with {len(self.votes)} answers and {len(self.results)} results"

    def counted_votes(self) -> dict[str, list[Any]]:
        """The votes that count (:class:`~whywire.annotation.campaigns.Vote`), by item; the curator's is none."""
        votes: dict[str, list[Any]] = {item.id: [] for item in self.items}
        for vote in self.votes:
            if vote.counted and vote.person != CURATOR:
                votes[vote.item].append(vote)
        return votes

    def answers(self, person: str | None = None) -> dict[str, Any]:
        """An answer for each item that has one: of one person, else the result.

        Raises:
            InputError: the person has not answered; or there are no results, and several people have.
        """
        if person is None and not self.results:
            people = sorted({vote.person for vote in self.votes})
            if len(people) > 1:
                raise InputError(
                    f"{len(people)} people have answered, and there are no results",
                    hint=f"put {RESULTS} of `whywire annotate results` beside the items, or choose one by --person",
                )
            person = people[0] if people else None
        if person is None:
            return {result.item: result.answer for result in self.results}
        found = {vote.item: vote.answer for vote in self.votes if vote.person == person}
        if not found:
            raise InputError(f"{person!r} has answered nothing")
        return found


@dataclass(slots=True)
class Collector:
    """Gathers items and answers from rows: what is wrong with a row becomes a problem, and the others are read.

    >>> with collector.row("votes.tsv:7", row):  # doctest: +SKIP
    ...     collector.add_vote({"item": "1", "person": "w1", "answer": {"relation": "same_event"}})
    """

    kind: Kind
    items: dict[str, Item] = field(default_factory=dict)
    votes: dict[tuple[str, str], Vote] = field(default_factory=dict)
    results: dict[str, Result] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @contextmanager
    def row(self, place: str, row: object) -> Iterator[None]:
        """Turn an error in the block into a problem."""
        try:
            yield
        except InputError as error:
            self.problems.append(Problem(place, error.message, row=row))

    def rows(self, path: Path) -> Iterator[tuple[str, Row]]:
        """The rows of a file, without those that cannot be read."""
        for row in read_rows(path):
            if isinstance(row, Problem):
                self.problems.append(row)
            else:
                yield row

    def add_item(self, row: Mapping[str, Any]) -> Item:
        """Add an item by its row of JSON, in which blank values are left out; the same item may come again.

        Raises:
            InputError: it is none of this kind, or another one has its id.
        """
        item = item_of(self.kind, {name: value for name, value in row.items() if value not in (None, "")})
        if self.items.setdefault(item.id, item) != item:
            raise InputError(f"another item has the id {item.id!r}")
        return item

    def add_vote(self, row: Mapping[str, Any]) -> None:
        """Add the answer of a person by its row of JSON.

        Raises:
            InputError: it does not fit the item, or the person has answered it already.
        """
        vote = vote_of(self.items, row, UNKNOWN_TIME)
        if self.votes.setdefault((vote.item, vote.person), vote) is not vote:
            raise InputError(f"{vote.person!r} has answered the item {vote.item!r} already")

    def add_result(self, row: Mapping[str, Any]) -> None:
        """Add the result of an item by its row of JSON; one without an answer is none.

        Raises:
            InputError: it does not fit the item, or the item has a result already.
        """
        try:
            given = msgspec.convert(row, _ResultRow)
        except msgspec.ValidationError as error:
            raise InputError(f"no result: {error}") from None
        if given.item not in self.items:
            raise InputError(f"there is no item {given.item!r}")
        if given.answer is None:
            return
        result = Result(**msgspec.structs.asdict(given) | {"answer": answer_to(self.items[given.item], given.answer)})
        if self.results.setdefault(given.item, result) is not result:
            raise InputError(f"the item {given.item!r} has a result already")

    def done(self) -> LabelledItems:
        """What was gathered."""
        return LabelledItems(
            self.kind,
            tuple(self.items.values()),
            tuple(self.votes.values()),
            tuple(self.results.values()),
            tuple(self.problems),
        )


def item_row(item: Item) -> Row:
    """An item as a row of JSON."""
    row: Row = msgspec.to_builtins(item)
    return row


def agreed_results(data: LabelledItems) -> tuple[list[tuple[Any, Any]], list[Problem]]:
    """The items of work on whose answer people agree, with their results, and a problem for each other item."""
    results = {result.item: result for result in data.results}
    counted = data.counted_votes()
    kept, left_out = [], []
    for item in data.items:
        result = results.get(item.id)
        if result is not None and result.agreed:
            kept.append((item, result))
        elif item.role is Role.WORK:
            why = _why_not(result, len(counted[item.id]))
            left_out.append(Problem(item.id, f"left out, since {why}"))
    return kept, left_out


def _why_not(result: Result | None, votes: int) -> str:
    if result is None:
        return f"its {votes} answers tie" if votes else "it has no answer"
    return "only one person has answered" if result.answers == 1 else f"people do not agree ({result.share:.0%})"


def read_campaign(path: Path, kind: Kind | None = None) -> LabelledItems:
    """Read the folder of a campaign.

    Args:
        kind: of its items; by default seen from the fields of items and answers.

    Raises:
        InputError: there are no items, or their kind cannot be seen.
    """
    there = {name: path / name for name in (ITEMS, VOTES, RESULTS) if (path / name).is_file()}
    if ITEMS not in there:
        raise InputError(f"there is no {ITEMS}", where=str(path), hint="name the folder of a campaign")
    collector = Collector(kind or _kind_of(there.values()))
    for place, row in collector.rows(there[ITEMS]):
        with collector.row(place, row):
            collector.add_item(row)
    for name, add in ((VOTES, collector.add_vote), (RESULTS, collector.add_result)):
        for place, row in collector.rows(there[name]) if name in there else ():
            with collector.row(place, row):
                add(row)
    return collector.done()


def write_campaign(data: LabelledItems, path: Path) -> None:
    """Write the folder of a campaign; files of votes or results are written only if there are any.

    Raises:
        OutputError: there is a campaign in the folder, whose answers would be lost, or it cannot be written.
    """
    if (path / ITEMS).exists():
        raise OutputError("there is a campaign already", where=str(path), hint="name another folder")
    with OutputFolder(path) as folder:
        folder.write_rows(ITEMS, map(item_row, data.items))
        if data.votes:
            folder.write_rows(VOTES, map(_timed_row, data.votes))
        if data.results:
            folder.write_rows(RESULTS, map(result_row, data.results))


def kind_of(rows: Iterable[Mapping[str, Any]], where: str, among: Collection[Kind] = tuple(Kind)) -> Kind:
    """The kind of items or answers, by their fields.

    Raises:
        InputError: it cannot be seen.
    """
    for row in rows:
        for name, kind in KINDS_BY_FIELD.items():
            if name in row and kind in among:
                return kind
    raise InputError(
        "the kind of the items cannot be seen", where=where, hint=f"name it: --kind {' or '.join(among)}"
    )


def _kind_of(paths: Iterable[Path]) -> Kind:
    rows = [row[1] for path in paths for row in read_rows(path) if not isinstance(row, Problem)]
    answers = [row[name] for row in rows for name in ("answer", "gold") if isinstance(row.get(name), dict)]
    return kind_of([*rows, *answers], str(next(iter(paths))))


def _timed_row(vote: Vote) -> Row:
    """The row of a vote, with a time only if it is known."""
    return {name: value for name, value in vote_row(vote).items() if name != "at" or vote.at != UNKNOWN_TIME}
