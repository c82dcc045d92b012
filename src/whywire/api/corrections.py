"""``whywire.corrections``: a person corrects the graph of a store; and the corrections that a build is given."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from whywire.api.stores import StoreInput, StoreUpdate, opened_store, update
from whywire.correction import Correction
from whywire.elements import LinkKind
from whywire.errors import InputError
from whywire.graph.codec import correction_from_row
from whywire.news import Problem
from whywire.news.row_files import read_json_lines
from whywire.news.text_files import decode, open_bytes, place_of
from whywire.progress import Progress

if TYPE_CHECKING:
    from whywire.engines import Models
    from whywire.second_opinions.adviser import Adviser
    from whywire.store import ListedCorrection, Store

CorrectionsInput: TypeAlias = str | Path | Iterable[Correction | Mapping[str, Any]]
"""A file of rows as a service lists them (docs/formats.md), such rows, or corrections."""


class Corrections:
    """The corrections of a store; open it with :func:`corrections`.

    A correction is in the graph when the method returns. It names words of articles, not ids, and holds through all
    that comes, until it is taken back.
    """

    def __init__(self, store: Store, close: ExitStack, models: Models | None, second_reader: Adviser | None) -> None:
        self._store, self._close = store, close
        self._models, self._second_reader = models, second_reader

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close.close()

    def hide_link(
        self,
        source: str,
        target: str,
        kind: LinkKind | str = LinkKind.CAUSES,
        *,
        by: str,
        note: str = "",
        progress: Progress | None = None,
    ) -> StoreUpdate:
        """Hide a link: no link of its kind leads from the one event to the other any more.

        Args:
            source, target: ids of events.
            by: who hides it, for the list.
            note: why.

        Raises:
            InputError: there is no such link.
        """
        self._store.hide_link(source, target, LinkKind(kind), by=by, note=note)
        return self._applied(progress)

    def tell_apart(
        self,
        event: str,
        articles: Collection[str],
        *,
        by: str,
        note: str = "",
        progress: Progress | None = None,
    ) -> StoreUpdate:
        """Divide an event: what some of its articles tell, and what the others tell, are two events.

        Args:
            event: id of the event.
            articles: ids of some of its articles.
            by: who divides it, for the list.
            note: why.

        Raises:
            InputError: there is no such event, or it has no such articles or no others.
        """
        self._store.tell_apart(event, articles, by=by, note=note)
        return self._applied(progress)

    def take_back(self, correction: str, *, by: str, progress: Progress | None = None) -> StoreUpdate:
        """Take a correction back: the graph is then as without it.

        Args:
            correction: its id.
            by: who takes it back, for the list.

        Raises:
            InputError: there is no such correction.
        """
        if not self._store.take_back(correction, by):
            raise InputError(f"there is no correction {correction}", hint="`whywire corrections list` lists them")
        return self._applied(progress)

    def list(self) -> Iterator[ListedCorrection]:
        """All corrections, the latest first, with those that were taken back."""
        after = None
        while True:
            page = self._store.corrections(after=after, limit=1000)
            yield from page.items
            after = page.next
            if after is None:
                return

    def _applied(self, progress: Progress | None) -> StoreUpdate:
        return update([], self._store, models=self._models, second_reader=self._second_reader, progress=progress)


def corrections(
    store: StoreInput,
    *,
    read_only: bool = False,
    models: Models | None = None,
    second_reader: Adviser | None = None,
) -> Corrections:
    """Open the corrections of a store, to make, list and take them back.

    >>> done = whywire.update("today.jsonl", "news.db")
    >>> link = whywire.open_graph("news.db").links[0]
    >>> with whywire.corrections("news.db") as desk:
    ...     done = desk.hide_link(link.source, link.target, link.kind, by="Ada")
    ...     [(one.correction.id, one.state) for one in desk.list()]

    Args:
        store: a store, or its address.
        read_only: corrections can only be listed.
        models: loaded models; the embedded ones by default.
        second_reader: as for :func:`whywire.update`.

    Raises:
        InputError: there is no store, or it cannot be used.
        MissingExtraError: SQLAlchemy, Alembic or psycopg is not installed.
    """
    close = ExitStack()
    opened = close.enter_context(opened_store(store, create=False, read_only=read_only))
    return Corrections(opened, close, models, second_reader)


def load_corrections(given: CorrectionsInput) -> list[Correction]:
    """Read the corrections that hold; those that were taken back are left out.

    Raises:
        InputError: the file cannot be read, or a row is not a correction; the error names its place.
    """
    rows = [*_rows_of(Path(given))] if isinstance(given, str | Path) else enumerate(given, start=1)
    found = [row if isinstance(row, Correction) else _correction(place, row) for place, row in rows]
    return [correction for correction in found if correction.taken_back is None]


def _rows_of(path: Path) -> Iterator[tuple[str, Any]]:
    with decode(open_bytes(path)) as lines:
        for row in read_json_lines(lines, place_of(path)):
            if isinstance(row, Problem):
                raise InputError(row.reason, where=row.place)
            yield row.place, row.value


def _correction(place: str | int, row: Any) -> Correction:
    try:
        return correction_from_row(row)
    except ValueError as error:
        where = f"correction {place}" if isinstance(place, int) else place
        raise InputError(f"not a correction: {error}", where=where) from error
