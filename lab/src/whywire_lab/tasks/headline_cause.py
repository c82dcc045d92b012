"""HeadlineCause: whether one headline led to the other, is refuted by it, or tells of the same event.

A release labels pairs as *simple* (three classes) and as *full* (seven), each with splits of its own by time. A
baseline trained on one never answers the other: a pair in the training split of one may be in the other's test split.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from whywire.errors import InputError
from whywire.pairs.model import PairModel
from whywire.pairs.relations import CAUSALITIES, RELATIONS
from whywire_lab.corpora.headline_cause import (
    FULL,
    SIMPLE,
    LabelledPair,
    find_release,
    part_of_pair,
    read_pairs,
    read_release,
    read_split,
)
from whywire_lab.corpora.indexed import indexed
from whywire_lab.metrics.headline_cause import Probabilities, evaluate
from whywire_lab.tasks.pair_baselines import Learner, boosted_trees, logistic_regression, most_frequent, random_class
from whywire_lab.tasks.task import DEV, TRAIN, Progress, PublishedResult, Task, TaskRows

FOLDER = "headline_cause"
GOLD = "pairs.jsonl"
PAPER = "Gusev and Tikhonov 2021"
TEST = "test (published)"

Pairs = Sequence[LabelledPair]


@dataclass(frozen=True, slots=True)
class HeadlineCauseTask(Task[LabelledPair, Probabilities, PairModel]):
    """HeadlineCause's rows: those of a release or, without one, gold pairs that no embedded model was trained on."""

    language: str = "en"

    def load(self, data: Path, split: str = DEV) -> TaskRows[LabelledPair]:
        """Rows of a release's split; for ``dev`` without a release, a quarter of the gold pairs.

        Args:
            data: the folder of corpora, or this corpus's own.
            split: ``dev``, ``test``, or whatever stands in the files' names.

        Raises:
            InputError: a file is missing or broken.
        """
        folder = self.folder_in(data)
        found = ((labels, find_release(folder, self.language, labels, split)) for labels in (SIMPLE, FULL))
        files = {labels: path for labels, path in found if path}
        gold = folder / GOLD
        if split == DEV and not files and gold.is_file():
            return TaskRows("dev (ours, gold pairs)", (gold,), self._gold(gold, DEV), lambda: self._gold(gold, TRAIN))
        if not files:
            raise InputError(
                "no such file",
                where=str(folder / self.files(split)[0]),
                hint=f"the {split} split of {self.name} is read from it, or from a name with the same words",
            )
        return TaskRows(
            f"{split} (published)",
            tuple(files.values()),
            [row for labels, path in files.items() for row in read_release(path, self.language, labels)],
            lambda: [row for labels in files for row in read_split(folder, self.language, labels, TRAIN)],
        )

    def _gold(self, path: Path, part: str) -> list[LabelledPair]:
        return [pair for pair in read_pairs(path) if pair.language == self.language and part_of_pair(pair) == part]


def _answer(model: PairModel, rows: Pairs, progress: Progress) -> list[Probabilities]:
    return list(model.relate(_titles(rows), progress))


def _titles(rows: Pairs) -> list[tuple[str, str]]:
    return [(row.left, row.right) for row in rows]


def _per_class_set(learner: Learner, train: Pairs, rows: Pairs) -> list[Probabilities]:
    """Train and answer separately for the pairs with three classes and for those with seven."""
    answers: dict[int, Probabilities] = {}
    for classes in (CAUSALITIES, RELATIONS):
        known = [row for row in train if _classes(row) is classes]
        asked = {number: row for number, row in enumerate(rows) if _classes(row) is classes}
        if asked and not known:
            raise InputError(
                "there are no pairs that baselines could learn from", hint="leave them out (--no-baselines)"
            )
        if asked:
            labels = [classes.index(row.relation or row.causality) for row in known]
            table = learner(_titles(known), labels, _titles(list(asked.values())), len(classes))
            answers |= dict(zip(asked, table, strict=True))
    return [answers[number] for number in range(len(rows))]


