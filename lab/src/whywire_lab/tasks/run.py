"""Runs a benchmark: every system on the same rows."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import MappingProxyType
from typing import Any

from whywire.models import weights_file
from whywire_lab.tasks import crab, event_causes, headline_cause, hlgd, hlgd_groups, recess, semeval2020
from whywire_lab.tasks.task import DEV, PublishedResult, Task

TASKS: dict[str, Task[Any, Any, Any]] = {
    task.name: task
    for task in (
        semeval2020.SENTENCES,
        semeval2020.PARTS,
        recess.SENTENCES,
        recess.SPANS,
        hlgd.PAIRS,
        hlgd_groups.GROUPS,
        headline_cause.ENGLISH,
        headline_cause.RUSSIAN,
        crab.PAIRS,
        event_causes.QUESTIONS,
    )
}
"""The tasks, by name."""

PACKAGES = (
    "whywire",
    "numpy",
    "onnxruntime",
    "catboost",
    "rapidfuzz",
    "scikit-learn",
    "sklearn-crfsuite",
    "simplemma",
)
"""Packages whose versions may affect the scores; they are recorded with a result."""


@dataclass(frozen=True, slots=True)
class System:
    """A measured system and its scores, by name, from 0 to 1 (Matthews' correlation from -1).

    Args:
        kinds: its scores on kinds of rows.
        weights: the first sixteen digits of the sha256 of its weights; empty where it has none.
    """

    name: str
    scores: Mapping[str, float]
    kinds: Mapping[str, float]
    weights: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """The scores of every system on one task; ``submission`` is the model's answers in the task's file format."""

    task: str
    split: str
    files: tuple[Path, ...]
    rows: int
    systems: tuple[System, ...]
    published: tuple[PublishedResult, ...]
    kinds_of: str
    submission: str = ""

    def as_json(self) -> dict[str, Any]:
        """The result as JSON: unrounded scores, and the versions they were measured with."""
        return {
            "task": self.task,
            "data": [str(path) for path in self.files],
            "split": self.split,
            "rows": self.rows,
            "systems": [
                {"name": system.name, "scores": dict(system.scores), "kinds": dict(system.kinds)}
                | ({"weights": system.weights} if system.weights else {})
                for system in self.systems
            ],
            "published": [
                {"name": row.system, "split": row.split, "source": row.source, "scores": dict(row.scores)}
                for row in self.published
            ],
            "versions": _versions(),
        }


def run(
    name: str,
    data: Path,
    *,
    split: str = DEV,
    model: str | Path | None = None,
    baselines: bool = True,
    extra_systems: Mapping[str, Callable[[Sequence[Any], Sequence[Any]], list[Any]]] = MappingProxyType({}),
    progress: Callable[[str, int], Callable[[float], object]] | None = None,
) -> Result:
    """Measure a model, and the baselines beside it.

    Args:
        name: one of :data:`TASKS`.
        data: the folder of corpora, or that of the task's corpus.
        model: the name of an embedded model, or a folder; by default the task's own.
        extra_systems: further systems to measure, of the baselines' type.
        progress: called with a stage's name and number of steps; returns a function to call with the steps just done.

    Raises:
        InputError: a file is missing or broken.
    """
    task = TASKS[name]
    found = task.load(data, split)
    model = model or task.model
    reader = task.open(model)
    answers = task.answer(reader, found.rows, progress and progress(f"reading with {model}", len(found.rows)))
    weights = hashlib.sha256(weights_file(reader.model.folder).read_bytes()).hexdigest()[:16]
    systems = [_scored(task, f"Whywire, {model}", found.rows, answers, weights)]
    for label, remade in task.made_of.items():
        own = remade(found.rows, answers)
        systems.append(_scored(task, f"Whywire, {model}, {label}", found.rows, own, weights))
    learners = {**(task.baselines if baselines else {}), **extra_systems}
    if learners:
        train = found.train()
        advance = progress and progress("running the baselines", len(learners))
        for label, learner in learners.items():
            systems.append(_scored(task, label, found.rows, learner(train, found.rows)))
            if advance:
                advance(1)
    text = task.submission(found.rows, answers)
    return Result(
        name, found.split, found.files, len(found.rows), tuple(systems), task.published, task.kinds_of, text
    )


def score_submission(name: str, data: Path, path: Path, *, split: str = DEV) -> Result:
    """Score answers that were made elsewhere, in the task's format.

    Raises:
        InputError: a file is missing or broken, or does not answer every row.
    """
    task = TASKS[name]
    found = task.load(data, split)
    answers = task.read_submission(path, found.rows)
    system = _scored(task, path.name, found.rows, answers)
    return Result(name, found.split, found.files, len(found.rows), (system,), task.published, task.kinds_of)


def _scored(task: Task[Any, Any, Any], name: str, rows: list[Any], answers: list[Any], weights: str = "") -> System:
    return System(name, task.score(rows, answers), task.kinds(rows, answers), weights)


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue  # a baseline that needs it did not run
    return found
