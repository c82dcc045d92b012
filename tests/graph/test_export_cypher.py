"""The Cypher statements in an engine that runs them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from small_graphs import small_graphs

from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import claim_rows, link_rows
from whywire.graph.exports import graph_cypher
from whywire.graph.exports.cypher import RELATIONSHIPS
from whywire.graph.exports.illegal_characters import plain_text
from whywire.output import json_text

graphqlite = pytest.importorskip("graphqlite")


class Database:
    """A graph database in memory."""

    def __init__(self) -> None:
        sqlite: Any = sqlite3
        if not hasattr(sqlite3.Connection, "enable_load_extension"):  # as in many builds of Python
            sqlite = pytest.importorskip("pysqlite3")
        self._file = sqlite.connect(":memory:")
        self._graph = graphqlite.wrap(self._file)

    def run(self, statements: str) -> None:
        for line in statements.splitlines():
            self.ask(line.removesuffix(";"))

    def ask(self, query: str) -> list[dict[str, Any]]:
        return list(self._graph.cypher(query))

    def close(self) -> None:
        self._file.close()


@pytest.fixture
def database() -> Iterator[Database]:
    opened = Database()
    yield opened
    opened.close()


def test_a_link_leads_to_its_sentence_and_url(graph: CausalGraph, database: Database) -> None:
    database.run(graph_cypher(graph))
    (found,) = database.ask(
        "MATCH (s:Event {id: 'e1'})-[r:CAUSES]->(t:Event {id: 'e2'}), (c:Claim)-[:STANDS_IN]->(a:Article) "
        "WHERE c.id IN r.claims RETURN r.strength AS strength, c.quote AS quote, c.cause AS cause, a.url AS url"
    )
    start, end = found["cause"]
    text = next(article.text for article in graph.articles.values() if article.url == found["url"])
    assert text[start:end] == "three days of rain had soaked its clay core"
    assert text[start:end] in found["quote"]
    assert found["strength"] == 92.0
    refuted = database.ask("MATCH (s:Event)-[r:REFUTED_BY]->(t:Event) RETURN t.title AS title")
    assert {row["title"] for row in refuted} >= {"Upper dam is sound, engineers say after inspection"}
    closed = database.ask("MATCH (s:Event)-[r:CAUSES]->(t:Event) WHERE r.closed_by IS NOT NULL RETURN s.id AS id")
    assert {row["id"] for row in closed} == {link.source for link in graph.links if link.closed_by}


def test_statements_run_again_add_nothing(graph: CausalGraph, database: Database) -> None:
    counts = "MATCH (s)-[r]->(t) RETURN count(r) AS many"
    database.run(graph_cypher(graph))
    before = database.ask(counts)
    database.run(graph_cypher(graph))
    assert database.ask(counts) == before


@settings(deadline=None, max_examples=15)
@given(small_graphs())
def test_any_text_is_stored_unchanged(graph: CausalGraph) -> None:
    database = Database()
    try:
        database.run(graph_cypher(graph))
        events = database.ask("MATCH (e:Event) RETURN e.id AS id, e.title AS title")
        assert {row["id"]: row["title"] for row in events} == {
            plain_text(event.id): plain_text(event.title) for event in graph.events
        }
        quotes = database.ask("MATCH (c:Claim) RETURN c.id AS id, c.quote AS quote, c.sentence AS sentence")
        assert {row["id"]: (row["quote"], row["sentence"]) for row in quotes} == {
            plain_text(row["id"]): (plain_text(row["quote"]), row["sentence"]) for row in claim_rows(graph)
        }
        for link, row in zip(graph.links, link_rows(graph), strict=True):
            found = database.ask(
                f"MATCH (s:Event)-[r:{RELATIONSHIPS[link.kind]}]->(t:Event) "
                "RETURN s.id AS source, t.id AS target, r.strength AS strength, r.evidence AS evidence"
            )
            ends = plain_text(link.source), plain_text(link.target)
            (edge,) = (edge for edge in found if (edge["source"], edge["target"]) == ends)
            assert edge["strength"] == row["strength"]
            assert json.loads(edge["evidence"]) == json.loads(plain_text(json_text(row["evidence"])))
    finally:
        database.close()
