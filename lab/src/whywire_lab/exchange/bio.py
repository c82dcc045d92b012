"""CoNLL format: one token a line, one column of BIO labels for each relation, a blank line after each sentence.

    # sent_id = 7
    # text = "Floods cut the road."
    # denied = 1
    Floods	0	6	B-Cause
    cut	7	10	B-Signal
    the	11	14	B-Effect
    …

The columns, separated by tabs, are the token, its half-open character offsets, and the labels: ``B-Cause``,
``I-Cause``, ``B-Effect``, ``I-Effect``, ``B-Signal``, ``I-Signal``, ``O``; a token of a signal inside an argument has
both, as ``I-Cause|B-Signal``. The text is a JSON string, since it may hold line breaks. ``denied`` names the columns
of relations that the sentence denies, counted from 1. A sentence without relations has one column of ``O``.

Lost in this format: probabilities, and whitespace at the ends of a span.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import groupby

from whywire.errors import InputError
from whywire.news import Problem
from whywire.news.article import Span
from whywire.sentences.reading import CausalRelation
from whywire_lab.exchange.annotated_sentences import AnnotatedSentence, Annotations, check_sentence, check_sentences
from whywire_lab.exchange.tokens import split_tokens

CAUSE, EFFECT, SIGNAL, OUTSIDE = "Cause", "Effect", "Signal", "O"

_LABEL = re.compile(r"([BI])-(Cause|Effect|Signal)")
_COMMENT = re.compile(r"# (\w+) = (.*)")


def to_bio(sentences: Iterable[AnnotatedSentence]) -> str:
    """Render sentences as blocks of lines.

    Raises:
        InputError: a sentence breaks a rule of `check_sentence`.
    """
    return "".join(_block(sentence) for sentence in check_sentences(sentences))


def from_bio(text: str, name: str = "columns") -> Annotations:
    """Read blocks of lines; one that cannot be used is a problem, the others are read.

    In a block without ``# text``, as other tools write it, the first column is the token, all others are labels, and
    the text is the tokens joined by spaces. A block without ``# sent_id`` gets the number of its first line as id.

    Args:
        name: of the file, for the places of problems.
    """
    sentences, problems = [], []
    numbered = enumerate(re.split(r"\r?\n", text), 1)
    for blank, block in groupby(numbered, key=lambda line: not line[1].strip()):
        if blank:
            continue
        lines = list(block)
        try:
            sentence = _sentence(lines)
            check_sentence(sentence)
        except InputError as error:
            first = error.where if error.where and error.where.isdigit() else lines[0][0]
            problems.append(Problem(f"{name}:{first}", error.message, row=[line for _, line in lines]))
        else:
            sentences.append(sentence)
    return Annotations(tuple(sentences), tuple(problems))


def _block(sentence: AnnotatedSentence) -> str:
    tokens = split_tokens(sentence.text, sentence.relations)
    columns = [_labels(tokens, relation) for relation in sentence.relations] or [[OUTSIDE] * len(tokens)]
    lines = [f"# sent_id = {sentence.id}", f"# text = {json.dumps(sentence.text, ensure_ascii=False)}"]
    if denied := [str(number) for number, relation in enumerate(sentence.relations, 1) if relation.denied]:
        lines.append(f"# denied = {' '.join(denied)}")
    for (start, end), *labels in zip(tokens, *columns, strict=True):
        lines.append("\t".join([sentence.text[start:end], str(start), str(end), *labels]))
    return "\n".join(lines) + "\n\n"


def _labels(tokens: list[Span], relation: CausalRelation) -> list[str]:
    labels: list[list[str]] = [[] for _ in tokens]
    spans = [(CAUSE, relation.cause), (EFFECT, relation.effect), *((SIGNAL, signal) for signal in relation.signals)]
    for label, (start, end) in spans:
        inside = [number for number, token in enumerate(tokens) if start <= token[0] and token[1] <= end]
        for number in inside:
            labels[number].append(f"{'B' if number == inside[0] else 'I'}-{label}")
    return ["|".join(found) or OUTSIDE for found in labels]


def _sentence(lines: list[tuple[int, str]]) -> AnnotatedSentence:
    notes: dict[str, str] = {}
    rows: list[tuple[int, list[str]]] = []
    for number, line in lines:
        if found := _COMMENT.fullmatch(line):
            notes[found[1]] = found[2]
        elif not line.startswith("# "):
            rows.append((number, line.split("\t")))
    text, tokens = _text_with_offsets(notes["text"], rows) if "text" in notes else _joined_tokens(rows)
    first = 3 if "text" in notes else 1
    width = len(rows[0][1]) if rows else first
    for number, row in rows:
        if len(row) != width or width <= first:
            raise InputError(f"the line has {len(row)} columns, not {max(width, first + 1)}", where=str(number))
    denied = notes.get("denied", "").split()
    relations = []
    for column in range(first, width):
        found_spans = _spans(tokens, [(number, row[column]) for number, row in rows])
        if found_spans:
            number = column - first + 1
            relations.append(_relation(found_spans, number, str(number) in denied))
    return AnnotatedSentence(notes.get("sent_id", str(lines[0][0])), text, tuple(relations))


def _text_with_offsets(quoted: str, rows: list[tuple[int, list[str]]]) -> tuple[str, list[Span]]:
    """Return the text of the comment, and the offsets of the tokens."""
    try:
        text = json.loads(quoted)
    except ValueError as error:
        raise InputError("what follows `# text =` is no JSON string") from error
    if not isinstance(text, str):
        raise InputError("what follows `# text =` is no JSON string")
    tokens = []
    for number, row in rows:
        if len(row) < 3 or not (row[1].isdecimal() and row[2].isdecimal()):
            raise InputError("the second and third column must be the token's characters", where=str(number))
        start, end = int(row[1]), int(row[2])
        if text[start:end] != row[0]:
            raise InputError(f"the text has {text[start:end]!r} there, not {row[0]!r}", where=str(number))
        tokens.append((start, end))
    return text, tokens


def _joined_tokens(rows: list[tuple[int, list[str]]]) -> tuple[str, list[Span]]:
    """Return the tokens joined by spaces, and their offsets."""
    tokens, at = [], 0
    for _, row in rows:
        tokens.append((at, at + len(row[0])))
        at += len(row[0]) + 1
    return " ".join(row[0] for _, row in rows), tokens


def _spans(tokens: list[Span], column: list[tuple[int, str]]) -> dict[str, list[Span]]:
    """Return the spans of one column by label."""
    spans: dict[str, list[Span]] = {}
    before: set[str] = set()
    for token, (number, cell) in zip(tokens, column, strict=True):
        current = set()
        for part in cell.split("|") if cell != OUTSIDE else ():
            found = _LABEL.fullmatch(part)
            if found is None:
                raise InputError(f"{part!r} is no label", where=str(number))
            begins, label = found[1] == "B", found[2]
            current.add(label)
            here = spans.setdefault(label, [])
            if begins or label not in before:
                here.append(token)
            else:
                here[-1] = (here[-1][0], token[1])
        before = current
    return spans


def _relation(spans: dict[str, list[Span]], number: int, denied: bool) -> CausalRelation:
    for label in (CAUSE, EFFECT):
        if len(spans.get(label, ())) != 1:
            raise InputError(f"relation {number} has {len(spans.get(label, ()))} spans {label}, not one")
    return CausalRelation(spans[CAUSE][0], spans[EFFECT][0], tuple(spans.get(SIGNAL, ())), denied=denied)
