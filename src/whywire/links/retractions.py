"""Closes the links of retracted events: if a report is denied, so are its causes and consequences.

Which error is worse? Closing a link of something that happened. So a refutation that corrects a number, names another
culprit or calls a plan off closes nothing: what it refutes happened, or was planned. Nor does the plea of somebody
accused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from whywire.elements import Contradiction, Event, HeadlineEvidence, Link, LinkKind
from whywire.events.contradictions import negates
from whywire.events.denials import is_plea


def retracted_events(links: Iterable[Link], event: Callable[[str], Event]) -> dict[str, str]:
    """The events whose reports were denied: from the id of each to the id of the event that denied it.

    Args:
        event: from an id to the event.
    """
    return {link.source: link.target for link in links if _is_denied(link) and _denies(event(link.target).title)}


def close_if_retracted(link: Link, denied: Mapping[str, str]) -> Link:
    """The link, closed if its source or target was retracted; only causal links are closed.

    Args:
        denied: :func:`retracted_events`. An event does not close the links it is part of.
    """
    by = denied.get(link.source) or denied.get(link.target)
    if by is None or by in (link.source, link.target) or link.kind is not LinkKind.CAUSES:
        return link
    return replace(link, closed_by=by)


def _is_denied(link: Link) -> bool:
    return link.kind is LinkKind.REFUTES and any(
        isinstance(one, HeadlineEvidence) and one.contradicts is Contradiction.POLARITY for one in link.evidence
    )


def _denies(headline: str) -> bool:
    return negates(headline) and not is_plea(headline)
