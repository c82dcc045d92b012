"""JSON-LD export: articles and events as schema.org types, evidence in PROV, offsets in Web Annotation.

A link is an ``rdf:Statement`` about two events. It ``prov:wasDerivedFrom`` claims, which ``prov:wasQuotedFrom``
articles, and pairs of headlines or mentions, whose members are articles. The probability of each piece of evidence is
the ``why:probability`` of a ``prov:qualifiedDerivation``. An open link is also a triple of its two events, with
``why:causes`` or ``why:refutedBy``.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from typing import Any
from urllib.parse import quote

from whywire.elements import (
    Claim,
    ClaimEvidence,
    Event,
    Evidence,
    ImpliedEvidence,
    Link,
    LinkKind,
    round_probability,
    round_strength,
)
from whywire.errors import MissingExtraError
from whywire.events.time.event_time import DAY
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.exports.illegal_characters import plain_text
from whywire.news.article import Article, Published, Span
from whywire.news.article_rows import published_from
from whywire.news.times import render_time
from whywire.output import json_text

Node = dict[str, Any]

CONTEXT: Node = {
    "oa": "http://www.w3.org/ns/oa#",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "schema": "https://schema.org/",
    "why": "urn:whywire:terms#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "oa:start": {"@type": "xsd:nonNegativeInteger"},
    "oa:end": {"@type": "xsd:nonNegativeInteger"},
    "why:probability": {"@type": "xsd:decimal"},
    "why:strength": {"@type": "xsd:decimal"},
    "schema:url": {"@type": "xsd:anyURI"},
}

PREDICATES = {LinkKind.CAUSES: "why:causes", LinkKind.REFUTES: "why:refutedBy"}
"""The predicate between a link's source and target."""


def graph_json_ld(graph: CausalGraph) -> str:
    """Return the graph as JSON-LD, one node on each line; ids are percent-encoded in ``urn:whywire:…``.

    NUL and lone surrogates become U+FFFD. Of the articles' texts only the sentences of claims are included.
    """
    nodes = ",\n".join(json_text(node) for node in _nodes(graph))
    return f'{{"@context": {json_text(CONTEXT)}, "@graph": [\n{nodes}\n]}}\n'


def graph_turtle(graph: CausalGraph) -> str:
    """Return the graph as Turtle: the triples of ``graph_json_ld``.

    Raises:
        MissingExtraError: rdflib is not installed.
    """
    try:
        import rdflib
    except ModuleNotFoundError as error:
        raise MissingExtraError("rdflib", "rdf") from error
    triples = rdflib.Graph()
    with warnings.catch_warnings():  # raised inside rdflib by its own JSON-LD parser
        warnings.simplefilter("ignore", DeprecationWarning)
        triples.parse(data=graph_json_ld(graph), format="json-ld")
    return triples.serialize(format="turtle")


def _nodes(graph: CausalGraph) -> Iterator[Node]:
    events_of: defaultdict[str, list[str]] = defaultdict(list)
    for event in graph.events:
        for name in event.articles:
            events_of[name].append(event.id)
    for article in graph.articles.values():
        yield _article(article, events_of[article.id])
    open_links: defaultdict[str, list[Link]] = defaultdict(list)
    for link in graph.links:
        if link.closed_by is None:
            open_links[link.source].append(link)
    stories = graph.stories()
    story_ids = {story.id for story in stories}
    for event in graph.events:
        yield _event(event, event.story if event.story in story_ids else None, open_links[event.id])
    for story in stories:
        yield {"@id": _iri("story", story.id), "@type": "why:Story", "schema:name": plain_text(story.title)}
    yield from map(_claim, graph.claims)
    for link in graph.links:
        yield _link(link)


def _article(article: Article, events: list[str]) -> Node:
    source = article.source
    return _without_empty(
        {
            "@id": _iri("article", article.id),
            "@type": ["schema:NewsArticle", "prov:Entity"],
            "schema:headline": plain_text(article.title),
            "schema:url": article.url and plain_text(article.url),
            "schema:datePublished": _time(article.published),
            "why:publishedFrom": published_from(article),
            "schema:inLanguage": article.language.value,
            "schema:publisher": source
            and {
                "@id": _iri("source", source),
                "@type": "schema:Organization",
                "schema:name": plain_text(source),
            },
            "schema:about": [_reference("event", event) for event in events] or None,
        }
    )


