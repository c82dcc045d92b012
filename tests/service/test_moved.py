"""Events and stories that were merged or split lead to where their mentions are now."""

import json

import pytest
from tests.service.servers import running
from tests.service.test_problems import check_shape

from whywire.elements import Event
from whywire.news import Language
from whywire.service.settings import Settings
from whywire.store import Store
from whywire.updating import Change, ChangeKind, Changes


@pytest.fixture
def moved(tmp_path, fake_models, example):
    """A service in which `e-merged` is in an event of a story now, and `e-split` in two."""
    path = tmp_path / "news.db"
    with Store.open(path) as store:
        store.accept(example[:30])
        with running(Settings(store=path, port=0), fake_models) as one:
            one.settle()
        first, second = [event for event in store.graph().events if event.story][:2]
        gone = [
            Event(name, "gone", Language.ENGLISH, None, None, (first.articles[0],), story=name)
            for name in ("e-merged", "e-split")
        ]
        at = store.commit(
            Changes(
                events=tuple(gone),
                history=tuple(Change(ChangeKind.EVENT_ADDED, event.id, details={"title": "gone"}) for event in gone),
            ),
            decided_at=store.last_change(),
        )
        ended = {"e-merged": (first.id,), "e-split": (first.id, second.id)}
        kinds = {"e-merged": ChangeKind.EVENT_MERGED, "e-split": ChangeKind.EVENT_SPLIT}
        history = tuple(
            Change(kinds[name], name, into=into, details={"title": "gone"}) for name, into in ended.items()
        )
        store.commit(Changes(ended=ended, history=history), decided_at=at)
    with running(Settings(store=path, port=0, works=False), fake_models) as one:
        yield one, first, second


def test_a_merged_event_leads_to_the_one_it_is_in(moved):
    service, first, _ = moved
    for below in ("", "/graph?steps=1"):
        answer = service.get(f"/v1/events/e-merged{below}")
        assert (answer.status_code, answer.headers["location"]) == (307, f"/v1/events/{first.id}{below}")
        assert service.get(answer.headers["location"]).status_code == 200


def test_a_split_event_says_where_its_mentions_are(moved):
    service, first, second = moved
    row = check_shape(service.get("/v1/events/e-split"), 410)
    assert {one["where"] for one in row["errors"]} == {first.id, second.id}
    assert "split" in json.dumps(row)


def test_a_story_that_went_into_another_leads_there(moved):
    service, first, _ = moved
    answer = service.get("/v1/stories/e-merged")
    assert (answer.status_code, answer.headers["location"]) == (307, f"/v1/stories/{first.story}")
    assert service.get(answer.headers["location"]).status_code == 200
