"""What the report page needs to know of a graph, as plain JSON.

Events, articles and claims refer to one another by their place in a list: on a page of thousands of
reports, repeating ids would cost more than the news itself. Sentences travel cut into pieces with
the roles each piece plays, so the page never counts characters (JavaScript counts them differently).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import pairwise
from typing import Any

from whywire.elements import (
    CLASS_BOUNDS,
    Claim,
    ClaimEvidence,
    ClaimKind,
    Event,
    Evidence,
    EvidenceKind,
    HeadlineEvidence,
    Link,
    has_headline,
    round_probability,
    round_strength,
    strength_class,
)
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.to_rows import time_text, when_row
from whywire.news.article import Article
from whywire.news.rows import published_from

CLAIMS_PER_EVENT = 5
"""How many causal claims of an event the page shows that no link rests on; the rest are in claims.jsonl."""

Piece = list[str]
"""A piece of a sentence and the roles it plays: ``["heavy rain", "cause"]``, ``["because", "signal"]``."""


def page_data(graph: CausalGraph, title: str, summary: Mapping[str, object]) -> dict[str, Any]:
    """Return everything the page shows, as values JSON can hold.

    All articles, events and links are in it. Of the claims: those that links rest on, the
    denials and counterfactuals, and the ``CLAIMS_PER_EVENT`` most probable others of each event.
    """
    shown = _claims_to_show(graph)
    article_at = {article_id: place for place, article_id in enumerate(graph.articles)}
    events = [event for event in graph.events if _is_shown(graph, event)]
    event_at = {event.id: place for place, event in enumerate(events)}
    claim_at = {claim.id: place for place, claim in enumerate(shown)}
    link_at = {link: place for place, link in enumerate(graph.links)}

    def event_data(event: Event) -> dict[str, Any]:
        claims = graph.claims_of(event.id)
        places = [claim_at[claim.id] for claim in claims if claim.id in claim_at]
        return {
            "id": event.id,
            "title": event.title,
            "language": event.language.value,
            "first": time_text(event.first_seen),
            "last": time_text(event.last_seen),
            "when": event.when and when_row(event.when),
            "articles": [article_at[article] for article in event.articles],
            "claims": places,
            "moreClaims": len(claims) - len(places),
            "planned": event.planned,
            "mentions": [
                {"article": article_at[one.article], "kind": one.kind.value, "words": words}
                for one in event.mentions
                if (words := " ".join(graph.words(one).split()))
            ],
        }

    def link_data(link: Link) -> dict[str, Any]:
        return {
            "source": event_at[link.source],
            "target": event_at[link.target],
            "kind": link.kind.value,
            "probability": round_probability(link.probability),
            "strength": round_strength(link.strength),
            "class": strength_class(round_strength(link.strength)).value,
            "order": link.order.value,
            "deniedBy": [
                {"claim": claim_at[evidence.claim], "probability": round_probability(evidence.probability)}
                for evidence in link.denied_by
            ],
            "rests": evidence_kinds(link),
            "closedBy": None if link.closed_by is None else event_at[link.closed_by],
            "evidence": [evidence_data(evidence) for evidence in link.evidence],
        }

    def evidence_data(evidence: Evidence) -> dict[str, Any]:
        probability = round_probability(evidence.probability)
        match evidence:
            case ClaimEvidence():
                return {"claim": claim_at[evidence.claim], "probability": probability}
            case HeadlineEvidence(source, target):
                return {
                    "source": article_at[source],
                    "target": article_at[target],
                    "probability": probability,
                    "contradicts": evidence.contradicts and evidence.contradicts.value,
                }
        ends = {"cause": evidence.cause, "effect": evidence.effect}
        return {
            "judged": {
                side: {"article": article_at[one.article], "words": " ".join(graph.words(one).split())}
                for side, one in ends.items()
            },
            "probability": probability,
        }

    def claim_data(claim: Claim) -> dict[str, Any]:
        return {
            "kind": claim.kind.value,
            "article": article_at[claim.article],
            "probability": round_probability(claim.probability),
            "pieces": sentence_pieces(claim),
            "derived": claim.derived,
        }

    return {
        "title": title,
        "summary": [[str(name), _words(value)] for name, value in summary.items()],
        "claimCount": len(graph.claims),
        "moreEvents": len(graph.events) - len(events),
        "classes": [{"name": name.value, "highest": highest} for name, highest in CLASS_BOUNDS],
        "articles": [_article_data(article) for article in graph.articles.values()],
        "events": [event_data(event) for event in events],
        "links": [link_data(link) for link in graph.links],
        "claims": [claim_data(claim) for claim in shown],
        "stories": [
            {
                "lead": event_at[story.lead.id],
                "events": [event_at[event.id] for event in story.events if event.id in event_at],
                "links": [link_at[link] for link in story.links],
            }
            for story in graph.stories()
        ],
        "singles": [event_at[event.id] for event in graph.single_events() if event.id in event_at],
    }


def evidence_kinds(link: Link) -> list[str]:
    """What kinds of evidence a link rests on: ``said``, ``shown``, ``judged``."""
    kinds = {one.kind for one in link.evidence}
    return [kind.value for kind in EvidenceKind if kind in kinds]


def _is_shown(graph: CausalGraph, event: Event) -> bool:
    """Whether the page has an event: one with a headline, a link or several reports; the files have all."""
    return has_headline(event) or len(event.articles) > 1 or bool(graph.links_of(event.id))


def sentence_pieces(claim: Claim) -> list[Piece]:
    """Cut the claim's sentence where a span begins or ends; pieces joined give the quote again.

    A piece inside several spans carries all their roles, separated by spaces.
    """
    origin = claim.sentence[0]
    spans = [(role, start - origin, end - origin) for role, (start, end) in _spans(claim)]
    inside = (place for _, *ends in spans for place in ends if 0 < place < len(claim.quote))
    cuts = sorted({0, *inside, len(claim.quote)})
    return [[claim.quote[left:right], " ".join(_roles_at(left, spans))] for left, right in pairwise(cuts)]


def _roles_at(place: int, spans: Iterable[tuple[str, int, int]]) -> list[str]:
    return list(dict.fromkeys(role for role, start, end in spans if start <= place < end))


def _spans(claim: Claim) -> Iterator[tuple[str, tuple[int, int]]]:
    for role in ("cause", "effect", "antecedent", "consequent"):
        span = getattr(claim, role)
        if span:
            yield role, span
    for signal in claim.signals:
        yield "signal", signal


def _claims_to_show(graph: CausalGraph) -> list[Claim]:
    evidence = {
        evidence.claim
        for link in graph.links
        for evidence in (*link.evidence, *link.denied_by)
        if isinstance(evidence, ClaimEvidence)
    }
    chosen = {
        claim.id
        for claim in graph.claims
        if claim.kind is not ClaimKind.CAUSAL or claim.derived or claim.id in evidence
    }
    for event in filter(partial(_is_shown, graph), graph.events):
        others = [claim for claim in graph.claims_of(event.id) if claim.id not in chosen]
        others.sort(key=lambda claim: (-claim.probability, claim.id))
        chosen.update(claim.id for claim in others[:CLAIMS_PER_EVENT])
    return [claim for claim in graph.claims if claim.id in chosen]


def _article_data(article: Article) -> dict[str, Any]:
    return {
        "title": article.title,
        "source": article.source,
        "url": article.url,
        "time": time_text(article.published),
        "timeFrom": published_from(article),
    }


def _words(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_words(inner)}" for name, inner in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(_words(inner) for inner in value)
    return str(value)
