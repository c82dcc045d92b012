"""Which articles belong to one story: an event with all that led to it, followed from it or was said of it.

Two articles are *alike* if they were published within the window of time and the similarity of their reports
(:mod:`whywire.events.report_vectors`) reaches the mean of their two cuts. The cut of an article grows with its
*crowd*, the number of articles of the same days that are related to it at all: in a pandemic most similar articles do
not belong together, in a quiet week they do. Articles that are connected by alike pairs are a *region*. The stories
of a region are found by average linkage of all its pairs; two groups are merged only if a pair between them is alike,
so no story reaches beyond its region.

So an article that comes, changes or goes can alter the stories of the regions it touches, and no others. In a build
all articles come at once.

Two stories in one are worse than one story in two: events are sought inside stories, so unrelated mentions are then
compared; a divided story only hides that its parts belong together.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from networkx.utils import UnionFind
from numpy.typing import NDArray

from whywire.elements import short_hash
from whywire.events.candidates import Times, similarities
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

MAX_REGION = 5_000
"""Largest region whose articles are all compared with each other, which takes 0.2 GB; a larger one is divided, with
the most similar articles kept together."""

BLOCK_ROWS, BLOCK_COLUMNS = 256, 8192
"""Articles compared at a time, which bounds memory."""

Story = tuple[str, ...]
"""The ids of the articles of a story, in order of time."""

Bits = NDArray[np.bool_]
Numbers = NDArray[np.int64]


class IndexedArticle(NamedTuple):
    """What the index needs to know of an article.

    Args:
        vector: (size,), of :func:`~whywire.events.report_vectors.report_vector`.
    """

    id: str
    published: Published | None
    vector: NDArray[np.int8]


class Position(NamedTuple):
    """Where an article lies among the others.

    Args:
        region: the name of its region.
        crowd: the size of its crowd, ``CROWD`` at most.
    """

    region: str
    crowd: int


@dataclass(frozen=True)
class Regrouping:
    """How stories change when articles come and go.

    Args:
        coming: articles that are added; one with the id of a known article replaces it.
        gone: ids of the known articles that go or are replaced.
        positions: by id, of the articles that come, and of known articles whose position changes.
        before: the stories that end, or in which an article comes, goes or changes.
        stories: the stories that take their place.
        regions: all stories of each region that may have changed.
    """

    coming: Sequence[IndexedArticle] = ()
    gone: frozenset[str] = frozenset()
    positions: Mapping[str, Position] = field(default_factory=dict)
    before: Sequence[Story] = ()
    stories: Sequence[Story] = ()
    regions: Mapping[str, list[Story]] = field(default_factory=dict)


class ArticleIndex:
    """The articles of one language and their positions, two kilobytes an article.

    :meth:`regroup` decides what changes, :meth:`apply` changes it.
    """

    def __init__(self) -> None:
        self._articles = _Articles()
        self._region: dict[str, str] = {}
        self._members: dict[str, set[str]] = {}
        self._stories: dict[str, list[Story]] = {}

    def __len__(self) -> int:
        """Return the number of articles."""
        return len(self._articles)

    def __contains__(self, name: object) -> bool:
        """Return whether there is an article with this id."""
        return name in self._articles.row

    def load(self, articles: Sequence[IndexedArticle], positions: Sequence[Position]) -> None:
        """Set the positions of articles, of whole regions; known articles may have moved."""
        self._articles.add([article for article in articles if article.id not in self])
        for article, position in zip(articles, positions, strict=True):
            self._move(article.id, position)

    def forget(self, names: Iterable[str]) -> None:
        """Forget articles; the rest of their regions must be loaded again."""
        forgotten = {name for name in names if name in self}
        for name in forgotten:
            self._leave(name)
        self._articles.remove(forgotten)

    def regroup(self, coming: Sequence[IndexedArticle] = (), gone: Collection[str] = ()) -> Regrouping:
        """Decide what changes if articles come and go; the index stays as it is.

        Args:
            gone: ids; unknown ones are ignored.
        """
        known, new = self._articles, _Articles(coming)
        lost = frozenset(name for name in (*gone, *new.ids) if name in self)
        stays = np.ones(len(known), dtype=bool)
        stays[[known.row[name] for name in lost]] = False
        blocks = list(_blocks(known, new))
        crowds = _new_crowds(known, new, stays, blocks)
        touched = self._touched(new, stays, crowds, blocks)
        regions = [node for node in touched if isinstance(node, str)]
        staying = known.take([known.row[name] for region in regions for name in self._members[region]])
        staying.crowds = crowds[[known.row[name] for name in staying.ids]]
        staying = staying.take([row for row, name in enumerate(staying.ids) if name not in lost])
        everything = staying.joined(new)
        crowd_of = dict(zip(everything.ids, everything.crowds.tolist(), strict=True))
        parts = [touched[self._region[name]] for name in staying.ids] + [touched[row] for row in range(len(new))]
        stories_by_region = everything.stories(parts)
        before = {story for region in regions for story in self.stories_of(region)}
        stories = [story for stories in stories_by_region.values() for story in stories]
        unchanged = {story for story in stories if story in before and not any(name in new.row for name in story)}
        positions = {
            name: Position(region, crowd_of[name])
            for region, its_stories in stories_by_region.items()
            for story in its_stories
            for name in story
        }
        return Regrouping(
            coming=coming,
            gone=lost,
            positions={
                name: position
                for name, position in positions.items()
                if name in new.row or position != self.position_of(name)
            },
            before=sorted(before - unchanged),
            stories=[story for story in stories if story not in unchanged],
            regions=stories_by_region,
        )

    def _touched(
        self, new: _Articles, stays: Bits, crowds: Numbers, blocks: Iterable[_Block]
    ) -> UnionFind[str | int]:
        """The regions whose stories may change and the new articles, by name and row; those that may join are joined.

        Such a region contains an article that goes, whose crowd changes, or that becomes alike to another article.
        """
        known = self._articles
        moved = np.flatnonzero(~stays | (crowds != known.crowds))
        lower = known.take(np.flatnonzero(stays & (crowds < known.crowds)))
        lower.crowds = crowds[[known.row[name] for name in lower.ids]]
        rows = [*range(len(new))]
        touched: UnionFind[str | int] = UnionFind([*rows, *{self._region[known.ids[row]] for row in moved.tolist()}])
        of_lower = [self._region[name] for name in lower.ids]
        for others, nodes, their_blocks in ((new, rows, blocks), (lower, of_lower, _blocks(known, lower))):
            for near, columns, values in their_blocks:
                alike = _above_cuts(values, crowds[near], others.crowds[columns]) >= 0
                for left, right in np.argwhere(alike & stays[near][:, None]).tolist():
                    touched.union(self._region[known.ids[near[left]]], nodes[columns[right]])
        for near, columns, values in _blocks(new, new):
            alike = _above_cuts(values, new.crowds[near], new.crowds[columns]) >= 0
            for left, right in np.argwhere(alike).tolist():
                touched.union(int(near[left]), int(columns[right]))
        return touched

    def apply(self, regrouping: Regrouping) -> None:
        """Apply changes that :meth:`regroup` of this index decided."""
        self.forget(regrouping.gone)
        self._articles.add(regrouping.coming)
        for name, position in regrouping.positions.items():
            self._move(name, position)
        self._stories |= regrouping.regions

    def position_of(self, name: str) -> Position:
        """The position of an article, by its id."""
        return Position(self._region[name], int(self._articles.crowds[self._articles.row[name]]))

    def stories_of(self, region: str) -> list[Story]:
        """The stories of a region."""
        if region not in self._stories:
            articles = self._articles.take([self._articles.row[name] for name in self._members[region]])
            its_stories = articles.stories([region] * len(articles))
            self._stories[region] = [story for stories in its_stories.values() for story in stories]
        return self._stories[region]

    def _move(self, name: str, position: Position) -> None:
        self._leave(name)
        self._region[name] = position.region
        self._members.setdefault(position.region, set()).add(name)
        self._stories.pop(position.region, None)
        self._articles.crowds[self._articles.row[name]] = position.crowd

    def _leave(self, name: str) -> None:
        region = self._region.pop(name, None)
        if region is not None:
            self._stories.pop(region, None)
            self._members[region].remove(name)
            if not self._members[region]:
                del self._members[region]


def stories_of(articles: Sequence[IndexedArticle]) -> Sequence[Story]:
    """The stories of articles that come all at once."""
    return ArticleIndex().regroup(articles).stories


class _Articles:
    """Articles as arrays: vectors (articles, size), times, and the size of the crowd of each.

    Attributes:
        row: the index of an article, by its id.
    """

    def __init__(self, articles: Sequence[IndexedArticle] = ()) -> None:
        self.ids: list[str] = []
        self.row: dict[str, int] = {}
        self.published: list[Published | None] = []
        self.times = Times(())
        self.crowds: Numbers = np.zeros(0, dtype=np.int64)
        self._rows: NDArray[np.int8] = np.zeros((0, 0), dtype=np.int8)
        self.add(articles)

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def vectors(self) -> NDArray[np.int8]:
        return self._rows[: len(self)]

    def add(self, articles: Sequence[IndexedArticle]) -> None:
        if not articles:
            return
        first, count = len(self), len(self) + len(articles)
        if count > len(self._rows):
            grown = np.zeros((max(count, 2 * len(self._rows)), len(articles[0].vector)), dtype=np.int8)
            if first:
                grown[:first] = self.vectors
            self._rows = grown
        self._rows[first:count] = [article.vector for article in articles]
        self.row |= {article.id: row for row, article in enumerate(articles, start=first)}
        self.ids += [article.id for article in articles]
        self.published += [article.published for article in articles]
        self.times += Times([article.published for article in articles])
        self.crowds = np.concatenate([self.crowds, np.zeros(len(articles), dtype=np.int64)])

    def remove(self, names: Collection[str]) -> None:
        if names:
            kept = self.take([row for row, name in enumerate(self.ids) if name not in names])
            self.__dict__ |= kept.__dict__

    def take(self, rows: Sequence[int] | Numbers) -> _Articles:
        chosen = np.asarray(rows, dtype=np.int64)
        taken = _Articles()
        taken.ids = [self.ids[row] for row in chosen.tolist()]
        taken.row = {name: row for row, name in enumerate(taken.ids)}
        taken.published = [self.published[row] for row in chosen.tolist()]
        taken.times, taken.crowds, taken._rows = self.times.take(chosen), self.crowds[chosen], self.vectors[chosen]
        return taken

    def joined(self, others: _Articles) -> _Articles:
        both = self.take(range(len(self)))
        both.add([*map(IndexedArticle, others.ids, others.published, others.vectors)])
        both.crowds[len(self) :] = others.crowds
        return both

    def stories(self, parts: Sequence[Hashable]) -> dict[str, list[Story]]:
        """The stories by the name of their region, which is made from its first article.

        The order of the articles does not matter.

        Args:
            parts: of each article; none is alike to one of another part.
        """
        ordered = sorted(range(len(self)), key=self._order)
        of_part: dict[Hashable, list[int]] = {}
        for row in ordered:
            of_part.setdefault(parts[row], []).append(row)
        found: dict[str, list[Story]] = {}
        for rows in of_part.values():
            articles = self.take(rows)
            for groups in _regions(articles) if len(articles) <= MAX_REGION else _many_regions(articles):
                stories = [tuple(articles.ids[place] for place in group) for group in groups]
                found[stories[0][0]] = stories
        return {f"r-{short_hash(name)}": found[name] for row in ordered if (name := self.ids[row]) in found}

    def _order(self, row: int) -> tuple[object, ...]:
        """By time, articles without a time first; the id decides only between equal times and vectors."""
        return self.times.starts[row], self.times.ends[row], self.vectors[row].tobytes(), self.ids[row]


_Block = tuple[Numbers, Numbers, NDArray[np.float32]]
"""Indices of some articles (rows), of others (columns), and the similarities of their pairs, (rows, columns)."""


def _blocks(articles: _Articles, others: _Articles) -> Iterator[_Block]:
    """The similarities of articles and others, in blocks; pairs outside the window have -1 or are left out."""
    by_start = np.argsort(others.times.starts, kind="stable")
    for start in range(0, len(others), BLOCK_ROWS):
        columns = by_start[start : start + BLOCK_ROWS]
        near = np.flatnonzero(articles.times.overlap(others.times.take(columns)))
        for first in range(0, len(near), BLOCK_COLUMNS):
            rows = near[first : first + BLOCK_COLUMNS]
            values = similarities(articles.vectors[rows], others.vectors[columns])
            values[articles.times.take(rows).apart(others.times.take(columns))] = -1.0
            yield rows, columns, values


def _new_crowds(known: _Articles, new: _Articles, stays: Bits, blocks: Iterable[_Block]) -> Numbers:
    """The crowds of known articles after others come and go; the crowds of the new articles are set.

    Args:
        blocks: known articles with new ones.
    """
    crowds = known.crowds.copy()
    for rows, columns, values in blocks:
        related = values >= RELATED
        crowds[rows] += related.sum(axis=1)
        new.crowds[columns] += related[stays[rows]].sum(axis=0)
    new.crowds += _crowds_among(new, [new])
    np.minimum(new.crowds, CROWD, out=new.crowds)
    fallen = np.zeros(len(known), dtype=np.int64)
    for rows, _, values in _blocks(known, known.take(np.flatnonzero(~stays))):
        fallen[rows] += (values >= RELATED).sum(axis=1)
    crowds -= fallen
    unsure = np.flatnonzero((fallen > 0) & stays & (known.crowds >= CROWD))  # the crowd may have been larger
    if len(unsure):
        crowds[unsure] = _crowds_among(known.take(unsure), [known.take(np.flatnonzero(stays)), new])
    return np.minimum(crowds, CROWD)


def _crowds_among(articles: _Articles, groups: Iterable[_Articles]) -> Numbers:
    """The crowds that articles have among groups, one of which contains the articles themselves."""
    crowds = np.full(len(articles), -1, dtype=np.int64)
    for others in groups:
        for rows, _, values in _blocks(articles, others):
            crowds[rows] += (values >= RELATED).sum(axis=1)
    return crowds


def _above_cuts(values: NDArray[np.float32], left: Numbers, right: Numbers) -> NDArray[np.float64]:
    """By how much similarities (left, right) exceed the mean of the two cuts.

    Args:
        left, right: crowds of the articles.
    """
    step = (LAST_CUT - FIRST_CUT) / CROWD
    excess: NDArray[np.float64] = values.astype(np.float64) - (FIRST_CUT + step * (left[:, None] + right) / 2)
    return excess


def _regions(articles: _Articles) -> Iterator[list[list[int]]]:
    """The stories of each region of articles that are all compared with each other, as indices of articles."""
    values = np.full((len(articles), len(articles)), -1.0, dtype=np.float32)
    for rows, columns, near in _blocks(articles, articles):  # a region may go on for months
        values[np.ix_(rows, columns)] = near
    matrix = _above_cuts(values, articles.crowds, articles.crowds)
    alike, left = matrix >= 0, np.ones(len(articles), dtype=bool)
    for first in range(len(articles)):
        if not left[first]:
            continue
        inside = np.zeros(len(articles), dtype=bool)
        border = np.array([first])
        while len(border):
            inside[border], left[border] = True, False
            border = np.flatnonzero(alike[border].any(axis=0) & left)
        members = np.flatnonzero(inside)
        merged = merges(matrix[np.ix_(members, members)], 0.0) if len(members) > 1 else {}
        groups = components(len(members), merged, 0.0)
        yield [members[group].tolist() for group in groups]


def _many_regions(articles: _Articles) -> Iterator[list[list[int]]]:
    """The stories of each region of more than ``MAX_REGION`` articles."""
    regions: UnionFind[int] = UnionFind(range(len(articles)))
    pairs: list[Numbers] = []
    for rows, columns, values in _blocks(articles, articles):
        left, right = np.nonzero(_above_cuts(values, articles.crowds[rows], articles.crowds[columns]) >= 0)
        alike = np.stack([rows[left], columns[right]], axis=1)
        pairs.append(alike[alike[:, 0] < alike[:, 1]])
    for i, j in np.concatenate(pairs).tolist():
        regions.union(i, j)
    for members in sorted(map(sorted, regions.to_sets())):
        parts = [members] if len(members) <= MAX_REGION else _divided(members, np.concatenate(pairs), articles)
        yield [
            [part[place] for place in group]
            for part in parts
            for groups in _regions(articles.take(part))
            for group in groups
        ]


def _divided(members: Sequence[int], pairs: Numbers, articles: _Articles) -> list[list[int]]:
    """Divide a region into parts of at most ``MAX_REGION`` articles.

    Args:
        pairs: (pairs, 2), of all alike articles.
    """
    place = np.full(len(articles), -1, dtype=np.int64)
    place[list(members)] = range(len(members))
    pairs_inside = place[pairs[place[pairs[:, 0]] >= 0]]
    scores: dict[tuple[int, int], float] = {}
    vectors = articles.vectors[list(members)]
    for start in range(0, len(pairs_inside), BLOCK_COLUMNS):
        left, right = pairs_inside[start : start + BLOCK_COLUMNS].T
        values = similarities(vectors[left], vectors[right], paired=True).tolist()
        scores |= zip(zip(left.tolist(), right.tolist(), strict=True), values, strict=True)
    return [[members[at] for at in part] for part in components(len(members), scores, 0.0, MAX_REGION)]
