"""``whywire why``, ``effects`` and ``chain``: what led to an event, what it led to, and how, with the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.text import Text

from whywire.answers.event_lookup import EventMatch
from whywire.answers.question import QuestionType, parse_question
from whywire.answers.search import Answer, Answers
from whywire.answers.sourced_claims import SourcedClaim
from whywire.api.answer_rows import answer_rows, attributed_cause, linked_event_rows, path_rows
from whywire.api.queries import LinkedEvents, causes, find_event, is_question
from whywire.api.queries import answer as find_answers
from whywire.api.queries import chain as find_chain
from whywire.api.queries import effects as find_effects
from whywire.api.queries import roots as find_roots
from whywire.cli.json_lines import write_rows
from whywire.cli.options import (
    AS_OF,
    AT_LEAST,
    EVENT,
    EVIDENCE,
    JSON,
    LIMIT,
    NEWS,
    OUTLET,
    open_news,
)
from whywire.cli.terminal import PlainConsole
from whywire.elements import (
    ClaimEvidence,
    Evidence,
    HeadlineEvidence,
    ImpliedEvidence,
    Link,
    LinkKind,
    strength_class,
)
from whywire.errors import InputError
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import time_text
from whywire.graph.frames import frame_of_event
from whywire.graph.paths import CausalPath, root_causes
from whywire.language_models import LanguageModels
from whywire.news import Article
from whywire.news.article import InferredFrom

NO_ANSWER = "nothing in the news answers this"
NO_CAUSE = "nothing in the news led to this"
NO_EFFECT = "this led to nothing in the news"

MAX_SHOWN = 3
"""The most pieces of evidence printed for each link or answer; JSON rows have all."""

INDENT = " " * 5

STYLES = {"cause": "red", "effect": "blue"}

INFERRED_WORDS = {
    InferredFrom.URL: "date from the address",
    InferredFrom.DATELINE: "date from the dateline",
    InferredFrom.TEXT: "date from the text",
    InferredFrom.PAGE: "date from the page",
}


def why(
    question: Annotated[
        str,
        typer.Argument(
            help="A question about a cause or an effect, in English or Russian: *What did the fire lead to?* Or an "
            "event: its id, its title, or words of its headlines; or an entity named in several events of one story."
        ),
    ],
    news: NEWS,
    as_of: AS_OF = None,
    at_least: AT_LEAST = 0,
    outlet: OUTLET = None,
    evidence: EVIDENCE = None,
    roots: Annotated[
        bool, typer.Option("--roots", help="For an event: its root causes, and the strongest path from each.")
    ] = False,
    limit: LIMIT = 3,
    as_json: JSON = False,
) -> None:
    """Answer why something happened, or what it led to, with the sentences of the news that say so.

    An answer is an event, or words of a sentence where no link of the graph answers. With **--json** a row has
    *question, asks, answer, denied, probability, event, sources* and *links*; if nothing answers the question,
    *answer* is null. What the news denies is in rows with *denied* in place of *answer*.

    For an event it shows the causes by the links of the graph, strongest first: the causal *frame* of the event, and
    for each cause its strength, the *credit* that nearer causes leave it, and the evidence. With **--json** a row is
    then one of `effects`; if nothing led to the event, *cause* is null. **--roots** shows what those causes go back
    to, in rows of `chain`; it is for events only.

    Example: whywire why "Why did fuel run short?" --news graph
    """
    models = LanguageModels()
    if is_question(question):
        if roots:
            raise InputError("--roots is for an event, not for a question")
        asked = parse_question(question)
        graph = open_news(
            news,
            models,
            asked=asked,
            as_of=as_of,
            at_least=at_least,
            outlet=outlet,
            evidence=evidence,
            language=asked.language,
        )
        answers = find_answers(question, graph, limit=limit, models=models)
        if as_json:
            write_rows(answer_rows(graph, answers))
        else:
            _show_answers(graph, answers)
        return
    graph = open_news(
        news, models, asked=[question], as_of=as_of, at_least=at_least, outlet=outlet, evidence=evidence
    )
    match = _find_event(question, graph, models)
    if not roots:
        _give_links(graph, causes(match, graph, models=models), limit, as_json=as_json, of_effects=False)
        return
    paths = find_roots(match, graph, models=models)
    if as_json:
        write_rows(path_rows(graph, [match.event], paths[:limit]))
    else:
        _show_paths(graph, paths[:limit], NO_CAUSE)
        _show_more(PlainConsole(), len(paths) - limit)


def effects(
    event: Annotated[str, EVENT],
    news: NEWS,
    as_of: AS_OF = None,
    at_least: AT_LEAST = 0,
    outlet: OUTLET = None,
    evidence: EVIDENCE = None,
    limit: LIMIT = 10,
    as_json: JSON = False,
) -> None:
    """Show what an event led to, or the events that name an entity, with the evidence.

    With **--json** a row has *cause* and *effect* (events), the causal *frame* of the effect, the *credit* of the
    cause (and *through*, the nearer cause that takes a part of it), and *link* with its evidence; if the event led to
    nothing, *effect* is null.

    Example: whywire effects "the refinery fire" --news graph
    """
    models = LanguageModels()
    graph = open_news(news, models, asked=[event], as_of=as_of, at_least=at_least, outlet=outlet, evidence=evidence)
    linked = find_effects(_find_event(event, graph, models), graph, models=models)
    _give_links(graph, linked, limit, as_json=as_json, of_effects=True)


def chain(
    cause: Annotated[str, EVENT],
    effect: Annotated[str, EVENT],
    news: NEWS,
    as_of: AS_OF = None,
    at_least: AT_LEAST = 0,
    outlet: OUTLET = None,
    evidence: EVIDENCE = None,
    limit: LIMIT = 3,
    as_json: JSON = False,
) -> None:
    """Show how one event led to another, step by step, with the evidence.

    The strongest and surest paths come first; a path is as strong as its weakest link, and as probable as all its
    links together. With **--json** a row has *strength*, *probability*, *events* from the cause to the effect, and
    *links* with their evidence; if no path leads from one to the other, *links* is empty and both are null.

    Example: whywire chain "the storm" "the fuel shortage" --news graph
    """
    models = LanguageModels()
    graph = open_news(
        news, models, asked=[cause, effect], as_of=as_of, at_least=at_least, outlet=outlet, evidence=evidence
    )
    start, end = (_find_event(words, graph, models) for words in (cause, effect))
    paths = find_chain(start, end, graph, limit=limit, models=models)
    if as_json:
        write_rows(path_rows(graph, [start.event, end.event], paths))
        return
    first, last = (match.words if match.is_entity else match.event.title for match in (start, end))
    _show_paths(graph, paths, f"nothing in the news leads from “{first}” to “{last}”")


def how_strong(cause: Link | CausalPath) -> str:
    """The strength with its class, and the probability."""
    return f"{cause.strength:.0f} ({strength_class(cause.strength).value}), probability {cause.probability:.2f}"


def marked(sourced: SourcedClaim) -> list[str | tuple[str, str]]:
    """The sentence in pieces, its arguments as ``[cause: …]`` and ``[effect: …]`` with their styles."""
    origin, quote = sourced.claim.sentence[0], sourced.claim.quote
    spans = ((span, role) for role in STYLES if (span := getattr(sourced.claim, role)))
    pieces: list[str | tuple[str, str]] = []
    done = 0
    for (start, end), role in sorted(spans):
        pieces += [quote[done : start - origin], (f"[{role}: {quote[start - origin : end - origin]}]", STYLES[role])]
        done = end - origin
    return [*pieces, quote[done:]]


def _find_event(words: str, graph: CausalGraph, models: LanguageModels) -> EventMatch:
    """Find the events that words refer to; print to standard error what else the words may mean."""
    match = find_event(words, graph, models=models)
    console = PlainConsole(stderr=True)
    if match.is_entity:
        story = next(story for story in graph.stories() if story.id == match.event.story)
        shared = f"“{match.words}” is named by {len(match.events):,} events of the story “{story.title}”; "
        console.print(Text(f"{shared}answering for all of them. To ask about one, give its id or title."))
    if match.others:
        where = "in other stories or in none" if match.is_entity else "with fewer reports and links"
        console.print(Text(f"{len(match.others):,} other events have these words, {where}:", style="dim"))
        for event in match.others[:MAX_SHOWN]:
            console.print(Text(f"{INDENT}{event.id}  {event.title}", style="dim"))
    return match


def _show_answers(graph: CausalGraph, answers: Answers) -> None:
    console = PlainConsole()
    for number, answer in enumerate(answers.answers, start=1):
        _show_answer(console, graph, f"{number}. ", answer)
    if not answers.answers:
        console.print(NO_ANSWER)
    role = "the cause" if answers.question.type is QuestionType.CAUSE else "an effect"
    for denial in answers.denied:
        _show_answer(console, graph, f"denied to be {role}: ", denial)


def _show_answer(console: PlainConsole, graph: CausalGraph, lead: str, answer: Answer) -> None:
    console.print(Text.assemble(lead, (answer.text, "bold"), f"  {answer.probability:.0%}"))
    for source in answer.sources[:MAX_SHOWN]:
        _show_claim(console, source.origin)
    _show_more(console, len(answer.sources) - MAX_SHOWN, INDENT)
    if not answer.sources and answer.links:
        _show_evidence(console, graph, answer.links[0].evidence)


def _show_more(console: PlainConsole, number: int, indent: str = "") -> None:
    if number > 0:
        console.print(f"{indent}and {number:,} more")


def _give_links(graph: CausalGraph, linked: LinkedEvents, limit: int, *, as_json: bool, of_effects: bool) -> None:
    """Write causes or effects as JSON rows, or print them, strongest first, refuted ones last."""
    match, links = linked.match, linked.links[:limit]
    if as_json:
        write_rows(linked_event_rows(graph, match.event, links, of_effects=of_effects))
        return
    console = PlainConsole()
    if not match.is_entity:
        seen = time_text(match.event.first_seen) or "no time"
        frame = frame_of_event(graph, match.event.id).value.replace("_", " ")
        console.print(
            Text.assemble((match.event.title, "bold"), (f"  {seen} · {match.event.id} · frame: {frame}", "dim"))
        )
    for event in match.events:
        for link in graph.links_of(event.id):
            if link.kind is LinkKind.REFUTES and link.source == event.id:
                whose = f" ({event.title})" if match.is_entity else ""
                refuting = graph.event(link.target).title
                console.print(Text(f"refuted, corrected or overtaken{whose}: {refuting}", style="yellow"))
    for number, link in enumerate(links, start=1):
        near, far = (link.source, link.target) if of_effects else (link.target, link.source)
        how = None
        if match.is_entity:
            how = f"{'caused by' if of_effects else 'led to'}: {graph.event(near).title}  {near}"
        _show_link(console, graph, link, f"{number}. ", far, how)
    if not linked.links:
        console.print(NO_EFFECT if of_effects else NO_CAUSE)
    _show_more(console, len(linked.links) - limit)
    if not of_effects and not match.is_entity:
        shown = {link.source for link in graph.causes_of(match.event.id)}
        for path in root_causes(graph, match.event.id):
            if path.events[0] not in shown:
                root = graph.event(path.events[0]).title
                console.print(Text.assemble("goes back to: ", (root, "bold"), f"  {how_strong(path)}"))


def _show_paths(graph: CausalGraph, paths: Sequence[CausalPath], if_none: str) -> None:
    """Print paths from cause to effect, step by step; if there is none, the words ``if_none``."""
    console = PlainConsole()
    for number, path in enumerate(paths, start=1):
        first = graph.event(path.events[0]).title
        console.print(Text.assemble(f"{number}. ", (first, "bold"), f"  {how_strong(path)}"))
        for link in path.links:
            _show_link(console, graph, link, "   → ", link.target)
    if not paths:
        console.print(if_none)


def _show_link(
    console: PlainConsole, graph: CausalGraph, link: Link, lead: str, end: str, how: str | None = None
) -> None:
    """Print a link with its evidence.

    Args:
        lead: printed before the title.
        end: id of the event whose title is printed.
        how: a line on the event at the other end, if the question is about several events.
    """
    event = graph.event(end)
    seen = time_text(event.first_seen) or "no time"
    console.print(
        Text.assemble(lead, (event.title, "bold"), f"  {how_strong(link)}", (f"  {seen} · {event.id}", "dim"))
    )
    if how:
        console.print(Text(f"{INDENT}{how}"))
    if link.closed_by:
        console.print(Text(f"{INDENT}refuted: {graph.event(link.closed_by).title}", style="yellow"))
    elif (cause := attributed_cause(graph, link)) and cause.mediator:
        mediator = graph.event(cause.mediator).title
        console.print(Text(f"{INDENT}credit {cause.attribution:.0f}, the rest by way of: {mediator}"))
    _show_evidence(console, graph, link.evidence)
    if link.denied_by:
        console.print(Text(f"{INDENT}but it is denied:", style="yellow"))
        _show_evidence(console, graph, link.denied_by)


def _show_evidence(console: PlainConsole, graph: CausalGraph, evidence: tuple[Evidence, ...]) -> None:
    """Print the strongest pieces of evidence of a link."""
    for piece in evidence[:MAX_SHOWN]:
        articles = [graph.articles[article] for article in graph.articles_of(piece)]
        match piece:
            case ClaimEvidence():
                _show_claim(console, SourcedClaim(graph.claim(piece.claim), articles[0]))
            case HeadlineEvidence():
                for sign, article in zip(("—", "→"), articles, strict=True):
                    _show_article(console, sign, article)
            case ImpliedEvidence():
                cause, effect = (" ".join(graph.words(end).split()) for end in (piece.cause, piece.effect))
                console.print(Text.assemble(INDENT, (cause, STYLES["cause"]), " … ", (effect, STYLES["effect"])))
                console.print(Text(f"{INDENT}the article implies it", style="dim"))
                _show_article(console, "—", articles[0])
    _show_more(console, len(evidence) - MAX_SHOWN, INDENT)


def _show_claim(console: PlainConsole, claim: SourcedClaim) -> None:
    """Print the sentence of a claim with its cause and effect marked, and its article."""
    console.print(Text.assemble(INDENT, *marked(claim)))
    _show_article(console, "—", claim.article)


def _show_article(console: PlainConsole, sign: str, article: Article) -> None:
    """Print an article in one line: title, outlet, time and address, if known."""
    time = time_text(article.published)
    if article.published and article.published.inferred_from:
        time = f"{time} ({INFERRED_WORDS[article.published.inferred_from]})"
    words = " · ".join(filter(None, (article.title, article.source, time, article.url)))
    console.print(Text(f"{INDENT}{sign} {words}", style="dim"))
