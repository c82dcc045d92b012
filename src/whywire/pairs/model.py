"""The pair model: how two reports, each a title and perhaps a lead, are related.

*Same event* is predicted from titles and leads, under the prior of neighbours in a stream or one from the caller.
Causes and refutations are predicted together with a model of titles (:mod:`whywire.pairs.title_pairs`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whywire.models import OnnxModel, from_pretrained
from whywire.models.odds import calibrated, log_odds, probabilities_of, score_for
from whywire.pairs import title_pairs
from whywire.pairs.comparing import Logits, PairComparer
from whywire.pairs.relations import MIRROR, Relation, column, in_one_order, logarithmic_pool, normalised
from whywire.pairs.report_reader import ReportReader
from whywire.pairs.reports import AskedPair, ReportText, TwoReports, as_report, reports_of, titles_of
from whywire.pairs.title_pairs import StrengthModel, TitlePairModel
from whywire.progress import Advance, share_of

KIND = "pairs"

READING_SHARE = 0.4
"""The share of reading reports in the work on pairs, for the progress bar."""


class PairModel:
    """Embeds reports, and relates pairs of them; the order of a pair never matters.

    Args:
        reader: reads reports one by one.
        comparer: compares two reports that were read.
        calibration: ``temperature``; ``prior``, the 7 shares of the relations among neighbours in a stream;
            ``same_event`` (weights and shift); ``cosine`` (scale and shift); ``pool`` for neighbours and ``picked``
            for pairs that somebody picked: the weights of this model and the model of titles, and the factors of the
            odds of each relation.
        relations: relates titles.
        strength: scores causes by their words.
    """

    def __init__(
        self,
        reader: ReportReader,
        comparer: PairComparer,
        calibration: Mapping[str, Any],
        relations: TitlePairModel,
        strength: StrengthModel,
    ) -> None:
        self._reader, self._comparer, self._calibration = reader, comparer, calibration
        self._relations, self._strength = relations, strength

    @classmethod
    def from_pretrained(cls, name: str | Path = "pairs", *, language: str = "en") -> PairModel:
        """Load the embedded model, or one from a folder; its graphs are loaded once.

        Args:
            language: ``en`` or ``ru``. The config names the sentence model that scores the strength of causes in
                this language; if there is none, the model of titles does.

        Raises:
            ModelError: there is no such model, or it cannot be read.
        """
        model = from_pretrained(name, kind=KIND)
        relations = from_pretrained(model.config["relations_by"], kind=title_pairs.KIND)
        strength_by = model.config["strength_by"].get(language)
        strength = from_pretrained(strength_by, kind="sentences") if strength_by else relations
        calibration = model.config["calibration"]
        return cls(*_loaded(model.folder), calibration, TitlePairModel(relations), StrengthModel(strength))

    def embed(self, texts: Sequence[ReportText], advance: Advance | None = None) -> NDArray[np.float32]:
        """Unit vectors (texts, size), near each other for reports of one event."""
        reports = [as_report(text) for text in texts]
        read = self._reader.read(reports, advance)
        if not reports:
            return np.zeros((0, 2 * self._reader.size), dtype=np.float32)
        return np.stack([read[report].vector for report in reports])

    def relation_probabilities(
        self, pairs: Sequence[AskedPair], advance: Advance | None = None
    ) -> NDArray[np.float64]:
        """Probabilities (pairs, 7) of the relations of neighbours in a stream, in the order of ``RELATIONS``.

        Both models are pooled: the model of reports is good at unrelated reports and *same event*, the model of
        titles at causes.
        """
        compared = self.compared_probabilities(pairs, share_of(advance, 1 / 2))
        by_titles = self.title_probabilities(pairs, share_of(advance, 1 / 2))
        return logarithmic_pool([compared, by_titles], **self._calibration["pool"])

    def title_probabilities(self, pairs: Sequence[AskedPair], advance: Advance | None = None) -> NDArray[np.float64]:
        """Probabilities (pairs, 7) of the same relations by titles alone."""
        return self._relations.relation_probabilities(titles_of(pairs), advance)

    def compared_probabilities(
        self, pairs: Sequence[AskedPair], advance: Advance | None = None
    ) -> NDArray[np.float64]:
        """Probabilities (pairs, 7) of the same relations by titles and leads."""
        return in_one_order(reports_of(pairs), lambda ordered: self._compared(ordered, advance), MIRROR)

    def relate(
        self,
        pairs: Sequence[AskedPair],
        advance: Advance | None = None,
        *,
        compared: NDArray[np.float64] | None = None,
    ) -> NDArray[np.float64]:
        """Probabilities (pairs, 7) of the relations of picked pairs, where causes are more frequent.

        Both models are pooled; the model of titles reads each pair in both orders.

        Args:
            compared: :meth:`compared_probabilities` of the pairs; computed if missing.
        """
        if compared is None:
            advance = share_of(advance, 1 / 2)
            compared = self.compared_probabilities(pairs, advance)
        by_titles = self._relations.relate(titles_of(pairs), advance)
        return logarithmic_pool([compared, by_titles], **self._calibration["picked"])

    def same_event_probabilities(
        self,
        pairs: Sequence[AskedPair],
        cosines: NDArray[np.float32] | None = None,
        advance: Advance | None = None,
        *,
        prior: float | None = None,
    ) -> NDArray[np.float64]:
        """The probability (pairs,) that both report the same event, the same in either order.

        Args:
            cosines: (pairs,), of the vectors of the two reports; computed if missing.
            prior: the share (0 to 1) of pairs of one event among the given pairs; by default that among neighbours
                in a stream.
        """
        compared = self.compared_probabilities(pairs, advance)
        usual = self.same_event(compared, self.similarity(pairs) if cosines is None else cosines)
        return usual if prior is None else self.with_share(usual, prior)

    def same_event(self, compared: NDArray[np.float64], cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """The probability (pairs,) of *same event* by logistic regression on relation and cosine.

        Vectors and relations make different errors: vectors recognise paraphrases, and the pass over both reports
        sees a number, a place or a verb that makes them two events.

        Args:
            compared: :meth:`compared_probabilities` of the pairs, (pairs, 7).
            cosines: (pairs,), of the vectors of the two reports.
        """
        fitted = self._calibration["same_event"]
        odds = fitted["relation"] * log_odds(compared[:, column(Relation.SAME_EVENT)])
        return probabilities_of(odds + fitted["cosine"] * cosines + fitted["shift"])

    @property
    def parts(
        self,
    ) -> tuple[ReportReader, PairComparer, Mapping[str, Any], TitlePairModel, StrengthModel]:
        """The parts of this model, from which another one can be made."""
        return self._reader, self._comparer, self._calibration, self._relations, self._strength

    @property
    def model(self) -> OnnxModel:
        """The model that reads reports."""
        return self._reader.model

    @property
    def usual_share(self) -> float:
        """The share (0 to 1) of pairs of one event among neighbours in a stream."""
        return float(self._calibration["prior"][column(Relation.SAME_EVENT)])

    def with_share(self, probabilities: NDArray[np.float64], prior: float) -> NDArray[np.float64]:
        """Change probabilities of *same event* from the prior of neighbours in a stream to another one (0 to 1)."""
        odds = log_odds(probabilities) + log_odds(prior) - log_odds(self.usual_share)
        return probabilities_of(odds)

    def strengths(self, pairs: Sequence[AskedPair], advance: Advance | None = None) -> NDArray[np.float64]:
        """Causal strength (pairs,) of the first of each pair for the second, 0 to 100 on CRAB's scale.

        50 is where a direct cause is as likely as not. The two directions of a pair are scored separately.
        """
        return self._strength.strengths(titles_of(pairs), advance)

    def similarity(self, pairs: Sequence[AskedPair]) -> NDArray[np.float32]:
        """Cosines (pairs,) of the vectors of the two reports, the same in either order."""
        reports = reports_of(pairs)
        read = self._reader.read(report for pair in reports for report in pair)
        return np.array([float(read[left].vector @ read[right].vector) for left, right in reports], dtype=np.float32)

    def same_event_by_cosine(self, cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """The probability of *same event* estimated from the vectors alone; same shape as ``cosines``."""
        return calibrated(cosines, self._calibration["cosine"])

    def cosine_for(self, probability: float) -> float:
        """The cosine from which :meth:`same_event_by_cosine` reaches this probability (between 0 and 1).

        What a cosine means differs between encoders; a probability means the same for all of them.
        """
        return score_for(probability, self._calibration["cosine"])

    def _compared(self, pairs: Sequence[TwoReports], advance: Advance | None) -> NDArray[np.float64]:
        """As :meth:`compared_probabilities`, with each pair read in the given order."""
        reports = list(dict.fromkeys(report for pair in pairs for report in pair))
        share = READING_SHARE * len(pairs) / max(1, len(reports))
        read = self._reader.read(reports, share_of(advance, share))
        logits = self._comparer.compare(
            [(read[left], read[right]) for left, right in pairs], share_of(advance, 1 - READING_SHARE)
        )
        return probabilities(logits / self._calibration["temperature"], np.array(self._calibration["prior"]))


def probabilities(logits: Logits, prior: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities (pairs, 7) from logits and a prior of seven shares; rows sum to 1."""
    odds = logits + np.log(prior)
    return normalised(np.exp(odds - odds.max(axis=1, keepdims=True)))


@cache
def _loaded(folder: Path) -> tuple[ReportReader, PairComparer]:
    return ReportReader(from_pretrained(folder, kind=KIND)), PairComparer(folder)
