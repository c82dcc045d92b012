"""Scores of several training runs of one recipe, as papers give them: a mean and its deviation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class MeanAndDeviation:
    """A score over several runs: its mean, and the standard deviation of the sample (0 of a single run)."""

    mean: float
    deviation: float


def over_runs(runs: Sequence[Mapping[str, float]]) -> dict[str, MeanAndDeviation]:
    """Mean and deviation of each score that all runs have.

    Args:
        runs: the scores of each run, by name.
    """
    names = [name for name in runs[0] if all(name in run for run in runs)] if runs else []
    found = {name: np.array([run[name] for run in runs]) for name in names}
    return {
        name: MeanAndDeviation(float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else 0.0)
        for name, values in found.items()
    }
