"""Events and stories of two graphs as one partition: events that share a mention, or an id, become one event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain, pairwise

import networkx as nx

from whywire.elements import Event, EventTime, article_sort_key, sort_mentions, time_range
from whywire.news.article import Article


def merge_events(
    one: Iterable[Event], other: Iterable[Event], articles: Mapping[str, Article]
) -> tuple[list[Event], dict[str, Event]]:
    """Merge the events of two graphs.

    Args:
        one: events of the one graph.
        other: events of the other graph.
        articles: those of both graphs, by id.

    Returns:
        The merged events, and the merged event of each earlier event, by the id of the earlier one.
    """
    groups = _same_events([*one, *other])
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
    """Merge events that are the same: the id of the earliest, the title of the one with the most articles."""
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
    )


def _most_exact(times: Iterable[EventTime], position: Mapping[str, int]) -> EventTime | None:
    """Return the shortest of the stated times; of equally short ones that of the earliest article."""

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
