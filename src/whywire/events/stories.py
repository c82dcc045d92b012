"""Groups a collection of articles into stories: an event with all that led to it, followed from it or was said of it.

A build and a store find stories in another way (:mod:`whywire.events.article_index`). Here the whole collection
decides how wide a story is: in a collection on a dozen stories all articles on one belong together, in a pandemic
most similar articles do not. So articles are grouped by average linkage of the cosines of their vectors, at the cut
that separates the groups best by silhouettes (Rousseeuw 1987). Groups with headlines of one event are one story.

Two stories in one are worse than one story in two: events are sought inside stories, so unrelated mentions are then
compared; a divided story only hides that its parts belong together.

All pairs of articles are compared. So more than ``MAX_ARTICLES`` are divided first: each is connected with its
nearest neighbours, and components are limited to ``MAX_ARTICLES`` (:func:`~whywire.events.linkage.components`).
Components of at most half that size are packed together, in the order of their first articles. The parts are grouped
one by one, but with one cut for all: with a cut for each, some parts would merge separate stories and others divide
one. The limit risks the lesser error, one story in two groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from whywire.events.candidates import Pair, Times, candidate_pairs
from whywire.events.linkage import components, merges
from whywire.news import Article, Language, Published
from whywire.progress import Stages

CUTS = tuple(np.arange(0.15, 0.9, 0.025).tolist())
"""The similarities at which the dendrogram may be cut."""

MAX_ARTICLES = 5_000
"""Most articles of which all pairs are compared, which takes 0.5 GB and 15 seconds."""

MAX_NEIGHBOURS = 30
"""Other articles that an article is connected with if there are more than ``MAX_ARTICLES``."""

BLOCK_ROWS = 1024
"""Articles compared with all others at a time, which bounds memory."""

SIZE_EXPONENT = 0.75
"""A group counts by this power of its size. If the size itself counted, one large, well separated group would decide
for all others.
"""

SINGLETON_SILHOUETTE = 0.1
"""The silhouette of a group of one article. Most articles of a stream share no story with another; with 0 they would
be forced together."""

UNRELATED_SIMILARITY = 0.1
"""The similarity of reports of different stories, with which a single group of all articles is compared."""

BLOCK_PAIRS = 16_384
"""Pairs compared at a time, which bounds memory."""


def separate_collection(
    articles: Sequence[Article],
    vectors: NDArray[np.float32],
    headlines: Sequence[Sequence[int]],
    language: Language,
    stages: Stages,
) -> list[list[int]]:
    """Partition articles of one language into stories; articles whose headlines report one event are in one story.

    Args:
        vectors: (articles, size), unit length.
        headlines: for each event, the indices of the articles whose headlines report it.

    Returns:
        The indices of the articles of each story, in order; stories in the order of their first articles.
    """
    with stages.stage("finding stories", language):
        found = separate_stories(vectors, [article.published for article in articles])
    return _unions(found, headlines)


def _unions(stories: Iterable[Sequence[int]], events: Iterable[Sequence[int]]) -> list[list[int]]:
    """The unions of stories that share an event."""
    shape = nx.Graph()
    for members in (*stories, *events):
        nx.add_path(shape, members)
    return sorted(sorted(members) for members in nx.connected_components(shape))


def separate_stories(
    vectors: NDArray[np.float32], times: Sequence[Published | None] = (), *, max_articles: int = MAX_ARTICLES
) -> list[list[int]]:
    """Partition articles by average linkage, at the cut that separates them best.

    Memory grows linearly with the articles and with the square of ``max_articles``.

    Args:
        vectors: (articles, size), unit length.
        times: of each article, none at all if they are of one time; articles further apart than the window have the
            similarity 0.
        max_articles: articles compared all with all, and so the largest size of a story.
    """
    if not len(vectors):
        return []
    dendrograms: list[tuple[list[int], dict[Pair, float]]] = []
    silhouettes_at: list[list[NDArray[np.float64]]] = [[] for _ in CUTS]
    for part in _parts(vectors, times, max_articles):
        found, weighted = _dendrogram(vectors[part], Times([times[number] for number in part]) if times else None)
        dendrograms.append((part, found))
        for own, more in zip(silhouettes_at, weighted, strict=True):
            own.append(more)
    cut, _ = max(zip(CUTS, silhouettes_at, strict=True), key=lambda at: mean_silhouette(np.hstack(at[1])))
    return sorted(
        [part[place] for place in group] for part, found in dendrograms for group in components(len(part), found, cut)
    )


def _dendrogram(
    vectors: NDArray[np.float32], times: Times | None
) -> tuple[dict[Pair, float], list[NDArray[np.float64]]]:
    """The merges of articles compared all with all, and the silhouettes of the groups at each of ``CUTS``."""
    matrix = (vectors @ vectors.T).astype(np.float64)
    if times:
        everything = np.arange(len(vectors))
        for start in range(0, len(matrix), BLOCK_ROWS):
            rows = everything[start : start + BLOCK_ROWS]
            matrix[start : start + BLOCK_ROWS][times.outside(rows, everything)] = 0.0
    found = merges(matrix, CUTS[0])
    return found, [group_silhouettes(matrix, components(len(vectors), found, cut)) for cut in CUTS]


def _parts(vectors: NDArray[np.float32], times: Sequence[Published | None], max_articles: int) -> Iterator[list[int]]:
    """Articles in parts of ``max_articles`` at most, with neighbours together."""
    count = len(vectors)
    if count <= max_articles:
        yield [*range(count)]
        return
    part: list[int] = []
    for members in components(count, _neighbours(vectors, times), CUTS[0], max_articles):
        if 2 * len(members) > max_articles:
            yield members
            continue
        if len(part) + len(members) > max_articles:
            yield sorted(part)
            part = []
        part += members
    if part:
        yield sorted(part)


def _neighbours(vectors: NDArray[np.float32], times: Sequence[Published | None]) -> dict[Pair, float]:
    """The cosines of articles with their nearest neighbours."""
    published = times or [None] * len(vectors)
    pairs = candidate_pairs(vectors, published, neighbours=MAX_NEIGHBOURS, floor=CUTS[0])
    cosines: list[float] = []
    for start in range(0, len(pairs), BLOCK_PAIRS):
        left, right = np.array(pairs[start : start + BLOCK_PAIRS]).T
        cosines += (vectors[left] * vectors[right]).sum(axis=1).tolist()
    return dict(zip(pairs, cosines, strict=True))


def group_silhouettes(similarity: NDArray[np.float64], groups: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """The silhouettes of groups and their weights, (2, groups)."""
    found = silhouettes(similarity, groups)
    means = [found[list(group)].mean() if len(group) > 1 else SINGLETON_SILHOUETTE for group in groups]
    return np.array([means, [len(group) ** SIZE_EXPONENT for group in groups]])


def mean_silhouette(weighted: NDArray[np.float64]) -> float:
    """The weighted mean of silhouettes and weights, (2, groups)."""
    return float(np.average(weighted[0], weights=weighted[1]))


def silhouettes(similarity: NDArray[np.float64], groups: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """The silhouette of each article (articles,), -1 to 1: how much nearer it is to its own group than to the next.

    An article alone in its group has 0. Where there is one group only, the next is taken to have the similarity
    ``UNRELATED_SIMILARITY``.

    Args:
        similarity: (articles, articles), one on the diagonal.
        groups: one or more; each article is in one.
    """
    sizes = np.array([len(group) for group in groups])
    own = np.empty(len(similarity), dtype=np.int64)
    own[np.concatenate(groups)] = np.repeat(np.arange(len(groups)), sizes)
    by_group = np.argsort(own, kind="stable")
    starts = np.concatenate([[0], sizes.cumsum()[:-1]])
    result = np.zeros(len(similarity))
    for start in range(0, len(similarity), BLOCK_ROWS):
        rows = np.arange(start, min(start + BLOCK_ROWS, len(similarity)))
        rows = rows[sizes[own[rows]] > 1]
        sums = np.add.reduceat(similarity[rows][:, by_group], starts, axis=1)
        inside = (sums[np.arange(len(rows)), own[rows]] - 1) / (sizes[own[rows]] - 1)
        sums /= sizes
        sums[np.arange(len(rows)), own[rows]] = -np.inf if len(groups) > 1 else UNRELATED_SIMILARITY
        nearest = sums.max(axis=1)
        result[rows] = (inside - nearest) / np.maximum(1 - np.minimum(inside, nearest), 1e-6)
    return result
