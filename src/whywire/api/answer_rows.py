"""Rows of answers from a graph: why something happened, causes, effects, and paths between events.

The command line and the service write the same rows; docs/formats.md describes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whywire.answers.search import Answer, Answers, Source
from whywire.elements import Event, Link, round_probability, round_strength
from whywire.graph.attribution import AttributedCause, attributed_causes
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import Row, event_row, link_row, time_text
from whywire.graph.frames import frame_of_event
from whywire.graph.paths import CausalPath
from whywire.news.article_rows import published_from


def answer_rows(graph: CausalGraph, answers: Answers) -> Iterator[Row]:
    """Yield a row for each answer, then one for each denial; without either, one row with ``answer`` null."""
    head = {"question": answers.question.text, "asks": answers.question.type.value}
    for answer in answers.answers:
        yield {**head, "answer": answer.text, "denied": None, **_answer_row(graph, answer)}
    if not answers.answers and not answers.denied:
        nothing: Row = {"probability": None, "event": None, "sources": [], "links": []}
        yield {**head, "answer": None, "denied": None} | nothing
    for denial in answers.denied:
        yield {**head, "answer": None, "denied": denial.text, **_answer_row(graph, denial)}


def _answer_row(graph: CausalGraph, answer: Answer) -> Row:
    return {
        "probability": round_probability(answer.probability),
        "event": answer.event and event_row(graph, answer.event),
        "sources": [_source_row(source) for source in answer.sources],
        "links": [link_row(graph, link) for link in answer.links],
    }


def _source_row(source: Source) -> Row:
    claim, article = source.origin.claim, source.origin.article
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


def linked_event_rows(graph: CausalGraph, event: Event, links: Sequence[Link], *, of_effects: bool) -> Iterator[Row]:
    """Yield a row for each link of an event; without links, one row with ``link`` null.

    Args:
        links: from the causes of the event, or to its effects.
        of_effects: whether the links lead to effects.
    """
    for link in links:
        cause = attributed_cause(graph, link)
        yield {
            "cause": event_row(graph, graph.event(link.source)),
            "effect": event_row(graph, graph.event(link.target)),
            "frame": frame_of_event(graph, link.target).value,
            "credit": round_strength(cause.attribution) if cause else None,
            "through": cause.mediator if cause else None,
            "link": link_row(graph, link),
        }
    if not links:
        ends = (
            {"cause": event_row(graph, event), "effect": None}
            if of_effects
            else {"cause": None, "effect": event_row(graph, event)}
        )
        frame = None if of_effects else frame_of_event(graph, event.id).value
        yield {**ends, "frame": frame, "credit": None, "through": None, "link": None}


def attributed_cause(graph: CausalGraph, link: Link) -> AttributedCause | None:
    """The link's source with its attribution; ``None`` for a closed link."""
    return next((cause for cause in attributed_causes(graph, link.target) if cause.link == link), None)


def path_rows(graph: CausalGraph, asked: Sequence[Event], paths: Sequence[CausalPath]) -> Iterator[Row]:
    """Yield a row for each path; without paths, one row with the events asked about and no links."""
    for path in paths:
        yield {
            "strength": round_strength(path.strength),
            "probability": round_probability(path.probability),
            "events": [event_row(graph, graph.event(event)) for event in path.events],
            "links": [link_row(graph, link) for link in path.links],
        }
    if not paths:
        yield {
            "strength": None,
            "probability": None,
            "events": [event_row(graph, event) for event in asked],
            "links": [],
        }
