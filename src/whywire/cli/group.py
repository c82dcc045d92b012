"""``whywire group``: headlines in, the same rows with the event and the story of each out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated

import typer

from whywire.api.group import EventStream
from whywire.api.group import group as group_articles
from whywire.api.news_input import to_article
from whywire.api.question_rows import answer_usable, group_rows
from whywire.cli.json_lines import Answers, Fields, answer_rows, read_rows
from whywire.cli.options import DEFAULT_MAX_LINE, FILE, MAX_LINE, OUT, STRICT, characters
from whywire.cli.progress_bars import BarProgress
from whywire.elements import round_probability
from whywire.events.headline_events import COLLECTION_PRIOR
from whywire.news import Article
from whywire.news.newsworthy import NewsFilter
from whywire.news.sources import STANDARD_INPUT
from whywire.progress import Progress
from whywire.updating.stream import Assignment

STREAM_BATCH = 256
"""Rows of a file that are added to a stream at a time; of standard input each is answered at once."""

_AnswerArticles = Callable[[list[Article]], list[Fields]]

PRIOR = Annotated[
    float | None,
    typer.Option(
        help="The share of pairs of one event among similar rows (0 to 1): more for a collection on few events, and "
        f"events are wider. By default {COLLECTION_PRIOR}; with --stream that of a news stream.",
        show_default=False,
    ),
]
NEWS_ONLY = Annotated[
    bool, typer.Option("--news-only", help="Give no event to horoscopes, listings, offers and the like.")
]
STREAM = Annotated[
    bool,
    typer.Option(
        "--stream",
        help="Take the rows as they come: each is answered before the next is read, and only two weeks of news are "
        "kept in memory.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("group", epilog="Example: **whywire group headlines.jsonl > grouped.jsonl**")(group)


def group(
    file: FILE,
    out: OUT = None,
    strict: STRICT = False,
    max_line: MAX_LINE = DEFAULT_MAX_LINE,
    stream: STREAM = False,
    news_only: NEWS_ONLY = False,
    prior: PRIOR = None,
) -> None:
    """Group headlines by the event they report, and by story.

    A row is an article: **title** and, where known, *id, published, source, text, language*. Adds *event*, which
    two rows share exactly when they report one happening, and *story*: an event with all that was written on it. Rows
    of one event are of one story. How wide a story is depends on the rows: among a dozen stories all that was written
    on one belongs together, in a stream much less.

    With **--stream** there is no *story*, and a row is answered by what came before it: *event*, the id of
    its event; *step* (opened, joined or merged); *moved*, the new events of earlier rows that are in another event
    from now on; *ended*, events that have no rows any more; *nearest*, the row most likely to report the same event,
    and its probability; *late*, if the row came too late to be compared with the news of its time.

    With **--news-only** a row that is no news has *event* and *story* null and says why in *not_news*.
    """
    news = NewsFilter.load() if news_only else None
    rows = read_rows(file, max_characters=characters(max_line))
    with BarProgress() as progress:
        if stream:
            by_event = partial(_assign, EventStream(prior=prior))
            batch = 1 if file == STANDARD_INPUT else STREAM_BATCH
            answer_rows(rows, partial(_answer, of_articles=by_event, news=news), out, strict, batch=batch)
        else:
            share = COLLECTION_PRIOR if prior is None else prior
            by_event = partial(_grouped, prior=share, progress=progress)
            answer_rows(rows, partial(_answer, of_articles=by_event, news=news), out, strict, batch=None)


def _answer(rows: list[Fields], of_articles: _AnswerArticles, news: NewsFilter | None) -> Answers:
    """The answers to rows that are articles and, where a filter is given, news."""

    def answer(articles: list[Article]) -> list[Fields]:
        dropped = {} if news is None else _not_news(articles, news)
        found = iter(of_articles([article for number, article in enumerate(articles) if number not in dropped]))
        return [dropped[number] if number in dropped else next(found) for number in range(len(articles))]

    return answer_usable(rows, to_article, answer)


def _not_news(articles: list[Article], news: NewsFilter) -> dict[int, Fields]:
    """The answers to articles that are no news, by their numbers."""
    dropped = {number: news.split([article])[1] for number, article in enumerate(articles)}
    return {
        number: {"event": None, "story": None, "not_news": problems[0].reason}
        for number, problems in dropped.items()
        if problems
    }


def _grouped(articles: list[Article], prior: float, progress: Progress) -> list[Fields]:
    return group_rows(group_articles(articles, prior=prior, progress=progress))


def _assign(stream: EventStream, articles: list[Article]) -> list[Fields]:
    return list(map(_assignment_row, stream.add(articles)))


def _assignment_row(assignment: Assignment) -> Fields:
    return (
        {"event": assignment.event, "step": assignment.step.value}
        | ({"moved": dict(assignment.moved)} if assignment.moved else {})
        | ({"ended": list(assignment.ended)} if assignment.ended else {})
        | ({"nearest": _nearest(*assignment.nearest)} if assignment.nearest else {})
        | ({"late": True} if assignment.late else {})
    )


def _nearest(article: str, probability: float) -> Fields:
    return {"id": article, "probability": round_probability(probability)}
