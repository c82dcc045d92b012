"""The annotated sentence that all formats are converted to and from, and the rules it must keep."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from whywire.errors import InputError
from whywire.news import Problem
from whywire.news.article import overlap
from whywire.sentences.reading import CausalRelation


@dataclass(frozen=True, slots=True)
class AnnotatedSentence:
    """A sentence, or a short document, and the causal relations marked in it.

    Args:
        id: one line of printable characters, unique in a file.
        text: not blank; all spans are half-open character offsets into it.
        relations: asserted and denied ones, in the order of annotation.
    """

    id: str
    text: str
    relations: tuple[CausalRelation, ...] = ()


@dataclass(frozen=True, slots=True)
class Annotations:
    """The contents of a file: its sentences, and a problem for everything that could not be converted."""

    sentences: tuple[AnnotatedSentence, ...]
    problems: tuple[Problem, ...] = ()

    def __str__(self) -> str:
        """What there is, in words."""
        relations = sum(len(sentence.relations) for sentence in self.sentences)
        return f"{len(self.sentences)} sentences with {relations} relations"


def check_sentences(sentences: Iterable[AnnotatedSentence]) -> tuple[AnnotatedSentence, ...]:
    """Check all sentences before any is written, and return them.

    Raises:
        InputError: a sentence breaks a rule of `check_sentence`, or two have the same id.
    """
    checked = tuple(sentences)
    seen = set()
    for sentence in checked:
        check_sentence(sentence)
        if sentence.id in seen:
            raise InputError("two sentences have this id", where=sentence.id, hint="give each an id of its own")
        seen.add(sentence.id)
    return checked


def check_sentence(sentence: AnnotatedSentence) -> None:
    """Check the rules of an annotated sentence.

    The text is not blank and can be encoded. Every span lies in the text and holds more than whitespace. A cause
    and its effect do not overlap; the signals of a relation are in order and do not overlap. No two relations have
    the same cause and effect.

    Raises:
        InputError: a rule is broken; ``where`` is the sentence's id.
    """
    name, text = sentence.id, sentence.text
    if not name.isprintable() or not name.strip() or name != name.strip():
        raise InputError(f"the id {name!r} is not one line of printable characters")
    if not text.strip():
        raise InputError("the text is empty", where=name)
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise InputError("the text has half a character (a lone surrogate), which no file can hold", where=name)
    pairs = set()
    for number, relation in enumerate(sentence.relations, 1):
        if reason := _broken_rule(text, relation):
            raise InputError(f"relation {number}: {reason}", where=name)
        if (pair := (relation.cause, relation.effect)) in pairs:
            raise InputError(f"relation {number}: an earlier one has the same cause and effect", where=name)
        pairs.add(pair)


def _broken_rule(text: str, relation: CausalRelation) -> str | None:
    spans = (("cause", relation.cause), ("effect", relation.effect), *(("signal", span) for span in relation.signals))
    for label, (start, end) in spans:
        if not 0 <= start <= end <= len(text):
            return f"the {label} [{start}, {end}] does not lie in the text of {len(text)} characters"
        if not text[start:end].strip():
            return f"the {label} [{start}, {end}] is empty"
    if overlap(relation.cause, relation.effect):
        return f"cause {list(relation.cause)} and effect {list(relation.effect)} overlap"
    if any(one[1] > other[0] for one, other in pairwise(relation.signals)):
        return "the signals overlap or are not in order"
    if not 0 <= relation.probability <= 1:
        return f"the probability {relation.probability} is not between 0 and 1"
    return None
