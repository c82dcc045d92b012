"""Links that a denial closes: a denied report takes its causes and consequences with it.

A refutation that only brings another number, names another culprit or calls a plan off closes nothing: what it
refutes was reported in good faith, and happened or was planned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from whywire.elements import Contradiction, Event, HeadlineEvidence, Link, LinkKind
from whywire.links.denials import is_denial


def retracted_events(links: Iterable[Link], event: Callable[[str], Event]) -> dict[str, str]:
    """The ids of the events whose report was denied, and of the events that denied them.

    Args:
        event: from an id to the event.
    """
    return {link.source: link.target for link in links if _is_denied(link) and is_denial(event(link.target).title)}


def close_if_retracted(link: Link, denied: Mapping[str, str]) -> Link:
    """The link, closed by what denied its source or target, if anything did; only causal links are closed.

    Args:
        denied: as :func:`retracted_events` gives it. An event at the link's own end does not close it.
    """
    by = denied.get(link.source) or denied.get(link.target)
    if by is None or by in (link.source, link.target) or link.kind is not LinkKind.CAUSES:
        return link
    return replace(link, closed_by=by)


def _is_denied(link: Link) -> bool:
    return link.kind is LinkKind.REFUTES and any(
        isinstance(one, HeadlineEvidence) and one.contradicts is Contradiction.POLARITY for one in link.evidence
    )
