"""``whywire structures``: a build in, the causal frames of its events and its causal chains out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import typer

from whywire.api.graphs import open_built, open_graph
from whywire.cli.json_lines import open_out, write_rows
from whywire.cli.options import AS_OF, AT_LEAST, BUILT, EVIDENCE, OUT, OUTLET
from whywire.elements import Link, round_strength, strength_class
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.chains import chains
from whywire.graph.codec import Row
from whywire.graph.frames import frames


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("structures", epilog="Example: **whywire structures graph --at-least 50 > structures.jsonl**")(
        structures
    )


def structures(
    built: BUILT,
    out: OUT = None,
    as_of: AS_OF = None,
    at_least: AT_LEAST = 0,
    outlet: OUTLET = None,
    evidence: EVIDENCE = None,
) -> None:
    """List the causal frame of every event, and the causal chains of three events.

    First one row for each event, with *structure* `frame`: its *kind* says how many causes the event has and how
    strong they are (strong_direct, direct, strong_contributory, contributory, mixed or none), and *links* are the
    links from those causes, strongest first. Then one row for each trio of events, with *structure* `chain`: its
    *kind* is mediation (the first led to the middle event, and that to the last), confounding (the middle event led
    to both) or collider (both led to the middle event, neither to the other). *links* are the links between the
    middle event and the first and last, *across* the links between the outer two.

    *events* are *id* and *title*; a link has *source*, *target*, *strength* and *class*. Closed links are left out.
    """
    graph = open_graph(open_built(built), as_of=as_of, at_least=at_least, outlet=outlet, evidence=evidence or ())
    with open_out(out) as target:
        write_rows(_rows(graph), target)


def _rows(graph: CausalGraph) -> Iterator[Row]:
    for event, frame in frames(graph).items():
        yield {
            "structure": "frame",
            "kind": frame.value,
            "events": _events(graph, [event]),
            "links": _links(graph.causes_of(event)),
        }
    for chain in chains(graph):
        yield {
            "structure": "chain",
            "kind": chain.kind.value,
            "events": _events(graph, chain.events),
            "links": _links(chain.links),
            "across": _links(chain.across),
        }


def _events(graph: CausalGraph, ids: Iterable[str]) -> list[Row]:
    return [{"id": event, "title": graph.event(event).title} for event in ids]


def _links(links: Iterable[Link]) -> list[Row]:
    return [
        {
            "source": link.source,
            "target": link.target,
            "strength": round_strength(link.strength),
            "class": strength_class(link.strength).value,
        }
        for link in links
    ]
