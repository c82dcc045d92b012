"""The main events of a story: the few that a reader needs to know what happened and why.

Careful readers who sum up five or six articles list eight to twelve events (CRAB, Romanou et al. 2023, section 3.2).
A build lists every event that an article tells, so most of them are steps and details of the main ones.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable

from whywire.elements import Event, Link, LinkKind, sort_by_time
from whywire.graph.causal_graph import Story
from whywire.news.stems import stems

MOST = 12
"""How many main events a story has, if it has as many events."""


def main_events(story: Story) -> tuple[Event, ...]:
    """The main events of a story, the ``MOST`` most important with the lead, in the order in which to tell them.

    That is the order of time, but causes come before their effects: many events of a story are told first by one
    report, and a cause is often reported after its effect. An event whose title restates that of a more important one
    comes only where there are no others.
    """
    links: defaultdict[str, list[Link]] = defaultdict(list)
    for link in story.links:
        links[link.source].append(link)
        links[link.target].append(link)
    ranked = sorted(
        story.events,
        key=lambda event: (event.id != story.lead.id, -importance(event, links[event.id]), event.id),
    )
    chosen: list[Event] = []
    restating: list[Event] = []
    for event in ranked:
        (restating if any(restates(event, other) for other in chosen) else chosen).append(event)
        if len(chosen) == MOST:
            break
    return _causes_first(sort_by_time((chosen + restating)[:MOST]), story.links)


def _causes_first(events: Iterable[Event], links: Iterable[Link]) -> tuple[Event, ...]:
    """Events in their order, but each behind those that led to it; the causal links of a graph form no circle."""
    waiting = {event.id: event for event in events}
    causes = [link for link in links if link.kind is LinkKind.CAUSES and {link.source, link.target} <= waiting.keys()]
    ordered: list[Event] = []
    while waiting:
        held = {link.target for link in causes if link.source in waiting}
        ordered.append(waiting.pop(next((name for name in waiting if name not in held), next(iter(waiting)))))
    return tuple(ordered)


def restates(one: Event, other: Event) -> bool:
    """Whether the title of one of two events has all the words of the other's, by their stems."""
    words, others = stems(one.title), stems(other.title)
    return bool(words and others) and (words <= others or others <= words)


def importance(event: Event, links: Iterable[Link]) -> float:
    """How important an event is to its story: how often articles tell of it, titles above all, and its causal links.

    Of fourteen such sums this one found most of readers' main events (``docs/results/graph.md``), in stories other
    than those that are measured.
    """
    in_titles = sum(mention.field == "title" for mention in event.mentions)
    told = len(event.articles) + 0.3 * len(event.mentions) + 0.5 * in_titles
    return told + math.fsum(link.probability for link in links if link.kind is LinkKind.CAUSES)
