"""``whywire why``: a question in, the answers that the news gives out; or an event in, and what led to it out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.text import Text

from whywire.answers.question import Asks, Question, parse_question
from whywire.answers.search import Answer, Found, Source, find_answers
from whywire.answers.told import told_of_graph
from whywire.cli.ask_graph import (
    JSON,
    LIMIT,
    NEWS,
    NO_CAUSE,
    event_meant,
    graph_of,
    graphs_of,
    show_links,
    show_paths,
)
from whywire.cli.console import PlainConsole
from whywire.cli.evidence import INDENT, SHOWN, show_told
from whywire.cli.narrowing import AS_OF, AT_LEAST, EVIDENCE, SOURCE, Narrowing, known_by
from whywire.cli.row_files import write_rows
from whywire.elements import round_probability
from whywire.errors import InputError
from whywire.graph.paths import root_causes
from whywire.graph.to_rows import time_text
from whywire.language_models import LanguageModels
from whywire.news.rows import published_from

NOTHING = "nothing in the news answers this"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("why", epilog='Example: **whywire why "Why did fuel run short?" --news news.jsonl**')(why)


def why(
    question: Annotated[
        str,
        typer.Argument(
            help="Asks for a cause or an effect, in English or Russian: *What did the fire lead to?* Or names an "
            "event: by its id, its title, or words near a headline; or a thing that several events of a story name."
        ),
    ],
    news: NEWS,
    as_of: AS_OF = None,
    at_least: AT_LEAST = 0,
    source: SOURCE = None,
    evidence: EVIDENCE = None,
    roots: Annotated[
        bool, typer.Option("--roots", help="Of an event: where it all began, and the strongest way from there.")
    ] = False,
    limit: LIMIT = 3,
    as_json: JSON = False,
) -> None:
    """Answer why something happened, or what it led to, with the sentences of the news that say so.

    News is read first, which takes as long as `build`; a folder that `build` wrote is searched at once.
    With **--json** a row has *question, asks, answer, denied, probability* and *sources*; where nothing answers,
    its *answer* is null. What the news denies comes as rows with *denied* in place of *answer*.

    Of an event it shows what led to it by the graph's links, strongest first: its causal *frame*, and of each cause
    the strength, the *credit* that nearer causes leave it, and the evidence. Rows are then those of `effects`; where
    nothing led to the event, *cause* is null. With **--roots** it shows instead what those causes go back to, in rows
    of `chain`. **--at-least**, **--source**, **--evidence** and **--roots** are for events.
    """
    models = LanguageModels()
    asked = _question(question)
    if asked is None:
        graph = graph_of(news, models, Narrowing(as_of, at_least, source, evidence))
        meant = event_meant(graph, question, models)
        if roots:
            ways = root_causes(graph, *meant.ids)
            show_paths(graph, [meant.event], ways[:limit], as_json, nowhere=NO_CAUSE, more=len(ways) - limit)
        else:
            show_links(graph, meant, limit, as_json, of_effects=False)
        return
    if at_least or source is not None or evidence or roots:
        raise InputError(
            "--at-least, --source, --evidence and --roots are for the links of an event, not for a question"
        )
    graphs = known_by(as_of, graphs_of(news, models, asked.language))
    told = [one for graph in graphs for one in told_of_graph(graph)]
    found = find_answers(asked, told, models.headlines(asked.language))
    found = Found(asked, found.answers[:limit], found.denied[:limit])
    if as_json:
        write_rows(_rows(found))
    else:
        _show(found)


def _question(text: str) -> Question | None:
    """The question, or ``None`` where the text does not look like one: then it means an event.

    Raises:
        InputError: it is a question, but asks for no cause and no effect.
    """
    try:
        return parse_question(text)
    except InputError:
        if text.rstrip().endswith("?"):
            raise
        return None


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
        "published_from": published_from(article),
        "field": claim.field,
        "sentence": list(claim.sentence),
        "quote": claim.quote,
        "cause": list(claim.cause or ()),
        "effect": list(claim.effect or ()),
        "signals": [list(signal) for signal in claim.signals],
        "probability": round_probability(source.probability),
    }


def _show(found: Found) -> None:
    console = PlainConsole()
    for number, answer in enumerate(found.answers, start=1):
        _show_answer(console, f"{number}. ", answer)
    if not found.answers:
        console.print(NOTHING)
    was_not = "the cause" if found.question.asks is Asks.CAUSE else "an effect"
    for denial in found.denied:
        _show_answer(console, f"denied to be {was_not}: ", denial)


def _show_answer(console: PlainConsole, lead: str, answer: Answer) -> None:
    console.print(Text.assemble(lead, (answer.text, "bold"), f"  {answer.probability:.0%}"))
    for source in answer.sources[:SHOWN]:
        show_told(console, source.told)
    if (more := len(answer.sources) - SHOWN) > 0:
        console.print(f"{INDENT}and {more:,} more")
