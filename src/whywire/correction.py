"""Corrections by a person: links that are hidden, and reports that are not of one event.

Ids of events change, and events grow, merge and split. So a correction names words of articles, its *anchors*, and
applies wherever these words are mentions of events. It applies to any events that have such mentions, so what it does
to a story depends on that story alone. While an article is withdrawn, or a new version has other words at an anchor,
the anchor does not count; a correction that has lost all anchors of a side rests.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from whywire.elements import LinkKind, Mention
from whywire.news import Article
from whywire.news.article import Span


class CorrectionKind(StrEnum):
    """What a correction says."""

    HIDE_LINK = "hide_link"
    """No link of a kind leads from an event of the left to an event of the right."""
    APART = "apart"
    """What is on the left and what is on the right are never one event."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """Words of an article that a correction is about.

    Args:
        article: id of the article.
        field: ``"title"`` or ``"text"``.
        span: half-open character offsets of the words in that field.
    """

    article: str
    field: str
    span: Span
    words: str

    @classmethod
    def at(cls, mention: Mention, article: Article) -> Anchor:
        """The anchor of a mention."""
        words = getattr(article, mention.field)[slice(*mention.span)]
        return cls(mention.article, mention.field, mention.span, words)

    def stands_in(self, article: Article) -> bool:
        """Whether an article, of the anchor's id, has these words at this place."""
        return bool(getattr(article, self.field)[slice(*self.span)] == self.words)

    def place_in(self, mentions: Sequence[Mention]) -> int | None:
        """The index of the mention, of the anchor's article, that overlaps most; ``None`` if none does.

        Other models may read other mentions.
        """
        shares = [self._share_of(mention) for mention in mentions]
        best = max(range(len(shares)), key=shares.__getitem__, default=None)
        return None if best is None or shares[best] <= 0 else best

    def _share_of(self, mention: Mention) -> float:
        """The share (up to 1) of the characters of either that both have; 0 or less if they do not overlap."""
        (start, end), (first, last) = self.span, mention.span
        if mention.field != self.field:
            return 0.0
        return (min(end, last) - max(start, first)) / (max(end, last) - min(start, first))


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person corrected.

    Args:
        left: of a link, words of its source; else the words of some reports.
        right: of a link, words of its target; else those of the reports that tell of another event.
        link_kind: of a hidden link.
        at: when it was made.
        by: who made it: the name of a key.
        taken_back: when it was taken back; it no longer applies then.
        taken_back_by: who took it back.
    """

    id: str
    kind: CorrectionKind
    left: tuple[Anchor, ...]
    right: tuple[Anchor, ...]
    at: datetime
    by: str
    link_kind: LinkKind | None = None
    note: str = ""
    taken_back: datetime | None = None
    taken_back_by: str | None = None

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        """Those of both sides."""
        return *self.left, *self.right

    @property
    def articles(self) -> frozenset[str]:
        """The ids of the articles of its anchors."""
        return frozenset(anchor.article for anchor in self.anchors)

    def says_the_same(self, other: Correction) -> bool:
        """Whether another one corrects the same in the same way."""

        def said(one: Correction) -> tuple[object, ...]:
            return one.kind, one.link_kind, one.left, one.right

        return said(self) == said(other)


def events_at(
    correction: Correction, articles: Mapping[str, Article], mentions: Iterable[tuple[Mention, str]]
) -> tuple[str | None, str | None]:
    """The events of the left and of the right: those of the first anchors that count; ``None`` where none does.

    Args:
        articles: by id.
        mentions: of these articles, with the ids of their events.
    """
    of_article: dict[str, list[tuple[Mention, str]]] = {}
    for mention, event in mentions:
        of_article.setdefault(mention.article, []).append((mention, event))

    def event_of(side: Iterable[Anchor]) -> str | None:
        for anchor in side:
            article, named = articles.get(anchor.article), of_article.get(anchor.article, [])
            if article is not None and anchor.stands_in(article):
                place = anchor.place_in([mention for mention, _ in named])
                if place is not None:
                    return named[place][1]
        return None

    return event_of(correction.left), event_of(correction.right)
