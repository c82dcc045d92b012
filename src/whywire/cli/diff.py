"""``whywire diff``: what changed from one build to another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.text import Text

from whywire.api.graphs import diff as compare
from whywire.api.graphs import open_built
from whywire.cli.json_lines import write_rows
from whywire.cli.options import JSON
from whywire.cli.queries import INDENT, how_strong
from whywire.cli.summaries import LINK_WORDS
from whywire.cli.terminal import PlainConsole
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
        heading: the event or link in words.
        before: its row in the earlier build; ``None`` if it is new.
        after: its row in the later build; ``None`` if it is gone.
    """

    of: str
    change: str
    heading: Text
    before: Row | None
    after: Row | None


def diff(
    before: Annotated[str, typer.Argument(help="The folder of the earlier build, or a store.")],
    after: Annotated[str, typer.Argument(help="The folder of the later build, or a store.")],
    as_json: JSON = False,
) -> None:
    """Show what changed from one build to another: events and links that are new (+), gone (-) or changed (~).

    An event is the same as long as it keeps its id, which is taken from its first article; a link, as long as it
    joins the same events in the same way. With **--json** a row has *of* (event or link), *change* (new, gone or
    changed), and *before* and *after*: the rows in the files of the builds, or null. If nothing changed there is no
    row.

    Example: whywire diff yesterday today
    """
    graphs = open_built(before), open_built(after)
    differences = compare(*graphs)
    events = list(_changes("event", differences.events, graphs, event_row, _event_heading))
    links = list(_changes("link", differences.links, graphs, link_row, _link_heading))
    if as_json:
        write_rows(
            {"of": change.of, "change": change.change, "before": change.before, "after": change.after}
            for change in (*events, *links)
        )
        return
    console = PlainConsole()
    for name, changes in (("events", events), ("links", links)):
        if changes:
            _show(console, name, changes)
    if not differences:
        console.print(UNCHANGED)


def _changes(
    of: str,
    differences: Differences[T],
    graphs: tuple[CausalGraph, CausalGraph],
    row: Callable[[CausalGraph, T], Row],
    heading: Callable[[CausalGraph, T], Text],
) -> Iterator[Change]:
    before, after = graphs
    for element in differences.new:
        yield Change(of, "new", heading(after, element), None, row(after, element))
    for element in differences.gone:
        yield Change(of, "gone", heading(before, element), row(before, element), None)
    for was, now in differences.changed:
        yield Change(of, "changed", heading(after, now), row(before, was), row(after, now))


def _event_heading(graph: CausalGraph, event: Event) -> Text:  # noqa: ARG001
    return Text.assemble((event.title, "bold"), (f"  {time_text(event.first_seen) or 'no time'} · {event.id}", "dim"))


def _link_heading(graph: CausalGraph, link: Link) -> Text:
    source, target = graph.event(link.source).title, graph.event(link.target).title
    words = f" {LINK_WORDS[link.kind]} "
    return Text.assemble((source, "bold"), words, (target, "bold"), f"  {how_strong(link)}")


def _show(console: PlainConsole, name: str, changes: list[Change]) -> None:
    counts = Counter(change.change for change in changes)
    console.print(f"{name}: {', '.join(f'{counts[kind]:,} {kind}' for kind in CHANGE_SIGNS)}")
    for change in changes:
        console.print(Text.assemble(CHANGE_SIGNS[change.change], " ", change.heading))
        if change.before and change.after:
            for line in _differing_fields(change.before, change.after):
                console.print(f"{INDENT}{line}")


def _differing_fields(before: Row, after: Row) -> Iterator[str]:
    """Describe the fields that differ: the values before and after; for a list, the numbers of new and gone items."""
    for name in dict.fromkeys((*before, *after)):
        was, now = before.get(name), after.get(name)
        if isinstance(was or now, list):
            was, now = was or [], now or []
            new, gone = sum(item not in was for item in now), sum(item not in now for item in was)
            if new or gone:
                yield f"{name}: {new:,} new, {gone:,} gone"
        elif was != now:
            yield f"{name}: {'none' if was is None else was} → {'none' if now is None else now}"
