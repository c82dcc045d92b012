"""Causal chains: the three structures of three connected events (Pearl 2009; CRAB, section 4.2 and figure 2).

The outer events of a collider are not linked: the two causes "are not themselves related to each other" (CRAB,
section 6). In mediation and confounding they may be: a mediator explains that link, and a confounder makes it
spurious. CRAB's counts agree (table 7: mediation and confounding are each seven times as frequent as colliders).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, product
from typing import TypeVar

from whywire.elements import Link, Order
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.frames import MIN_PROBABILITY
from whywire.links.order import order_of_events

E = TypeVar("E", bound=Hashable)


class ChainKind(StrEnum):
    """The relation of the middle event to the two outer events."""

    MEDIATION = "mediation"
    """One outer event led to the middle event, which led to the other."""
    CONFOUNDING = "confounding"
    """The middle event led to both outer events."""
    COLLIDER = "collider"
    """Both outer events led to the middle event, and neither led to the other."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Three events connected by two causal links.

    Args:
        events: ids, the middle event in the middle. The outer events are in order of cause and effect for a mediation
            and in the graph's order otherwise.
        links: between the middle event and the first, and between the middle event and the last.
        across: the links between the two outer events; empty for a collider.
    """

    kind: ChainKind
    events: tuple[str, str, str]
    links: tuple[Link, Link]
    across: tuple[Link, ...] = ()


def chains(graph: CausalGraph) -> Iterator[Chain]:
    """Yield all chains of open causal links, grouped by their middle event, in the graph's order.

    Links below :data:`~whywire.graph.frames.MIN_PROBABILITY` make no chain.

    A mediation whose first event certainly came after its last is left out, unless a sentence gives the order.
    """
    position = {event.id: number for number, event in enumerate(graph.events)}
    causal = {
        (link.source, link.target): link
        for event in graph.events
        for link in graph.effects_of(event.id)
        if link.probability >= MIN_PROBABILITY
    }
    pairs = sorted(causal, key=lambda pair: (position[pair[0]], position[pair[1]]))
    for kind, (first, middle, last), links in causal_triples(position, pairs):
        said = any(causal[pair].order is Order.SAID for pair in links)  # then the times do not count
        if kind is ChainKind.MEDIATION and not said and not order_of_events(graph.event(first), graph.event(last)):
            continue
        across = tuple(causal[pair] for pair in ((first, last), (last, first)) if pair in causal)
        yield Chain(kind, (first, middle, last), (causal[links[0]], causal[links[1]]), across)


def causal_triples(
    events: Iterable[E], links: Iterable[tuple[E, E]]
) -> Iterator[tuple[ChainKind, tuple[E, E, E], tuple[tuple[E, E], tuple[E, E]]]]:
    """Yield the three-event structures of a directed graph, without regard to times.

    Args:
        events: the possible middle events; their order is the order of the result.
        links: distinct pairs of cause and effect; their order is the order of the structures of one middle event.

    Yields:
        The kind, the three events (the middle one in the middle), and the pairs of the middle event with the first
        and the last event.
    """
    linked = dict.fromkeys(links)
    causes_of: defaultdict[E, list[E]] = defaultdict(list)
    effects_of: defaultdict[E, list[E]] = defaultdict(list)
    for cause, effect in linked:
        causes_of[effect].append(cause)
        effects_of[cause].append(effect)
    for middle in events:
        causes, effects = causes_of[middle], effects_of[middle]
        for cause, effect in product(causes, effects):
            if cause != effect:
                yield ChainKind.MEDIATION, (cause, middle, effect), ((cause, middle), (middle, effect))
        for first, last in combinations(effects, 2):
            yield ChainKind.CONFOUNDING, (first, middle, last), ((middle, first), (middle, last))
        for first, last in combinations(causes, 2):
            if (first, last) not in linked and (last, first) not in linked:
                yield ChainKind.COLLIDER, (first, middle, last), ((first, middle), (last, middle))
