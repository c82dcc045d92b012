"""``whywire effects`` and ``chain``, and the half of ``why`` that asks the graph: events in, what they led to out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Annotated

import typer
from rich.text import Text

from whywire.answers.named import Meant, find_meant
from whywire.cli.build import read
from whywire.cli.console import PlainConsole
from whywire.cli.evidence import INDENT, SHOWN, graded, show_evidence
from whywire.cli.narrowing import AS_OF, AT_LEAST, EVIDENCE, SOURCE, Narrowing, narrowed
from whywire.cli.progress import BarProgress
from whywire.cli.row_files import write_rows
from whywire.elements import Event, Link, LinkKind, round_strength
from whywire.errors import InputError
from whywire.graph.attribution import AttributedCause, attributed_causes
from whywire.graph.build_folder import is_build_folder
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.frames import frame_of_event
from whywire.graph.paths import Path, paths_between, root_causes
from whywire.graph.read_build import read_graph
from whywire.graph.to_rows import Row, event_row, link_row, time_text
from whywire.language_models import LanguageModels
from whywire.news import Language
from whywire.pipeline import build as build_graph

NO_CAUSE = "nothing in the news led to this"
LED_NOWHERE = "this led to nothing in the news"

NEWS = Annotated[
    list[str],
    typer.Option(
        "--news",
        help="Files or folders of articles, as for `build`, or a folder that `build` wrote; may be given "
        "several times.",
    ),
]
LIMIT = Annotated[int, typer.Option(min=1, help="The most answers given.")]
JSON = Annotated[bool, typer.Option("--json", help="Write JSON lines, an answer each, for programs.")]
EVENT = typer.Argument(
    help="An event's id, its title, or words near a headline on it; or a thing that several events of a story name."
)


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command("effects", epilog='Example: **whywire effects "the refinery fire" --news graph**')(effects)
    app.command("chain", epilog='Example: **whywire chain "the storm" "the fuel shortage" --news graph**')(chain)


def effects(
    event: Annotated[str, EVENT],
    news: NEWS,
    as_of: AS_OF = None,
    at_least: AT_LEAST = 0,
    source: SOURCE = None,
    evidence: EVIDENCE = None,
    limit: LIMIT = 10,
    as_json: JSON = False,
) -> None:
    """Show what an event led to, or the events that name a thing, with the evidence.

    With **--json** a row has *cause* and *effect* (events), the effect's causal *frame*, the cause's *credit* for it
    (and *through*, the nearer cause that took a part), and *link* with its evidence; where it led to nothing,
    *effect* is null.
    """
    models = LanguageModels()
    graph = graph_of(news, models, Narrowing(as_of, at_least, source, evidence))
    show_links(graph, event_meant(graph, event, models), limit, as_json, of_effects=True)


def chain(
    cause: Annotated[str, EVENT],
    effect: Annotated[str, EVENT],
    news: NEWS,
    as_of: AS_OF = None,
    at_least: AT_LEAST = 0,
    source: SOURCE = None,
    evidence: EVIDENCE = None,
    limit: LIMIT = 3,
    as_json: JSON = False,
) -> None:
    """Show how one event led to another, step by step, with the evidence.

    The strongest ways come first; a way is as strong as its weakest link. With **--json** a row has *strength*,
    *events* from the cause to the effect, and *links* with their evidence; where nothing leads from one to the other,
    *links* is empty and *strength* null.
    """
    models = LanguageModels()
    graph = graph_of(news, models, Narrowing(as_of, at_least, source, evidence))
    ends = event_meant(graph, cause, models), event_meant(graph, effect, models)
    found = list(islice(paths_between(graph, ends[0].ids, ends[1].ids), limit))
    names = [end.words if end.is_thing else end.event.title for end in ends]
    nowhere = f"nothing in the news leads from “{names[0]}” to “{names[1]}”"
    show_paths(graph, [end.event for end in ends], found, as_json, nowhere=nowhere)


def event_meant(graph: CausalGraph, words: str, models: LanguageModels) -> Meant:
    """What words mean; that they name a thing, and other events that have them, is told on standard error."""
    meant = find_meant(graph, words, models)
    console = PlainConsole(stderr=True)
    if meant.is_thing:
        story = next(story for story in graph.stories() if story.id == meant.event.story)
        told = f"“{meant.words}” is named by {len(meant.events):,} events of the story “{story.title}”; "
        console.print(Text(f"{told}answering for all of them. To ask of one, give its id or title."))
    if meant.others:
        fewer = "in other stories or in none" if meant.is_thing else "with fewer reports and links"
        told = f"{len(meant.others):,} other events have these words, {fewer}:"
        console.print(Text(told, style="dim"))
        for other in meant.others[:SHOWN]:
            console.print(Text(f"{INDENT}{other.id}  {other.title}", style="dim"))
    return meant


def graph_of(news: list[str], models: LanguageModels, wanted: Narrowing) -> CausalGraph:
    """The one graph of all the news, narrowed as somebody wants it."""
    return narrowed(graphs_of(news, models), wanted)


def graphs_of(news: list[str], models: LanguageModels, language: Language | None = None) -> list[CausalGraph]:
    """The graph of each folder that a build wrote, and one of all articles.

    Args:
        language: articles in other ones need not be read.
    """
    graphs = [read_graph(place) for place in news if is_build_folder(place)]
    if files := [place for place in news if not is_build_folder(place)]:
        articles, problems = read(files, strict=False)
        if not articles:
            reasons = "; ".join(map(str, problems[:SHOWN]))
            raise InputError(
                "no article could be read", where=", ".join(files), hint=reasons or "the files are empty"
            )
        if left_out := sum(not problem.kept for problem in problems):
            PlainConsole(stderr=True).print(f"{left_out:,} rows left out; `whywire build` says why", style="yellow")
        own = [article for article in articles if language in (None, article.language)]
        with BarProgress() as progress:
            graphs.append(build_graph(own, models=models, progress=progress).graph)
    return graphs


def show_links(graph: CausalGraph, meant: Meant, limit: int, as_json: bool, *, of_effects: bool) -> None:
    """Show what led to the events meant, or what they led to; the links that a refutation closed come last."""
    links = _links_of(graph, meant.events, of_effects)
    if as_json:
        write_rows(_link_rows(graph, meant.event, links[:limit], of_effects))
        return
    console = PlainConsole()
    if not meant.is_thing:
        console.print(_heading(graph, meant.event))
    for event in meant.events:
        for link in graph.links_of(event.id):
            if link.kind is LinkKind.REFUTES and link.source == event.id:
                whose = f" ({event.title})" if meant.is_thing else ""
                refuting = graph.event(link.target).title
                console.print(Text(f"refuted, corrected or overtaken{whose}: {refuting}", style="yellow"))
    for number, link in enumerate(links[:limit], start=1):
        ends = graph.event(link.source), graph.event(link.target)
        own, other = ends if of_effects else ends[::-1]
        how = f"{'caused by' if of_effects else 'led to'}: {own.title}  {own.id}" if meant.is_thing else None
        _show_link(console, graph, link, f"{number}. ", other, how)
    if not links:
        console.print(LED_NOWHERE if of_effects else NO_CAUSE)
    if (more := len(links) - limit) > 0:
        console.print(f"and {more:,} more")
    if not of_effects and not meant.is_thing:
        _show_roots(console, graph, meant.event)


def _links_of(graph: CausalGraph, events: Sequence[Event], of_effects: bool) -> list[Link]:
    """The causal links that begin at one of the events, or end there, strongest first; closed ones come last."""
    links = [
        link
        for event in events
        for link in graph.links_of(event.id)
        if (link.closed_by or link.kind is LinkKind.CAUSES)
        and event.id == (link.source if of_effects else link.target)
    ]
    return sorted(links, key=lambda link: (link.closed_by is not None, -link.strength, link.source, link.target))


def _link_rows(graph: CausalGraph, event: Event, links: list[Link], of_effects: bool) -> Iterator[Row]:
    """A row a link; one without a link where there is none."""
    for link in links:
        credit = _credit(graph, link)
        yield {
            "cause": event_row(graph, graph.event(link.source)),
            "effect": event_row(graph, graph.event(link.target)),
            "frame": frame_of_event(graph, link.target).value,
            "credit": round_strength(credit.attribution) if credit else None,
            "through": credit.mediator if credit else None,
            "link": link_row(graph, link),
        }
    if not links:
        ends = (
            {"cause": event_row(graph, event), "effect": None}
            if of_effects
            else {"cause": None, "effect": event_row(graph, event)}
        )
        frame = None if of_effects else frame_of_event(graph, event.id).value
        yield {**ends, "frame": frame, "credit": None, "through": None, "link": None}


def show_paths(
    graph: CausalGraph,
    asked: Sequence[Event],
    found: Sequence[Path],
    as_json: bool,
    *,
    nowhere: str,
    more: int = 0,
) -> None:
    """Show ways from cause to effect, step by step.

    Args:
        asked: the events asked about; a program gets them where there is no way.
        nowhere: what a person is told there.
        more: how many ways are known besides.
    """
    if as_json:
        write_rows(_path_rows(graph, asked, found))
        return
    console = PlainConsole()
    for number, path in enumerate(found, start=1):
        begin = graph.event(path.events[0]).title
        console.print(Text.assemble(f"{number}. ", (begin, "bold"), f"  {graded(path.strength)}"))
        for link in path.links:
            _show_link(console, graph, link, "   → ", graph.event(link.target))
    if not found:
        console.print(nowhere)
    if more > 0:
        console.print(f"and {more:,} more")


def _path_rows(graph: CausalGraph, asked: Sequence[Event], found: Sequence[Path]) -> Iterator[Row]:
    for path in found:
        yield {
            "strength": round_strength(path.strength),
            "events": [event_row(graph, graph.event(event)) for event in path.events],
            "links": [link_row(graph, link) for link in path.links],
        }
    if not found:
        yield {"strength": None, "events": [event_row(graph, event) for event in asked], "links": []}


def _show_link(
    console: PlainConsole, graph: CausalGraph, link: Link, lead: str, other: Event, how: str | None = None
) -> None:
    seen = time_text(other.first_seen) or "no time"
    console.print(
        Text.assemble(lead, (other.title, "bold"), f"  {graded(link.strength)}", (f"  {seen} · {other.id}", "dim"))
    )
    if how:
        console.print(Text(f"{INDENT}{how}"))
    if link.closed_by:
        console.print(Text(f"{INDENT}refuted: {graph.event(link.closed_by).title}", style="yellow"))
    elif (credit := _credit(graph, link)) and credit.mediator:
        by_way = graph.event(credit.mediator).title
        console.print(Text(f"{INDENT}credit {credit.attribution:.0f}, the rest by way of: {by_way}"))
    show_evidence(console, graph, link.evidence)
    if link.denied_by:
        console.print(Text(f"{INDENT}but it is denied:", style="yellow"))
        show_evidence(console, graph, link.denied_by)


def _show_roots(console: PlainConsole, graph: CausalGraph, event: Event) -> None:
    """Name where it all began, where that is not among the causes shown."""
    shown = {link.source for link in graph.causes_of(event.id)}
    for path in root_causes(graph, event.id):
        if path.events[0] not in shown:
            root = graph.event(path.events[0])
            console.print(Text.assemble("goes back to: ", (root.title, "bold"), f"  {graded(path.strength)}"))


def _heading(graph: CausalGraph, event: Event) -> Text:
    seen = time_text(event.first_seen) or "no time"
    frame = frame_of_event(graph, event.id).value.replace("_", " ")
    return Text.assemble((event.title, "bold"), (f"  {seen} · {event.id} · frame: {frame}", "dim"))


def _credit(graph: CausalGraph, link: Link) -> AttributedCause | None:
    """What credit the link's source has for its target; ``None`` for a closed link."""
    return next((one for one in attributed_causes(graph, link.target) if one.link == link), None)