def _classes(row: LabelledPair) -> tuple[str, ...]:
    return RELATIONS if row.relation else CAUSALITIES


def _kinds(rows: Pairs, answers: Sequence[Probabilities]) -> dict[str, float]:
    """Accuracy over three classes by the annotators' agreement, and F1 of each class."""
    found = evaluate(rows, answers)
    kinds = {f"agreement {tenth:.1f}": own.accuracy for tenth, own in found.by_agreement.items()}
    for scores in (found.three, found.seven):
        if scores:
            kinds |= {f"F1 {name.replace('_', ' ')}": own.f1 for name, own in scores.classes.items()}
    return kinds


def _submission(rows: Pairs, answers: Sequence[Probabilities]) -> str:  # noqa: ARG001
    lines = (json.dumps({"index": index, "probabilities": own.tolist()}) for index, own in enumerate(answers))
    return "".join(line + "\n" for line in lines)


def _read_submission(path: Path, rows: Pairs) -> list[Probabilities]:
    """Read ``{"index": 0, "probabilities": […]}`` a line, one a pair, in the order of the corpus' labels."""
    found: dict[int, Probabilities] = {}
    for place, index, row in indexed(_submitted(path), len(rows), of="pairs", path=path):
        probabilities = row["probabilities"]
        lengths = {len(_classes(rows[index])), len(RELATIONS)}
        if (
            probabilities.ndim != 1
            or len(probabilities) not in lengths
            or not np.all((probabilities >= 0) & (probabilities <= 1))
        ):
            wanted = " or ".join(map(str, sorted(lengths)))
            raise InputError(f"pair {index} needs {wanted} probabilities from 0 to 1", where=place)
        found[index] = probabilities
    return [found[index] for index in range(len(rows))]


def _submitted(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    if not path.is_file():
        raise InputError("no such file", where=str(path))
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        place = f"{path}:{number}"
        try:
            row = json.loads(line)
            answer = {"index": row["index"], "probabilities": np.array(row["probabilities"], dtype=np.float64)}
        except (ValueError, KeyError, TypeError) as error:
            raise InputError('a line must be {"index": …, "probabilities": […]}', where=place) from error
        yield place, answer


def _task(name: str, language: str, scores: dict[str, float]) -> HeadlineCauseTask:
    return HeadlineCauseTask(
        name=name,
        model="pairs",
        open=PairModel.from_pretrained,
        folder=FOLDER,
        published=(PublishedResult("XLM-RoBERTa-large", TEST, PAPER, scores),),
        files=lambda split: tuple(
            f"{language}/{labels}/{'val' if split == DEV else split}.jsonl" for labels in (SIMPLE, FULL)
        ),
        read=lambda folder, split: [
            row for labels in (SIMPLE, FULL) for row in read_split(folder, language, labels, split)
        ],
        group=lambda row: min(row.left, row.right),
        answer=_answer,
        baselines={
            "TF-IDF of both titles, CatBoost": partial(_per_class_set, boosted_trees),
            "TF-IDF of both titles, logistic regression": partial(_per_class_set, logistic_regression),
            "most frequent class": partial(_per_class_set, most_frequent),
            "random": partial(_per_class_set, random_class),
        },
        score=lambda rows, answers: evaluate(rows, answers).scores(),
        kinds=_kinds,
        kinds_of="pair",
        read_submission=_read_submission,
        submission=_submission,
        language=language,
    )


ENGLISH = _task(
    "headline-cause", "en", {"3-class accuracy": 0.894, "7-class accuracy": 0.835, "causality AUC": 0.963}
)
RUSSIAN = _task(
    "headline-cause-ru", "ru", {"3-class accuracy": 0.909, "7-class accuracy": 0.879, "causality AUC": 0.956}
)
