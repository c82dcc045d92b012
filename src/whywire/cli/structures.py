"""``whywire structures``: a build in, the causal frames of its events and its causal chains out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from whywire.cli.narrowing import AS_OF, AT_LEAST, EVIDENCE, SOURCE, Narrowing, narrowed
from whywire.cli.row_files import OUT, output, write_rows
from whywire.elements import Link, round_strength, strength_class
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.chains import chains
from whywire.graph.frames import frames
from whywire.graph.read_build import read_graph
from whywire.graph.to_rows import Row


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("structures", epilog="Example: **whywire structures graph --at-least 50 > structures.jsonl**")(
        structures
    )


def structures(
    folder: Annotated[Path, typer.Argument(help="A folder that `build` wrote.")],
    out: OUT = None,
    as_of: AS_OF = None,
    at_least: AT_LEAST = 0,
    source: SOURCE = None,
    evidence: EVIDENCE = None,
) -> None:
    """List the causal frame of every event, and the causal chains: how causes and effects hang together.

    A row an event, with *structure* `frame`: its *kind* says how the blame is spread over the causes
    (strong_direct, direct, strong_contributory, contributory, mixed or none), and *links* are those causes, strongest
    first. Then a row a trio, with *structure* `chain`: its *kind* is mediation (the first led to the middle event,
    that to the last), confounding (the middle event led to both) or collider (both led to it, neither to the other).
    *links* are those between the middle event and the first and last, *across* those between the outer two.

    *events* are *id* and *title*; a link has *source*, *target*, *strength* and *class*. Closed links are left out.
    """
    graph = narrowed([read_graph(folder)], Narrowing(as_of, at_least, source, evidence))
    with output(out) as target:
        write_rows(_frames(graph), target)
        write_rows(_chains(graph), target)


def _frames(graph: CausalGraph) -> Iterator[Row]:
    for event, kind in frames(graph).items():
        yield {
            "structure": "frame",
            "kind": kind.value,
            "events": _events(graph, [event]),
            "links": _links(graph.causes_of(event)),
        }


def _chains(graph: CausalGraph) -> Iterator[Row]:
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
