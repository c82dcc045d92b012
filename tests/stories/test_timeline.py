"""Events across articles: one node for all phrasings, an order without cycles, the same for any input order."""

import json
import random
from dataclasses import replace
from datetime import date, timedelta

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from tests.answers.chat_server import says, serving
from typer.testing import CliRunner

from whywire.cli import timeline as command
from whywire.models.chat import MODEL, URL
from whywire.news import Language, read_row
from whywire.stories.tenses import Tense
from whywire.stories.timeline import EventTime, Placing, TimelineEvent, build_timeline, in_order, step
from whywire.stories.when import Precision

ROWS = [
    {
        "id": "a",
        "title": "Fire shuts Marlow refinery in Port Ellery",
        "text": "A fire shut the Marlow refinery in Port Ellery on Tuesday, police said.",
        "published": "2026-03-04T09:00:00Z",
        "url": "https://harbour.example/a",
    },
    {
        "id": "b",
        "title": "Marlow refinery in Port Ellery shut by fire",
        "text": "The Marlow refinery in Port Ellery will reopen on 9 March.",
        "published": "2026-03-05T09:00:00Z",
    },
    {
        "id": "c",
        "title": "Choir of Oslo wins prize for old songs",
        "text": "Oslo opened its largest concert hall on 20 February. Oslo closed an old theatre in 1951.",
        "published": "2026-03-02T09:00:00Z",
    },
    {"id": "d", "title": "Im Hafen von Bremen brennt ein Lagerhaus", "language": "de"},
]


def timed(number, start=None, length=1, reported=None, tense=Tense.PAST):
    time = start and EventTime(start, start + timedelta(length), Precision.DAY, "a", "text", (0, 3), "now")
    published = reported and read_row({"title": "x y", "published": f"{reported}T09:00:00Z"})[0].published
    return TimelineEvent(f"t-{number}", f"event {number}", Language.ENGLISH, time, published, tense, ())


def test_events_may_share_a_time_have_a_report_only_or_nothing():
    old, day, same = timed(1, date(2026, 3, 1)), timed(2, date(2026, 3, 4)), timed(3, date(2026, 3, 4))
    told, lost = timed(4, reported="2026-03-02"), timed(5)
    found = in_order([lost, same, told, day, old])
    assert [event.id for event in found.events] == ["t-1", "t-4", "t-2", "t-3", "t-5"]
    assert [item.placing for item in found.steps] == [
        Placing.AFTER,
        Placing.AFTER,
        Placing.SAME_TIME,
        Placing.UNKNOWN,
    ]
    certain, likely = step(told, day), step(old, told)
    assert certain.confidence > step(old, day).confidence > likely.confidence > step(day, lost).confidence == 0.5


def test_what_is_told_as_done_ended_by_its_report_and_what_is_announced_did_not():
    done, announced = timed(1, reported="2026-03-04"), timed(2, reported="2026-03-04", tense=Tense.FUTURE)
    assert done.bounds == (date.min, date(2026, 3, 5))
    assert announced.bounds == (date(2026, 3, 4), date.max)
    assert timed(3, date(2026, 1, 1), 365, "2026-03-04").bounds == (date(2026, 1, 1), date(2026, 3, 5))


days = st.dates(date(2026, 1, 1), date(2026, 1, 20))
events = st.builds(
    timed,
    st.integers(0, 10**6),
    st.one_of(st.none(), days),
    st.sampled_from([1, 7, 31]),
    st.one_of(st.none(), days.map(str)),
    st.sampled_from(Tense),
)


@given(st.lists(events, max_size=8, unique_by=lambda event: event.id), st.randoms())
def test_the_list_extends_a_partial_order_and_does_not_depend_on_the_input(found, chance):
    listed = in_order(found).events
    for place, later in enumerate(listed):
        assert later.bounds[0] <= later.likely < later.bounds[1]
        assert not later.before(later)
        for earlier in listed[:place]:
            assert not later.before(earlier)
    for one in listed:
        for two in listed:
            for three in listed:
                assert one.before(three) or not (one.before(two) and two.before(three))
    mixed = list(found)
    chance.shuffle(mixed)
    assert in_order(mixed).events == listed


