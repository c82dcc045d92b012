"""``whywire timeline``: news or a graph in, its events in the order they happened out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.table import Table

from whywire.api.queries import timeline as list_events
from whywire.cli.console import PlainConsole
from whywire.cli.graph_options import AS_OF, open_news
from whywire.cli.json_lines import Fields, write_rows
from whywire.elements import EventTime, Mention, Precision
from whywire.events.phrasing import phrase_by_chat
from whywire.events.time.event_time import DAY
from whywire.events.timeline import TemporalRelation, Timeline
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import time_text
from whywire.language_models import LanguageModels
from whywire.models.chat import ChatEndpoint
from whywire.models.completion_cache import CachedChatModel, CompletionCache, default_cache_folder

ORDER_SIGNS = {TemporalRelation.AFTER: "↓", TemporalRelation.SAME_TIME: "=", TemporalRelation.UNKNOWN: "?"}
"""How an event lies to the one in the line before it."""


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("timeline", epilog="Example: **whywire timeline graph --about 'refinery fire'**")(timeline)


def timeline(
    news: Annotated[
        list[str],
        typer.Argument(
            help="Folders that `build` wrote, or stores; or articles as for `build`: files, folders, `-`; these are "
            "built first."
        ),
    ],
    about: Annotated[
        str | None,
        typer.Option(help="Only events with these words, and those of the story that the words refer to."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="List every event of the graph.")] = False,
    as_of: AS_OF = None,
    phrase: Annotated[
        bool,
        typer.Option("--phrase", help="Have a chat model word each event; its words must occur in the article."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write a JSON object a line instead of a table.")] = False,
) -> None:
    """List the events of the news in the order they happened, as far as it is known.

    Events are those of `build`. Listed are those with a headline, and of the others those whose words can be read
    alone, are in the past or the future tense, and name a time or are reported by several articles and linked;
    **--all** lists the rest too. An event's time is the one its words name (*on Tuesday*, *в мае*), which needs the
    extra **times**; without such words it is placed by its first report.

    With **--phrase** the chat model at WHYWIRE_CHAT_URL (with WHYWIRE_CHAT_MODEL and, where it is needed,
    WHYWIRE_CHAT_KEY) words each event's title, which is sent there. An answer that holds a name, a number or a word
    of content that the article has not is refused, and the title stays. Answers are kept.

    With **--json** a line is an *event* (id), its *title*, *planned*, *time* (start; end, the day after the last;
    precision) or null, the *words* that name it, *reported*, *phrasings* (its mentions: article, url, field, span,
    text), *order* (after, same_time or unknown: how it lies to the line before) and *confidence* in that.
    """
    worded = phrase_by_chat(_chat_model().ask) if phrase else None
    models = LanguageModels()
    graph = open_news(news, models, as_of=as_of)
    found = list_events(graph, about, everything=everything, phrase=worded, models=models)
    if as_json:
        write_rows(_rows(graph, found))
    else:
        _show(found)


def _chat_model() -> CachedChatModel:
    return CachedChatModel(ChatEndpoint.from_environment(), CompletionCache(default_cache_folder()))


def _rows(graph: CausalGraph, found: Timeline) -> Iterator[Fields]:
    for one, step in zip(found.events, (None, *found.steps), strict=True):
        event, time = one.event, one.time
        yield {
            "event": event.id,
            "title": event.title,
            "planned": event.planned,
            "time": time and {"start": str(time.start), "end": str(time.end), "precision": time.precision.value},
            "words": time and time.words,
            "reported": time_text(event.first_seen),
            "phrasings": [_mention_row(graph, mention) for mention in event.mentions],
            "order": step and step.relation.value,
            "confidence": step and step.confidence,
        }


def _mention_row(graph: CausalGraph, mention: Mention) -> Fields:
    article = graph.articles[mention.article]
    return {
        "article": article.id,
        "url": article.url,
        "field": mention.field,
        "span": list(mention.span),
        "text": graph.words(mention).strip() or None,
    }


def _show(found: Timeline) -> None:
    table = Table("when", "", "sure", "event", "articles", box=None)
    for one, step in zip(found.events, (None, *found.steps), strict=True):
        reported = f"by {one.event.first_seen.at.date()}" if one.event.first_seen else "?"
        table.add_row(
            _date(one.time) if one.time else reported,
            ORDER_SIGNS[step.relation] if step else "",
            f"{step.confidence:.0%}" if step and step.relation is not TemporalRelation.UNKNOWN else "",
            f"{one.event.title} (planned)" if one.event.planned else one.event.title,
            str(len(one.event.articles)),
        )
    PlainConsole(soft_wrap=False).print(table)


def _date(time: EventTime) -> str:
    match time.precision:
        case Precision.DAY:
            return str(time.start)
        case Precision.WEEK:
            return f"{time.start} to {time.end - DAY}"
        case Precision.MONTH:
            return f"{time.start:%Y-%m}"
        case Precision.YEAR:
            return str(time.start.year)
