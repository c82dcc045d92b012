"""Log-odds, and probabilities calibrated with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

IDENTITY: Mapping[str, float] = {"scale": 1.0, "shift": 0.0}
"""The calibration that leaves log-odds as they are."""


def log_odds(probabilities: ArrayLike) -> NDArray[np.float64]:
    """The log-odds of probabilities (0 to 1), which are clipped so that it is finite."""
    safe = np.clip(np.asarray(probabilities, dtype=np.float64), 1e-4, 1 - 1e-4)
    result: NDArray[np.float64] = np.log(safe / (1 - safe))
    return result


def probabilities_of(odds: NDArray[Any]) -> NDArray[Any]:
    """The probabilities (0 to 1) of log-odds."""
    result: NDArray[Any] = 1 / (1 + np.exp(-odds))
    return result


def calibrated(scores: NDArray[Any], fitted: Mapping[str, float]) -> NDArray[Any]:
    """The probabilities, 0 to 1, of scores by a ``scale`` and a ``shift`` fitted on held-out rows (Platt 1999)."""
    return probabilities_of(fitted["scale"] * scores + fitted["shift"])
