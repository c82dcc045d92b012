"""``group``: headlines in, the same rows with the event and the story of each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

import typer

from whywire.cli.progress import BarProgress
from whywire.cli.row_files import (
    FILE,
    LONGEST,
    LONGEST_MB,
    OUT,
    STRICT,
    Answers,
    Fields,
    answer,
    characters,
    chunks,
    output,
    rows,
)
from whywire.elements import round_probability
from whywire.errors import InputError
from whywire.events.stream import EventStream, Headline, ModelJudge
from whywire.language_models import LanguageModels
from whywire.news import Article, Language, read_row
from whywire.news.newsworthy import NewsFilter
from whywire.news.sources import STANDARD_INPUT
from whywire.pipeline import group as group_articles
from whywire.progress import Progress

BATCH = 256
"""Rows of a file that are grouped at a time as they come; of standard input each is answered at once."""

NEWS_ONLY = Annotated[
    bool, typer.Option("--news-only", help="Give no event to horoscopes, listings, offers and the like.")
]
STREAM = Annotated[
    bool,
    typer.Option(
        "--stream",
        help="Take the rows as they come: each is answered before the next is read, and only the window is kept in "
        "memory.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("group", epilog="Example: **whywire group headlines.jsonl > grouped.jsonl**")(group)


def group(
    file: FILE,
    out: OUT = None,
    strict: STRICT = False,
    longest: LONGEST = LONGEST_MB,
    stream: STREAM = False,
    news_only: NEWS_ONLY = False,
) -> None:
    """Group headlines by the event they tell of, and by story.

    A row is an article: **title** and, where known, *id, published, source, text, language*. Adds *event*, which
    two rows share exactly when they report one happening, and *story*: an event with all that was written on it. Rows
    of one event are of one story. How wide a story is depends on the rows: among a dozen stories all that was written
    on one belongs together, in a stream much less.

    With **--stream** there is no *story*, and a row is answered by what came before it: *event*, the id of
    the row that opened it; *step* (opened, joined or merged); *ended*, events that have just become one with this
    one, whose rows are in it from now on; *nearest*, the row most likely to tell of the same, and its probability;
    *late*, where a row came so late that the news of its time was forgotten.

    With **--news-only** a row that is no news has *event* and *story* null and says why in *not_news*.
    """
    news = NewsFilter.load() if news_only else None
    found = rows(file, longest=characters(longest))
    with output(out) as target, BarProgress() as progress:
        if not stream:
            answer(list(found), partial(_groups, progress=progress, news=news), target, strict)
            return
        events = _Streams(news)
        for chunk in chunks(found, 1 if file == STANDARD_INPUT else BATCH):
            answer(chunk, events.place, target, strict)
            target.flush()


class _Streams:
    """The streams of all languages."""

    def __init__(self, news: NewsFilter | None) -> None:
        self.news = news
        self.models = LanguageModels()
        self.streams: dict[Language, EventStream] = {}

    def place(self, found: list[Fields]) -> Answers:
        """Where each row went."""
        answers, articles = _articles(found, self.news)
        by_language: dict[Language, list[int]] = {}
        for number, article in articles.items():
            by_language.setdefault(article.language, []).append(number)
        for language, numbers in by_language.items():
            if language is Language.OTHER:
                answers |= {number: {"event": articles[number].id, "step": "opened"} for number in numbers}
                continue
            if language not in self.streams:
                self.streams[language] = EventStream(ModelJudge(self.models.headlines(language)))
            headlines = [
                Headline(article.id, article.title, article.published, article.source)
                for article in (articles[number] for number in numbers)
            ]
            for number, placed in zip(numbers, self.streams[language].add(headlines), strict=True):
                near = placed.nearest and {
                    "id": placed.nearest[0],
                    "probability": round_probability(placed.nearest[1]),
                }
                answers[number] = (
                    {"event": placed.event, "step": placed.step.value}
                    | ({"ended": list(placed.ended)} if placed.ended else {})
                    | ({"nearest": near} if near else {})
                    | ({"late": True} if placed.late else {})
                )
        return [answers[number] for number in range(len(found))]


def _groups(found: list[Fields], progress: Progress, news: NewsFilter | None) -> Answers:
    answers, articles = _articles(found, news)
    groups = group_articles(list(articles.values()), progress=progress)
    for number, event, story in zip(articles, groups.events, groups.stories, strict=True):
        answers[number] = {"event": event, "story": story}
    return [answers[number] for number in range(len(found))]


def _articles(found: Sequence[Fields], news: NewsFilter | None) -> tuple[dict[int, Fields | str], dict[int, Article]]:
    """The articles that rows hold, and what is to be said of the other rows, by their numbers."""
    wrong: dict[int, Fields | str] = {}
    articles: dict[int, Article] = {}
    for number, row in enumerate(found):
        try:
            articles[number] = read_row(row)[0]
        except InputError as error:
            wrong[number] = error.message
    if news is None:
        return wrong, articles
    for number, article in list(articles.items()):
        _, dropped = news.split([article])
        if dropped:
            wrong[number] = {"event": None, "story": None, "not_news": dropped[0].reason}
            del articles[number]
    return wrong, articles
