"""Scores how strongly one event led to another, by a model trained on graded causes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from whywire.models import OnnxModel
from whywire.models.odds import calibrated
from whywire.progress import Advance


class StrengthModel:
    """Scores causes and effects by their words.

    Args:
        model: any with the output ``strength`` for a pair of texts.
    """

    def __init__(self, model: OnnxModel) -> None:
        self.model = model

    def strengths(self, pairs: Sequence[tuple[str, str]], advance: Advance | None = None) -> NDArray[np.float64]:
        """Causal strength (pairs,) of the first of each pair for the second, 0 to 100 on CRAB's scale.

        50 is where a direct cause is as likely as not. The two directions of a pair are scored separately.
        """
        logits = self.model.table(pairs, "strength", advance)[:, 0]
        return 100 * calibrated(logits.astype(np.float64), self.model.config["calibration"]["strength"])
