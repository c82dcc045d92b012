"""Simulate campaigns: what control items, overlap, votes per worker and ways of aggregating do.

python lab/experiments/annotation_simulation.py --figures docs/images > annotation-simulation.json

The workers are made up (``whywire.annotation.simulation``), of the task with seven relations. Scores are means of
draws and their deviations, in per cent.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np

from whywire.annotation.dawid_skene import dawid_skene
from whywire.annotation.simulation import (
    AGGREGATIONS,
    Aggregation,
    SimulatedWorker,
    Simulation,
    exclusion_probabilities,
    simulate,
)
from whywire.annotation.votes import keep_agreed, majority
from whywire.pairs.relations import RELATIONS, Relation, column
from whywire_lab.figures import panels, picture
from whywire_lab.tasks.record import provenance

LABELS = len(RELATIONS)
PRIOR = (0.35, 0.15, 0.20, 0.12, 0.12, 0.03, 0.03)
"""How frequent each relation is made to be."""

WORKERS = 30
HONEST = np.linspace(0.55, 0.95, WORKERS).tolist()
"""The accuracies of honest workers: as different as workers of a crowd are; 75 in 100 right in the mean."""

SPAM = 9
"""Of the thirty, how many are no honest workers where some are not."""

OVERLAPS = (3, 5, 7, 10)
ITEMS = (30, 60, 120, 240, 480, 960)
DRAWS = 10

RULES = ((0.8, 5), (0.8, 10), (0.7, 10), (0.6, 10), (0.5, 10))
"""Rules of exclusion: the least share of right answers, and the controls before which nobody is excluded."""

CONTROLS = 40

ACCURACIES = (0.95, 0.9, 0.8, 0.7, 0.6, 0.5, PRIOR[0], 1 / LABELS)
"""Whose exclusion is asked about; the last two always say *no relationship*, and answer at random."""

Pool = Sequence[SimulatedWorker]


def pools() -> dict[str, Pool]:
    """The workers of each campaign."""
    honest = [SimulatedWorker.careful(accuracy, LABELS) for accuracy in HONEST]
    others = honest[:: WORKERS // SPAM][:SPAM]
    rest = [worker for worker in honest if worker not in others]
    cause, other = column(Relation.LEFT_RIGHT_CAUSE), column(Relation.OTHER_RELATIONSHIP)
    none = column(Relation.NO_RELATIONSHIP)
    confusing = [
        SimulatedWorker.confusing(accuracy, LABELS, cause, other, 0.6) if number % 2 else honest[number]
        for number, accuracy in enumerate(HONEST)
    ]
    return {
        "honest": honest,
        "half confuse two labels": confusing,
        "9 answer at random": [*rest, *[SimulatedWorker.random(LABELS)] * SPAM],
        "9 always say one label": [*rest, *[SimulatedWorker.always(none, LABELS)] * SPAM],
        "9 copy one of them": [
            *rest,
            SimulatedWorker.random(LABELS),
            *[SimulatedWorker.copycat(len(rest), LABELS)] * (SPAM - 1),
        ],
    }


def main() -> None:
    """Print one JSON object, and draw the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figures", type=Path, required=True, help="the folder for the figures")
    arguments = parser.parse_args()
    found = {
        "overlap": {name: by_overlap(pool) for name, pool in pools().items()},
        "items": {name: by_items(pool) for name, pool in pools().items()},
        "smoothing": {name: by_smoothing(pool) for name, pool in pools().items()},
        "kept": {name: by_rule_of_agreement(pool) for name, pool in pools().items()},
        "controls": by_controls(),
        "after controls": {name: after_controls(pool) for name, pool in pools().items()},
    }
    for name, drawn in (
        ("overlap", draw_lines(found["overlap"], "votes on each item")),
        ("items", draw_lines(found["items"], "items, five votes each")),
        ("controls", draw_controls(found["controls"])),
    ):
        (arguments.figures / f"annotation-{name}.svg").write_bytes(drawn)
    print(json.dumps({"scores": found} | provenance(), indent=2, ensure_ascii=False))


def draws(pool: Pool, items: int, overlap: int) -> list[Simulation]:
    """Campaigns that differ by their seed."""
    return [simulate(pool, PRIOR, items=items, overlap=overlap, seed=seed) for seed in range(DRAWS)]


def measured(campaigns: Sequence[Simulation], aggregations: Mapping[str, Aggregation]) -> dict[str, list[float]]:
    """Mean and deviation of what each aggregation gets right."""
    return {
        name: spread([campaign.accuracy(aggregate(campaign.votes)) for campaign in campaigns])
        for name, aggregate in aggregations.items()
    }


def spread(values: Sequence[float]) -> list[float]:
    """Mean and deviation, in per cent."""
    return [round(100 * mean(values), 1), round(100 * stdev(values), 1)]


def by_overlap(pool: Pool) -> dict[int, dict[str, list[float]]]:
    """500 items, with more and more votes on each."""
    return {overlap: measured(draws(pool, 500, overlap), AGGREGATIONS) for overlap in OVERLAPS}


