"""What it costs that a graph grows, and how near it ends to the build of everything at once.

    python lab/experiments/growing.py NEWS... [--last 100] [--shuffled] [--settle]

All articles but the last come together, those one by one. The articles are in the order of time, or drawn by lot. The
graph that has grown is compared with a build of everything: pairs of mentions in one event, pieces of evidence that
support a link, strengths, pairs of articles in one story. With ``--settle`` everything is decided again whenever a
tenth more came, as by default; without it never, so what is compared is the local decisions alone.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import time
from itertools import combinations

import numpy as np

from whywire import CausalGraph, LanguageModels
from whywire.api.news_input import load_news
from whywire.elements import ClaimEvidence, Evidence, HeadlineEvidence, Link, Mention, MentionKind
from whywire.news import without_duplicates
from whywire.pipeline import decide, read
from whywire.progress import Stages
from whywire.updating import ModelAnswers, State, text_key, update
from whywire.updating.known_answers import KnowingModels
from whywire_lab.metrics.classification import pairwise_score


def main() -> None:
    """Build, grow, and print both as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("news", nargs="+")
    parser.add_argument("--last", type=int, default=100, help="articles added one by one")
    parser.add_argument("--shuffled", action="store_true", help="in an order drawn by lot")
    parser.add_argument("--settle", action="store_true", help="decide everything again when a tenth more came")
    arguments = parser.parse_args()
    in_time, _ = without_duplicates(load_news(arguments.news)[0])
    models, stages = LanguageModels(), Stages()
    readings = read(in_time, models, stages)
    knowing = KnowingModels(models, ModelAnswers())
    started = time.perf_counter()
    at_once, _ = decide(in_time, readings, knowing, stages)
    answers = ModelAnswers({text_key(one): readings[one.id] for one in in_time if one.id in readings})
    answers.update(knowing.new)
    articles = list(in_time)
    if arguments.shuffled:
        random.Random(0).shuffle(articles)
    # twice: first to learn what the models answer, then to time the decisions alone
    grow(articles, arguments.last, models, answers, settle=arguments.settle)
    started = time.perf_counter()
    decide(in_time, readings, KnowingModels(models, answers), stages)
    whole = time.perf_counter() - started
    grown, seconds = grow(articles, arguments.last, models, answers, settle=arguments.settle)
    print(json.dumps(report(grown, at_once, seconds, whole), indent=2))


def grow(
    articles: list, last: int, models: LanguageModels, answers: ModelAnswers, *, settle: bool
) -> tuple[CausalGraph, list[float]]:
    """The graph of articles of which the last come one by one, and the seconds of each of those."""
    state = State(answers=answers)
    state.apply(update(state, articles[:-last], models=models, settle=True))
    gc.collect()
    gc.freeze()
    seconds = []
    for article in articles[-last:]:
        started = time.perf_counter()
        state.apply(update(state, [article], models=models, settle=None if settle else False))
        seconds.append(time.perf_counter() - started)
    gc.unfreeze()
    return state.graph, seconds


def report(grown: CausalGraph, at_once: CausalGraph, seconds: list[float], whole: float) -> dict[str, object]:
    """How two graphs agree, and what the additions cost."""
    links = [by_evidence(graph) for graph in (grown, at_once)]
    both = links[0].keys() & links[1].keys()
    apart = [abs(links[0][key].strength - links[1][key].strength) for key in both]
    stories = [pairs_in_stories(graph) for graph in (grown, at_once)]
    milliseconds = np.percentile(1000 * np.array(seconds), [50, 95])
    return {
        "articles": len(at_once.articles),
        "events": len(at_once.events),
        "links": len(at_once.links),
        "pairs of mentions in one event, F1": round(100 * agreement(grown, at_once), 2),
        "evidence that supports a link in both, %": round(
            100 * len(both) / len(links[0].keys() | links[1].keys()), 2
        ),
        "of that, strength within one point, %": round(100 * float(np.mean(np.array(apart) <= 1)), 2),
        "pairs of articles in one story, F1": round(
            200 * len(stories[0] & stories[1]) / (len(stories[0]) + len(stories[1])), 2
        ),
        "ms of one addition, median": round(float(milliseconds[0]), 1),
        "ms of one addition, 95th percentile": round(float(milliseconds[1]), 1),
        "seconds of deciding everything": round(whole, 1),
        "median addition, as a share of that": round(float(milliseconds[0]) / 1000 / whole, 4),
    }


def agreement(one: CausalGraph, other: CausalGraph) -> float:
    """F1 of the pairs of mentions that are of one event, 0 to 1; a mention that only one graph has is alone."""
    left, right = events_of_mentions(one), events_of_mentions(other)
    mentions = sorted({*left, *right}, key=repr)
    groups = [[own.get(mention, f"alone {place}") for place, mention in enumerate(mentions)] for own in (left, right)]
    return pairwise_score(*groups).f1


def events_of_mentions(graph: CausalGraph) -> dict[Mention, str]:
    """The event of each mention."""
    return {mention: event.id for event in graph.events for mention in event.mentions}


def by_evidence(graph: CausalGraph) -> dict[tuple[object, ...], Link]:
    """The link that each piece of evidence supports."""
    return {(link.kind, *_key(one)): link for link in graph.links for one in link.evidence}


def _key(one: Evidence) -> tuple[object, ...]:
    match one:
        case ClaimEvidence():
            return (one.claim,)
        case HeadlineEvidence():
            return one.source_article, one.target_article
    return one.cause, one.effect


def pairs_in_stories(graph: CausalGraph) -> set[tuple[str, str]]:
    """The pairs of articles whose headlines are in one story."""
    stories: dict[str, list[str]] = {}
    for event in graph.events:
        for mention in event.mentions:
            if mention.kind is MentionKind.HEADLINE and event.story:
                stories.setdefault(event.story, []).append(mention.article)
    return {pair for own in stories.values() for pair in combinations(sorted(own), 2)}


if __name__ == "__main__":
    main()
