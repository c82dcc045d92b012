"""From a logit to a probability that means what it says (Platt 1999)."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression


def fit_platt(logits: np.ndarray[Any, Any], truth: np.ndarray[Any, Any]) -> dict[str, float]:
    """Return ``scale`` and ``shift`` such that ``sigmoid(scale * logit + shift)`` is calibrated on these rows."""
    fitted = LogisticRegression(C=1e3).fit(logits.reshape(-1, 1), truth)
    return {"scale": round(float(fitted.coef_[0, 0]), 4), "shift": round(float(fitted.intercept_[0]), 4)}
