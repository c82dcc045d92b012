"""Merging of two graphs: of successive days, of two collections, or of two builds of the same news.

Nothing is scored again: where both graphs have a link, the higher probability and strength are taken. So merging a
graph with itself changes nothing, and the order of the two does not matter.

Graphs whose articles or claims differ under one id are refused, so no id gets two meanings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain, pairwise, zip_longest
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
    sort_by_time,
    sort_mentions,
    time_range,
)
from whywire.errors import InputError
from whywire.graph.causal_graph import CausalGraph
from whywire.links.order import order_of_link
from whywire.links.retractions import Retractions
from whywire.news.article import Article

E = TypeVar("E", Evidence, ClaimEvidence)
LinkKey = tuple[str, str, LinkKind]


def merge(first: CausalGraph, second: CausalGraph) -> CausalGraph:
    """Merge two graphs.

    Events that share a mention or have the same id become one event. It has the id of the event reported first, the
    title of the event with the most articles, and the most exact of the stated times. Where events have no mentions,
    shared articles count instead. Stories that share an event become one story.

    A link has the evidence of both graphs and the higher probability and strength. It is closed if it is closed in
    either graph, or if it is in one graph only and the other refutes its source or target. Links whose two events
    become one are dropped, as are links that earlier reports in the other graph show to run backward in time.

    Raises:
        InputError: the graphs have different articles, or different claims, with the same id.
    """
    articles = _merge_articles(first, second)
    events, merged_of = _merge_events(first.events, second.events, articles)
    links = _merge_links(first, second, merged_of)
    return CausalGraph(
        articles,
        sort_by_time(events),
        tuple(sorted(links, key=lambda link: (-link.weight, link.source, link.target, link.kind))),
        _merge_claims(first, second, merged_of),
    )


def _merge_articles(first: CausalGraph, second: CausalGraph) -> dict[str, Article]:
    articles = dict(first.articles)
    for name, article in second.articles.items():
        articles[name] = _merge_article(articles[name], article) if name in articles else article
    return articles


def _merge_article(first: Article, second: Article) -> Article:
    """Merge two copies of an article; a copy read from a build has only those parts of the text that are quoted."""
    if first == second:
        return first
    letters = list(zip_longest(first.text, second.text, fillvalue=" "))
    same_text = all(left == right or " " in (left, right) for left, right in letters)
    if replace(first, text="", also=()) != replace(second, text="", also=()) or not same_text:
        raise InputError(
            "the two graphs hold different articles of this id",
            where=first.id,
            hint="build them from the same rows, or give the articles ids of their own",
        )
    text = "".join(right if left == " " else left for left, right in letters)
    return replace(first, text=text, also=tuple(sorted({*first.also, *second.also})))


def _merge_claims(first: CausalGraph, second: CausalGraph, merged_of: Mapping[str, Event]) -> tuple[Claim, ...]:
    claims: dict[str, Claim] = {}
    for claim in (*first.claims, *second.claims):
        event = merged_of[claim.event].id
        moved = claim if claim.event == event else replace(claim, event=event)
        earlier = claims.setdefault(claim.id, moved)
        if earlier == moved:
            continue
        if replace(earlier, probability=moved.probability) != moved:
            raise InputError("the two graphs hold different claims of this id", where=claim.id)
        claims[claim.id] = max(earlier, moved, key=lambda version: version.probability)
    return tuple(claims.values())


def _merge_links(first: CausalGraph, second: CausalGraph, merged_of: Mapping[str, Event]) -> list[Link]:
    links: dict[LinkKey, Link] = {}
    backward: set[LinkKey] = set()  # backward by the merged times; a sentence may still give their order
    merged_events = {event.id: event for event in merged_of.values()}
    for graph, elsewhere in ((first, second), (second, first)):
        refuting = [link for link in elsewhere.links if link.kind is LinkKind.REFUTES]
        moved_refuting = (_moved(link, link.order, merged_of) for link in refuting)
        retractions = Retractions.of(moved_refuting, merged_events.__getitem__)
        elsewhere_links = {_key(link, merged_of) for link in elsewhere.links}
        for link in graph.links:
            key = _key(link, merged_of)
            if key[0] == key[1]:
                continue
            order = _merged_order(link, graph, merged_of)
            if order is None:
                backward.add(key)
            moved = _moved(link, order or Order.UNKNOWN, merged_of)
            if link.closed_by is None and key not in elsewhere_links:
                moved = retractions.close(moved)
            links[key] = _merge_link(links[key], moved) if key in links else moved
    for key in backward:
        order = order_of_link(links[key], merged_events[key[0]], merged_events[key[1]])
        if order:
            links[key] = replace(links[key], order=order)
        else:
            del links[key]
    return list(links.values())


def _key(link: Link, merged_of: Mapping[str, Event]) -> LinkKey:
    return merged_of[link.source].id, merged_of[link.target].id, link.kind


def _moved(link: Link, order: Order, merged_of: Mapping[str, Event]) -> Link:
    """Return the link between merged events; it is open if the event that closed it is now one of its two."""
    source, target, _ = _key(link, merged_of)
    closed_by = merged_of[link.closed_by].id if link.closed_by else None
    if closed_by in (source, target):
        closed_by = None
    return replace(link, source=source, target=target, order=order, closed_by=closed_by)


def _merged_order(link: Link, graph: CausalGraph, merged_of: Mapping[str, Event]) -> Order | None:
    """Return how the merged times support a link; they are only compared if merging changed them."""
    before = graph.event(link.source), graph.event(link.target)
    after = merged_of[link.source], merged_of[link.target]
    unchanged = [(event.first_seen, event.when) for event in before] == [
        (event.first_seen, event.when) for event in after
    ]
    return link.order if unchanged else order_of_link(link, *after)


def _merge_link(first: Link, second: Link) -> Link:
    probability, strength = max((link.probability, link.strength) for link in (first, second))
    return replace(
        first,
        probability=probability,
        strength=strength,
        evidence=_merge_evidence((*first.evidence, *second.evidence)),
        denied_by=_merge_evidence((*first.denied_by, *second.denied_by)),
        closed_by=min(filter(None, (first.closed_by, second.closed_by)), default=None),
    )


def _merge_evidence(evidence: Iterable[E]) -> tuple[E, ...]:
    """Return each piece of evidence once, at its highest probability, most probable first."""
    best: dict[Evidence, E] = {}
    for piece in sorted(evidence, key=lambda piece: (-piece.probability, repr(piece))):
        best.setdefault(replace(piece, probability=0.0), piece)
    return tuple(best.values())


def _merge_events(
    first: Iterable[Event], second: Iterable[Event], articles: Mapping[str, Article]
) -> tuple[list[Event], dict[str, Event]]:
    """Merge the events of two graphs.

    Args:
        first: events of one graph.
        second: events of the other graph.
        articles: those of both graphs, by id.

    Returns:
        The merged events, and the merged event of each earlier event, by the id of the earlier one.
    """
    groups = _same_events([*first, *second])
    merged = _with_merged_stories([_merged_event(group, articles) for group in groups], groups)
    return merged, {event.id: whole for whole, group in zip(merged, groups, strict=True) for event in group}


def _same_events(events: Sequence[Event]) -> list[list[Event]]:
    """Group events that share a mention or an id, directly or through others.

    Where events have no mentions, articles count instead.
    """
    sharing = nx.Graph()
    versions: dict[str, list[Event]] = {}
    for event in events:
        versions.setdefault(event.id, []).append(event)
        members = [(mention.article, mention.field, mention.span) for mention in event.mentions] or event.articles
        sharing.add_edges_from((("event", event.id), ("member", member)) for member in members)
    return [
        [event for kind, name in component if kind == "event" for event in versions[name]]
        for component in nx.connected_components(sharing)
    ]


def _merged_event(events: Sequence[Event], articles: Mapping[str, Article]) -> Event:
    """Merge equal events: the id is that of the earliest, the title that of the event with the most articles."""
    first = min(events, key=_first_report_key)
    if all(event == first for event in events):
        return first
    largest = min(events, key=lambda event: (-len(event.articles), _first_report_key(event), event.title))
    members = sorted(
        {article for event in events for article in event.articles}, key=lambda name: article_sort_key(articles[name])
    )
    first_seen, last_seen = time_range(time for event in events for time in (event.first_seen, event.last_seen))
    position = {name: number for number, name in enumerate(members)}
    mentions = sort_mentions({mention for event in events for mention in event.mentions}, position)
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
        when=_most_exact((event.when for event in events if event.when), position),
        checked_by=min(filter(None, (event.checked_by for event in events)), default=None),
    )


def _most_exact(times: Iterable[EventTime], position: Mapping[str, int]) -> EventTime | None:
    """Return the shortest of the stated times; of equally short times, that of the earliest article."""

    def sort_key(time: EventTime) -> tuple[object, ...]:
        return time.end - time.start, position[time.article], time.field == "text", time.span, time.start

    return min(times, key=sort_key, default=None)


def _with_merged_stories(merged: Sequence[Event], groups: Sequence[Sequence[Event]]) -> list[Event]:
    """Return the merged events with merged stories: those that share an event become one.

    A story is named for the earliest of the events that gave its parts their ids.
    """
    merged_of = {event.id: whole for whole, group in zip(merged, groups, strict=True) for event in group}
    stories = [[event.story for event in group if event.story is not None] for group in groups]
    sharing = nx.Graph()
    sharing.add_nodes_from(chain.from_iterable(stories))
    sharing.add_edges_from(pair for names in stories for pair in pairwise(names))
    story_of: dict[str, str] = {}
    for names in nx.connected_components(sharing):
        first_events = [merged_of[name] for name in names if name in merged_of]
        earliest = min(first_events, key=_first_report_key).id if first_events else min(names)
        story_of |= dict.fromkeys(names, earliest)
    return [
        replace(event, story=story_of[names[0]] if names else None)
        for event, names in zip(merged, stories, strict=True)
    ]


def _first_report_key(event: Event) -> tuple[bool, datetime | None, str]:
    """Sort key: by first report, events without a time last, then by id."""
    return event.first_seen is None, event.first_seen.at if event.first_seen else None, event.id
