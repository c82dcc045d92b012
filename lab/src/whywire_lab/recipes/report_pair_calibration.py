"""Calibration of the model of report pairs, on the rows that each fold's model was not trained on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whywire.models.odds import log_odds
from whywire.pairs.relations import Relation, column
from whywire_lab.recipes.calibration import fit_platt
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
