"""Finds the stories of articles by average linkage, a few articles at a time.

Two articles are *alike* if they were published within the window of time and the similarity of their reports reaches
the mean of their two cuts. The cut of an article grows with its *crowd*, the number of articles of the same days that
are related to it at all: in a pandemic most similar articles do not belong together, in a quiet week they do. Two
groups are merged while their pairs exceed their cuts on average, so at least one pair between them is alike.

Linkage need not begin anew when an article comes: stories stand as long as no others come between their merges, which
two stories show when they are linked alone (:meth:`Articles.stand_together`). So the articles that come are linked,
the stories that do not stand beside theirs are dissolved, all of these are linked, and so on until the others stand.
What comes out is what one linkage of all articles makes: the first merge by which that would differ joins groups of
two of these stories, and these two do not stand together. But it takes only what is near in time and alike, however
long topics go on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from whywire.events.candidates import Pair, Times, similarities
from whywire.events.linkage import components, merges
from whywire.news.article import Published

RELATED = 0.075
"""The similarity from which an article is in the crowd of another."""

CROWD = 64
"""The largest crowd that is counted; a larger crowd changes nothing."""

FIRST_CUT, LAST_CUT = 0.15, 0.35
"""The cut of an article without a crowd, and with the largest; it grows linearly in between.

These four values were chosen together, on samples of the streams' second afternoon, corpora of topics and the bundled
example (docs/experiments/grouping.md).
"""

PLACED_AT_ONCE = 256
"""Articles that come into stories at a time."""

BLOCK_ROWS, BLOCK_COLUMNS = 256, 8192
"""Articles compared at a time, which bounds memory."""

Bits = NDArray[np.bool_]
Numbers = NDArray[np.int64]
Rows = NDArray[np.int32]
Excess = NDArray[np.float64]
"""By how much similarities (left, right) exceed the mean of two cuts."""


class IndexedArticle(NamedTuple):
    """What the index needs to know of an article.

    Args:
        vector: (size,), of :func:`~whywire.events.report_vectors.report_vector`.
    """

    id: str
    published: Published | None
    vector: NDArray[np.int8]


class Merged(NamedTuple):
    """A story with its merges.

    Args:
        rows: of its articles, in order of time.
        tree: of :func:`~whywire.events.linkage.merges`, the most similar groups first; items are places in ``rows``.
    """

    rows: tuple[int, ...]
    tree: Mapping[Pair, float]


class Articles:
    """Articles as arrays: vectors (articles, size), times, and the size of the crowd of each."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.times = Times(())
        self.crowds: Numbers = np.zeros(0, dtype=np.int64)
        self._space: NDArray[np.int8] = np.zeros((0, 0), dtype=np.int8)

    def __len__(self) -> int:
        """Return the number of articles."""
        return len(self.ids)

    @property
    def vectors(self) -> NDArray[np.int8]:
        """(articles, size)."""
        return self._space[: len(self)]

    def joined(self, others: Sequence[IndexedArticle]) -> Articles:
        """These articles and others, whose crowds are not known. The next call uses the space of their vectors."""
        first, count = len(self), len(self) + len(others)
        if count > len(self._space):
            space = np.zeros((max(count, 2 * first), len(others[0].vector)), dtype=np.int8)
            if first:
                space[:first] = self.vectors
            self._space = space
        if others:
            self._space[first:count] = [article.vector for article in others]
        both = Articles()
        both.ids = [*self.ids, *(article.id for article in others)]
        both.times = self.times + Times([article.published for article in others])
        both.crowds = np.concatenate([self.crowds, np.zeros(len(others), dtype=np.int64)])
        both._space = self._space
        return both

    def take(self, rows: Sequence[int] | Numbers) -> Articles:
        """Some of the articles."""
        chosen = np.asarray(rows, dtype=np.int64)
        taken = Articles()
        taken.ids = [self.ids[row] for row in chosen.tolist()]
        taken.times, taken.crowds, taken._space = self.times.take(chosen), self.crowds[chosen], self.vectors[chosen]
        return taken

    def order(self, row: int) -> tuple[object, ...]:
        """By time, articles without a time first; the id decides only between equal times and vectors."""
        return self.times.starts[row], self.times.ends[row], self.vectors[row].tobytes(), self.ids[row]

    def blocks(self, others: Articles) -> Iterator[tuple[Numbers, Numbers, NDArray[np.float32]]]:
        """Rows, rows of others, and the similarities of their pairs: -1, or left out, where outside the window."""
        by_start = np.argsort(others.times.starts, kind="stable")
        for start in range(0, len(others), BLOCK_ROWS):
            columns = by_start[start : start + BLOCK_ROWS]
            near = np.flatnonzero(self.times.overlap(others.times.take(columns)))
            for first in range(0, len(near), BLOCK_COLUMNS):
                rows = near[first : first + BLOCK_COLUMNS]
                yield rows, columns, _similarities(self.take(rows), others.take(columns))

    def alike(self, rows: Sequence[int]) -> Iterator[tuple[Rows, Rows, Bits]]:
        """Which articles (left) are alike to which of some (right), in blocks (left, right)."""
        some, right = self.take(rows), np.asarray(rows, dtype=np.int32)
        for left, columns, values in self.blocks(some):
            above = _above_cuts(values, self.crowds[left], some.crowds[columns])
            yield left.astype(np.int32), right[columns], above >= 0

    def tree(self, rows: Sequence[int]) -> dict[Pair, float]:
        """The merges of some articles, as places in ``rows``."""
        return merges(self._excess(rows, rows), 0.0, overwrite=True)

    def linked(self, rows: Iterable[int]) -> Iterator[Merged]:
        """The stories of some articles, beside no others; the order of the articles does not matter."""
        ordered = sorted(rows, key=self.order)
        tree = self.tree(ordered)
        groups = components(len(ordered), tree, 0.0)
        trees: list[dict[Pair, float]] = [{} for _ in groups]
        place = {member: (number, at) for number, group in enumerate(groups) for at, member in enumerate(group)}
        for (i, j), value in tree.items():
            (number, left), (_, right) = place[i], place[j]
            trees[number][left, right] = value
        for group, its_tree in zip(groups, trees, strict=True):
            yield Merged(tuple(ordered[member] for member in group), its_tree)

    def stand_together(self, one: Merged, other: Merged) -> bool:
        """Whether two stories certainly come out as they are when their articles are linked together.

        They do if no group of one is as similar to one of the other, at any step, as the next two to be merged.
        """
        sums = self._excess(one.rows, other.rows)
        size, other_size = np.ones(len(one.rows)), np.ones(len(other.rows))
        steps = [(-value, pair, sums, size) for pair, value in one.tree.items()]
        steps += [(-value, pair, sums.T, other_size) for pair, value in other.tree.items()]
        for least, (keep, gone), its_sums, its_size in sorted(steps, key=itemgetter(0)):
            highest = (sums / (size[:, None] * other_size)).max()
            if highest < 0 or highest >= -least:
                return bool(highest < 0)
            its_sums[keep] += its_sums[gone]
            its_size[keep] += its_size[gone]
            its_sums[gone] = -np.inf
        return bool(sums[0, 0] < 0)

    def _excess(self, left: Sequence[int], right: Sequence[int]) -> Excess:
        one, other = self.take(left), self.take(right)
        return _above_cuts(_similarities(one, other), one.crowds, other.crowds)


