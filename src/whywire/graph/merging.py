"""Two graphs made one: of yesterday's news and today's, of two collections, of two builds of the same.

What the two say of one thing is put together: events that share an article are one event, links between the same
events are one link with the evidence of both. Nothing is weighed anew but by choosing the stronger word, so that
merging a graph with itself changes nothing and the order of the two does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise, zip_longest
from typing import TypeVar

import networkx as nx

from whywire.elements import (
    Claim,
    ClaimEvidence,
    Event,
    EventTime,
    Evidence,
    Link,
    LinkKind,
    Order,
    article_sort_key,
    sort_mentions,
    time_range,
)
from whywire.errors import InputError
from whywire.graph.causal_graph import CausalGraph, sort_by_time
from whywire.graph.paths import LONG_AGO
from whywire.links.closing import closed, denied_events
from whywire.links.order import order_of_link
from whywire.news.article import Article

E = TypeVar("E", Evidence, ClaimEvidence)


def merge(one: CausalGraph, other: CausalGraph) -> CausalGraph:
    """Merge two graphs.

    Events that share a mention (or bear the same id) become one; it has the id of the one that was first reported
    and the title of the one with the most articles; it happened at the most exact time that words name. Where events
    have no mentions, articles count instead.
    Stories that share an event become one as well. Links come with
    the evidence of both and the higher probability and strength. A link is closed if it is in either graph, or if it
    is in one only and the other has its source or target denied. Left out are links between two events that the other
    graph takes for one, and those against the clock where the other graph knows of earlier reports.

    Raises:
        InputError: the two graphs hold different articles, or different claims, of the same id.
    """
    articles = _articles(one, other)
    events = _events(one, other, articles)
    event_of = {member: event for event in events for member in _members(event)}
    became = {event.id: event_of[_members(event)[0]] for graph in (one, other) for event in graph.events}
    claims = _claims(one, other, became)
    links = _links(one, other, became)
    return CausalGraph(
        articles,
        sort_by_time(events),
        tuple(sorted(links, key=lambda link: (-link.strength, link.source, link.target, link.kind))),
        claims,
    )


def _articles(one: CausalGraph, other: CausalGraph) -> dict[str, Article]:
    articles = dict(one.articles)
    for name, article in other.articles.items():
        articles[name] = _same_article(articles[name], article) if name in articles else article
    return articles


def _same_article(one: Article, other: Article) -> Article:
    """An article of both graphs; of a text read back from a build, either may have only what its claims quote."""
    if one == other:
        return one
    letters = list(zip_longest(one.text, other.text, fillvalue=" "))
    same_text = all(left == right or " " in (left, right) for left, right in letters)
    if replace(one, text="", also=()) != replace(other, text="", also=()) or not same_text:
        raise InputError(
            "the two graphs hold different articles of this id",
            where=one.id,
            hint="build them from the same rows, or give the articles ids of their own",
        )
    text = "".join(right if left == " " else left for left, right in letters)
    return replace(one, text=text, also=tuple(sorted({*one.also, *other.also})))


def _events(one: CausalGraph, other: CausalGraph, articles: Mapping[str, Article]) -> list[Event]:
    shape = nx.Graph()
    for event in (*one.events, *other.events):
        shape.add_edges_from((("event", event.id), member) for member in _members(event))
    told: dict[str, list[Event]] = {}
    for event in (*one.events, *other.events):
        told.setdefault(event.id, []).append(event)
    together = [
        [event for member in members if member[0] == "event" for event in told[member[1]]]
        for members in nx.connected_components(shape)
    ]
    return _in_stories([_one_event(events, articles) for events in together], together)


def _members(event: Event) -> list[tuple[str, ...]]:
    """What an event is known again by: its mentions, or its articles where it has none."""
    if event.mentions:
        return [("mention", one.article, one.field, str(one.span)) for one in event.mentions]
    return [("article", article) for article in event.articles]


def _one_event(events: Sequence[Event], articles: Mapping[str, Article]) -> Event:
    """One event of several, which may be the same one twice."""
    first = min(events, key=_first_reported)
    if all(event == first for event in events):
        return first
    largest = min(events, key=lambda event: (-len(event.articles), _first_reported(event), event.title))
    members = sorted(
        {article for event in events for article in event.articles}, key=lambda name: article_sort_key(articles[name])
    )
    first_seen, last_seen = time_range(time for event in events for time in (event.first_seen, event.last_seen))
    place = {name: number for number, name in enumerate(members)}
    mentions = sort_mentions({one for event in events for one in event.mentions}, place)
    return Event(
        id=first.id,
        title=largest.title,
        language=largest.language,
        first_seen=first_seen,
        last_seen=last_seen,
        articles=tuple(members),
        mentions=mentions,
        named_by=mentions.index(largest.mentions[largest.named_by]) if largest.mentions else 0,
        planned=all(event.planned for event in events),
        when=_most_exact((event.when for event in events if event.when), place),
    )


def _most_exact(times: Iterable[EventTime], place: Mapping[str, int]) -> EventTime | None:
    """The shortest of the times that words name; of equals that of the earliest article, by its place."""

    def rank(time: EventTime) -> tuple[object, ...]:
        return time.end - time.start, place[time.article], time.field == "text", time.span, time.start

    return min(times, key=rank, default=None)


def _in_stories(events: Sequence[Event], came_of: Sequence[Sequence[Event]]) -> list[Event]:
    """The events with the stories they are in now; a story goes by the first of those that its parts began with."""
    became = {told.id: event for event, parts in zip(events, came_of, strict=True) for told in parts}
    names = [[told.story for told in parts if told.story is not None] for parts in came_of]
    shape = nx.Graph()
    shape.add_nodes_from(name for own in names for name in own)
    shape.add_edges_from(pair for own in names for pair in pairwise(own))
    story: dict[str, str] = {}
    for joined in nx.connected_components(shape):
        beginnings = [became[name] for name in joined if name in became]
        begun = min(beginnings, key=_first_reported).id if beginnings else min(joined)
        story |= dict.fromkeys(joined, begun)
    return [replace(event, story=story[own[0]] if own else None) for event, own in zip(events, names, strict=True)]


def _claims(one: CausalGraph, other: CausalGraph, became: Mapping[str, Event]) -> tuple[Claim, ...]:
    claims: dict[str, Claim] = {}
    for claim in (*one.claims, *other.claims):
        home = became[claim.event].id
        moved = claim if claim.event == home else replace(claim, event=home)
        known = claims.setdefault(claim.id, moved)
        if known == moved:
            continue
        if replace(known, probability=moved.probability) != moved:
            raise InputError("the two graphs hold different claims of this id", where=claim.id)
        claims[claim.id] = max(known, moved, key=lambda either: either.probability)
    return tuple(claims.values())


def _links(one: CausalGraph, other: CausalGraph, became: Mapping[str, Event]) -> list[Link]:
    links: dict[tuple[str, str, LinkKind], Link] = {}
    against_clock: set[tuple[str, str, LinkKind]] = set()
    for graph, elsewhere in ((one, other), (other, one)):
        denied = {
            became[event].id: became[by].id for event, by in denied_events(elsewhere.links, elsewhere.event).items()
        }
        known = {(became[link.source].id, became[link.target].id, link.kind) for link in elsewhere.links}
        for link in graph.links:
            source, target = became[link.source], became[link.target]
            if source == target:
                continue
            key = source.id, target.id, link.kind
            order = _order(link, graph, source, target)
            if order is None:
                against_clock.add(key)
            closed_by = became[link.closed_by].id if link.closed_by else None
            if closed_by in (source.id, target.id):
                closed_by = None
            moved = replace(
                link, source=source.id, target=target.id, order=order or Order.UNKNOWN, closed_by=closed_by
            )
            if link.closed_by is None and key not in known:
                moved = closed(moved, denied)
            links[key] = _one_link(links[key], moved) if key in links else moved
    told = {event.id: event for event in became.values()}
    for key in against_clock:  # a sentence of either graph may order the two
        order = order_of_link(links[key], told[key[0]], told[key[1]])
        if order:
            links[key] = replace(links[key], order=order)
        else:
            del links[key]
    return list(links.values())


def _order(link: Link, graph: CausalGraph, source: Event, target: Event) -> Order | None:
    """How the times support the link; the clock need only be asked where the other graph moved it."""
    before = graph.event(link.source), graph.event(link.target)
    unmoved = all(
        (then.first_seen, then.when) == (now.first_seen, now.when)
        for then, now in zip(before, (source, target), strict=True)
    )
    return link.order if unmoved else order_of_link(link, source, target)


def _one_link(one: Link, other: Link) -> Link:
    return replace(
        one,
        probability=max(one.probability, other.probability),
        strength=max(one.strength, other.strength),
        evidence=_all((*one.evidence, *other.evidence)),
        denied_by=_all((*one.denied_by, *other.denied_by)),
        closed_by=min(filter(None, (one.closed_by, other.closed_by)), default=None),
        judged=max((judged for judged in (one.judged, other.judged) if judged is not None), default=None),
    )


def _all(evidence: Iterable[E]) -> tuple[E, ...]:
    """Every piece once, at its highest probability; strongest first."""
    best: dict[Evidence, E] = {}
    for one in sorted(evidence, key=lambda one: (-one.probability, repr(one))):
        best.setdefault(replace(one, probability=0.0), one)
    return tuple(best.values())


def _first_reported(event: Event) -> tuple[bool, datetime, str]:
    seen = event.first_seen
    return seen is None, seen.at if seen else LONG_AGO, event.id
