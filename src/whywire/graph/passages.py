"""Passages of articles, and a sentence on a story that a language model wrote from them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from whywire.news.article import Span
from whywire.news.language import Language

Piece = list[str]
"""A piece of a sentence and its roles: ``["heavy rain", "cause"]``, ``["because", "signal"]``."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of an article, or its title.

    Args:
        field: ``"title"`` or ``"text"``.
        span: half-open character offsets of the sentence in that field.
        pieces: the sentence, split into pieces with the roles of their words
            (:data:`Piece`).
    """

    article: str
    field: str
    span: Span
    pieces: list[Piece]

    @property
    def text(self) -> str:
        """The sentence, without roles."""
        return "".join(text for text, _ in self.pieces)


class Part(StrEnum):
    """What a passage tells of a story, in the order in which it is told."""

    HAPPENED = "happened"
    LED_TO_IT = "led_to_it"
    FOLLOWED = "followed"


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a sentence on a story, and the passage that says it."""

    part: Part
    text: str
    passage: Passage


@dataclass(frozen=True, slots=True)
class WrittenSentence:
    """A sentence on a story, written by a language model and checked against its evidence.

    Args:
        story: id of the story.
        model: the name of the model.
        clauses: what happened, then what led to it, then what followed.
    """

    story: str
    language: Language
    model: str
    clauses: tuple[Clause, ...]

    def of(self, part: Part) -> tuple[Clause, ...]:
        """The clauses of a part."""
        return tuple(clause for clause in self.clauses if clause.part is part)

    @property
    def text(self) -> str:
        """The whole sentence: the clauses, and words between them that say which part comes."""
        told = ((_JOINED[self.language][part], "; ".join(one.text for one in self.of(part))) for part in Part)
        text = "; ".join(f"{words}{clauses}" for words, clauses in told if clauses)
        return f"{text[:1].upper()}{text[1:]}."


_JOINED = {
    Language.ENGLISH: {Part.HAPPENED: "", Part.LED_TO_IT: "what led to it: ", Part.FOLLOWED: "what followed: "},
    Language.RUSSIAN: {
        Part.HAPPENED: "",
        Part.LED_TO_IT: "что к этому привело: ",
        Part.FOLLOWED: "что последовало: ",
    },
}
