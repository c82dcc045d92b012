"""Events, claims, links and articles from the rows of a build; the inverse of ``whywire.graph.to_rows``.

Every function takes one JSON object and raises ``ValueError``, with the name of the field, if it is not a row that a
build writes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

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
)
from whywire.graph import row_fields as fields
from whywire.graph.row_fields import Row, optional
from whywire.news.article import Article, Published
from whywire.news.article_rows import read_published
from whywire.news.language import Language
from whywire.news.times import parse_time


def article_from_row(row: Row) -> Article:
    """Read a row of ``articles.jsonl``; its ``text`` is empty unless somebody added one."""
    return Article(
        id=fields.text(row, "id"),
        title=fields.text(row, "title"),
        text=optional(fields.text, row, "text") or "",
        language=Language(fields.text(row, "language")),
        url=optional(fields.text, row, "url"),
        source=optional(fields.text, row, "source"),
        published=_published(row) if "published" in row else None,
        links=optional(fields.texts, row, "links") or (),
        also=optional(fields.texts, row, "also") or (),
    )


def event_from_row(row: Row) -> tuple[Event, list[tuple[Mention, str]]]:
    """Read a row of ``events.jsonl``: the event, and those of its mentions whose words are in the row, with them."""
    mention_rows = optional(fields.rows, row, "mentions") or []
    mentions = tuple(map(_mention, mention_rows))
    event = Event(
        id=fields.text(row, "id"),
        title=fields.text(row, "title"),
        language=Language(fields.text(row, "language")),
        first_seen=_time(row, "first_seen"),
        last_seen=_time(row, "last_seen"),
        articles=fields.texts(row, "articles"),
        story=optional(fields.text, row, "story"),
        mentions=mentions,
        named_by=fields.index(row, "named_by"),
        planned=row.get("planned") is True,
        when=optional(_event_time, row, "when"),
    )
    if event.when and event.when.article not in event.articles:
        raise ValueError(f"'when' is not stated in an article of the event: {row['when']!r}")
    quoted = zip(mentions, mention_rows, strict=True)
    return event, [(mention, _mention_words(one)) for mention, one in quoted if "words" in one]


def claim_from_row(row: Row) -> Claim:
    """Read a row of ``claims.jsonl``."""
    kind = ClaimKind(fields.text(row, "kind"))
    counterfactual = kind is ClaimKind.COUNTERFACTUAL
    claim = Claim(
        id=fields.text(row, "id"),
        kind=kind,
        article=fields.text(row, "article"),
        event=fields.text(row, "event"),
        field=fields.text(row, "field"),
        sentence=fields.span(row, "sentence"),
        quote=fields.text(row, "quote"),
        probability=fields.number(row, "probability", 1),
        cause=None if counterfactual else optional(fields.span, row, "cause"),
        effect=None if counterfactual else optional(fields.span, row, "effect"),
        signals=() if counterfactual else fields.spans(row, "signals"),
        antecedent=optional(fields.span, row, "antecedent") if counterfactual else None,
        consequent=optional(fields.span, row, "consequent") if counterfactual else None,
        derived=optional(fields.text, row, "derived"),
    )
    start, end = claim.sentence
    if end - start != len(claim.quote):
        raise ValueError(f"the quote has {len(claim.quote)} characters, 'sentence' {end - start}")
    for span in filter(None, (claim.cause, claim.effect, *claim.signals, claim.antecedent, claim.consequent)):
        if not start <= span[0] <= span[1] <= end:
            raise ValueError(f"the span {list(span)} reaches out of the sentence {list(claim.sentence)}")
    return claim


def link_from_row(row: Row) -> Link:
    """Read a row of ``links.jsonl``."""
    return Link(
        source=fields.text(row, "source"),
        target=fields.text(row, "target"),
        kind=LinkKind(fields.text(row, "kind")),
        probability=fields.number(row, "probability", 1),
        strength=fields.number(row, "strength", 100),
        order=Order(fields.text(row, "order")),
        evidence=tuple(map(_evidence, fields.rows(row, "evidence"))),
        closed_by=optional(fields.text, row, "closed_by"),
        denied_by=tuple(map(_claim_evidence, optional(fields.rows, row, "denied_by") or ())),
        judged=None if row.get("judged") is None else fields.number(row, "judged", 100),
    )


def _evidence(row: Row) -> Evidence:
    match kind := fields.text(row, "kind"):
        case EvidenceKind.SAID:
            return _claim_evidence(row)
        case EvidenceKind.SHOWN:
            contradicts = optional(fields.text, row, "contradicts")
            return HeadlineEvidence(
                fields.text(row, "source_article"),
                fields.text(row, "target_article"),
                fields.number(row, "probability", 1),
                None if contradicts is None else Contradiction(contradicts),
            )
        case EvidenceKind.JUDGED:
            cause, effect = _mention(fields.as_row(row.get("cause"))), _mention(fields.as_row(row.get("effect")))
            return JudgedEvidence(cause, effect, fields.number(row, "probability", 1))
    raise ValueError(f"evidence of the unknown kind {kind!r}")


def _claim_evidence(row: Row) -> ClaimEvidence:
    return ClaimEvidence(fields.text(row, "claim"), fields.number(row, "probability", 1))


def _mention(row: Row) -> Mention:
    return Mention(
        fields.text(row, "article"),
        fields.text(row, "field"),
        fields.span(row, "span"),
        MentionKind(fields.text(row, "kind")),
    )


def _mention_words(row: Row) -> str:
    words, (start, end) = fields.text(row, "words"), fields.span(row, "span")
    if len(words) != end - start:
        raise ValueError(f"'words' has {len(words)} characters, 'span' {end - start}")
    return words


def _event_time(event_row: Mapping[str, object], name: str) -> EventTime:
    row = fields.as_row(event_row[name])
    time = EventTime(
        start=date.fromisoformat(fields.text(row, "start")),
        end=date.fromisoformat(fields.text(row, "end")),
        precision=Precision(fields.text(row, "precision")),
        article=fields.text(row, "article"),
        field=fields.text(row, "field"),
        span=fields.span(row, "span"),
        words=fields.text(row, "words"),
    )
    if time.start >= time.end:
        raise ValueError(f"{name!r} ends before it starts: {row!r}")
    return time


def _time(row: Row, name: str) -> Published | None:
    """Read a time; unlike articles from elsewhere, a build writes a date without a time of day as a date only."""
    time = parse_time(row.get(name))
    return time and replace(time, day_only="T" not in str(row[name]))


def _published(row: Row) -> Published | None:
    time, stated = _time(row, "published"), read_published(row)
    return replace(time, inferred_from=stated.inferred_from) if time and stated else None
