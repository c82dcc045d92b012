"""Attribution: how much of each cause's strength remains without the part that a nearer cause mediates.

The rule: a cause loses the share that went through its strongest mediator: the strength of the link from the cause
to the mediator times that of the link from the mediator to the event, both divided by 100 (a product of path
coefficients, as for an indirect effect; Wright 1934). Only a cause with a stronger link to the event can be a
mediator, so the strongest cause keeps all of its strength.

Attribution is descriptive: strengths, frames and the order of causes do not use it. Strengths are judged for direct
causes already, and rules of this kind did not help to find direct causes (``lab/experiments/attribution.py``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whywire.elements import Link, round_strength
from whywire.graph.causal_graph import CausalGraph


@dataclass(frozen=True, slots=True)
class AttributedCause:
    """A cause of an event and what remains of its strength.

    Args:
        link: from the cause to the event.
        attribution: the strength that no mediator takes off, 0 to ``link.strength``.
        mediator: id of the cause through which the largest share went; ``None`` if there is none.
    """

    link: Link
    attribution: float
    mediator: str | None = None


def mediated_shares(direct: NDArray[np.float64], between: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share of each cause's strength that each other cause mediates.

    Args:
        direct: strength of each cause's link to the event, shape ``(causes,)``, 0 to 100.
        between: strength of the link from cause ``i`` to cause ``j``, shape ``(causes, causes)``, 0 to 100.

    Returns:
        Shape ``(causes, causes)``, 0 to 1: the share of cause ``i`` that cause ``j`` mediates. It is 0 unless ``j``
        is the stronger of the two.
    """
    stronger = direct[None, :] > direct[:, None]
    result: NDArray[np.float64] = np.where(stronger, between * direct[None, :] / 100**2, 0.0)
    return result


def attributed_causes(graph: CausalGraph, event: str) -> tuple[AttributedCause, ...]:
    """Return the causes of an event with their attribution, strongest link first; closed links do not count.

    Args:
        event: id of the event.
    """
    links = graph.causes_of(event)
    direct = [round_strength(link.strength) for link in links]  # as files hold them, so that a store says the same
    causes = [link.source for link in links]
    between = np.zeros((len(causes), len(causes)))
    for row, cause in enumerate(causes):
        for link in graph.effects_of(cause):
            if link.target in causes:
                between[row, causes.index(link.target)] = round_strength(link.strength)
    mediated = mediated_shares(np.array(direct, dtype=np.float64), between)
    attributed = []
    for link, strength, shares in zip(links, direct, mediated, strict=True):
        largest = int(np.argmax(shares))
        mediator = causes[largest] if shares[largest] else None
        attributed.append(AttributedCause(link, strength * (1 - float(shares[largest])), mediator))
    return tuple(attributed)
