"""The weights of the news filter: a logistic regression over its features (extra ``train``).

It learns from titles written for this project and from titles of the news streams labelled for it, up to noon of the
second day; the later ones are for measuring. A label file holds hashes of urls, never text; a title that is hard to
call either way has no label.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from whywire.news.newsworthy import BUCKETS, WEIGHTS, NewsFilter, feature_places
from whywire_lab.corpora.json_lines import json_lines
from whywire_lab.corpora.parts import gist
from whywire_lab.metrics.metrics import binary_score
from whywire_lab.recipes.sentence_data import LABELS, articles_by_key, url_key

LANGUAGES = ("en", "ru")

PRECISION = 0.95
"""Of what is dropped, so much must be no news."""

SHARE = 0.06
"""Of titles in a stream that are no news, by reading 860 of the training half; the labels hold more of them."""

STRENGTH = 30.0
"""The inverse of the regularisation."""

FOLDS = 5

FAMILY_STEP = 8
"""One in so many of the headlines of the invented families is taken for a piece of news."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """An article that somebody called news or not."""

    title: str
    lead: str
    news: bool
    language: str


def invented_rows() -> Iterator[Labelled]:
    """Titles written for this project: what is no news, news that looks like it, and plain news."""
    for language in LANGUAGES:
        for row in json_lines(LABELS / f"news_or_not_{language}.jsonl"):
            yield Labelled(row["title"], "", row["kind"] == "news", language)
        events = (event for family in json_lines(LABELS / f"families_{language}.jsonl") for event in family["events"])
        for number, event in enumerate(events):
            if number % FAMILY_STEP == 0:
                yield Labelled(event[0], "", True, language)


def stream_rows(data: Path, part: str) -> Iterator[Labelled]:
    """Labelled titles of the news streams.

    Args:
        data: the folder of corpora.
        part: ``train``, or ``dev``, of which nothing is learnt.
    """
    for language in LANGUAGES:
        known = articles_by_key(data / "news_stream", language)
        for line in (LABELS / f"news_or_not_{language}_{part}.tsv").read_text(encoding="ascii").splitlines():
            key, label = line.split("\t")
            yield Labelled(known[key]["title"], known[key]["text"], label == "news", language)


def fit(rows: Sequence[Labelled], threshold: float = 0.0) -> NewsFilter:
    """A filter that learnt from these rows, with and without their leads."""
    seen = [*((row.title, row.lead) for row in rows), *((row.title, "") for row in rows if row.lead)]
    truth = [*(row.news for row in rows), *(row.news for row in rows if row.lead)]
    places = [feature_places(*pair) for pair in seen]
    values = np.concatenate([np.full(len(found), len(found) ** -0.5) for found in places])
    ends = np.cumsum([0, *(len(found) for found in places)])
    table = csr_matrix((values, np.concatenate(places), ends), shape=(len(places), BUCKETS))
    model = LogisticRegression(C=STRENGTH, solver="liblinear", max_iter=300, random_state=0).fit(table, truth)
    return NewsFilter(model.coef_[0].astype(np.float16), float(model.intercept_[0]), threshold)


def best_threshold(probabilities: NDArray[np.float64], news: NDArray[np.bool_]) -> float:
    """The highest probability of news under which what is dropped is as precise as it must be; 0 where there is none.

    Args:
        probabilities: of rows that were not learnt from.
        news: which of them are; these count as often as in a stream.
    """
    order = np.argsort(probabilities, kind="stable")
    weight = (~news).sum() * (1 - SHARE) / SHARE / max(1, news.sum())
    right, wrong = np.cumsum(~news[order]), np.cumsum(news[order]) * weight
    good = np.flatnonzero(right >= PRECISION * (right + wrong))
    if not good.size:
        return 0.0
    following = order[min(good[-1] + 1, len(order) - 1)]
    return float((probabilities[order[good[-1]]] + probabilities[following]) / 2)


def held_out_probabilities(invented: Sequence[Labelled], rows: Sequence[Labelled]) -> NDArray[np.float64]:
    """The probability of news of each row by a filter that learnt neither from it nor from its near-duplicates."""
    folds = np.array([int(url_key(gist(row.title)), 16) % FOLDS for row in rows])
    probabilities = np.zeros(len(rows))
    for fold in range(FOLDS):
        own = np.flatnonzero(folds == fold).tolist()
        learnt = fit([*invented, *(row for row, place in zip(rows, folds, strict=True) if place != fold)])
        asked = [rows[number] for number in own]
        probabilities[own] = learnt.probability([row.title for row in asked], [row.lead for row in asked])
    return probabilities


def make(data: Path, path: Path = WEIGHTS) -> dict[str, float]:
    """Train the filter, write it, and return its scores on the later half of the streams.

    Args:
        data: the folder of corpora.
        path: of the ``.npz`` with ``weights``, ``bias`` and ``threshold``.
    """
    invented, rows = list(invented_rows()), list(stream_rows(data, "train"))
    news = np.array([row.news for row in rows])
    threshold = best_threshold(held_out_probabilities(invented, rows), news)
    learnt = fit([*invented, *rows], threshold)
    np.savez_compressed(
        path, weights=learnt.weights.astype(np.float16), bias=np.float64(learnt.bias), threshold=np.float64(threshold)
    )
    return {"threshold": threshold} | scores(NewsFilter.load(path), list(stream_rows(data, "dev")))


def scores(learnt: NewsFilter, rows: Sequence[Labelled]) -> dict[str, float]:
    """Precision and recall of what is dropped, by language, and the share of news that is lost."""
    result: dict[str, float] = {}
    for language in LANGUAGES:
        own = [row for row in rows if row.language == language]
        probabilities = learnt.probability([row.title for row in own], [row.lead for row in own])
        dropped, news = probabilities < learnt.threshold, np.array([row.news for row in own])
        found = binary_score(dropped, ~news)
        result |= {
            f"precision {language}": found.precision,
            f"recall {language}": found.recall,
            f"lost {language}": float(dropped[news].mean()),
        }
    return result
