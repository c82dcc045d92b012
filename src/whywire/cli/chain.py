"""``whywire chain``: two events in, how one led to the other out."""

from __future__ import annotations

from typing import Annotated

import typer

from whywire.api.queries import chain as find_chain
from whywire.cli.event_links import find_and_report
from whywire.cli.event_paths import show_paths, write_paths
from whywire.cli.graph_options import AS_OF, AT_LEAST, EVENT, EVIDENCE, NEWS, SOURCE, open_news
from whywire.cli.options import JSON, LIMIT
from whywire.language_models import LanguageModels


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("chain", epilog='Example: **whywire chain "the storm" "the fuel shortage" --news graph**')(chain)


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

    The strongest paths come first; a path is as strong as its weakest link. With **--json** a row has *strength*,
    *events* from the cause to the effect, and *links* with their evidence; where nothing leads from one to the other,
    *links* is empty and *strength* null.
    """
    models = LanguageModels()
    graph = open_news(news, models, as_of=as_of, at_least=at_least, source=source, evidence=evidence)
    start, end = (find_and_report(words, graph, models) for words in (cause, effect))
    paths = find_chain(start, end, graph, limit=limit, models=models)
    if as_json:
        write_paths(graph, [start.event, end.event], paths)
        return
    first, last = (match.words if match.is_entity else match.event.title for match in (start, end))
    show_paths(graph, paths, none_found=f"nothing in the news leads from “{first}” to “{last}”")