@pytest.fixture(scope="module")
def articles():
    pytest.importorskip("dateparser")
    return [read_row(row)[0] for row in ROWS]


def test_one_event_keeps_all_its_phrasings(articles):
    found = build_timeline(articles)
    (fire,) = [event for event in found.events if any(said.article == "a" for said in event.phrasings)]
    assert {said.article for said in fire.phrasings} == {"a", "b"}
    assert (fire.time.start, fire.time.words) == (date(2026, 3, 3), "Tuesday")
    by_id = {article.id: article for article in articles}
    for event in found.events:
        for said in event.phrasings:
            assert getattr(by_id[said.article], said.field)[slice(*said.span)] == said.text
        if event.time:
            own = getattr(by_id[event.time.article], event.time.field)
            assert own[slice(*event.time.span)] == event.time.words
    texts = [event.title for event in found.events]
    assert texts[0] == "Oslo opened its largest concert hall on 20 February"
    assert not any("1951" in title for title in texts), "that is background"
    assert texts.index("The Marlow refinery in Port Ellery will reopen on 9 March") == len(texts) - 2
    assert texts[-1] == ROWS[3]["title"], "without a time it stands last"


def test_the_order_of_the_articles_changes_nothing(articles):
    expected = build_timeline(articles)
    mixed = list(articles)
    random.Random(3).shuffle(mixed)
    assert build_timeline(mixed) == expected
    assert build_timeline([*mixed, replace(articles[0])]) == expected


def test_about_keeps_what_tells_of_it(articles):
    found = build_timeline(articles, about="choir prize")
    assert {said.article for event in found.events for said in event.phrasings} <= {"c", "d"}


def run(tmp_path, *arguments):
    app = typer.Typer()
    command.register(app)
    path = tmp_path / "news.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return CliRunner().invoke(app, [str(path), *arguments], env={"COLUMNS": "200"})


def test_the_command_writes_rows_and_a_table(tmp_path):
    pytest.importorskip("dateparser")
    done = run(tmp_path, "--json")
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    fire = next(row for row in rows if row["words"] == "Tuesday")
    assert fire["time"] == {"start": "2026-03-03", "end": "2026-03-04", "precision": "day"}
    assert {"article", "url", "field", "span", "text"} == set(fire["phrasings"][0])
    assert rows[0]["order"] is None
    assert all(row["order"] and 0.5 <= row["confidence"] <= 1 for row in rows[1:])
    table = run(tmp_path)
    assert table.exit_code == 0, table.output
    assert "2026-03-03" in table.stdout
    assert "2026-02-20" in table.stdout


def test_a_chat_model_may_word_an_event_and_adds_nothing(tmp_path, monkeypatch):
    pytest.importorskip("dateparser")
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv(MODEL, "tiny-chat")

    def rows(*arguments):
        done = run(tmp_path, "--json", *arguments)
        assert done.exit_code == 0, done.output
        return [json.loads(line) for line in done.stdout.splitlines()]

    plain = rows()
    with serving(says("Choir of Bergen wins a medal.")) as server:
        monkeypatch.setenv(URL, server.url)
        assert rows("--phrase") == plain, "what the article does not say is refused"
        assert server.asked
    with serving(says('"Choir of Oslo wins a prize."\n\nHope this helps!')) as server:
        monkeypatch.setenv(URL, server.url)
        worded = rows("--phrase")
    assert "Choir of Oslo wins a prize" in {row["title"] for row in worded}
    assert [row["phrasings"] for row in worded] == [row["phrasings"] for row in plain]


def test_phrasing_needs_an_endpoint(tmp_path, monkeypatch):
    monkeypatch.delenv(URL, raising=False)
    failed = run(tmp_path, "--phrase")
    assert failed.exit_code != 0
    assert URL in str(failed.exception)
