"""Why-questions whose answers are causes and effects, in the format of SQuAD 2.0 (RECESS, section 6.4).

Each relation gives two questions: why its effect happened, and what its cause led to. The given words are quoted, so
that the question is grammatical whatever they are. Relations with the same question share it
and give it several answers. The denied words of a denial are never an answer: its question is marked impossible,
with those words as SQuAD's ``plausible_answers``, and is left out if another relation of the sentence answers it.

Lost in this format: signals, probabilities, and which cause has which effect. So relations cannot be read back;
`from_squad` returns questions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from whywire.errors import InputError
from whywire.news import Problem
from whywire.news.article import Span, overlap
from whywire.news.language import language_by_letters
from whywire.output import json_text
from whywire_lab.exchange.annotated_sentences import AnnotatedSentence, check_sentence, check_sentences

FOR_CAUSE = {"en": "Why did this happen: “{}”?", "ru": "Почему произошло следующее: «{}»?"}
FOR_EFFECT = {"en": "What did this lead to: “{}”?", "ru": "К чему привело следующее: «{}»?"}
"""The question by language. The quotation follows a colon, so its case, number and tense need not agree."""

_AT_ENDS = " ,.;:–—-"


@dataclass(frozen=True, slots=True)
class SquadQuestion:
    """A question about a text.

    Args:
        id: unique in a file.
        answers: spans of ``context``, any of which answers the question; empty if it has no answer.
        plausible: of a question without an answer, the denied spans that look like one.
    """

    id: str
    context: str
    question: str
    answers: tuple[Span, ...]
    plausible: tuple[Span, ...] = ()


@dataclass(slots=True)
class _Spans:
    answers: set[Span] = field(default_factory=set)
    plausible: set[Span] = field(default_factory=set)


def questions_of(sentence: AnnotatedSentence) -> list[SquadQuestion]:
    """Return the questions that a sentence's relations answer: for each the question for its cause, then its effect.

    The questions are in Russian if the text has Cyrillic letters, otherwise in English.

    Raises:
        InputError: the sentence breaks a rule of `check_sentence`.
    """
    check_sentence(sentence)
    language = language_by_letters(sentence.text)
    found: dict[str, _Spans] = {}
    for relation in sentence.relations:
        for template, given, answer in (
            (FOR_CAUSE[language], relation.effect, relation.cause),
            (FOR_EFFECT[language], relation.cause, relation.effect),
        ):
            for_cause = answer == relation.cause
            if relation.denied and any(
                not other.denied and overlap(given, other.effect if for_cause else other.cause)
                for other in sentence.relations
            ):
                continue
            question = found.setdefault(template.format(_quoted(sentence.text[slice(*given)])), _Spans())
            (question.plausible if relation.denied else question.answers).add(answer)
    return [
        SquadQuestion(
            f"{sentence.id}-{number}",
            sentence.text,
            words,
            tuple(sorted(question.answers)),
            () if question.answers else tuple(sorted(question.plausible)),
        )
        for number, (words, question) in enumerate(found.items(), 1)
    ]


def to_squad(sentences: Iterable[AnnotatedSentence]) -> str:
    """Render the questions of all sentences as a SQuAD 2.0 file; each sentence is an article of one paragraph.

    Raises:
        InputError: a sentence breaks a rule of `check_sentence`.
    """
    data = [
        {
            "title": sentence.id,
            "paragraphs": [
                {"context": sentence.text, "qas": [_question_row(question) for question in questions_of(sentence)]}
            ],
        }
        for sentence in check_sentences(sentences)
    ]
    return json_text({"version": "v2.0", "data": data}) + "\n"


def from_squad(text: str, name: str = "squad") -> tuple[list[SquadQuestion], list[Problem]]:
    """Read the questions of a SQuAD file (1.1 or 2.0); one that cannot be used is a problem, the others are read.

    Raises:
        InputError: the file is not JSON of that structure.
    """
    try:
        paragraphs = [paragraph for article in json.loads(text)["data"] for paragraph in article["paragraphs"]]
        rows = [(paragraph["context"], row) for paragraph in paragraphs for row in paragraph["qas"]]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError("no SQuAD file: data, paragraphs, context and qas are needed", where=name) from error
    questions, problems = [], []
    for number, (context, row) in enumerate(rows, 1):
        try:
            questions.append(_question(context, row))
        except (InputError, KeyError, TypeError) as error:
            place = row.get("id", number) if isinstance(row, dict) else number
            reason = error.message if isinstance(error, InputError) else f"a field is missing or wrong: {error}"
            problems.append(Problem(f"{name}:{place}", reason, row=row))
    return questions, problems


def _quoted(words: str) -> str:
    line = " ".join(words.split())
    return line.strip(_AT_ENDS) or line


def _question_row(question: SquadQuestion) -> dict[str, Any]:
    def spans(found: tuple[Span, ...]) -> list[dict[str, Any]]:
        return [{"text": question.context[start:end], "answer_start": start} for start, end in found]

    row = {
        "id": question.id,
        "question": question.question,
        "answers": spans(question.answers),
        "is_impossible": not question.answers,
    }
    return row | {"plausible_answers": spans(question.plausible)} if question.plausible else row


def _question(context: str, row: dict[str, Any]) -> SquadQuestion:
    def spans(found: list[dict[str, Any]]) -> tuple[Span, ...]:
        placed = []
        for answer in found:
            start, words = answer["answer_start"], answer["text"]
            if not words or context[start : start + len(words)] != words:
                raise InputError(f"the text does not have {words!r} at character {start}")
            placed.append((start, start + len(words)))
        return tuple(placed)

    return SquadQuestion(
        str(row["id"]),
        context,
        row["question"],
        () if row.get("is_impossible") else spans(row["answers"]),
        spans(row.get("plausible_answers") or []),
    )
