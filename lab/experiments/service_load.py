"""Readers beside a writer: how a service answers under load, and whether its answers stay right.

Starts ``whywire serve`` on an empty store with the embedded models, sends it copies of the news with other ids and
days, one article after the other, and lets readers ask for stories, events, links, searches, graphs and pages as fast
as they get answers. Server and readers share the machine.

What is checked: every answer is 200 or 304; every graph is whole (each id in it can be followed, each quote is in its
place); a list has no item twice; a stream of changes has each change once, in order; at the end every article that
was accepted is there once, and the store keeps its invariants.

    python lab/experiments/service_load.py examples/news.jsonl [--seconds 120] [--readers 50] [--store URL]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import httpx2
import numpy as np

import whywire
from whywire.client.client import _graph
from whywire.news import to_row
from whywire.service.keys import keys
from whywire.store import Store

PROGRAM = [sys.executable, "-c", "from whywire.__main__ import main; main()"]


@dataclass
class Load:
    """What was asked and answered."""

    end: float
    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    statuses: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    changes: list[int] = field(default_factory=list)


async def ask(web: httpx2.AsyncClient, load: Load, name: str, path: str, **options: object) -> httpx2.Response:
    begun = time.perf_counter()
    answer = await web.get(path, **options)
    load.seconds[name].append(time.perf_counter() - begun)
    load.statuses[answer.status_code] += 1
    if answer.status_code not in (200, 304, 307):
        load.wrong.append(f"{path}: {answer.status_code} {answer.text[:200]}")
    return answer


async def read(web: httpx2.AsyncClient, load: Load, words: list[str], seed: int) -> None:
    chance, tag = random.Random(seed), ""
    while time.monotonic() < load.end:
        kind = chance.choice(["stories", "events", "event", "links", "search", "graph", "page"])
        if kind in ("stories", "events", "links"):
            answer = await ask(web, load, kind, f"/v1/{kind}", params={"limit": 50})
            items = answer.json()["items"]
            ids = [(one.get("id"), one.get("source"), one.get("target"), one.get("kind")) for one in items]
            if len(set(ids)) < len(ids):
                load.wrong.append(f"{kind}: an item twice")
            if kind == "events" and items:
                one = chance.choice(items)
                await ask(web, load, "event", f"/v1/events/{one['id']}", follow_redirects=True)
            if kind == "stories" and items:
                answer = await ask(
                    web, load, "story", f"/v1/stories/{chance.choice(items)['id']}", follow_redirects=True
                )
                if answer.status_code == 200:
                    check_graph(load, answer)
        elif kind == "search":
            await ask(web, load, kind, "/v1/search", params={"q": chance.choice(words)})
        elif kind == "graph":
            headers = {"if-none-match": tag} if tag else {}
            answer = await ask(web, load, kind, "/v1/graph", params={"min_strength": 50}, headers=headers)
            if answer.status_code == 200:
                tag = answer.headers["etag"]
                check_graph(load, answer)
        elif kind == "page":
            await ask(web, load, kind, "/")


def check_graph(load: Load, answer: httpx2.Response) -> None:
    try:
        _graph(answer.json())
    except whywire.WhywireError as error:
        load.wrong.append(f"a graph that is not whole: {error}")


async def write(web: httpx2.AsyncClient, load: Load, articles: list[whywire.Article], pause: float) -> None:
    number = 0
    while time.monotonic() < load.end:
        article, turn = articles[number % len(articles)], number // len(articles)
        published = article.published and replace(article.published, at=article.published.at + timedelta(weeks=turn))
        sent = replace(article, id=f"{article.id}-{turn}", url=None, published=published, also=())
        begun = time.perf_counter()
        answer = await web.post("/v1/articles", json=to_row(sent))
        load.seconds["write"].append(time.perf_counter() - begun)
        load.statuses[answer.status_code] += 1
        if answer.status_code != 202:
            load.wrong.append(f"not accepted: {answer.status_code} {answer.text[:200]}")
        load.sent.append(sent.id)
        number += 1
        await asyncio.sleep(pause)


async def listen(web: httpx2.AsyncClient, load: Load, done: asyncio.Event) -> None:
    async with web.stream("GET", "/v1/changes/stream", params={"after": 0}, timeout=60) as answer:
        async for line in answer.aiter_lines():
            if line.startswith("id: "):
                load.changes.append(int(line[4:]))
            if done.is_set():
                return


async def run(url: str, key: str, load: Load, articles: list[whywire.Article], options: argparse.Namespace) -> None:
    words = [" ".join(article.title.split()[:3]) for article in articles]
    headers = {"authorization": f"Bearer {key}"}
    limits = httpx2.Limits(max_connections=options.readers + 5)
    done = asyncio.Event()
    async with httpx2.AsyncClient(base_url=url, headers=headers, timeout=60, limits=limits) as web:
        listener = asyncio.create_task(listen(web, load, done))
        readers = [read(web, load, words, seed) for seed in range(options.readers)]
        await asyncio.gather(write(web, load, articles, options.pause), *readers)
        while (await web.get("/v1/status")).json()["waiting"]:
            await asyncio.sleep(0.5)
        last = (await web.get("/v1/status")).json()["last_change"]
        while load.changes[-1] < last:
            await asyncio.sleep(0.2)
        done.set()
        listener.cancel()
        await asyncio.gather(listener, return_exceptions=True)


def start(store: str) -> tuple[subprocess.Popen[str], str]:
    options = ["serve", "--store", store, "--port", "0", "--per-minute", "100000000"]
    process = subprocess.Popen([*PROGRAM, *options], stderr=subprocess.PIPE, text=True, env=os.environ)
    assert process.stderr
    for line in process.stderr:
        if found := re.search(r"http://127\.0\.0\.1:\d+", line):
            return process, found[0]
    raise SystemExit("the service did not start")


def drain(process: subprocess.Popen[str]) -> None:
    """Read the logs, so that the service never waits for us; print what failed."""

    def read_all() -> None:
        for line in process.stderr or ():
            if '"level": "error"' in line:
                print(line[-2000:])

    threading.Thread(target=read_all, daemon=True).start()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("news")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--readers", type=int, default=50)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between two articles of the writer")
    parser.add_argument("--store")
    options = parser.parse_args()
    articles = [one for one in whywire.read_news(options.news) if isinstance(one, whywire.Article)]
    with tempfile.TemporaryDirectory() as folder:
        store = options.store or str(Path(folder) / "news.db")
        with keys(store) as own:
            key = own.make("load").token
        process, url = start(store)
        drain(process)
        load = Load(time.monotonic() + options.seconds)
        begun = time.monotonic()
        try:
            asyncio.run(run(url, key, load, articles, options))
        finally:
            process.send_signal(signal.SIGTERM)
            status = process.wait(60)
        with Store.open(store) as opened:
            known = set(opened.graph().articles)
            copies = {one for article in opened.graph().articles.values() for one in article.also}
            load.wrong += opened.check()
        lost = set(load.sent) - known - copies
        if lost:
            load.wrong.append(f"{len(lost)} articles lost")
        if load.changes != sorted(set(load.changes)):
            load.wrong.append("the stream repeated or reordered changes")
        report(load, time.monotonic() - begun, options, status, len(known))


def report(load: Load, seconds: float, options: argparse.Namespace, status: int, held: int) -> None:
    print(f"{options.readers} readers, 1 writer, {options.seconds:.0f} s; exit status {status}")
    every = [one for name, times in load.seconds.items() if name != "write" for one in times]
    rows = [("all reads", every), *sorted(load.seconds.items())]
    for name, times in rows:
        low, high, most = np.percentile(times, [50, 95, 100]) * 1000
        rate = len(times) / options.seconds
        print(
            f"{name:10} {len(times):7,} {rate:7.1f}/s  median {low:6.0f} ms  p95 {high:6.0f} ms  max {most:6.0f} ms"
        )
    print(f"statuses {dict(load.statuses)}; {len(load.sent)} articles sent, {held} held, {len(load.changes)} changes")
    print(f"waited {seconds - options.seconds:.0f} s for the rest; wrong: {len(load.wrong)}")
    for one in load.wrong[:10]:
        print("  ", one)
    sys.exit(bool(load.wrong))


if __name__ == "__main__":
    main()
