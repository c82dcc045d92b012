"""``whywire corrections``: a person corrects the graph of a store."""

from __future__ import annotations

import getpass
from typing import Annotated

import typer
from rich.text import Text

from whywire.api.corrections import corrections as open_corrections
from whywire.cli.json_lines import write_rows
from whywire.cli.options import JSON, READER, STORE_OPTION, with_second_reader
from whywire.cli.stores import show_update
from whywire.cli.terminal import BarProgress, PlainConsole
from whywire.elements import LinkKind

BY = Annotated[str | None, typer.Option("--by", help="Who corrects it, for the list; the user's name by default.")]
NOTE = Annotated[str, typer.Option("--note", help="Why, for the list.")]
IN_STORE = Annotated[str, STORE_OPTION]

corrections = typer.Typer(
    name="corrections",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="""Hide wrong links, divide wrong events, list that, and take it back.

    A correction names words of articles, not ids, and holds through all that comes until it is taken back.
    """,
    epilog="Example: **whywire corrections hide e-4be81c8a4f0c e-9f2d60a1c7b3 --store news.db**",
)


@corrections.command("list", epilog="Example: **whywire corrections list --store news.db --json**")
def list_corrections(store: IN_STORE, as_json: JSON = False) -> None:
    """List the corrections of a store, the latest first; `build --corrections` reads the rows of **--json**."""
    from whywire.service.rows import listed_correction_row

    with open_corrections(store, read_only=True) as desk:
        listed = [*desk.list()]
    if as_json:
        write_rows(map(listed_correction_row, listed))
        return
    console = PlainConsole()
    for one in listed:
        correction = one.correction
        sides = zip(one.titles, (correction.left, correction.right), strict=True)
        ends = " | ".join(title or anchors[0].words for title, anchors in sides)
        console.print(Text(f"{correction.id}  {correction.kind.value}  {one.state.value}  {ends}  ({correction.by})"))
    if not listed:
        PlainConsole(stderr=True).print("nobody has corrected anything")


@corrections.command(
    "hide", epilog="Example: **whywire corrections hide e-4be81c8a4f0c e-9f2d60a1c7b3 --store news.db**"
)
@with_second_reader
def hide(
    source: Annotated[str, typer.Argument(help="The id of the event that the link starts at.")],
    target: Annotated[str, typer.Argument(help="The id of the event that it ends at.")],
    store: IN_STORE,
    kind: Annotated[LinkKind, typer.Option(help="The kind of the link.")] = LinkKind.CAUSES,
    note: NOTE = "",
    by: BY = None,
    reader: READER = None,
) -> None:
    """Hide a link: no link of its kind leads from the one event to the other any more."""
    with open_corrections(store, second_reader=reader) as desk, BarProgress() as progress:
        done = desk.hide_link(source, target, kind, by=_name(by), note=note, progress=progress)
    show_update(done, Text("corrected"))


@corrections.command("apart", epilog="Example: **whywire corrections apart e-4be81c8a4f0c a-7 a-9 --store news.db**")
@with_second_reader
def apart(
    event: Annotated[str, typer.Argument(help="The id of an event.")],
    articles: Annotated[list[str], typer.Argument(metavar="ARTICLE...", help="Ids of some of its articles.")],
    store: IN_STORE,
    note: NOTE = "",
    by: BY = None,
    reader: READER = None,
) -> None:
    """Divide an event: what these of its articles tell, and what the others tell, are two events."""
    with open_corrections(store, second_reader=reader) as desk, BarProgress() as progress:
        done = desk.tell_apart(event, articles, by=_name(by), note=note, progress=progress)
    show_update(done, Text("corrected"))


@corrections.command("take-back", epilog="Example: **whywire corrections take-back c-5f0c6e1a9b3d --store news.db**")
@with_second_reader
def take_back(
    correction: Annotated[str, typer.Argument(help="The id of a correction, as `list` shows it.")],
    store: IN_STORE,
    by: BY = None,
    reader: READER = None,
) -> None:
    """Take a correction back: the graph is then as without it."""
    with open_corrections(store, second_reader=reader) as desk, BarProgress() as progress:
        done = desk.take_back(correction, by=_name(by), progress=progress)
    show_update(done, Text("taken back"))


def _name(given: str | None) -> str:
    return given or getpass.getuser()
