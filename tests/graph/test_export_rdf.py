"""JSON-LD and Turtle in rdflib."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from small_graphs import small_graphs

from whywire.elements import ClaimEvidence, ClaimKind
from whywire.errors import MissingExtraError
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.exports import graph_json_ld, graph_turtle
from whywire.graph.exports.illegal_characters import plain_text
from whywire.graph.snapshots import as_of

rdflib = pytest.importorskip("rdflib")
pytestmark = pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated")  # rdflib's reader of JSON-LD uses it

SENTENCES = """
PREFIX why: <urn:whywire:terms#>
SELECT ?cause ?effect ?strength ?believed ?sentence ?start ?end ?url ?time WHERE {
  ?link rdf:subject [ schema:name ?cause ] ; rdf:predicate why:causes ; rdf:object [ schema:name ?effect ] ;
        why:strength ?strength ; prov:qualifiedDerivation [ prov:entity ?claim ; why:probability ?believed ] .
  ?claim a schema:Claim ; schema:text ?sentence ; why:cause [ oa:start ?start ; oa:end ?end ] ;
         prov:wasQuotedFrom ?article .
  ?article schema:datePublished ?time .
  OPTIONAL { ?article schema:url ?url }
} ORDER BY DESC(?strength)
"""
NAMES = {"oa": "http://www.w3.org/ns/oa#", "prov": rdflib.PROV, "rdf": rdflib.RDF, "schema": "https://schema.org/"}
SCHEMA, WHY = rdflib.Namespace("https://schema.org/"), rdflib.Namespace("urn:whywire:terms#")


def loaded(text: str, form: str) -> Any:
    return rdflib.Graph().parse(data=text, format=form)


@pytest.mark.parametrize(("write", "form"), [(graph_json_ld, "json-ld"), (graph_turtle, "turtle")])
def test_a_link_leads_to_its_sentence_and_url(graph: CausalGraph, write: Any, form: str) -> None:
    found = list(loaded(write(graph), form).query(SENTENCES, initNs=NAMES))
    assert len(found) == 4
    cause, effect, strength, believed, sentence, start, end, url, time = (item.toPython() for item in found[0])
    assert (cause, effect) == (graph.event("e1").title, graph.event("e2").title)
    assert (float(strength), float(believed)) == (92.0, 0.91)
    assert sentence == graph.claim("c1").quote
    assert graph.articles["e2-1"].text[start:end] == "three days of rain had soaked its clay core"
    assert str(url) == "https://coast.example/e2-1"
    assert time == graph.articles["e2-1"].published.at


def test_closed_and_denied_links_say_so(graph: CausalGraph) -> None:
    denial = replace(graph.claim("c1"), id="denial", kind=ClaimKind.DENIAL)
    first = replace(graph.links[0], denied_by=(ClaimEvidence("denial", 0.7),))
    changed = replace(graph, claims=(*graph.claims, denial), links=(first, *graph.links[1:]))
    triples = loaded(graph_turtle(changed), "turtle")
    (link,) = triples.subjects(WHY.deniedBy, rdflib.URIRef("urn:whywire:claim:denial"))
    (weighed,) = triples.objects(link, rdflib.PROV.qualifiedInfluence)
    assert float(triples.value(weighed, WHY.probability)) == 0.7
    closed = [link for link in graph.links if link.closed_by]
    assert len(set(triples.subjects(WHY.closedBy))) == len(closed) == 2
    for link in closed:
        ends = (rdflib.URIRef(f"urn:whywire:event:{event}") for event in (link.source, link.target))
        assert (next(ends), WHY.causes, next(ends)) not in triples
    assert len(set(triples.triples((None, WHY.causes, None)))) == sum(
        link.kind == "causes" and not link.closed_by for link in graph.links
    )


def test_events_are_part_of_their_story(graph: CausalGraph) -> None:
    triples = loaded(graph_turtle(graph), "turtle")
    for story in graph.stories():
        told = rdflib.URIRef(f"urn:whywire:story:{story.id}")
        assert str(triples.value(told, SCHEMA.name)) == story.title
        assert {str(event).split(":")[-1] for event in triples.subjects(SCHEMA.superEvent, told)} == {
            event.id for event in story.events
        }
    assert len(set(triples.subjects(rdflib.RDF.type, WHY.Story))) == len(graph.stories()) == 3


def test_a_single_event_is_part_of_no_story(graph: CausalGraph) -> None:
    begun = as_of(graph, datetime(2026, 3, 2, tzinfo=UTC))
    assert begun.events
    assert not begun.stories()
    triples = loaded(graph_json_ld(begun), "json-ld")
    assert not set(triples.subject_objects(SCHEMA.superEvent))


@settings(deadline=None, max_examples=15)
@given(small_graphs())
def test_json_ld_and_turtle_hold_the_same_triples_and_all_text(graph: CausalGraph) -> None:
    triples, turtle = loaded(graph_json_ld(graph), "json-ld"), loaded(graph_turtle(graph), "turtle")
    assert set(triples) == set(turtle)
    named = {
        str(name)
        for event in turtle.subjects(rdflib.RDF.type, SCHEMA.Event)
        for name in turtle.objects(event, SCHEMA.name)
    }
    assert named == {plain_text(event.title) for event in graph.events if event.title}
    assert {str(title) for title in turtle.objects(None, SCHEMA.headline)} == {
        plain_text(article.title) for article in graph.articles.values()
    }
    assert {str(quote) for quote in turtle.objects(None, SCHEMA.text)} == {
        plain_text(claim.quote) for claim in graph.claims if claim.quote
    }
    assert len(set(turtle.subjects(rdflib.RDF.type, rdflib.RDF.Statement))) == len(graph.links)
    assert len(set(turtle.subjects(rdflib.RDF.type, SCHEMA.Event))) == len(graph.events)


def test_without_rdflib_the_extra_is_named(graph: CausalGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rdflib", None)
    with pytest.raises(MissingExtraError, match=r"whywire\[rdf\]"):
        graph_turtle(graph)
