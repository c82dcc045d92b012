"""Calibration of the model of report pairs, on labelled pairs of later hours that no run was trained on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from whywire.models import from_pretrained
from whywire.models.odds import log_odds
from whywire.pairs import title_pairs
from whywire.pairs.model import PairModel
from whywire.pairs.relations import MIRROR, Relation, column, logarithmic_pool
from whywire.pairs.title_pairs import TitlePairModel
from whywire_lab.recipes.calibration import FACTOR_PENALTY, RELATION_SHARES, fit_platt
from whywire_lab.recipes.export import read_config, write_config
from whywire_lab.recipes.pair_rows import NOT_SAME, SAME, UNRELATED
from whywire_lab.recipes.relation_priors import PRIORS, probabilities
from whywire_lab.recipes.report_rows import NEIGHBOURS, ReportPair
from whywire_lab.recipes.report_sources import STREAM

WEIGHT_PENALTY = 0.01
"""Penalty of the square of a weight's distance from equal weights, in nats."""

TEMPERATURES = np.geomspace(0.5, 4, 61)


def calibrate(folder: Path, rows: Sequence[ReportPair]) -> None:
    """Calibrate an exported model, as it will run, and write what was fitted into its ``config.json``.

    A mean of weights is less sure of itself than each of its runs, so what the runs say of their folds does not
    calibrate it. Fitted are the temperature of the seven relations; *same event*, by logistic regression on its
    log-odds and the cosine, with leads and without; and how the model is pooled with that of titles, among neighbours
    (``pool``), and among pairs that somebody picked (``picked``): those in the annotators' style and unrelated
    neighbours, weighed so that relations are as frequent as ``RELATION_SHARES`` says.

    Args:
        rows: labelled pairs of the streams that neither model was trained on, by either guideline.
    """
    prior, config = PRIORS[NEIGHBOURS], read_config(folder)
    write_config(folder, config | {"calibration": {"temperature": 1.0, "prior": prior.tolist()}})
    model = PairModel.from_pretrained(folder)
    pairs = [(row.left, row.right) for row in rows]
    titles = [(left.title, right.title) for left, right in pairs]
    logits, logits_of_titles = (
        np.log(np.maximum(model.compared_probabilities(asked), 1e-12)) - np.log(prior) for asked in (pairs, titles)
    )
    temperature = _temperature(rows, logits)
    compared = probabilities(logits, prior, temperature)
    of_titles = probabilities(logits_of_titles, prior, temperature)
    relation = log_odds(np.vstack([compared, of_titles])[:, column(Relation.SAME_EVENT)])
    cosines = np.hstack([model.similarity(asked) for asked in (pairs, titles)])
    known = _SameEvent.among(rows).twice(len(rows))
    (by_relation, by_cosine), both = known.fit(np.column_stack([relation, cosines]))
    (scale,), shift = known.fit(cosines[:, None])
    picked = [place for place, row in enumerate(rows) if _is_picked(row)]
    neighbours = [place for place, row in enumerate(rows) if NEIGHBOURS in row.guidelines]
    by_titles = model.title_probabilities([pairs[place] for place in neighbours])
    title_model = TitlePairModel(from_pretrained(config["relations_by"], kind=title_pairs.KIND))
    related = title_model.relate([titles[place] for place in picked])
    config["calibration"] = {
        "temperature": temperature,
        "prior": prior.tolist(),
        "same_event": {"relation": by_relation, "cosine": by_cosine, "shift": both},
        "cosine": {"scale": scale, "shift": shift},
        "pool": fit_pool([compared[neighbours], by_titles], [rows[place] for place in neighbours]),
        "picked": fit_pool(
            [compared[picked], related],
            [rows[place] for place in picked],
            _picked_weights([rows[place] for place in picked]),
        ),
    }
    write_config(folder, config)


def _is_picked(row: ReportPair) -> bool:
    """Whether a row shows how picked pairs are related."""
    return row.allowed == UNRELATED if NEIGHBOURS in row.guidelines else len(row.allowed) == 1


def _temperature(rows: Sequence[ReportPair], logits: NDArray[np.float64]) -> float:
    """The divisor of the logits under which the labelled pairs of the streams are most likely (Guo et al. 2017)."""
    places = [place for place, row in enumerate(rows) if row.source == STREAM]
    allowed = np.array([[relation in rows[place].allowed for relation in Relation] for place in places])
    losses = [
        -np.log((probabilities(logits[places], PRIORS[NEIGHBOURS], choice) * allowed).sum(1)).mean()
        for choice in TEMPERATURES
    ]
    return round(float(TEMPERATURES[int(np.argmin(losses))]), 3)