def by_items(pool: Pool) -> dict[int, dict[str, list[float]]]:
    """Five votes on each item, with more and more items, so that more is known of each worker."""
    return {items: measured(draws(pool, items, 5), AGGREGATIONS) for items in ITEMS}


def by_smoothing(pool: Pool) -> dict[int, dict[str, list[float]]]:
    """Three votes on each item: Dawid–Skene as in the paper, and from workers better than chance."""

    def smoothed(answers: float) -> Aggregation:
        return lambda votes: dawid_skene(votes, smoothing=answers).decisions()

    ways: dict[str, Aggregation] = {f"smoothing {answers:g}": smoothed(answers) for answers in (0, 0.5, 1, 2, 4)}
    return {items: measured(draws(pool, items, 3), {"majority": majority, **ways}) for items in (60, 240, 960)}


def by_rule_of_agreement(pool: Pool) -> dict[int, dict[str, list[float]]]:
    """500 items: how many are kept because seven of ten votes agree, and how many of these are right."""
    found = {}
    for overlap in OVERLAPS:
        shares, right = [], []
        for campaign in draws(pool, 500, overlap):
            kept = keep_agreed(majority(campaign.votes))
            shares.append(len(kept) / len(campaign.truth))
            right.append(mean(float(campaign.truth[item] == label) for item, label in kept.items()))
        found[overlap] = {"kept": spread(shares), "right of the kept": spread(right)}
    return found


def by_controls() -> dict[str, dict[str, list[float]]]:
    """For each rule and each accuracy how many workers are excluded after 5, 10, 20 and 40 controls, in per cent."""
    return {
        rule_name(least, after): {
            f"{100 * accuracy:.0f}": [
                round(100 * float(chances[number]), 1)
                for chances in [exclusion_probabilities(accuracy, CONTROLS, least=least, after=after)]
                for number in (5, 10, 20, 40)
            ]
            for accuracy in ACCURACIES
        }
        for least, after in RULES
    }


def rule_name(least: float, after: int) -> str:
    """A rule in words."""
    return f"{100 * least:.0f} % after {after}"


def after_controls(pool: Pool) -> dict[str, dict[str, list[float]]]:
    """500 items, five votes each, by those whom ten controls have left: as a worker has at a rate of one in nine."""
    found = {}
    for least, after in ((0.8, 5), (0.6, 10)):
        left: list[float] = []
        campaigns = []
        for seed in range(DRAWS):
            workers = survivors(pool, least, after, np.random.default_rng(seed))
            left.append(len(workers) / len(pool))
            campaigns.append(simulate(workers, PRIOR, items=500, overlap=min(5, len(workers)), seed=seed))
        found[rule_name(least, after)] = {"workers left": spread(left), **measured(campaigns, AGGREGATIONS)}
    return found


def survivors(pool: Pool, least: float, after: int, rng: np.random.Generator) -> list[SimulatedWorker]:
    """The workers whom ten controls do not exclude; copycats stay and go with the one they copy."""
    luck = rng.random(len(pool))
    kept: dict[int, SimulatedWorker] = {}
    for number, worker in enumerate(pool):
        accuracy = worker.accuracy(PRIOR)
        if worker.copies is not None:
            if worker.copies in kept:
                kept[number] = SimulatedWorker.copycat(list(kept).index(worker.copies), LABELS)
        elif luck[number] >= exclusion_probabilities(accuracy, 10, least=least, after=after)[-1]:
            kept[number] = worker
    return list(kept.values())


def draw_lines(scores: Mapping[str, Mapping[int, Mapping[str, Sequence[float]]]], counted: str) -> bytes:
    """A panel for each pool of workers, a line for each aggregation."""
    figure, axes = panels(len(scores), 13, 3.2)
    for (name, rows), own in zip(scores.items(), axes, strict=True):
        for aggregation in AGGREGATIONS:
            values = np.array([row[aggregation] for row in rows.values()])
            own.errorbar(range(len(rows)), values[:, 0], values[:, 1], label=aggregation, marker="o", capsize=2)
        own.set_xticks(range(len(rows)), list(rows))
        own.set_title(name, fontsize=10)
        own.set_xlabel(counted)
    axes[0].set_ylabel("right labels, %")
    axes[0].legend(frameon=False, fontsize=8)
    return picture(figure)


def draw_controls(rules: Mapping[str, Any]) -> bytes:
    """A panel for each rule of exclusion, a line for each accuracy."""
    figure, axes = panels(len(rules), 13, 3.2)
    for (least, after), own in zip(RULES, axes, strict=True):
        for accuracy in ACCURACIES:
            chances = exclusion_probabilities(accuracy, CONTROLS, least=least, after=after)
            own.plot(100 * chances, label=f"{100 * accuracy:.0f} % right")
        own.set_title(rule_name(least, after), fontsize=10)
        own.set_xlabel("controls answered")
    axes[0].set_ylabel("excluded, %")
    figure.legend(*axes[0].get_legend_handles_labels(), frameon=False, fontsize=8, loc="outside right center")
    return picture(figure)


if __name__ == "__main__":
    main()
