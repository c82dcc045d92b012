"""A story in short: what happened, what led to it, what followed, what is disputed, and what is planned."""

from __future__ import annotations

from dataclasses import dataclass

from whywire.elements import Event, Link, LinkKind
from whywire.graph.causal_graph import CausalGraph, Story
from whywire.graph.main_events import main_events, restates

FEW = 3
"""The most links of a kind that a brief names."""

LEAST = 0.4
"""The probability from which a link beside those of the lead is named."""


@dataclass(frozen=True, slots=True)
class Brief:
    """What a reader should know first of a story. All links are those of the greatest weight first, at most ``FEW``.

    Args:
        main: the main events, in order of time; the lead is one of them.
        causes: what led to the lead.
        effects: what the lead led to.
        elsewhere: other links that are rather sure, which fill up what is known of the lead; those between main
            events come first.
        disputed: refutations, and causes that somebody denies or that a denial closed.
        planned: the main events that are announced only, at most ``FEW``.

    A link of two events one of which restates the other is not named: it tells a reader nothing.
    """

    main: tuple[Event, ...]
    causes: tuple[Link, ...]
    effects: tuple[Link, ...]
    elsewhere: tuple[Link, ...]
    disputed: tuple[Link, ...]
    planned: tuple[Event, ...]


def brief_of(graph: CausalGraph, story: Story) -> Brief:
    """Sum up a story of a graph."""
    lead, main = story.lead.id, main_events(story)

    def telling(link: Link) -> bool:
        return not restates(graph.event(link.source), graph.event(link.target))

    causes = tuple(filter(telling, graph.causes_of(lead)))[:FEW]
    effects = tuple(filter(telling, graph.effects_of(lead)))[:FEW]
    names = {event.id for event in main}
    in_force = [link for link in story.links if link.kind is LinkKind.CAUSES and not link.closed_by]
    others = sorted(
        (
            link
            for link in in_force
            if lead not in (link.source, link.target) and link.probability >= LEAST and telling(link)
        ),
        key=lambda link: (not {link.source, link.target} <= names, -link.weight, link.source, link.target),
    )
    disputed = [link for link in story.links if link.kind is LinkKind.REFUTES or link.denied_by or link.closed_by]
    return Brief(
        main=main,
        causes=causes,
        effects=effects,
        elsewhere=tuple(others[: max(0, FEW - min(len(causes), len(effects)))]),
        disputed=tuple(sorted(disputed, key=lambda link: (-link.weight, link.source, link.target))[:FEW]),
        planned=tuple(event for event in main if event.planned)[:FEW],
    )
