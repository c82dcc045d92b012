"""What it costs that a graph grows, and whether it ends where the build of everything at once ends.

    python lab/experiments/growing.py NEWS... [--each 1] [--last 20]

The articles come in an order drawn by lot: all but the last ones together, then those one by one (or ``--each`` so
many). Prints the seconds of the build of everything, the median seconds of a late addition, their ratio, and how the
two graphs agree: pairs of mentions in one event, and links with their strengths.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time

from whywire import CausalGraph, GrowingGraph, build
from whywire.api.news_input import load_news
from whywire.elements import Mention
from whywire_lab.metrics.classification import pairwise_score


def main() -> None:
    """Build, grow, and print both as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("news", nargs="+")
    parser.add_argument("--each", type=int, default=1, help="articles added at a time")
    parser.add_argument("--last", type=int, default=20, help="additions to measure")
    arguments = parser.parse_args()
    articles, _ = load_news(arguments.news)
    random.Random(0).shuffle(articles)
    started = time.perf_counter()
    at_once = build(articles).graph
    whole = time.perf_counter() - started
    growing = GrowingGraph()
    late = len(articles) - arguments.each * arguments.last
    growing.add(articles[:late])
    took = []
    for place in range(late, len(articles), arguments.each):
        started = time.perf_counter()
        grown = growing.add(articles[place : place + arguments.each]).graph
        took.append(time.perf_counter() - started)
    links = [{(one.source, one.target, one.kind, one.strength) for one in graph.links} for graph in (at_once, grown)]
    print(
        json.dumps(
            {
                "articles": len(articles),
                "seconds, all at once": round(whole, 1),
                "median seconds, one addition": round(statistics.median(took), 2),
                "ratio": round(statistics.median(took) / whole, 3),
                "pairs of mentions in one event, F1": round(100 * agreement(at_once, grown), 2),
                "links in both, %": round(100 * len(links[0] & links[1]) / max(1, len(links[0] | links[1])), 2),
            },
            indent=2,
        )
    )


def agreement(one: CausalGraph, other: CausalGraph) -> float:
    """F1 of the pairs of mentions that are of one event, 0 to 1; a mention that only one graph has is alone."""
    left, right = events_of_mentions(one), events_of_mentions(other)
    mentions = sorted({*left, *right}, key=repr)
    groups = [[own.get(mention, f"alone {place}") for place, mention in enumerate(mentions)] for own in (left, right)]
    return pairwise_score(*groups).f1


def events_of_mentions(graph: CausalGraph) -> dict[Mention, str]:
    """The event of each mention."""
    return {mention: event.id for event in graph.events for mention in event.mentions}


if __name__ == "__main__":
    main()
