"""Finished stories, and the links with their events where everything else is decided again.

A headline of a story that may still change was linked with one of a finished story when both were near. No decision
is made of it again: the link goes with its headline, to whatever event that headline is of now.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from whywire.elements import Event, HeadlineEvidence, Link, MentionKind
from whywire.updating.changes import LinkKey, link_key
from whywire.updating.state import State

OPEN_DAYS = 14.0
"""Days without a report after which a story is finished, by default. Reports of one event, and of what it led to, lie
within four days of each other; the rest is for articles that come late."""


def links_to_finished(state: State, links: Iterable[Link], events: Iterable[Event]) -> list[Link]:
    """The links between events decided again and finished ones; of several that fall together the most probable.

    Args:
        links: those so far.
        events: those decided again.
    """
    of_headline = {
        mention.article: event.id
        for event in events
        for mention in event.mentions
        if mention.kind is MentionKind.HEADLINE
    }
    kept: dict[LinkKey, Link] = {}
    for link in links:
        ends = [_is_finished(state, end) for end in (link.source, link.target)]
        shown = next((one for one in link.evidence if isinstance(one, HeadlineEvidence)), None)
        if all(ends) or not any(ends) or shown is None:
            continue
        source = link.source if ends[0] else of_headline.get(shown.source_article)
        target = link.target if ends[1] else of_headline.get(shown.target_article)
        if source is None or target is None:
            continue  # its article is gone
        moved = replace(link, source=source, target=target, closed_by=None)
        best = kept.get(link_key(moved))
        if best is None or moved.probability > best.probability:
            kept[link_key(moved)] = moved
    return list(kept.values())


def links_among_finished(state: State) -> set[LinkKey]:
    """The links both ends of which are finished."""
    return {key for key in state.links if all(_is_finished(state, end) for end in key[:2])}


def _is_finished(state: State, name: str) -> bool:
    event = state.events.get(name)
    return name in state.beyond.deniers if event is None else event.articles[0] in state.finished
