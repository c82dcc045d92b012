"""Which of two events came first, by the clock of their reports or by what a sentence says."""

from __future__ import annotations

from whywire.graph.elements import ClaimEvidence, Link, Order
from whywire.news.article import Published


def order_of(source: Published | None, target: Published | None) -> Order | None:
    """How the reports' times support an arrow from source to target; ``None`` where they forbid it."""
    if source is None or target is None:
        return Order.UNKNOWN
    if source.latest < target.earliest:
        return Order.FORWARD
    return None if target.latest < source.earliest else Order.SAME_TIME


def order_of_link(link: Link, source: Published | None, target: Published | None) -> Order | None:
    """The same for a link: where a sentence says that the source led to the target, it orders the two itself."""
    said = any(isinstance(one, ClaimEvidence) for one in link.evidence)
    return order_of(source, target) or (Order.SAID if said else None)
