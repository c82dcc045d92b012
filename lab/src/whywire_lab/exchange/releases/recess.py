"""Causes, effects and signals as the Causal News Corpus is released (RECESS, Tan et al. 2023).

Written are ``causal_news_corpus_v2/{part}_subtask1.csv`` (is a sentence causal?) and ``{part}_subtask2_grouped.csv``
(a tagged copy of the text for each relation). Where people split a text, its pieces are sentences of their own, named
``.1``, ``.2`` (section 3.4); a sentence in which no relation is found is not causal.

Lost in this format: roles, hints, shares, who answered what, and that pieces were one text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from whywire.annotation.items import Kind
from whywire.errors import InputError
from whywire.news import Problem
from whywire.news.article import Span
from whywire.sentences.reading import CausalRelation
from whywire_lab.exchange.annotated_sentences import AnnotatedSentence, check_sentence
from whywire_lab.exchange.argument_tags import parse_relation
from whywire_lab.exchange.cnc_csv import tag_relation, tagged_copies
from whywire_lab.exchange.labelled_items import Collector, LabelledItems, agreed_results
from whywire_lab.exchange.releases.release import Release, divided
from whywire_lab.exchange.sentence_items import causal_relation, relation_row
from whywire_lab.exchange.tables import Row, files_of, given_text, table_text

FOLDER = "causal_news_corpus_v2"

LABEL_COLUMNS = ("index", "text", "label")
GROUPED_COLUMNS = ("corpus", "doc_id", "sent_id", "eg_id", "index", "text", "causal_text_w_pairs", "num_rs")
COPIES = "causal_text_w_pairs"


def release(data: LabelledItems, part: str | None = None) -> Release:
    """The release of the sentences on which people agree.

    Args:
        part: put all sentences there; by default a tenth of the documents is for development, and a tenth for
        testing.
    """
    kept, problems = agreed_results(data)
    found = Release(problems=problems)
    sentences: dict[str, tuple[AnnotatedSentence, list[str]]] = {}
    for item, result in kept:
        for sentence in _pieces(item, result.answer, found.problems):
            try:
                check_sentence(sentence)
                copies = [tag_relation(sentence.text, relation) for relation in sentence.relations]
            except InputError as error:
                found.problems.append(Problem(sentence.id, f"left out: {error.message}"))
                continue
            if sentence.text in sentences:  # the corpus joins its two files by text
                other = sentences[sentence.text][0].id
                found.problems.append(Problem(sentence.id, f"left out, since {other} has the same text"))
                continue
            sentences[sentence.text] = sentence, copies
    for name, rows in divided(sentences.values(), part, lambda row: _document(row[0].id)).items():
        if rows:
            labels = [{"index": own.id, "text": own.text, "label": int(bool(copies))} for own, copies in rows]
            found.files[f"{FOLDER}/{name}_subtask1.csv"] = table_text(LABEL_COLUMNS, labels)
            grouped = [_grouped_row(number, *row) for number, row in enumerate(rows)]
            found.files[f"{FOLDER}/{name}_subtask2_grouped.csv"] = table_text(GROUPED_COLUMNS, grouped)
    return found


def read(path: Path) -> LabelledItems:
    """Read a file of the corpus, or all ``*_subtask1.csv`` and ``*_grouped.csv`` of a folder, joined by text.

    A sentence that subtask 1 calls causal, and in which subtask 2 marks nothing, has no result.

    Raises:
        InputError: there is no such file.
    """
    collector = Collector(Kind.SPANS)
    by_text: dict[str, str] = {}
    causal: dict[str, tuple[str, Row]] = {}
    for file in sorted(files_of(path, "_subtask1.csv", "_grouped.csv"), key=lambda file: "subtask1" not in file.name):
        for place, row in collector.rows(file):
            with collector.row(place, row):
                text = given_text(row, "text")
                if text not in by_text:
                    by_text[text] = collector.add_item({"id": given_text(row, "index"), "text": text}).id
                if COPIES in row:
                    relations = _relations(row[COPIES], text)
                    if relations or by_text[text] not in causal:
                        causal.pop(by_text[text], None)
                        collector.results.pop(by_text[text], None)
                        collector.add_result({"item": by_text[text], "answer": {"relations": relations}})
                elif row.get("label") == "0":
                    collector.add_result({"item": by_text[text], "answer": {"relations": []}})
                elif row.get("label") == "1":
                    causal[by_text[text]] = place, row
                else:
                    raise InputError(f"the label must be 0 or 1, not {row.get('label')!r}")
    for place, row in causal.values():
        reason = "the sentence is called causal, but no relation is marked: it has no result"
        collector.problems.append(Problem(place, reason, kept=True, row=row))
    return collector.done()


def _relations(cell: str, text: str) -> list[Row]:
    relations = []
    for copy in tagged_copies(cell or "[]", COPIES):
        plain, relation = parse_relation(copy)
        if plain != text:
            raise InputError("a marked copy is not the text with tags in it")
        relations.append(relation_row(relation))
    return relations


def _pieces(item: Any, answer: Any, problems: list[Problem]) -> Iterator[AnnotatedSentence]:
    """The sentences of a text, with the relations that lie in one of them."""
    relations = [causal_relation(relation) for relation in answer.relations]
    if not answer.splits:
        yield AnnotatedSentence(item.id, item.text, tuple(relations))
        return
    ends = sorted({0, *answer.splits, len(item.text)})
    for number, (start, end) in enumerate(pairwise(ends), 1):
        piece = item.text[start:end]
        start += len(piece) - len(piece.lstrip())
        inside = [one for one in relations if all(start <= a and b <= end for a, b in _spans(one))]
        relations = [one for one in relations if one not in inside]
        moved = tuple(_moved(one, -start) for one in inside)
        yield AnnotatedSentence(f"{item.id}.{number}", piece.strip(), moved)
    for relation in relations:
        words = " → ".join(item.text[slice(*span)] for span in (relation.cause, relation.effect))
        problems.append(Problem(item.id, f"the relation lies in no one of the pieces of the text: “{words}”"))


def _spans(relation: CausalRelation) -> tuple[Span, ...]:
    return relation.cause, relation.effect, *relation.signals


def _moved(relation: CausalRelation, by: int) -> CausalRelation:
    cause, effect, *signals = ((start + by, end + by) for start, end in _spans(relation))
    return replace(relation, cause=cause, effect=effect, signals=tuple(signals))


def _document(name: str) -> str:
    """The document of a sentence, as the corpus names sentences."""
    return name.rsplit("_", 1)[0]


def _grouped_row(number: int, sentence: AnnotatedSentence, copies: list[str]) -> Row:
    return {
        "corpus": "cnc",
        "doc_id": _document(sentence.id),
        "sent_id": number,
        "eg_id": 0,
        "index": sentence.id,
        "text": sentence.text,
        COPIES: copies,
        "num_rs": len(copies),
    }
