"""``whywire why``: a question in, the answers that the news gives out."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from whywire.answers.question import Asks, Question, parse_question
from whywire.answers.search import Answer, Found, Source, find_answers
from whywire.answers.told import Told, is_build, told_of_build, told_of_graph
from whywire.cli.build import read
from whywire.cli.progress import BarProgress
from whywire.errors import InputError
from whywire.graph.rows import round_probability, time_text
from whywire.language_models import LanguageModels
from whywire.output import json_text
from whywire.pipeline import build as build_graph

NOTHING = "nothing in the news answers this"

SHOWN = 3
"""How many sources of an answer a person is shown; programs get all."""

STYLES = {"cause": "red", "effect": "blue"}


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("why", epilog='Example: **whywire why "Why did fuel run short?" --news news.jsonl**')(why)


def why(
    question: Annotated[
        str, typer.Argument(help="Asks for a cause or an effect, in English or Russian: *What did the fire lead to?*")
    ],
    news: Annotated[
        list[str],
        typer.Option(
            "--news",
            help="Files or folders of articles, as for `build`, or a folder that `build` wrote; may be given "
            "several times.",
        ),
    ],
    limit: Annotated[int, typer.Option(min=1, help="The most answers given.")] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON lines, an answer each, for programs.")] = False,
) -> None:
    """Answer why something happened, or what it led to, with the sentences of the news that say so.

    News is read first, which takes as long as `build`; a folder that `build` wrote is searched at once.
    With **--json** a row has *question, asks, answer, denied, probability* and *sources*; where nothing answers,
    its *answer* is null. What the news denies comes as rows with *denied* in place of *answer*.
    """
    asked = parse_question(question)
    models = LanguageModels()
    told = _told(news, asked, models)
    found = find_answers(asked, told, models.headlines(asked.language))
    found = Found(asked, found.answers[:limit], found.denied[:limit])
    if as_json:
        for row in _rows(found):
            sys.stdout.write(json_text(row) + "\n")
    else:
        _show(found)


def _told(news: list[str], question: Question, models: LanguageModels) -> list[Told]:
    """The claims of all the news; of articles, only those in the question's language are read."""
    told = [one for place in news if is_build(place) for one in told_of_build(Path(place))]
    files = [place for place in news if not is_build(place)]
    if files:
        articles, problems = read(files, strict=False)
        if not articles:
            reasons = "; ".join(map(str, problems[:SHOWN]))
            raise InputError(
                "no article could be read", where=", ".join(files), hint=reasons or "the files are empty"
            )
        if left_out := sum(not problem.kept for problem in problems):
            Console(stderr=True).print(f"{left_out:,} rows left out; `whywire build` says why", style="yellow")
        with BarProgress() as progress:
            own = [article for article in articles if article.language is question.language]
            told += told_of_graph(build_graph(own, models=models, progress=progress).graph)
    return told


def _rows(found: Found) -> Iterator[dict[str, Any]]:
    """A row an answer, then a row a denial; one row without an answer where there is neither."""
    head = {"question": found.question.text, "asks": found.question.asks.value}
    for answer in found.answers:
        yield {**head, "answer": answer.text, "denied": None, **_row(answer)}
    if not found.answers and not found.denied:
        yield {**head, "answer": None, "denied": None, "probability": None, "sources": []}
    for denial in found.denied:
        yield {**head, "answer": None, "denied": denial.text, **_row(denial)}


def _row(answer: Answer) -> dict[str, Any]:
    return {
        "probability": round_probability(answer.probability),
        "sources": [_source_row(source) for source in answer.sources],
    }


def _source_row(source: Source) -> dict[str, Any]:
    claim, article = source.told.claim, source.told.article
    return {
        "article": article.id,
        "url": article.url,
        "title": article.title,
        "source": article.source,
        "published": time_text(article.published),
        "field": claim.field,
        "sentence": list(claim.sentence),
        "quote": claim.quote,
        "cause": list(claim.cause or ()),
        "effect": list(claim.effect or ()),
        "signals": [list(signal) for signal in claim.signals],
        "probability": round_probability(source.probability),
    }


def _show(found: Found) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for number, answer in enumerate(found.answers, start=1):
        _show_answer(console, f"{number}. ", answer)
    if not found.answers:
        console.print(NOTHING)
    was_not = "the cause" if found.question.asks is Asks.CAUSE else "an effect"
    for denial in found.denied:
        _show_answer(console, f"denied to be {was_not}: ", denial)


def _show_answer(console: Console, lead: str, answer: Answer) -> None:
    console.print(Text.assemble(lead, (answer.text, "bold"), f"  {answer.probability:.0%}"))
    for source in answer.sources[:SHOWN]:
        article = source.told.article
        console.print(Text.assemble("     ", *marked(source.told)))
        place = [article.title, article.source, time_text(article.published), article.url]
        console.print(Text("     — " + " · ".join(filter(None, place)), style="dim"))
    if (more := len(answer.sources) - SHOWN) > 0:
        console.print(f"     and {more:,} more")


def marked(told: Told) -> list[str | tuple[str, str]]:
    """The sentence in pieces, with ``[cause: …]`` and ``[effect: …]`` for those who see no colours."""
    origin, quote = told.claim.sentence[0], told.claim.quote
    spans = ((span, role) for role in STYLES if (span := getattr(told.claim, role)))
    pieces: list[str | tuple[str, str]] = []
    done = 0
    for (start, end), role in sorted(spans):
        pieces += [quote[done : start - origin], (f"[{role}: {quote[start - origin : end - origin]}]", STYLES[role])]
        done = end - origin
    return [*pieces, quote[done:]]
