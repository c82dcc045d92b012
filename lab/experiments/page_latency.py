"""How long pages and searches of a service take on a store of some size, cold and warm.

    python lab/experiments/page_latency.py --store URL [--times 20]

Each address is asked ``--times`` times in one process, without a network between: the first answer is cold, of the
others come median and 95th percentile. Of two numbers the first is by the wall clock, the second of the processor:
the time of all threads of this process, which leaves out a database server, and which other programs hardly change.
The questions are on the bundled example, of which ``multiplied_store.py`` makes a large store. Prints a line of JSON
for each address, and the memory at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import numpy as np
from starlette.testclient import TestClient

from whywire.service.app import create_app
from whywire.service.settings import Settings
from whywire.store import Store

QUESTIONS = (
    "Why did petrol run short?",
    "Why was the Dunmarrow cheese plant shut?",
    "What did the refinery fire lead to?",
    "Почему столкнулись поезда в метро?",
    "Почему мошенники похитили деньги у клиентов банка?",
    "К чему привёл прорыв плотины?",
)
"""On the bundled example, of which the store should be made."""

SEARCHED = ("refinery fire", "Thornfield", "прорыв плотины", "метро")


def main() -> None:
    """Ask for each address and print how long the answers took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", required=True)
    parser.add_argument("--times", type=int, default=20)
    arguments = parser.parse_args()
    settings = Settings(store=arguments.store, works=False, requests_per_minute=10**6)
    with TestClient(create_app(settings), base_url="http://127.0.0.1") as client:
        for name, address in addresses(arguments.store):
            taken = np.array([timed(client, address) for _ in range(arguments.times)]) * 1000
            rest = taken[1:]
            row = {
                "asked": name,
                "cold ms": taken[0].round().tolist(),
                "median ms": np.median(rest, axis=0).round().tolist(),
                "95th ms": np.percentile(rest, 95, axis=0).round().tolist(),
            }
            print(json.dumps(row, ensure_ascii=False), flush=True)
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    print(json.dumps({"resident MB": round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6)}))


def timed(client: TestClient, address: str) -> tuple[float, float]:
    """Seconds of an answer: by the wall clock, and of the processor."""
    begun, worked = time.perf_counter(), time.process_time()
    answer = client.get(address, headers={"cache-control": "no-cache"})
    answer.raise_for_status()
    return time.perf_counter() - begun, time.process_time() - worked


def addresses(url: str) -> Iterator[tuple[str, str]]:
    """Names of what is asked for, with addresses."""
    with Store.open(url, read_only=True) as store:
        story = store.stories(limit=1).items[0]
        newest = store.newest()
        counts = store.counts()
    assert newest
    print(json.dumps({"articles": counts.articles, "events": counts.events}))
    yield "home", "/"
    yield "a day", f"/?day={(newest - timedelta(days=30)).date()}"
    yield "all days", "/?day=all"
    yield f"the largest story ({story.events} events)", f"/stories/{quote(story.id)}"
    yield "an event", f"/events/{quote(story.lead)}"
    yield "changes", "/changes"
    for question in QUESTIONS:
        yield question, f"/why?q={quote(question)}"
    for words in SEARCHED:
        yield f"stories of {words!r}", f"/v1/stories?q={quote(words)}"
        yield f"events of {words!r}", f"/v1/search?q={quote(words)}"
    yield f"feed of {SEARCHED[0]!r}", f"/feed.atom?q={quote(SEARCHED[0])}"


if __name__ == "__main__":
    main()
