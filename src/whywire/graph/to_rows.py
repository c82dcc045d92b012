"""Rows of ``events.jsonl``, ``links.jsonl`` and ``claims.jsonl`` from events, links and claims.

A row is self-contained: the evidence of a link includes the quoted words, their offsets and the article's url, so
that it can be traced to the articles without another file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from whywire.elements import (
    Claim,
    ClaimEvidence,
    ClaimKind,
    Event,
    EventTime,
    Evidence,
    HeadlineEvidence,
    JudgedEvidence,
    Link,
    Mention,
    round_probability,
    round_strength,
)
from whywire.graph.causal_graph import CausalGraph
from whywire.news.article import Published, Span
from whywire.news.times import render_time

Row = dict[str, Any]
"""One line of a JSON Lines file."""


def event_rows(graph: CausalGraph) -> Iterator[Row]:
    """Yield one row for each event, in the graph's order."""
    return (event_row(graph, event) for event in graph.events)


def link_rows(graph: CausalGraph) -> Iterator[Row]:
    """Yield one row for each link, in the graph's order."""
    return (link_row(graph, link) for link in graph.links)


def claim_rows(graph: CausalGraph) -> Iterator[Row]:
    """Yield one row for each claim, in the graph's order."""
    return (claim_row(claim) for claim in graph.claims)


def event_row(graph: CausalGraph, event: Event) -> Row:
    """Return ``{id, title, language, first_seen, last_seen, when, story, planned, articles, named_by, mentions}``.

    ``named_by`` and ``mentions`` are left out if the event has no mentions.
    """
    row: Row = {
        "id": event.id,
        "title": event.title,
        "language": event.language.value,
        "first_seen": time_text(event.first_seen),
        "last_seen": time_text(event.last_seen),
        "when": event.when and when_row(event.when),
        "story": event.story,
        "planned": event.planned,
        "articles": list(event.articles),
    }
    if event.mentions:
        row["named_by"] = event.named_by
        row["mentions"] = [_mention(graph, one) for one in event.mentions]
    return row


def when_row(when: EventTime) -> Row:
    """Return ``{start, end, precision, words, article, field, span}``; ``end`` is the day after the last day."""
    return {
        "start": when.start.isoformat(),
        "end": when.end.isoformat(),
        "precision": when.precision.value,
        "words": when.words,
        "article": when.article,
        "field": when.field,
        "span": list(when.span),
    }


def link_row(graph: CausalGraph, link: Link) -> Row:
    """Return ``{source, target, kind, probability, strength, order, closed_by, evidence}``.

    ``judged`` and ``denied_by`` are left out if the link has none.
    """
    row: Row = {
        "source": link.source,
        "target": link.target,
        "kind": link.kind.value,
        "probability": round_probability(link.probability),
        "strength": round_strength(link.strength),
        "order": link.order.value,
        "closed_by": link.closed_by,
        "evidence": [_evidence(graph, evidence) for evidence in link.evidence],
    }
    if link.judged is not None:
        row["judged"] = round_strength(link.judged)
    if link.denied_by:
        row["denied_by"] = [_claim_evidence(graph, evidence) for evidence in link.denied_by]
    return row


def claim_row(claim: Claim) -> Row:
    """Return the claim with its spans: cause, effect and signals, or antecedent and consequent."""
    row: Row = {
        "id": claim.id,
        "kind": claim.kind.value,
        "article": claim.article,
        "event": claim.event,
        "field": claim.field,
        "sentence": list(claim.sentence),
        "quote": claim.quote,
        "probability": round_probability(claim.probability),
    }
    if claim.kind is ClaimKind.COUNTERFACTUAL:
        return row | {"antecedent": _span(claim.antecedent), "consequent": _span(claim.consequent)}
    return row | _causal_spans(claim) | ({"derived": claim.derived} if claim.derived else {})


def _evidence(graph: CausalGraph, evidence: Evidence) -> Row:
    match evidence:
        case ClaimEvidence():
            return _claim_evidence(graph, evidence)
        case HeadlineEvidence():
            return _headline_evidence(graph, evidence)
        case JudgedEvidence():
            return _judged_evidence(graph, evidence)


def _headline_evidence(graph: CausalGraph, evidence: HeadlineEvidence) -> Row:
    source, target = graph.articles[evidence.source_article], graph.articles[evidence.target_article]
    row: Row = {
        "kind": evidence.kind.value,
        "source_article": source.id,
        "target_article": target.id,
        "source_title": source.title,
        "target_title": target.title,
        "source_url": source.url,
        "target_url": target.url,
        "probability": round_probability(evidence.probability),
    }
    return row | ({"contradicts": evidence.contradicts.value} if evidence.contradicts else {})


def _claim_evidence(graph: CausalGraph, evidence: ClaimEvidence) -> Row:
    claim = graph.claim(evidence.claim)
    return {
        "kind": evidence.kind.value,
        "claim": claim.id,
        "article": claim.article,
        "url": graph.articles[claim.article].url,
        "field": claim.field,
        "sentence": list(claim.sentence),
        "quote": claim.quote,
        **_causal_spans(claim),
        "probability": round_probability(evidence.probability),
    }


def _judged_evidence(graph: CausalGraph, evidence: JudgedEvidence) -> Row:
    return {
        "kind": evidence.kind.value,
        "cause": _mention(graph, evidence.cause) | {"url": graph.articles[evidence.cause.article].url},
        "effect": _mention(graph, evidence.effect) | {"url": graph.articles[evidence.effect.article].url},
        "probability": round_probability(evidence.probability),
    }


def _mention(graph: CausalGraph, mention: Mention) -> Row:
    return {
        "article": mention.article,
        "field": mention.field,
        "span": list(mention.span),
        "kind": mention.kind.value,
        "words": graph.words(mention),
    }


def _causal_spans(claim: Claim) -> Row:
    return {
        "cause": _span(claim.cause),
        "effect": _span(claim.effect),
        "signals": [list(signal) for signal in claim.signals],
    }


def _span(span: Span | None) -> list[int] | None:
    return list(span) if span else None


def time_text(published: Published | None) -> str | None:
    """Return a time in ISO 8601, or a date if only the date is known; ``None`` for ``None``."""
    return render_time(published) if published else None
