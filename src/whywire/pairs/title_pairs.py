"""The model of titles: it predicts which of the seven relations two titles have.

It reads both titles together, from the first layer on, which is too slow for all neighbours in a stream. Part of its
training labels follow the guideline of HeadlineCause, which calls more pairs causal than a causal graph needs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from whywire.models import OnnxModel
from whywire.models.odds import calibrated
from whywire.pairs.relations import MIRROR, in_one_order, mirrored, normalised
from whywire.pairs.reports import TextPair
from whywire.progress import Advance, share_of

KIND = "relations"


class TitlePairModel:
    """Relates pairs of titles; the order of a pair never matters.

    Args:
        model: has the output ``relation`` for a pair of texts. Its config has ``temperature``, and ``picked``: the
            factors that change the odds of each relation to those among picked pairs.
    """

    def __init__(self, model: OnnxModel) -> None:
        self.model = model

    def relation_probabilities(
        self, pairs: Sequence[TextPair], advance: Advance | None = None
    ) -> NDArray[np.float64]:
        """Probabilities (pairs, 7) of the relations of neighbours in a stream, in one pass a pair."""
        return in_one_order(pairs, lambda ordered: self._probabilities(ordered, advance), MIRROR)

    def relate(self, pairs: Sequence[TextPair], advance: Advance | None = None) -> NDArray[np.float64]:
        """Probabilities (pairs, 7) of the relations of picked pairs; each pair is read in both orders."""
        share = share_of(advance, 1 / 2)

        def read(ordered: list[TextPair]) -> NDArray[np.float64]:
            forward = self._probabilities(ordered, share)
            backward = self._probabilities([(right, left) for left, right in ordered], share)
            return normalised((forward + mirrored(backward)) * np.array(self.model.config["calibration"]["picked"]))

        return in_one_order(pairs, read, MIRROR)

    def _probabilities(self, titles: Sequence[TextPair], advance: Advance | None) -> NDArray[np.float64]:
        logits = self.model.table(titles, "relation", advance).astype(np.float64)
        odds = logits / self.model.config["calibration"]["temperature"]
        powers = np.exp(odds - odds.max(axis=1, keepdims=True))
        result: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
        return result


class StrengthModel:
    """Scores causes and effects by their words.

    Args:
        model: any model with the output ``strength`` for a pair of texts.
    """

    def __init__(self, model: OnnxModel) -> None:
        self.model = model

    def strengths(self, pairs: Sequence[tuple[str, str]], advance: Advance | None = None) -> NDArray[np.float64]:
        """Causal strength (pairs,) of the first of each pair for the second, 0 to 100 on CRAB's scale.

        50 is where a direct cause is as likely as not. The two directions of a pair are scored separately.
        """
        logits = self.model.table(pairs, "strength", advance)[:, 0]
        return 100 * calibrated(logits.astype(np.float64), self.model.config["calibration"]["strength"])
