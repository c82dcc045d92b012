"""Annotated sentences as items of a campaign with their answers, and back.

An answer has no probabilities and no denied relations; an annotated sentence has no offsets at which to split it.
"""

from __future__ import annotations

from typing import Any

from whywire.annotation.items import Kind
from whywire.errors import InputError
from whywire.news import Problem
from whywire.sentences.reading import CausalRelation
from whywire_lab.exchange.annotated_sentences import AnnotatedSentence, Annotations, check_sentence
from whywire_lab.exchange.labelled_items import Collector, LabelledItems
from whywire_lab.exchange.tables import Row


def items_of_sentences(read: Annotations, person: str | None = None) -> LabelledItems:
    """The sentences as items; their relations are the answer of a person, else the result."""
    collector = Collector(Kind.SPANS, problems=list(read.problems))
    for sentence in read.sentences:
        with collector.row(sentence.id, None):
            item = collector.add_item({"id": sentence.id, "text": sentence.text})
            answer = {"relations": [relation_row(one) for one in sentence.relations if not one.denied]}
            if person is None:
                collector.add_result({"item": item.id, "answer": answer})
            else:
                collector.add_vote({"item": item.id, "person": person, "answer": answer})
        denied = sum(relation.denied for relation in sentence.relations)
        if denied:
            reason = f"an answer holds no denied relations, of which there are {denied}"
            collector.problems.append(Problem(sentence.id, reason))
    return collector.done()


def sentences_of_items(data: LabelledItems, person: str | None = None) -> Annotations:
    """The items as sentences, with the relations of one person, else those of the results; or none, to be annotated.

    Raises:
        InputError: the items are no causal sentences, or it is not clear whose answers are wanted.
    """
    if data.kind is not Kind.SPANS:
        raise InputError(f"the format holds causal sentences, not items of {data.kind.value}")
    answers = data.answers(person)
    sentences, problems = [], list(data.problems)
    item: Any
    for item in data.items:
        answer = answers.get(item.id)
        relations = tuple(causal_relation(relation) for relation in answer.relations) if answer else ()
        try:
            check_sentence(sentence := AnnotatedSentence(item.id, item.text, relations))
        except InputError as error:
            problems.append(Problem(item.id, error.message))
            continue
        sentences.append(sentence)
        if answer and answer.splits:
            problems.append(Problem(item.id, "where the text should be split is lost", kept=True))
    return Annotations(tuple(sentences), tuple(problems))


def causal_relation(relation: Any) -> CausalRelation:
    """A relation of an answer (:class:`~whywire.annotation.answers.SpanRelation`) as a reading has it."""
    return CausalRelation(relation.cause, relation.effect, tuple(sorted(relation.signals)))


def relation_row(relation: CausalRelation) -> Row:
    """A relation as a value of JSON in an answer."""
    return {"cause": relation.cause, "effect": relation.effect, "signals": list(relation.signals)}
