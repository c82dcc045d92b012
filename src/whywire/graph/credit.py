"""How much of an event each of its causes has to answer for, once those nearer to the event have taken their part.

The rule: what a cause did by way of a nearer and stronger one is that one's doing. So a cause keeps its strength,
less the share that went by way of the cause that mediates most: how strongly it caused that one, times how strongly
that one caused the event (both as shares of 100). The strongest cause keeps all.

The rule describes; it decides nothing. It does not help to tell direct causes from others, and rules that take more
away do harm (``lab/experiments/credit.py``): strengths are judged as of direct causes already. So strengths, frames
and the order of causes are without it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whywire.elements import Link
from whywire.graph.causal_graph import CausalGraph


@dataclass(frozen=True, slots=True)
class Credited:
    """A cause of an event.

    Args:
        link: from the cause to the event.
        credit: 0 to 100, the link's strength at most.
        through: id of the nearer cause that took the most from it; ``None`` where none did.
    """

    link: Link
    credit: float
    through: str | None = None


def shares_lost(direct: NDArray[np.float64], between: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share (0 to 1) of its strength that the cause of the row loses to that of the column, (causes, causes).

    Args:
        direct: how strongly each caused the event, (causes,), 0 to 100.
        between: how strongly the cause of the row caused that of the column, (causes, causes), 0 to 100.
    """
    stronger = direct[None, :] > direct[:, None]
    result: NDArray[np.float64] = np.where(stronger, between * direct[None, :] / 100**2, 0.0)
    return result


def credited_causes(graph: CausalGraph, event: str) -> tuple[Credited, ...]:
    """Return the causes of an event with their credit, strongest first; those of closed links are not in."""
    links = graph.causes_of(event)
    causes = [link.source for link in links]
    between = np.zeros((len(causes), len(causes)))
    for row, cause in enumerate(causes):
        for link in graph.effects_of(cause):
            if link.target in causes:
                between[row, causes.index(link.target)] = link.strength
    lost = shares_lost(np.array([link.strength for link in links], dtype=np.float64), between)
    found = []
    for link, shares in zip(links, lost, strict=True):
        most = int(np.argmax(shares))
        found.append(
            Credited(link, link.strength * (1 - float(shares[most])), causes[most] if shares[most] else None)
        )
    return tuple(found)
