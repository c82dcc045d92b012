"""Calibration of the model of report pairs, on the rows that each fold's model was not trained on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from whywire.models.odds import log_odds
from whywire.pairs.model import PairModel
from whywire.pairs.relations import MIRROR, Relation, column, logarithmic_pool
from whywire_lab.recipes.calibration import FACTOR_PENALTY, fit_platt
from whywire_lab.recipes.export import read_config, write_config
from whywire_lab.recipes.pair_rows import NOT_SAME, SAME
from whywire_lab.recipes.relation_priors import PRIORS, probabilities
from whywire_lab.recipes.report_rows import NEIGHBOURS, ReportPair
from whywire_lab.recipes.report_sources import (
    ANNOTATORS,
    PARAPHRASER,
    STREAM,
    TOLOKA,
    TOPICS,
)

SAME_EVENT_SOURCES = (STREAM, ANNOTATORS, PARAPHRASER, TOLOKA, "ecbplus", TOPICS)
"""The sources by which *same event* is calibrated."""

WEIGHT_PENALTY = 0.01
"""Penalty of the square of a weight's distance from equal weights, in nats."""

TEMPERATURES = np.geomspace(0.5, 4, 61)


def fitted_calibration(held_out: Sequence[tuple[Sequence[ReportPair], Path]]) -> dict[str, Any]:
    """The calibration in the config of the model.

    Args:
        held_out: for each fold, the rows that were measured in it, and the ``held_out.npz`` of its run.
    """
    rows = [row for own, _ in held_out for row in own]
    tables = [np.load(path) for _, path in held_out]

    def joined(name: str) -> NDArray[np.float64]:
        found: NDArray[np.float64] = np.concatenate([table[f"with leads {name}"] for table in tables])
        return found.astype(np.float64)

    temperature = _temperature(rows, joined(NEIGHBOURS))
    same = _SameEvent.among(rows)
    cosines = joined("cosines").mean(1)
    logits = joined(NEIGHBOURS) / temperature
    relation = log_odds(probabilities(logits, PRIORS[NEIGHBOURS])[:, column(Relation.SAME_EVENT)])
    (by_relation, by_cosine), both = same.fit(np.column_stack([relation, cosines]))
    (scale,), shift = same.fit(cosines[:, None])
    return {
        "temperature": temperature,
        "prior": PRIORS[NEIGHBOURS].tolist(),
        "same_event": {"relation": by_relation, "cosine": by_cosine, "shift": both},
        "cosine": {"scale": scale, "shift": shift},
    }


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
            if row.source in SAME_EVENT_SOURCES and (row.allowed == SAME or row.allowed <= NOT_SAME):
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

    def fit(self, features: NDArray[np.float64]) -> tuple[list[float], float]:
        """Weights and shift, from features (all rows, columns)."""
        return fit_platt(features[self.places], self.truth, self.weights)


def calibrate_pool(folder: Path, rows: Sequence[ReportPair]) -> None:
    """Fit how an exported model is pooled with that of titles, and write it into its ``config.json``.

    Args:
        rows: labelled pairs of the streams that neither model was trained on.
    """
    model = PairModel.from_pretrained(folder)
    pairs = [(row.left, row.right) for row in rows]
    config = read_config(folder)
    config["calibration"]["pool"] = fit_pool(
        [model.compared_probabilities(pairs), model.title_probabilities(pairs)], rows
    )
    write_config(folder, config)


def fit_pool(tables: Sequence[NDArray[np.float64]], rows: Sequence[ReportPair]) -> dict[str, list[float]]:
    """The ``weights`` and ``factors`` of ``logarithmic_pool`` under which the rows are most likely.

    Rare relations would get extreme factors, so these are penalised, and so are unequal weights.

    Args:
        tables: (pairs, 7) each, one model's probabilities.
        rows: the same pairs, each of one relation.
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
        return float(penalty - np.log(np.maximum(inside, 1e-9)).mean())

    start = np.append(np.full(len(tables), 1 / len(tables)), np.zeros(len(kinds) - 1))
    return {name: np.round(values, 4).tolist() for name, values in pool(minimize(penalised_loss, start).x).items()}
