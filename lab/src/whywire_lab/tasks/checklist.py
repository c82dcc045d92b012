"""Runs the behavioural checklist that comes with the package on a model of headline pairs, as ``relate`` uses it.

``checklists/en.jsonl`` and ``ru.jsonl`` hold the cases. Their headlines are made up; what is expected of them follows
HeadlineCause's instruction for annotators. A case stays even if a model fails it, unless its expectation is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whywire.api.news_input import to_article
from whywire.api.relate import by_words
from whywire.errors import InputError
from whywire.pairs.model import PairModel
from whywire.pairs.relations import RELATIONS
from whywire.pairs.reports import TextPair
from whywire_lab.metrics.checklist import CaseResults, CaseType, Outcome, read_cases, run_checklist

SHIPPED = {path.stem: path for path in sorted((Path(__file__).parent / "checklists").glob("*.jsonl"))}
"""Paths of the case files that come with the package, by language."""


@dataclass(frozen=True, slots=True)
class ChecklistReport:
    """The outcomes of a checklist, test by test."""

    model: str
    files: tuple[Path, ...]
    seed: int
    tallies: tuple[CaseResults, ...]

    def as_json(self) -> dict[str, Any]:
        """The report as JSON: failure rates from 0 to 1, and every failed case."""
        return {
            "model": self.model,
            "files": [path.name for path in self.files],
            "seed": self.seed,
            "whywire": version("whywire"),
            "tests": [
                {
                    "test": tally.test,
                    "type": str(tally.type),
                    "cases": len(tally.outcomes),
                    "failures": len(tally.failures),
                    "rate": tally.rate,
                    "rate of three classes": tally.rate_in_three,
                    "failed": [_failure(outcome) for outcome in tally.failures],
                }
                for tally in self.tallies
            ],
        }


def run(
    model: str | Path,
    files: Sequence[str | Path] = (),
    *,
    seed: int = 0,
    progress: Callable[[str, int], Callable[[float], object]] | None = None,
) -> ChecklistReport:
    """Run the cases of the files on a model.

    Args:
        model: the name of an embedded model, or a folder.
        files: files of cases, or languages for their shipped files; by default all of these.
        seed: of the places of typos.
        progress: called with a stage's name and number of steps; returns a function to call with the steps just done.

    Raises:
        InputError: a file or a case is not usable.
        ModelError: there is no such model.
    """
    paths = tuple(_path(file) for file in files or SHIPPED)
    cases = read_cases(paths, seed=seed)
    reader = PairModel.from_pretrained(model)

    def judge(pairs: list[TextPair]) -> NDArray[np.float64]:
        steps = len({tuple(sorted(pair)) for pair in pairs})  # a pair is read once, in whichever order it is asked
        table = reader.relate(pairs, progress and progress(f"relating with {model}", steps))
        ends = [(to_article(left), to_article(right)) for left, right in pairs]
        return np.array([by_words(row, *pair) for row, pair in zip(table, ends, strict=True)]).reshape(table.shape)

    tallies = run_checklist(cases, judge)
    return ChecklistReport(str(model), paths, seed, tuple(tallies))


def expectation(outcome: Outcome) -> str:
    """The relations that would have passed, in words; if they are most of them, those that would have failed."""
    if outcome.case.type is not CaseType.MFT or 2 * len(outcome.passing) < len(RELATIONS):
        return " or ".join(outcome.passing)
    return "not " + " or ".join(relation for relation in RELATIONS if relation not in outcome.passing)


def _path(file: str | Path) -> Path:
    if not Path(file).is_file() and str(file) in SHIPPED:
        return SHIPPED[str(file)]
    if not Path(file).is_file():
        raise InputError("no such file", where=str(file), hint=f"shipped are {', '.join(SHIPPED)}")
    return Path(file)


def _failure(outcome: Outcome) -> dict[str, Any]:
    case = outcome.case
    row: dict[str, Any] = {"place": case.place, "left": case.pair[0], "right": case.pair[1]}
    row["answer"] = str(outcome.found)
    if case.changed:
        row["changed"] = {"left": case.changed[0], "right": case.changed[1], "answer": str(outcome.after)}
    row["expected"] = [str(relation) for relation in outcome.passing]
    return row | ({"note": case.note} if case.note else {})
