"""Calibration: maps scores to probabilities, fitted on held-out rows."""

from __future__ import annotations

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
from whywire.pairs.model import HeadlineModel
from whywire.pairs.relations import MIRROR, RELATIONS, Relation, column
from whywire.pairs.strength import StrengthModel
from whywire.sentences.layout import QUESTIONS
from whywire.sentences.reader import SentenceReader
from whywire_lab.recipes.export import read_config, write_config
from whywire_lab.recipes.pair_rows import PairRow
from whywire_lab.recipes.sentence_data import SentenceRow, questions
from whywire_lab.recipes.sentence_model import SIGNAL_CALIBRATION

RELATION_SHARES = (0.3, 0.2, 0.2, 0.125, 0.125, 0.025, 0.025)
"""The assumed share of each relation among selected pairs, such as those given to ``relate``."""

FACTOR_PENALTY = 0.003
"""Penalty of the square of a factor's logarithm, in nats."""

WEIGHT_PENALTY = 0.01
"""Penalty of the square of a weight's distance from equal weights, in nats."""

UNCALIBRATED = {
    "temperature": 1.0,
    "picked": [1.0] * len(RELATIONS),
    "strength": IDENTITY,
}
"""The calibration of a pair model before it is fitted."""


def fit_platt(scores: np.ndarray[Any, Any], truth: np.ndarray[Any, Any]) -> tuple[list[float], float]:
    """Weights and shift such that ``sigmoid(scores @ weights + shift)`` is calibrated on these rows (Platt 1999).

    Args:
        scores: (rows, features).
        truth: (rows,), booleans.
    """
    fitted = LogisticRegression(C=100).fit(scores, truth)
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


def fit_pool(tables: Sequence[np.ndarray[Any, Any]], rows: Sequence[PairRow]) -> dict[str, list[float]]:
    """Weights of several models' answers and factors of the relations' odds, for selected pairs.

    The ``weights`` and ``factors`` of ``logarithmic_pool`` under which the rows are most likely, weighed so that
    relations are as frequent as ``RELATION_SHARES`` says. Rare relations would get extreme factors, so these are
    penalised, and so are unequal weights. A single model has weight 1.

    Args:
        tables: (pairs, 7) each, one model's probabilities.
        rows: the same pairs; those with more than one allowed relation do not count.
    """
    known = [number for number, row in enumerate(rows) if len(row.allowed) == 1]
    truth = np.array([column(relation) for number in known for relation in rows[number].allowed])
    kinds, of_kind = np.unique(np.minimum(np.arange(len(RELATIONS)), MIRROR), return_inverse=True)
    shares = np.bincount(of_kind, RELATION_SHARES)
    weights = (shares / np.maximum(np.bincount(of_kind[truth], minlength=len(kinds)), 1))[of_kind[truth]]
    logs = np.stack([np.log(np.maximum(table[known], 1e-9)) for table in tables])
    even = np.full(len(tables), 1 / len(tables))

    def penalised_loss(parameters: np.ndarray[Any, Any]) -> float:
        counts, shifts = np.split(parameters, [len(tables)])
        moved = np.tensordot(counts, logs, axes=1) + np.append(0.0, shifts)[of_kind]
        inside = np.take_along_axis(log_softmax(moved, axis=1), truth[:, None], axis=1)[:, 0]
        penalty = FACTOR_PENALTY * (shifts**2).sum() + WEIGHT_PENALTY * ((counts - even) ** 2).sum()
        return float(penalty - (weights * inside).sum())

    loose = [(None, None)] * (len(kinds) - 1)
    bounds = [(None, None) if len(tables) > 1 else (1.0, 1.0)] * len(tables) + loose
    counts, shifts = np.split(
        minimize(penalised_loss, np.append(even, np.zeros(len(loose))), bounds=bounds).x, [len(tables)]
    )
    factors = np.exp(np.append(0.0, shifts))[of_kind]
    return {"weights": np.round(counts, 4).tolist(), "factors": np.round(factors, 4).tolist()}


def pool_headline_model(headlines: Path, relations: Path, rows: Sequence[PairRow]) -> None:
    """Fit how a headline model is pooled with the model ``relations``, and write it into its ``config.json``.

    Args:
        headlines: the folder of the headline model.
        relations: the folder of the model ``relations``; the config names it by its folder's name.
        rows: pairs of the headline model's language, labelled in the annotators' style.
    """
    pairs = [(row.left, row.right) for row in rows]
    models = [HeadlineModel(OnnxModel(folder)) for folder in (headlines, relations)]
    opinions = [model.relation_probabilities(pairs, both_orders=True) for model in models]
    config = read_config(headlines)
    config["picked_by"] = relations.name
    config["calibration"]["pool"] = fit_pool(opinions, rows)
    write_config(headlines, config)


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


def calibrate_headlines(folder: Path, rows: Sequence[PairRow], graded: Sequence[PairRow]) -> None:
    """Calibrate an exported headline model, as it will run, and write what was fitted into its ``config.json``.

    Beside what :func:`calibrate_pairs` fits: *same event* from the embedding alone, for pairs not worth a pass; and
    *same event* from relation and embedding together.

    Args:
        rows: pairs whose relation is known, neighbours in a stream.
        graded: pairs whose strength is known.
    """
    calibrate_pairs(folder, rows, graded)
    model = HeadlineModel(OnnxModel(folder))
    pairs = [(row.left, row.right) for row in rows]
    same = np.array([row.allowed == {Relation.SAME_EVENT} for row in rows])
    cosines = model.similarity(pairs)
    tempered = log_odds(model.relation_probabilities(pairs)[:, column(Relation.SAME_EVENT)])
    (scale,), shift = fit_platt(cosines[:, None], same)
    (by_relation, by_cosine), both = fit_platt(np.column_stack([tempered, cosines]), same)
    config = read_config(folder)
    config["calibration"] |= {
        "cosine": {"scale": scale, "shift": shift},
        "same_event": {"relation": by_relation, "cosine": by_cosine, "shift": both},
    }
    write_config(folder, config)


def calibrate_pairs(folder: Path, rows: Sequence[PairRow], graded: Sequence[PairRow]) -> None:
    """Calibrate what every exported pair model says, as it will run, and write it into its ``config.json``.

    Three things are fitted: the temperature of the seven relations; their odds among selected pairs; and strength.

    Args:
        rows: pairs whose relation is known.
        graded: pairs whose strength is known.
    """
    config = read_config(folder)
    write_config(folder, config | {"calibration": UNCALIBRATED})
    model = HeadlineModel(OnnxModel(folder))
    pairs = [(row.left, row.right) for row in rows]
    temperature = fit_temperature(np.log(np.maximum(model.relation_probabilities(pairs), 1e-12)), rows)
    model.model.config["calibration"]["temperature"] = temperature
    config["calibration"] = {
        "temperature": temperature,
        "picked": fit_pool([model.relation_probabilities(pairs, both_orders=True)], rows)["factors"],
        "strength": fit_strength(model.model, graded),
    }
    write_config(folder, config)
