"""How the elements of a graph are written as rows of JSON, and read back: the one definition of these rows.

Files of a build, the service and its client use the same rows; docs/formats.md describes their fields. A row is
self-contained: the evidence of a link includes the quoted words, their offsets and the article's url, so that it can
be traced to the articles without another file.

Reading raises ``ValueError``, with the name of the field, for a row that no build writes. Unknown fields are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime
from functools import lru_cache
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from whywire.correction import Anchor, Correction, CorrectionKind
from whywire.elements import (
    Claim,
    ClaimEvidence,
    ClaimKind,
    Contradiction,
    Event,
    EventTime,
    Evidence,
    HeadlineEvidence,
    ImpliedEvidence,
    Link,
    LinkKind,
    Mention,
    MentionKind,
    Order,
    Precision,
    round_probability,
    round_strength,
)
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.passages import Part, WrittenSentence
from whywire.news.article import Article, InferredFrom, Published, Span
from whywire.news.article_rows import MAX_TEXT_CHARS, to_row
from whywire.news.language import Language
from whywire.news.times import parse_time, render_time

Row = dict[str, Any]
"""A row as plain JSON: values by the names of its fields."""

Offset = Annotated[int, Meta(ge=0, le=MAX_TEXT_CHARS)]
SpanRow = Annotated[list[Offset], Meta(min_length=2, max_length=2)]
"""Half-open character offsets."""

Probability = Annotated[float, Meta(ge=0, le=1)]
Strength = Annotated[float, Meta(ge=0, le=100)]
FieldName = Annotated[str, Meta(pattern="^(title|text)$")]
"""The part of an article that spans refer to."""

T = TypeVar("T")


class ElementRow(Struct, omit_defaults=True):
    """A row of an element; a field that has its default value is left out."""


class ArticleRow(ElementRow):
    """An article; unknown fields are missing."""

    id: str
    title: str
    language: Language
    url: str | None = None
    source: str | None = None
    published: str | None = None
    published_from: InferredFrom | None = None
    text: str | None = None
    links: list[str] | None = None
    also: list[str] | None = None


class MentionRow(ElementRow):
    """Words that describe an event; in evidence, the row also holds the url of their article."""

    article: str
    field: FieldName
    span: SpanRow
    kind: MentionKind
    words: str | None = None
    url: str | UnsetType | None = UNSET


class EventTimeRow(ElementRow):
    """When an event happened, and the words that say so; ``end`` is the day after the last day."""

    start: date
    end: date
    precision: Precision
    words: str
    article: str
    field: FieldName
    span: SpanRow


class EventRow(ElementRow):
    """An event and its mentions."""

    id: str
    title: str
    language: Language
    first_seen: str | None
    last_seen: str | None
    when: EventTimeRow | None
    story: str | None
    planned: bool
    articles: list[str]
    named_by: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    mentions: list[MentionRow] | UnsetType = UNSET
    checked_by: str | None = None


class SaidRow(ElementRow, tag_field="kind", tag="said"):
    """A sentence that claims the relation."""

    claim: str
    article: str
    url: str | None
    field: FieldName
    sentence: SpanRow
    quote: str
    cause: SpanRow | None
    effect: SpanRow | None
    signals: list[SpanRow]
    probability: Probability
    checked_by: str | None = None


class ShownRow(ElementRow, tag_field="kind", tag="shown"):
    """Two headlines whose relation supports a link."""

    source_article: str
    target_article: str
    source_title: str
    target_title: str
    source_url: str | None
    target_url: str | None
    probability: Probability
    contradicts: Contradiction | None = None


class ImpliedRow(ElementRow, tag_field="kind", tag="implied"):
    """Two mentions of an article whose readers take one for the cause of the other."""

    cause: MentionRow
    effect: MentionRow
    probability: Probability
    checked_by: str | None = None


EvidenceRow = SaidRow | ShownRow | ImpliedRow


class LinkRow(ElementRow):
    """A link and its evidence."""

    source: str
    target: str
    kind: LinkKind
    probability: Probability
    strength: Strength
    order: Order
    closed_by: str | None
    evidence: list[EvidenceRow]
    denied_by: list[SaidRow] | None = None
    checked_by: str | None = None


class JudgedRow(ImpliedRow, tag="judged"):
    """Implied evidence as version 0.2 wrote it; read, never written."""


class ReadLinkRow(LinkRow):
    """A link as any version wrote it."""

    evidence: list[EvidenceRow | JudgedRow]


class ClaimRow(ElementRow):
    """What a sentence claims, denies or imagines."""

    id: str
    kind: ClaimKind
    article: str
    event: str
    field: FieldName
    sentence: SpanRow
    quote: str
    probability: Probability
    cause: SpanRow | UnsetType | None = UNSET
    effect: SpanRow | UnsetType | None = UNSET
    signals: list[SpanRow] | UnsetType = UNSET
    antecedent: SpanRow | UnsetType | None = UNSET
    consequent: SpanRow | UnsetType | None = UNSET
    derived: str | None = None


class AnchorRow(ElementRow):
    """Words of an article that a correction is about."""

    article: str
    field: FieldName
    span: SpanRow
    words: str


class CorrectionRow(Struct):
    """A correction by a person."""

    id: str
    kind: CorrectionKind
    link_kind: LinkKind | None
    left: Annotated[list[AnchorRow], Meta(min_length=1, description="Of a link, words of its source.")]
    right: Annotated[list[AnchorRow], Meta(min_length=1, description="Of a link, words of its target.")]
    at: Annotated[datetime, Meta(tz=True)]
    by: str
    note: str
    taken_back: Annotated[datetime, Meta(tz=True)] | None = None
    taken_back_by: str | None = None


class ClauseRow(Struct):
    """A clause of a sentence on a story, and the passage that says it."""

    part: Part
    text: Annotated[str, Meta(description="Words of the passage, in its order; some are left out.")]
    article: str
    url: str | None
    field: FieldName
    sentence: SpanRow
    quote: Annotated[str, Meta(description="The passage: the sentence, or the title.")]


class SentenceRow(Struct):
    """A sentence on a story, written by a language model and checked against the articles."""

    story: str
    language: Language
    model: str
    text: str
    clauses: list[ClauseRow]


class GraphRow(ElementRow):
    """A causal graph."""

    events: list[EventRow]
    links: list[LinkRow]
    claims: list[ClaimRow]
    articles: list[ArticleRow]


# Writing.


def graph_row(graph: CausalGraph) -> Row:
    """Return ``{events, links, claims, articles}``; the articles are without their texts."""
    return {
        "events": list(event_rows(graph)),
        "links": list(link_rows(graph)),
        "claims": list(claim_rows(graph)),
        "articles": [article_row(article, text=False) for article in graph.articles.values()],
    }


def event_rows(graph: CausalGraph) -> Iterator[Row]:
    """Yield a row of each event, in the graph's order."""
    return (event_row(graph, event) for event in graph.events)


