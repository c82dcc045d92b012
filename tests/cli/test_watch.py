"""``whywire watch`` as it is used: once, until it is stopped, and with what cannot be watched."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest
from tests.cli.commands import rows, run
from tests.feeds.sites import item, page, reply, rss, serving_site
from typer.testing import CliRunner

import whywire
from whywire.cli.app import app
from whywire.errors import InputError, WhywireError

for package in ("httpx2", "feedparser", "listparser", "protego", "trafilatura"):
    pytest.importorskip(package, reason="the extra feeds is not installed")


@pytest.fixture
def site():
    with serving_site() as site:
        site["/rss"] = reply(rss([item("/dam", "Dam gives way"), item("/ferry", "Ferry resumes")]))
        site["/dam"] = site["/ferry"] = reply(page())
        yield site


def test_articles_of_summaries_go_to_standard_output(site):
    found = rows("watch", f"{site.url}/rss", "--once", "--no-text", "--allow-private")
    assert [row["title"] for row in found] == ["Ferry resumes", "Dam gives way"]
    assert found[0]["url"] == f"{site.url}/ferry"


def test_a_file_is_appended_to_and_what_was_seen_remembered(site, tmp_path):
    feeds, out, state = tmp_path / "feeds.txt", tmp_path / "news.jsonl", tmp_path / "state.json"
    feeds.write_text(f"{site.url}/rss\nnonsense\n")
    out.write_text('{"title": "Before"}\n')
    options = ("--out", out, "--state", state, "--once", "--no-text", "--allow-private")
    run("watch", feeds, *options)
    run("watch", feeds, *options)
    assert [json.loads(line)["title"] for line in out.read_text().splitlines()][0::2] == ["Before", "Dam gives way"]
    assert site.asked.count("/rss") == 1


def test_articles_wait_in_a_store_that_remembers_what_was_seen(site, tmp_path):
    store = tmp_path / "news.db"
    for _ in range(2):
        run("watch", f"{site.url}/rss", "--store", store, "--once", "--no-text", "--allow-private")
    with whywire.open_store(store) as opened:
        assert opened.waiting() == 2
        [state] = opened.feed_states.load()
    assert len(state.seen) == 2
    assert site.asked.count("/rss") == 1


def test_what_a_store_leaves_out_is_said(site, tmp_path):
    options = ["--store", str(tmp_path / "news.db"), "--once", "--no-text", "--allow-private"]
    with whywire.open_store(tmp_path / "news.db") as opened:
        opened.accept([whywire.Article(id="1", title="Dam holds", url=f"{site.url}/dam")])
    done = CliRunner().invoke(app, ["watch", f"{site.url}/rss", *options])
    assert done.exit_code == 0
    assert "another article has its url" in done.stderr
    with whywire.open_store(tmp_path / "news.db") as opened:
        assert opened.waiting() == 2


def test_a_store_takes_the_place_of_files(site, tmp_path):
    for option in ("--out", "--state"):
        done = CliRunner().invoke(
            app, ["watch", site.url, "--store", str(tmp_path / "a"), option, str(tmp_path / "b")]
        )
        assert done.exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_private_addresses_need_leave(site):
    assert "no feed could be read" in run("watch", f"{site.url}/rss", "--once", fails=WhywireError)
    assert site.asked == []


def test_what_cannot_be_watched(tmp_path):
    assert "cannot be opened" in run("watch", tmp_path / "feeds.opml", fails=InputError)
    (tmp_path / "feeds.opml").write_text("<opml><body></body></opml>")
    assert "no feed to watch" in run("watch", tmp_path / "feeds.opml", fails=InputError)


def test_it_is_a_function_too(site, tmp_path):
    taken, looks = [], []
    [state] = whywire.watch(
        f"{site.url}/rss?key=1", taken.extend, once=True, text=False, allow_private=True, on_look=looks.append
    )
    assert state.last_error == "the server answers 404 Not Found"
    assert isinstance(looks[0], whywire.FeedLook)
    [state] = whywire.watch([f"{site.url}/rss"], taken.extend, once=True, text=False, allow_private=True)
    assert isinstance(state, whywire.FeedState)
    assert [article.title for article in taken] == ["Ferry resumes", "Dam gives way"]


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_it_stops_in_good_order(site, tmp_path, sent, status, interruptible):
    out, state = tmp_path / "news.jsonl", tmp_path / "state.json"
    command = [sys.executable, "-m", "whywire", "watch", f"{site.url}/rss", "--out", out, "--state", state]
    with subprocess.Popen([*command, "--allow-private", "--no-text"], stderr=subprocess.PIPE, env=os.environ) as done:
        while not (out.exists() and out.read_text()) and done.poll() is None:
            time.sleep(0.05)
        done.send_signal(sent)
        said = done.stderr.read().decode()
    assert done.returncode == status, said
    assert len(out.read_text().splitlines()) == 2
    assert len(json.loads(state.read_text().splitlines()[-1])["seen"]) == 2
    assert "Traceback" not in said


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system has no kill that cannot be caught")
def test_killed_at_any_moment_it_loses_nothing_and_leaves_whole_lines(site, tmp_path):
    titles = [f"Report {number}" for number in range(600)]
    site["/rss"] = reply(rss(item(f"/{number}", title) for number, title in enumerate(titles)), ETag='"1"')
    out, state = tmp_path / "news.jsonl", tmp_path / "state.json"
    command = [sys.executable, "-m", "whywire", "watch", f"{site.url}/rss", "--out", out, "--state", state]
    command += ["--allow-private", "--no-text", "--once"]
    chance = random.Random(7)
    for _ in range(8):
        begun = out.stat().st_size if out.exists() else 0
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as running:
            while running.poll() is None and (not out.exists() or out.stat().st_size == begun):
                time.sleep(0.002)
            time.sleep(chance.random() / 30)
            running.kill()
    subprocess.run(command, check=True, capture_output=True)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert {row["title"] for row in rows} == set(titles)
    twice = len(rows) - len(titles)
    assert twice <= 8 * 20, "at most the batch at each kill comes again"
    assert len(json.loads(state.read_text().splitlines()[-1])["seen"]) == len(titles)


def test_a_key_in_the_address_of_a_feed_is_not_shown(site):
    site["/rss?key=s3cret"] = reply(rss(["<item><guid>1</guid></item>"]), ETag="x")
    site["/broken?key=s3cret"] = reply("nonsense")
    feeds = [f"{site.url}/{name}?key=s3cret" for name in ("rss", "broken", "missing")]
    done = CliRunner().invoke(app, ["watch", *feeds, "--once", "--allow-private"])
    assert f"{site.url}/rss: 0 new articles" in done.stderr
    assert "there is no title" in done.stderr
    assert "s3cret" not in done.output + done.stderr