@dataclass(frozen=True, slots=True)
class _SameEvent:
    """Rows that say *same event* or deny it, weighed so that it is as frequent in every source as among neighbours.

    Args:
        places: among all rows.
        truth: whether each says it, (rows,).
        weights: (rows,).
    """

    places: list[int]
    truth: NDArray[np.bool_]
    weights: NDArray[np.float64]

    @classmethod
    def among(cls, rows: Sequence[ReportPair]) -> _SameEvent:
        share = PRIORS[NEIGHBOURS][column(Relation.SAME_EVENT)]
        by_source: dict[tuple[str, str], list[int]] = defaultdict(list)
        for place, row in enumerate(rows):
            if row.allowed == SAME or row.allowed <= NOT_SAME:
                by_source[row.source, row.language].append(place)
        places: list[int] = []
        weights: list[float] = []
        for own in by_source.values():
            positive = sum(rows[place].allowed == SAME for place in own)
            if 0 < positive < len(own):
                places += own
                weights += [
                    len(own)
                    * (share / positive if rows[place].allowed == SAME else (1 - share) / (len(own) - positive))
                    for place in own
                ]
        truth = np.array([rows[place].allowed == SAME for place in places])
        return cls(places, truth, np.array(weights))

    def twice(self, count: int) -> _SameEvent:
        """The same rows, followed by themselves in a table of twice as many rows."""
        places = [*self.places, *(count + place for place in self.places)]
        return _SameEvent(places, np.tile(self.truth, 2), np.tile(self.weights, 2))

    def fit(self, features: NDArray[np.floating]) -> tuple[list[float], float]:
        """Weights and shift, from features (all rows, columns)."""
        return fit_platt(features[self.places], self.truth, self.weights)


def _picked_weights(rows: Sequence[ReportPair]) -> NDArray[np.float64]:
    """Weights (rows,) under which each relation, in either direction, has its share in each language."""
    kinds = np.minimum(np.arange(len(MIRROR)), MIRROR)
    shares = np.bincount(kinds, RELATION_SHARES)
    of_row = [(row.language, int(kinds[column(next(iter(row.allowed)))])) for row in rows]
    counts = Counter(of_row)
    weights = np.array([shares[kind] / counts[language, kind] for language, kind in of_row])
    result: NDArray[np.float64] = weights / weights.mean()
    return result


def fit_pool(
    tables: Sequence[NDArray[np.float64]], rows: Sequence[ReportPair], rows_weigh: NDArray[np.float64] | None = None
) -> dict[str, list[float]]:
    """The ``weights`` and ``factors`` of ``logarithmic_pool`` under which the rows are most likely.

    Rare relations would get extreme factors, so these are penalised, and so are unequal weights.

    Args:
        tables: (pairs, 7) each, one model's probabilities.
        rows: the same pairs, each of one relation.
        rows_weigh: (pairs,); all count alike without.
    """
    truth = np.array([column(next(iter(row.allowed))) for row in rows])
    kinds, of_kind = np.unique(np.minimum(np.arange(len(MIRROR)), MIRROR), return_inverse=True)

    def pool(parameters: NDArray[np.float64]) -> dict[str, list[float]]:
        weights, shifts = np.split(parameters, [len(tables)])
        return {"weights": weights.tolist(), "factors": np.exp(np.append(0.0, shifts))[of_kind].tolist()}

    def penalised_loss(parameters: NDArray[np.float64]) -> float:
        weights, shifts = np.split(parameters, [len(tables)])
        inside = np.take_along_axis(logarithmic_pool(tables, **pool(parameters)), truth[:, None], axis=1)
        penalty = FACTOR_PENALTY * (shifts**2).sum() + WEIGHT_PENALTY * ((weights - 1 / len(tables)) ** 2).sum()
        return float(penalty - np.average(np.log(np.maximum(inside[:, 0], 1e-9)), weights=rows_weigh))

    start = np.append(np.full(len(tables), 1 / len(tables)), np.zeros(len(kinds) - 1))
    return {name: np.round(values, 4).tolist() for name, values in pool(minimize(penalised_loss, start).x).items()}