def link_rows(graph: CausalGraph) -> Iterator[Row]:
    """Yield a row of each link, in the graph's order."""
    return (link_row(graph, link) for link in graph.links)


def claim_rows(graph: CausalGraph) -> Iterator[Row]:
    """Yield a row of each claim, in the graph's order."""
    return map(claim_row, graph.claims)


def plain(row: Struct) -> Row:
    """Return a row as plain JSON."""
    return msgspec.to_builtins(row)  # type: ignore[no-any-return]


def article_row(article: Article, *, text: bool) -> Row:
    """Return the row of an article, with its text or without."""
    return {name: value for name, value in to_row(article).items() if text or name != "text"}


def event_row(graph: CausalGraph, event: Event) -> Row:
    """Return the row of an event (:class:`EventRow`)."""
    row = EventRow(
        id=event.id,
        title=event.title,
        language=event.language,
        first_seen=time_text(event.first_seen),
        last_seen=time_text(event.last_seen),
        when=_time_row(event.when) if event.when else None,
        story=event.story,
        planned=event.planned,
        articles=list(event.articles),
        checked_by=event.checked_by,
    )
    if event.mentions:
        row.named_by = event.named_by
        row.mentions = [_mention_row(mention, graph.words(mention)) for mention in event.mentions]
    return plain(row)


def when_row(when: EventTime) -> Row:
    """Return the row of an event's time (:class:`EventTimeRow`)."""
    return plain(_time_row(when))


def link_row(graph: CausalGraph, link: Link) -> Row:
    """Return the row of a link (:class:`LinkRow`)."""
    return plain(
        LinkRow(
            source=link.source,
            target=link.target,
            kind=link.kind,
            probability=round_probability(link.probability),
            strength=round_strength(link.strength),
            order=link.order,
            closed_by=link.closed_by,
            evidence=[_evidence_row(graph, evidence) for evidence in link.evidence],
            denied_by=[_said_row(graph, evidence) for evidence in link.denied_by] or None,
            checked_by=link.checked_by,
        )
    )


