"""Causal frames: how the blame for an event is spread over its causes (CRAB, Romanou et al. 2023, sections 2, 4.2).

The paper sorts frames into six kinds by the strengths of all the possible causes of an event. It draws them (figure
2) and names them, but gives no rule in words. The one used here follows from what it does say: strong direct and
direct frames set one cause apart from others that are low or none, mixed ones hold strengths of various degrees
(section 6), and below 50 two events are not causally related (tables 2 and 16). It agrees with the sizes in its table
6: frames of one cause are few and small, mixed ones many and large.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from whywire.elements import StrengthClass, strength_class
from whywire.graph.causal_graph import CausalGraph


class Frame(StrEnum):
    """How the blame for an event is spread; a cause counts from *medium* on (strength above 50)."""

    STRONG_DIRECT = "strong_direct"
    """One cause, and it is high."""
    DIRECT = "direct"
    """One cause, and it is medium."""
    STRONG_CONTRIBUTORY = "strong_contributory"
    """Several causes, all of them high."""
    CONTRIBUTORY = "contributory"
    """Several causes, all of them medium."""
    MIXED = "mixed"
    """Several causes, high and medium."""
    NONE = "none"
    """No cause: whatever there is is low or none."""


def frame_of(strengths: Sequence[float]) -> Frame:
    """Name the frame of an event from the strengths (0 to 100) of all its possible causes, in any order."""
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
    """Return the frame of every event, by id; a closed link is a cause no longer."""
    return {event.id: frame_of_event(graph, event.id) for event in graph.events}


def frame_of_event(graph: CausalGraph, event: str) -> Frame:
    """Return the frame of the event with this id."""
    return frame_of([link.strength for link in graph.causes_of(event)])
