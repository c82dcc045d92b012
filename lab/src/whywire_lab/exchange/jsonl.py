"""JSON Lines as ``whywire read`` writes them; the only format in which nothing is lost.

A row is ``{id?, text, relations: [{cause: [start, end], effect, signals: [[start, end]…], probability}], denials:
[the same]}``; other fields are ignored. Denied relations come after the asserted ones. A row without an id gets
its line number as id.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from whywire.errors import InputError
from whywire.news import Problem
from whywire.news.row_files import read_json_lines
from whywire.output import json_text
from whywire.sentences.reading import CausalRelation
from whywire.sentences.relation_rows import relation_from_row, relation_to_row
from whywire_lab.exchange.annotated_sentences import AnnotatedSentence, Annotations, check_sentence, check_sentences


def to_jsonl(sentences: Iterable[AnnotatedSentence]) -> str:
    """Render one row for each sentence.

    Raises:
        InputError: a sentence breaks a rule of `check_sentence`.
    """
    return "".join(json_text(_row(sentence)) + "\n" for sentence in check_sentences(sentences))


def from_jsonl(text: str, name: str = "rows") -> Annotations:
    """Read rows; one that cannot be used is a problem, the others are read.

    Args:
        name: of the file, for the places of problems.
    """
    sentences, problems = [], []
    for row in read_json_lines(text.split("\n"), name):
        if isinstance(row, Problem):
            problems.append(row)
            continue
        try:
            sentence = _sentence(row.value, row.place.rpartition(":")[2])
            check_sentence(sentence)
        except InputError as error:
            problems.append(Problem(row.place, error.message, row=row.value))
        else:
            sentences.append(sentence)
    return Annotations(tuple(sentences), tuple(problems))


def _row(sentence: AnnotatedSentence) -> dict[str, Any]:
    return {
        "id": sentence.id,
        "text": sentence.text,
        "relations": [relation_to_row(relation) for relation in sentence.relations if not relation.denied],
        "denials": [relation_to_row(relation) for relation in sentence.relations if relation.denied],
    }


def _sentence(row: object, line: str) -> AnnotatedSentence:
    if not isinstance(row, Mapping):
        raise InputError("a row must be a JSON object")
    name, text = row.get("id"), row.get("text")
    if not isinstance(text, str):
        raise InputError("text must be a string" if "text" in row else "there is no text")
    if isinstance(name, bool) or not isinstance(name, str | int | None):
        raise InputError("id must be a string or a whole number")
    relations: list[CausalRelation] = []
    for field in ("relations", "denials"):
        found = row.get(field) or []
        if not isinstance(found, list):
            raise InputError(f"{field} must be a list")
        relations += [relation_from_row(relation, denied=field == "denials") for relation in found]
    return AnnotatedSentence(line if name is None else str(name), text, tuple(relations))
