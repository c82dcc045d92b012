"""Rows of ``read``, and the answering of rows: a sentence in a row, and the fields that say what it claims.

The command line and the service read and write the same rows; docs/formats.md describes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from whywire.elements import round_probability
from whywire.errors import InputError
from whywire.sentences.reading import CausalRelation, Reading
from whywire.sentences.relation_rows import relation_to_row
from whywire.sentences.signals import signal_of

if TYPE_CHECKING:
    from whywire.graph.codec import Row

T = TypeVar("T")
R = TypeVar("R")


def answer_usable(
    rows: Sequence[Row], parse: Callable[[Row], T], answer: Callable[[list[T]], Sequence[R]]
) -> list[R | str]:
    """Return the answers to rows, in their order; for a row that cannot be used, the reason.

    Args:
        parse: reads the question in a row; raises ``InputError`` if the row cannot be used.
        answer: returns the answers to questions, in their order.
    """
    usable: dict[int, T] = {}
    answers: dict[int, R | str] = {}
    for number, row in enumerate(rows):
        try:
            usable[number] = parse(row)
        except InputError as error:
            answers[number] = error.message
    answers |= zip(usable, answer(list(usable.values())), strict=True)
    return [answers[number] for number in range(len(rows))]


def sentence_of(row: Row) -> str:
    """The sentence in a row of ``read``.

    Raises:
        InputError: there is no text.
    """
    text = row.get("text")
    if not isinstance(text, str):
        raise InputError("text must be a string" if "text" in row else "there is no text")
    if not text.strip():
        raise InputError("the text is empty")
    return text


def reading_row(text: str, reading: Reading, *, rivals: bool = False) -> Row:
    """Return the fields that ``read`` adds; with ``n_best`` if rivals were asked for."""

    def listed(relations: Iterable[CausalRelation]) -> list[Row]:
        return [_relation_row(text, relation) for relation in relations]

    return {
        "causal": round_probability(reading.causal),
        "relations": listed(reading.relations),
        "denial": round_probability(reading.denial),
        "denials": listed(reading.denials),
        "counterfactual": round_probability(reading.counterfactual),
        "antecedent": reading.antecedent and list(reading.antecedent),
        "consequent": reading.consequent and list(reading.consequent),
        "form": reading.form and reading.form.value,
        "contrapositive": reading.contrapositive,
    } | ({"n_best": listed(reading.n_best)} if rivals else {})


def _relation_row(text: str, relation: CausalRelation) -> Row:
    signal = signal_of(text, relation)
    row = relation_to_row(relation)
    return row | {
        "probability": round_probability(row["probability"]),
        "signal": signal.kind.value,
        "sense": signal.sense.value,
    }