def claim_row(claim: Claim) -> Row:
    """Return the row of a claim (:class:`ClaimRow`)."""
    rounded = replace(claim, probability=round_probability(claim.probability))
    row = msgspec.convert(rounded, ClaimRow, from_attributes=True)
    if claim.kind is ClaimKind.COUNTERFACTUAL:
        row.cause = row.effect = row.signals = UNSET
    else:
        row.antecedent = row.consequent = UNSET
    return plain(row)


def correction_row(correction: Correction) -> Row:
    """Return the row of a correction (:class:`CorrectionRow`)."""
    return plain(msgspec.convert(correction, CorrectionRow, from_attributes=True))


def sentence_row(graph: CausalGraph, sentence: WrittenSentence) -> Row:
    """Return the row of a written sentence (:class:`SentenceRow`)."""
    clauses = [
        ClauseRow(
            part=clause.part,
            text=clause.text,
            article=passage.article,
            url=graph.articles[passage.article].url,
            field=passage.field,
            sentence=list(passage.span),
            quote=passage.text,
        )
        for clause in sentence.clauses
        for passage in [clause.passage]
    ]
    return plain(SentenceRow(sentence.story, sentence.language, sentence.model, sentence.text, clauses))


def mention_row(mention: Mention, words: str) -> Row:
    """Return the row of a mention with these words (:class:`MentionRow`)."""
    return plain(_mention_row(mention, words))


def time_text(published: Published | None) -> str | None:
    """Return a time in ISO 8601, or a date if only the date is known; ``None`` for ``None``."""
    return render_time(published) if published else None


def _time_row(when: EventTime) -> EventTimeRow:
    return msgspec.convert(when, EventTimeRow, from_attributes=True)


def _mention_row(mention: Mention, words: str, url: str | UnsetType | None = UNSET) -> MentionRow:
    return MentionRow(mention.article, mention.field, list(mention.span), mention.kind, words, url)


def _evidence_row(graph: CausalGraph, evidence: Evidence) -> EvidenceRow:
    match evidence:
        case ClaimEvidence():
            return _said_row(graph, evidence)
        case HeadlineEvidence():
            source, target = graph.articles[evidence.source_article], graph.articles[evidence.target_article]
            return ShownRow(
                source_article=source.id,
                target_article=target.id,
                source_title=source.title,
                target_title=target.title,
                source_url=source.url,
                target_url=target.url,
                probability=round_probability(evidence.probability),
                contradicts=evidence.contradicts,
            )
        case ImpliedEvidence():
            cause, effect = (
                _mention_row(mention, graph.words(mention), graph.articles[mention.article].url)
                for mention in (evidence.cause, evidence.effect)
            )
            probability = round_probability(evidence.probability)
            return ImpliedRow(cause=cause, effect=effect, probability=probability, checked_by=evidence.checked_by)


def _said_row(graph: CausalGraph, evidence: ClaimEvidence) -> SaidRow:
    claim = graph.claim(evidence.claim)
    return SaidRow(
        claim=claim.id,
        article=claim.article,
        url=graph.articles[claim.article].url,
        field=claim.field,
        sentence=list(claim.sentence),
        quote=claim.quote,
        cause=_span_row(claim.cause),
        effect=_span_row(claim.effect),
        signals=[list(signal) for signal in claim.signals],
        probability=round_probability(evidence.probability),
        checked_by=evidence.checked_by,
    )


def _span_row(span: Span | None) -> list[int] | None:
    return list(span) if span else None


# Reading.


def article_from_row(value: object) -> Article:
    """Read a row of ``articles.jsonl``; the text is empty unless the row has one."""
    row = _read(value, ArticleRow)
    published = _time(row.published)
    if published and row.published_from:
        published = replace(published, inferred_from=row.published_from)
    return Article(
        id=row.id,
        title=row.title,
        text=row.text or "",
        language=row.language,
        url=row.url,
        source=row.source,
        published=published,
        links=tuple(row.links or ()),
        also=tuple(row.also or ()),
    )


