"""Calibration: maps scores to probabilities, fitted on held-out rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax
from sklearn.linear_model import LogisticRegression

from whywire.elements import StrengthClass, strength_class
from whywire.models import OnnxModel
from whywire.models.odds import IDENTITY, log_odds
from whywire.pairs.relations import MIRROR, RELATIONS, column
from whywire.pairs.title_pairs import StrengthModel, TitlePairModel
from whywire.sentences.decoding import QUESTIONS
from whywire.sentences.reader import SentenceReader
from whywire_lab.recipes.export import read_config, write_config
from whywire_lab.recipes.pair_rows import PairRow
from whywire_lab.recipes.sentence_data import SentenceRow, questions
from whywire_lab.recipes.sentence_model import SIGNAL_CALIBRATION

RELATION_SHARES = (0.3, 0.2, 0.2, 0.125, 0.125, 0.025, 0.025)
"""The assumed share of each relation among selected pairs, such as those given to ``relate``."""


KIND_OF = np.unique(np.minimum(np.arange(len(RELATIONS)), MIRROR), return_inverse=True)[1]
"""The number of each relation, the same for it and its mirror."""

FACTOR_PENALTY = 0.003
"""Penalty of the square of a factor's logarithm, in nats."""

UNCALIBRATED = {
    "temperature": 1.0,
    "picked": [1.0] * len(RELATIONS),
    "strength": IDENTITY,
}
"""The calibration of a pair model before it is fitted."""


def fit_platt(
    scores: np.ndarray[Any, Any], truth: np.ndarray[Any, Any], weights: np.ndarray[Any, Any] | None = None
) -> tuple[list[float], float]:
    """Weights and shift such that ``sigmoid(scores @ weights + shift)`` is calibrated on these rows (Platt 1999).

    Args:
        scores: (rows, features).
        truth: (rows,), booleans.
        weights: (rows,); without them all rows count alike.
    """
    fitted = LogisticRegression(C=100).fit(scores, truth, sample_weight=weights)
    return [round(float(weight), 4) for weight in fitted.coef_[0]], round(float(fitted.intercept_[0]), 4)


def fit_temperature(logits: np.ndarray[Any, Any], rows: Sequence[PairRow]) -> float:
    """The divisor of the logits (rows, 7) under which the rows are most likely (Guo et al. 2017)."""
    allowed = np.array([[relation in row.allowed for relation in RELATIONS] for row in rows])
    choices = np.geomspace(0.5, 4, 61)
    losses = [_negative_log_likelihood(logits / choice, allowed) for choice in choices]
    return round(float(choices[int(np.argmin(losses))]), 3)


def _negative_log_likelihood(logits: np.ndarray[Any, Any], allowed: np.ndarray[Any, Any]) -> float:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    inside = (powers * allowed).sum(axis=1) / powers.sum(axis=1)
    return float(-np.log(inside).mean())


def fit_factors(table: np.ndarray[Any, Any], rows: Sequence[PairRow]) -> list[float]:
    """Factors of the relations' odds that make probabilities those of selected pairs (7,).

    The factors under which the rows are most likely, weighed so that relations are as frequent as
    ``RELATION_SHARES`` says. Rare relations would get extreme factors, so these are penalised.

    Args:
        table: probabilities (pairs, 7).
        rows: the same pairs; those with more than one allowed relation do not count.
    """
    known = [number for number, row in enumerate(rows) if len(row.allowed) == 1]
    truth = np.array([column(relation) for number in known for relation in rows[number].allowed])
    weights = picked_weights(truth, [""] * len(truth))
    logs = np.log(np.maximum(table[known], 1e-9))

    def penalised_loss(shifts: np.ndarray[Any, Any]) -> float:
        moved = log_softmax(logs + np.append(0.0, shifts)[KIND_OF], axis=1)
        inside = np.take_along_axis(moved, truth[:, None], axis=1)[:, 0]
        return float(FACTOR_PENALTY * (shifts**2).sum() - (weights * inside).sum())

    shifts = minimize(penalised_loss, np.zeros(max(KIND_OF))).x
    factors: list[float] = np.round(np.exp(np.append(0.0, shifts))[KIND_OF], 4).tolist()
    return factors


def picked_weights(truth: np.ndarray[Any, Any], groups: Sequence[str]) -> np.ndarray[Any, Any]:
    """Weights (rows,) under which each relation, in either direction, has its share of ``RELATION_SHARES``.

    Args:
        truth: (rows,), the column of the relation of each.
        groups: each relation has its share within each group, such as a language, (rows,).
    """
    shares = np.bincount(KIND_OF, RELATION_SHARES)
    of_row = [(group, int(kind)) for group, kind in zip(groups, KIND_OF[truth], strict=True)]
    counts = Counter(of_row)
    return np.array([shares[kind] / counts[group, kind] for group, kind in of_row])


def calibrate_sentences(
    folder: Path, rows: Sequence[SentenceRow], marked: Sequence[SentenceRow], graded: Sequence[PairRow] = ()
) -> None:
    """Calibrate an exported sentence model, as it will run, and write what was fitted into its ``config.json``.

    First the answers to the yes-or-no questions and strength, where the model judges it; then the probability of a
    single relation, which is right if both its arguments overlap those of a marked one that is not denied. What is
    part of a signal needs no rows: the loss gave these tokens a known weight, which is undone.

    Args:
        rows: sentences for which some of the questions are answered.
        marked: sentences whose relations are known, including sentences without any.
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


def calibrate_pairs(folder: Path, rows: Sequence[PairRow], graded: Sequence[PairRow]) -> None:
    """Calibrate an exported model of picked pairs, as it will run, and write it into its ``config.json``.

    Three things are fitted: the temperature of the seven relations; their odds among selected pairs; and strength.

    Args:
        rows: pairs whose relation is known.
        graded: pairs whose strength is known.
    """
    config = read_config(folder)
    write_config(folder, config | {"calibration": UNCALIBRATED})
    model = OnnxModel(folder)
    logits = model.table([(row.left, row.right) for row in rows], "relation").astype(np.float64)
    temperature = fit_temperature(logits, rows)
    model.config["calibration"]["temperature"] = temperature
    both_orders = TitlePairModel(model).relate([(row.left, row.right) for row in rows])
    config["calibration"] = {
        "temperature": temperature,
        "picked": fit_factors(both_orders, rows),
        "strength": fit_strength(model, graded),
    }
    write_config(folder, config)
