"""How strongly one event led to another, asked of the document reader in the words of whoever asks.

The reader judges two mentions of one article. Two events alone become an article of two sentences. It takes the order
of sentences for a hint at the order of events, so it reads both orders, and the mean counts. In a document the events
are found by their words: every two mentions count as much as they have rare words in common with the two events, so
that an event that is told several times, or in other words, need not be found exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, hypot
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from whywire.models.odds import log_odds
from whywire.news.article import Article
from whywire.news.language import Language
from whywire.news.stems import rarities
from whywire.reading.document_reader import DocumentReader

SHARPNESS = 15.0
"""How much more a mention counts that is more similar: by a factor of e for each 1/15 of similarity.

Of 4, 8 and 15, 15 has the highest correlation with readers' scores in both languages (762 pairs of twelve stories).
"""

DOCUMENT_SHARPNESS = 4.0
"""The same for documents, by the less similar of the two events."""

_ENDINGS = ".!?…"


@dataclass(frozen=True, slots=True, eq=False)
class ReadDocument:
    """The mentions of a document, and how strongly each led to each.

    Args:
        words: the rarity of the stems of each mention.
        strengths: (mentions, mentions), log-odds: how strongly the row led to the column.
    """

    words: Sequence[Mapping[str, float]]
    strengths: NDArray[np.float64]


def strength_alone(reader: DocumentReader, cause: str, effect: str, language: Language) -> float | None:
    """How strongly one event led to another, by their words alone: log-odds; ``None`` if one is no event."""
    orders = _in_order(reader, cause, effect, language), _in_order(reader, effect, cause, language)
    if orders[0] is None or orders[1] is None:
        return None
    return fmean((orders[0][0], orders[1][1]))


def read_document(reader: DocumentReader, text: str, language: Language) -> ReadDocument:
    """Read a document, to ask about pairs of events later."""
    logits = reader.logits(Article("", "", text, language))
    kept = np.flatnonzero(logits.event >= log_odds(reader.thresholds.event)).tolist()
    spans = [logits.places[at][1:] for at in kept]
    strengths = logits.links[..., 2][np.ix_(kept, kept)].astype(np.float64)
    return ReadDocument([rarities(text[start:end], language) for start, end in spans], strengths)


def strength_told(documents: Sequence[ReadDocument], cause: str, effect: str, language: Language) -> float | None:
    """How strongly one event led to another, as documents tell it: log-odds; ``None`` if none tells of both."""
    ends = [rarities(text, language) for text in (cause, effect)]
    told: list[tuple[float, float]] = []
    for document in documents:
        by_cause, by_effect = (np.array([_similarity(end, words) for words in document.words]) for end in ends)
        found = min(by_cause.max(initial=0), by_effect.max(initial=0))
        weights = np.exp(SHARPNESS * by_cause)[:, None] * np.exp(SHARPNESS * by_effect)
        np.fill_diagonal(weights, 0)  # one mention is not both
        if found > 0 and len(weights) > 1:
            strength = float((weights * document.strengths).sum() / weights.sum())
            told.append((exp(DOCUMENT_SHARPNESS * found), strength))
    return sum(weight * strength for weight, strength in told) / sum(weight for weight, _ in told) if told else None


def _in_order(reader: DocumentReader, first: str, second: str, language: Language) -> tuple[float, float] | None:
    """The log-odds of an article of two sentences, that the first led to the second and the reverse."""
    one, other = _sentence(first), _sentence(second)
    logits = reader.logits(Article("", "", f"{one} {other}", language))
    of_first = [at for at, (_, start, _) in enumerate(logits.places) if start < len(one)]
    of_second = [at for at, (_, _, end) in enumerate(logits.places) if end > len(one) + 1]
    if not of_first or not of_second:
        return None
    left, right = (max(places, key=lambda at: float(logits.event[at])) for places in (of_first, of_second))
    return float(logits.links[left, right, 2]), float(logits.links[right, left, 2])


def _sentence(text: str) -> str:
    words = " ".join(text.split())
    return words if words.endswith(tuple(_ENDINGS)) else f"{words}."


def _similarity(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The cosine (0 to 1) of two bags of stems, weighed by rarity."""
    shared = sum(one[stem] ** 2 for stem in one.keys() & other.keys())
    return shared / (hypot(*one.values()) * hypot(*other.values())) if shared else 0.0
