"""Calibration: maps scores to probabilities, fitted on held-out rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from whywire.elements import StrengthClass, strength_class
from whywire.models import OnnxModel
from whywire.models.odds import IDENTITY, log_odds
from whywire.pairs.strength import StrengthModel
from whywire.sentences.layout import QUESTIONS
from whywire.sentences.reader import SentenceReader
from whywire_lab.recipes.export import read_config, write_config
from whywire_lab.recipes.pair_rows import PairRow
from whywire_lab.recipes.sentence_data import SentenceRow, questions
from whywire_lab.recipes.sentence_model import SIGNAL_CALIBRATION

RELATION_SHARES = (0.3, 0.2, 0.2, 0.125, 0.125, 0.025, 0.025)
"""The assumed share of each relation among selected pairs, such as those given to ``relate``."""


def fit_platt(scores: np.ndarray[Any, Any], truth: np.ndarray[Any, Any]) -> tuple[list[float], float]:
    """Weights and shift such that ``sigmoid(scores @ weights + shift)`` is calibrated on these rows (Platt 1999).

    Args:
        scores: (rows, features).
        truth: (rows,), booleans.
    """
    fitted = LogisticRegression(C=100).fit(scores, truth)
    return [round(float(weight), 4) for weight in fitted.coef_[0]], round(float(fitted.intercept_[0]), 4)


def calibrate_sentences(
    folder: Path, rows: Sequence[SentenceRow], marked: Sequence[SentenceRow], graded: Sequence[PairRow] = ()
) -> None:
    """Calibrate an exported sentence model, as it will run, and write what was fitted into its ``config.json``.

    First the answers to the yes-or-no questions and strength, where the model judges it; then the probability of a
    single relation, which is right if both its arguments overlap those of a marked one that is not denied. What is
    part of a signal needs no rows: the loss gave these tokens a known weight, which is undone.

    Args:
        rows: sentences for which some of the questions are answered.
        marked: sentences whose relations are known, those without any among them.
        graded: pairs whose strength is known, of a model that judges it.
    """
    model = OnnxModel(folder)
    fitted = {"relation": IDENTITY, "signal": SIGNAL_CALIBRATION} | ({"strength": IDENTITY} if graded else {})
    for name, answered, truth in questions(rows):
        batches = model.run([row.text for row in answered], ["sentence"])
        logits = np.array([output[QUESTIONS[name]] for batch in batches for output in batch.outputs["sentence"]])
        (scale,), shift = fit_platt(logits[:, None], np.array(truth))
        fitted[name] = {"scale": scale, "shift": shift}
    model.config["calibration"] = fitted
    if graded:
        fitted["strength"] = fit_strength(model, graded)
    readings = SentenceReader(model).read([row.text for row in marked])
    found = [(one, row) for row, reading in zip(marked, readings, strict=True) for one in reading.relations]
    right = np.array([row.asserts(one) for one, row in found])
    if 0 < right.sum() < len(right):
        odds = log_odds([one.probability for one, _ in found])
        (scale,), shift = fit_platt(odds[:, None], right)
        fitted["relation"] = {"scale": scale, "shift": shift}
    write_config(folder, read_config(folder) | {"calibration": fitted})


def fit_strength(model: OnnxModel, graded: Sequence[PairRow]) -> dict[str, float]:
    """The scale and shift that make a strength of 50 one where a direct cause is as probable as not.

    Args:
        model: uncalibrated so far.
        graded: pairs whose strength is known.
    """
    strengths = StrengthModel(model).strengths([(row.left, row.right) for row in graded])
    direct = np.array([strength_class(100 * (row.strength[0] or 0)) is StrengthClass.HIGH for row in graded])
    (scale,), shift = fit_platt(log_odds(strengths / 100)[:, None], direct)
    return {"scale": scale, "shift": shift}
