"""``whywire effects``: an event in, what it led to out."""

from __future__ import annotations

from typing import Annotated

import typer

from whywire.api.queries import effects as find_effects
from whywire.cli.event_links import find_and_report, show_linked_events, write_linked_events
from whywire.cli.graph_options import AS_OF, AT_LEAST, EVENT, EVIDENCE, NEWS, SOURCE, open_news
from whywire.cli.options import JSON, LIMIT
from whywire.language_models import LanguageModels


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("effects", epilog='Example: **whywire effects "the refinery fire" --news graph**')(effects)


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
    """Show what an event led to, or the events that name an entity, with the evidence.

    With **--json** a row has *cause* and *effect* (events), the effect's causal *frame*, the cause's *credit* for it
    (and *through*, the nearer cause that took a part), and *link* with its evidence; where it led to nothing,
    *effect* is null.
    """
    models = LanguageModels()
    graph = open_news(news, models, as_of=as_of, at_least=at_least, source=source, evidence=evidence)
    found = find_effects(find_and_report(event, graph, models), graph, models=models)
    show = write_linked_events if as_json else show_linked_events
    show(graph, found, limit, of_effects=True)
