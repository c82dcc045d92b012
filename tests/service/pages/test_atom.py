"""A story, or words, followed in a feed reader."""

from __future__ import annotations

import pytest

feedparser = pytest.importorskip("feedparser", reason="the extra feeds is not installed")


@pytest.fixture(scope="module")
def story(served_example):
    """The row of the most important story of the bundled example."""
    return served_example.get("/v1/stories", params={"limit": 1}).json()["items"][0]


def read(service, **following):
    """The feed as a feed reader reads it; nothing about it is malformed."""
    answer = service.get("/feed.atom", params=following)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("application/atom+xml")
    feed = feedparser.parse(answer.content)
    assert not feed.bozo, feed.get("bozo_exception")
    return feed


def test_the_feed_of_a_story_has_its_reports_and_links_the_latest_first(served_example, story):
    feed = read(served_example, story=story["id"])
    assert story["title"] in feed.feed.title
    assert 0 < len(feed.entries) <= 50
    numbers = [int(entry.id.rpartition(":")[2]) for entry in feed.entries]
    assert numbers == sorted(numbers, reverse=True)
    reports = [entry for entry in feed.entries if "→" not in entry.title]
    links = [entry for entry in feed.entries if "→ led to" in entry.title]
    assert links
    assert len(reports) + len(links) <= len(feed.entries)
    assert all(served_example.get(entry.link).status_code == 200 for entry in feed.entries[:3])
    assert {entry.summary for entry in feed.entries} == {story["title"]}


def test_words_follow_the_stories_about_them(served_example, story):
    feed = read(served_example, q=story["title"])
    assert story["title"] in {entry.summary for entry in feed.entries}
    assert read(served_example, q="zyxwvut").entries == []


def test_hostile_titles_are_text(week):
    for following in ({"q": "port queue"}, {"q": "\x07<b>queue"}):
        answer = week.get("/feed.atom", params=following)
        assert "<script>window" not in answer.text
        assert not feedparser.parse(answer.content).bozo


def test_what_cannot_be_followed_says_so(served_example):
    assert served_example.get("/feed.atom").status_code == 400
    assert served_example.get("/feed.atom", params={"story": "e-none"}).status_code == 404
