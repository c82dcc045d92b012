"""Politeness: what robots.txt says, and one request at a time."""

import asyncio
import threading
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego
from tests.feeds.sites import reply

from whywire.feeds.client import AGENT, GuardedClient
from whywire.feeds.host_throttle import HostThrottle, RobotsError


def fetch(*urls, delay=0.0):
    """What the addresses answer, or the error: all at once."""

    async def run():
        async with GuardedClient(allow_private=True, seconds=5) as client, HostThrottle(client, delay=delay) as hosts:
            return await asyncio.gather(
                *(client.get(url, largest=10**6, visit=hosts.crawl) for url in urls), return_exceptions=True
            )

    return asyncio.run(run())


def test_without_robots_txt_everything_is_allowed_and_it_is_asked_for_once(site):
    site["/a"], site["/b"] = reply("a"), reply("b")
    assert [answer.content for answer in fetch(f"{site.url}/a", f"{site.url}/b")] == [b"a", b"b"]
    assert site.asked.count("/robots.txt") == 1


def test_what_robots_txt_forbids_is_not_asked_for(site):
    site["/robots.txt"] = reply("User-agent: *\nDisallow: /private\n\nUser-agent: whywire\nDisallow: /ours\n")
    site["/private"] = reply("open to us")
    answer, refused = fetch(f"{site.url}/private", f"{site.url}/ours/1")
    assert answer.content == b"open to us"
    assert isinstance(refused, RobotsError)
    assert "/ours/1" not in site.asked


def test_it_is_asked_for_each_redirect(site):
    site["/robots.txt"] = reply("User-agent: *\nDisallow: /private\n")
    site["/open"] = reply(status="302 Found", Location="/private")
    [refused] = fetch(f"{site.url}/open")
    assert isinstance(refused, RobotsError)
    assert "/private" not in site.asked


@pytest.mark.parametrize(
    "robots",
    [
        reply(status="503 Busy"),
        reply(status="302 Found", Location="/robots.txt"),
        reply(b"x" * 600 * 2**10),
        b"what is this",
    ],
)
def test_one_that_cannot_be_read_forbids_everything(site, robots):
    site["/robots.txt"], site["/a"] = robots, reply("a")
    [refused] = fetch(f"{site.url}/a")
    assert isinstance(refused, RobotsError)
    assert "/a" not in site.asked


@pytest.mark.parametrize(
    "robots", [reply(status="403 Forbidden"), reply(), reply("<html>not here</html>"), reply(b"\xff\xfe\0\0" * 99)]
)
def test_one_that_says_nothing_allows_everything(site, robots):
    site["/robots.txt"], site["/a"] = robots, reply("a")
    assert fetch(f"{site.url}/a")[0].content == b"a"


def test_a_host_gets_one_request_at_a_time(site):
    at_once, most, lock = 0, 0, threading.Lock()

    def answer(headers):
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        time.sleep(0.05)
        with lock:
            at_once -= 1
        return reply("x")

    urls = [f"{site.url}/{number}" for number in range(6)]
    for url in urls:
        site["/" + url.rpartition("/")[2]] = answer
    assert all(one.content == b"x" for one in fetch(*urls))
    assert most == 1


def test_pauses_are_those_that_robots_txt_asks_for(site):
    site["/robots.txt"] = reply("User-agent: *\nCrawl-delay: 0.3\n")
    came = []
    for path in ("/a", "/b", "/c"):
        site[path] = lambda headers: came.append(time.monotonic()) or reply("x")
    fetch(*(site.url + path for path in ("/a", "/b", "/c")))
    assert all(later - earlier >= 0.29 for earlier, later in pairwise(came))


LINES = st.sampled_from(["User-agent: *\n", "Disallow: /*a*b$\n", "Crawl-delay: 1e999\n", "Allow:"])


@given(st.text(max_size=300) | st.lists(LINES).map("".join))
def test_any_robots_txt_is_read(text):
    rules = Protego.parse(text)
    assert rules.can_fetch("https://a.example/aXb", AGENT) in (True, False)
    assert (rules.crawl_delay(AGENT) or 0.0) >= 0.0
