import json
import threading
import time
from contextlib import contextmanager

import pytest

from whywire.client.client import Client

FIRE = {"id": "a-1", "title": "Fire shuts refinery", "published": "2026-03-04T10:00Z"}
STORM = {"id": "a-2", "title": "Storm cuts power to the bay", "published": "2026-03-05T10:00Z"}


@contextmanager
def stream(service, **options):
    """The lines of a stream of changes."""
    with service.web.stream("GET", "/v1/changes/stream", timeout=20, **options) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield answer.iter_lines()


def events(lines, count):
    """The next events, each as a dict of its fields."""
    found, one = [], {}
    for line in lines:
        if not line:
            if "data" in one:
                found.append(one)
            one = {}
            if len(found) == count:
                return found
        elif not line.startswith(":"):
            name, _, value = line.partition(": ")
            one[name] = value
    return found


def test_a_stream_sends_what_happens_and_can_be_taken_up_again(service):
    key = service.key("write")
    with stream(service) as lines:
        assert next(lines).startswith("retry:")
        service.post("/v1/articles", json=FIRE, headers=key)
        first, second = events(lines, 2)
    assert first["event"] == "article-added"
    assert second["event"] == "event-added"
    service.post("/v1/articles", json=STORM, headers=key)
    service.settle()
    listed = service.get("/v1/changes").json()
    ids = [str(row["id"]) for row in listed["items"]]
    assert (listed["next"], len(ids)) == (None, 4)
    with stream(service, headers={"last-event-id": first["id"]}) as lines:
        assert [one["id"] for one in events(lines, 3)] == ids[1:]
    with stream(service, params={"after": ids[2]}) as lines:
        assert [one["id"] for one in events(lines, 1)] == ids[3:]


def test_a_stream_without_a_beginning_starts_now(service):
    key = service.key("write")
    service.post("/v1/articles", json=FIRE, headers=key)
    service.settle()
    with stream(service) as lines:
        next(lines)
        service.post("/v1/articles", json=STORM, headers=key)
        assert '"subject": "a-2"' in events(lines, 1)[0]["data"]


def test_the_history_by_pages_and_since_a_time(service):
    for article in (FIRE, STORM):
        service.post("/v1/articles", json=article, headers=service.key("write"))
        service.settle()
    first = service.get("/v1/changes", params={"limit": 3}).json()
    rest = service.get("/v1/changes", params={"after": first["next"]}).json()
    assert (len(first["items"]), len(rest["items"]), rest["next"]) == (3, 1, None)
    assert service.get("/v1/changes", params={"since": "2090-01-01"}).json()["items"] == []


def test_the_history_of_one_event(service):
    for article in (FIRE, STORM):
        service.post("/v1/articles", json=article, headers=service.key("write"))
        service.settle()
    fire, storm = [row for row in service.get("/v1/changes").json()["items"] if row["kind"] == "event added"]
    for row in (fire, storm):
        page = service.get("/v1/changes", params={"event": row["subject"]}).json()
        assert page == {"items": [row], "next": None}
    assert service.get("/v1/changes", params={"event": "a-1"}).json()["items"] == [], "it is an article"
    assert service.get("/v1/changes", params={"event": "e-none"}).json()["items"] == []
    later = service.get("/v1/changes", params={"event": fire["subject"], "after": fire["id"]}).json()
    assert later["items"] == []


@pytest.mark.parametrize("number", ["x", "-1", "1.5", "9" * 21, "٣"])
def test_a_last_event_id_that_is_no_number(service, number):
    answer = service.get("/v1/changes/stream", headers={"last-event-id": number.encode()})
    assert answer.status_code == 422


@pytest.mark.parametrize("beginning", [{"headers": {"last-event-id": "99999"}}, {"params": {"after": 99999}}])
def test_a_stream_from_beyond_the_last_change_says_so_and_goes_on(service, beginning):
    key = service.key("write")
    service.post("/v1/articles", json=FIRE, headers=key)
    service.settle()
    last = service.context.store.last_change()
    with stream(service, **beginning) as lines:
        (reset,) = events(lines, 1)
        assert (reset["event"], reset["id"]) == ("reset", str(last))
        row = json.loads(reset["data"])
        assert (row["id"], row["kind"], row["asked"]) == (last, "reset", 99999)
        assert "read everything again" in row["reason"]
        service.post("/v1/articles", json=STORM, headers=key)
        assert [one["id"] for one in events(lines, 2)] == [str(last + 1), str(last + 2)]


def test_the_client_follows_a_service_that_was_restored(service):
    with Client(service.url) as client:
        rows = client.follow(99999)
        assert next(rows)["kind"] == "reset"
        service.post("/v1/articles", json=FIRE, headers=service.key("write"))
        assert next(rows)["subject"] == "a-1"


def test_a_stop_ends_open_streams(service):
    done = threading.Event()

    def listen():
        with stream(service) as lines:
            list(lines)
        done.set()

    thread = threading.Thread(target=listen)
    thread.start()
    while not service.context.notifier.listeners:
        time.sleep(0.01)
    service.server.should_exit = True
    assert done.wait(10)
    thread.join()
