"""Measure the embedded models on the dev rows: no model was trained, stopped or calibrated on them.

python lab/experiments/dev_scores.py --data DATA > scores.json
python lab/experiments/dev_scores.py --data DATA --models seed1 seed2 seed3 > seeds.json
python lab/experiments/dev_scores.py --data DATA --only pairs > pairs.json
python lab/experiments/dev_scores.py --tables scores.json
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from dev_pair_scores import pair_tables, relation_scores
from dev_sentence_scores import sentence_scores
from rounded_scores import rounded_score

from whywire.language_models import LanguageModels
from whywire.news import Article, Language, Published, read_row
from whywire.pipeline import group
from whywire_lab.corpora.same_event import grouped_headlines
from whywire_lab.corpora.splits import part_of_topic
from whywire_lab.metrics.classification import (
    pairwise_score,
)
from whywire_lab.recipes.embedded_models import trained_models
from whywire_lab.tasks.record import provenance

PARTS = SENTENCES, PAIRS, GROUPING = "sentences", "pairs", "grouping"


def main() -> None:
    """Print one JSON object: under ``scores`` a table for each task, beside it what they were measured with."""
    parser = argparse.ArgumentParser(description=__doc__)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--data", type=Path, help="the folder of corpora")
    source.add_argument("--tables", type=Path, help="print the tables of pairs in such a JSON, as in the cards")
    parser.add_argument(
        "--models",
        type=Path,
        nargs="+",
        help="what `whywire train all` wrote, to measure in place of the embedded models; of several such folders, "
        "each number's mean and deviation",
    )
    parser.add_argument("--only", choices=PARTS, nargs="+", default=PARTS, help="measure these")
    arguments = parser.parse_args()
    if arguments.tables:
        print(pair_tables(json.loads(arguments.tables.read_text(encoding="utf-8"))["scores"]))
        return
    found = [
        all_scores(arguments.data, trained_models(folder) if folder else LanguageModels(), arguments.only)
        for folder in arguments.models or [None]
    ]
    scores = found[0] if len(found) == 1 else mean_and_deviation(found)
    print(json.dumps({"scores": scores} | provenance(), indent=2))


def mean_and_deviation(values: Sequence[Any]) -> Any:
    """Of results of one shape, number by number: the mean and the standard deviation of the sample."""
    if isinstance(values[0], dict):
        return {key: mean_and_deviation([value[key] for value in values]) for key in values[0]}
    if isinstance(values[0], list):
        return [mean_and_deviation(found) for found in zip(*values, strict=True)]
    return [round(mean(values), 4), round(stdev(values), 4)]


def all_scores(data: Path, models: LanguageModels, only: Sequence[str]) -> dict[str, object]:
    """The scores of every task, by the name of its rows."""
    scores: dict[str, object] = {}
    if SENTENCES in only:
        scores |= sentence_scores(data, models)
    if PAIRS in only:
        scores |= relation_scores(data, models)
    if GROUPING in only:
        scores["grouping"] = grouping_scores(data / "same_event", models)
        scores["grouping of the example"] = example_scores(models)
    return scores


def grouping_scores(folder: Path, models: LanguageModels) -> dict[str, object]:
    """Grouping of whole corpora as `whywire group` does it, on the topics held out; only UCI has times."""
    result: dict[str, object] = {}
    for corpus, headlines in grouped_headlines(folder).items():
        rows = [headline for headline in headlines if part_of_topic(headline.topic) == "dev"]
        articles = [
            Article(
                id=str(number),
                title=row.title,
                text=row.lead,
                language=Language.ENGLISH,
                published=row.published and Published(row.published),
            )
            for number, row in enumerate(rows)
        ]
        found = group(articles, models=models)
        true = [row.group for row in rows]
        result[corpus] = {
            "headlines": len(rows),
            "true groups": len(set(true)),
            "stories found": len(set(found.stories)),
            **rounded_score(pairwise_score(found.stories, true)),
            "events found": len(set(found.events)),
            **rounded_score(pairwise_score(found.events, true), "events"),
        }
    return result


def example_scores(models: LanguageModels) -> dict[str, object]:
    """Grouping of the bundled example, which no model was trained on."""
    folder = Path(__file__).parents[2] / "examples"
    articles: list[Article] = [
        read_row(json.loads(line))[0] for line in (folder / "news.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    gold = {
        article: event["name"]
        for event in json.loads((folder / "gold.json").read_text(encoding="utf-8"))["events"]
        for article in event["articles"]
    }
    result: dict[str, object] = {}
    for language in (Language.ENGLISH, Language.RUSSIAN):
        own = [article for article in articles if article.language is language]
        events = [gold[article.id] for article in own]
        stories = [name.split("-")[0] for name in events]
        found = group(own, models=models)
        result[str(language)] = {
            "true stories": len(set(stories)),
            **rounded_score(pairwise_score(found.stories, stories)),
            **rounded_score(pairwise_score(found.events, events), "events"),
        }
    return result


if __name__ == "__main__":
    main()
