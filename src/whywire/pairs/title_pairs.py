"""The model of picked pairs: what two titles that somebody chose to compare have to do with each other.

It reads both titles together, from the first layer on, and was taught by HeadlineCause's guideline, whose annotators
call more a cause than a causal graph needs. That is too slow for all neighbours in a stream.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from whywire.models import OnnxModel
from whywire.pairs.pair_order import in_one_order
from whywire.pairs.relations import MIRROR
from whywire.pairs.reports import TwoReports
from whywire.progress import Advance, share_of

KIND = "relations"


class TitlePairModel:
    """Relates pairs of titles; the order of a pair never matters.

    Args:
        model: has the output ``relation`` for a pair of texts, and in its config ``temperature`` and ``picked``: the
            factors of the odds of each relation that make them those of picked pairs.
    """

    def __init__(self, model: OnnxModel) -> None:
        self.model = model

    def relate(self, pairs: Sequence[TwoReports], advance: Advance | None = None) -> NDArray[np.float64]:
        """Probabilities (pairs, 7) of the relations; titles alone are read, in both orders."""

        def read(ordered: list[TwoReports]) -> NDArray[np.float64]:
            forward = self._probabilities([(left.title, right.title) for left, right in ordered], advance)
            backward = self._probabilities([(right.title, left.title) for left, right in ordered], advance)
            odds = (forward + backward[:, MIRROR]) * np.array(self.model.config["calibration"]["picked"])
            twice = (odds + odds[:, MIRROR]).sum(axis=1, keepdims=True)  # in either order the same to the last bit
            result: NDArray[np.float64] = 2 * odds / twice
            return result

        return in_one_order(pairs, read, MIRROR)

    def _probabilities(self, titles: Sequence[tuple[str, str]], advance: Advance | None) -> NDArray[np.float64]:
        logits = self.model.table(titles, "relation", share_of(advance, 1 / 2)).astype(np.float64)
        powers = np.exp(
            (logits - logits.max(axis=1, keepdims=True)) / self.model.config["calibration"]["temperature"]
        )
        result: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
        return result