def _similarities(one: Articles, other: Articles) -> NDArray[np.float32]:
    values = similarities(one.vectors, other.vectors)
    values[one.times.apart(other.times)] = -1.0
    return values


def _above_cuts(values: NDArray[np.float32], left: Numbers, right: Numbers) -> Excess:
    """By how much similarities exceed the mean of the two cuts.

    Args:
        left, right: crowds of the articles.

    Returns:
        Multiples of 2 ** -20, rounded down, whose sums are exact in whatever order.
    """
    step = (LAST_CUT - FIRST_CUT) / CROWD
    excess: Excess = values.astype(np.float64)
    excess -= FIRST_CUT + step * (left[:, None] + right) / 2
    excess *= 2**20
    np.floor(excess, out=excess)
    excess /= 2**20
    return excess


def new_crowds(articles: Articles, known: int, stays: Bits) -> tuple[Numbers, list[int]]:
    """The crowds after articles come and go.

    Args:
        known: how many of the articles were there before, with their crowds; the others come.
        stays: (articles,), which of the known ones do not go.

    Returns:
        (articles,), of those that stay or come; and the rows whose crowds were counted anew.
    """
    crowds = articles.crowds.copy()
    for rows, columns, values in articles.blocks(articles.take(np.arange(known, len(articles)))):
        related = values >= RELATED
        crowds[rows] += related.sum(axis=1)
        crowds[known + columns] += related[stays[rows]].sum(axis=0)
    crowds[known:] -= 1  # an article is related to itself
    there = stays.copy()
    there[known:] = True
    fallen = np.zeros(len(articles), dtype=np.int64)
    for rows, _, values in articles.blocks(articles.take(np.flatnonzero(~there))):
        fallen[rows] += (values >= RELATED).sum(axis=1)
    crowds[:known] -= fallen[:known]
    unsure = np.flatnonzero((fallen > 0) & stays & (articles.crowds >= CROWD))  # the crowd may have been larger
    if len(unsure):
        crowds[unsure] = -1
        for _, columns, values in articles.take(np.flatnonzero(there)).blocks(articles.take(unsure)):
            crowds[unsure[columns]] += (values >= RELATED).sum(axis=0)
    return np.minimum(crowds, CROWD), unsure.tolist()


