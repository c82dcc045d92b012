"""How the cost of finding stories grows with the days of a stream whose topics go on.

    python lab/experiments/story_growth.py NEWS [--days 12] [--share 0.5]

NEWS is a dense stream of a day or two. Its reports are repeated, later by so many days each time, with other vectors:
inside a repetition all similarities are those of the stream, and to other repetitions they are ``share`` of these.
What share is true to life the stream's two fullest days tell: the medians of a report's similarity to the nearest of
its day and to the nearest of the day before are printed first. Then, for each repetition: the articles so far, the
largest stories, and milliseconds of the processor an article, taken in as `whywire backfill` does but for reading.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np

from whywire.api.backfill import TAKEN_AT_ONCE
from whywire.api.news_input import load_news
from whywire.events.article_index import ArticleIndex
from whywire.events.article_readings import embed_articles
from whywire.events.candidates import UNIT, Vectors, similarities
from whywire.events.report_vectors import report_vector
from whywire.events.story_linkage import IndexedArticle
from whywire.language_models import LanguageModels
from whywire.pipeline import LANGUAGES
from whywire.progress import Stages


def main() -> None:
    """Embed the stream, repeat it, and print a row of JSON for each repetition."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("news", type=Path)
    parser.add_argument("--days", type=int, default=12)
    parser.add_argument("--share", type=float, default=0.5)
    arguments = parser.parse_args()
    for language in LANGUAGES:
        articles = [one for one in load_news([arguments.news])[0] if one.language is language and one.published]
        if not articles:
            continue
        embeddings = embed_articles(articles, language, LanguageModels().pairs(language), Stages(None))
        stream = [
            IndexedArticle(one.id, one.published, report_vector(one, embedding))
            for one, embedding in zip(articles, embeddings, strict=True)
        ]
        print(json.dumps({"language": language, "nearest, median": _nearest(stream)}))
        _repeat(stream, arguments.days, arguments.share)


def _nearest(stream: list[IndexedArticle]) -> dict[str, float]:
    dates = Counter(one.published.at.date() for one in stream if one.published)
    before, after = sorted(date for date, _ in dates.most_common(2))
    earlier, later = (
        np.stack([one.vector for one in stream if one.published and one.published.at.date() == date])
        for date in (before, after)
    )
    same = similarities(later, later)
    np.fill_diagonal(same, -1)
    found = {"same day": same, "day before": similarities(later, earlier)}
    return {name: round(float(np.median(values.max(axis=1))), 2) for name, values in found.items()}


def _repeat(stream: list[IndexedArticle], days: int, share: float) -> None:
    random, index = np.random.default_rng(0), ArticleIndex()
    vectors = np.stack([one.vector for one in stream]).astype(np.float32)
    times = [one.published.at for one in stream if one.published]
    length = (max(times) - min(times)).days or 1
    for day in range(0, days, length):
        theirs = _shared(vectors, share, random)
        later = sorted(
            (
                IndexedArticle(
                    f"{one.id} {day}", replace(one.published, at=one.published.at + timedelta(day)), vector
                )
                for one, vector in zip(stream, theirs, strict=True)
                if one.published
            ),
            key=lambda one: one.published.at.timestamp() if one.published else 0.0,
        )
        started = time.process_time()
        for first in range(0, len(later), TAKEN_AT_ONCE):
            index.apply(index.regroup(later[first : first + TAKEN_AT_ONCE]))
        took = time.process_time() - started
        sizes = sorted({len(index.story_of(one.id)) for one in later}, reverse=True)
        row = {"day": day + length, "articles": len(index), "largest": sizes[:3]}
        print(json.dumps(row | {"ms an article": round(1000 * took / len(later), 1)}), flush=True)


def _shared(vectors: Vectors, share: float, random: np.random.Generator) -> Vectors:
    """Vectors with the same similarities among each other, and a share of them to the given ones."""
    turned = vectors[:, random.permutation(vectors.shape[1])] * random.choice([-1, 1], vectors.shape[1])
    mixed = np.sqrt(share) * vectors + np.sqrt(1 - share) * turned
    rounded: Vectors = np.round(mixed * (UNIT / np.linalg.norm(mixed, axis=1, keepdims=True))).astype(np.int8)
    return rounded


if __name__ == "__main__":
    main()
