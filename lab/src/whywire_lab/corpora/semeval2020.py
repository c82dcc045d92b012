"""SemEval-2020 Task 5, counterfactual recognition (Yang et al. 2020; CC BY 4.0, Zenodo record 3932442).

Subtask 1 labels sentences; subtask 2 marks antecedent and consequent with *inclusive* character indices,
-1 where there is no consequent. They are read as half-open spans.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO, TypeVar

from whywire.errors import InputError
from whywire.news.article import Span
from whywire_lab.corpora.csv_tables import csv_table

Answer = TypeVar("Answer")

Parts = tuple[Span | None, Span | None]
"""Antecedent and consequent; ``None`` where there is none."""

LABEL_COLUMNS = ("sentenceID", "pred_label")
PART_COLUMNS = ("sentenceID", "antecedent_startid", "antecedent_endid", "consequent_startid", "consequent_endid")
"""Columns of a submission to subtask 1, and to subtask 2."""

NOWHERE = -1
"""The index of a missing part."""


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
    """Read ``subtask1_train.csv``: ``sentenceID, gold_label, sentence``.

    Raises:
        InputError: the file or a column is missing.
    """
    for row in csv_table(path, ("sentenceID", "gold_label", "sentence")):
        yield LabelledSentence(row["sentenceID"], row["sentence"], row["gold_label"] == "1")


def read_subtask2(path: Path) -> Iterator[MarkedCounterfactual]:
    """Read ``subtask2_train.csv``; its end indices are inclusive.

    Raises:
        InputError: the file or a column is missing, or an index is no number.
    """
    for number, row in enumerate(csv_table(path, (*PART_COLUMNS, "sentence")), 1):
        antecedent, consequent = parts_of_row(row, f"{path}, row {number}")
        if antecedent is not None:
            yield MarkedCounterfactual(row["sentenceID"], row["sentence"], antecedent, consequent)


def read_label_submission(path: Path, ids: Iterable[str]) -> list[bool]:
    """Read a submission to subtask 1: ``sentenceID, pred_label`` (1 for a counterfactual).

    Args:
        ids: the sentences whose answers are wanted, in this order; further rows are ignored.

    Raises:
        InputError: the file, a column or a sentence is missing, or a label is neither 0 nor 1.
    """
    found: dict[str, bool] = {}
    for number, row in enumerate(csv_table(path, LABEL_COLUMNS), 1):
        if row["pred_label"] not in ("0", "1"):
            raise InputError(f"pred_label must be 0 or 1, not {row['pred_label']!r}", where=f"{path}, row {number}")
        found[row["sentenceID"]] = row["pred_label"] == "1"
    return _in_order(found, ids, path)


def read_part_submission(path: Path, ids: Iterable[str]) -> list[Parts]:
    """Read a submission to subtask 2: ``sentenceID`` and four indices, ends inclusive, -1 for what is not there.

    Args:
        ids: the sentences whose answers are wanted, in this order; further rows are ignored.

    Raises:
        InputError: the file, a column or a sentence is missing, or an index is no number.
    """
    found = {
        row["sentenceID"]: parts_of_row(row, f"{path}, row {number}")
        for number, row in enumerate(csv_table(path, PART_COLUMNS), 1)
    }
    return _in_order(found, ids, path)


def write_label_submission(file: TextIO, ids: Iterable[str], labels: Iterable[bool]) -> None:
    """Write a submission to subtask 1, as :func:`read_label_submission` reads it."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(LABEL_COLUMNS)
    writer.writerows((name, int(label)) for name, label in zip(ids, labels, strict=True))


def write_part_submission(file: TextIO, ids: Iterable[str], parts: Iterable[Parts]) -> None:
    """Write a submission to subtask 2, as :func:`read_part_submission` reads it."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(PART_COLUMNS)
    for name, (antecedent, consequent) in zip(ids, parts, strict=True):
        writer.writerow((name, *inclusive(antecedent), *inclusive(consequent)))


def _in_order(found: dict[str, Answer], ids: Iterable[str], path: Path) -> list[Answer]:
    wanted = list(ids)
    missing = [name for name in wanted if name not in found]
    if missing:
        raise InputError(
            f"{len(missing)} of {len(wanted)} sentences have no row, the first of them {missing[0]}", where=str(path)
        )
    return [found[name] for name in wanted]


def parts_of_row(row: Mapping[str, str], place: str) -> Parts:
    """The parts of a row with the columns of :data:`PART_COLUMNS`.

    Raises:
        InputError: an index is no number, or a part begins after its end; the place is named.
    """
    return _span(row, "antecedent", place), _span(row, "consequent", place)


def _span(row: Mapping[str, str], part: str, place: str) -> Span | None:
    try:
        start, end = int(row[f"{part}_startid"]), int(row[f"{part}_endid"])
    except ValueError as error:
        raise InputError(f"an index is no whole number: {error}", where=place) from error
    if start == end == NOWHERE:
        return None
    if not 0 <= start <= end:
        raise InputError(
            f"the {part} must run from 0 or later to its last character, not {start} to {end}", where=place
        )
    return start, end + 1


def inclusive(span: Span | None) -> tuple[int, int]:
    """The first and the last character of a part, or twice :data:`NOWHERE`."""
    return (span[0], span[1] - 1) if span else (NOWHERE, NOWHERE)
