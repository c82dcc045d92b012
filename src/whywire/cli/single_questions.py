"""``whywire relate`` and ``group``: adding to each row what the models say about its headlines."""

from __future__ import annotations

from typing import Annotated

import typer

from whywire.api.group import EventStream
from whywire.api.group import group as group_articles
from whywire.api.news_input import to_article
from whywire.api.question_rows import group_rows, headlines_of, relation_row
from whywire.api.relate import EVEN, check_prior
from whywire.api.relate import relate as relate_pairs
from whywire.cli.json_lines import answer_file
from whywire.cli.options import DEFAULT_MAX_LINE, FILE, MAX_LINE, NEWS_ONLY, OUT, STRICT, characters
from whywire.cli.terminal import BarProgress
from whywire.elements import round_probability
from whywire.events.headline_events import COLLECTION_PRIOR
from whywire.graph.codec import Row
from whywire.language_models import LanguageModels
from whywire.news import Article
from whywire.news.newsworthy import NewsFilter
from whywire.news.sources import STANDARD_INPUT
from whywire.updating.stream import Assignment

STREAM_BATCH = 256
"""Rows of a file added to a stream at a time; rows from standard input are answered one by one."""


def relate(
    file: FILE,
    out: OUT = None,
    strict: STRICT = False,
    prior: Annotated[
        float, typer.Option(help="The prior of *same_event*: the share of pairs of one event in the file (0 to 1).")
    ] = EVEN,
) -> None:
    """Relate pairs of headlines: same event, cause, refutation, or another of the seven relations.

    A row has **left_title** and **right_title** and, if known, *left_text* and *right_text*, whose beginnings are
    read, *left_published* and *right_published*. Adds *label*, *simple* (no_causality, left_right or right_left; a
    refutation counts as a cause there), *probabilities* by name, *causality* and *same_event* (probabilities),
    *strength*, and *against_clock* if the label says that the later report led to the earlier. If left and right are
    swapped the answer is mirrored.

    Example: whywire relate pairs.jsonl > related.jsonl
    """
    check_prior(prior)
    models = LanguageModels()
    with BarProgress() as progress:

        def answer(pairs: list[tuple[Article, Article]]) -> list[Row | str]:
            return list(map(relation_row, relate_pairs(pairs, prior=prior, models=models, progress=progress)))

        answer_file(file, headlines_of, answer, out, strict=strict)


def group(
    file: FILE,
    out: OUT = None,
    strict: STRICT = False,
    stream: Annotated[
        bool,
        typer.Option(
            "--stream",
            help="Answer each row before the next is read, and keep only the rows of two weeks in memory.",
        ),
    ] = False,
    news_only: NEWS_ONLY = False,
    prior: Annotated[
        float | None,
        typer.Option(
            help="The share of same-event pairs among similar rows (0 to 1): a higher one gives wider events. "
            f"By default {COLLECTION_PRIOR}; with --stream that of a news stream.",
            show_default=False,
        ),
    ] = None,
    max_line: MAX_LINE = DEFAULT_MAX_LINE,
) -> None:
    """Group headlines by the event they report, and by story.

    A row is an article: **title** and, if known, *id, published, source, text, language*. Adds *event*, which two
    rows share exactly if they report the same event, and *story*: an event with its causes, its effects and the
    reactions to it. Rows of one event are of one story. How wide a story is depends on the rows: wide in a collection
    on a dozen stories, narrow in a news stream.

    With **--stream** there is no *story*, and a row is answered from the rows before it: *event*, the id of the row
    that opened the event; *step* (opened, joined or merged); *moved*, the new events of earlier rows that are in
    another event from now on; *ended*, events that have no rows any more; *nearest*, the row most likely to report
    the same event, with its probability; *late*, if the row came too late to be compared with the rows of its time.

    With **--news-only** a row that is not news has *event* and *story* null, and *not_news* says why.

    Example: whywire group headlines.jsonl > grouped.jsonl
    """
    news = NewsFilter.load() if news_only else None
    events = EventStream(prior=prior) if stream else None
    with BarProgress() as progress:

        def grouped(articles: list[Article]) -> list[Row]:
            if events is not None:
                return list(map(_assignment_row, events.add(articles)))
            share = COLLECTION_PRIOR if prior is None else prior
            return group_rows(group_articles(articles, prior=share, progress=progress))

        def answer(articles: list[Article]) -> list[Row]:
            reasons = [news.split([article])[1] if news else [] for article in articles]
            kept = iter(grouped([article for article, why in zip(articles, reasons, strict=True) if not why]))
            return [
                {"event": None, "story": None, "not_news": why[0].reason} if why else next(kept) for why in reasons
            ]

        batch = None if events is None else 1 if file == STANDARD_INPUT else STREAM_BATCH
        answer_file(file, to_article, answer, out, strict=strict, batch=batch, longest_line=characters(max_line))


def _assignment_row(assignment: Assignment) -> Row:
    row: Row = {"event": assignment.event, "step": assignment.step.value}
    if assignment.moved:
        row["moved"] = dict(assignment.moved)
    if assignment.ended:
        row["ended"] = list(assignment.ended)
    if assignment.nearest:
        article, probability = assignment.nearest
        row["nearest"] = {"id": article, "probability": round_probability(probability)}
    if assignment.late:
        row["late"] = True
    return row
