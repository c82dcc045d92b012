"""Groups articles into affairs: an event with all that was written on it.

How wide an affair is depends on the news: among a dozen affairs everything on one of them belongs together, in a
pandemic's stream most of what is alike does not. So the articles are joined by average linkage of how alike they are,
in meaning and in telling words, and the cut is taken at which the affairs are nearest in themselves and farthest from
each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from whywire.errors import InputError
from whywire.headlines.candidates import Times
from whywire.headlines.grouping import components, joins
from whywire.headlines.words import TellingWords

CUTS = tuple(np.arange(0.15, 0.9, 0.025).tolist())
"""Mean likenesses down to which affairs may be joined."""

LEAD_WORDS = 80
"""So many words of a text, or as many of them as the model reads at once, say as much of its meaning as the title."""

FEWEST_WORDS = 25
"""With fewer words than this an article shares too few with others of its affair for that to say anything."""

SIZE_COUNTS, ALONE = 0.75, 0.1
"""The power of its size by which a group counts for a cut, and what an article that is left alone is worth to it."""

STRANGERS = 0.1
"""How alike two reports of different affairs are: what everything as one affair is held against."""

COMMON = 0.5
"""A word in more than this share of the articles says nothing about which affair is meant."""

MOST = 10_000
"""Articles that can be compared all with all in three and a half gigabytes and a minute."""

ROWS_AT_ONCE = 1024


def group_affairs(
    vectors: NDArray[np.float32], texts: Sequence[str] = (), clock: Times | None = None
) -> list[list[int]]:
    """Partition articles by average linkage, at the cut that divides them best.

    Takes time and memory that grow with the square of the articles.

    Args:
        vectors: (articles, size), unit length: what they mean.
        texts: of each article, its title among them; empty where there is none, none at all if only meaning counts.
        clock: the articles' times; those further apart than the window are not alike.

    Returns:
        Groups in the order of their first members; members in order.

    Raises:
        InputError: there are more than ``MOST``.
    """
    if len(vectors) > MOST:
        raise InputError(
            f"{len(vectors):,} articles are more than can be compared all with all ({MOST:,})",
            hint="group them in parts, or into single happenings with --narrow (narrow=True)",
        )
    alike = likeness(vectors, texts)
    if clock:
        everything = np.arange(len(vectors))
        alike[clock.outside(everything, everything)] = 0.0
    found = joins(alike, CUTS[0])
    partitions = [components(len(vectors), found, cut) for cut in CUTS]
    return max(partitions, key=lambda groups: separation(alike, groups))


def likeness(vectors: NDArray[np.float32], texts: Sequence[str] = ()) -> NDArray[np.float64]:
    """How alike articles are, (articles, articles).

    In meaning, and where both have texts of ``FEWEST_WORDS`` at least the mean of that and of the cosine of their
    telling words, of which the rarer count more (TF-IDF).

    Args:
        vectors: (articles, size), unit length.
        texts: of each article, its title among them; empty where there is none.
    """
    alike = (vectors @ vectors.T).astype(np.float64)
    told = [number for number, text in enumerate(texts) if len(text.split()) >= FEWEST_WORDS]
    if told:
        alike[np.ix_(told, told)] += _cosines_of_words([texts[number] for number in told])
        alike[np.ix_(told, told)] /= 2
    return alike


def separation(alike: NDArray[np.float64], groups: Sequence[Sequence[int]]) -> float:
    """The mean silhouette of the groups, each counted by its size to the power ``SIZE_COUNTS``, -1 to 1.

    Counted by its size alone, a single large group that falls apart well would decide for all the others. Groups of
    one have the silhouette ``ALONE`` here: in a stream most articles share no affair with another.
    """
    if not groups:
        return 0.0
    found = silhouettes(alike, groups)
    means = [found[list(group)].mean() if len(group) > 1 else ALONE for group in groups]
    return float(np.average(means, weights=[len(group) ** SIZE_COUNTS for group in groups]))


def silhouettes(alike: NDArray[np.float64], groups: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """How much nearer each article is to its own group than to the next (Rousseeuw 1987), -1 to 1.

    An article alone in its group counts zero. Where there is one group only, the next is as far as ``STRANGERS``.

    Args:
        alike: (articles, articles), one on the diagonal.
        groups: one or more.
    """
    sizes = np.array([len(group) for group in groups])
    own = np.empty(len(alike), dtype=np.int64)
    own[np.concatenate(groups)] = np.repeat(np.arange(len(groups)), sizes)
    by_group = np.argsort(own, kind="stable")
    starts = np.concatenate([[0], sizes.cumsum()[:-1]])
    result = np.zeros(len(alike))
    for start in range(0, len(alike), ROWS_AT_ONCE):
        rows = np.arange(start, min(start + ROWS_AT_ONCE, len(alike)))
        rows = rows[sizes[own[rows]] > 1]
        sums = np.add.reduceat(alike[rows][:, by_group], starts, axis=1)
        inside = (sums[np.arange(len(rows)), own[rows]] - 1) / (sizes[own[rows]] - 1)
        sums /= sizes
        sums[np.arange(len(rows)), own[rows]] = -np.inf if len(groups) > 1 else STRANGERS
        nearest = sums.max(axis=1)
        result[rows] = (inside - nearest) / np.maximum(1 - np.minimum(inside, nearest), 1e-6)
    return result


def _cosines_of_words(texts: Sequence[str]) -> NDArray[np.float64]:
    """(texts, texts), by their telling words; a text without any is like itself alone."""
    alike = np.zeros((len(texts), len(texts)))
    for holders in TellingWords(texts, common=COMMON).holders.values():
        alike[np.ix_(holders, holders)] += (math.log((1 + len(texts)) / (1 + len(holders))) + 1) ** 2
    lengths = np.sqrt(np.diag(alike))
    lengths[lengths == 0] = 1.0
    alike /= lengths[:, None] * lengths
    np.fill_diagonal(alike, 1.0)
    return alike
