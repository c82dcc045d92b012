"""The order of two events: by the times their words name, by their reports, or by what a sentence says.

Which error is worse? A link that runs backward in time. So times decide where they are certain, in this order:

1. Both events have a time that words name (`Event.when`), and the two do not overlap: what happened first is first,
   whenever it was reported. A refutation is between reports, and these times say nothing of it.
2. Else the reports: an event was certainly reported first where its first report came before the other's. A day that
   is inferred (`Published.inferred_from`) may be off by one, so it decides only where another day lies between.
3. A sentence that says what led to what orders the two itself. Against it the times forbid nothing, given or
   inferred: a cause is often found after its effect was reported, a planned event leads to much before it happens,
   and words that seem to name its time may speak of another event. The link then says so (`Order.SAID`).
"""

from __future__ import annotations

from whywire.elements import ClaimEvidence, Event, Link, LinkKind, Order
from whywire.news.article import Published


def order_of_reports(source: Published | None, target: Published | None) -> Order | None:
    """How the reports' times support an arrow from source to target; ``None`` where they forbid it."""
    if source is None or target is None:
        return Order.UNKNOWN
    if source.latest < target.earliest:
        return Order.FORWARD
    return None if target.latest < source.earliest else Order.SAME_TIME


def order_of_events(source: Event, target: Event, kind: LinkKind = LinkKind.CAUSES) -> Order | None:
    """How all known times support a link of a kind from one event to another; ``None`` where they forbid it."""
    if source.when and target.when and kind is LinkKind.CAUSES:
        if source.when.end <= target.when.start:
            return Order.FORWARD
        if target.when.end <= source.when.start:
            return None
    return order_of_reports(source.first_seen, target.first_seen)


def order_of_link(link: Link, source: Event, target: Event) -> Order | None:
    """The same for a link between the two: where a sentence says that one led to the other, it orders them itself."""
    said = any(isinstance(one, ClaimEvidence) for one in link.evidence)
    return order_of_events(source, target, link.kind) or (Order.SAID if said else None)
