"""Corrections by a person: links to hide, and reports of different events to keep apart.

Ids of events change, and events grow, merge and split. So a correction names words of articles, its *anchors*, and
applies to every event that has a mention at these words. What a correction does to a story depends on that story
alone. An anchor does not count while its article is withdrawn, or while a new version of the article has other words
there. If no anchor of one side counts, the correction has no effect.
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
    """No link of the given kind leads from an event of the left to an event of the right."""
    APART = "apart"
    """The reports of the left and the reports of the right are never in one event."""


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
        """Whether the article, which has the id in the anchor, has these words at this place."""
        return bool(getattr(article, self.field)[slice(*self.span)] == self.words)

    def place_in(self, mentions: Sequence[Mention]) -> int | None:
        """The index of the mention that overlaps the anchor most; ``None`` if no mention overlaps it.

        The mentions are those of the anchor's article. Other models may find other mentions, so the overlap need not
        be complete.
        """
        shares = [self._share_of(mention) for mention in mentions]
        best = max(range(len(shares)), key=shares.__getitem__, default=None)
        return None if best is None or shares[best] <= 0 else best

    def _share_of(self, mention: Mention) -> float:
        """The overlap of anchor and mention divided by their union; 0 or less if they do not overlap."""
        (start, end), (first, last) = self.span, mention.span
        if mention.field != self.field:
            return 0.0
        return (min(end, last) - max(start, first)) / (max(end, last) - min(start, first))


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person corrected.

    Args:
        left: words of the source of the hidden link, or of some of the reports to keep apart.
        right: words of the target of the hidden link, or of the reports of the other event.
        link_kind: the kind of the hidden link.
        at: when the correction was made.
        by: who made the correction: the name of a key.
        taken_back: when the correction was taken back; since then it has no effect.
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
        """The anchors of both sides."""
        return *self.left, *self.right

    @property
    def articles(self) -> frozenset[str]:
        """The ids of the articles of its anchors."""
        return frozenset(anchor.article for anchor in self.anchors)

    def says_the_same(self, other: Correction) -> bool:
        """Whether another correction has the same kind, sides and link kind."""

        def said(one: Correction) -> tuple[object, ...]:
            return one.kind, one.link_kind, one.left, one.right

        return said(self) == said(other)


def events_at(
    correction: Correction, articles: Mapping[str, Article], mentions: Iterable[tuple[Mention, str]]
) -> tuple[str | None, str | None]:
    """The event of the left and the event of the right; ``None`` for a side without an anchor that counts.

    Args:
        articles: by id.
        mentions: the mentions of these articles, each with the id of its event.
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