class Placing:
    """Places articles among those that are in stories.

    Args:
        there: (articles,), which articles are in stories; changed as others are placed.
        story_of: gives the story of one of these.
        alike_to: gives the rows alike to one before, and perhaps others; ``None`` if that is not known.
        changed: rows of articles to which others may be alike now.

    Attributes:
        stories: by row, those found.
    """

    def __init__(
        self,
        articles: Articles,
        there: Bits,
        story_of: Callable[[int], Merged],
        alike_to: Callable[[int], Rows | None],
        changed: Iterable[int],
    ) -> None:
        self.stories: dict[int, Merged] = {}
        self._articles, self._there, self._story_of, self._alike_to = articles, there, story_of, alike_to
        self._changed = {*changed}
        self._alike: dict[int, list[Rows]] = {}
        self._known: dict[int, Merged] = {}

    @property
    def alike(self) -> dict[int, Rows]:
        """By row, the rows of the articles alike to it, and perhaps of others, for those that were looked at."""
        return {row: np.unique(np.concatenate(found)) for row, found in self._alike.items()}

    def place(self, loose: Collection[int]) -> None:
        """Find the stories of articles that are in none, and of others whose stories do not stand beside these."""
        self._there[[*loose]] = False
        waiting = sorted(loose, key=self._articles.order)
        for first in range(0, len(waiting), PLACED_AT_ONCE):
            self._place(waiting[first : first + PLACED_AT_ONCE])

    def _place(self, dissolved: Sequence[int]) -> None:
        """Link some articles, dissolve the stories that do not stand beside theirs, and again until all others do."""
        free: set[int] = set()
        stories: list[Merged] = []
        linked: dict[frozenset[int], list[Merged]] = {}
        standing: set[tuple[int, ...]] = set()
        while dissolved:
            free.update(dissolved)
            self._there[dissolved] = False
            self._find_alike(dissolved)
            parts = [*self._parts(free)]
            linked |= {part: [*self._articles.linked(part)] for part in parts if part not in linked}
            stories = [story for part in parts for story in linked[part]]
            broken: dict[tuple[int, ...], Merged] = {}
            for story in stories:
                if story.rows not in standing:
                    near = self._near(story)
                    fallen = [other for other in near if not self._articles.stand_together(story, other)]
                    broken |= {other.rows: other for other in fallen}
                    if not fallen:
                        standing.add(story.rows)
            dissolved = [row for rows in broken for row in rows]
        for story in stories:
            self.stories |= dict.fromkeys(story.rows, story)
        self._there[[*free]] = True

    def _parts(self, rows: Collection[int]) -> Iterator[frozenset[int]]:
        """Divide articles into parts, between which none are alike."""
        left = np.zeros(len(self._articles), dtype=bool)
        left[[*rows]] = True
        for first in rows:
            part, border = set[int](), [first] if left[first] else []
            left[first] = False
            while border:
                row = border.pop()
                part.add(row)
                near = self._alike_rows(row)
                near = np.unique(near[left[near]])
                left[near] = False
                border += near.tolist()
            if part:
                yield frozenset(part)

    def _near(self, story: Merged) -> Iterable[Merged]:
        """The other stories in which an article is alike to one of a story."""
        rows = np.unique(np.concatenate([self._alike_rows(row) for row in story.rows]))
        near = map(self._story, rows[self._there[rows]].tolist())
        return {other.rows: other for other in near}.values()

    def _story(self, row: int) -> Merged:
        if row not in self.stories and row not in self._known:
            story = self._story_of(row)
            self._known |= dict.fromkeys(story.rows, story)
        return self.stories.get(row) or self._known[row]

    def _alike_rows(self, row: int) -> Rows:
        found = self._alike[row]
        if len(found) > 1:
            found[:] = [np.concatenate(found)]
        return found[0]

    def _find_alike(self, rows: Iterable[int]) -> None:
        unknown = [row for row in rows if self._remembered(row) is None]
        self._alike |= {row: [np.zeros(0, dtype=np.int32)] for row in unknown}
        for left, right, alike in self._articles.alike(unknown):
            for column, row in enumerate(right.tolist()):
                self._alike[row].append(left[alike[:, column]])
            for place in np.flatnonzero(alike.any(axis=1)).tolist():
                if (found := self._remembered(int(left[place]))) is not None:
                    found.append(right[alike[place]])

    def _remembered(self, row: int) -> list[Rows] | None:
        """The rows alike to one, in pieces, to which others may be added; ``None`` if they are not known."""
        if row not in self._alike:
            known = None if row in self._changed else self._alike_to(row)
            if known is None:
                return None
            self._alike[row] = [known]
        return self._alike[row]
