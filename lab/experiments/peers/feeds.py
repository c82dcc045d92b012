"""A round of a thousand feeds: `whywire watch` beside lemon24/reader, with all entries new, and with nothing new.

python -m lab.experiments.peers.feeds --python PEERS/bin/python [--feeds 1000] [--whywire .venv/bin/whywire]

A server in this process has the feeds, each on a loopback address of its own, for nobody asks one host for a thousand
feeds at once. Entries are invented. Nobody fetches pages, which reader does not do. In the second round each feed
answers that it has not changed. What is measured is the program that asks, without the server.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
import threading
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from lab.experiments.peers.measured import Run, ratio, run, table

from whywire_lab.tasks.record import provenance

ENTRIES = 20
"""Entries of a feed."""

HOSTS = 250
"""Loopback addresses that differ in their last byte."""

_NEXT_FETCH = re.compile(r'("next_fetch":\s*)"[^"]*"')

READER = """
import sys
from reader import make_reader
with make_reader(sys.argv[1]) as reader:
    if sys.argv[2] == "add":
        for line in open(sys.argv[3]):
            reader.add_feed(line.strip())
    else:
        reader.update_feeds(workers=10, scheduled=False)
        print(reader.get_entry_counts().total)
"""
"""What its guide says, with as many workers as its example has; all feeds are due, as ours are."""


def main() -> None:
    """Print a table to standard error and all rows as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", required=True, help="the interpreter that has reader")
    parser.add_argument(
        "--whywire", default=str(Path(sys.executable).parent / "whywire"), help="the program to measure"
    )
    parser.add_argument("--feeds", type=int, default=1000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, Server(arguments.feeds) as server:
        addresses = Path(name) / "feeds.txt"
        addresses.write_text("".join(f"{address}\n" for address in server.addresses()))
        theirs = measured("reader", reader_rounds(arguments.python, addresses), server)
        ours = measured("whywire watch", our_rounds(arguments.whywire, addresses), server)
    for own, peer in zip(ours, theirs, strict=True):
        own["beside reader"] = ratio(own["s"], peer["s"])
    print(table([*theirs, *ours]), file=sys.stderr)
    record = {"feeds": arguments.feeds, "entries": ENTRIES, "rows": [*theirs, *ours]}
    print(json.dumps(record | provenance(), indent=2))


def measured(way: str, rounds: Iterable[tuple[Run, int]], server: Server) -> list[dict[str, Any]]:
    """A row for each round; how many feeds were asked for and how many entries are kept tell that it is one."""
    return [
        {"way": way, "round": name, "s": found.seconds, "MB": found.megabytes}
        | {"feeds asked": server.asked(), "entries kept": kept}
        for name, (found, kept) in zip(("all new", "nothing new"), rounds, strict=True)
    ]


def reader_rounds(python: str, addresses: Path) -> Iterable[tuple[Run, int]]:
    """Both rounds by reader; the feeds are added beforehand."""
    database = str(addresses.with_name("reader.sqlite"))
    run([python, "-c", READER, database, "add", str(addresses)])
    for _ in range(2):
        found = run([python, "-c", READER, database, "update"])
        yield found, int(found.output)


def our_rounds(program: str, addresses: Path) -> Iterable[tuple[Run, int]]:
    """Both rounds by `whywire watch`; in between all feeds are made due again."""
    states, out = addresses.with_name("states.json"), addresses.with_name("out.jsonl")
    asked = [program, "watch", str(addresses), "--once", "--no-text", "--allow-private"]
    for _ in range(2):
        found = run([*asked, "--state", str(states), "--out", str(out)])
        yield found, len(out.read_text(encoding="utf-8").splitlines())
        long_ago = _NEXT_FETCH.sub(r'\g<1>"2026-01-01T00:00:00+00:00"', states.read_text(encoding="utf-8"))
        states.write_text(long_ago, encoding="utf-8")


class Server:
    """Serves so many feeds, each on its address."""

    def __init__(self, feeds: int) -> None:
        self._hosts = [f"127.0.{at // HOSTS}.{at % HOSTS + 1}" for at in range(feeds)]
        self._requests: list[str] = []
        documents, requests = dict(zip(self._hosts, map(feed, range(feeds)), strict=True)), self._requests

        class Handler(BaseHTTPRequestHandler):
            """Answers with the feed of the address that was asked, once, and then that it is the same."""

            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                host, content, status = self.connection.getsockname()[0], b"", 404
                if self.path == "/feed.xml":
                    requests.append(host)
                    is_known = self.headers.get("If-None-Match") == '"one"'
                    content, status = (b"", 304) if is_known else (documents[host].encode(), 200)
                self.send_response(status)
                self.send_header("Content-Type", "application/rss+xml")
                self.send_header("ETag", '"one"')
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                """Nothing."""

        self._server = ThreadingHTTPServer(("0.0.0.0", 0), Handler)
        self._server.daemon_threads = True

    def __enter__(self) -> Server:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def addresses(self) -> list[str]:
        """Of all feeds."""
        return [f"http://{host}:{self._server.server_port}/feed.xml" for host in self._hosts]

    def asked(self) -> int:
        """How many feeds were asked for since the last call."""
        count = len(set(self._requests))
        self._requests.clear()
        return count


def feed(number: int) -> str:
    """An RSS feed of invented entries."""
    chance = random.Random(number)
    entries = "".join(entry(number, at, chance) for at in range(ENTRIES))
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>Feed {number}</title>{entries}</channel></rss>'


def entry(feed: int, number: int, chance: random.Random) -> str:
    """An entry with a title of eight words and a summary of sixty."""
    words = ["".join(chance.choice("bdfgklmn") + chance.choice("aeiou") for _ in range(3)) for _ in range(68)]
    day = f"{1 + number:02} Jan 2026 {chance.randrange(24):02}:00:00 GMT"
    link = f"http://news{feed}.example/{number}"
    return (
        f"<item><title>{' '.join(words[:8])}</title><link>{link}</link><guid>{link}</guid>"
        f"<pubDate>{day}</pubDate><description>{' '.join(words[8:])}.</description></item>"
    )


if __name__ == "__main__":
    main()
