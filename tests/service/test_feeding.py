"""Feeds watched by a running service: their articles come into the graph, once, and a feed that dies is seen."""

import time

import pytest
from tests.feeds.sites import item, page, reply, rss, serving_site
from tests.service.servers import running

from whywire.service.settings import Settings

for package in ("httpx2", "feedparser", "listparser", "protego", "trafilatura"):
    pytest.importorskip(package, reason="the extra feeds is not installed")


@pytest.fixture
def site():
    with serving_site() as site:
        site["/rss"] = reply(rss([item("/dam", "Dam gives way"), item("/ferry", "Ferry resumes")]))
        site["/dam"] = site["/ferry"] = reply(page())
        yield site


def wait_for(service, done, seconds=60):
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "the feeds are too slow"
        time.sleep(0.05)
    service.settle()


def states(service):
    return list(service.context.store.feed_states.load())


@pytest.mark.slow
def test_articles_of_feeds_come_into_the_graph_once_over_two_starts(site, tmp_path, fake_models):
    settings = Settings(store=tmp_path / "news.db", port=0, feeds=(f"{site.url}/rss",), private_feeds=True)
    with running(settings, fake_models) as service:
        wait_for(service, lambda: [len(state.seen) for state in states(service)] == [2])
        articles = service.get("/v1/articles").json()["items"]
        assert {article["title"] for article in articles} == {"Dam gives way", "Ferry resumes"}
        assert all("spillway" in article["text"] for article in service.get("/v1/articles?text=true").json()["items"])
    with running(settings, fake_models) as service:
        assert service.get("/v1/status").json()["articles"] == 2
    assert site.asked.count("/rss") == 1


def test_private_networks_need_leave_and_a_feed_that_fails_is_shown_with_its_reason(site, tmp_path, fake_models):
    settings = Settings(store=tmp_path / "news.db", port=0, feeds=(f"{site.url}/rss",))
    with running(settings, fake_models) as service:
        wait_for(service, lambda: states(service))
        [state] = states(service)
        assert state.failures == 1
        assert state.last_error in service.get("/feeds").text
        assert 'whywire_feeds{state="failing"} 1.0' in service.get("/metrics").text
    assert site.asked == []
