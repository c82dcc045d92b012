import json
import re

import pytest
import sqlalchemy

from whywire.graph.exports import TEXT_FORMATS
from whywire.news import parse_time


@pytest.fixture(scope="module")
def graph(served_example):
    return served_example.get("/v1/graph").json()


def items(answer):
    assert answer.status_code == 200, answer.text
    return answer.json()["items"]


def pages(service, path, **params):
    """All items of a list, page by page."""
    found, cursor = [], None
    while True:
        answer = service.get(path, params=params | ({"after": cursor} if cursor else {}))
        found += items(answer)
        cursor = answer.json()["next"]
        assert ('rel="next"' in answer.headers.get("link", "")) == (cursor is not None)
        if cursor is None:
            return found


@pytest.mark.parametrize("kind", ["events", "links", "claims", "articles"])
def test_a_list_read_page_by_page_holds_everything_once(served_example, graph, kind):
    found = pages(served_example, f"/v1/{kind}", limit=7)
    key = (lambda row: (row["source"], row["target"], row["kind"])) if kind == "links" else (lambda row: row["id"])
    assert sorted(map(key, found)) == sorted(map(key, graph[kind]))
    by_key = {key(row): row for row in graph[kind]}
    shown = [{name: value for name, value in row.items() if name != "links"} for row in found]
    known = [{name: value for name, value in by_key[key(row)].items() if name != "links"} for row in found]
    assert shown == known


@pytest.mark.parametrize(("kind", "table"), [("links", "links"), ("events", "events"), ("mentions", "articles")])
def test_a_list_asks_the_store_for_its_rows_once(served_example, kind, table):
    statements = []

    def count(*event):
        statements.append(event[2])

    sqlalchemy.event.listen(sqlalchemy.Engine, "before_cursor_execute", count)
    try:
        assert items(served_example.get(f"/v1/{kind}", params={"limit": 11}))
    finally:
        sqlalchemy.event.remove(sqlalchemy.Engine, "before_cursor_execute", count)
    sources = [name for statement in statements for name in re.findall(r"FROM (?!\()(\w+)", statement)]
    asked = 2 if kind == "events" else 1  # one more for events with a time in the future
    assert sources.count(table) == asked, statements


def test_the_link_header_leads_to_the_next_page(served_example):
    first = served_example.get("/v1/events", params={"limit": 5})
    url = first.headers["link"].partition(">")[0].removeprefix("<")
    assert items(served_example.get(url))[0] not in items(first)


def test_mentions_have_their_words_and_their_event(served_example, graph):
    event = max(graph["events"], key=lambda one: len(one["mentions"]))
    found = pages(served_example, "/v1/mentions", event=event["id"], limit=3)
    assert sorted(row["words"] for row in found) == sorted(row["words"] for row in event["mentions"])
    assert {row["event"] for row in found} == {event["id"]}


def test_one_event_and_what_is_around_it(served_example, graph):
    link = graph["links"][0]
    event = served_example.get(f"/v1/events/{link['source']}").json()
    assert event in graph["events"]
    around = served_example.get(f"/v1/events/{link['source']}/graph").json()
    assert link in around["links"]


def test_a_story_is_a_graph_of_its_events(served_example):
    story = items(served_example.get("/v1/stories"))[0]
    found = served_example.get(f"/v1/stories/{story['id']}").json()
    own = [event for event in found["events"] if event["story"] == story["id"]]
    assert len(own) == story["events"]


def test_links_by_strength_and_evidence(served_example, graph):
    strong = pages(served_example, "/v1/links", min_strength=60, evidence="said")
    assert {(one["source"], one["target"]) for one in strong} == {
        (one["source"], one["target"])
        for one in graph["links"]
        if one["strength"] >= 60 and any(piece["kind"] == "said" for piece in one["evidence"])
    }
    implied, judged = (pages(served_example, "/v1/links", evidence=name) for name in ("implied", "judged"))
    assert implied == judged, "the name of version 0.2 is still understood"