def _event(event: Event, story: str | None, links: list[Link]) -> Node:
    node: Node = {
        "@id": _iri("event", event.id),
        "@type": ["schema:Event", "prov:Entity"],
        "schema:name": plain_text(event.title),
        "schema:inLanguage": event.language.value,
        "why:firstSeen": _time(event.first_seen),
        "why:lastSeen": _time(event.last_seen),
        "schema:startDate": event.when and _day(event.when.start),
        "schema:endDate": event.when and _day(event.when.end - DAY),
        "schema:superEvent": None if story is None else _reference("story", story),
        "schema:subjectOf": [_reference("article", article) for article in event.articles],
    }
    for kind, predicate in PREDICATES.items():
        node[predicate] = [_reference("event", link.target) for link in links if link.kind is kind]
    return _without_empty(node)


def _claim(claim: Claim) -> Node:
    iri = _iri("claim", claim.id)
    node: Node = {
        "@id": iri,
        "@type": ["schema:Claim", "prov:Entity"],
        "schema:text": plain_text(claim.quote),
        "schema:about": _reference("event", claim.event),
        "prov:wasQuotedFrom": _reference("article", claim.article),
        "why:kind": claim.kind.value,
        "why:probability": str(round_probability(claim.probability)),
        "why:field": claim.field,
        "why:derived": claim.derived and plain_text(claim.derived),
        "oa:hasSelector": _selector(claim, claim.sentence, f"{iri}#sentence"),
    }
    for role in ("cause", "effect", "antecedent", "consequent"):
        span = getattr(claim, role)
        node[f"why:{role}"] = span and _selector(claim, span, f"{iri}#{role}")
    node["why:signal"] = [
        _selector(claim, signal, f"{iri}#signal-{number}") for number, signal in enumerate(claim.signals, start=1)
    ]
    return _without_empty(node)


def _selector(claim: Claim, span: Span, iri: str) -> Node:
    """Return the offsets of a span in the claim's field, and its words."""
    return {
        "@id": iri,
        "@type": ["oa:TextPositionSelector", "oa:TextQuoteSelector"],
        "oa:start": span[0],
        "oa:end": span[1],
        "oa:exact": plain_text(claim.words(span)),
    }


def _link(link: Link) -> Node:
    iri = _iri("link", link.source, link.kind.value, link.target)
    return _without_empty(
        {
            "@id": iri,
            "@type": ["rdf:Statement", "prov:Entity"],
            "rdf:subject": _reference("event", link.source),
            "rdf:predicate": {"@id": PREDICATES[link.kind]},
            "rdf:object": _reference("event", link.target),
            "why:probability": str(round_probability(link.probability)),
            "why:strength": str(round_strength(link.strength)),
            "why:order": link.order.value,
            "why:closedBy": None if link.closed_by is None else _reference("event", link.closed_by),
            "prov:wasDerivedFrom": [_evidence(evidence) for evidence in link.evidence],
            "prov:qualifiedDerivation": [
                _qualified(evidence, f"{iri}#evidence-{number}", "prov:Derivation")
                for number, evidence in enumerate(link.evidence, start=1)
            ],
            "why:deniedBy": [_evidence(evidence) for evidence in link.denied_by],
            "prov:qualifiedInfluence": [
                _qualified(evidence, f"{iri}#denial-{number}", "prov:EntityInfluence")
                for number, evidence in enumerate(link.denied_by, start=1)
            ],
        }
    )


def _evidence(evidence: Evidence) -> Node:
    if isinstance(evidence, ClaimEvidence):
        return _reference("claim", evidence.claim)
    if isinstance(evidence, ImpliedEvidence):
        source, target = evidence.cause.article, evidence.effect.article
        name = _iri(
            "implied", *(f"{side.article} {side.field} {side.span[0]}" for side in (evidence.cause, evidence.effect))
        )
    else:
        source, target = evidence.source_article, evidence.target_article
        name = _iri("headlines", source, target)
    return {
        "@id": name,
        "@type": "prov:Collection",
        "prov:hadMember": [_reference("article", source), _reference("article", target)],
    }


def _qualified(evidence: Evidence, iri: str, kind: str) -> Node:
    return {
        "@id": iri,
        "@type": kind,
        "prov:entity": {"@id": _evidence(evidence)["@id"]},
        "why:probability": str(round_probability(evidence.probability)),
    }


def _reference(kind: str, name: str) -> Node:
    return {"@id": _iri(kind, name)}


def _iri(kind: str, *names: str) -> str:
    return ":".join(["urn:whywire", kind, *(quote(name, safe="", errors="surrogatepass") for name in names)])


def _day(day: date) -> Node:
    return {"@value": day.isoformat(), "@type": "xsd:date"}


def _time(published: Published | None) -> Node | None:
    if published is None:
        return None
    return {"@value": render_time(published), "@type": "xsd:date" if published.day_only else "xsd:dateTime"}


def _without_empty(node: Node) -> Node:
    return {name: value for name, value in node.items() if value not in (None, "", [])}
