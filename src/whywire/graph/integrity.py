"""Checks of a causal graph: ids are unique and resolve, each mention is in one event, spans lie in their articles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from whywire.elements import (
    Claim,
    ClaimEvidence,
    Event,
    Evidence,
    HeadlineEvidence,
    JudgedEvidence,
    Link,
    Mention,
)
from whywire.errors import InputError
from whywire.news.article import Article

ARTICLE_FIELDS = ("title", "text")
"""The fields of an article that spans refer to."""


def check_integrity(
    articles: Mapping[str, Article], events: Iterable[Event], links: Iterable[Link], claims: Iterable[Claim]
) -> None:
    """Raise ``InputError`` at the first duplicate id, unknown id or wrong span."""
    members: dict[str, frozenset[str]] = {}
    event_of: dict[str | Mention, str] = {}
    for event in events:
        _require(event.id not in members, event.id, "two events have this id")
        members[event.id] = frozenset(event.articles)
        _check_event(event, articles)
        _check_partition(event, event_of)

    known_claims: set[str] = set()
    for claim in claims:
        _require(claim.id not in known_claims, claim.id, "two claims have this id")
        known_claims.add(claim.id)
        _check_claim(claim, articles, members)

    known_links: set[tuple[str, str, str]] = set()
    for link in links:
        key = (link.source, link.target, link.kind)
        _require(key not in known_links, _link_name(link), f"two links of kind {link.kind.value!r} join these events")
        known_links.add(key)
        _check_link(link, members, event_of, known_claims)


def _check_event(event: Event, articles: Mapping[str, Article]) -> None:
    _require(bool(event.articles), event.id, "the event has no articles")
    for article in event.articles:
        _require(article in articles, event.id, f"the event's article {article!r} is not in the graph")
    if not event.mentions:
        return
    mentioned = {mention.article for mention in event.mentions}
    _require(mentioned == set(event.articles), event.id, "the event's articles are not those of its mentions")
    _require(
        event.named_by < len(event.mentions), event.id, "'named_by' is not the index of one of the event's mentions"
    )
    for mention in event.mentions:
        start, end = mention.span
        _require(mention.field in ARTICLE_FIELDS, event.id, f"{mention.field!r} is no part of an article")
        longest = len(articles[mention.article].title) if mention.field == "title" else end
        _require(0 <= start < end <= longest, event.id, f"the mention's span {start}:{end} is not in its article")


def _check_partition(event: Event, event_of: dict[str | Mention, str]) -> None:
    """Check that each mention (or article, if there are no mentions) is in one event; extend ``event_of``."""
    for one in event.mentions or event.articles:
        other = event_of.setdefault(one, event.id)
        what = "the article" if isinstance(one, str) else f"the mention at {one.span[0]}:{one.span[1]} of {one.field}"
        where = one if isinstance(one, str) else one.article
        _require(other == event.id, where, f"{what} is in two events, {other!r} and {event.id!r}")


def _check_claim(claim: Claim, articles: Mapping[str, Article], members: Mapping[str, frozenset[str]]) -> None:
    _require(claim.event in members, claim.id, f"the claim's event {claim.event!r} is not in the graph")
    _require(
        claim.article in members[claim.event],
        claim.id,
        f"the claim's article {claim.article!r} is not one of event {claim.event!r}",
    )
    _require(claim.field in ARTICLE_FIELDS, claim.id, f"{claim.field!r} is no part of an article a claim can be in")
    start, end = claim.sentence
    said = getattr(articles[claim.article], claim.field)[start:end]
    _require(said == claim.quote, claim.id, f"the claim's quote is not the text at {start}:{end} of its article")


def _check_link(
    link: Link, members: Mapping[str, frozenset[str]], event_of: Mapping[str | Mention, str], claims: set[str]
) -> None:
    where = _link_name(link)
    for event in (link.source, link.target, link.closed_by):
        _require(event is None or event in members, where, f"the link's event {event!r} is not in the graph")
    _require(link.source != link.target, where, "the link joins an event to itself")
    _require(bool(link.evidence), where, "the link has no evidence")
    for evidence in (*link.evidence, *link.denied_by):
        _check_evidence(evidence, link, members, event_of, claims)


def _check_evidence(
    evidence: Evidence,
    link: Link,
    members: Mapping[str, frozenset[str]],
    event_of: Mapping[str | Mention, str],
    claims: set[str],
) -> None:
    match evidence:
        case ClaimEvidence():
            _require(
                evidence.claim in claims, _link_name(link), f"the evidence {evidence.claim!r} is not in the graph"
            )
        case HeadlineEvidence():
            for article, event in ((evidence.source_article, link.source), (evidence.target_article, link.target)):
                known = article in members[event]
                _require(known, _link_name(link), f"the evidence's article {article!r} is not one of event {event!r}")
        case JudgedEvidence():
            for mention, event in ((evidence.cause, link.source), (evidence.effect, link.target)):
                where = f"{mention.span[0]}:{mention.span[1]} of {mention.field} of {mention.article!r}"
                known = event_of.get(mention) == event
                _require(known, _link_name(link), f"the mention at {where} is not one of event {event!r}")


def _link_name(link: Link) -> str:
    return f"{link.source} -> {link.target}"


def _require(holds: bool, where: str, message: str) -> None:
    if not holds:
        raise InputError(message, where=where)
