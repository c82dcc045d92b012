"""How the experiments print precision, recall, F1 and calibration errors."""

from __future__ import annotations

from numpy.typing import ArrayLike

from whywire_lab.metrics.classification import Score, calibration_error, calibration_error_by_chance


def rounded_score(found: Score, name: str = "") -> dict[str, float]:
    """Precision, recall and F1 with four decimals, each with ``name`` before it."""
    prefix = f"{name} " if name else ""
    return {
        f"{prefix}precision": round(found.precision, 4),
        f"{prefix}recall": round(found.recall, 4),
        f"{prefix}f1": round(found.f1, 4),
    }


def rounded_error(
    probabilities: ArrayLike, truth: ArrayLike, name: str = "ece", *, weights: ArrayLike | None = None
) -> dict[str, float]:
    """The calibration error with four decimals, and what chance alone makes of so many rows."""
    return {
        name: round(calibration_error(probabilities, truth, weights=weights), 4),
        f"{name} by chance": round(calibration_error_by_chance(probabilities, weights=weights), 4),
    }
