"""Causal chains: the three ways in which three events hang together (Pearl 2009; CRAB, section 4.2 and figure 2).

Which of them also allow a link between the two outer events? In a collider the two causes "are not themselves
related to each other" (CRAB, section 6). Mediation and confounding are what they are whether the outer events are
linked or not: that link is just what a mediator explains and a confounder feigns. CRAB's counts (its table 7: seven
times as many of either as of colliders) agree.
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
from whywire.links.order import order_of_events

E = TypeVar("E", bound=Hashable)


class ChainKind(StrEnum):
    """How the middle event stands to the two outer ones."""

    MEDIATION = "mediation"
    """One led to the middle event, and that to the other."""
    CONFOUNDING = "confounding"
    """The middle event led to both."""
    COLLIDER = "collider"
    """Both led to the middle event, neither to the other."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Three events that hang together.

    Args:
        events: ids; the middle one stands between the outer ones, which are in order of cause and effect for a
            mediation and in the graph's order otherwise.
        links: between the middle event and the first, and the last.
        across: the links between the two outer events; none for a collider.
    """

    kind: ChainKind
    events: tuple[str, str, str]
    links: tuple[Link, Link]
    across: tuple[Link, ...] = ()


def chains(graph: CausalGraph) -> Iterator[Chain]:
    """Find all chains of open causal links, those around one event after those around another."""
    place = {event.id: number for number, event in enumerate(graph.events)}
    causal = {(link.source, link.target): link for event in graph.events for link in graph.effects_of(event.id)}
    pairs = sorted(causal, key=lambda pair: (place[pair[0]], place[pair[1]]))
    for kind, (first, middle, last), links in causal_triples(place, pairs):
        said = any(causal[pair].order is Order.SAID for pair in links)  # then the times order nothing
        if kind is ChainKind.MEDIATION and not said and not order_of_events(graph.event(first), graph.event(last)):
            continue
        across = tuple(causal[pair] for pair in ((first, last), (last, first)) if pair in causal)
        yield Chain(kind, (first, middle, last), (causal[links[0]], causal[links[1]]), across)


def causal_triples(
    events: Iterable[E], links: Iterable[tuple[E, E]]
) -> Iterator[tuple[ChainKind, tuple[E, E, E], tuple[tuple[E, E], tuple[E, E]]]]:
    """Find the ways in which three events hang together, whatever the clock says of them.

    Args:
        events: each may be a middle one, in turn.
        links: pairs of a cause and an effect, each once, in the order in which they are to be taken.

    Returns:
        The kind, the events with the middle one in the middle, and its links with the first and the last.
    """
    linked = dict.fromkeys(links)
    into: defaultdict[E, list[E]] = defaultdict(list)
    out: defaultdict[E, list[E]] = defaultdict(list)
    for cause, effect in linked:
        into[effect].append(cause)
        out[cause].append(effect)
    for middle in events:
        causes, effects = into[middle], out[middle]
        for cause, effect in product(causes, effects):
            if cause != effect:
                yield ChainKind.MEDIATION, (cause, middle, effect), ((cause, middle), (middle, effect))
        for one, other in combinations(effects, 2):
            yield ChainKind.CONFOUNDING, (one, middle, other), ((middle, one), (middle, other))
        for one, other in combinations(causes, 2):
            if (one, other) not in linked and (other, one) not in linked:
                yield ChainKind.COLLIDER, (one, middle, other), ((one, middle), (other, middle))
