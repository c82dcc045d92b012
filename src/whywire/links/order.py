"""The order of two events: by the times that are stated for them, by their reports, or by what a sentence says.

A link that runs backward in time is worse than a missed link. So certain times decide, in this order:

1. If a time is stated for both events (`Event.when`) and the two do not overlap, the earlier event is first, whenever
   it was reported. A refutation is between reports, so stated times do not count for it.
2. Else an event is first if its first report certainly came before that of the other. A day that is inferred
   (`Published.inferred_from`) may be off by one, so it decides only if another day lies between.
3. A sentence that says what led to what overrides the times: a cause is often found after its effect was reported, a
   planned event has effects before it happens, and a stated time may belong to another event. The link then says so
   (`Order.SAID`).
"""

from __future__ import annotations

from whywire.elements import ClaimEvidence, Event, Link, LinkKind, Order
from whywire.news.article import Published


def order_of_reports(source: Published | None, target: Published | None) -> Order | None:
    """How the times of first reports support a link from source to target; ``None`` if they forbid it."""
    if source is None or target is None:
        return Order.UNKNOWN
    if source.latest < target.earliest:
        return Order.FORWARD
    return None if target.latest < source.earliest else Order.SAME_TIME


def order_of_events(source: Event, target: Event, kind: LinkKind = LinkKind.CAUSES) -> Order | None:
    """How stated and report times support a link of a kind; ``None`` if they forbid it."""
    if source.when and target.when and kind is LinkKind.CAUSES:
        if source.when.end <= target.when.start:
            return Order.FORWARD
        if target.when.end <= source.when.start:
            return None
    return order_of_reports(source.first_seen, target.first_seen)


def order_of_link(link: Link, source: Event, target: Event) -> Order | None:
    """How times, or else a sentence among its evidence, support a link; ``None`` if the times forbid it."""
    said = any(isinstance(piece, ClaimEvidence) for piece in link.evidence)
    return order_of_events(source, target, link.kind) or (Order.SAID if said else None)
