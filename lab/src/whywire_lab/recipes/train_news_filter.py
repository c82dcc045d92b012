"""Trains the news filter: a logistic regression over words of titles that tells news from other pages.

It is trained on invented titles and on labelled titles of the news streams up to noon of the second day; the later
ones measure it. Titles that were hard to decide have no label.
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
from whywire_lab.corpora.splits import first_words
from whywire_lab.labels.files import LANGUAGES, read_labels
from whywire_lab.labels.keys import articles_by_hash, short_hash
from whywire_lab.labels.rows import HeadlineStory, InventedTitle, StreamTitle
from whywire_lab.metrics.classification import binary_score

PRECISION = 0.95
"""The share of dropped titles that must not be news."""

OTHER_SHARE = 0.06
"""The share of a stream's titles that are not news, by reading 860 of the training half; labels hold more of them."""

INVERSE_REGULARISATION = 30.0

FOLDS = 5

STORY_STEP = 8
"""Of every eight events of invented headline stories, one gives its headline as an example of news."""


@dataclass(frozen=True, slots=True)
class LabelledTitle:
    """A title, perhaps with its lead, and whether it is news."""

    title: str
    lead: str
    news: bool
    language: str


def invented_rows() -> Iterator[LabelledTitle]:
    """Invented titles: other pages, news that looks like these, and plain news."""
    for language in LANGUAGES:
        for row in read_labels(InventedTitle, f"invented_titles_{language}"):
            yield LabelledTitle(row.title, "", row.kind == "news", language)
        stories = read_labels(HeadlineStory, f"invented_headline_stories_{language}")
        for number, event in enumerate(event for story in stories for event in story.events):
            if number % STORY_STEP == 0:
                yield LabelledTitle(event[0], "", True, language)


def stream_rows(data: Path, part: str) -> Iterator[LabelledTitle]:
    """Labelled titles of the news streams.

    Args:
        data: the folder of corpora.
        part: ``train`` or ``dev``.
    """
    for language in LANGUAGES:
        articles = articles_by_hash(data / "news_stream", language)
        for row in read_labels(StreamTitle, f"stream_titles_{language}_{part}"):
            article = articles[row.article]
            yield LabelledTitle(article["title"], article["text"], row.kind == "news", language)


def fit(rows: Sequence[LabelledTitle], threshold: float = 0.0) -> NewsFilter:
    """A filter trained on these rows, with and without their leads."""
    seen = [*((row.title, row.lead) for row in rows), *((row.title, "") for row in rows if row.lead)]
    truth = [*(row.news for row in rows), *(row.news for row in rows if row.lead)]
    places = [feature_places(*pair) for pair in seen]
    values = np.concatenate([np.full(len(found), len(found) ** -0.5) for found in places])
    ends = np.cumsum([0, *(len(found) for found in places)])
    table = csr_matrix((values, np.concatenate(places), ends), shape=(len(places), BUCKETS))
    model = LogisticRegression(C=INVERSE_REGULARISATION, solver="liblinear", max_iter=300, random_state=0).fit(
        table, truth
    )
    return NewsFilter(model.coef_[0].astype(np.float16), float(model.intercept_[0]), threshold)


def best_threshold(probabilities: NDArray[np.float64], news: NDArray[np.bool_]) -> float:
    """The highest threshold under which dropped titles reach :data:`PRECISION`; 0 if there is none.

    Args:
        probabilities: of news, of held-out rows.
        news: which rows are news; they are weighted to their share in a stream.
    """
    order = np.argsort(probabilities, kind="stable")
    weight = (~news).sum() * (1 - OTHER_SHARE) / OTHER_SHARE / max(1, news.sum())
    right, wrong = np.cumsum(~news[order]), np.cumsum(news[order]) * weight
    good = np.flatnonzero(right >= PRECISION * (right + wrong))
    if not good.size:
        return 0.0
    following = order[min(good[-1] + 1, len(order) - 1)]
    return float((probabilities[order[good[-1]]] + probabilities[following]) / 2)


def held_out_probabilities(invented: Sequence[LabelledTitle], rows: Sequence[LabelledTitle]) -> NDArray[np.float64]:
    """The probability of news of each row, by a filter trained on the other folds; near-duplicates share a fold."""
    folds = np.array([int(short_hash(first_words(row.title)), 16) % FOLDS for row in rows])
    probabilities = np.zeros(len(rows))
    for fold in range(FOLDS):
        own = np.flatnonzero(folds == fold).tolist()
        trained = fit([*invented, *(row for row, place in zip(rows, folds, strict=True) if place != fold)])
        asked = [rows[number] for number in own]
        probabilities[own] = trained.probability([row.title for row in asked], [row.lead for row in asked])
    return probabilities


def make(data: Path, path: Path = WEIGHTS) -> dict[str, float]:
    """Train the filter, write it, and return its scores on the streams' ``dev`` titles.

    Args:
        data: the folder of corpora.
        path: the ``.npz`` to write, with ``weights``, ``bias`` and ``threshold``.
    """
    invented, rows = list(invented_rows()), list(stream_rows(data, "train"))
    news = np.array([row.news for row in rows])
    threshold = best_threshold(held_out_probabilities(invented, rows), news)
    learnt = fit([*invented, *rows], threshold)
    np.savez_compressed(
        path, weights=learnt.weights.astype(np.float16), bias=np.float64(learnt.bias), threshold=np.float64(threshold)
    )
    return {"threshold": threshold} | scores(NewsFilter.load(path), list(stream_rows(data, "dev")))


def scores(news_filter: NewsFilter, rows: Sequence[LabelledTitle]) -> dict[str, float]:
    """Precision and recall of dropped titles by language, and the share of news that is dropped."""
    result: dict[str, float] = {}
    for language in LANGUAGES:
        own = [row for row in rows if row.language == language]
        probabilities = news_filter.probability([row.title for row in own], [row.lead for row in own])
        dropped, news = probabilities < news_filter.threshold, np.array([row.news for row in own])
        found = binary_score(dropped, ~news)
        result |= {
            f"precision {language}": found.precision,
            f"recall {language}": found.recall,
            f"lost {language}": float(dropped[news].mean()),
        }
    return result
