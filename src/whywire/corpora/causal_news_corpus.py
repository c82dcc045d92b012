"""Causal News Corpus V2, also called RECESS (Tan et al. 2023; CC0).

A sentence carries any number of relations, each written into a copy of the text: ``<ARG0>`` marks the cause,
``<ARG1>`` the effect, ``<SIG0>``, ``<SIG1>``... the signal's parts. Text is tokenised by spaces.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from whywire.corpora.csv_tables import csv_table
from whywire.corpora.indexed import indexed
from whywire.errors import InputError
from whywire.news.article import Span
from whywire.sentences.reading import CausalRelation

Answer = TypeVar("Answer")

TAG = re.compile(r"<(/?)(ARG[01]|SIG\d*)>")


@dataclass(frozen=True, slots=True)
class CausalSentence:
    """A sentence, whether it is causal, and the relations marked in it (a causal one may have none marked)."""

    id: str
    document: str
    text: str
    causal: bool
    relations: tuple[CausalRelation, ...]


@dataclass(frozen=True, slots=True)
class MarkedRelation:
    """A relation as a submission may mark it: a part may be missing, or stand there in several pieces."""

    causes: tuple[Span, ...] = ()
    effects: tuple[Span, ...] = ()
    signals: tuple[Span, ...] = ()

    @classmethod
    def of(cls, relation: CausalRelation) -> MarkedRelation:
        """A relation as we know it."""
        return cls((relation.cause,), (relation.effect,), relation.signals)


def read_marks(marked: str) -> tuple[str, MarkedRelation]:
    """Turn markup into the plain text and spans into it; each kind in order.

    Raises:
        InputError: a tag is closed that was never opened, or the other way round.
    """
    text, opened, position = "", {}, 0
    spans: dict[str, list[Span]] = {"ARG0": [], "ARG1": [], "SIG": []}
    for match in TAG.finditer(marked):
        text += marked[position : match.start()]
        position = match.end()
        closing, label = match.groups()
        if not closing:
            opened[label] = len(text)
        elif label in opened:
            spans["SIG" if label.startswith("SIG") else label].append((opened.pop(label), len(text)))
        else:
            raise InputError(f"</{label}> closes what was never opened", where=marked[:60])
    text += marked[position:]
    if opened:
        raise InputError(f"<{next(iter(opened))}> is never closed", where=marked[:60])
    return text, MarkedRelation(*(tuple(sorted(found)) for found in spans.values()))


def write_marks(text: str, relation: MarkedRelation) -> str:
    """The text with its spans marked, as :func:`read_marks` reads them; where two start, the longer opens first.

    Args:
        relation: spans of one kind do not overlap, and none is empty.
    """
    labels = [("ARG0", span) for span in relation.causes] + [("ARG1", span) for span in relation.effects]
    labels += [(f"SIG{number}", span) for number, span in enumerate(relation.signals)]
    tags = [(start, 1, -end, f"<{label}>") for label, (start, end) in labels]
    tags += [(end, 0, -start, f"</{label}>") for label, (start, end) in labels]
    marked, position = "", 0
    for place, _, _, tag in sorted(tags):
        marked += text[position:place] + tag
        position = place
    return marked + text[position:]


def parse_marked(marked: str) -> tuple[str, CausalRelation]:
    """Turn the markup of one whole relation into the plain text and spans into it.

    Raises:
        InputError: a tag is not closed, or the cause or the effect is missing.
    """
    text, found = read_marks(marked)
    if len(found.causes) != 1 or len(found.effects) != 1:
        raise InputError("a relation needs one closed <ARG0> and one closed <ARG1>", where=marked[:60])
    return text, CausalRelation(found.causes[0], found.effects[0], found.signals)


def read_grouped(path: Path) -> Iterator[CausalSentence]:
    """Read ``…_subtask2_grouped.csv``, or the scorer's ``truth.csv``: a sentence a row with all its relations.

    Raises:
        InputError: the file or a column is missing, or a row's markup is broken.
    """
    for row in csv_table(path, ("doc_id", "index", "text", "causal_text_w_pairs")):
        marked = ast.literal_eval(row["causal_text_w_pairs"])
        relations = tuple(parse_marked(text)[1] for text in marked)
        yield CausalSentence(row["index"], row["doc_id"], row["text"], bool(relations), relations)


def read_sentences(folder: Path, split: str = "train") -> Iterator[CausalSentence]:
    """Join ``{split}_subtask1.csv`` (labels) with ``{split}_subtask2_grouped.csv`` (relations)."""
    relations = {row.text: row.relations for row in read_grouped(folder / f"{split}_subtask2_grouped.csv")}
    for row in csv_table(folder / f"{split}_subtask1.csv", ("index", "text", "label")):
        document = row["index"].rsplit("_", 1)[0]
        yield CausalSentence(row["index"], document, row["text"], row["label"] == "1", relations.get(row["text"], ()))


def read_submission(path: Path, texts: Sequence[str]) -> list[tuple[MarkedRelation, ...]]:
    """Read a submission to subtask 2: a JSON object ``{"index": 0, "prediction": [marked text…]}`` a line.

    A prediction without marks stands for no relation, and so does an empty list.

    Args:
        texts: the sentences it is about; ``index`` counts them from zero.

    Returns:
        The relations of each sentence, as they were ordered.

    Raises:
        InputError: a line is no such object, marks another text than its sentence, or a sentence has no line.
    """
    found: dict[int, tuple[MarkedRelation, ...]] = {}
    for place, index, predictions in _answers(path, list, len(texts)):
        relations = []
        for marked in predictions:
            if not isinstance(marked, str):
                raise InputError("a prediction must be a marked text", where=place)
            try:
                text, relation = read_marks(marked)
            except InputError as error:
                raise InputError(error.message, where=place) from error
            if text != texts[index]:
                raise InputError(f"the marked text is not the one of sentence {index}", where=place)
            if relation != MarkedRelation():
                relations.append(relation)
        found[index] = tuple(relations)
    return [found[index] for index in range(len(texts))]


def submission_lines(texts: Sequence[str], predictions: Iterable[Sequence[MarkedRelation]]) -> Iterator[str]:
    """The lines of a submission to subtask 2; the plain text stands where there is no relation."""
    for index, (text, relations) in enumerate(zip(texts, predictions, strict=True)):
        marked = [write_marks(text, relation) for relation in relations] or [text]
        yield json.dumps({"index": index, "prediction": marked}, ensure_ascii=False)


def read_labels(path: Path, size: int) -> list[bool]:
    """Read a submission to subtask 1: ``{"index": 0, "prediction": 1}`` a line, 1 for a causal sentence.

    Args:
        size: how many sentences it is about; ``index`` counts them from zero.

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
