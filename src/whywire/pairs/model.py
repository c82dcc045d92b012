"""The pair model: what two reports, each a title and perhaps a lead, have to do with each other.

Logits are free of the prior of any source of pairs; who asks says which pairs are meant (:class:`Prior`). Two
guidelines are answered apart, for annotators differ in what they call a cause: ``neighbours``, what two neighbouring
headlines of a stream are, and ``picked``, what HeadlineCause's annotators say of a pair that somebody chose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whywire.models import OnnxModel, from_pretrained
from whywire.models.odds import calibrated, log_odds
from whywire.pairs.comparing import NEIGHBOURS, PICKED, STRENGTH, Logits, PairComparer
from whywire.pairs.pair_order import in_one_order
from whywire.pairs.relations import MIRROR, Relation, column
from whywire.pairs.report_reader import ReportReader
from whywire.pairs.reports import ReportText, TwoReports, as_report
from whywire.pairs.strength import StrengthModel
from whywire.progress import Advance

KIND = "pairs"

READING_SHARE = 0.4
"""Share of the work on pairs that goes into reading their reports, for the progress bar."""

AskedPair = tuple[ReportText, ReportText]
"""Two reports, or titles alone: the left and the right one."""


class PairModel:
    """Embeds reports, and relates pairs of them; the order of a pair never matters.

    Args:
        reader: reads reports one by one.
        comparer: compares two that were read.
        config: ``temperature`` by guideline, ``prior`` by guideline (7 shares), ``cosine`` (scale and shift).
        strength: scores causes by their words; without it, the comparer does.
    """

    def __init__(
        self,
        reader: ReportReader,
        comparer: PairComparer,
        config: Mapping[str, Any],
        strength: StrengthModel | None = None,
    ) -> None:
        self._reader, self._comparer, self._calibration, self._strength = reader, comparer, config, strength

    @classmethod
    def from_pretrained(cls, name: str | Path = "pairs", *, language: str = "en") -> PairModel:
        """Load the embedded model, or one from a folder; its graphs are loaded once.

        Args:
            language: ``en`` or ``ru``: whose strength of causes the config gives to a sentence model.

        Raises:
            ModelError: there is no such model, or it cannot be read.
        """
        model = from_pretrained(name, kind=KIND)
        strength_by = model.config.get("strength_by", {}).get(language)
        strength = StrengthModel(from_pretrained(strength_by, kind="sentences")) if strength_by else None
        return cls(*_loaded(model.folder), model.config["calibration"], strength)

    def embed(self, texts: Sequence[ReportText], advance: Advance | None = None) -> NDArray[np.float32]:
        """Unit vectors (texts, size), near each other for reports of one event."""
        reports = [as_report(text) for text in texts]
        read = self._reader.read(reports, advance)
        if not reports:
            return np.zeros((0, 2 * self._reader.size), dtype=np.float32)
        return np.stack([read[report].vector for report in reports])

    def relation_probabilities(
        self, pairs: Sequence[AskedPair], advance: Advance | None = None, *, both_orders: bool = False
    ) -> NDArray[np.float64]:
        """Probabilities (pairs, 7) of the relations of neighbours in a stream, in the order of ``RELATIONS``.

        Args:
            both_orders: read every pair in both orders and take the mean of the logits: twice the work, and more
                accurate.
        """
        return self._probabilities(NEIGHBOURS, pairs, advance, both_orders)

    def relate(self, pairs: Sequence[AskedPair], advance: Advance | None = None) -> NDArray[np.float64]:
        """Probabilities (pairs, 7) of the relations of picked pairs, among which a cause is more frequent.

        Both orders are read.
        """
        return self._probabilities(PICKED, pairs, advance, True)

    def same_event_probabilities(
        self, pairs: Sequence[AskedPair], advance: Advance | None = None, *, prior: float | None = None
    ) -> NDArray[np.float64]:
        """The probability (pairs,) that both report the same event, the same in either order.

        Args:
            prior: the share of such pairs among those that are asked about (0 to 1); that of neighbours in a stream
                by default.
        """
        found = self.relation_probabilities(pairs, advance)[:, column(Relation.SAME_EVENT)]
        return found if prior is None else self.with_share(found, prior)

    @property
    def model(self) -> OnnxModel:
        """The model that reads reports."""
        return self._reader.model

    @property
    def usual_share(self) -> float:
        """The share (0 to 1) of pairs of one event among the neighbours in a stream that a build compares."""
        return float(self._calibration["prior"][NEIGHBOURS][column(Relation.SAME_EVENT)])

    def with_share(self, probabilities: NDArray[np.float64], prior: float) -> NDArray[np.float64]:
        """Probabilities of *same event* of neighbours in a stream as those of pairs of which ``prior`` are one."""
        odds = log_odds(probabilities) + log_odds(prior) - log_odds(self.usual_share)
        result: NDArray[np.float64] = 1 / (1 + np.exp(-odds))
        return result

    def strengths(self, pairs: Sequence[AskedPair], advance: Advance | None = None) -> NDArray[np.float64]:
        """Causal strength (pairs,) of the first of each pair for the second, 0 to 100 on CRAB's scale.

        50 is where a direct cause is as likely as not. The two directions of a pair are scored separately.
        """
        if self._strength:
            return self._strength.strengths([(as_report(a).title, as_report(b).title) for a, b in pairs], advance)
        logits = self._compared([(as_report(a), as_report(b)) for a, b in pairs], advance)[STRENGTH][:, 0]
        return 100 * calibrated(logits, self._calibration["strength"])

    def similarity(self, pairs: Sequence[AskedPair]) -> NDArray[np.float32]:
        """Cosines (pairs,) of the vectors of the two reports, the same in either order."""
        reports = [(as_report(left), as_report(right)) for left, right in pairs]
        read = self._reader.read(report for pair in reports for report in pair)
        found = [float(read[left].vector @ read[right].vector) for left, right in reports]
        return np.array(found, dtype=np.float32)

    def same_event_by_cosine(self, cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """The probability of *same event* estimated from the vectors alone; same shape as ``cosines``."""
        return calibrated(cosines, self._calibration["cosine"])

    def cosine_for(self, probability: float) -> float:
        """The cosine from which :meth:`same_event_by_cosine` reaches this probability (between 0 and 1).

        What a cosine means differs between encoders; a probability means the same for all of them.
        """
        fitted = self._calibration["cosine"]
        return float((log_odds(np.array(probability)) - fitted["shift"]) / fitted["scale"])

    def _probabilities(
        self, guideline: str, pairs: Sequence[AskedPair], advance: Advance | None, both_orders: bool
    ) -> NDArray[np.float64]:
        asked = [(as_report(left), as_report(right)) for left, right in pairs]

        def read(ordered: list[TwoReports]) -> NDArray[np.float64]:
            share = share_of(advance, 1 / 2) if both_orders else advance
            logits = self._compared(ordered, share)[guideline]
            if both_orders:
                backward = self._compared([(right, left) for left, right in ordered], share)[guideline]
                logits = (logits + backward[:, MIRROR]) / 2
            prior = np.array(self._calibration["prior"][guideline])
            return probabilities(logits / self._calibration["temperature"][guideline], prior)

        return in_one_order(asked, read, MIRROR)

    def _compared(self, pairs: Sequence[TwoReports], advance: Advance | None) -> dict[str, Logits]:
        reports = list(dict.fromkeys(report for pair in pairs for report in pair))
        share = READING_SHARE * len(pairs) / max(1, len(reports))
        read = self._reader.read(reports, share_of(advance, share))
        return self._comparer.compare(
            [(read[left], read[right]) for left, right in pairs], share_of(advance, 1 - READING_SHARE)
        )


def probabilities(logits: Logits, prior: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities (pairs, 7) under a prior of seven shares, from logits that are free of one; rows sum to 1."""
    odds = logits + np.log(prior)
    powers = np.exp(odds - odds.max(axis=1, keepdims=True))
    twice = (powers + powers[:, MIRROR]).sum(axis=1, keepdims=True)  # in either order the same to the last bit
    result: NDArray[np.float64] = 2 * powers / twice
    return result


def share_of(advance: Advance | None, share: float) -> Advance | None:
    """The function to call from work that is only a share (0 to 1) of what ``advance`` reports."""
    return advance and (lambda steps: advance(share * steps))


@cache
def _loaded(folder: Path) -> tuple[ReportReader, PairComparer]:
    return ReportReader(from_pretrained(folder, kind=KIND)), PairComparer(folder)
