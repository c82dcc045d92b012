"""Graphs from what the document reader says of an article, and how they compare with readers' graphs.

    python -m whywire_lab.recipes.drawn_graphs --rows docs.jsonl runs/documents-*/held_out.jsonl.gz

Thresholds for one fold are those that are best on the others.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from whywire_lab.metrics.reader_graphs import Counts, Drawn, count
from whywire_lab.recipes.document_rows import HOWS, Document, load
from whywire_lab.recipes.training_loop import console


@dataclass(frozen=True)
class Thresholds:
    """Probabilities (0 to 1) from which on something is drawn."""

    event: float = 0.35
    same: float = 0.5
    link: float = 0.4


def draw(row: dict[str, Any], thresholds: Thresholds) -> tuple[Drawn, dict[tuple[int, int], float]]:
    """The graph of an article, and the probability of each link.

    Args:
        row: what :func:`~whywire_lab.recipes.train_documents.predict` yields.
    """
    kept = np.flatnonzero(np.array(row["event"]) >= _logit(thresholds.event))
    if not len(kept):
        return Drawn([], {}), {}
    same = np.array(row["same"])[np.ix_(kept, kept)]
    groups = cluster(same, _logit(thresholds.same))
    scores = np.exp(np.array(row["links"])[np.ix_(kept, kept)])
    membership = np.zeros((len(groups), len(kept)))
    for number, group in enumerate(groups):
        membership[number, group] = 1
    pooled = membership @ scores @ membership.T
    probabilities = pooled / (1 + pooled + pooled.T)
    np.fill_diagonal(probabilities, 0)
    links = {
        (int(cause), int(effect)): float(probabilities[cause, effect])
        for cause, effect in zip(*np.nonzero(probabilities >= thresholds.link), strict=True)
        if probabilities[cause, effect] > probabilities[effect, cause]
    }
    places = [tuple(place) for place in row["places"]]
    events = [[places[kept[at]] for at in group] for group in groups]
    return Drawn(events, dict.fromkeys(links, "implied")), links


def cluster(logits: np.ndarray[Any, Any], threshold: float) -> list[list[int]]:
    """Groups of mentions by average linkage: the two with the highest mean logit are joined while it is enough."""
    groups = [[number] for number in range(len(logits))]
    table = logits.astype(float).copy()
    np.fill_diagonal(table, -np.inf)
    while len(groups) > 1:
        at = int(table.argmax())
        one, other = sorted(divmod(at, len(table)))
        if table[one, other] < threshold:
            break
        sizes = len(groups[one]), len(groups[other])
        mean = (table[one] * sizes[0] + table[other] * sizes[1]) / sum(sizes)
        table[one], table[:, one] = mean, mean
        table[one, one] = -np.inf
        table = np.delete(np.delete(table, other, 0), other, 1)
        groups[one] = sorted(groups[one] + groups.pop(other))
    return groups


def _logit(probability: float) -> float:
    return math.log(probability / (1 - probability))


def gold_of(document: Document) -> Drawn:
    """The reader's graph."""
    return Drawn(document.events, {(cause, effect): HOWS[how] for cause, effect, how, _ in document.links})


def counts(rows: Iterable[dict[str, Any]], gold: dict[str, Drawn], thresholds: Thresholds) -> Counts:
    """The sums over articles."""
    sums = Counts()
    for row in rows:
        count(gold[row["article"]], draw(row, thresholds)[0], sums)
    return sums


GRID = [
    Thresholds(event, same, link)
    for event, same, link in itertools.product((0.15, 0.25, 0.4), (0.3, 0.5), (0.15, 0.25, 0.35))
]


def report(name: str, sums: Counts) -> str:
    """One line of numbers."""
    return (
        f"{name}: F1 {sums.f1:.3f} (P {sums.precision:.3f}, R {sums.recall:.3f}; said {sums.recall_of('said'):.3f}, "
        f"implied {sums.recall_of('implied'):.3f}); events F1 {sums.event_f1:.3f} "
        f"(P {sums.drawn_events_right / max(1, sums.drawn_events):.3f}, "
        f"R {sums.events_found / max(1, sums.events):.3f}); "
        f"reversed {sums.drawn_links_reversed} of {sums.drawn_links}"
    )


def best_thresholds(rows: Sequence[dict[str, Any]], gold: dict[str, Drawn]) -> Thresholds:
    """The best thresholds of the grid on these rows, by the mean F1 of both languages."""

    def quality(thresholds: Thresholds) -> float:
        return sum(
            counts([row for row in rows if row["language"] == language], gold, thresholds).f1
            for language in ("en", "ru")
        )

    return max(GRID, key=quality)


def main() -> None:
    """Run the recipe."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("held_out", type=Path, nargs="+")
    options = parser.parse_args()
    gold = {document.id: gold_of(document) for document in load(options.rows) if not document.main_only}
    folds = []
    for path in options.held_out:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        folds.append([row for row in rows if not row["main_only"]])
    for language in ("en", "ru"):
        sums = Counts()
        for number, fold in enumerate(folds):
            others = [row for other, rows in enumerate(folds) if other != number for row in rows] or fold
            best = best_thresholds(others[:300], gold)
            for row in fold:
                if row["language"] == language:
                    count(gold[row["article"]], draw(row, best)[0], sums)
        console.print(report(language, sums), best)


if __name__ == "__main__":
    main()
