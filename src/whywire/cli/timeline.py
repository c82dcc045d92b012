"""``whywire timeline``: news in, its events in the order they happened out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

import typer
from rich.table import Table

from whywire.cli.build import read
from whywire.cli.console import PlainConsole
from whywire.cli.progress import BarProgress
from whywire.cli.row_files import LONGEST, LONGEST_MB, STRICT, characters, write_rows
from whywire.errors import InputError
from whywire.models.chat import ChatEndpoint
from whywire.news import render_time
from whywire.stories.judges.asking import AnswerCache, Asker, user_cache
from whywire.stories.phrasing import phrase_by_chat
from whywire.stories.timeline import EventTime, Placing, Timeline, build_timeline
from whywire.stories.when import DAY, Precision

SIGNS = {Placing.AFTER: "↓", Placing.SAME_TIME: "=", Placing.UNKNOWN: "?"}


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("timeline", epilog="Example: **whywire timeline news.jsonl --about 'refinery fire'**")(timeline)


def timeline(
    news: Annotated[
        list[str],
        typer.Argument(
            help="Files or folders of articles: .jsonl, .json, .csv, .tsv, each also .gz, and .parquet; or `-`."
        ),
    ],
    about: Annotated[str | None, typer.Option(help="Only the events that tell of this.")] = None,
    phrase: Annotated[
        bool,
        typer.Option("--phrase", help="Have a chat model word each event; the article must vouch for its words."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write a JSON object a line instead of a table.")] = False,
    strict: STRICT = False,
    longest: LONGEST = LONGEST_MB,
) -> None:
    """List the events that articles tell of, in the order they happened as far as it is known.

    Events are short statements in the articles' own words, from headline and lead and what names a time near the
    report; an opinion, a feature or a recipe mostly gives none. What several articles tell is one event. Its time is
    the one its words name (*on Tuesday*, *в мае*); without such words it is placed by its report. Needs the extra
    **times**.

    With **--phrase** the chat model at WHYWIRE_CHAT_URL (with WHYWIRE_CHAT_MODEL and, where it is needed,
    WHYWIRE_CHAT_KEY) words each event's title, and the article's words are sent there. A title that holds a name, a
    number or a word of content that the article has not is refused, and the article's own words stay. What it
    answered is kept.

    With **--json** a line is an *event* (id), its *title*, *time* (start; end, the day after the last; precision) or
    null, the *words* that name it, *reported*, *phrasings* (article, url, field, span, text), *order* (after,
    same_time or unknown: how it lies to the line before) and *confidence* in that.
    """
    articles, problems = read(news, strict=strict, longest=characters(longest))
    for problem in problems:
        PlainConsole(stderr=True).print(str(problem))
    if not articles:
        raise InputError("no article could be read", where=", ".join(news))
    worded = phrase_by_chat(Asker(ChatEndpoint.from_environment(), AnswerCache(user_cache())).ask) if phrase else None
    with BarProgress() as progress:
        done = progress.start("reading articles", len(articles))
        found = build_timeline(articles, about=about, phrase=worded, progress=done)
    if as_json:
        write_rows(timeline_rows(found))
    else:
        _show(found)


def timeline_rows(found: Timeline) -> Iterator[Mapping[str, object]]:
    """One row an event, in order, as ``--json`` writes them."""
    for event, step in zip(found.events, (None, *found.steps), strict=True):
        time = event.time
        yield {
            "event": event.id,
            "title": event.title,
            "time": time and {"start": str(time.start), "end": str(time.end), "precision": time.precision.value},
            "words": time and time.words,
            "reported": event.reported and render_time(event.reported),
            "phrasings": [
                {
                    "article": said.article,
                    "url": said.url,
                    "field": said.field,
                    "span": list(said.span),
                    "text": said.text,
                }
                for said in event.phrasings
            ],
            "order": step and step.placing.value,
            "confidence": step and step.confidence,
        }


def _show(found: Timeline) -> None:
    table = Table("when", "", "sure", "event", "told by", box=None)
    for event, step in zip(found.events, (None, *found.steps), strict=True):
        reported = f"by {event.reported.at.date()}" if event.reported else "?"
        table.add_row(
            _shown(event.time) if event.time else reported,
            SIGNS[step.placing] if step else "",
            f"{step.confidence:.0%}" if step else "",
            event.title,
            str(len({said.article for said in event.phrasings})),
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
