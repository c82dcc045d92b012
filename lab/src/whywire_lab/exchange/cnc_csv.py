"""The grouped CSV of the Causal News Corpus: for each relation a copy of the text with argument tags.

Of the columns of ``…_subtask2_grouped.csv`` (RECESS, Tan et al. 2023) these are used: ``doc_id`` (the id up to its
last ``_``; not read), ``index`` (the id), ``text``, ``causal_text_w_pairs`` (a Python list of tagged copies) and
``num_rs`` (their number). The corpus has no denials; they are in an additional column, ``denied_text_w_pairs``,
which other readers of the corpus ignore.

Lost in this format: probabilities, and whether a denied relation came before an asserted one.
"""

from __future__ import annotations

import ast
import csv
import io
from collections.abc import Iterable
from dataclasses import replace

from whywire.errors import InputError
from whywire.news import Problem
from whywire.sentences.reading import CausalRelation
from whywire_lab.exchange.annotated_sentences import AnnotatedSentence, Annotations, check_sentence, check_sentences
from whywire_lab.exchange.argument_tags import TAG, TaggedRelation, insert_tags, parse_relation

COLUMNS = ("doc_id", "index", "text", "causal_text_w_pairs", "num_rs", "denied_text_w_pairs")
REQUIRED_COLUMNS = ("index", "text", "causal_text_w_pairs")


def tag_relation(text: str, relation: CausalRelation) -> str:
    """Return a copy of the text with the tags of one relation; the inverse of `parse_relation`.

    Raises:
        InputError: the text itself contains such a tag.
    """
    if found := TAG.search(text):
        raise InputError(
            f"the text itself has {found[0]} at character {found.start() + 1}, which would be read as a mark",
            hint="write this sentence in another format",
        )
    return insert_tags(text, TaggedRelation.of(relation))


def to_cnc_csv(sentences: Iterable[AnnotatedSentence]) -> str:
    """Render the CSV table, one row for each sentence.

    Raises:
        InputError: a text itself contains a tag, or a sentence breaks a rule of `check_sentence`.
    """
    target = io.StringIO()
    table = csv.writer(target, quoting=csv.QUOTE_ALL, lineterminator="\n")  # all: some texts hold a bare \r
    table.writerow(COLUMNS)
    for sentence in check_sentences(sentences):
        copies: dict[bool, list[str]] = {False: [], True: []}
        for relation in sentence.relations:
            try:
                copies[relation.denied].append(tag_relation(sentence.text, relation))
            except InputError as error:
                raise InputError(error.message, where=sentence.id, hint=error.hint) from error
        document = sentence.id.rsplit("_", 1)[0]
        table.writerow([document, sentence.id, sentence.text, copies[False], len(copies[False]), copies[True]])
    return target.getvalue()


def from_cnc_csv(text: str, name: str = "table") -> Annotations:
    """Read the CSV table of the corpus or of `to_cnc_csv`; a row that cannot be used is a problem.

    Args:
        name: of the file, for the places of problems.

    Raises:
        InputError: a column is missing.
    """
    table = csv.DictReader(io.StringIO(text, newline=""))
    try:
        missing = [column for column in REQUIRED_COLUMNS if column not in (table.fieldnames or ())]
    except csv.Error as error:
        raise InputError(f"broken CSV: {error}", where=f"{name}:1") from error
    if missing:
        raise InputError(
            f"there is no column {missing[0]}", where=f"{name}:1", hint=f"needed are {', '.join(REQUIRED_COLUMNS)}"
        )
    sentences, problems = [], []
    rows = iter(table)
    while True:
        place = f"{name}:{table.line_num + 1}"
        try:
            row = next(rows, None)
        except csv.Error as error:
            problems.append(Problem(place, f"broken CSV, and nothing after it is read: {error}"))
            break
        if row is None:
            break
        try:
            sentence = _sentence(row)
            check_sentence(sentence)
        except InputError as error:
            problems.append(Problem(place, str(InputError(error.message, where=error.where)), row=row))
        else:
            sentences.append(sentence)
    return Annotations(tuple(sentences), tuple(problems))


def _sentence(row: dict[str, str]) -> AnnotatedSentence:
    relations: list[CausalRelation] = []
    for column in ("causal_text_w_pairs", "denied_text_w_pairs"):
        for copy in tagged_copies(row.get(column) or "[]", column):
            text, relation = parse_relation(copy)
            if text != row["text"]:
                raise InputError("a marked copy is not the text with tags in it", where=copy[:60])
            relations.append(replace(relation, denied=column.startswith("denied")))
    return AnnotatedSentence(row["index"] or "", row["text"] or "", tuple(relations))


def tagged_copies(cell: str, column: str) -> list[str]:
    """The list of tagged copies in a cell, as Python writes it.

    Raises:
        InputError: it is no such list.
    """
    try:
        copies = ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise InputError(f"{column} is no list of marked copies", where=cell[:60]) from error
    if not isinstance(copies, list) or not all(isinstance(copy, str) for copy in copies):
        raise InputError(f"{column} is no list of marked copies", where=cell[:60])
    return copies
