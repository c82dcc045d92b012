"""Recipe: choose from what probability on the document reader draws something, and compare with readers' graphs.

    python -m whywire_lab.recipes.drawn_graphs --rows docs.jsonl --config config.json runs/fold-*/held_out.jsonl.gz

Thresholds for one half of the stories are those that are best on the other. The config gets those that are best on
all, and the calibration of links.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
from collections.abc import Container, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from whywire.models.odds import IDENTITY, log_odds
from whywire.reading.drawing import STATUSES, VECTOR_SIZE, DrawnGraph, Logits, Thresholds, draw
from whywire_lab.metrics.reader_graphs import Counts, Drawn, count, matches
from whywire_lab.recipes.calibration import fit_platt
from whywire_lab.recipes.document_rows import HOWS, Document, load
from whywire_lab.recipes.train_documents import fold_of
from whywire_lab.recipes.training_loop import console

GRID = [
    Thresholds(event, same, link)
    for event, same, link in itertools.product(
        (0.2, 0.25, 0.3, 0.35, 0.4, 0.5), (0.4, 0.5), (0.2, 0.24, 0.28, 0.32, 0.36, 0.4)
    )
]


def logits_of(row: dict[str, Any]) -> Logits:
    """What :func:`~whywire_lab.recipes.train_documents.predict` yields, as the model says it."""
    links = np.stack([np.array(row[name], dtype=np.float32) for name in ("links", "said", "strength")], -1)
    return Logits(
        places=[tuple(place) for place in row["places"]],
        sentences=[0] * len(row["places"]),
        event=np.array(row["event"], dtype=np.float32),
        main=np.array(row["main"], dtype=np.float32),
        status=np.eye(len(STATUSES), dtype=np.float32)[np.array(row["status"], dtype=int)],
        same=np.array(row["same"], dtype=np.float32),
        links=links,
        alone=np.zeros(len(row["places"]), dtype=np.float32),
        vectors=np.zeros((len(row["places"]), VECTOR_SIZE), dtype=np.float32),
    )


def as_drawn(graph: DrawnGraph) -> Drawn:
    """A graph of the document reader as the metrics take it."""
    places = [(mention.field, *mention.span) for mention in graph.mentions]
    return Drawn(
        [[places[at] for at in event.mentions] for event in graph.events],
        {(link.cause, link.effect): "implied" for link in graph.links},
    )


def gold_of(document: Document) -> Drawn:
    """The reader's graph."""
    return Drawn(document.events, {(cause, effect): HOWS[how] for cause, effect, how, _ in document.links})


def counts(rows: Iterable[dict[str, Any]], gold: dict[str, Drawn], thresholds: Thresholds) -> Counts:
    """The sums over articles."""
    sums = Counts()
    for row in rows:
        count(gold[row["article"]], as_drawn(draw(logits_of(row), thresholds)), sums)
    return sums


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
    """The best thresholds of the grid on these rows, by the F1 of links and a fifth of that of events."""

    def quality(thresholds: Thresholds) -> float:
        sums = counts(rows, gold, thresholds)
        return sums.f1 + sums.event_f1 / 5

    return max(GRID, key=quality)


def calibration_of(
    rows: Iterable[dict[str, Any]], gold: dict[str, Drawn], thresholds: Thresholds
) -> dict[str, dict[str, float]]:
    """The calibration of the probability of links, by which of them readers draw."""
    scores, truths = [], []
    low = Thresholds(thresholds.event, thresholds.same, 0.05)
    for row in rows:
        theirs = gold[row["article"]]
        graph = draw(logits_of(row), low)
        drawn = as_drawn(graph)
        same = matches(drawn.events, theirs.events)
        for link in graph.links:
            scores.append(float(log_odds(link.probability)))
            truths.append(any((a, b) in theirs.links for a in same[link.cause] for b in same[link.effect]))
    if len(set(truths)) < 2:
        return {"link": dict(IDENTITY)}  # nothing to fit: all are right, or none
    (scale,), shift = fit_platt(np.array(scores)[:, None], np.array(truths))
    return {"link": {"scale": scale, "shift": shift}}


def read_held_out(paths: Iterable[Path], gold: Container[str]) -> list[dict[str, Any]]:
    """The rows of the files of :mod:`~whywire_lab.recipes.train_documents` whose articles are drawn in full."""
    rows = []
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            rows += [json.loads(line) for line in lines]
    return [row for row in rows if not row["main_only"] and row["article"] in gold]


def measured(
    rows: Sequence[dict[str, Any]], documents: Sequence[Document]
) -> tuple[dict[str, Counts], list[Thresholds]]:
    """The sums of each language, each half of the stories with the thresholds that are best on the other."""
    gold = {document.id: gold_of(document) for document in documents}
    groups = {document.id: document.group for document in documents}
    halves = [[row for row in rows if fold_of(f"half {groups[row['article']]}", 2) == half] for half in (0, 1)]
    chosen = [best_thresholds(half, gold) for half in reversed(halves)]
    sums = {language: Counts() for language in ("en", "ru")}
    for half, thresholds in zip(halves, chosen, strict=True):
        for row in half:
            count(gold[row["article"]], as_drawn(draw(logits_of(row), thresholds)), sums[row["language"]])
    return sums, chosen


def config_of(rows: Sequence[dict[str, Any]], documents: Sequence[Document]) -> dict[str, Any]:
    """The thresholds that are best on all rows, and the calibration of links."""
    gold = {document.id: gold_of(document) for document in documents}
    best = best_thresholds(rows, gold)
    return {"thresholds": asdict(best), "calibration": calibration_of(rows, gold, best)}


def main() -> None:
    """Run the recipe."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--config", type=Path, help="where thresholds and calibration are written")
    parser.add_argument("held_out", type=Path, nargs="+")
    options = parser.parse_args()
    documents = [document for document in load(options.rows) if not document.main_only]
    rows = read_held_out(options.held_out, {document.id for document in documents})
    sums, chosen = measured(rows, documents)
    for language, its_sums in sums.items():
        console.print(report(f"{language}, {sum(row['language'] == language for row in rows)} articles", its_sums))
    console.print(*chosen, sep="\n")
    if options.config:
        config = config_of(rows, documents)
        options.config.write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
        console.print(config)


if __name__ == "__main__":
    main()