def test_the_graph_by_strength_evidence_and_time(served_example, graph):
    part = served_example.get("/v1/graph", params={"min_strength": 60, "evidence": ["said", "shown"]}).json()
    assert 0 < len(part["links"]) < len(graph["links"])
    assert all(link["strength"] >= 60 for link in part["links"])
    times = sorted(parse_time(article["published"]).at for article in graph["articles"] if "published" in article)
    middle = times[len(times) // 2]
    then = served_example.get("/v1/graph", params={"as_of": middle.isoformat()}).json()
    assert 0 < len(then["articles"]) < len(graph["articles"])
    assert all(parse_time(article["published"]).at <= middle for article in then["articles"])


def test_search_finds_an_event_by_its_words(served_example, graph):
    title = graph["events"][0]["title"]
    assert title in [event["title"] for event in items(served_example.get("/v1/search", params={"q": title}))]


@pytest.mark.parametrize("name", [*sorted(TEXT_FORMATS), "nodes.csv", "edges.csv"])
def test_every_format_of_export_is_served(served_example, name):
    answer = served_example.get(f"/v1/exports/{name}", params={"min_strength": 20})
    assert answer.status_code == 200
    assert answer.content


def test_questions_are_answered_like_by_the_commands(served_example):
    (row,) = items(
        served_example.post("/v1/read", json={"items": [{"text": "It burned because it was dry.", "id": 7}]})
    )
    assert row["id"] == 7
    assert row["relations"][0]["cause"]
    (row,) = items(
        served_example.post("/v1/relate", json={"items": [{"left_title": "Storm hits", "right_title": "Storm hits"}]})
    )
    assert row["label"] == "same_event"
    rows = items(served_example.post("/v1/group", json={"items": [{"title": "Fire shuts port"}] * 2}))
    assert rows[0]["event"] == rows[1]["event"]
    (row,) = items(served_example.post("/v1/score", json={"items": [{"cause": "Fire", "effect": "Smoke"}]}))
    assert 0 <= row["strength"] <= 100
    choice = {"effect": "Smoke", "options": ["Fire", "Rain"]}
    (row,) = items(served_example.post("/v1/choose", json={"items": [choice]}))
    assert len(row["strengths"]) == 2
    asked = [choice, {"effect": "Smoke", "options": ["Rain", "None of the others"]}]
    rows = items(served_example.post("/v1/choose", json={"items": asked, "together": True}))
    assert [row["answer"] for row in rows] == [[0], [1]]
    (row,) = items(served_example.post("/v1/predict", json={"items": [{"title": "Storm shuts the port"}]}))
    assert isinstance(row["effects"], list)


def test_a_row_that_cannot_be_answered_has_an_error_and_the_others_answers(served_example):
    rows = items(served_example.post("/v1/read", json={"items": [{"text": "x"}, {}, {"text": "x" * 10_001}]}))
    assert ["error" in row for row in rows] == [False, True, True]
    assert rows[1]["error"] == "there is no text"


def test_why_answers_a_question_and_explains_an_event(served_example, graph):
    link = next(one for one in graph["links"] if one["kind"] == "causes")
    rows = items(served_example.get("/v1/why", params={"question": link["target"]}))
    assert link["source"] in {row["cause"]["id"] for row in rows if row["cause"]}
    rows = items(served_example.get("/v1/why", params={"question": "Why did fuel run short?"}))
    assert {row["asks"] for row in rows} == {"cause"}


def test_an_answer_that_did_not_change_is_not_sent_again(served_example):
    for path in ("/v1/events", "/v1/graph", "/v1/status", "/v1/exports/dot", "/v1/why?question=fire"):
        first = served_example.get(path)
        again = served_example.get(path, headers={"if-none-match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        other = served_example.get(path, headers={"if-none-match": '"other"'})
        assert other.status_code == 200


def test_status_counts(served_example, graph):
    status = served_example.get("/v1/status").json()
    assert (status["events"], status["links"], status["waiting"]) == (len(graph["events"]), len(graph["links"]), 0)


def test_the_description_of_the_api_has_an_example_of_every_question(served_example):
    description = served_example.get("/v1/openapi.json").json()
    for path, methods in description["paths"].items():
        for method, route in methods.items():
            assert route["summary"], path
            assert "429" in route["responses"]
            if method == "post" and "requestBody" in route and not path.endswith("/bulk"):
                assert "examples" in json.dumps(route["requestBody"]) or "$ref" in json.dumps(route["requestBody"])
