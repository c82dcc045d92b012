"""``whywire backfill``: large amounts of old news taken into a store."""

from __future__ import annotations

import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from whywire.api.backfill import Backfill, rejected_of
from whywire.api.backfill import backfill as fill_in
from whywire.cli.options import (
    ADDRESS,
    DEFAULT_MAX_LINE,
    ENGINE,
    MAX_LINE,
    NEWS_ONLY,
    READER,
    STORE_OPTION,
    EngineName,
    characters,
    opened_engine,
    with_second_reader,
)
from whywire.cli.summaries import show_set_aside
from whywire.cli.terminal import BarProgress, PlainConsole
from whywire.graph.build_folder import problem_row
from whywire.output import json_text, open_output


class By(StrEnum):
    """How long a part of the graph is."""

    DAY = "day"
    MONTH = "month"
    YEAR = "year"


@with_second_reader
def backfill(
    store: Annotated[str, STORE_OPTION],
    news: Annotated[
        list[str] | None,
        typer.Argument(help="Files or folders of articles, as for `build`; none, to finish what waits in the store."),
    ] = None,
    partitions: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A folder for the graph in parts, each as `build` writes it.")
    ] = None,
    by: Annotated[By, typer.Option(help="How long a part is.")] = By.MONTH,
    rejected: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what was wrong with the news, a row a line.")
    ] = None,
    news_only: NEWS_ONLY = False,
    max_line: MAX_LINE = DEFAULT_MAX_LINE,
    engine: ENGINE = EngineName.LOCAL,
    address: ADDRESS = None,
    reader: READER = None,
) -> None:
    """Take an archive of news into a store: as much as there is, in the order of its times.

    All files are read first, into the queue of the store, then the news is taken in week by week: memory does not
    grow with its amount. After a stop or a kill **the same command goes on where it was**: no article is lost, or
    taken in twice. A file that was read to its end is read again only if it changed.

    **--partitions** names a folder for the graph by *day*, *month* or *year*. A part is written when all news of its
    time is taken in, and again at the end if later news changed it. News without a time comes last, as *undated*.
    Rows that cannot be used are counted; **--rejected** writes them all, each once, with place and reason.

    **--llm** asks as long as the budget of a day lasts; what is taken in after that is decided without an answer.

    Example: whywire backfill archive --store news.db --partitions graph --by month
    """
    started = time.perf_counter()
    with opened_engine(engine, address) as models, BarProgress() as progress:
        done = fill_in(
            news or [],
            store,
            partitions=partitions,
            by=by.value,
            news_only=news_only,
            longest_line=characters(max_line),
            models=models,
            second_reader=reader,
            progress=progress,
        )
    if rejected is not None:
        with open_output(rejected) as file:
            file.writelines(json_text(problem_row(problem)) + "\n" for problem in rejected_of(store))
    _show(done, rejected, time.perf_counter() - started)


def _show(done: Backfill, rejected: Path | None, seconds: float) -> None:
    console = PlainConsole()
    added, known = done.changes.get("article added", 0), done.outcomes.get("known", 0)
    console.print(
        Text.assemble((f"{added:,}", "bold"), f" articles taken in; {known:,} were known ({seconds:.0f} s)")
    )
    for kind, count in sorted(done.changes.items()):
        console.print(f"  {count:,} × {kind}", highlight=False)
    if done.partitions:
        parts = sorted({folder.name for folder in done.partitions})
        console.print(f"{len(parts):,} parts written, from {parts[0]} to {parts[-1]}", highlight=False)
    if done.rejected:
        where = f"in {rejected}" if rejected else "--rejected FILE lists them"
        console.print(Text(f"{done.rejected:,} problems with rows: {where}", "yellow"))
    for path in done.unfinished:
        console.print(Text(f"begun and not finished: {path}; name it again", "yellow"))
    show_set_aside(console, done.set_aside)
