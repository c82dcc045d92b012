"""``whywire corrections`` and ``build --corrections``, with the embedded models."""

import json

import pytest
from tests.cli.commands import rows, run

import whywire
from whywire.errors import InputError


@pytest.fixture
def fire(tmp_path, refinery_news):
    """A store with the fire, in a folder with its news."""
    (tmp_path / "news.jsonl").write_text("\n".join(refinery_news), encoding="utf-8")
    run("build", tmp_path / "news.jsonl", "--store", tmp_path / "news.db")
    return tmp_path


def links(graph):
    mentions = {event.id: event.mentions for event in graph.events}
    return {(mentions[link.source], mentions[link.target], link.kind) for link in graph.links}


def of_one_event(graph, event, *articles):
    """Whether an event has now some of another's mentions in each of these articles."""
    told = [{mention for mention in event.mentions if mention.article == article} for article in articles]
    return any(all(not own.isdisjoint(one.mentions) for own in told) for one in graph.events)


@pytest.mark.slow
@pytest.mark.model
def test_corrections_are_made_listed_built_with_and_taken_back(fire):
    store = fire / "news.db"
    before = whywire.open_graph(store)
    link = next(one for one in before.links if one.kind == "causes")
    event = max(before.events, key=lambda one: len(one.articles))
    shown = run("corrections", "apart", event.id, event.articles[-1], "--store", store, "--by", "Ada")
    assert "1 × correction made" in shown
    run("corrections", "hide", link.source, link.target, "--store", store, "--note", "wrong")
    hidden, apart = rows("corrections", "list", "--store", store, "--json")
    assert (hidden["note"], hidden["state"], apart["by"]) == ("wrong", "in force", "Ada")
    assert "hide_link  in force" in run("corrections", "list", "--store", store)
    after = whywire.open_graph(store)
    ends = event.articles[0], event.articles[-1]
    assert of_one_event(before, event, *ends)
    assert not of_one_event(after, event, *ends)
    assert (link.source, link.target) not in {(one.source, one.target) for one in after.links}

    (fire / "corrections.jsonl").write_text("\n".join(map(json.dumps, (hidden, apart))), encoding="utf-8")
    given = ("--corrections", fire / "corrections.jsonl")
    run("build", fire / "news.jsonl", "--out", fire / "again", "--store", fire / "again.db", *given)
    for built in ("again", "again.db"):
        assert links(whywire.open_graph(fire / built)) == links(after)
    assert json.loads((fire / "again" / "run.json").read_text())["inputs"][-1] == str(fire / "corrections.jsonl")

    for row in (hidden, apart):
        assert "1 × correction taken back" in run("corrections", "take-back", row["id"], "--store", store)
    assert links(whywire.open_graph(store)) == links(before)


def test_what_cannot_be_corrected_is_said(tmp_path):
    store = tmp_path / "news.db"
    whywire.open_store(store).close()
    assert "no link" in run("corrections", "hide", "e-1", "e-2", "--store", store, fails=InputError)
    assert "no event" in run("corrections", "apart", "e-1", "a", "--store", store, fails=InputError)
    assert "no correction" in run("corrections", "take-back", "c-1", "--store", store, fails=InputError)
    assert run("corrections", "list", "--store", store) == ""


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("{", "broken JSON"),
        ('{"id": "c-1"}', "not a correction"),
        (
            '{"id": "c", "kind": "apart", "link_kind": "causes", "left": [{"article": "a", "field": "title", '
            '"span": [0, 1], "words": "x"}], "right": [{"article": "b", "field": "title", "span": [0, 1], '
            '"words": "x"}], "at": "2026-03-04T00:00:00Z", "by": "", "note": ""}',
            "'link_kind' is for hidden links",
        ),
    ],
)
def test_a_file_that_is_none_of_corrections_is_said(tmp_path, row, reason):
    (tmp_path / "news.jsonl").write_text('{"title": "Fire"}', encoding="utf-8")
    (tmp_path / "bad.jsonl").write_text(f"\n{row}\n", encoding="utf-8")
    given = ("--out", tmp_path / "out", "--corrections", tmp_path / "bad.jsonl")
    error = run("build", tmp_path / "news.jsonl", *given, fails=InputError)
    assert reason in error
    assert "bad.jsonl:2" in error
