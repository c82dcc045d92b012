"""Causal News Corpus V2, also called RECESS (Tan et al. 2023; CC0).

A sentence carries any number of relations, each written into a copy of the text: ``<ARG0>`` marks the cause,
``<ARG1>`` the effect, ``<SIG0>``, ``<SIG1>``... the signal's parts. Text is tokenised by spaces.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from whywire.errors import InputError
from whywire.sentences.reading import CausalRelation
from whywire_lab.corpora.csv_tables import csv_table
from whywire_lab.corpora.indexed import indexed
from whywire_lab.exchange.argument_tags import TaggedRelation, insert_tags, parse_relation, parse_tags

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class CausalSentence:
    """A sentence, whether it is causal, and the relations marked in it (a causal one may have none marked)."""

    id: str
    document: str
    text: str
    causal: bool
    relations: tuple[CausalRelation, ...]


def read_grouped(path: Path) -> Iterator[CausalSentence]:
    """Read ``…_subtask2_grouped.csv``, or the scorer's ``truth.csv``: a sentence a row with all its relations.

    Raises:
        InputError: the file or a column is missing, or a row's markup is broken.
    """
    for row in csv_table(path, ("doc_id", "index", "text", "causal_text_w_pairs")):
        marked = ast.literal_eval(row["causal_text_w_pairs"])
        relations = tuple(parse_relation(text)[1] for text in marked)
        yield CausalSentence(row["index"], row["doc_id"], row["text"], bool(relations), relations)


def read_sentences(folder: Path, split: str = "train") -> Iterator[CausalSentence]:
    """Join ``{split}_subtask1.csv`` (labels) with ``{split}_subtask2_grouped.csv`` (relations)."""
    relations = {row.text: row.relations for row in read_grouped(folder / f"{split}_subtask2_grouped.csv")}
    for row in csv_table(folder / f"{split}_subtask1.csv", ("index", "text", "label")):
        document = row["index"].rsplit("_", 1)[0]
        yield CausalSentence(row["index"], document, row["text"], row["label"] == "1", relations.get(row["text"], ()))


def read_texts(path: Path) -> Iterator[CausalSentence]:
    """Read ``test_subtask1_text.csv`` or ``test_subtask2_text.csv``: sentences whose labels are not published.

    Returns:
        The sentences, in the order that a submission counts them, as not causal.

    Raises:
        InputError: the file or a column is missing.
    """
    for row in csv_table(path, ("index", "text")):
        yield CausalSentence(row["index"], row["index"].rsplit("_", 1)[0], row["text"], causal=False, relations=())


def read_submission(path: Path, texts: Sequence[str]) -> list[tuple[TaggedRelation, ...]]:
    """Read a submission to subtask 2: a JSON object ``{"index": 0, "prediction": [marked text…]}`` a line.

    A prediction without marks stands for no relation, and so does an empty list.

    Args:
        texts: the sentences of the submission; ``index`` counts them from zero.

    Returns:
        The relations of each sentence, in the order of the submission.

    Raises:
        InputError: a line is no such object, marks another text than its sentence, or a sentence has no line.
    """
    found: dict[int, tuple[TaggedRelation, ...]] = {}
    for place, index, predictions in _answers(path, list, len(texts)):
        relations = []
        for marked in predictions:
            if not isinstance(marked, str):
                raise InputError("a prediction must be a marked text", where=place)
            try:
                text, relation = parse_tags(marked)
            except InputError as error:
                raise InputError(error.message, where=place) from error
            if text != texts[index]:
                raise InputError(f"the marked text is not the one of sentence {index}", where=place)
            if relation != TaggedRelation():
                relations.append(relation)
        found[index] = tuple(relations)
    return [found[index] for index in range(len(texts))]


def submission_lines(texts: Sequence[str], predictions: Iterable[Sequence[TaggedRelation]]) -> Iterator[str]:
    """The lines of a submission to subtask 2; the plain text stands where there is no relation."""
    for index, (text, relations) in enumerate(zip(texts, predictions, strict=True)):
        marked = [insert_tags(text, relation) for relation in relations] or [text]
        yield json.dumps({"index": index, "prediction": marked}, ensure_ascii=False)


def read_labels(path: Path, size: int) -> list[bool]:
    """Read a submission to subtask 1: ``{"index": 0, "prediction": 1}`` a line, 1 for a causal sentence.

    Args:
        size: the number of sentences; ``index`` counts them from zero.

    Raises:
        InputError: a line is no such object, or a sentence has no line.
    """
    found: dict[int, bool] = {}
    for place, index, label in _answers(path, int, size):
        if label not in (0, 1):
            raise InputError("a prediction must be 0 or 1", where=place)
        found[index] = bool(label)
    return [found[index] for index in range(size)]


def label_lines(predictions: Iterable[bool]) -> Iterator[str]:
    """The lines of a submission to subtask 1."""
    for index, causal in enumerate(predictions):
        yield json.dumps({"index": index, "prediction": int(causal)})


def _answers(path: Path, kind: type[Answer], size: int) -> Iterator[tuple[str, int, Answer]]:
    """Place, index and prediction of each line; each index from zero to ``size`` exactly once."""
    for place, index, row in indexed(_lines(path), size, of="sentences", path=path):
        prediction = row["prediction"]
        if not isinstance(prediction, kind):
            raise InputError(f"a prediction must be a JSON {kind.__name__}, not {prediction!r}", where=place)
        yield place, index, prediction


def _lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    if not path.is_file():
        raise InputError("no such file", where=str(path))
    with path.open(encoding="utf-8-sig") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            place = f"{path}:{number}"
            try:
                row = json.loads(line)
                answer = {name: row[name] for name in ("index", "prediction")}
            except (ValueError, KeyError, TypeError) as error:
                raise InputError('a line must be {"index": …, "prediction": …}', where=place) from error
            yield place, answer
