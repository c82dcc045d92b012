"""Counterfactuals as SemEval-2020 Task 5 is released (Yang et al. 2020): labels in subtask 1, parts in subtask 2.

Written are ``semeval2020_task5/subtask1_{part}.csv`` and ``subtask2_{part}.csv``. Subtask 2 holds the counterfactuals
that have an antecedent; its indices are inclusive, -1 for a missing consequent.

Lost in this format: roles, hints, shares, and who answered what.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from whywire.annotation.items import Kind
from whywire.errors import InputError
from whywire.news import Problem
from whywire.news.article import Span
from whywire_lab.corpora.semeval2020 import PART_COLUMNS, inclusive, parts_of_row
from whywire_lab.corpora.splits import first_words
from whywire_lab.exchange.labelled_items import Collector, LabelledItems, agreed_results
from whywire_lab.exchange.releases.release import Release, divided
from whywire_lab.exchange.tables import Row, files_of, given_text, table_text

FOLDER = "semeval2020_task5"

LABEL_COLUMNS = ("sentenceID", "gold_label", "sentence")
ALL_COLUMNS = ("sentenceID", "sentence", "antecedent", "consequent", *PART_COLUMNS[1:])

NOTHING = "{}"
"""What the release writes for a missing part."""


def release(data: LabelledItems, part: str | None = None) -> Release:
    """The release of the sentences on which people agree.

    Args:
        part: put all sentences there; by default a tenth is for development, and a tenth for testing.
    """
    kept, problems = agreed_results(data)
    found = Release(problems=problems)
    for name, rows in divided(kept, part, lambda labelled: first_words(labelled[0].text)).items():
        marked = [row for row in rows if row[1].answer.antecedent is not None]
        found.problems += [
            Problem(item.id, "not in subtask 2, since the counterfactual has no antecedent", kept=True)
            for item, result in rows
            if result.answer.counterfactual and result.answer.antecedent is None
        ]
        if rows:
            labels = [_label_row(item, result.answer) for item, result in rows]
            found.files[f"{FOLDER}/subtask1_{name}.csv"] = table_text(LABEL_COLUMNS, labels)
        if marked:
            parts = [_part_row(item, result.answer) for item, result in marked]
            found.files[f"{FOLDER}/subtask2_{name}.csv"] = table_text(ALL_COLUMNS, parts)
    return found


def read(path: Path) -> LabelledItems:
    """Read a file of either subtask, or all ``*.csv`` of a folder, where both may tell of one sentence.

    Raises:
        InputError: there is no such file.
    """
    collector = Collector(Kind.COUNTERFACTUAL)
    answers: dict[str, tuple[str, Row, Row]] = {}
    for file in sorted(files_of(path, ".csv"), key=lambda file: "subtask2" in file.name):
        for place, row in collector.rows(file):
            with collector.row(place, row):
                item = collector.add_item({"id": given_text(row, "sentenceID"), "text": given_text(row, "sentence")})
                answers[item.id] = (place, row, _answer(row))
    for name, (place, row, answer) in answers.items():
        with collector.row(place, row):
            collector.add_result({"item": name, "answer": answer})
    return collector.done()


def _answer(row: Row) -> Row:
    if PART_COLUMNS[1] in row:
        antecedent, consequent = parts_of_row({name: row.get(name, "") for name in PART_COLUMNS}, "")
        return {"counterfactual": True, "antecedent": antecedent, "consequent": consequent}
    if row.get("gold_label") not in ("0", "1"):
        raise InputError(f"gold_label must be 0 or 1, not {row.get('gold_label')!r}")
    return {"counterfactual": row["gold_label"] == "1"}


def _label_row(item: Any, answer: Any) -> Row:
    return {"sentenceID": item.id, "gold_label": int(answer.counterfactual), "sentence": item.text}


def _part_row(item: Any, answer: Any) -> Row:
    def words(span: Span | None) -> str:
        return item.text[slice(*span)] if span else NOTHING

    indices = [*inclusive(answer.antecedent), *inclusive(answer.consequent)]
    return {
        "sentenceID": item.id,
        "sentence": item.text,
        "antecedent": words(answer.antecedent),
        "consequent": words(answer.consequent),
        **dict(zip(PART_COLUMNS[1:], indices, strict=True)),
    }
