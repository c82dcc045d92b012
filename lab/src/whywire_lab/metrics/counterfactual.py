"""Antecedent and consequent as the scorer of SemEval-2020 Task 5, subtask 2, counts them (Yang et al. 2020).

In each sentence the words of both parts are counted together: those predicted, those true, and those in both. The F1
of these counts is averaged over sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from whywire.news.article import Span
from whywire_lab.corpora.semeval2020 import MarkedCounterfactual, Parts
from whywire_lab.metrics.classification import Score, score


def evaluate_parts(truth: Sequence[MarkedCounterfactual], predictions: Sequence[Parts]) -> Mapping[str, float]:
    """Score as the task does, and each part by itself.

    Returns:
        ``f1``, ``precision`` and ``recall``: means over sentences of :func:`part_score`; ``exact``: the share of
        sentences with both parts as marked; ``antecedent f1`` and ``consequent f1``: the same F1 over that part
        alone, one where there is none and none was predicted. All 0 to 1.
    """
    found: list[Score] = []
    antecedents: list[float] = []
    consequents: list[float] = []
    exact: list[float] = []
    for sentence, (antecedent, consequent) in zip(truth, predictions, strict=True):
        real = (sentence.antecedent, sentence.consequent)
        found.append(part_score(sentence.text, (antecedent, consequent), real))
        antecedents.append(_alone(sentence.text, antecedent, sentence.antecedent))
        consequents.append(_alone(sentence.text, consequent, sentence.consequent))
        exact.append(float((antecedent, consequent) == real))
    means = {
        "f1": [score.f1 for score in found],
        "precision": [score.precision for score in found],
        "recall": [score.recall for score in found],
        "exact": exact,
        "antecedent f1": antecedents,
        "consequent f1": consequents,
    }
    return {name: float(np.mean(values)) if values else 0.0 for name, values in means.items()}


def part_score(text: str, predicted: Parts, truth: Parts) -> Score:
    """Words shared by predicted and true parts of one sentence, both parts together.

    As in the published scorer, an answer without an antecedent, or with one of a single character, scores zero.
    """
    if predicted[0] is None or predicted[0][1] - predicted[0][0] < 2:
        return Score(0.0, 0.0)
    shared = sum(_shared(text, estimate, real) for estimate, real in zip(predicted, truth, strict=True))
    return score(shared, sum(_words(text, span) for span in predicted), sum(_words(text, span) for span in truth))


def _alone(text: str, predicted: Span | None, truth: Span | None) -> float:
    if predicted is None or truth is None:
        return float(predicted is truth)
    return score(_shared(text, predicted, truth), _words(text, predicted), _words(text, truth)).f1


def _shared(text: str, one: Span | None, other: Span | None) -> int:
    if one is None or other is None:
        return 0
    return _words(text, (max(one[0], other[0]), min(one[1], other[1])))


def _words(text: str, span: Span | None) -> int:
    """Words between spaces, pieces too. The scorer leaves out the last character; that matters where it is a word."""
    return len(text[span[0] : max(span[0], span[1] - 1)].split()) if span else 0
