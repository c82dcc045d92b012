"""``timeline`` on news and on folders that ``whywire build`` wrote."""

import json

import pytest
from tests.cli.commands import rows, run
from tests.local_server import says, serving

from whywire.errors import InputError
from whywire.models.chat import MODEL, URL

NEWS = [
    {
        "id": "a",
        "title": "Fire shuts Marlow refinery in Port Ellery",
        "text": "A fire shut the Marlow refinery in Port Ellery on Tuesday, police said. Fuel ran short in the north "
        "because the fire had closed the refinery.",
        "published": "2026-03-04T09:00:00Z",
        "url": "https://harbour.example/a",
    },
    {
        "id": "b",
        "title": "Marlow refinery in Port Ellery shut by fire",
        "text": "The Marlow refinery in Port Ellery caught fire on Tuesday. It will reopen on 9 March.",
        "published": "2026-03-05T09:00:00Z",
    },
    {
        "id": "c",
        "title": "Choir of Oslo wins prize for old songs",
        "text": "Oslo opened its largest concert hall on 20 February.",
        "published": "2026-03-02T09:00:00Z",
    },
    {"id": "d", "title": "Im Hafen von Bremen brennt ein Lagerhaus", "language": "de"},
]


@pytest.fixture(scope="module")
def news(tmp_path_factory):
    pytest.importorskip("dateparser")
    place = tmp_path_factory.mktemp("news")
    path = place / "news.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in NEWS), encoding="utf-8")
    run("build", path, "--out", place / "graph")
    return path


def test_the_events_are_those_of_the_graph_whether_built_before_or_now(news):
    built = [json.loads(line) for line in (news.parent / "graph" / "events.jsonl").read_text("utf-8").splitlines()]
    own, of_folder = (rows("timeline", path, "--all", "--json") for path in (news, news.parent / "graph"))
    assert {row["event"]: row["title"] for row in own} == {event["id"]: event["title"] for event in built}
    assert {row["event"] for row in of_folder} == {row["event"] for row in own}
    texts = {row["id"]: row for row in NEWS}
    spans = {event["id"]: [mention["span"] for mention in event["mentions"]] for event in built}
    for row in own:
        assert [said["span"] for said in row["phrasings"]] == spans[row["event"]]
        for said in row["phrasings"]:
            assert texts[said["article"]][said["field"]][slice(*said["span"])] == said["text"]


def test_by_default_what_is_worth_reading_is_listed_in_order(news):
    found, everything = rows("timeline", news, "--json"), rows("timeline", news, "--all", "--json")
    assert {row["event"] for row in found} < {row["event"] for row in everything}
    (fire,) = [row for row in found if any(said["text"] == NEWS[0]["title"] for said in row["phrasings"])]
    assert {said["article"] for said in fire["phrasings"]} == {"a", "b"}
    opening = next(row for row in found if "concert hall" in row["title"])
    assert opening["time"] == {"start": "2026-02-20", "end": "2026-02-21", "precision": "day"}
    assert opening["words"] == "20 February"
    assert found.index(opening) < found.index(fire)
    assert found[-1]["title"] == NEWS[3]["title"], "without a time it stands last"
    assert found[0]["order"] is None
    assert all(row["order"] and 0.5 <= row["confidence"] <= 1 for row in found[1:])
    assert "2026-02-20" in run("timeline", news)


def test_the_order_of_the_articles_changes_nothing(news, tmp_path):
    lines = news.read_text(encoding="utf-8").splitlines()
    (tmp_path / "mixed.jsonl").write_text("\n".join(reversed(lines)), encoding="utf-8")
    assert rows("timeline", tmp_path / "mixed.jsonl", "--json") == rows("timeline", news, "--json")


def test_about_keeps_the_story_of_what_is_meant(news, week):
    told = rows("timeline", news, "--about", "choir prize", "--json")
    assert told
    assert {said["article"] for row in told for said in row["phrasings"]} == {"c"}
    flood = {row["event"] for row in rows("timeline", week, "--about", "minister resigns", "--json")}
    assert {"e2", "e7"} <= flood, "the story of the one meant"
    assert flood < {row["event"] for row in rows("timeline", week, "--json")}
    assert "more words of a headline" in run("timeline", week, "--about", "bank failure", fails=InputError)


def test_as_of_a_time_only_what_was_known_is_listed(week):
    then = {row["event"] for row in rows("timeline", week, "--as-of", "2026-03-02", "--json")}
    assert then
    assert then < {row["event"] for row in rows("timeline", week, "--json")}


def test_a_chat_model_may_word_an_event_and_adds_nothing(news, tmp_path, monkeypatch):
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv(MODEL, "tiny-chat")
    plain = rows("timeline", news, "--json")
    with serving(says("Choir of Bergen wins a medal.")) as server:
        monkeypatch.setenv(URL, server.url)
        assert rows("timeline", news, "--json", "--phrase") == plain, "what the article does not say is refused"
        assert server.asked
    with serving(says('"Choir of Oslo wins a prize."\n\nHope this helps!')) as server:
        monkeypatch.setenv(URL, server.url)
        worded = rows("timeline", news, "--json", "--phrase")
    assert "Choir of Oslo wins a prize" in {row["title"] for row in worded}
    assert [row["phrasings"] for row in worded] == [row["phrasings"] for row in plain]


def test_phrasing_needs_an_endpoint(news, monkeypatch):
    monkeypatch.delenv(URL, raising=False)
    assert URL in run("timeline", news, "--phrase", fails=InputError)
