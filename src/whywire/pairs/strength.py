"""How strongly one event led to another, as a model judges it that has learnt from graded causes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from whywire.models import OnnxModel
from whywire.models.encoder import Progress
from whywire.models.odds import calibrated


class StrengthModel:
    """Judges causes and effects by their words.

    Args:
        model: any that has an output ``strength`` for pairs.
    """

    def __init__(self, model: OnnxModel) -> None:
        self.model = model

    def strengths(self, pairs: Sequence[tuple[str, str]], progress: Progress | None = None) -> NDArray[np.float64]:
        """How strongly the first of each pair led to the second, (pairs,), 0 to 100 on CRAB's scale.

        50 is where a direct cause is as likely as not. The first is always read on the left, so whoever wants to know
        of both directions asks twice.
        """
        forward = self.model.table(pairs, "strength", progress)[:, 0]
        return 100 * calibrated(forward.astype(np.float64), self.model.config["calibration"]["strength"])
