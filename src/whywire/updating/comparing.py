"""Compares what an update decided with what the same stories held before: what changes, and its history."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from whywire.correction import Correction, events_at
from whywire.elements import (
    Claim,
    ClaimEvidence,
    Event,
    Evidence,
    HeadlineEvidence,
    Link,
    MentionKind,
    round_strength,
)
from whywire.engines.predictions import PredictionCache
from whywire.events.article_index import Regrouping
from whywire.news import Article, Language, to_row
from whywire.pipeline import Decided
from whywire.updating.arrivals import Arrivals
from whywire.updating.changes import Change, ChangeKind, Changes, LinkKey, link_key

MIN_WEIGHT_CHANGE = 0.5
"""Smaller changes of a link's weight are stored but not recorded in the history."""

Reason = Callable[[Event | Link], str | None]
"""Says why an event or a link ended, if all its articles are gone."""


CORRECTED, WITHDRAWN = "corrected", "withdrawn"
"""Reasons in the history why an event or a link ended: all its articles were replaced, or some were withdrawn."""


def compared(
    known: Mapping[str, Article],
    before: Decided,
    decided: Decided,
    ended: Mapping[str, tuple[str, ...]],
    arrivals: Arrivals,
    gone: frozenset[str],
    regroupings: Mapping[Language, Regrouping],
    predictions: PredictionCache,
    corrected: Sequence[Change] = (),
) -> Changes:
    """What an update changes: how what was decided differs from what the same stories held before, and its history.

    Args:
        known: articles by id, as they were before.
        ended: the events that ended, with the events that hold their mentions now.
        gone: the ids of articles that were replaced or withdrawn.
        corrected: entries on corrections.
    """
    old_events = {event.id: event for event in before.events}
    old_claims = {claim.id: claim for claim in before.claims}
    old_links = {link_key(link): link for link in before.links}
    links = [link for link in decided.links if old_links.get(link_key(link)) != link]
    dropped = sorted(old_links.keys() - {*map(link_key, decided.links)})
    events = [
        event for event in decided.events if old_events.get(event.id) != event or not gone.isdisjoint(event.articles)
    ]
    titles = {event.id: event.title for event in (*before.events, *decided.events)}
    reason = _reason(old_claims, arrivals.replaced, gone)
    return Changes(
        articles=(*arrivals.copied, *arrivals.replaced, *arrivals.new),
        gone=gone,
        regroupings=regroupings,
        predictions=predictions,
        claims=tuple(claim for claim in decided.claims if old_claims.get(claim.id) != claim or claim.article in gone),
        events=tuple(events),
        ended=ended,
        links=tuple(links),
        dropped=tuple(dropped),
        history=(
            *(Change(ChangeKind.ARTICLE_COPIED, one.id, details={"also": list(one.also)}) for one in arrivals.copied),
            *(Change(ChangeKind.ARTICLE_ADDED, one.id, details={"title": one.title}) for one in arrivals.new),
            *_gone_history(known, before.events, arrivals.replaced, gone),
            *corrected,
            *_event_history(old_events, events, ended, reason),
            *_link_history(old_links, links, dropped, titles, reason),
        ),
    )


def correction_history(
    corrections: Iterable[Correction], articles: Mapping[str, Article], events: Iterable[Event]
) -> Iterator[Change]:
    """Entries on corrections that were made or taken back.

    Args:
        articles: that they are about, by id.
        events: of these articles, as they are now.
    """
    titles = {event.id: event.title for event in events}
    mentions = [(mention, event.id) for event in events for mention in event.mentions]
    for correction in corrections:
        left, right = events_at(correction, articles, mentions)
        is_made = correction.taken_back is None
        details = {
            "correction": correction.id,
            "correction kind": correction.kind.value,
            "by": correction.by if is_made else correction.taken_back_by,
            "note": correction.note,
            "source": left and titles[left],
            "target": right and titles[right],
        }
        kind = ChangeKind.CORRECTION_MADE if is_made else ChangeKind.CORRECTION_TAKEN_BACK
        yield Change(kind, left or correction.id, right, correction.link_kind, details=details)


