"""Fit from what cosine on two events of articles are one: ``SAME_EVENT`` of whywire.events.event_vectors.

python lab/experiments/event_cosines.py --data DATA

Prints AUC and average precision of the vectors' meaning, of their words and of both, and the fitted scale and shift,
by language. The vectors learnt from these very pairs, so what they score here flatters.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from sklearn.metrics import average_precision_score, roc_auc_score

from whywire import LanguageModels
from whywire.events.event_vectors import MEANING
from whywire_lab.recipes.calibration import fit_platt
from whywire_lab.recipes.event_pairs import read_event_pairs
from whywire_lab.recipes.train_mentions import grouped
from whywire_lab.tasks.record import provenance


def main() -> None:
    """Print the scores of both languages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of corpora")
    data = parser.parse_args().data
    models = LanguageModels()
    scores = {language: report(cosines(data, language, models)) for language in ("en", "ru")}
    print(json.dumps({"scores": scores} | provenance(), indent=2))


def cosines(data: Path, language: str, models: LanguageModels) -> np.ndarray:
    """The cosines of meaning and of words of labelled pairs of events, and whether the two are one: (pairs, 3)."""
    rows = []
    for group in grouped(*read_event_pairs(data, language, models)):
        meaning = group.states / np.maximum(np.linalg.norm(group.states, axis=1, keepdims=True), 1e-9)
        left, right = group.pairs.T
        rows.append(np.stack([(meaning[left] * meaning[right]).sum(1), group.words, group.one], axis=1))
    return np.concatenate(rows)


def report(rows: np.ndarray) -> dict[str, object]:
    """Scores of pairs, (pairs, 3)."""
    meaning, words, one = rows[:, 0], rows[:, 1], rows[:, 2] > 0
    both = MEANING * meaning + (1 - MEANING) * words
    (scale,), shift = fit_platt(both[:, None], one)
    quality = {
        name: [round(float(score(one, own)), 4) for score in (roc_auc_score, average_precision_score)]
        for name, own in (("meaning", meaning), ("words", words), ("both", both))
    }
    return {"pairs": len(one), "one event": int(one.sum()), **quality, "scale": scale, "shift": shift}


if __name__ == "__main__":
    main()
