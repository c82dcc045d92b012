"""Prints the causes or effects of an event, for a person and as JSON rows."""

from __future__ import annotations

from rich.text import Text

from whywire.answers.event_lookup import EventMatch
from whywire.api.answer_rows import attributed_cause, linked_event_rows
from whywire.api.queries import LinkedEvents, find_event
from whywire.cli.console import PlainConsole
from whywire.cli.evidence import INDENT, MAX_SHOWN, show_evidence, with_class
from whywire.cli.json_lines import write_rows
from whywire.elements import Event, Link, LinkKind
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import time_text
from whywire.graph.frames import frame_of_event
from whywire.graph.paths import root_causes
from whywire.language_models import LanguageModels

NO_CAUSE = "nothing in the news led to this"
NO_EFFECT = "this led to nothing in the news"


def find_and_report(words: str, graph: CausalGraph, models: LanguageModels) -> EventMatch:
    """The events that words refer to; several of them, and others with these words, are named on standard error."""
    match = find_event(words, graph, models=models)
    console = PlainConsole(stderr=True)
    if match.is_entity:
        story = next(story for story in graph.stories() if story.id == match.event.story)
        shared = f"“{match.words}” is named by {len(match.events):,} events of the story “{story.title}”; "
        console.print(Text(f"{shared}answering for all of them. To ask of one, give its id or title."))
    if match.others:
        how = "in other stories or in none" if match.is_entity else "with fewer reports and links"
        console.print(Text(f"{len(match.others):,} other events have these words, {how}:", style="dim"))
        for other in match.others[:MAX_SHOWN]:
            console.print(Text(f"{INDENT}{other.id}  {other.title}", style="dim"))
    return match


def write_linked_events(graph: CausalGraph, found: LinkedEvents, limit: int, *, of_effects: bool) -> None:
    """Write the causes or effects as JSON rows, one a link; one without a link where there is none."""
    write_rows(linked_event_rows(graph, found.match.event, found.links[:limit], of_effects=of_effects))


def show_linked_events(graph: CausalGraph, found: LinkedEvents, limit: int, *, of_effects: bool) -> None:
    """Print the causes or effects, strongest first; the links that a refutation closed come last."""
    console, match = PlainConsole(), found.match
    if not match.is_entity:
        console.print(_heading(graph, match.event))
    _show_refutations(console, graph, match)
    for number, link in enumerate(found.links[:limit], start=1):
        ends = graph.event(link.source), graph.event(link.target)
        own, other = ends if of_effects else ends[::-1]
        how = f"{'caused by' if of_effects else 'led to'}: {own.title}  {own.id}" if match.is_entity else None
        show_link(console, graph, link, f"{number}. ", other, how)
    if not found.links:
        console.print(NO_EFFECT if of_effects else NO_CAUSE)
    if (more := len(found.links) - limit) > 0:
        console.print(f"and {more:,} more")
    if not of_effects and not match.is_entity:
        _show_roots(console, graph, match.event)


def show_link(
    console: PlainConsole, graph: CausalGraph, link: Link, lead: str, other: Event, how: str | None = None
) -> None:
    """Print a link with its evidence.

    Args:
        lead: printed before the title.
        other: the event at the link's other end, whose title is printed.
        how: a line on the event asked about, where there are several.
    """
    seen = time_text(other.first_seen) or "no time"
    console.print(
        Text.assemble(
            lead, (other.title, "bold"), f"  {with_class(link.strength)}", (f"  {seen} · {other.id}", "dim")
        )
    )
    if how:
        console.print(Text(f"{INDENT}{how}"))
    if link.closed_by:
        console.print(Text(f"{INDENT}refuted: {graph.event(link.closed_by).title}", style="yellow"))
    elif (cause := attributed_cause(graph, link)) and cause.mediator:
        mediator = graph.event(cause.mediator).title
        console.print(Text(f"{INDENT}credit {cause.attribution:.0f}, the rest by way of: {mediator}"))
    show_evidence(console, graph, link.evidence)
    if link.denied_by:
        console.print(Text(f"{INDENT}but it is denied:", style="yellow"))
        show_evidence(console, graph, link.denied_by)


def _show_refutations(console: PlainConsole, graph: CausalGraph, match: EventMatch) -> None:
    for event in match.events:
        for link in graph.links_of(event.id):
            if link.kind is LinkKind.REFUTES and link.source == event.id:
                whose = f" ({event.title})" if match.is_entity else ""
                refuting = graph.event(link.target).title
                console.print(Text(f"refuted, corrected or overtaken{whose}: {refuting}", style="yellow"))


def _show_roots(console: PlainConsole, graph: CausalGraph, event: Event) -> None:
    """Print the root causes that are not among the causes shown."""
    shown = {link.source for link in graph.causes_of(event.id)}
    for path in root_causes(graph, event.id):
        if path.events[0] not in shown:
            root = graph.event(path.events[0])
            console.print(Text.assemble("goes back to: ", (root.title, "bold"), f"  {with_class(path.strength)}"))


def _heading(graph: CausalGraph, event: Event) -> Text:
    seen = time_text(event.first_seen) or "no time"
    frame = frame_of_event(graph, event.id).value.replace("_", " ")
    return Text.assemble((event.title, "bold"), (f"  {seen} · {event.id} · frame: {frame}", "dim"))
