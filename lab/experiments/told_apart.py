"""Measure what telling reports apart by their words, and the prior, do to groups of headlines.

python lab/experiments/told_apart.py --data DATA

Prints for each set, without and with the rules, pairwise F1 / B-cubed F1 under each prior. Groups of UCI and the
streams are stories or an older system's groups, wider than events.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from whywire.elements import article_sort_key
from whywire.events.article_readings import embed_articles
from whywire.events.candidates import Pair, Times, candidate_pairs
from whywire.events.headline_events import (
    MAX_NEIGHBOURS,
    MAX_SECOND_PASS_PAIRS,
    MIN_PROBABILITY,
    partition_headlines,
    prior_odds,
    second_pass_pairs,
)
from whywire.events.told import told_by_report
from whywire.language_models import LanguageModels
from whywire.news import Article, Language, Published, read_row
from whywire.pairs.reports import Report
from whywire.progress import Stages
from whywire_lab.corpora.same_event import grouped_headlines
from whywire_lab.metrics.classification import pairwise_score
from whywire_lab.metrics.groups import b_cubed

PRIORS = (None, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 0.9)
"""``None`` is a build's."""

STORIES_OF_UCI, HEADLINES_OF_UCI = 5, 3
"""Every fifth story of UCI, and of it every third headline."""

STREAM_ARTICLES, ARTICLES_OF_GROUP, STREAM_ALONE = 250, 12, 50
"""Articles of a stream in groups, of each group at most, and articles alone."""

INVENTED_STORIES = 60

ROOT = Path(__file__).parents[2]

Grouped = list[tuple[Article, str]]


def main() -> None:
    """Print two rows a set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of corpora")
    models = LanguageModels()
    print("set", "rules", *PRIORS, sep="\t")
    for name, grouped in sets(parser.parse_args().data):
        for rules, scores in scored(sorted(grouped, key=lambda one: article_sort_key(one[0])), models).items():
            print(name, rules, *scores, sep="\t", flush=True)


def scored(grouped: Grouped, models: LanguageModels) -> Mapping[str, list[str]]:
    """The scores under each prior, without and with the rules."""
    articles, truth = [article for article, _ in grouped], [group for _, group in grouped]
    model = models.pairs(articles[0].language)
    vectors = embed_articles(articles, articles[0].language, model, Stages(None))
    published = [article.published for article in articles]
    reports = [Report.of(article.title, article.text) for article in articles]

    def score(pairs: Sequence[Pair]) -> dict[Pair, float]:
        found = model.same_event_probabilities([(reports[i], reports[j]) for i, j in pairs])
        return dict(zip(pairs, found.tolist(), strict=True))

    floor = model.cosine_for(MIN_PROBABILITY)
    known = score(candidate_pairs(vectors, published, neighbours=MAX_NEIGHBOURS, floor=floor))
    known |= score(second_pass_pairs(len(articles), known, max_pairs=MAX_SECOND_PASS_PAIRS))
    rows: dict[str, list[str]] = {}
    for rules, told in (("none", []), ("told apart", [told_by_report(article) for article in articles])):
        for prior in PRIORS:
            groups = partition_headlines(
                known,
                vectors,
                model.same_event_by_cosine,
                prior=prior_odds(model, prior),
                told=told,
                times=Times(published),
            )
            of = np.zeros(len(articles), dtype=int)
            for number, members in enumerate(groups):
                of[members] = number
            pairs, each = pairwise_score(of.tolist(), truth), b_cubed(of.tolist(), truth)
            rows.setdefault(rules, []).append(f"{100 * pairs.f1:.1f}/{100 * each.f1:.1f}")
    return rows


def sets(data: Path) -> Iterator[tuple[str, Grouped]]:
    """The sets by name: articles of one language, each with the name of its group."""
    for corpus, rows in grouped_headlines(data / "same_event").items():
        if corpus == "uci":
            stories = sorted({row.group for row in rows})[::STORIES_OF_UCI]
            rows = [
                row for story in stories for row in [one for one in rows if one.group == story][::HEADLINES_OF_UCI]
            ]
        yield (
            corpus,
            [
                (
                    Article(
                        str(at),
                        row.title,
                        row.lead,
                        Language.ENGLISH,
                        published=row.published and Published(row.published),
                    ),
                    row.group,
                )
                for at, row in enumerate(rows)
            ],
        )
    gold = json.loads((ROOT / "examples" / "gold.json").read_text(encoding="utf-8"))["events"]
    event_of = {article: event["name"] for event in gold for article in event["articles"]}
    example = [read_row(row)[0] for row in _rows(ROOT / "examples" / "news.jsonl")]
    for language in (Language.ENGLISH, Language.RUSSIAN):
        yield f"example {language}", [(one, event_of[one.id]) for one in example if one.language is language]
        yield f"invented {language}", list(_invented(language))
        yield f"stream {language}", list(_stream(data / "news_stream" / f"{language}.jsonl", language))


def _invented(language: Language) -> Iterator[tuple[Article, str]]:
    stories = _rows(ROOT / "lab/src/whywire_lab/labels" / f"invented_headline_stories_{language}.jsonl")
    for story, row in enumerate(stories[:INVENTED_STORIES]):
        for event, titles in enumerate(row["events"]):
            for at, title in enumerate(titles):
                yield Article(f"{story}-{event}-{at}", title, language=language), f"{story}-{event}"


def _stream(path: Path, language: Language) -> Iterator[tuple[Article, str]]:
    groups: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in _rows(path):
        groups[str(row["system_group"])].append(row)
    names = sorted(name for name, own in groups.items() if len(own) > 1)
    random.Random(0).shuffle(names)
    rows = [row for name in names for row in groups[name][:ARTICLES_OF_GROUP]][:STREAM_ARTICLES]
    alone = [own[0] for _, own in sorted(groups.items()) if len(own) == 1]
    for row in rows + random.Random(1).sample(alone, min(STREAM_ALONE, len(alone))):
        article, *_ = read_row({name: row[name] for name in ("url", "source", "published", "title", "text")})
        if article.language is language:
            yield article, str(row["system_group"])


def _rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    main()
