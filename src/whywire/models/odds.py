"""Log-odds, and calibration of probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

IDENTITY: Mapping[str, float] = {"scale": 1.0, "shift": 0.0}
"""The calibration that leaves probabilities unchanged."""


def log_odds(probabilities: ArrayLike) -> NDArray[np.float64]:
    """Return the log-odds of probabilities (0 to 1), which are clipped so that the result is finite."""
    safe = np.clip(np.asarray(probabilities, dtype=np.float64), 1e-4, 1 - 1e-4)
    result: NDArray[np.float64] = np.log(safe / (1 - safe))
    return result


def probabilities_of(odds: NDArray[Any]) -> NDArray[Any]:
    """Return the probabilities (0 to 1) of log-odds."""
    result: NDArray[Any] = 1 / (1 + np.exp(-odds))
    return result


def calibrated(scores: NDArray[Any], fitted: Mapping[str, float]) -> NDArray[Any]:
    """Return probabilities (0 to 1) of scores, with ``scale`` and ``shift`` fitted on held-out rows (Platt 1999)."""
    return probabilities_of(fitted["scale"] * scores + fitted["shift"])


def score_for(probability: float, fitted: Mapping[str, float]) -> float:
    """Return the score at which :func:`calibrated` gives a probability (between 0 and 1)."""
    return float((log_odds(probability) - fitted["shift"]) / fitted["scale"])
