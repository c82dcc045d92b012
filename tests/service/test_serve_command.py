"""`whywire serve` as a process: starts in an empty folder, and stops in good order."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import httpx2
import pytest

from whywire.store import Store

pytestmark = pytest.mark.slow

PROGRAM = [sys.executable, "-c", "from whywire.__main__ import main; main()"]
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")


@contextmanager
def serving(folder, *options):
    """The command in a folder: the process, and the address it prints."""
    process = subprocess.Popen(
        [*PROGRAM, "serve", "--port", "0", *options],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"COLUMNS": "200", "NO_COLOR": "1"},
    )
    lines = []
    try:
        for line in process.stderr:
            lines.append(line)
            if found := ADDRESS.search(line):
                break
        else:
            raise AssertionError("".join(lines))
        with httpx2.Client(base_url=found[0], timeout=30) as web:
            wait_until(lambda: answers(web))
            yield process, web
    finally:
        process.kill()
        process.communicate()


def answers(web):
    try:
        return web.get("/readyz").status_code == 200
    except httpx2.TransportError:
        return False


def wait_until(done, seconds=60):
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        time.sleep(0.05)


def make_key(folder, *options):
    made = subprocess.run([*PROGRAM, "keys", "make", "test", *options], cwd=folder, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return made.stdout.strip()


def test_an_empty_folder_is_enough_and_a_stop_ends_in_good_order(tmp_path):
    with serving(tmp_path) as (process, web):
        key = {"authorization": f"Bearer {make_key(tmp_path)}"}
        article = {"title": "Fuel runs short because the refinery burned", "published": "2026-03-04T10:00Z"}
        assert web.post("/v1/articles", json=article, headers=key).status_code == 202
        wait_until(lambda: web.get("/v1/status").json()["articles"] == 1)
        process.send_signal(signal.SIGTERM)
        _, logs = process.communicate(timeout=60)
        assert process.returncode == 0, logs
        rows = [json.loads(line) for line in logs.splitlines() if line.startswith("{")]
        assert {"request", "update"} <= {row["message"] for row in rows}
        assert all(row["request_id"] for row in rows if row["message"] == "request")


def test_a_stop_in_the_middle_of_work_loses_nothing(tmp_path, example_lines):
    with serving(tmp_path) as (process, web):
        key = {"authorization": f"Bearer {make_key(tmp_path)}", "content-type": "application/x-ndjson"}
        rows = web.post("/v1/articles/bulk", content=example_lines, headers=key).text.splitlines()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        assert process.returncode == 0
    taken = {row["id"] for row in map(json.loads, rows) if row["outcome"] == "new"}
    with Store.open(tmp_path / "whywire.db") as store:
        held = store.counts().articles
        lease = store.lease("another", limit=1000)
        waiting = {article.id for article in lease.articles} if lease else set()
        assert len(waiting) + held == len(taken)
        assert len(store.graph().articles) == held


def test_an_address_that_is_taken_is_an_error_of_one_line(tmp_path):
    with serving(tmp_path) as (_, web):
        port = str(web.base_url.port)
        done = subprocess.run(
            [*PROGRAM, "serve", "--port", port], cwd=tmp_path, capture_output=True, text=True, timeout=60
        )
    assert done.returncode == 1
    assert "cannot listen" in done.stderr


def test_keys_are_made_listed_and_revoked(tmp_path):
    words = make_key(tmp_path, "--scope", "write")
    (key,) = map(json.loads, run(tmp_path, "keys", "list", "--json").splitlines())
    assert (key["name"], key["scopes"], key["revoked"]) == ("test", ["write"], None)
    assert key["id"] in words
    run(tmp_path, "keys", "revoke", key["id"])
    assert "revoked" in run(tmp_path, "keys", "list")


def run(folder, *arguments):
    done = subprocess.run([*PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout
