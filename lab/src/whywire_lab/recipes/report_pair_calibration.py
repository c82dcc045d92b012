"""Calibration of the model of report pairs, on the rows that each fold's model was not trained on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whywire.pairs.relations import Relation
from whywire_lab.recipes.calibration import fit_platt
from whywire_lab.recipes.pair_rows import CAUSAL, NOT_SAME, SAME
from whywire_lab.recipes.relation_priors import PRIORS, probabilities
from whywire_lab.recipes.report_pair_model import GUIDELINES
from whywire_lab.recipes.report_rows import NEIGHBOURS, PICKED, ReportPair
from whywire_lab.recipes.report_sources import ANNOTATORS, HEADLINE_CAUSE, STREAM

FITTED_ON = {NEIGHBOURS: (STREAM,), PICKED: (ANNOTATORS, HEADLINE_CAUSE)}
"""The sources by which the temperature of each guideline is fitted: those that its prior is of."""

TEMPERATURES = np.geomspace(0.5, 4, 61)

DIRECT_CAUSES = "event-causes"


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

    (scale,), shift = _cosine(rows, joined("cosines").mean(1))
    graded = [place for place, row in enumerate(rows) if row.source == DIRECT_CAUSES]
    direct = np.array([rows[place].allowed <= CAUSAL for place in graded])
    (strength_scale,), strength_shift = fit_platt(joined("strength")[graded, :1], direct)
    return {
        "temperature": {guideline: _temperature(rows, joined(guideline), guideline) for guideline in GUIDELINES},
        "prior": {guideline: PRIORS[guideline].tolist() for guideline in GUIDELINES},
        "cosine": {"scale": scale, "shift": shift},
        "strength": {"scale": strength_scale, "shift": strength_shift},
    }


def _temperature(rows: Sequence[ReportPair], logits: NDArray[np.float64], guideline: str) -> float:
    """The divisor of the logits under which the rows are most likely (Guo et al. 2017)."""
    places = [place for place, row in enumerate(rows) if row.source in FITTED_ON[guideline]]
    allowed = np.array([[relation in rows[place].allowed for relation in Relation] for place in places])
    losses = [
        -np.log((probabilities(logits[places], PRIORS[guideline], choice) * allowed).sum(1)).mean()
        for choice in TEMPERATURES
    ]
    return round(float(TEMPERATURES[int(np.argmin(losses))]), 3)


def _cosine(rows: Sequence[ReportPair], cosines: NDArray[np.float64]) -> tuple[list[float], float]:
    places = [
        place
        for place, row in enumerate(rows)
        if row.source == STREAM and (row.allowed == SAME or row.allowed <= NOT_SAME)
    ]
    return fit_platt(cosines[places, None], np.array([rows[place].allowed == SAME for place in places]))
