"""Runs a benchmark: every system on the same rows."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import MappingProxyType
from typing import Any

from whywire.errors import InputError, WhywireError
from whywire.models import weights_file
from whywire_lab.metrics.runs import over_runs
from whywire_lab.tasks import crab, crab_events, event_causes, headline_cause, hlgd, hlgd_groups, recess, semeval2020
from whywire_lab.tasks.task import DEV, ModelReader, PublishedResult, Task

Stage = Callable[[str, int], Callable[[float], object]]
"""Called with a stage's name and number of steps; returns a function to call with the steps just done."""

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
        crab_events.STORIES,
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
        deviations: of the scores, where they are means over several models.
    """

    name: str
    scores: Mapping[str, float]
    kinds: Mapping[str, float]
    weights: str = ""
    deviations: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """The scores of the systems on one task.

    Args:
        systems: none where the rows have no labels.
        notes: what of the task was not measured, and why.
        submission: the first model's answers in the task's file format.
    """

    task: str
    split: str
    files: tuple[Path, ...]
    rows: int
    systems: tuple[System, ...]
    published: tuple[PublishedResult, ...]
    kinds_of: str
    notes: tuple[str, ...] = ()
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
                | ({"deviations": dict(system.deviations)} if system.deviations else {})
                | ({"weights": system.weights} if system.weights else {})
                for system in self.systems
            ],
            "published": [
                {"name": row.system, "split": row.split, "source": row.source, "scores": dict(row.scores)}
                | ({"incomparable": reason} if (reason := row.incomparable(self.split)) else {})
                for row in self.published
            ],
            "notes": list(self.notes),
            "versions": _versions(),
        }


def run(
    asked: str | Task[Any, Any, Any],
    data: Path,
    *,
    split: str = DEV,
    models: Sequence[str | Path] = (),
    baselines: bool = True,
    extra_systems: Mapping[str, Callable[[Sequence[Any], Sequence[Any]], list[Any]]] = MappingProxyType({}),
    keep: Callable[[Result], object] = lambda result: None,  # noqa: ARG005
    progress: Stage | None = None,
) -> Result:
    """Measure models, and the baselines beside them.

    What the baselines need is looked for before anything is read.

    Args:
        asked: a task, or the name of one of :data:`TASKS`.
        data: the folder of corpora, or that of the task's corpus.
        models: names of embedded models, or folders; by default the task's own. Several are taken for training runs
            of one recipe: the mean of their scores is given, too.
        extra_systems: further systems to measure, of the baselines' type.
        keep: called after each system with the result so far.
        progress: called with a stage's name and number of steps; returns a function to call with the steps just done.

    Returns:
        The scores; rows without labels are only answered, by the first model.

    Raises:
        InputError: a file is missing or broken, or a baseline needs a package that is not installed.
    """
    task = TASKS[asked] if isinstance(asked, str) else asked
    learners = {**(task.baselines if baselines else {}), **extra_systems}
    _check_needs(task, learners)
    readers = [(model, task.open(model)) for model in models or (task.model,)]
    found = task.load(data, split)
    if not found.rows:
        names = ", ".join(path.name for path in found.files)
        raise InputError(
            f"there are no {found.split} rows of {task.name} in {names}",
            hint="choose another --split; a release of few items has them all in one part if --part names it",
        )
    train = found.train() if learners and found.labelled else []
    result = Result(
        task.name, found.split, found.files, len(found.rows), (), task.published, task.kinds_of, found.notes
    )
    for model, reader in readers:
        answers = task.answer(reader, found.rows, progress and progress(f"reading with {model}", len(found.rows)))
        result = replace(result, submission=result.submission or task.submission(found.rows, answers))
        if not found.labelled:
            return result
        for system in _of_model(task, str(model), reader, found.rows, answers, progress):
            result = replace(result, systems=(*result.systems, system))
            keep(result)
    if len(readers) > 1:
        result = replace(result, systems=(*result.systems, _mean_of(result.systems[:: 1 + len(task.made_of)])))
    advance = progress and progress("running the baselines", len(learners))
    for label, learner in learners.items():
        system = _scored(task, label, found.rows, learner(train, found.rows))
        result = replace(result, systems=(*result.systems, system))
        keep(result)
        if advance:
            advance(1)
    return result


def _check_needs(task: Task[Any, Any, Any], systems: Mapping[str, object]) -> None:
    """Raise ``InputError`` if a baseline among these systems needs what is not installed."""
    for label in systems.keys() & task.needs.keys():
        try:
            task.needs[label]()
        except WhywireError as error:
            raise InputError(
                f"the baseline {label!r} cannot run: {error.message}",
                hint=f"{error.hint}; or leave the baselines out: --no-baselines",
            ) from error


def _of_model(
    task: Task[Any, Any, Any],
    model: str,
    reader: ModelReader,
    rows: list[Any],
    answers: list[Any],
    progress: Stage | None,
) -> Iterator[System]:
    """The scores of a model's answers, and of those made of them."""
    weights = hashlib.sha256(weights_file(reader.model.folder).read_bytes()).hexdigest()[:16]
    own = _scored(task, f"Whywire, {model}", rows, answers, weights)
    if task.consistency:
        more = task.consistency(reader, rows, progress and progress("checking consistency", 1))
        own = replace(own, scores={**own.scores, **more})
    yield own
    for label, remade in task.made_of.items():
        yield _scored(task, f"Whywire, {model}, {label}", rows, remade(rows, answers), weights)


def _mean_of(systems: Sequence[System]) -> System:
    """The mean scores of several training runs, with their deviations."""
    scores, kinds = (over_runs([getattr(system, name) for system in systems]) for name in ("scores", "kinds"))
    return System(
        f"mean of {len(systems)} runs",
        {name: own.mean for name, own in scores.items()},
        {name: own.mean for name, own in kinds.items()},
        deviations={name: own.deviation for name, own in scores.items()},
    )


def score_submission(name: str, data: Path, path: Path, *, split: str = DEV) -> Result:
    """Score answers that were made elsewhere, in the task's format.

    Raises:
        InputError: a file is missing or broken, or does not answer every row.
    """
    task = TASKS[name]
    found = task.load(data, split)
    if not found.labelled:
        raise InputError(f"the labels of {found.split} are not known", where=str(found.files[0]))
    answers = task.read_submission(path, found.rows)
    system = _scored(task, path.name, found.rows, answers)
    return Result(
        name, found.split, found.files, len(found.rows), (system,), task.published, task.kinds_of, found.notes
    )


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
