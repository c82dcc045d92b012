"""What models answered, kept by text: so that no text and no pair of texts is put to a model twice.

An answer is valid for one version of the weights.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from whywire.events.article_readings import ArticleReading
from whywire.news import Article, Language

KEY_DIGITS = 32
"""128 bits: nobody finds two articles with one key."""

LanguagePair = tuple[Language, tuple[str, str]]
"""The keys of two reports or texts, in order, with their language."""


@dataclass
class ModelAnswers:
    """Answers of the embedded models.

    Args:
        readings: of articles, by :func:`text_key`; each may be of another article with the same words
            (:meth:`~whywire.events.article_readings.ArticleReading.bound_to`).
        relations: probabilities (7,) of pairs: of two titles those of their relations, of the keys of two reports
            those of comparing them.
        strengths: of pairs of headlines or mentions, the causal strength of the first for the second, 0 to 100.
    """

    readings: dict[str, ArticleReading] = field(default_factory=dict)
    relations: dict[LanguagePair, NDArray[np.float64]] = field(default_factory=dict)
    strengths: dict[LanguagePair, float] = field(default_factory=dict)

    def recall(self, pairs: Collection[LanguagePair]) -> None:
        """Learn what was answered on some pairs, if it is kept elsewhere."""

    def update(self, other: ModelAnswers) -> None:
        """Add the answers of another."""
        self.readings |= other.readings
        self.relations |= other.relations
        self.strengths |= other.strengths


def text_key(article: Article) -> str:
    """The key of an article's reading: a hash of its language, title and text."""
    words = "\x1f".join((article.language, article.title, article.text))
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:KEY_DIGITS]
