"""Corrections found in what was read: which events of which articles they are about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from whywire.correction import Anchor, Correction, CorrectionKind
from whywire.elements import LinkKind
from whywire.events.article_readings import ArticleReading
from whywire.events.candidates import Pair
from whywire.events.event_groups import ArticleEvent, EventTable
from whywire.news import Article


@dataclass(frozen=True)
class CorrectedEvents:
    """The events of articles that corrections are about.

    Args:
        apart: pairs of which no two are one event, the first before the second.
        hidden: pairs that no link of a kind leads from and to.
    """

    apart: Sequence[tuple[ArticleEvent, ArticleEvent]]
    hidden: Sequence[tuple[ArticleEvent, ArticleEvent, LinkKind]]

    @classmethod
    def of(
        cls, corrections: Iterable[Correction], articles: Sequence[Article], readings: Sequence[ArticleReading]
    ) -> CorrectedEvents:
        """Find corrections in articles; what is about other articles is left out.

        Args:
            readings: of the articles.
        """
        number_of = {article.id: number for number, article in enumerate(articles)}

        def found(anchors: Iterable[Anchor]) -> Iterator[ArticleEvent]:
            for anchor in anchors:
                number = number_of.get(anchor.article)
                if number is not None and anchor.stands_in(articles[number]):
                    reading = readings[number]
                    place = anchor.place_in([mention.mention for mention in reading.mentions])
                    if place is not None:
                        yield ArticleEvent(number, next(at for at, one in enumerate(reading.events) if place in one))

        apart: set[tuple[ArticleEvent, ArticleEvent]] = set()
        hidden: set[tuple[ArticleEvent, ArticleEvent, LinkKind]] = set()
        for correction in corrections:
            for left, right in product(found(correction.left), found(correction.right)):
                if correction.kind is CorrectionKind.APART and left != right:
                    apart.add((min(left, right), max(left, right)))
                elif correction.link_kind is not None:
                    hidden.add((left, right, correction.link_kind))
        return cls(sorted(apart), sorted(hidden))

    @property
    def headlines_apart(self) -> list[Pair]:
        """The pairs of indices (i < j) of articles whose headlines are never of one event."""
        return [(left.article, right.article) for left, right in self.apart if left.event == right.event == 0]

    def hidden_in(
        self, table: EventTable, readings: Sequence[ArticleReading]
    ) -> frozenset[tuple[int, int, LinkKind]]:
        """The links of a table that are hidden: the numbers of two events, and a kind."""

        def number_of(one: ArticleEvent) -> int:
            reading = readings[one.article]
            return table.event_of[reading.mentions[reading.events[one.event][0]]]

        return frozenset((number_of(left), number_of(right), kind) for left, right, kind in self.hidden)
