"""What groups headlines by event needs of a model: how likely two headlines report the same event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from whywire.progress import Advance

MAX_NEIGHBOURS = 12
"""Other headlines that a headline is compared with in the first pass, at most."""

MIN_PROBABILITY = 0.1
"""Probability of *same event*, by the embeddings alone, from which two headlines are compared by both texts."""

HEADLINE_PRIOR = 1.0
"""Log-odds added to every probability of *same event* of two headlines, chosen on topics that are not reported on."""


class SameEventScorer(Protocol):
    """Scores how likely two headlines report the same event; :class:`whywire.pairs.model.HeadlineModel` is one."""

    def embed(self, headlines: Sequence[str], advance: Advance | None = None, /) -> NDArray[np.float32]:
        """Unit vectors (headlines, size)."""

    def same_event_probabilities(
        self,
        pairs: Sequence[tuple[str, str]],
        cosines: NDArray[np.float32],
        advance: Advance | None = None,
        /,
    ) -> NDArray[np.float64]:
        """The probability (pairs,) of *same event* by both texts, the same in either order.

        Args:
            cosines: (pairs,), of the embeddings of the two headlines.
        """

    def same_event_by_cosine(self, cosines: NDArray[np.float32], /) -> NDArray[np.float64]:
        """An estimate of the probability from the cosine alone; of any shape."""

    def cosine_for(self, probability: float, /) -> float:
        """The cosine from which :meth:`same_event_by_cosine` reaches a probability."""
