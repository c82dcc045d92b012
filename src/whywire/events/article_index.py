"""Which articles belong to one story: an event with all that led to it, followed from it or was said of it.

Stories are found by average linkage of similar reports (:mod:`whywire.events.story_linkage`). An article that comes,
changes or goes can alter its own story and those near it, and the index finds which. In a build all articles come at
once.

Two stories in one are worse than one story in two: events are sought inside stories, so unrelated mentions are then
compared; a divided story only hides that its parts belong together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from whywire.elements import short_hash
from whywire.events.candidates import MAX_DURATION, WINDOW, Pair
from whywire.events.story_linkage import Articles, IndexedArticle, Merged, Placing, Rows, new_crowds

LOOKED_BACK = WINDOW.total_seconds() + MAX_DURATION
"""Seconds before an article in which others may be alike to it."""

Story = tuple[str, ...]
"""The ids of the articles of a story, in order of time."""


class Position(NamedTuple):
    """Where an article lies among the others.

    Args:
        story: the name of its story, made from the first of its articles.
        crowd: the size of its crowd, ``CROWD`` at most.
    """

    story: str
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
        since: the index must have all articles since then, in seconds since 1970, for the changes to be right; minus
            infinity stands for all articles.
        alike: by row, the rows of the articles alike to it, and perhaps of others; for some of the articles.
    """

    coming: Sequence[IndexedArticle] = ()
    gone: frozenset[str] = frozenset()
    positions: Mapping[str, Position] = field(default_factory=dict)
    before: Sequence[Story] = ()
    stories: Sequence[Story] = ()
    since: float = np.inf
    alike: Mapping[int, Rows] = field(default_factory=dict, repr=False, compare=False)


class ArticleIndex:
    """The articles of one language and their positions, three kilobytes an article.

    :meth:`regroup` decides what changes, :meth:`apply` changes it.
    """

    def __init__(self) -> None:
        self._articles = Articles()
        self._row: dict[str, int] = {}
        self._story: dict[str, str] = {}
        self._members: dict[str, set[str]] = {}
        # What follows is found when it is first needed.
        self._ordered: dict[str, Story] = {}
        self._trees: dict[str, Mapping[Pair, float]] = {}
        self._alike: dict[int, Rows] = {}

    def __len__(self) -> int:
        """Return the number of articles."""
        return len(self._articles)

    def __contains__(self, name: object) -> bool:
        """Return whether there is an article with this id."""
        return name in self._row

    def load(self, articles: Sequence[IndexedArticle], positions: Sequence[Position]) -> None:
        """Set the positions of articles, of whole stories; known articles may have moved."""
        self._alike.clear()
        self._add([article for article in articles if article.id not in self])
        for article, position in zip(articles, positions, strict=True):
            self._move(article.id, position)

    def forget(self, names: Iterable[str]) -> None:
        """Forget articles; the stories of which they were a part must be loaded again."""
        forgotten = {name for name in names if name in self}
        if not forgotten:
            return
        for name in forgotten:
            self._leave(name)
        self._alike.clear()
        self._articles = self._articles.take([row for name, row in self._row.items() if name not in forgotten])
        self._row = {name: row for row, name in enumerate(self._articles.ids)}

    def regroup(self, coming: Sequence[IndexedArticle] = (), gone: Collection[str] = ()) -> Regrouping:
        """Decide what changes if articles come and go; the index stays as it is.

        Args:
            gone: ids; unknown ones are ignored.
        """
        known = len(self)
        new = {article.id: article for article in coming}
        coming = [*new.values()]
        lost = frozenset(name for name in (*new, *gone) if name in self)
        articles = self._articles.joined(coming)
        stays = np.arange(len(articles)) < known
        stays[[self._row[name] for name in lost]] = False
        articles.crowds, recounted = new_crowds(articles, known, stays)
        moved = np.flatnonzero((articles.crowds[:known] != self._articles.crowds) & stays[:known]).tolist()
        before = {self.story_of(name) for name in (*lost, *(articles.ids[row] for row in moved))}
        loose = [self._row[name] for story in before for name in story if name not in lost]
        new_rows = range(known, len(articles))
        placing = Placing(articles, stays, self._merged, self._alike.get, changed=[*moved, *new_rows])
        placing.place([*loose, *new_rows])
        placed = placing.stories
        before |= {self.story_of(articles.ids[row]) for row in placed if row < known}
        ordered = sorted({story.rows for story in placed.values()}, key=lambda rows: articles.order(rows[0]))
        stories = [tuple(articles.ids[row] for row in rows) for rows in ordered]
        unchanged = {story for story in stories if story in before and not any(name in new for name in story)}
        positions = {
            articles.ids[row]: Position(_name(story), int(articles.crowds[row]))
            for rows, story in zip(ordered, stories, strict=True)
            for row in rows
        }
        looked_at = [*placed, *recounted, *(self._row[name] for name in lost)]
        return Regrouping(
            coming=coming,
            gone=lost,
            positions={
                name: position
                for name, position in positions.items()
                if name in new or position != self.position_of(name)
            },
            before=sorted(before - unchanged),
            stories=[story for story in stories if story not in unchanged],
            since=float(articles.times.starts[looked_at].min(initial=np.inf)) - LOOKED_BACK,
            alike={} if lost else placing.alike,
        )

    def apply(self, regrouping: Regrouping) -> None:
        """Apply changes that :meth:`regroup` of this index decided."""
        self.forget(regrouping.gone)
        self._add(regrouping.coming)
        for name, position in regrouping.positions.items():
            self._move(name, position)
        self._alike |= regrouping.alike

    def position_of(self, name: str) -> Position:
        """The position of an article, by its id."""
        return Position(self._story[name], int(self._articles.crowds[self._row[name]]))

    def story_of(self, name: str) -> Story:
        """The story of an article, by its id."""
        story = self._story[name]
        if story not in self._ordered:
            rows = sorted((self._row[member] for member in self._members[story]), key=self._articles.order)
            self._ordered[story] = tuple(self._articles.ids[row] for row in rows)
        return self._ordered[story]

    def _merged(self, row: int) -> Merged:
        """The story of an article with its merges."""
        name = self._articles.ids[row]
        rows = tuple(self._row[member] for member in self.story_of(name))
        if (story := self._story[name]) not in self._trees:
            self._trees[story] = self._articles.tree(rows)
        return Merged(rows, self._trees[story])

    def _add(self, articles: Sequence[IndexedArticle]) -> None:
        self._row |= {article.id: row for row, article in enumerate(articles, start=len(self))}
        self._articles = self._articles.joined(articles)

    def _move(self, name: str, position: Position) -> None:
        self._leave(name)
        self._story[name] = position.story
        self._members.setdefault(position.story, set()).add(name)
        self._changed(position.story)
        self._articles.crowds[self._row[name]] = position.crowd

    def _leave(self, name: str) -> None:
        story = self._story.pop(name, None)
        if story is not None:
            self._changed(story)
            self._members[story].remove(name)
            if not self._members[story]:
                del self._members[story]

    def _changed(self, story: str) -> None:
        self._ordered.pop(story, None)
        self._trees.pop(story, None)


def stories_of(articles: Sequence[IndexedArticle]) -> Sequence[Story]:
    """The stories of articles that come all at once."""
    return ArticleIndex().regroup(articles).stories


def _name(story: Story) -> str:
    return f"s-{short_hash(story[0])}"
