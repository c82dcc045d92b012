"""``whywire timeline``: events in the order in which they happened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.table import Table

from whywire.api.queries import timeline as list_events
from whywire.cli.json_lines import write_rows
from whywire.cli.options import AS_OF, JSON, open_news
from whywire.cli.terminal import PlainConsole
from whywire.elements import EventTime, Precision
from whywire.events.phrasing import phrase_by_chat
from whywire.events.time.event_time import DAY
from whywire.events.timeline import TemporalRelation, Timeline
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import Row, time_text
from whywire.language_models import LanguageModels
from whywire.models.chat import ChatEndpoint
from whywire.models.completion_cache import CachedChatModel, CompletionCache, default_cache_folder

ORDER_SIGNS = {TemporalRelation.AFTER: "↓", TemporalRelation.SAME_TIME: "=", TemporalRelation.UNKNOWN: "?"}
"""The temporal relation of an event to the one in the line before it."""


def timeline(
    news: Annotated[
        list[str],
        typer.Argument(
            help="Folders that `build` wrote, or stores; or articles as for `build` (files, folders, `-`), which are "
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
        typer.Option("--phrase", help="Have a chat model reword each event; its words must occur in the article."),
    ] = False,
    as_json: JSON = False,
) -> None:
    """List the events of the news in the order they happened, as far as it is known.

    The events are those of `build`. An event with a headline is listed. Any other event is listed if its title has a
    verb in the past or the future tense that says more than that somebody spoke, and if it has a time more exact
    than a year, or several reports and a link. **--all** lists every event. The time of an event is the one its
    words name (*on Tuesday*, *в мае*), which needs the extra **times**; without such words it is that of its first
    report.

    With **--phrase** the chat model at WHYWIRE_CHAT_URL (with WHYWIRE_CHAT_MODEL and, if the endpoint asks for one,
    WHYWIRE_CHAT_KEY) rewords the title of each event, which is sent there. An answer with a name, a number or a
    content word that the article lacks is refused, and the title stays. Answers are kept.

    With **--json** a row has *event* (id), *title*, *planned*, *time* (start; end, the day after the last; precision)
    or null, the *words* that name it, *reported*, *phrasings* (its mentions: article, url, field, span, text),
    *order* (its relation to the row before: after, same_time or unknown) and the *confidence* in that.

    Example: whywire timeline graph --about 'refinery fire'
    """
    worded = None
    if phrase:
        chat = CachedChatModel(ChatEndpoint.from_environment(), CompletionCache(default_cache_folder()))
        worded = phrase_by_chat(chat.ask)
    models = LanguageModels()
    graph = open_news(news, models, as_of=as_of)
    listed = list_events(graph, about, everything=everything, phrase=worded, models=models)
    if as_json:
        write_rows(_rows(graph, listed))
    else:
        _show(listed)


def _rows(graph: CausalGraph, listed: Timeline) -> Iterator[Row]:
    for dated, step in zip(listed.events, (None, *listed.steps), strict=True):
        event, time = dated.event, dated.time
        yield {
            "event": event.id,
            "title": event.title,
            "planned": event.planned,
            "time": time and {"start": str(time.start), "end": str(time.end), "precision": time.precision.value},
            "words": time and time.words,
            "reported": time_text(event.first_seen),
            "phrasings": [
                {
                    "article": mention.article,
                    "url": graph.articles[mention.article].url,
                    "field": mention.field,
                    "span": list(mention.span),
                    "text": graph.words(mention).strip() or None,
                }
                for mention in event.mentions
            ],
            "order": step and step.relation.value,
            "confidence": step and step.confidence,
        }


def _show(listed: Timeline) -> None:
    table = Table("when", "", "sure", "event", "articles", box=None)
    for dated, step in zip(listed.events, (None, *listed.steps), strict=True):
        event = dated.event
        reported = f"by {event.first_seen.at.date()}" if event.first_seen else "?"
        table.add_row(
            _date(dated.time) if dated.time else reported,
            ORDER_SIGNS[step.relation] if step else "",
            f"{step.confidence:.0%}" if step and step.relation is not TemporalRelation.UNKNOWN else "",
            f"{event.title} (planned)" if event.planned else event.title,
            str(len(event.articles)),
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
