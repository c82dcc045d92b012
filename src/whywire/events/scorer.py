"""What groups reports by event needs of a model: how likely two report the same event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from whywire.pairs.reports import Report, TwoReports
from whywire.progress import Advance

MAX_NEIGHBOURS = 12
"""Other reports that a report is compared with in the first pass, at most."""

MIN_PROBABILITY = 0.1
"""Probability of *same event*, by the vectors alone, from which two reports are compared by the pair model."""

HEADLINE_PRIOR = 1.0
"""Log-odds added to every probability of *same event* of two reports.

Chosen on valid pairs of the streams and on topics of ECB+ and Wikinews that are not reported on. With 1.5 a little
more is found there, and two events are one more often.
"""

COLLECTION_PRIOR = 0.6
"""The share of pairs of one event among similar reports of a collection that somebody puts together.

There are more than in a stream, for a collection is on something. Chosen by cross-validation over nine sets
(``lab/experiments/told_apart.py``): the mean B-cubed F1 changes little from 0.5 to 0.7; collections on few events
gain from more, and near misses lose.
"""


class SameEventScorer(Protocol):
    """Scores how likely two reports report the same event; :class:`whywire.pairs.model.PairModel` is one."""

    def embed(self, reports: Sequence[Report], advance: Advance | None = None, /) -> NDArray[np.float32]:
        """Unit vectors (reports, size)."""

    def same_event_probabilities(
        self, pairs: Sequence[TwoReports], cosines: NDArray[np.float32], advance: Advance | None = None, /
    ) -> NDArray[np.float64]:
        """The probability (pairs,) of *same event*, the same in either order.

        Args:
            cosines: (pairs,), of the vectors of the two reports.
        """

    @property
    def usual_share(self) -> float:
        """The share of pairs of one event that these probabilities start from (0 to 1)."""

    def same_event_by_cosine(self, cosines: NDArray[np.float32], /) -> NDArray[np.float64]:
        """An estimate of the probability from the cosine alone; of any shape."""

    def cosine_for(self, probability: float, /) -> float:
        """The cosine from which :meth:`same_event_by_cosine` reaches a probability."""
