"""SemEval-2020 Task 5, counterfactual recognition (Yang et al. 2020; CC BY 4.0, Zenodo record 3932442).

Subtask 1 labels sentences; subtask 2 marks antecedent and consequent with *inclusive* character indices,
-1 where there is no consequent. They become half-open spans here, at the door.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from whywire.news.article import Span


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A sentence of subtask 1."""

    id: str
    text: str
    counterfactual: bool


@dataclass(frozen=True, slots=True)
class MarkedCounterfactual:
    """A counterfactual sentence of subtask 2 with the spans of its two parts."""

    id: str
    text: str
    antecedent: Span
    consequent: Span | None


def read_subtask1(path: Path) -> Iterator[LabelledSentence]:
    """Read ``subtask1_train.csv``: ``sentenceID, gold_label, sentence``."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            yield LabelledSentence(row["sentenceID"], row["sentence"], row["gold_label"] == "1")


def read_subtask2(path: Path) -> Iterator[MarkedCounterfactual]:
    """Read ``subtask2_train.csv``; its end indices are inclusive."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            antecedent = _span(row, "antecedent")
            if antecedent is not None:
                yield MarkedCounterfactual(row["sentenceID"], row["sentence"], antecedent, _span(row, "consequent"))


def _span(row: dict[str, str], part: str) -> Span | None:
    start, end = int(row[f"{part}_startid"]), int(row[f"{part}_endid"])
    return None if start < 0 or end < 0 else (start, end + 1)
