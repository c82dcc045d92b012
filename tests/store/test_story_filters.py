"""Stories are chosen by outlet, place, organisation and words, and listed on the day they came if undated."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update
from tests.store.small_stories import NEWS, take_in, told

from whywire.news import Language, Published
from whywire.store import Facet, FacetKind, Store, StoryFilter, schema
from whywire.updating import Change, ChangeKind, Changes


@pytest.fixture
def news(store: Store) -> Store:
    take_in(store, NEWS)
    return store


def found(store: Store, **wanted: object) -> set[str]:
    return {story.id.split("-")[1] for story in store.stories(StoryFilter(**wanted)).items}


@pytest.mark.parametrize(
    ("wanted", "stories"),
    [
        ({}, {"quake", "толчки", "strike"}),
        ({"outlet": "Harbour Post"}, {"quake", "толчки"}),
        ({"outlet": "calder echo"}, {"quake", "strike"}),
        ({"place": "Moscow"}, {"quake", "толчки"}),
        ({"place": "москва"}, {"quake", "толчки"}),
        ({"place": "Texas"}, {"strike"}),
        ({"place": "США"}, {"strike"}),
        ({"organisation": "UN"}, {"quake", "толчки"}),
        ({"organisation": "ООН", "language": Language.RUSSIAN}, {"толчки"}),
        ({"organisation": "Calder Dockers Union"}, {"strike"}),
        ({"words": "strikes port"}, {"strike"}),
        ({"words": "port strike"}, {"strike"}),
        ({"words": "shops strike"}, {"strike"}),
        ({"words": "shops quake"}, set()),
        ({"words": "…"}, {"quake", "толчки", "strike"}),
        ({"words": "quake", "outlet": "Texan Mail"}, set()),
        ({"place": "Russia", "organisation": "UN", "outlet": "Harbour Post", "words": "suburb"}, {"quake"}),
        ({"place": "Москва", "since": datetime(2026, 3, 5, tzinfo=UTC)}, {"quake"}),
        ({"place": "'; DROP TABLE stories; --"}, set()),
        ({"outlet": "\0", "place": "\ud800", "organisation": "x" * 10_000, "words": "\0"}, set()),
    ],
)
def test_stories_are_narrowed_by_everything_at_once(
    news: Store, wanted: dict[str, object], stories: set[str]
) -> None:
    assert found(news, **wanted) == stories


def test_what_can_be_chosen_is_counted_in_what_is_left(news: Store) -> None:
    choices = news.story_choices(StoryFilter(outlet="Harbour Post"))
    assert choices[FacetKind.PLACE] == [Facet("Moscow", 2), Facet("Russia", 2), Facet("Подмосковье", 2)]
    assert choices[FacetKind.ORGANISATION] == [Facet("UN", 2)]
    assert choices[FacetKind.OUTLET][0] == Facet("Harbour Post", 2)
    assert [len(facets) for facets in news.story_choices(limit=1).values()] == [1, 1, 1]
    nothing = news.story_choices(StoryFilter(words="zzzz"))
    assert not any(nothing.values())


def test_the_outlets_of_a_story_come_with_most_reports_first(news: Store) -> None:
    outlets = news.outlets_of_stories(["e-strike-0", "e-quake-0", "e-none"])
    assert outlets["e-strike-0"] == [Facet("Calder Echo", 2), Facet("Texan Mail", 1)]
    assert outlets.keys() == {"e-strike-0", "e-quake-0"}


def test_facets_follow_the_reports_of_a_story(news: Store) -> None:
    _, events = told("strike", NEWS["strike"])
    ended = {event.id: () for event in events[:2]}
    gone = Changes(ended=ended, history=tuple(Change(ChangeKind.EVENT_ENDED, name) for name in ended))
    news.commit(gone, decided_at=news.last_change())
    assert found(news, outlet="Texan Mail") == set()
    _, (first, _) = told("quake", NEWS["quake"])
    articles, [more] = told("later", [("Aftershock felt in Houston", "Texan Mail", "2026-03-08")])
    moved = replace(more, story=first.story)
    news.commit(Changes(articles=tuple(articles), events=(moved,)), decided_at=news.last_change())
    assert found(news, place="Houston") == found(news, outlet="texan mail") == {"quake"}
    assert [problem for problem in news.check() if "facet" in problem or "summary" in problem] == []


def test_the_doctor_finds_a_wrong_facet(news: Store) -> None:
    with news.writing() as connection:
        connection.execute(
            update(schema.story_facets).where(schema.story_facets.c.value == "moscow").values(reports=9)
        )
    assert any("facet of a story" in problem and "moscow" in problem for problem in news.check())


FUTURE = "2099-01-01T09:00:00Z"


def test_a_report_without_a_believed_time_is_listed_on_the_day_it_came(store: Store) -> None:
    undated = [(f"Mill {number} burns", "Harbour Post", None) for number in range(2)]
    wrong = [(f"Dam {number} bursts", "Harbour Post", FUTURE) for number in range(2)]
    mixed = [("Ferry sinks", "Harbour Post", "2026-03-04"), ("Ferry raised", "Harbour Post", None)]
    take_in(store, {"undated": undated, "wrong": wrong, "mixed": mixed, "dated": NEWS["quake"]})
    now = datetime.now(UTC)
    today = {"since": now - timedelta(hours=1), "until": now + timedelta(hours=1)}
    assert found(store, **today) == {"undated", "wrong", "mixed"}
    assert found(store, since=datetime(2098, 1, 1, tzinfo=UTC)) == set()
    march = {"since": datetime(2026, 3, 4, tzinfo=UTC), "until": datetime(2026, 3, 5, tzinfo=UTC)}
    assert found(store, **march) == {"mixed", "dated"}
    came = {story.id.split("-")[1]: story.came for story in store.stories().items}
    assert came.pop("dated") is None
    assert all(abs(at - now) < timedelta(hours=1) for at in came.values() if at)
    assert len(list(filter(None, came.values()))) == 3
    latest = store.last_listed(now + timedelta(days=1))
    assert latest is not None
    assert abs(latest - now) < timedelta(hours=1)


def test_a_report_of_a_day_is_not_taken_for_one_without_a_time(store: Store) -> None:
    day = [("Ferry sinks", "Harbour Post", "2026-03-04"), ("Ferry raised", "Harbour Post", "2026-03-04T10:00:00Z")]
    take_in(store, {"day": day})
    (story,) = store.stories().items
    assert story.came is None
    assert story.first_seen == Published(datetime(2026, 3, 4, 10, tzinfo=UTC)) or story.first_seen.day_only
