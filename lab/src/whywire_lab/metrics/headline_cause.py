"""HeadlineCause's measures (Gusev and Tikhonov 2021, section 4), from what a system says of each pair.

Three classes and causality are measured on the pairs labelled *simple*, as the paper does, seven on those labelled
*full*; where there are none labelled *simple*, the *full* ones are read as three.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whywire.pairs.relations import CAUSALITIES, RELATIONS, Causality, as_three, decide_three, most_likely
from whywire_lab.corpora.headline_cause import LabelledPair
from whywire_lab.metrics.classification import Score, accuracy, binary_score, macro_f1, roc_auc

Probabilities = NDArray[np.float64]
"""What a system says of a pair: probabilities (7,) in the order of ``RELATIONS``, or (3,) of ``CAUSALITIES``."""


@dataclass(frozen=True, slots=True)
class ClassScores:
    """Scores of a classification.

    Args:
        macro_f1: over the classes that are true or predicted at least once.
        classes: precision, recall and F1 of every class, by its name.
    """

    accuracy: float
    macro_f1: float
    classes: Mapping[str, Score]


@dataclass(frozen=True, slots=True)
class Bin:
    """Pairs that the annotators agreed on to the same degree."""

    accuracy: float
    pairs: int


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The scores of a system's answers.

    Args:
        seven: ``None`` where no pair is labelled with seven relations.
        causality_auc: causal, or refuted, in either direction against not; ``None`` where all or none are.
        by_agreement: of three classes, by the share of votes for the label, down to the tenth (figure 4).
    """

    three: ClassScores
    seven: ClassScores | None
    causality_auc: float | None
    by_agreement: Mapping[float, Bin]

    def scores(self) -> dict[str, float]:
        """The scores that the paper gives, by name, 0 to 1."""
        found = {"3-class accuracy": self.three.accuracy, "3-class macro F1": self.three.macro_f1}
        if self.causality_auc is not None:
            found["causality AUC"] = self.causality_auc
        if self.seven:
            found |= {"7-class accuracy": self.seven.accuracy, "7-class macro F1": self.seven.macro_f1}
        return found


def evaluate(rows: Sequence[LabelledPair], answers: Sequence[Probabilities]) -> Evaluation:
    """Score one system.

    Args:
        answers: one a pair; those labelled *full* need seven probabilities.

    Raises:
        ValueError: rows and answers differ in number, or an answer has the wrong length.
    """
    both = list(zip(rows, answers, strict=True))
    simple = [(row, probabilities) for row, probabilities in both if row.relation is None] or both
    full = [(row, probabilities) for row, probabilities in both if row.relation]
    truth = [row.causality for row, _ in simple]
    probabilities = np.array([as_three(probabilities) for _, probabilities in simple]).reshape(-1, len(CAUSALITIES))
    estimate = [decide_three(row) for row in probabilities]
    causal = [name is not Causality.NONE for name in truth]
    return Evaluation(
        three=class_scores(estimate, truth, CAUSALITIES),
        seven=_seven(full) if full else None,
        causality_auc=roc_auc(1 - probabilities[:, 0], causal) if any(causal) and not all(causal) else None,
        by_agreement=accuracy_by_agreement(estimate, truth, [row.agreement for row, _ in simple]),
    )


def _seven(both: Sequence[tuple[LabelledPair, Probabilities]]) -> ClassScores:
    short = [probabilities for _, probabilities in both if len(probabilities) != len(RELATIONS)]
    if short:
        raise ValueError(f"a pair with seven classes needs seven probabilities, not {len(short[0])}")
    return class_scores(
        [most_likely(probabilities) for _, probabilities in both], [row.relation for row, _ in both], RELATIONS
    )


def class_scores(predicted: Sequence[Hashable], truth: Sequence[Hashable], classes: Sequence[str]) -> ClassScores:
    """Accuracy, macro F1, and precision, recall and F1 of each class.

    Raises:
        ValueError: predictions and truth differ in number.
    """
    found = {
        name: binary_score([estimate == name for estimate in predicted], [real == name for real in truth])
        for name in classes
    }
    return ClassScores(accuracy(predicted, truth), macro_f1(predicted, truth), found)


def accuracy_by_agreement(
    predicted: Sequence[Hashable], truth: Sequence[Hashable], agreement: Sequence[float | None]
) -> dict[float, Bin]:
    """Accuracy on the pairs whose label won 0.7 of the votes, 0.8, 0.9 or all (figure 4), from low to high.

    Shares are taken down to the tenth: 0.78 counts as 0.7. Pairs without a known agreement are in none.
    """
    hits: dict[float, list[bool]] = defaultdict(list)
    for estimate, real, share in zip(predicted, truth, agreement, strict=True):
        if share is not None:
            tenth = int(share * 10 + 1e-9) / 10  # the sum of tenths may fall just short of one
            hits[tenth].append(estimate == real)
    return {tenth: Bin(float(np.mean(found)), len(found)) for tenth, found in sorted(hits.items())}
