"""Routes of whole graphs, as rows and in the formats of other tools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

from fastapi import APIRouter, Request
from starlette.responses import Response

from whywire.api.graphs import open_graph
from whywire.elements import EvidenceKind
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import GraphRow, graph_row
from whywire.graph.exports import BYTE_ORDER_MARK, TEXT_FORMATS, graph_csv
from whywire.service.access import READS, client_of
from whywire.service.context import Context, Service
from whywire.service.responses import TaggedRoute, json_bytes, kept_until_changed
from whywire.service.v1.parameters import MinStrength, OfEvidence, Time, since_of, until_of

router = APIRouter(route_class=TaggedRoute, dependencies=[READS], tags=["graph"])

Render = Callable[[CausalGraph], str]

_FORMATS: dict[str, Render] = {
    **TEXT_FORMATS,
    "nodes.csv": lambda graph: BYTE_ORDER_MARK + graph_csv(graph)[0],
    "edges.csv": lambda graph: BYTE_ORDER_MARK + graph_csv(graph)[1],
}

_MEDIA_TYPES = {
    "cytoscape": "application/json",
    "graphml": "application/graphml+xml",
    "json": "application/json",
    "jsonld": "application/ld+json",
    "turtle": "text/turtle",
    "nodes.csv": "text/csv",
    "edges.csv": "text/csv",
}

Format = StrEnum("Format", {name.replace(".", "_").upper(): name for name in sorted(_FORMATS)})  # type: ignore[misc]
"""The formats of `whywire export`; CSV is two files."""


@router.get("/graph", response_model=GraphRow)
@kept_until_changed
async def graph(
    request: Request,
    service: Service,
    min_strength: MinStrength = 0,
    evidence: OfEvidence = [],  # noqa: B006  FastAPI copies it
    as_of: Time = None,
    since: Time = None,
    until: Time = None,
) -> Response:
    """The graph of everything, or of the events reported on in a period, as it was known at a time."""
    select = _selection(service, min_strength, evidence, as_of, since, until)
    body = await service.graph_pool.run(client_of(request), "graph", lambda: json_bytes(graph_row(select())))
    return Response(body, media_type="application/json")


@router.get(
    "/exports/{format}",
    response_class=Response,
    responses={200: {"content": {kind: {} for kind in sorted({*_MEDIA_TYPES.values(), "text/plain"})}}},
)
@kept_until_changed
async def export(
    request: Request,
    service: Service,
    format: Format,  # noqa: A002
    min_strength: MinStrength = 0,
    evidence: OfEvidence = [],  # noqa: B006  FastAPI copies it
    as_of: Time = None,
    since: Time = None,
    until: Time = None,
) -> Response:
    """The graph in another tool's format."""
    select = _selection(service, min_strength, evidence, as_of, since, until)
    render = _FORMATS[format.value]
    body = await service.graph_pool.run(
        client_of(request), "export", lambda: render(select()).encode("utf-8", "replace")
    )
    return Response(body, media_type=_MEDIA_TYPES.get(format.value, "text/plain"))


def _selection(
    service: Context,
    min_strength: float,
    evidence: Sequence[EvidenceKind],
    as_of: str | None,
    since: str | None,
    until: str | None,
) -> Callable[[], CausalGraph]:
    """Check the parameters, and return a function that reads the part of the graph they select."""
    begin, end, moment = since_of(since), until_of(until), until_of(as_of, "as_of")

    def select() -> CausalGraph:
        if begin is None and end is None and moment is None:
            graph = service.graphs.whole()
        else:
            graph = service.store.graph(as_of=moment, since=begin, until=end)
        return open_graph(graph, at_least=min_strength, evidence=evidence)

    return select
