"""Articles, events, links, claims and changes as rows of tables, and back, without loss.

Values that no query filters by are in JSON columns, as the fields of their dataclass (:func:`payload`).
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from whywire.elements import (
    Claim,
    ClaimEvidence,
    Event,
    EventTime,
    Evidence,
    EvidenceKind,
    HeadlineEvidence,
    ImpliedEvidence,
    Link,
    LinkKind,
    Mention,
    MentionKind,
    Order,
    has_headline,
    sort_mentions,
)
from whywire.engines import text_key
from whywire.graph.codec import Row
from whywire.news import Article, Language, Published
from whywire.news.article import InferredFrom
from whywire.news.urls import url_key
from whywire.store.records import RecordedChange, StorySummary
from whywire.store.schema import NO_TIME
from whywire.updating import Change, ChangeKind

EVIDENCE_BITS = {EvidenceKind.SAID: 1, EvidenceKind.SHOWN: 2, EvidenceKind.IMPLIED: 4}
"""The bit of each kind of evidence in ``links.evidence_kinds``."""

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
"""Characters that no database can store: NUL, and halves of surrogate pairs."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def micros(at: datetime) -> int:
    """Return a time as microseconds since 1970."""
    return (at - EPOCH) // MICROSECOND


def moment(number: int) -> datetime:
    """The inverse of :func:`micros`."""
    return EPOCH + number * MICROSECOND


def now(seconds: float = 0) -> int:
    """Return the time in a number of seconds from now, as microseconds since 1970."""
    return int((time.time() + seconds) * 1_000_000)


def payload(value: object) -> Any:
    """Return a dataclass as JSON, including nested ones; ``msgspec.convert`` reads it."""
    return msgspec.to_builtins(value, enc_hook=float)  # numpy's numbers are floats


def article_row(article: Article, number: int, changed: int) -> Row:
    """A row of ``articles``."""
    return {
        "id": article.id,
        "published": _at(article.published),
        "day_only": bool(article.published and article.published.day_only),
        "inferred_from": article.published and article.published.inferred_from,
        "utc_offset": article.published and article.published.utc_offset,
        "language": article.language.value,
        "source": article.source,
        "url": article.url,
        "url_hash": url_hash(article.url),
        "text_key": text_key(article),
        "number": number,
        "title": article.title,
        "text": article.text,
        "links": article.links,
        "also": article.also,
        "changed": changed,
    }


def article_of(row: Any) -> Article:
    """The article of a row of ``articles``."""
    return Article(
        id=row.id,
        title=row.title,
        text=row.text,
        language=Language(row.language),
        url=row.url,
        source=row.source,
        published=published(row.published, row.day_only, row.inferred_from, row.utc_offset),
        links=tuple(row.links),
        also=tuple(row.also),
    )


def event_row(event: Event, changed: int) -> Row:
    """A row of ``events``; its mentions are in the table ``mentions``."""
    return {
        "id": event.id,
        "title": event.title,
        "language": event.language.value,
        "story": event.story,
        "first_seen": _at(event.first_seen),
        "last_seen": _at(event.last_seen),
        "seen": exactness(event.first_seen, event.last_seen),
        "articles": event.articles,
        "reports": len(event.articles),
        "headline": has_headline(event),
        "named_by": event.named_by,
        "planned": event.planned,
        "time": payload(event.when),
        "checked_by": event.checked_by,
        "ended": None,
        "changed": changed,
    }


def event_of(row: Any, mentions: Iterable[Mention]) -> Event:
    """The event of a row of ``events``.

    Args:
        mentions: in any order.
    """
    articles = tuple(row.articles)
    first_seen, last_seen = seen(row)
    return Event(
        id=row.id,
        title=row.title,
        language=Language(row.language),
        first_seen=first_seen,
        last_seen=last_seen,
        articles=articles,
        story=row.story,
        mentions=sort_mentions(mentions, {article: place for place, article in enumerate(articles)}),
        named_by=row.named_by,
        planned=row.planned,
        when=msgspec.convert(row.time, EventTime | None),
        checked_by=row.checked_by,
    )


def mention_row(mention: Mention, event: str) -> Row:
    """A row of ``mentions``."""
    start, end = mention.span
    return {
        "article": mention.article,
        "field": mention.field,
        "start": start,
        "end": end,
        "kind": mention.kind.value,
        "event": event,
    }


MENTION_KINDS = {kind.value: kind for kind in MentionKind}


def mention_of(row: Any) -> Mention:
    """The mention of a row of ``mentions``."""
    return Mention(row.article, row.field, (row.start, row.end), MENTION_KINDS[row.kind])


