"""Measure Headline Generator Swap on pairs of the news stream, beside our pair model and what needs no training.

python lab/experiments/generator_swap.py --data DATA --generator MODEL --pairs 120
"""

from __future__ import annotations

import argparse
import json
import random
import time
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import torch

from whywire.pairs.model import PairModel
from whywire.pairs.relations import Relation
from whywire_lab.candidates.same_event_baselines import (
    best_threshold,
    by_edit_distance,
    by_paraphrase_and_time,
    by_time,
    time_decay,
)
from whywire_lab.corpora import news_stream
from whywire_lab.metrics.classification import roc_auc
from whywire_lab.recipes.generator_swap import HeadlineAndText, HeadlineGenerator, swap_logs
from whywire_lab.recipes.label_pairs import stream_pairs
from whywire_lab.recipes.pair_rows import PairRow

SEED = 1


def main() -> None:
    """Print the area under the curve and the best F1 of each way of scoring, on as many pairs of either kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of corpora")
    parser.add_argument("--generator", required=True, help="a causal language model, a folder or on the hub")
    parser.add_argument("--between", default="\nHeadline:", help="what stands between text and headline")
    parser.add_argument("--pairs", type=int, default=120, help="half of them the same event")
    parser.add_argument("--dtype", default="float32", help="what the language model reckons in, such as bfloat16")
    arguments = parser.parse_args()
    folder = arguments.data / "news_stream"
    articles = {row["title"]: row for row in news_stream.read_articles(folder, "en")}
    rows = [row for part, row in stream_pairs(folder) if part == "dev" and row.language == "en"]
    chosen = drawn(rows, arguments.pairs // 2)
    truth = [is_same(row) for row in chosen]
    titles = [(row.left, row.right) for row in chosen]
    left, right = zip(*titles, strict=True)
    days = np.array([days_apart(articles[one], articles[other]) for one, other in titles])
    model = PairModel.from_pretrained()
    generator = HeadlineGenerator.from_pretrained(
        arguments.generator, between=arguments.between, batch=4, dtype=getattr(torch, arguments.dtype)
    )
    started = time.monotonic()
    stories = ([HeadlineAndText(title, articles[title]["text"]) for title in side] for side in (left, right))
    swapped, own = swap_logs(generator, *stories, against_own=True)
    spent = time.monotonic() - started
    scores = {
        "our pair model": model.same_event_probabilities(titles),
        "time alone": by_time(left, right, days),
        "letters (Levenshtein)": by_edit_distance(left, right, days),
        "cosine of our embedding": by_paraphrase_and_time(model.embed, per_day=0)(left, right, days),
        "cosine of our embedding, with time": by_paraphrase_and_time(model.embed)(left, right, days),
        "generator swap": np.exp(swapped),
        "generator swap, with time": np.exp(swapped) * time_decay(days),
        "generator swap against the own headline": np.exp(swapped - own),
        "generator swap against the own headline, with time": np.exp(swapped - own) * time_decay(days),
    }
    for name, values in scores.items():
        auc, (_, f1) = roc_auc(values, truth), best_threshold(values, truth)
        print(json.dumps({"system": name, "pairs": len(truth), "auc": round(auc, 4), "best f1": round(f1, 4)}))
    print(f"{spent / len(truth):.1f} seconds a pair for the language model")


def drawn(rows: list[PairRow], each: int) -> list[PairRow]:
    """A random sample of as many pairs of the same event as of others."""
    dice = random.Random(SEED)
    kinds = ([row for row in rows if is_same(row) is same] for same in (True, False))
    return [row for kind in kinds for row in dice.sample(kind, min(each, len(kind)))]


def days_apart(one: dict[str, str], other: dict[str, str]) -> float:
    """Days between two reports, with what is left of the last."""
    at, then = (datetime.fromisoformat(article["published"]) for article in (one, other))
    return abs(at - then) / timedelta(days=1)


def is_same(row: PairRow) -> bool:
    """Whether both tell of one event."""
    return row.allowed == {Relation.SAME_EVENT}


if __name__ == "__main__":
    main()
