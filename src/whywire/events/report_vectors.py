"""The vectors of reports by which stories are found: half meaning, half words.

Meaning is the embedding of title and lead. Words are the stems of title and lead, weighed by how rare they are in
news (:mod:`whywire.news.stems`) and hashed. Embeddings alone bring together what is of one kind, such as two
fires; words alone miss what is said in other words.
"""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from whywire.events.candidates import UNIT
from whywire.events.story_linkage import IndexedArticle
from whywire.news import Article
from whywire.news.stems import hashed_stems, report_stems
from whywire.pairs.reports import report_of

WORD_SIZE = 1280
"""Elements that stems are hashed to."""

TITLE_COUNT = 2
"""How many words of the lead one word of the title counts as."""


def indexed(article: Article, embedding: NDArray[np.float32]) -> IndexedArticle:
    """The article as the index of stories needs it.

    Args:
        embedding: of title and lead, unit length.
    """
    return IndexedArticle(article.id, article.published, report_vector(article, embedding))


def report_vector(article: Article, embedding: NDArray[np.float32]) -> NDArray[np.int8]:
    """The vector of a report, rounded: (size of the embedding + ``WORD_SIZE``,), of the length ``UNIT``.

    Args:
        embedding: of title and lead, unit length.
    """
    both = np.concatenate([embedding, _words(article)])
    found: NDArray[np.int8] = np.round(both * (UNIT / math.sqrt(2))).astype(np.int8)
    return found


def _words(article: Article) -> NDArray[np.float32]:
    """The stems of a report, hashed, unit length."""
    report = report_of(article)
    counts = Counter(TITLE_COUNT * report_stems(report.title) + report_stems(report.lead))
    return hashed_stems(counts, article.language, WORD_SIZE)
