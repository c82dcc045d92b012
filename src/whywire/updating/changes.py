"""What an update changes: articles, events, links and claims, and the history of each.

:func:`whywire.updating.update.update` only decides changes. A state in memory applies them
(:meth:`~whywire.updating.state.State.apply`), or a store does, in one transaction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from whywire.correction import Correction
from whywire.elements import Claim, Event, Link, LinkKind
from whywire.engines.predictions import PredictionCache
from whywire.events.article_index import Regrouping
from whywire.news import Article, Language, Problem

LinkKey = tuple[str, str, LinkKind]
"""What identifies a link: the ids of its source and its target, and its kind."""


class ChangeKind(StrEnum):
    """What happened to an article, an event or a link, and what persons corrected."""

    ARTICLE_ADDED = "article added"
    ARTICLE_COPIED = "article copied"
    """An identical copy of a known article came; the article lists it under ``also``."""
    ARTICLE_REPLACED = "article replaced"
    """A new version came; the claims of the old one are gone."""
    ARTICLE_WITHDRAWN = "article withdrawn"
    """The article was removed, with its claims."""
    EVENT_ADDED = "event added"
    EVENT_CHANGED = "event changed"
    """The event's mentions, title, times or story changed."""
    EVENT_MERGED = "event merged"
    """The event ended: all its mentions are in another event."""
    EVENT_SPLIT = "event split"
    """The event ended: its mentions are in several other events."""
    EVENT_ENDED = "event ended"
    """The event ended: all its mentions were in articles that were replaced or withdrawn."""
    LINK_ADDED = "link added"
    LINK_CHANGED = "link changed"
    """The link's evidence, probability, strength or order changed."""
    LINK_CLOSED = "link closed"
    """One of the link's events was retracted by a later report."""
    LINK_REOPENED = "link reopened"
    """The retraction that closed the link no longer holds."""
    LINK_DROPPED = "link dropped"
    """The link's evidence no longer suffices, or one of its events ended."""
    CORRECTION_MADE = "correction made"
    """A person hid a link, or told reports apart."""
    CORRECTION_TAKEN_BACK = "correction taken back"


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of the history.

    Args:
        subject: id of the article or event; for a link, of its source. For a correction, id of the event of its left
            side, or of the correction itself if that side has no words left in the news.
        object: for a link, id of its target; for an article that was replaced or withdrawn, of the event of its
            headline until then; for a correction, id of the event of its right side, if there is one.
        link_kind: for a link, or a correction that hides one.
        into: for a merged or split event, ids of the events that now have its mentions.
        details: what else a reader is shown, as JSON values: titles, values before and after, and the row of an
            article that was replaced or withdrawn.
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
        articles: new articles, new versions, and known articles that now list more copies, all complete.
        gone: ids of articles whose known version ends: it was withdrawn or replaced.
        regroupings: how the stories of each language change.
        predictions: new predictions of models, to be kept.
        claims: new ones, those of new versions, and known ones that now have another event, all complete.
        events: new and changed ones, complete.
        ended: ids of the events that ended, with those of the events that now have their mentions: one if it was
            merged, none if all its articles are gone.
        links: new and changed ones, complete.
        dropped: keys of the links that ended.
        corrections: that were made or taken back.
        history: entries on articles, then corrections, events and links.
        problems: articles that were left out, with the reason, and notes on what was left out of articles.
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
    corrections: tuple[Correction, ...] = ()
    history: tuple[Change, ...] = ()
    problems: tuple[Problem, ...] = ()

    def __bool__(self) -> bool:
        """Return whether anything changes."""
        return bool(self.history)


def link_key(link: Link) -> LinkKey:
    """Return what identifies a link."""
    return link.source, link.target, link.kind
