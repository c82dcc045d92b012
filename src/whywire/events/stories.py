"""Groups articles into affairs: an event with all that was written on it.

How wide an affair is depends on the news: among a dozen affairs everything on one of them belongs together, in a
pandemic's stream most of what is alike does not. So the articles are joined by average linkage of how alike they are,
in meaning and in distinctive terms, and the cut is taken at which the affairs are nearest in themselves and farthest
from each other.

That compares all with all. So more than ``MOST`` articles are divided first: each is tied to its nearest neighbours
in meaning, and they are joined as :func:`~whywire.events.linkage.components` joins, from the nearest pair down,
while no component has more than ``MOST``. Components of half of that at most are put together, in the order of their
first articles, as many as fit. The parts are then grouped one by one, but words are weighed by all texts and one cut
is taken for all parts, the one that divides all articles best: parts that choose a cut of their own merge what is not
one affair, and tear apart what is. What the limit costs is the lesser error, an affair in two groups.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from whywire.events.candidates import Times, candidate_pairs
from whywire.events.headline_events import HeadlineEvents
from whywire.events.linkage import Pair, components, joins
from whywire.news import Article, Language, Published
from whywire.news.distinctive_terms import DistinctiveTerms
from whywire.pairs.model import HeadlineModel
from whywire.progress import Stages

CUTS = tuple(np.arange(0.15, 0.9, 0.025).tolist())
"""Mean similarities down to which affairs may be joined."""

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

MOST = 5_000
"""Articles that are compared all with all: half a gigabyte, and a quarter of a minute."""

NEIGHBOURS = 30
"""With so many others an article is compared where there are more than that."""

ROWS_AT_ONCE = 1024
"""Articles looked at together, which bounds memory."""

PAIRS_AT_ONCE = 16_384
"""The same for pairs of them."""


def find_stories(
    articles: Sequence[Article],
    language: Language,
    headlines: HeadlineEvents,
    model: HeadlineModel,
    stages: Stages,
) -> list[list[int]]:
    """Partition articles of one language into stories, by title, lead and words; headlines of one event share one.

    Returns:
        The numbers of the articles of each.
    """
    leads = [" ".join(article.text.split()[:LEAD_WORDS]) for article in articles]
    with_lead = [number for number, lead in enumerate(leads) if lead]
    with stages.stage("embedding leads", language, len(with_lead)) as advance:
        vectors = headlines.vectors.copy()
        vectors[with_lead] += model.embed([leads[number] for number in with_lead], advance)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    with stages.stage("finding stories", language):
        texts = [f"{article.title} {article.text}" for article in articles]
        stories = group_stories(vectors, texts, [article.published for article in articles])
    shape = nx.Graph()
    for members in (*stories, *headlines.groups):
        nx.add_path(shape, members)
    return sorted(sorted(members) for members in nx.connected_components(shape))


def group_stories(
    vectors: NDArray[np.float32],
    texts: Sequence[str] = (),
    times: Sequence[Published | None] = (),
    *,
    most: int = MOST,
) -> list[list[int]]:
    """Partition articles by average linkage, at the cut that divides them best.

    Takes memory that grows with the number of articles and with the square of ``most``.

    Args:
        vectors: (articles, size), unit length: what they mean.
        texts: of each article, its title among them; empty where there is none, none at all if only meaning counts.
        times: of each article, none at all if they are of one time; those further apart than the window are not
            alike.
        most: articles to compare all with all, and so the most that an affair may have.

    Returns:
        Groups in the order of their first members; members in order.
    """
    if not len(vectors):
        return []
    weights = word_weights(texts)
    linked: list[tuple[list[int], dict[Pair, float]]] = []
    silhouettes_at: list[list[NDArray[np.float64]]] = [[] for _ in CUTS]
    for part in _parts(vectors, times, most):
        found, counted = _linked(
            vectors[part],
            [texts[number] for number in part] if texts else (),
            Times([times[number] for number in part]) if times else None,
            weights,
        )
        linked.append((part, found))
        for own, more in zip(silhouettes_at, counted, strict=True):
            own.append(more)
    cut, _ = max(zip(CUTS, silhouettes_at, strict=True), key=lambda at: _mean(np.hstack(at[1])))
    return sorted(
        [part[place] for place in group] for part, found in linked for group in components(len(part), found, cut)
    )


def _linked(
    vectors: NDArray[np.float32], texts: Sequence[str], clock: Times | None, weights: Mapping[str, float]
) -> tuple[dict[Pair, float], list[NDArray[np.float64]]]:
    """Compare articles all with all: their joins, and the silhouettes of the groups at each of ``CUTS``."""
    alike = similarity(vectors, texts, weights)
    if clock:
        everything = np.arange(len(vectors))
        for start in range(0, len(alike), ROWS_AT_ONCE):
            rows = everything[start : start + ROWS_AT_ONCE]
            alike[start : start + ROWS_AT_ONCE][clock.outside(rows, everything)] = 0.0
    found = joins(alike, CUTS[0])
    return found, [_counted(alike, components(len(vectors), found, cut)) for cut in CUTS]


def _parts(vectors: NDArray[np.float32], times: Sequence[Published | None], most: int) -> Iterator[list[int]]:
    """The articles in parts of ``most`` at most, those together that are near."""
    count = len(vectors)
    if count <= most:
        yield [*range(count)]
        return
    part: list[int] = []
    for members in components(count, _near(vectors, times), CUTS[0], most):
        if 2 * len(members) > most:
            yield members
            continue
        if len(part) + len(members) > most:
            yield sorted(part)
            part = []
        part += members
    if part:
        yield sorted(part)


def _near(vectors: NDArray[np.float32], times: Sequence[Published | None]) -> dict[Pair, float]:
    """The cosines of articles with their nearest neighbours."""
    known = times or [None] * len(vectors)
    pairs = candidate_pairs(vectors, known, neighbours=NEIGHBOURS, floor=CUTS[0])
    cosines: list[float] = []
    for start in range(0, len(pairs), PAIRS_AT_ONCE):
        left, right = np.array(pairs[start : start + PAIRS_AT_ONCE]).T
        cosines += (vectors[left] * vectors[right]).sum(axis=1).tolist()
    return dict(zip(pairs, cosines, strict=True))


def similarity(
    vectors: NDArray[np.float32], texts: Sequence[str] = (), weights: Mapping[str, float] | None = None
) -> NDArray[np.float64]:
    """How alike articles are, (articles, articles).

    In meaning, and where both have texts of ``FEWEST_WORDS`` at least the mean of that and of the cosine of their
    distinctive terms, of which the rarer count more (TF-IDF).

    Args:
        vectors: (articles, size), unit length.
        texts: of each article, its title among them; empty where there is none.
        weights: :func:`word_weights`, if of more texts than these.
    """
    alike = (vectors @ vectors.T).astype(np.float64)
    told = np.array([number for number, text in enumerate(texts) if _long(text)], dtype=np.int64)
    if len(told):
        weights = word_weights(texts) if weights is None else weights
        by_words = _cosines_of_words([texts[number] for number in told], weights)
        for start in range(0, len(told), ROWS_AT_ONCE):
            rows = np.ix_(told[start : start + ROWS_AT_ONCE], told)
            alike[rows] = (alike[rows] + by_words[start : start + ROWS_AT_ONCE]) / 2
    return alike


def word_weights(texts: Sequence[str]) -> dict[str, float]:
    """How much each distinctive term counts, the rarer the more: of the texts of ``FEWEST_WORDS`` at least."""
    told = [text for text in texts if _long(text)]
    holders = DistinctiveTerms(told, common=COMMON).holders
    return {word: (math.log((1 + len(told)) / (1 + len(own))) + 1) ** 2 for word, own in holders.items()}


def separation(alike: NDArray[np.float64], groups: Sequence[Sequence[int]]) -> float:
    """The mean silhouette of the groups, each counted by its size to the power ``SIZE_COUNTS``, -1 to 1.

    Counted by its size alone, a single large group that falls apart well would decide for all the others. Groups of
    one have the silhouette ``ALONE`` here: in a stream most articles share no affair with another.
    """
    if not groups:
        return 0.0
    return _mean(_counted(alike, groups))


def _counted(alike: NDArray[np.float64], groups: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """The silhouettes of groups and how much each counts, (2, groups)."""
    found = silhouettes(alike, groups)
    means = [found[list(group)].mean() if len(group) > 1 else ALONE for group in groups]
    return np.array([means, [len(group) ** SIZE_COUNTS for group in groups]])


def _mean(counted: NDArray[np.float64]) -> float:
    return float(np.average(counted[0], weights=counted[1]))


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


def _long(text: str) -> bool:
    return len(text.split()) >= FEWEST_WORDS


def _cosines_of_words(texts: Sequence[str], weights: Mapping[str, float]) -> NDArray[np.float64]:
    """(texts, texts), by their distinctive terms; a text without any is like itself alone."""
    alike = np.zeros((len(texts), len(texts)))
    for word, holders in DistinctiveTerms(texts, common=1.0).holders.items():
        if word in weights:
            alike[np.ix_(holders, holders)] += weights[word]
    lengths = np.sqrt(np.diag(alike))
    lengths[lengths == 0] = 1.0
    for start in range(0, len(alike), ROWS_AT_ONCE):
        alike[start : start + ROWS_AT_ONCE] /= lengths[start : start + ROWS_AT_ONCE, None] * lengths
    np.fill_diagonal(alike, 1.0)
    return alike