def _gone_history(
    known: Mapping[str, Article], events: Iterable[Event], replaced: Iterable[Article], gone: frozenset[str]
) -> Iterator[Change]:
    """Entries on articles that were replaced or withdrawn, with their old row and the event of their headline."""
    versions = {article.id: article for article in replaced}
    event_of = {
        mention.article: event.id
        for event in events
        for mention in event.mentions
        if mention.kind is MentionKind.HEADLINE
    }
    for name in sorted(gone):
        before = known[name]
        kind = ChangeKind.ARTICLE_REPLACED if name in versions else ChangeKind.ARTICLE_WITHDRAWN
        details = {"title": versions.get(name, before).title, "before": to_row(before)}
        yield Change(kind, name, event_of[name], details=details)


def _reason(claims: Mapping[str, Claim], replaced: Iterable[Article], gone: frozenset[str]) -> Reason:
    """A function that says why an event or a link ended; ``None`` if some of its articles are still there."""
    corrected = {article.id for article in replaced}

    def reason(ended: Event | Link) -> str | None:
        if not gone:
            return None
        parts = [{one} for one in ended.articles] if isinstance(ended, Event) else map(articles_of, ended.evidence)
        lost = [part & gone for part in parts]
        if not all(lost):
            return None
        return CORRECTED if set().union(*lost) <= corrected else WITHDRAWN

    def articles_of(one: Evidence) -> set[str]:
        match one:
            case ClaimEvidence():
                return {claims[one.claim].article}
            case HeadlineEvidence():
                return {one.source_article, one.target_article}
        return {one.cause.article, one.effect.article}

    return reason


def _event_history(
    before: Mapping[str, Event], events: Iterable[Event], ended: Mapping[str, tuple[str, ...]], reason: Reason
) -> Iterator[Change]:
    """Entries on events that are new, changed, merged, split or ended."""
    for event in events:
        earlier = before.get(event.id)
        if earlier is None:
            yield Change(ChangeKind.EVENT_ADDED, event.id, details={"title": event.title, "story": event.story})
        elif earlier != event:
            details: dict[str, Any] = {"title": event.title, "story": event.story}
            for name in ("title", "story", "planned"):
                if getattr(earlier, name) != getattr(event, name):
                    details[f"{name} before"] = getattr(earlier, name)
            grown = len(event.articles) - len(earlier.articles)
            if grown:
                details["articles"] = len(event.articles)
                details["articles before"] = len(earlier.articles)
            yield Change(ChangeKind.EVENT_CHANGED, event.id, details=details)
    for name, into in ended.items():
        kind = (ChangeKind.EVENT_ENDED, ChangeKind.EVENT_MERGED, ChangeKind.EVENT_SPLIT)[min(len(into), 2)]
        why = None if into else reason(before[name])
        yield Change(kind, name, into=into, details={"title": before[name].title} | ({"reason": why} if why else {}))


def _link_history(
    before: Mapping[LinkKey, Link],
    links: Iterable[Link],
    dropped: Iterable[LinkKey],
    titles: Mapping[str, str],
    reason: Reason,
) -> Iterator[Change]:
    """Entries on links that are new, changed, closed, reopened or dropped.

    Args:
        titles: of the events that the links join or joined, by event id.
    """

    def change(kind: ChangeKind, key: LinkKey, **details: Any) -> Change:
        source, target, link_kind = key
        named = {"source": titles.get(source), "target": titles.get(target)}
        return Change(kind, source, target, link_kind, details={**named, **details})

    for link in links:
        key, earlier = link_key(link), before.get(link_key(link))
        strength = round_strength(link.strength)
        if earlier is None:
            yield change(ChangeKind.LINK_ADDED, key, strength=strength, evidence=_evidence(link))
        elif link.closed_by and link.closed_by != earlier.closed_by:
            yield change(ChangeKind.LINK_CLOSED, key, strength=strength, closed_by=link.closed_by)
        elif earlier.closed_by and not link.closed_by:
            yield change(ChangeKind.LINK_REOPENED, key, strength=strength)
        elif abs(link.weight - earlier.weight) >= MIN_WEIGHT_CHANGE or _evidence(link) != _evidence(earlier):
            yield change(
                ChangeKind.LINK_CHANGED,
                key,
                strength=strength,
                **{"strength before": round_strength(earlier.strength), "evidence": _evidence(link)},
            )
    for key in dropped:
        why = reason(before[key])
        more = {"reason": why} if why else {}
        yield change(ChangeKind.LINK_DROPPED, key, strength=round_strength(before[key].strength), **more)


def _evidence(link: Link) -> dict[str, int]:
    """The number of pieces of evidence of each kind."""
    kinds = [piece.kind.value for piece in link.evidence]
    return {kind: kinds.count(kind) for kind in sorted(set(kinds))}
