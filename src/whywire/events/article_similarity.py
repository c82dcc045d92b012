"""How similar two articles are: by the vectors of title and lead, and by the distinctive terms they share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from whywire.news import Article
from whywire.news.distinctive_terms import DistinctiveTerms
from whywire.pairs.reports import Report

MIN_WORDS = 25
"""An article with fewer words shares too few with others of its story for that to be a sign."""

COMMON_SHARE = 0.5
"""A word in more than this share of the articles does not tell stories apart."""

BLOCK_ROWS = 1024
"""Articles compared with all others at a time, which bounds memory."""


def report_of(article: Article) -> Report:
    """What the pair model reads of an article."""
    return Report.of(article.title, article.text)


def similarity(
    vectors: NDArray[np.float32], texts: Sequence[str] = (), weights: Mapping[str, float] | None = None
) -> NDArray[np.float64]:
    """The similarity of articles, (articles, articles), one on the diagonal.

    The cosine of their vectors; where both have ``MIN_WORDS``, the mean of that and the cosine of their distinctive
    terms weighted by TF-IDF.

    Args:
        vectors: (articles, size), unit length.
        texts: of each article with its title; empty where there is none, and none at all to compare vectors alone.
        weights: :func:`term_weights`, if they are to be those of more articles than these.
    """
    result = (vectors @ vectors.T).astype(np.float64)
    compared = np.array([number for number, text in enumerate(texts) if _is_long(text)], dtype=np.int64)
    if len(compared):
        weights = term_weights(texts) if weights is None else weights
        by_terms = _term_cosines([texts[number] for number in compared], weights)
        for start in range(0, len(compared), BLOCK_ROWS):
            rows = np.ix_(compared[start : start + BLOCK_ROWS], compared)
            result[rows] = (result[rows] + by_terms[start : start + BLOCK_ROWS]) / 2
    return result


def term_weights(texts: Sequence[str]) -> dict[str, float]:
    """The weight of each distinctive term in a product of two TF-IDF vectors: its squared IDF.

    Args:
        texts: of all articles; those of fewer than ``MIN_WORDS`` do not count.
    """
    terms = DistinctiveTerms([text for text in texts if _is_long(text)], common=COMMON_SHARE)
    return {term: idf**2 for term, idf in terms.idf().items()}


def _is_long(text: str) -> bool:
    return len(text.split()) >= MIN_WORDS


def _term_cosines(texts: Sequence[str], weights: Mapping[str, float]) -> NDArray[np.float64]:
    """Cosines (texts, texts) by distinctive terms; a text without any is similar to itself alone."""
    result = np.zeros((len(texts), len(texts)))
    for term, holders in DistinctiveTerms(texts, common=1.0).holders.items():
        if term in weights:
            result[np.ix_(holders, holders)] += weights[term]
    lengths = np.sqrt(np.diag(result))
    lengths[lengths == 0] = 1.0
    for start in range(0, len(result), BLOCK_ROWS):
        result[start : start + BLOCK_ROWS] /= lengths[start : start + BLOCK_ROWS, None] * lengths
    np.fill_diagonal(result, 1.0)
    return result
