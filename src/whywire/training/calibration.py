"""From a score to a probability that means what it says, fitted on rows that the model has not learned from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from whywire.graph.scale import StrengthClass, strength_class
from whywire.headlines.model import HeadlineModel, log_odds
from whywire.headlines.relations import MIRROR, RELATIONS, Relation, column
from whywire.models import OnnxModel
from whywire.training.pair_data import PairRow

UNCALIBRATED = {
    "temperature": 1.0,
    "shares": [1 / len(RELATIONS)] * len(RELATIONS),
    "cosine": {"scale": 1.0, "shift": 0.0},
    "same_event": {"relation": 1.0, "cosine": 0.0, "shift": 0.0},
    "strength": {"scale": 1.0, "shift": 0.0},
}
"""What a headline model starts from."""


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
    losses = [_surprise(logits / choice, allowed) for choice in choices]
    return round(float(choices[int(np.argmin(losses))]), 3)


def _surprise(logits: np.ndarray[Any, Any], allowed: np.ndarray[Any, Any]) -> float:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    inside = (powers * allowed).sum(axis=1) / powers.sum(axis=1)
    return float(-np.log(inside).mean())


def _shares(chances: np.ndarray[Any, Any]) -> list[float]:
    """How much the model believes in each relation on average, in either direction.

    Not how often they hold: what a model was taught to expect is what its answers have to be rid of, and a relation
    that held-out pairs hardly hold would be blown up.

    Args:
        chances: (pairs, 7), of a stream's pairs.
    """
    mean = chances.mean(axis=0)
    return [round(float(share), 5) for share in (mean + mean[MIRROR]) / 2]


def calibrate_headlines(folder: Path, rows: Sequence[PairRow], graded: Sequence[PairRow]) -> None:
    """Calibrate an exported headline model, as it will run, and write what was fitted into its ``config.json``.

    Four things are fitted: the temperature of the seven relations; *same event* from the embedding alone, for
    pairs not worth a pass; *same event* from relation and embedding together; and strength, so that 50 is where
    a direct cause is as likely as not.

    Args:
        rows: pairs whose relation is known.
        graded: pairs whose strength is known.
    """
    path = folder / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    config["calibration"] = UNCALIBRATED
    path.write_text(json.dumps(config), encoding="utf-8")
    model = HeadlineModel(OnnxModel(folder))
    pairs = [(row.left, row.right) for row in rows]
    answers = model.ask(pairs)
    same = np.array([row.allowed == {Relation.SAME_EVENT} for row in rows])
    cosines = model.likeness(pairs)
    logits = np.log(np.maximum(answers.relations, 1e-12))
    temperature = fit_temperature(logits, rows)
    model.model.config["calibration"]["temperature"] = temperature
    tempered = log_odds(model.ask(pairs).relations[:, column(Relation.SAME_EVENT)])
    (scale,), shift = fit_platt(cosines[:, None], same)
    (by_relation, by_cosine), both = fit_platt(np.column_stack([tempered, cosines]), same)
    strengths = model.ask([(row.left, row.right) for row in graded]).strengths[:, 0]
    direct = np.array([strength_class(100 * (row.strength[0] or 0)) is StrengthClass.HIGH for row in graded])
    (by_strength,), middle = fit_platt(log_odds(strengths / 100)[:, None], direct)
    config["calibration"] = {
        "temperature": temperature,
        "shares": _shares(model.ask(pairs, both_orders=True).relations),
        "cosine": {"scale": scale, "shift": shift},
        "same_event": {"relation": by_relation, "cosine": by_cosine, "shift": both},
        "strength": {"scale": by_strength, "shift": middle},
    }
    path.write_text(json.dumps(config, ensure_ascii=False, indent=2, sort_keys=True) + "\n", encoding="utf-8")
