"""``whywire diff``: two builds in, what changed from one to the other out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.text import Text

from whywire.api.graphs import diff as compare
from whywire.api.graphs import open_built
from whywire.cli.console import PlainConsole
from whywire.cli.evidence import INDENT, with_class
from whywire.cli.json_lines import write_rows
from whywire.cli.options import JSON
from whywire.cli.summary import LINK_WORDS
from whywire.elements import Event, Link
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import Row, event_row, link_row, time_text
from whywire.graph.diffing import Differences, T

UNCHANGED = "nothing changed"

CHANGE_SIGNS = {"new": ("+", "green"), "gone": ("-", "red"), "changed": ("~", "yellow")}
"""How each kind of change is marked, with its colour."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of an event or a link.

    Args:
        of: ``event`` or ``link``.
        change: ``new``, ``gone`` or ``changed``.
        heading: how it reads.
        before: its row in the earlier build; ``None`` where there is none.
        after: its row in the later build; ``None`` where there is none.
    """

    of: str
    change: str
    heading: Text
    before: Row | None
    after: Row | None


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("diff", epilog="Example: **whywire diff yesterday today**")(diff)


def diff(
    before: Annotated[str, typer.Argument(help="The folder of the earlier build, or a store.")],
    after: Annotated[str, typer.Argument(help="The folder of the later build, or a store.")],
    as_json: JSON = False,
) -> None:
    """Show what changed from one build to another: events and links that are new (+), gone (-) or changed (~).

    An event is the same while it keeps its id, which is named for its first article; a link, while it joins the same
    events in the same way. With **--json** a row has *of* (event or link), *change* (new, gone or changed) and, as
    they stand in the builds' files, *before* and *after*, null where there is none; where nothing changed there is
    no row.
    """
    graphs = open_built(before), open_built(after)
    found = compare(*graphs)
    events = list(_changes("event", found.events, graphs, event_row, _event))
    links = list(_changes("link", found.links, graphs, link_row, _link))
    if as_json:
        write_rows(
            {"of": one.of, "change": one.change, "before": one.before, "after": one.after}
            for one in (*events, *links)
        )
        return
    console = PlainConsole()
    for name, changes in (("events", events), ("links", links)):
        if changes:
            _show(console, name, changes)
    if not found:
        console.print(UNCHANGED)


def _changes(
    of: str,
    found: Differences[T],
    graphs: tuple[CausalGraph, CausalGraph],
    row: Callable[[CausalGraph, T], Row],
    heading: Callable[[CausalGraph, T], Text],
) -> Iterator[Change]:
    before, after = graphs
    for thing in found.new:
        yield Change(of, "new", heading(after, thing), None, row(after, thing))
    for thing in found.gone:
        yield Change(of, "gone", heading(before, thing), row(before, thing), None)
    for was, now in found.changed:
        yield Change(of, "changed", heading(after, now), row(before, was), row(after, now))


def _event(graph: CausalGraph, event: Event) -> Text:  # noqa: ARG001
    return Text.assemble((event.title, "bold"), (f"  {time_text(event.first_seen) or 'no time'} · {event.id}", "dim"))


def _link(graph: CausalGraph, link: Link) -> Text:
    source, target = graph.event(link.source).title, graph.event(link.target).title
    words = f" {LINK_WORDS[link.kind]} "
    return Text.assemble((source, "bold"), words, (target, "bold"), f"  {with_class(link.strength)}")


def _show(console: PlainConsole, name: str, changes: list[Change]) -> None:
    counts = Counter(one.change for one in changes)
    console.print(f"{name}: {', '.join(f'{counts[change]:,} {change}' for change in CHANGE_SIGNS)}")
    for one in changes:
        console.print(Text.assemble(CHANGE_SIGNS[one.change], " ", one.heading))
        if one.before and one.after:
            for line in _differences(one.before, one.after):
                console.print(f"{INDENT}{line}")


def _differences(before: Row, after: Row) -> Iterator[str]:
    """The fields that differ, before and after; of a list, how many items are new and gone."""
    for name in dict.fromkeys((*before, *after)):
        was, now = before.get(name), after.get(name)
        if isinstance(was or now, list):
            was, now = was or [], now or []
            new, gone = sum(one not in was for one in now), sum(one not in now for one in was)
            if new or gone:
                yield f"{name}: {new:,} new, {gone:,} gone"
        elif was != now:
            yield f"{name}: {'none' if was is None else was} → {'none' if now is None else now}"
