"""``whywire predict`` as a program runs it: with a graph, with a language model, with a chat model."""

import json

import pytest
from tests.local_server import Reply, says, serving
from typer.testing import CliRunner

from whywire.cli.app import app
from whywire.errors import InputError, ModelError
from whywire.models.chat import KEY, MODEL, URL
from whywire.pipeline import build

TITLE = "Gas leak at factory kills dozens in Ardel"
LIKELY = "Ardel factory manager arrested after gas leak"
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


def test_the_graphs_past_predicts_and_names_its_analogues(graph):
    rows = [
        {"id": "a", "title": "Huge fire at the Marrow Point oil refinery", "desk": 7},
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
    for effect in first:
        assert set(effect) == {"text", "probability", "fits", "because"}
        assert effect["because"]
        assert 0.05 <= effect["probability"] < 1
        assert 0 <= effect["fits"] <= 1
        for basis in effect["because"]:
            assert 0 < basis["likeness"] <= 1
            assert 0 < basis["probability"] <= 1


def test_every_analogue_leads_back_to_the_graph(graph):
    known, by_claim = ({row["id"]: row for row in read(graph / f"{name}.jsonl")} for name in ("events", "claims"))
    sources = [known[link["source"]]["title"] for link in read(graph / "links.jsonl")[:6]]
    found = run("-", "--graph", graph, "--floor", 0.02, lines=written(*({"title": title} for title in sources)))
    kinds = set()
    for row in found:
        for effect in row["effects"]:
            for basis in effect["because"]:
                kinds.add(basis["kind"])
                if basis["kind"] == "link":
                    assert known[basis["source"]]["title"] == basis["source_title"]
                    assert known[basis["target"]]["title"] == basis["target_title"]
                else:
                    claim = by_claim[basis["claim"]]
                    assert basis["quote"] == claim["quote"]
                    assert (basis["cause"], basis["effect"]) == (claim["cause"], claim["effect"])
            best = effect["because"][0]
            if best["kind"] == "link":
                assert effect["text"] == best["target_title"]
            else:
                start = best["sentence"][0]
                words = best["quote"][best["effect"][0] - start : best["effect"][1] - start]
                assert effect["text"] == " ".join(words.split())
    assert kinds == {"link", "claim"}


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
