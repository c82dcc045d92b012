"""SemEval-2020 Task 5 (Yang et al. 2020, tables 1 and 2): sentences of both subtasks."""

from __future__ import annotations

from pathlib import Path

from whywire.errors import InputError
from whywire_lab.corpora.semeval2020 import MarkedCounterfactual, read_subtask1, read_subtask2
from whywire_lab.statistics.tables import StatisticsTable, mean, words

SPLITS = ("train", "test")

NOT_KNOWN = "The paper's own tables are not at hand here, so none of their numbers stands beside."


def tables(folder: Path) -> list[StatisticsTable]:
    """Labels of subtask 1, and lengths of the parts of subtask 2.

    Raises:
        InputError: neither subtask is there, or a file is broken.
    """
    first = {split: path for split in SPLITS if (path := folder / f"subtask1_{split}.csv").is_file()}
    second = {split: path for split in SPLITS if (path := folder / f"subtask2_{split}.csv").is_file()}
    if not first and not second:
        raise InputError("there is no subtask1_train.csv and no subtask2_train.csv", where=str(folder))
    labels = []
    for split, path in first.items():
        rows = list(read_subtask1(path))
        positive = sum(row.counterfactual for row in rows)
        share = positive / max(1, len(rows))
        labels.append(
            (split, len(rows), positive, len(rows) - positive, share, mean(words(row.text) for row in rows))
        )
    parts = [(split, *_parts(list(read_subtask2(path)))) for split, path in second.items()]
    return [
        StatisticsTable(
            "sentences",
            "Subtask 1 (table 1)",
            ("split", "sentences", "counterfactual", "other", "share", "words"),
            tuple(labels),
            (NOT_KNOWN,),
        ),
        StatisticsTable(
            "parts",
            "Subtask 2 (table 2); lengths in words",
            ("split", "sentences", "without consequent", "words", "antecedent", "consequent"),
            tuple(parts),
        ),
    ]


def _parts(rows: list[MarkedCounterfactual]) -> tuple[int, int, float | None, float | None, float | None]:
    return (
        len(rows),
        sum(row.consequent is None for row in rows),
        mean(words(row.text) for row in rows),
        mean(words(row.text[slice(*row.antecedent)]) for row in rows),
        mean(words(row.text[slice(*row.consequent)]) for row in rows if row.consequent),
    )
