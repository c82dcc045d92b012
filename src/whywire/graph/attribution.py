"""Attribution: how much of each cause's strength remains after the part that a nearer cause mediates is taken off.

The rule: a cause loses the share that went through its strongest mediator, which is the strength of the link from the
cause to the mediator times that of the link from the mediator to the event, both divided by 100 (a product of path
coefficients, as for an indirect effect; Wright 1934). Only a cause with a stronger link to the event can be a
mediator, so the strongest cause keeps all of its strength.

Attribution is descriptive: strengths, frames and the order of causes do not use it. Strengths are judged for direct
causes already, and rules of this kind did not help to find direct causes (``lab/experiments/attribution.py``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whywire.elements import Link
from whywire.graph.causal_graph import CausalGraph


@dataclass(frozen=True, slots=True)
class AttributedCause:
    """A cause of an event.

    Args:
        link: from the cause to the event.
        credit: 0 to 100, the link's strength at most.
        through: id of the nearer cause that took the most from it; ``None`` where none did.
    """

    link: Link
    credit: float
    through: str | None = None


def mediated_shares(direct: NDArray[np.float64], between: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share (0 to 1) of its strength that the cause of the row loses to that of the column, (causes, causes).

    Args:
        direct: how strongly each caused the event, (causes,), 0 to 100.
        between: how strongly the cause of the row caused that of the column, (causes, causes), 0 to 100.
    """
    stronger = direct[None, :] > direct[:, None]
    result: NDArray[np.float64] = np.where(stronger, between * direct[None, :] / 100**2, 0.0)
    return result


def attributed_causes(graph: CausalGraph, event: str) -> tuple[AttributedCause, ...]:
    """Return the causes of an event with their credit, strongest first; those of closed links are not in."""
    links = graph.causes_of(event)
    causes = [link.source for link in links]
    between = np.zeros((len(causes), len(causes)))
    for row, cause in enumerate(causes):
        for link in graph.effects_of(cause):
            if link.target in causes:
                between[row, causes.index(link.target)] = link.strength
    lost = mediated_shares(np.array([link.strength for link in links], dtype=np.float64), between)
    found = []
    for link, shares in zip(links, lost, strict=True):
        most = int(np.argmax(shares))
        found.append(
            AttributedCause(link, link.strength * (1 - float(shares[most])), causes[most] if shares[most] else None)
        )
    return tuple(found)
