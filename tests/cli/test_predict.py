"""``whywire predict`` as a program runs it: with a graph, with a language model, with a chat model."""

import json

import pytest
from tests.local_server import Reply, says, serving
from typer.testing import CliRunner

from whywire.building import build
from whywire.cli.app import app
from whywire.errors import InputError, ModelError
from whywire.models.chat import KEY, MODEL, URL

TITLE = "Gas leak at factory kills dozens in Ardel"
LIKELY = "Ardel factory manager arrested after gas leak"
LATER = "2030-05-01"
UNLIKELY = "New species of frog found on island"


def run(*arguments, fails=None, lines=None, **environment):
    settings = {URL: None, MODEL: None, KEY: None, "COLUMNS": "200", "NO_COLOR": "1"} | environment
    done = CliRunner().invoke(app, ["predict", *map(str, arguments)], env=settings, input=lines)
    if fails:
        assert isinstance(done.exception, fails), done.output
        return str(done.exception)
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def written(*rows):
    return "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)


@pytest.fixture(scope="module")
def graph(example, tmp_path_factory):
    folder = tmp_path_factory.mktemp("graph")
    own = [article for article in example if "Marrow Point" in article.text or "Orvane" in article.text]
    build(own).write(folder, title="Test", inputs=["news.jsonl"])
    return folder


def read(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_graphs_past_predicts_and_names_its_precedents(graph):
    rows = [
        {"id": "a", "title": "Sabotage suspected at oil refinery", "published": LATER, "desk": 7},
        {"id": "b", "title": "Chess champion defends her title"},
        {"id": "c", "title": "Пожар на заводе", "language": "ru"},
    ]
    found = run("-", "--graph", graph, "--floor", 0.05, lines=written(*rows))
    assert [{name: row[name] for name in row if name != "effects"} for row in found] == rows
    first, second, _ = (row["effects"] for row in found)
    assert second == []
    probabilities = [effect["probability"] for effect in first]
    assert probabilities
    assert probabilities == sorted(probabilities, reverse=True)
    known, links = ({row["id"]: row for row in read(graph / "events.jsonl")}, read(graph / "links.jsonl"))
    ends = {(link["source"], link["target"]) for link in links if link["kind"] == "causes"}
    articles = {row["id"]: row for row in read(graph / "articles.jsonl")}
    for effect in first:
        assert set(effect) == {"after", "text", "probability", "fits", "because"}
        best = effect["because"][0]
        assert (effect["after"], effect["text"]) == (best["source_title"], best["target_title"])
        assert 0.05 <= effect["probability"] < 1
        assert 0 <= effect["fits"] <= 1
        for basis in effect["because"]:
            assert (basis["source"], basis["target"]) in ends
            assert known[basis["source"]]["title"] == basis["source_title"]
            assert known[basis["target"]]["title"] == basis["target_title"]
            assert (known[basis["target"]]["story"] or basis["source"]) == basis["story"]
            assert basis["story_title"]
            assert {article["url"] for article in basis["articles"]} <= {row["url"] for row in articles.values()}
            assert 0 < basis["likeness"] <= 1
            assert 0.5 <= basis["probability"] <= 1


def test_the_story_that_a_headline_is_part_of_predicts_nothing(graph):
    title = "Refinery fire at Marrow Point stops fuel deliveries"
    (first_report, *_) = (row["first_seen"] for row in read(graph / "events.jsonl") if row["first_seen"])
    asked = [{"title": title}, {"title": title, "published": first_report}]
    found = run("-", "--graph", graph, "--floor", 0.05, lines=written(*asked))
    assert [row["effects"] for row in found] == [[], []]


def test_rows_that_cannot_be_used_keep_their_place(graph, tmp_path):
    bad = ["{", "7", {"title": ""}, {"title": "El puerto cierra", "language": "es"}]
    out = tmp_path / "effects.jsonl"
    assert run("-", "--graph", graph, "-o", out, lines=written(*bad, {"title": "Owl moves in"})) == []
    *wrong, right = read(out)
    assert ["error" in row for row in wrong] == [True] * 4
    assert "neither English nor Russian" in wrong[3]["error"]
    assert right["effects"] == [] or right["effects"][0]["text"]
    assert "standard input:1" in run("-", "--graph", graph, "--strict", lines=written(*bad), fails=InputError)


def test_a_past_that_is_none_is_refused(tmp_path):
    assert "--graph" in run("-", fails=InputError)
    assert "not a folder that `whywire build` wrote" in run("-", "--graph", tmp_path, fails=InputError)


def test_a_chat_model_writes_and_the_model_of_pairs_ranks(tmp_path):
    with serving(says([UNLIKELY, LIKELY]), says("I cannot tell."), says([LIKELY])) as server:
        rows = [{"title": TITLE}, {"title": "Owl moves in"}, {"title": TITLE}]
        given = {URL: server.url, MODEL: "tiny-chat"}
        first, second, third = run("-", "--with", "chat", lines=written(*rows), **given)
    (effect,) = first["effects"]
    assert effect["text"] == LIKELY
    assert effect["because"] == [{"kind": "model", "model": "tiny-chat"}]
    assert effect["probability"] == effect["fits"]
    assert "no JSON list of headlines" in second["error"]
    assert third["effects"] == first["effects"]


def test_an_endpoint_that_refuses_stops_the_work():
    with serving(Reply("bad key", 401)) as server:
        given = {URL: server.url, MODEL: "tiny-chat", KEY: "s3cret"}
        assert "401" in run("-", "--with", "chat", lines=written({"title": TITLE}), fails=ModelError, **given)
    assert len(server.asked) == 1
    assert "WHYWIRE_CHAT_URL is not set" in run("-", "--with", "chat", fails=InputError)


def test_an_endpoint_that_is_silent_for_longer_than_allowed_is_asked_again():
    slow = Reply(says([LIKELY]).body, wait=1.0)
    with serving(slow, says([LIKELY])) as server:
        given = {URL: server.url, MODEL: "tiny-chat"}
        (row,) = run("-", "--with", "chat", "--timeout", 0.3, lines=written({"title": TITLE}), **given)
    assert row["effects"]
    assert len(server.asked) == 2


def test_a_language_model_needs_a_name():
    assert "--model" in run("-", "--with", "lm", fails=InputError)
