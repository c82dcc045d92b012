"""Causal frames: how responsibility for an event is distributed over its causes (CRAB, Romanou et al. 2023).

CRAB (sections 2 and 4.2) sorts the frames of events into six kinds by the strengths of all their possible causes. The
paper names and draws them (figure 2) but gives no rule. The rule here follows from what it says: in strong direct and
direct frames one cause stands apart from others that are low or none, mixed frames hold causes of various strengths
(section 6), and below 50 two events are not causally related (tables 2 and 16). It agrees with the sizes in table 6:
frames of one cause are few and small, mixed ones many and large.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from whywire.elements import StrengthClass, strength_class
from whywire.graph.causal_graph import CausalGraph

MIN_PROBABILITY = 0.5
"""A less probable link is more likely wrong than right, so frames and chains do without it."""


class Frame(StrEnum):
    """The kind of an event's causal frame; only causes of strength above 50 (*medium* or *high*) count."""

    STRONG_DIRECT = "strong_direct"
    """One cause, of high strength."""
    DIRECT = "direct"
    """One cause, of medium strength."""
    STRONG_CONTRIBUTORY = "strong_contributory"
    """Several causes, all of high strength."""
    CONTRIBUTORY = "contributory"
    """Several causes, all of medium strength."""
    MIXED = "mixed"
    """Several causes, of high and medium strength."""
    NONE = "none"
    """No cause of at least medium strength."""


def frame_of(strengths: Sequence[float]) -> Frame:
    """Return the frame for the strengths (0 to 100) of all possible causes of an event, in any order."""
    classes = [strength_class(strength) for strength in strengths]
    high, medium = classes.count(StrengthClass.HIGH), classes.count(StrengthClass.MEDIUM)
    if high and medium:
        return Frame.MIXED
    if high:
        return Frame.STRONG_DIRECT if high == 1 else Frame.STRONG_CONTRIBUTORY
    if medium:
        return Frame.DIRECT if medium == 1 else Frame.CONTRIBUTORY
    return Frame.NONE


def frames(graph: CausalGraph) -> dict[str, Frame]:
    """Return the frame of every event, by id; closed links and those below ``MIN_PROBABILITY`` do not count."""
    return {event.id: frame_of_event(graph, event.id) for event in graph.events}


def frame_of_event(graph: CausalGraph, event: str) -> Frame:
    """Return the frame of this event; closed links and those below ``MIN_PROBABILITY`` do not count."""
    return frame_of([link.strength for link in graph.causes_of(event) if link.probability >= MIN_PROBABILITY])
