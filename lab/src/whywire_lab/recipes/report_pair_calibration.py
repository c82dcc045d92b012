"""Calibration of the model of report pairs, on labelled pairs of later hours that no run was trained on."""

from __future__ import annotations

from collections import defaultdict
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
from whywire.pairs.relations import Relation, column, logarithmic_pool
from whywire.pairs.reports import AskedPair, titles_of
from whywire.pairs.title_pairs import TitlePairModel
from whywire_lab.recipes.calibration import FACTOR_PENALTY, KIND_OF, fit_platt, picked_weights
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
    titles = titles_of(pairs)
    asked: list[Sequence[AskedPair]] = [pairs, titles]
    logits = [np.log(np.maximum(model.compared_probabilities(one), 1e-12)) - np.log(prior) for one in asked]
    temperature = _temperature(rows, logits[0])
    tables = [probabilities(one, prior, temperature) for one in logits]
    compared = tables[0]
    odds = [log_odds(table[:, column(Relation.SAME_EVENT)]) for table in tables]
    cosines = [model.similarity(one) for one in asked]
    known = _SameEvent.among(rows)
    (by_relation, by_cosine), both = known.fit(
        *(np.column_stack([one, cosine]) for one, cosine in zip(odds, cosines, strict=True))
    )
    (scale,), shift = known.fit(*(one[:, None] for one in cosines))
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
            picked=True,
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

    def fit(self, *tables: NDArray[np.floating]) -> tuple[list[float], float]:
        """Weights and shift, from a table of features (all rows, columns) for each way that the rows were read."""
        features = np.vstack([table[self.places] for table in tables])
        return fit_platt(features, np.tile(self.truth, len(tables)), np.tile(self.weights, len(tables)))


def fit_pool(
    tables: Sequence[NDArray[np.float64]], rows: Sequence[ReportPair], *, picked: bool = False
) -> dict[str, list[float]]:
    """The ``weights`` and ``factors`` of ``logarithmic_pool`` under which the rows are most likely.

    Rare relations would get extreme factors, so these are penalised, and so are unequal weights.

    Args:
        tables: (pairs, 7) each, one model's probabilities.
        rows: the same pairs, each of one relation.
        picked: weigh the rows of each language as if somebody had picked them; else all count alike.
    """
    truth = np.array([column(next(iter(row.allowed))) for row in rows])
    weigh = picked_weights(truth, [row.language for row in rows]) if picked else None

    def pool(parameters: NDArray[np.float64]) -> dict[str, list[float]]:
        weights, shifts = np.split(parameters, [len(tables)])
        return {"weights": weights.tolist(), "factors": np.exp(np.append(0.0, shifts))[KIND_OF].tolist()}

    def penalised_loss(parameters: NDArray[np.float64]) -> float:
        weights, shifts = np.split(parameters, [len(tables)])
        inside = np.take_along_axis(logarithmic_pool(tables, **pool(parameters)), truth[:, None], axis=1)
        penalty = FACTOR_PENALTY * (shifts**2).sum() + WEIGHT_PENALTY * ((weights - 1 / len(tables)) ** 2).sum()
        return float(penalty - np.average(np.log(np.maximum(inside[:, 0], 1e-9)), weights=weigh))

    start = np.append(np.full(len(tables), 1 / len(tables)), np.zeros(max(KIND_OF)))
    return {name: np.round(values, 4).tolist() for name, values in pool(minimize(penalised_loss, start).x).items()}
