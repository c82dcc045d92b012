"""``whywire why``: a question in, the answers that the news gives out; or an event in, and what led to it out."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from whywire.answers.question import QuestionType, parse_question
from whywire.answers.search import Answer, Answers, find_answers
from whywire.api.answer_rows import answer_rows
from whywire.api.queries import causes, is_question
from whywire.api.queries import roots as find_roots
from whywire.cli.console import PlainConsole
from whywire.cli.event_links import NO_CAUSE, find_and_report, show_linked_events, write_linked_events
from whywire.cli.event_paths import show_paths, write_paths
from whywire.cli.evidence import INDENT, MAX_SHOWN, show_claim
from whywire.cli.graph_options import AS_OF, AT_LEAST, EVIDENCE, NEWS, SOURCE, open_news, open_news_claims
from whywire.cli.json_lines import write_rows
from whywire.cli.options import JSON, LIMIT
from whywire.errors import InputError
from whywire.language_models import LanguageModels

NO_ANSWER = "nothing in the news answers this"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("why", epilog='Example: **whywire why "Why did fuel run short?" --news news.jsonl**')(why)


def why(
    question: Annotated[
        str,
        typer.Argument(
            help="Asks for a cause or an effect, in English or Russian: *What did the fire lead to?* Or names an "
            "event: by its id, its title, or words near a headline; or an entity that several events of a story name."
        ),
    ],
    news: NEWS,
    as_of: AS_OF = None,
    at_least: AT_LEAST = 0,
    source: SOURCE = None,
    evidence: EVIDENCE = None,
    roots: Annotated[
        bool, typer.Option("--roots", help="Of an event: its root causes, and the strongest path from each.")
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
    if is_question(question):
        if at_least or source is not None or evidence or roots:
            raise InputError(
                "--at-least, --source, --evidence and --roots are for the links of an event, not for a question"
            )
        asked = parse_question(question)
        claims = open_news_claims(news, models, asked.language, as_of=as_of)
        answers = find_answers(asked, claims, models.pairs(asked.language))
        answers = Answers(asked, answers.answers[:limit], answers.denied[:limit])
        if as_json:
            write_rows(answer_rows(answers))
        else:
            _show(answers)
        return
    graph = open_news(news, models, as_of=as_of, at_least=at_least, source=source, evidence=evidence)
    match = find_and_report(question, graph, models)
    if not roots:
        show = write_linked_events if as_json else show_linked_events
        show(graph, causes(match, graph, models=models), limit, of_effects=False)
        return
    paths = find_roots(match, graph, models=models)
    if as_json:
        write_paths(graph, [match.event], paths[:limit])
    else:
        show_paths(graph, paths[:limit], none_found=NO_CAUSE, more=len(paths) - limit)


def _show(found: Answers) -> None:
    console = PlainConsole()
    for number, one in enumerate(found.answers, start=1):
        _show_answer(console, f"{number}. ", one)
    if not found.answers:
        console.print(NO_ANSWER)
    was_not = "the cause" if found.question.type is QuestionType.CAUSE else "an effect"
    for denial in found.denied:
        _show_answer(console, f"denied to be {was_not}: ", denial)


def _show_answer(console: PlainConsole, lead: str, one: Answer) -> None:
    console.print(Text.assemble(lead, (one.text, "bold"), f"  {one.probability:.0%}"))
    for source in one.sources[:MAX_SHOWN]:
        show_claim(console, source.origin)
    if (more := len(one.sources) - MAX_SHOWN) > 0:
        console.print(f"{INDENT}and {more:,} more")
