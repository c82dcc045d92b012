"""Feeds of a running service: added, paused, timed and removed by the API, also by another process."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from xml.etree import ElementTree

import httpx2
import pytest
from tests.feeds.sites import item, page, reply, rss, serving_site
from tests.service.servers import running
from tests.service.test_problems import check_shape

from whywire.service.settings import Settings
from whywire.store import Store

for package in ("httpx2", "feedparser", "listparser", "protego", "trafilatura"):
    pytest.importorskip(package, reason="the extra feeds is not installed")


@pytest.fixture
def site():
    with serving_site() as site:
        site["/rss"] = reply(rss([item("/dam", "Dam gives way"), item("/ferry", "Ferry resumes")]))
        site["/dam"] = site["/ferry"] = reply(page())
        yield site


@pytest.fixture
def watching(tmp_path, fake_models):
    """A service that may watch feeds of this machine."""
    with running(Settings(store=tmp_path / "news.db", port=0, private_feeds=True), fake_models) as one:
        yield one


def wait_for(done, seconds=60):
    """Wait until something is true, and return it."""
    end = time.monotonic() + seconds
    while not (result := done()):
        assert time.monotonic() < end, "the feeds are too slow"
        time.sleep(0.05)
    return result


def feeds_of(service):
    return {feed["url"]: feed for feed in service.get("/v1/feeds").json()["items"]}


def looked_at(service, id_):
    """The row of a feed once it has been looked at."""

    def row():
        feed = service.get(f"/v1/feeds/{id_}").json()
        return None if feed["awaits_look"] else feed

    return wait_for(row)


def test_a_feed_that_is_added_is_read_without_a_restart(watching, site):
    key = watching.key("write")
    answer = watching.post("/v1/feeds", json={"url": f"{site.url}/rss?key=secret#top"}, headers=key)
    site["/rss?key=secret"] = site.answers["/rss"]
    assert answer.status_code == 201
    made = answer.json()
    assert (made["url"], made["origin"], made["health"], made["awaits_look"]) == (
        f"{site.url}/rss",
        "added",
        "new",
        True,
    )
    row = looked_at(watching, made["id"])
    assert (row["health"], row["articles"], row["title"], row["error"]) == ("ok", 2, "Harbour Post", None)
    watching.settle()
    assert {one["title"] for one in watching.get("/v1/articles").json()["items"]} == {
        "Dam gives way",
        "Ferry resumes",
    }
    again = watching.post("/v1/feeds", json={"url": f"{site.url}/rss?key=secret"}, headers=key)
    assert (again.status_code, again.json()["id"]) == (200, made["id"])
    assert "secret" not in watching.get("/v1/feeds").text


def test_a_page_that_names_its_feed_may_be_added_and_one_that_names_none_says_so(watching, site):
    site["/"] = reply(page(head='<link rel="alternate" type="application/rss+xml" href="/rss">'))
    site["/empty"] = reply(page())
    key = watching.key("write")
    ids = [
        watching.post("/v1/feeds", json={"url": site.url + path}, headers=key).json()["id"]
        for path in ("/", "/empty")
    ]
    named, unnamed = [looked_at(watching, id_) for id_ in ids]
    assert (named["articles"], named["error"]) == (2, None)
    assert (unnamed["health"], unnamed["articles"]) == ("failing", 0)
    assert "a web page that names no feed (look for its address on the site)" in unnamed["error"]


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("nonsense", "not a web address"),
        ("file:///etc/passwd", "not a web address"),
        ("http://me:secret@a.example/", "remove the user name"),
        ("http://127.0.0.1/rss", "127.0.0.1 is a private address (private ones are reached with --allow-private)"),
        ("http://[::ffff:10.0.0.1]/rss", "is a private address"),
        ("http://169.254.169.254/", "special address"),
        ("http://localhost:9/rss", "is a private address"),
    ],
)
def test_an_address_that_cannot_be_watched_is_refused_at_once(service, url, reason):
    answer = service.post("/v1/feeds", json={"url": url}, headers=service.key("write"))
    check_shape(answer, 422)
    assert reason in answer.json()["detail"]
    assert service.get("/v1/feeds").json()["items"] == []


def test_changing_feeds_needs_a_key_and_so_do_whole_addresses(service):
    feed = {"url": "https://a.example/rss"}
    for method, path in [("POST", "/v1/feeds"), ("PATCH", "/v1/feeds/x"), ("POST", "/v1/feeds/opml")]:
        check_shape(service.web.request(method, path, json=feed), 401)
        check_shape(service.web.request(method, path, json=feed, headers=service.key("read")), 403)
    check_shape(service.web.delete("/v1/feeds/x"), 401)
    check_shape(service.get("/v1/feeds/opml"), 401)
    key = service.key("write")
    check_shape(service.web.patch("/v1/feeds/x", json={"paused": True}, headers=key), 404)
    check_shape(service.web.delete("/v1/feeds/x", headers=key), 404)
    check_shape(service.get("/v1/feeds/x"), 404)


@pytest.fixture
def added(watching, site):
    """A feed that was looked at once, and how to change it."""
    key = watching.key("write")
    id_ = watching.post("/v1/feeds", json={"url": f"{site.url}/rss"}, headers=key).json()["id"]
    looked_at(watching, id_)
    return lambda **values: watching.web.patch(f"/v1/feeds/{id_}", json=values, headers=key)


def test_a_feed_is_timed_and_not_looked_at_while_it_is_paused(added, watching, site):
    first = added(paused=True).json()
    assert (first["health"], first["next_look"]) == ("paused", None)
    added(look=True)
    row = added(interval=30).json()
    assert (row["interval"], row["awaits_look"]) == (30, False)
    time.sleep(2.5)
    assert site.asked.count("/rss") == 1
    row = added(paused=False).json()
    assert (row["health"], row["awaits_look"]) == ("ok", True)
    assert added(interval=None).json()["interval"] is None
    for wrong in ({"interval": 1}, {"interval": 1441}, {"interval": "5"}, {"paused": 1}, {"pause": True}):
        check_shape(added(**wrong), 422)


def test_a_feed_that_is_removed_leaves_its_articles_and_may_be_added_again(watching, site):
    key = watching.key("write")
    feed = {"url": f"{site.url}/rss"}
    for _ in range(2):
        id_ = watching.post("/v1/feeds", json=feed, headers=key).json()["id"]
        if not _:
            looked_at(watching, id_)
        assert watching.web.delete(f"/v1/feeds/{id_}", headers=key).status_code == 204
        assert watching.get("/v1/feeds").json()["items"] == []
    watching.settle()
    assert watching.get("/v1/status").json()["articles"] == 2


def test_a_list_is_imported_and_exported(watching, site):
    key = watching.key("write")
    outlines = (
        f'<outline type="rss" text="Harbour &amp; sea" xmlUrl="{site.url}/rss?a=1&amp;b=2"/>'
        f'<outline type="rss" text="A file" xmlUrl="file:///etc/passwd"/>'
        f'<outline text="more"><outline type="rss" text="" xmlUrl="{site.url}/other"/></outline>'
    )
    content = f'<opml version="2.0"><body>{outlines}</body></opml>'
    opml = key | {"content-type": "text/x-opml"}
    answer = watching.post("/v1/feeds/opml", content=content, headers=opml).json()
    assert (answer["added"], answer["known"]) == (2, 0)
    assert [one["where"] for one in answer["refused"]] == ["file:///etc/passwd"]
    answer = watching.post("/v1/feeds/opml", content=content, headers=opml).json()
    assert (answer["added"], answer["known"]) == (0, 2)
    assert feeds_of(watching)[f"{site.url}/rss"]["title"] == "Harbour & sea"
    exported = ElementTree.fromstring(watching.get("/v1/feeds/opml", headers=key).text)
    assert {outline.get("xmlUrl"): outline.get("text") for outline in exported.iter("outline")} == {
        f"{site.url}/rss?a=1&b=2": "Harbour & sea",
        f"{site.url}/other": f"{site.url}/other",
    }
    check_shape(watching.post("/v1/feeds/opml", content="<opml", headers=key), 415)
    answer = watching.post("/v1/feeds/opml", content="no list", headers=opml).json()
    assert (answer["added"], answer["refused"]) == (0, [{"where": "body", "reason": "names no feed"}])


def test_a_feed_given_at_the_start_can_be_paused_but_not_removed(site, tmp_path, fake_models):
    settings = Settings(store=tmp_path / "news.db", port=0, feeds=(f"{site.url}/rss",), private_feeds=True)
    with running(settings, fake_models) as service:
        row = wait_for(lambda: feeds_of(service).get(f"{site.url}/rss"))
        assert (looked_at(service, row["id"])["origin"], row["added"]) == ("start", None)
        key = service.key("write")
        check_shape(service.web.delete(f"/v1/feeds/{row['id']}", headers=key), 409)
        assert service.post("/v1/feeds", json={"url": f"{site.url}/rss"}, headers=key).status_code == 200
        assert service.web.patch(f"/v1/feeds/{row['id']}", json={"paused": True}, headers=key).json()["paused"]
    with running(settings, fake_models) as service:
        assert feeds_of(service)[f"{site.url}/rss"]["health"] == "paused"
    with running(Settings(store=tmp_path / "news.db", port=0), fake_models) as service:
        row = feeds_of(service)[f"{site.url}/rss"]
        assert row["origin"] == "elsewhere"
        assert service.web.delete(f"/v1/feeds/{row['id']}", headers=service.key("write")).status_code == 204


@contextmanager
def process(store):
    """A service in a process of its own."""
    command = [sys.executable, "-m", "whywire", "serve", "--store", str(store), "--port", "0", "--allow-private"]
    served = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        line = next(line for line in served.stderr if line.startswith("serving"))
        with httpx2.Client(base_url=line.split(" at ")[1].strip(), timeout=30) as web:
            wait_for(lambda: _is_ready(web))
            yield served, web
    finally:
        served.send_signal(signal.SIGTERM)
        served.communicate(timeout=60)


def _is_ready(web):
    try:
        return web.get("/readyz").status_code == 200
    except httpx2.HTTPError:
        return False


@pytest.mark.slow
def test_of_two_processes_one_watches_and_the_other_takes_over_when_it_dies(site, tmp_path):
    path = tmp_path / "news.db"
    for name in ("/a", "/b", "/c"):
        site[name] = reply(rss([item(f"{name}-news", "Dam gives way")]))
    with Store.open(path) as store, process(path) as one, process(path) as other:
        key = {"authorization": "Bearer " + _key(store)}
        for (_, web), name in ((one, "/a"), (other, "/b")):
            assert web.post("/v1/feeds", json={"url": site.url + name}, headers=key).status_code == 201
        for name in ("/a", "/b"):
            wait_for(lambda name=name: site.asked.count(name))
        time.sleep(3)
        assert [site.asked.count(name) for name in ("/a", "/b")] == [1, 1]
        watcher = store.feed_watcher()
        dying, living = (one, other) if f":{one[0].pid}:" in watcher else (other, one)
        os.kill(dying[0].pid, signal.SIGKILL)
        dying[0].wait()
        assert living[1].post("/v1/feeds", json={"url": f"{site.url}/c"}, headers=key).status_code == 201
        wait_for(lambda: site.asked.count("/c"))
        assert f":{living[0].pid}:" in store.feed_watcher()


def _key(store):
    from whywire.service.keys import Keys

    return Keys(store).make("a test", ["write"]).token
