"""What an update changes: articles, events, links and claims, and what happened to each.

Deciding is separate from doing: :func:`whywire.updating.update.update` returns changes and touches nothing. A state
in memory applies them (:meth:`~whywire.updating.state.State.apply`), and so does a store, in one transaction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from whywire.elements import Claim, Event, Link, LinkKind
from whywire.events.article_index import Regrouping
from whywire.news import Article, Language, Problem
from whywire.updating.predictions import PredictionCache

LinkKey = tuple[str, str, LinkKind]
"""What identifies a link: the ids of its source and its target, and its kind."""


class ChangeKind(StrEnum):
    """What happened to an article, an event or a link."""

    ARTICLE_ADDED = "article added"
    ARTICLE_COPIED = "article copied"
    """An identical copy of a known article came; the article lists it under ``also``."""
    ARTICLE_REPLACED = "article replaced"
    """A new version of it came; what its old one claimed is claimed no more."""
    ARTICLE_WITHDRAWN = "article withdrawn"
    """It is no more, and neither is what it claimed."""
    EVENT_ADDED = "event added"
    EVENT_CHANGED = "event changed"
    """Its mentions, title, times or story are others than before."""
    EVENT_MERGED = "event merged"
    """It is no more: all its mentions are in another event."""
    EVENT_SPLIT = "event split"
    """It is no more: its mentions are in several other events."""
    EVENT_ENDED = "event ended"
    """It is no more: articles that were replaced or withdrawn had all its mentions."""
    LINK_ADDED = "link added"
    LINK_CHANGED = "link changed"
    """Its evidence, probability, strength or order are others than before."""
    LINK_CLOSED = "link closed"
    """One of its events was retracted by a later report."""
    LINK_REOPENED = "link reopened"
    """The retraction that closed it no longer holds."""
    LINK_DROPPED = "link dropped"
    """Its evidence no longer suffices, or one of its events is no more."""


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that an update changed, as it is kept in the history.

    Args:
        subject: id of the article or event; of a link, its source.
        object: of a link, its target; of an article that was replaced or withdrawn, the event of its headline so far.
        link_kind: of a link.
        into: of a merged or split event, the ids of the events that its mentions are in now.
        details: what a reader of the history is shown besides: titles, and values before and after, as JSON values;
            of an article that was replaced or withdrawn, the row that it was.
    """

    kind: ChangeKind
    subject: str
    object: str | None = None
    link_kind: LinkKind | None = None
    into: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Changes:
    """Everything that an update changes; empty if nothing new came.

    Args:
        articles: new ones, new versions, and known ones that list more copies now, whole.
        gone: the ids of articles as they were so far: of those withdrawn, and those of which there is a new version.
        regroupings: how the stories of each language change.
        predictions: new ones of models, to be kept.
        claims: new ones, those of new versions, and known ones whose event is another now, whole.
        events: new and changed ones, whole.
        ended: the events that are no more, with those that hold their mentions now: one if it was merged, none if
            all its articles are gone.
        links: new and changed ones, whole.
        dropped: links that are no more.
        history: what happened, in the order: articles, events, links.
        problems: articles that were left out, and why; and notes on what was left out of articles.
    """

    articles: tuple[Article, ...] = ()
    gone: frozenset[str] = frozenset()
    regroupings: Mapping[Language, Regrouping] = field(default_factory=dict)
    predictions: PredictionCache = field(default_factory=PredictionCache)
    claims: tuple[Claim, ...] = ()
    events: tuple[Event, ...] = ()
    ended: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    dropped: tuple[LinkKey, ...] = ()
    history: tuple[Change, ...] = ()
    problems: tuple[Problem, ...] = ()

    def __bool__(self) -> bool:
        """Return whether anything changes."""
        return bool(self.history)


def link_key(link: Link) -> LinkKey:
    """Return what identifies a link."""
    return link.source, link.target, link.kind
