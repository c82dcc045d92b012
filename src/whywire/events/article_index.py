"""Which articles belong to one story: an event with all that led to it, followed from it or was said of it.

Two articles are *alike* if the similarity of their reports (:mod:`whywire.events.report_vectors`) reaches ``ALIKE``
and they were published within the window of time. Articles that alike pairs connect are a *region*. The stories of a
region are found by average linkage of all its pairs, down to ``ALIKE``. Two groups are merged only if one of the pairs
between them is alike, so no story reaches beyond its region.

So the stories of an article depend on what is near it, and on nothing else there is: an article that comes, changes or
goes can alter the stories of the regions that it touches, and of no others. A build is the same with all articles
coming at once.

Which error is worse? Two stories in one: events are sought inside stories, so unrelated mentions are then compared;
a story in two parts only hides that they belong together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from whywire.elements import short_hash
from whywire.events.candidates import Times, candidate_pairs, similarities
from whywire.events.components import Pair, components
from whywire.events.linkage import merges
from whywire.news.article import Published

ALIKE = 0.3
"""The similarity from which two reports are alike, and the mean similarity from which two groups are one story.

Chosen on draws from the streams' second afternoon and on corpora of topics (docs/experiments/stories.md).
"""

MAX_REGION = 5_000
"""Articles of a region that are compared all with all: a fifth of a gigabyte. A larger region is divided, and the most
alike articles stay together."""

BLOCK_ROWS, BLOCK_COLUMNS = 256, 8192
"""Articles compared with others at a time, which bounds memory."""

Story = tuple[str, ...]
"""The ids of the articles of a story, in order of time."""


class IndexedArticle(NamedTuple):
    """What must be known of an article to find its story.

    Args:
        vector: (size,), of :func:`~whywire.events.report_vectors.report_vector`.
    """

    id: str
    published: Published | None
    vector: NDArray[np.int8]


@dataclass(frozen=True)
class Regrouping:
    """How stories change when articles come and go.

    Args:
        coming: articles that are added; one with the id of a known article takes its place.
        gone: the ids of the known articles that go, or whose place is taken.
        regions: the regions of the articles that are in another one now, by their ids.
        before: the stories that end, or in which an article comes, goes or changes.
        stories: what is instead of these.
    """

    coming: Sequence[IndexedArticle] = ()
    gone: frozenset[str] = frozenset()
    regions: Mapping[str, str] = field(default_factory=dict)
    before: Sequence[Story] = ()
    stories: Sequence[Story] = ()


class ArticleIndex:
    """The articles of one language and their regions. :meth:`regroup` decides, :meth:`apply` does.

    It takes two kilobytes an article.
    """

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._published: list[Published | None] = []
        self._times = Times(())
        self._vectors: NDArray[np.int8] = np.zeros((0, 0), dtype=np.int8)
        self._row: dict[str, int] = {}
        self._region: dict[str, str] = {}
        self._members: dict[str, set[str]] = {}
        self._stories: dict[str, list[Story]] = {}

    def __len__(self) -> int:
        """Return the number of articles."""
        return len(self._ids)

    def __contains__(self, article: object) -> bool:
        """Return whether there is an article with this id."""
        return article in self._row

    def load(self, articles: Iterable[IndexedArticle], regions: Iterable[str]) -> None:
        """Know the regions of some articles, whole ones; known articles may be in another region than before."""
        given = list(articles)
        self._add([article for article in given if article.id not in self])
        for article, region in zip(given, regions, strict=True):
            self._move(article.id, region)

    def forget(self, names: Collection[str]) -> None:
        """Forget articles; the region that one was in must be loaded again."""
        own = {name for name in names if name in self}
        for name in own:
            self._move(name, None)
        self._remove(own)

    def regroup(self, coming: Sequence[IndexedArticle] = (), gone: Collection[str] = ()) -> Regrouping:
        """Decide what changes if articles come and go; nothing is changed yet.

        Args:
            gone: ids; unknown ones change nothing.
        """
        new = {article.id for article in coming}
        lost = frozenset(name for name in (*gone, *new) if name in self._row)
        touched = {self._region[name] for name in lost} | self._regions_alike(coming)
        staying = [self._article(name) for region in touched for name in self._members[region] if name not in lost]
        before = {story for region in touched for story in self.stories_of(region)}
        found = find_stories([*staying, *coming])
        unchanged = {story for own in found.values() for story in own if story in before and new.isdisjoint(story)}
        return Regrouping(
            coming=coming,
            gone=lost,
            regions={
                name: region
                for region, own in found.items()
                for story in own
                for name in story
                if name in new or self._region[name] != region
            },
            before=sorted(before - unchanged),
            stories=[story for own in found.values() for story in own if story not in unchanged],
        )

    def apply(self, regrouping: Regrouping) -> None:
        """Make the changes that this index decided."""
        self.forget(regrouping.gone)
        self._add(regrouping.coming)
        for name, region in regrouping.regions.items():
            self._move(name, region)

    def stories_of(self, region: str) -> list[Story]:
        """The stories of a region."""
        if region not in self._stories:
            found = find_stories([self._article(name) for name in self._members[region]])
            self._stories[region] = [story for own in found.values() for story in own]
        return self._stories[region]

    def story_of(self, article: str) -> Story:
        """The story of the article with this id."""
        return next(story for story in self.stories_of(self._region[article]) if article in story)

    def _article(self, name: str) -> IndexedArticle:
        row = self._row[name]
        return IndexedArticle(name, self._published[row], self._vectors[row])

    def _regions_alike(self, coming: Sequence[IndexedArticle]) -> set[str]:
        """The regions of which some article is alike to one of those that come."""
        found: set[str] = set()
        for start in range(0, len(coming), BLOCK_ROWS):
            block = coming[start : start + BLOCK_ROWS]
            vectors, times = np.stack([one.vector for one in block]), Times([one.published for one in block])
            near = np.flatnonzero(self._times.overlap(times))
            for first in range(0, len(near), BLOCK_COLUMNS):
                rows = near[first : first + BLOCK_COLUMNS]
                alike = similarities(self._vectors[rows], vectors) >= ALIKE
                both = self._times.take(rows) + times
                apart = both.outside(np.arange(len(rows)), np.arange(len(rows), len(rows) + len(block)))
                hits = rows[(alike & ~apart).any(axis=1)]
                found |= {self._region[self._ids[row]] for row in hits.tolist()}
        return found

    def _add(self, articles: Sequence[IndexedArticle]) -> None:
        if not articles:
            return
        count = len(self._ids) + len(articles)
        if count > len(self._vectors):
            grown = np.zeros((max(count, 2 * len(self._vectors)), len(articles[0].vector)), dtype=np.int8)
            grown[: len(self._ids)] = self._vectors[: len(self._ids)].reshape(-1, grown.shape[1])
            self._vectors = grown
        self._vectors[len(self._ids) : count] = [one.vector for one in articles]
        self._row |= {one.id: row for row, one in enumerate(articles, start=len(self._ids))}
        self._ids += [one.id for one in articles]
        self._published += [one.published for one in articles]
        self._times += Times([one.published for one in articles])

    def _remove(self, names: Collection[str]) -> None:
        if not names:
            return
        kept = [row for row, name in enumerate(self._ids) if name not in names]
        self._ids, self._published = ([own[row] for row in kept] for own in (self._ids, self._published))
        self._vectors, self._times = self._vectors[kept], self._times.take(kept)
        self._row = {name: row for row, name in enumerate(self._ids)}

    def _move(self, name: str, region: str | None) -> None:
        """Put an article into a region, out of the one it was in."""
        before = self._region.pop(name, None)
        for changed in (before, region):
            self._stories.pop(changed or "", None)
        if before is not None:
            self._members[before].remove(name)
            if not self._members[before]:
                del self._members[before]
        if region is not None:
            self._region[name] = region
            self._members.setdefault(region, set()).add(name)


def find_stories(articles: Iterable[IndexedArticle]) -> dict[str, list[Story]]:
    """Partition articles of one language into stories: those of each region, by its name.

    A region is named after its first article. The order of the articles changes nothing.
    """
    ordered = sorted(articles, key=_order)
    if not ordered:
        return {}
    vectors, times = np.stack([one.vector for one in ordered]), [one.published for one in ordered]
    found: dict[str, list[Story]] = {}
    for members, groups in _regions(vectors, times) if len(ordered) <= MAX_REGION else _many_regions(vectors, times):
        region = f"r-{short_hash(ordered[members[0]].id)}"
        found[region] = [tuple(ordered[place].id for place in group) for group in groups]
    return found


def _order(article: IndexedArticle) -> tuple[object, ...]:
    """By time, those without one first; ids decide only where all that stories depend on is equal."""
    known = article.published
    return (known.at.timestamp(), known.until.timestamp()) if known else (), article.vector.tobytes(), article.id


def _regions(
    vectors: NDArray[np.int8], times: Sequence[Published | None]
) -> Iterator[tuple[list[int], list[list[int]]]]:
    """The regions of articles that are compared all with all, with the stories of each."""
    matrix, everything = similarities(vectors, vectors), np.arange(len(vectors))
    matrix[Times(times).outside(everything, everything)] = 0.0
    alike, left = matrix >= ALIKE, np.ones(len(vectors), dtype=bool)
    for first in range(len(vectors)):
        if not left[first]:
            continue
        inside = np.zeros(len(vectors), dtype=bool)
        border = np.array([first])
        while len(border):
            inside[border], left[border] = True, False
            border = np.flatnonzero(alike[border].any(axis=0) & left)
        members = np.flatnonzero(inside)
        merged = merges(matrix[np.ix_(members, members)], ALIKE) if len(members) > 1 else {}
        groups = components(len(members), merged, ALIKE)
        yield members.tolist(), [members[group].tolist() for group in groups]


def _many_regions(
    vectors: NDArray[np.int8], times: Sequence[Published | None]
) -> Iterator[tuple[list[int], list[list[int]]]]:
    """The same of more articles; a region of more than ``MAX_REGION`` is divided."""
    alike = candidate_pairs(vectors, times, neighbours=len(vectors), floor=ALIKE)
    for members in components(len(vectors), dict.fromkeys(alike, ALIKE), ALIKE):
        parts = [members] if len(members) <= MAX_REGION else _divided(members, alike, vectors)
        yield (
            members,
            [
                [part[place] for place in group]
                for part in parts
                for _, groups in _regions(vectors[part], [times[place] for place in part])
                for group in groups
            ],
        )


def _divided(members: Sequence[int], alike: Iterable[Pair], vectors: NDArray[np.int8]) -> list[list[int]]:
    """A region in parts of ``MAX_REGION`` at most."""
    place = {member: at for at, member in enumerate(members)}
    pairs = [(place[i], place[j]) for i, j in alike if i in place]
    own, scores = vectors[list(members)], np.zeros(len(pairs), dtype=np.float32)
    for start in range(0, len(pairs), BLOCK_COLUMNS):
        left, right = np.array(pairs[start : start + BLOCK_COLUMNS]).T
        scores[start : start + BLOCK_COLUMNS] = similarities(own[left], own[right], paired=True)
    parts = components(len(members), dict(zip(pairs, scores.tolist(), strict=True)), ALIKE, MAX_REGION)
    return [[members[at] for at in part] for part in parts]
