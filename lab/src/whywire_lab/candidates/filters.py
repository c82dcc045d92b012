"""Filters of candidate pairs of articles, beyond nearest neighbours (HeadlineCause 2021, sections 3.3, 3.8).

Random pairs are hardly ever causal. A hyperlink from one article to the other, a common site, similarity and
different places each keep pairs of their own kind, alone or together.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from whywire.errors import InputError
from whywire.events.candidates import Times
from whywire.news.article import Article
from whywire.news.gazetteer import in_different_places
from whywire.news.places import places_in
from whywire_lab.candidates.page_addresses import page, site

Pairs = NDArray[np.int64]
"""(pairs, 2): the numbers of the left and the right article of each."""

BLOCK = 16_384
"""Pairs whose vectors are multiplied at a time, which bounds memory."""

MAX_ARTICLES = 5_000
"""Most articles whose pairs all fit into some gigabytes."""


class Filter(StrEnum):
    """A reason to keep a pair."""

    HYPERLINK = "hyperlink"
    """One article links to the other."""
    SAME_SITE = "same_site"
    """Both are of one registered domain; without urls, of one source by name."""
    NEAR = "near"
    """The headlines' embeddings are no further apart than a threshold."""
    DIFFERENT_PLACES = "different_places"
    """Both headlines name places, and no place of the one equals, holds or lies in a place of the other."""


@dataclass(frozen=True, slots=True)
class FilteredPairs:
    """Pairs, and which of them each filter keeps.

    Args:
        pairs: (pairs, 2).
        distances: cosine distance of the headlines' embeddings (pairs,), 0 to 2.
        kept: for each filter, which pairs it keeps (pairs,).
    """

    pairs: Pairs
    distances: NDArray[np.float32]
    kept: Mapping[Filter, NDArray[np.bool_]]

    def by(self, filters: Collection[Filter]) -> NDArray[np.bool_]:
        """Which pairs all of these filters keep (pairs,); without filters, every pair."""
        result = np.ones(len(self.pairs), dtype=np.bool_)
        for name in filters:
            result &= self.kept[name]
        return result

    def counts(self, among: NDArray[np.bool_] | None = None) -> dict[tuple[Filter, ...], int]:
        """How many pairs each filter keeps alone and with others; the empty combination counts all.

        Args:
            among: which pairs to count (pairs,).
        """
        return {
            chosen: int((self.by(chosen) if among is None else self.by(chosen) & among).sum())
            for size in range(len(Filter) + 1)
            for chosen in combinations(Filter, size)
        }


def filter_pairs(
    articles: Sequence[Article], vectors: NDArray[np.float32], pairs: Pairs, *, near: float
) -> FilteredPairs:
    """Apply every filter to every pair.

    Args:
        articles: to which the numbers in ``pairs`` refer.
        vectors: (articles, size), unit length, of the headlines.
        near: cosine distance up to which two headlines are near, 0 to 2.
    """
    left, right = pairs.T
    distances = cosine_distances(vectors, pairs)
    names = np.array([len(articles), 1])  # to name a pair by one number
    sites = _numbered([_site(article) for article in articles])
    named = [places_in(article.title).listed for article in articles]
    kinds = {found: number for number, found in enumerate(dict.fromkeys(named))}
    differ = np.array([in_different_places(one, other) for one in kinds for other in kinds]).reshape(
        len(kinds), len(kinds)
    )
    place_of = np.array([kinds[found] for found in named], dtype=np.int64)
    kept = {
        Filter.HYPERLINK: np.isin(np.sort(pairs, axis=1) @ names, hyperlinks(articles) @ names),
        Filter.SAME_SITE: (sites[left] == sites[right]) & (sites[left] >= 0),
        Filter.NEAR: distances <= near,
        Filter.DIFFERENT_PLACES: differ[place_of[left], place_of[right]].astype(np.bool_),
    }
    return FilteredPairs(pairs, distances, kept)


def cosine_distances(vectors: NDArray[np.float32], pairs: Pairs) -> NDArray[np.float32]:
    """One minus the cosine of the two vectors of each pair (pairs,), 0 to 2."""
    result = np.zeros(len(pairs), dtype=np.float32)
    for start in range(0, len(pairs), BLOCK):
        left, right = pairs[start : start + BLOCK].T
        result[start : start + BLOCK] = 1 - (vectors[left] * vectors[right]).sum(axis=1)
    clipped: NDArray[np.float32] = np.clip(result, 0, 2)
    return clipped


def hyperlinks(articles: Sequence[Article]) -> Pairs:
    """The pairs (i < j) of which one article links to the other, in order."""
    numbers: dict[str, list[int]] = {}
    for number, article in enumerate(articles):
        if article.url and (key := page(article.url)):
            numbers.setdefault(key, []).append(number)
    found = {
        (min(source, target), max(source, target))
        for source, article in enumerate(articles)
        for link in article.links
        for target in numbers.get(page(link, article.url or ""), ())
        if target != source
    }
    return np.array(sorted(found), dtype=np.int64).reshape(-1, 2)


def all_pairs(articles: Sequence[Article]) -> Pairs:
    """Every pair (i < j) whose times lie inside the window; they grow with the square of the articles.

    Raises:
        InputError: there are more articles than ``MAX_ARTICLES``.
    """
    if len(articles) > MAX_ARTICLES:
        raise InputError(
            f"the pairs of {len(articles):,} articles are more than can all be looked at (of {MAX_ARTICLES:,})",
            hint="look at the nearest neighbours only, or at fewer articles",
        )
    everything = np.arange(len(articles))
    outside = Times([article.published for article in articles]).outside(everything, everything)
    return np.argwhere(np.triu(~outside, 1)).astype(np.int64)


def _site(article: Article) -> str:
    if article.url:
        return site(article.url)
    return f"source {article.source.casefold()}" if article.source else ""


def _numbered(names: Sequence[str]) -> NDArray[np.int64]:
    """Equal names as equal numbers; -1 for an empty one."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(filter(None, names)))}
    return np.array([numbers.get(name, -1) for name in names], dtype=np.int64)