def event_from_row(value: object) -> tuple[Event, list[tuple[Mention, str]]]:
    """Read a row of ``events.jsonl``: the event, and the mentions whose words are in the row, with these words."""
    row = _read(value, EventRow)
    mention_rows = row.mentions or []
    mentions = tuple(map(_mention, mention_rows))
    event = Event(
        id=row.id,
        title=row.title,
        language=row.language,
        first_seen=_time(row.first_seen),
        last_seen=_time(row.last_seen),
        articles=tuple(row.articles),
        story=row.story,
        mentions=mentions,
        named_by=row.named_by or 0,
        planned=row.planned,
        when=_event_time(row.when) if row.when else None,
        checked_by=row.checked_by,
    )
    if event.when and event.when.article not in event.articles:
        raise ValueError(f"'when' is not stated in an article of the event: {event.when.article!r}")
    quoted = []
    for mention, mention_row in zip(mentions, mention_rows, strict=True):
        words, (start, end) = mention_row.words, mention.span
        if words is None:
            continue
        if len(words) != end - start:
            raise ValueError(f"'words' has {len(words)} characters, 'span' {end - start}")
        quoted.append((mention, words))
    return event, quoted


def claim_from_row(value: object) -> Claim:
    """Read a row of ``claims.jsonl``."""
    _read(value, ClaimRow)  # for the ranges of numbers
    claim = _read(value, Claim)
    start, end = claim.sentence
    if end - start != len(claim.quote):
        raise ValueError(f"the quote has {len(claim.quote)} characters, 'sentence' {end - start}")
    for span in filter(None, (claim.cause, claim.effect, *claim.signals, claim.antecedent, claim.consequent)):
        if not start <= span[0] <= span[1] <= end:
            raise ValueError(f"the span {list(span)} extends beyond the sentence {list(claim.sentence)}")
    return claim


def link_from_row(value: object) -> Link:
    """Read a row of ``links.jsonl``."""
    row = _read(value, ReadLinkRow)
    return Link(
        source=row.source,
        target=row.target,
        kind=row.kind,
        probability=row.probability,
        strength=row.strength,
        order=row.order,
        evidence=tuple(map(_evidence, row.evidence)),
        closed_by=row.closed_by,
        denied_by=tuple(ClaimEvidence(denial.claim, denial.probability) for denial in row.denied_by or ()),
    )


def correction_from_row(value: object) -> Correction:
    """Read a row of a correction, such as a service lists."""
    row = _read(value, CorrectionRow)
    if (row.kind is CorrectionKind.HIDE_LINK) != (row.link_kind is not None):
        raise ValueError("'link_kind' is for hidden links, and they have one")
    left, right = (tuple(map(_anchor, side)) for side in (row.left, row.right))
    return replace(msgspec.convert(row, Correction, from_attributes=True), left=left, right=right)


def _anchor(row: AnchorRow) -> Anchor:
    anchor = Anchor(row.article, row.field, _span(row.span), row.words)
    if len(anchor.words) != anchor.span[1] - anchor.span[0]:
        raise ValueError(f"'words' has {len(anchor.words)} characters, 'span' {anchor.span[1] - anchor.span[0]}")
    return anchor


def _read(value: object, row_type: type[T]) -> T:
    try:
        return msgspec.convert(value, row_type)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$")
        field = path.rstrip("`").removeprefix(".")
        raise ValueError(f"{field}: {reason}" if field else reason) from error


def _evidence(row: EvidenceRow) -> Evidence:
    match row:
        case SaidRow():
            return ClaimEvidence(row.claim, row.probability, row.checked_by)
        case ShownRow():
            return HeadlineEvidence(row.source_article, row.target_article, row.probability, row.contradicts)
        case ImpliedRow():
            return ImpliedEvidence(_mention(row.cause), _mention(row.effect), row.probability, row.checked_by)


def _mention(row: MentionRow) -> Mention:
    return Mention(row.article, row.field, _span(row.span), row.kind)


def _event_time(row: EventTimeRow) -> EventTime:
    if row.start >= row.end:
        raise ValueError(f"'when' ends before it starts: {row.start} to {row.end}")
    return replace(msgspec.convert(row, EventTime, from_attributes=True), span=_span(row.span))


def _span(offsets: list[int]) -> Span:
    start, end = offsets
    if start > end:
        raise ValueError(f"'span' ends before it starts: {offsets}")
    return start, end


@lru_cache(4096)
def _time(text: str | None) -> Published | None:
    """Read a time as a build writes it: a date without a time of day means that only the day is known.

    The events of an article have its times, so most times of a folder come many times.
    """
    time = parse_time(text)
    return time and replace(time, day_only="T" not in str(text))