_CLAIM_PARTS = ("cause", "effect", "signals", "antecedent", "consequent", "derived")


def claim_row(claim: Claim, number: int, changed: int) -> Row:
    """A row of ``claims``."""
    values = payload(claim)
    start, end = values.pop("sentence")
    parts = {name: part for name in _CLAIM_PARTS if (part := values.pop(name))}
    return {**values, "start": start, "end": end, "number": number, "parts": parts, "changed": changed}


def claim_of(row: Any) -> Claim:
    """The claim of a row of ``claims``."""
    names = ("id", "kind", "article", "event", "field", "quote", "probability")
    values = {name: getattr(row, name) for name in names}
    return msgspec.convert({**values, **row.parts, "sentence": (row.start, row.end)}, Claim)


def link_row(link: Link, changed: int) -> Row:
    """A row of ``links``."""
    return {
        "source": link.source,
        "target": link.target,
        "kind": link.kind.value,
        "probability": link.probability,
        "strength": link.strength,
        "time_order": link.order.value,
        "closed_by": link.closed_by,
        "weight": link.weight,
        "evidence": payload(link.evidence),
        "denied_by": payload(link.denied_by),
        "evidence_kinds": sum(EVIDENCE_BITS[kind] for kind in {evidence.kind for evidence in link.evidence}),
        "ended": None,
        "changed": changed,
    }


def link_of(row: Any) -> Link:
    """The link of a row of ``links``."""
    return Link(
        source=row.source,
        target=row.target,
        kind=LinkKind(row.kind),
        probability=row.probability,
        strength=row.strength,
        order=Order(row.time_order),
        evidence=tuple(map(_evidence, row.evidence)),
        closed_by=row.closed_by,
        denied_by=msgspec.convert(row.denied_by, tuple[ClaimEvidence, ...]),
    )


def _evidence(value: Row) -> Evidence:
    if "claim" in value:
        return msgspec.convert(value, ClaimEvidence)
    if "cause" in value:
        return msgspec.convert(value, ImpliedEvidence)
    return msgspec.convert(value, HeadlineEvidence)


def change_row(number: int, at: int, change: Change) -> Row:
    """A row of ``changes``."""
    return {
        "id": number,
        "at": at,
        "kind": change.kind.value,
        "subject": change.subject,
        "object": change.object,
        "link_kind": change.link_kind,
        "into": change.into,
        "details": dict(change.details),
    }


def change_of(row: Any) -> RecordedChange:
    """The change of a row of ``changes``."""
    link_kind = row.link_kind and LinkKind(row.link_kind)
    change = Change(ChangeKind(row.kind), row.subject, row.object, link_kind, tuple(row.into), row.details)
    return RecordedChange(row.id, moment(row.at), change)


def story_of(row: Any) -> StorySummary:
    """The summary of a row of ``stories``."""
    first_seen, last_seen = seen(row)
    return StorySummary(
        id=row.id,
        title=row.title,
        lead=row.lead,
        language=Language(row.language),
        first_seen=first_seen,
        last_seen=last_seen,
        events=row.events,
        articles=row.articles,
        links=row.links,
        outlets=row.outlets,
        weight=row.weight,
        first_listed=None if row.first_listed == NO_TIME else moment(row.first_listed),
        last_listed=None if row.last_listed == NO_TIME else moment(row.last_listed),
    )


def published(at: int, day_only: bool, inferred_from: str | None, utc_offset: int | None = None) -> Published | None:
    """The time of a row; ``None`` for ``NO_TIME``."""
    return (
        None
        if at == NO_TIME
        else Published(moment(at), day_only, InferredFrom(inferred_from) if inferred_from else None, utc_offset)
    )


def seen(row: Any) -> tuple[Published | None, Published | None]:
    """The times of the first and the last report, of a row of ``events`` or ``stories``."""
    first, last = row.seen
    return published(row.first_seen, *first), published(row.last_seen, *last)


def exactness(*times: Published | None) -> list[tuple[bool, InferredFrom | None]]:
    """The precision of times, kept beside their microseconds: day only, and what the day was inferred from."""
    return [(time.day_only, time.inferred_from) if time else (False, None) for time in times]


def url_hash(url: str | None) -> str | None:
    """128 bits of a hash of the key of a url (:func:`whywire.news.urls.url_key`)."""
    return None if url is None else hashed(url_key(url))


def hashed(text: str) -> str:
    """128 bits of a hash of a text, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _at(time: Published | None) -> int:
    return micros(time.at) if time else NO_TIME
