"""Articles, events, links, claims and changes as rows of tables, and back, without loss."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from whywire.elements import (
    Claim,
    ClaimEvidence,
    ClaimKind,
    Contradiction,
    Event,
    EventTime,
    Evidence,
    EvidenceKind,
    HeadlineEvidence,
    JudgedEvidence,
    Link,
    LinkKind,
    Mention,
    MentionKind,
    Order,
    Precision,
    has_headline,
    sort_mentions,
)
from whywire.news import Article, Language, Published
from whywire.news.article import InferredFrom, Span
from whywire.news.urls import url_key
from whywire.store.records import ApiKey, RecordedChange, StorySummary
from whywire.store.schema import NO_TIME
from whywire.updating import Change, ChangeKind, LinkKey, text_key

Row = dict[str, Any]
"""The values of a row by the names of its columns."""

EVIDENCE_BITS = {EvidenceKind.SAID: 1, EvidenceKind.SHOWN: 2, EvidenceKind.JUDGED: 4}
"""What each kind of evidence adds to ``links.evidence_kinds``."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def micros(at: datetime) -> int:
    """A time as microseconds since 1970."""
    return (at - EPOCH) // _MICROSECOND


def moment(number: int) -> datetime:
    """The time of so many microseconds since 1970."""
    return EPOCH + number * _MICROSECOND


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


def article_json(article: Article) -> Row:
    """An article with its place, as JSON."""
    time = article.published
    return {
        "id": article.id,
        "title": article.title,
        "text": article.text,
        "language": article.language,
        "url": article.url,
        "source": article.source,
        "published": time and [micros(time.at), time.day_only, time.inferred_from, time.utc_offset],
        "links": article.links,
        "also": article.also,
        "place": article.place,
    }


def article_from_json(row: Mapping[str, Any]) -> Article:
    """The inverse of :func:`article_json`."""
    return Article(
        **{
            **row,
            "language": Language(row["language"]),
            "published": row["published"] and published(*row["published"]),
            "links": tuple(row["links"]),
            "also": tuple(row["also"]),
        }
    )


def event_row(event: Event, changed: int) -> Row:
    """A row of ``events``; its mentions stand in a table of their own."""
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
        "time": event.when and _time_json(event.when),
        "ended": None,
        "changed": changed,
    }


def event_of(row: Any, mentions: Iterable[Mention]) -> Event:
    """The event of a row of ``events``, with its mentions in any order."""
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
        when=None if row.time is None else _time(row.time),
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


def claim_row(claim: Claim, number: int, changed: int) -> Row:
    """A row of ``claims``."""
    return {
        "id": claim.id,
        "kind": claim.kind.value,
        "article": claim.article,
        "event": claim.event,
        "field": claim.field,
        "start": claim.sentence[0],
        "end": claim.sentence[1],
        "quote": claim.quote,
        "probability": claim.probability,
        "number": number,
        "parts": {
            name: value
            for name in ("cause", "effect", "signals", "antecedent", "consequent", "derived")
            if (value := getattr(claim, name))
        },
        "changed": changed,
    }


def claim_of(row: Any) -> Claim:
    """The claim of a row of ``claims``."""
    parts = row.parts
    return Claim(
        id=row.id,
        kind=ClaimKind(row.kind),
        article=row.article,
        event=row.event,
        field=row.field,
        sentence=(row.start, row.end),
        quote=row.quote,
        probability=row.probability,
        cause=_span(parts.get("cause")),
        effect=_span(parts.get("effect")),
        signals=tuple((start, end) for start, end in parts.get("signals", ())),
        antecedent=_span(parts.get("antecedent")),
        consequent=_span(parts.get("consequent")),
        derived=parts.get("derived"),
    )


def link_row(link: Link, changed: int) -> Row:
    """A row of ``links``; its evidence stands in a table of its own."""
    return {
        "source": link.source,
        "target": link.target,
        "kind": link.kind.value,
        "probability": link.probability,
        "strength": link.strength,
        "time_order": link.order.value,
        "closed_by": link.closed_by,
        "judged": link.judged,
        "evidence_kinds": sum(EVIDENCE_BITS[kind] for kind in {one.kind for one in link.evidence}),
        "ended": None,
        "changed": changed,
    }


