"""How much memory a stream takes in which thousands of headlines are made by one template, and how long.

    python lab/experiments/templated_headlines.py
    python lab/experiments/templated_headlines.py --count 2000 --ways build --news templated

Invented headlines of three days are grouped as `whywire group` does it, or built as
`whywire build` does: *templated* ones of a dozen templates and three hundred companies, a quarter of them with a
short text, and *near-identical* ones, of which all say the same of one company and only the number differs. Such
headlines are near to thousands of others, so whatever grows with the square of a component grows here.

Every case runs in a process of its own, and its peak memory is that of the process. Ends with status 1 where that is
more than 1.5 GB.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from whywire import Article, Language, Published, build, group

LIMIT = 1536
"""MB that a case may take at most."""

START, DAYS = datetime(2026, 3, 4, tzinfo=UTC), 3

FIRST = "Ostra Belmo Kolme Tarsk Durva Velto Marin Sorbe Palta Grena Ivoli Numar Quent Rodal Fenwa Lindo Hespe Zorin"
LAST = "vik ra n works tech power foods air bank steel mar gen net soft chem line lab"
COMPANIES = [first + last for first in FIRST.split() for last in LAST.split()]
TOWNS = "Westmoor Ellingham Lisandre Dunholm Serena Tarskovo Kolmen Belmora Elverton Marrow Ostin Pellworth"
PLACES = TOWNS.split()

TEMPLATES = (
    "Shares of {company} rise {number} percent after quarterly report",
    "Shares of {company} fall {number} percent after quarterly report",
    "{company} posts quarterly profit of {number} million euros",
    "{company} posts quarterly loss of {number} million euros",
    "{company} to cut {number} jobs at its plant in {place}",
    "{company} to hire {number} workers at its plant in {place}",
    "Analysts raise price target of {company} to {number} euros",
    "Analysts lower price target of {company} to {number} euros",
    "{company} wins order worth {number} million euros from {other}",
    "{company} recalls {number} units after complaints in {place}",
    "Insider sells {number} shares of {company}",
    "{company} and {other} agree on merger worth {number} million euros",
)

TEXT = (
    "The company from {place} told its shareholders on {day} that {number} is less than it had expected, and that it "
    "will say in its next report what this means for the year. Its rival {other} would not comment. Shares had risen "
    "by {share} percent since the spring."
)


def templated(count: int) -> list[Article]:
    """Headlines of every template about every company."""
    rng = random.Random(1)
    found = []
    for number in range(count):
        published = START + timedelta(minutes=rng.randrange(DAYS * 24 * 60))
        words = {
            "company": rng.choice(COMPANIES),
            "other": rng.choice(COMPANIES),
            "place": rng.choice(PLACES),
            "number": rng.randrange(2, 400),
            "share": rng.randrange(2, 40),
            "day": f"{published:%A}",
        }
        title = rng.choice(TEMPLATES).format(**words)
        text = TEXT.format(**words) if rng.random() < 0.25 else ""
        found.append(Article(str(number), title, text, Language.ENGLISH, published=Published(published)))
    return found


def near_identical(count: int) -> list[Article]:
    """Headlines that differ in one number; about ten articles have each."""
    rng = random.Random(1)
    found = []
    for number in range(count):
        published = START + timedelta(minutes=rng.randrange(DAYS * 24 * 60))
        rise = rng.randrange(max(1, count // 10)) / 100
        title = f"Shares of Ostravik rise {rise:.2f} percent after quarterly report"
        found.append(Article(str(number), title, "", Language.ENGLISH, published=Published(published)))
    return found


NEWS: dict[str, Callable[[int], list[Article]]] = {"templated": templated, "near-identical": near_identical}


def case(way: str, news: str, count: int) -> dict[str, object]:
    """Seconds and peak memory of this process, the number of events, and the articles of the largest."""
    articles = NEWS[news](count)
    started = time.perf_counter()
    if way == "build":
        sizes = sorted(len(event.articles) for event in build(articles).graph.events)
    else:
        sizes = sorted(Counter(group(articles).events).values())
    return {
        "way": way,
        "news": news,
        "headlines": count,
        "seconds": round(time.perf_counter() - started),
        "peak MB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "events": len(sizes),
        "largest": sizes[-1],
    }


def main() -> int:
    """Run each case in a fresh process and print it as a line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--ways", nargs="+", default=["group"], choices=["group", "build"])
    parser.add_argument("--news", nargs="+", default=list(NEWS), choices=list(NEWS))
    parser.add_argument("--here", action="store_true", help="one case, in this process")
    arguments = parser.parse_args()
    if arguments.here:
        print(json.dumps(case(arguments.ways[0], arguments.news[0], arguments.count)))
        return 0
    worst = 0
    for news in arguments.news:
        for way in arguments.ways:
            command = [sys.executable, __file__, "--here", "--count", str(arguments.count)]
            ran = subprocess.run(
                [*command, "--ways", way, "--news", news], stdout=subprocess.PIPE, check=True, text=True
            )
            found = json.loads(ran.stdout)
            print(json.dumps(found), flush=True)
            worst = max(worst, found["peak MB"])
    if worst > LIMIT:
        print(f"{worst} MB are more than {LIMIT}", file=sys.stderr)
    return int(worst > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
