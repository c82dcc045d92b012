"""``whywire timeline``: news or a graph in, its events in the order they happened out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated

import typer
from rich.table import Table

from whywire.answers.named import find_meant
from whywire.cli.ask_graph import graph_of
from whywire.cli.console import PlainConsole
from whywire.cli.narrowing import AS_OF, Narrowing
from whywire.cli.row_files import write_rows
from whywire.elements import Event, EventTime, Mention, Precision
from whywire.events.phrasing import phrase_by_chat, rephrase
from whywire.events.time.event_time import DAY
from whywire.events.timeline import DatedEvent, Placing, Timeline, dated, in_order, is_worth_listing
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.to_rows import time_text
from whywire.language_models import LanguageModels
from whywire.models.chat import ChatEndpoint
from whywire.models.completion_cache import CachedChatModel, CompletionCache, default_cache_folder

SIGNS = {Placing.AFTER: "↓", Placing.SAME_TIME: "=", Placing.UNKNOWN: "?"}


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("timeline", epilog="Example: **whywire timeline graph --about 'refinery fire'**")(timeline)


def timeline(
    news: Annotated[
        list[str],
        typer.Argument(
            help="Folders that `build` wrote, or articles as for `build`: files or folders, or `-`; these are built "
            "first."
        ),
    ],
    about: Annotated[
        str | None,
        typer.Option(help="Only the events that have these words, and the story of the one that is meant by them."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="List every event of the graph.")] = False,
    as_of: AS_OF = None,
    phrase: Annotated[
        bool,
        typer.Option("--phrase", help="Have a chat model word each event; the article must vouch for its words."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write a JSON object a line instead of a table.")] = False,
) -> None:
    """List the events of the news in the order they happened, as far as it is known.

    Events are those of `build`. Listed are those with a headline, and of the others those whose words read alone,
    tell in the past or the future, and name a time or are told by several reports and linked; **--all** lists the
    rest too. An event's time is the one its words name (*on Tuesday*, *в мае*), which needs the extra **times**;
    without such words it is placed by its first report.

    With **--phrase** the chat model at WHYWIRE_CHAT_URL (with WHYWIRE_CHAT_MODEL and, where it is needed,
    WHYWIRE_CHAT_KEY) words each event's title, which is sent there. An answer that holds a name, a number or a word
    of content that the article has not is refused, and the title stays. What it answered is kept.

    With **--json** a line is an *event* (id), its *title*, *planned*, *time* (start; end, the day after the last;
    precision) or null, the *words* that name it, *reported*, *phrasings* (its mentions: article, url, field, span,
    text), *order* (after, same_time or unknown: how it lies to the line before) and *confidence* in that.
    """
    worded = (
        phrase_by_chat(CachedChatModel(ChatEndpoint.from_environment(), CompletionCache(default_cache_folder())).ask)
        if phrase
        else None
    )
    models = LanguageModels()
    graph = graph_of(news, models, Narrowing(as_of))
    events = [dated(event) for event in _meant(graph, about, models)]
    found = in_order(
        one
        for one in events
        if everything or is_worth_listing(one, graph.articles, linked=bool(graph.links_of(one.event.id)))
    )
    if as_json:
        write_rows(_rows(graph, found, worded))
    else:
        _show(graph, found, worded)


def _chat_model() -> CachedChatModel:
    return CachedChatModel(ChatEndpoint.from_environment(), CompletionCache(default_cache_folder()))


def _meant(graph: CausalGraph, about: str | None, models: LanguageModels) -> list[Event]:
    """The events that have the words asked for, and all of the story that is meant; every event where none are."""
    if about is None:
        return list(graph.events)
    found = find_meant(graph, about, models)
    named, story = {event.id for event in (*found.events, *found.others)}, found.event.story
    return [event for event in graph.events if event.id in named or (story is not None and event.story == story)]


def _rows(graph: CausalGraph, found: Timeline, phrase: Callable[[str], str] | None) -> Iterator[Mapping[str, object]]:
    for one, step in zip(found.events, (None, *found.steps), strict=True):
        event, time = one.event, one.time
        yield {
            "event": event.id,
            "title": _title(graph, one, phrase),
            "planned": event.planned,
            "time": time and {"start": str(time.start), "end": str(time.end), "precision": time.precision.value},
            "words": time and time.words,
            "reported": time_text(event.first_seen),
            "phrasings": [_mention_row(graph, mention) for mention in event.mentions],
            "order": step and step.placing.value,
            "confidence": step and step.confidence,
        }


def _mention_row(graph: CausalGraph, mention: Mention) -> Mapping[str, object]:
    article = graph.articles[mention.article]
    return {
        "article": article.id,
        "url": article.url,
        "field": mention.field,
        "span": list(mention.span),
        "text": graph.words(mention).strip() or None,
    }


def _title(graph: CausalGraph, one: DatedEvent, phrase: Callable[[str], str] | None) -> str:
    event = one.event
    if phrase is None:
        return event.title
    article = graph.articles[event.mentions[event.named_by].article if event.mentions else event.articles[0]]
    return rephrase(event.title, f"{article.title}\n{article.text}", phrase)


def _show(graph: CausalGraph, found: Timeline, phrase: Callable[[str], str] | None) -> None:
    table = Table("when", "", "sure", "event", "told by", box=None)
    for one, step in zip(found.events, (None, *found.steps), strict=True):
        reported = f"by {one.event.first_seen.at.date()}" if one.event.first_seen else "?"
        title = _title(graph, one, phrase)
        table.add_row(
            _shown(one.time) if one.time else reported,
            SIGNS[step.placing] if step else "",
            f"{step.confidence:.0%}" if step and step.placing is not Placing.UNKNOWN else "",
            f"{title} (planned)" if one.event.planned else title,
            str(len(one.event.articles)),
        )
    PlainConsole(soft_wrap=False).print(table)


def _shown(time: EventTime) -> str:
    match time.precision:
        case Precision.DAY:
            return str(time.start)
        case Precision.WEEK:
            return f"{time.start} to {time.end - DAY}"
        case Precision.MONTH:
            return f"{time.start:%Y-%m}"
        case Precision.YEAR:
            return str(time.start.year)