def link_of(row: Any, evidence: Iterable[Any]) -> Link:
    """The link of a row of ``links`` and the rows of its evidence, in order of position."""
    supporting: list[Evidence] = []
    denying: list[ClaimEvidence] = []
    for one in evidence:
        if one.denies:
            denying.append(ClaimEvidence(one.claim, one.probability))
        else:
            supporting.append(_evidence(one))
    return Link(
        source=row.source,
        target=row.target,
        kind=LinkKind(row.kind),
        probability=row.probability,
        strength=row.strength,
        order=Order(row.time_order),
        evidence=tuple(supporting),
        closed_by=row.closed_by,
        denied_by=tuple(denying),
        judged=row.judged,
    )


def key_of(row: Any) -> LinkKey:
    """What identifies the link of a row of ``links``."""
    return row.source, row.target, LinkKind(row.kind)


def evidence_rows(link: Link) -> list[Row]:
    """The rows of ``evidence`` of a link."""
    key = {"source": link.source, "target": link.target, "link_kind": link.kind.value}
    return [
        {**key, "denies": denies, "position": position, **_evidence_values(one)}
        for denies, several in ((False, link.evidence), (True, link.denied_by))
        for position, one in enumerate(several)
    ]


def _evidence_values(one: Evidence) -> Row:
    claim = source = target = contradicts = spans = None
    match one:
        case ClaimEvidence():
            claim = one.claim
        case HeadlineEvidence():
            source, target, contradicts = one.source_article, one.target_article, one.contradicts
        case JudgedEvidence():
            source, target = one.cause.article, one.effect.article
            spans = [[side.field, *side.span, side.kind] for side in (one.cause, one.effect)]
    return {
        "kind": one.kind.value,
        "probability": one.probability,
        "claim": claim,
        "source_article": source,
        "target_article": target,
        "contradicts": contradicts,
        "spans": spans,
    }


def _evidence(row: Any) -> Evidence:
    match row.kind:
        case EvidenceKind.SAID:
            return ClaimEvidence(row.claim, row.probability)
        case EvidenceKind.SHOWN:
            contradicts = row.contradicts and Contradiction(row.contradicts)
            return HeadlineEvidence(row.source_article, row.target_article, row.probability, contradicts)
    cause, effect = (
        Mention(article, field, (start, end), MENTION_KINDS[kind])
        for article, (field, start, end, kind) in zip(
            (row.source_article, row.target_article), row.spans, strict=True
        )
    )
    return JudgedEvidence(cause, effect, row.probability)


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
        strength=row.strength,
    )


def api_key_row(key: ApiKey) -> Row:
    """A row of ``api_keys``."""
    return {
        "id": key.id,
        "name": key.name,
        "prefix": key.prefix,
        "hash": key.hash,
        "scopes": key.scopes,
        "made": micros(key.made),
        "revoked": key.revoked and micros(key.revoked),
        "last_used": key.last_used and micros(key.last_used),
    }


def api_key_of(row: Any) -> ApiKey:
    """The key of a row of ``api_keys``."""
    revoked, last_used = (None if at is None else moment(at) for at in (row.revoked, row.last_used))
    return ApiKey(row.id, row.name, row.prefix, row.hash, tuple(row.scopes), moment(row.made), revoked, last_used)


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
    """How exactly times are known: what a row has beside their microseconds."""
    return [(time.day_only, time.inferred_from) if time else (False, None) for time in times]


def url_hash(url: str | None) -> str | None:
    """128 bits of a hash of what names the page in a url."""
    return None if url is None else hashed(url_key(url))


def hashed(text: str) -> str:
    """128 bits of a hash."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _at(time: Published | None) -> int:
    return micros(time.at) if time else NO_TIME


def _time_json(time: EventTime) -> Row:
    return {
        "start": time.start.isoformat(),
        "end": time.end.isoformat(),
        "precision": time.precision,
        "article": time.article,
        "field": time.field,
        "span": time.span,
        "words": time.words,
    }


def _time(row: Mapping[str, Any]) -> EventTime:
    start, end = row["span"]
    return EventTime(
        start=date.fromisoformat(row["start"]),
        end=date.fromisoformat(row["end"]),
        precision=Precision(row["precision"]),
        article=row["article"],
        field=row["field"],
        span=(start, end),
        words=row["words"],
    )


def _span(value: Sequence[int] | None) -> Span | None:
    return (value[0], value[1]) if value else None
