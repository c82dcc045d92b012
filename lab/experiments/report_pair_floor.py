"""How far the base's embeddings alone get with *same event*: cosines and one cut, on the folds of the pair model.

    python lab/experiments/report_pair_floor.py --data DATA --folds 3

Vectors are the means of the untrained encoder's token vectors, from their centre, of titles and of titles with leads.
The cut of a source is the best one for F1 on the rows of the other folds.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import average_precision_score

from whywire_lab.metrics.classification import binary_score, roc_auc
from whywire_lab.recipes.pair_rows import NOT_SAME, SAME
from whywire_lab.recipes.report_pair_model import ARTICLE_TOKENS
from whywire_lab.recipes.report_pair_scores import measured_rows
from whywire_lab.recipes.report_rows import Report
from whywire_lab.recipes.report_sources import report_pairs
from whywire_lab.recipes.story_folds import Folds
from whywire_lab.recipes.train_pairs import base_embedder
from whywire_lab.recipes.train_report_pairs import load_trimmed


def main() -> None:
    """Print AUC, average precision and F1 of every source, its mean and deviation over the folds, as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--folds", type=int, default=3)
    options = parser.parse_args()
    base = load_trimmed(options.data)
    base.tokenizer.enable_truncation(ARTICLE_TOKENS)
    embed = base_embedder(base)
    rows = list(report_pairs(options.data, embed))
    folds = Folds(rows, options.folds)
    measured = [measured_rows(folds.measured(rows, fold)) for fold in range(options.folds)]
    known = [[row for row in own if row.allowed == SAME or row.allowed <= NOT_SAME] for own in measured]
    result = {}
    for name, text in (("titles", lambda report: report.title), ("title and lead", _whole)):
        texts = sorted({text(report) for own in known for row in own for report in (row.left, row.right)})
        places = {one: place for place, one in enumerate(texts)}
        vectors = embed(texts)
        tables = [
            [
                (
                    f"{row.source} {row.language}",
                    float(vectors[places[text(row.left)]] @ vectors[places[text(row.right)]]),
                    row.allowed == SAME,
                )
                for row in own
            ]
            for own in known
        ]
        result[name] = {
            source: _over_folds(
                [[(cosine, same) for own, cosine, same in table if own == source] for table in tables]
            )
            for source in sorted({own for table in tables for own, _, _ in table})
        }
    print(json.dumps(result, indent=2))


def _whole(report: Report) -> str:
    return f"{report.title} {report.lead}".strip()


def _over_folds(tables: list[list[list[Any]]]) -> dict[str, str]:
    """Each score's mean and deviation; of folds with one class only nothing is said."""
    found: dict[str, list[float]] = {"AUC": [], "AP": [], "F1": []}
    for number, own in enumerate(tables):
        others = [pair for place, table in enumerate(tables) if place != number for pair in table]
        if len({same for _, same in own}) < 2 or len({same for _, same in others}) < 2:
            continue
        cosines, truth = (np.array(values) for values in zip(*own, strict=True))
        other_cosines, other_truth = (np.array(values) for values in zip(*others, strict=True))
        cuts = np.quantile(other_cosines, np.linspace(0, 1, 101))
        cut = max(cuts, key=lambda cut: binary_score(other_cosines >= cut, other_truth).f1)
        found["AUC"].append(100 * roc_auc(cosines, truth))
        found["AP"].append(100 * float(average_precision_score(truth, cosines)))
        found["F1"].append(100 * binary_score(cosines >= cut, truth).f1)
    return {
        name: f"{np.mean(values):.1f} ± {np.std(values, ddof=1):.1f}" if len(values) > 1 else "–"
        for name, values in found.items()
    }


if __name__ == "__main__":
    main()
