"""What people are asked: an item of each kind of task, what may be answered to it, and how right an answer is.

An item is a row of JSON: the fields of its kind beside ``id``, ``role``, ``gold`` and ``hint``. An item of work has
no gold answer; items of training and exams, and controls, have one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, ClassVar

import msgspec
import networkx as nx
from msgspec import Meta, Struct

from whywire.annotation.answers import (
    Answer,
    CounterfactualAnswer,
    GraphAnswer,
    GroupingAnswer,
    Name,
    RelationAnswer,
    Span,
    SpansAnswer,
    StrengthAnswer,
)
from whywire.annotation.graph_votes import same_words
from whywire.annotation.groupings import pairs_f1
from whywire.errors import InputError
from whywire.pairs.relations import Relation

Text = Annotated[str, Meta(min_length=1, max_length=100_000)]
Title = Annotated[str, Meta(min_length=1, max_length=2_000)]
Time = Annotated[datetime, Meta(tz=True)]
Address = Annotated[str, Meta(max_length=2_000)]

RIGHT_SCORE = 0.75
"""How much an answer must have in common with the gold answer, 0 to 1, to count as right."""

SCORE_TOLERANCE = 20
"""Points by which a score of strength may differ from the gold score: the width of the narrowest class of CRAB."""


class Role(StrEnum):
    """What an item is for."""

    TRAINING = "training"
    """Its gold answer and its hint are shown after the answer."""
    EXAM = "exam"
    CONTROL = "control"
    """It looks like work, and its gold answer is known."""
    WORK = "work"


class Item(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is asked of one person at once.

    Args:
        id: unique in its campaign.
        hint: what is shown beside an item of training.
        priority: items with a higher one are given out first.
    """

    answer_type: ClassVar[type[Answer]]

    id: Name
    role: Role = Role.WORK
    hint: Annotated[str, Meta(max_length=2_000)] = ""
    priority: Annotated[float, Meta(ge=-1e9, le=1e9)] = 0.0

    @property
    def right(self) -> Answer | None:
        """The gold answer."""
        gold: Answer | None = getattr(self, "gold", None)
        return gold

    def shown(self) -> dict[str, Any]:
        """The row that an annotator sees: without gold answer and hint, and a control looks like work."""
        role = Role.WORK if self.role is Role.CONTROL else self.role
        row = msgspec.to_builtins(self) | {"role": role.value}
        return {name: value for name, value in row.items() if name not in ("gold", "hint", "priority")}

    def faults(self, answer: Any) -> Iterator[str]:
        """What is wrong with an answer of this kind; nothing if it can be taken."""
        raise NotImplementedError

    def score(self, answer: Any, gold: Any) -> float:
        """How much two answers have in common, 0 to 1."""
        raise NotImplementedError

    def is_right(self, answer: Answer) -> bool:
        """Whether an answer counts as right, for an item whose gold answer is known."""
        return self.right is not None and self.score(answer, self.right) >= RIGHT_SCORE


class HeadlinePair(Item, frozen=True, kw_only=True):
    """Two headlines whose relation is asked for."""

    answer_type = RelationAnswer

    left_title: Title
    right_title: Title
    left_published: Time | None = None
    right_published: Time | None = None
    left_url: Address = ""
    right_url: Address = ""
    gold: RelationAnswer | None = None

    @property
    def impossible(self) -> frozenset[Relation]:
        """The relations that the times rule out: they lead from the later report to the earlier."""
        if self.left_published is None or self.right_published is None:
            return frozenset()
        if self.left_published < self.right_published:
            return frozenset({Relation.RIGHT_LEFT_CAUSE, Relation.RIGHT_LEFT_REFUTE})
        if self.left_published > self.right_published:
            return frozenset({Relation.LEFT_RIGHT_CAUSE, Relation.LEFT_RIGHT_REFUTE})
        return frozenset()

    def shown(self) -> dict[str, Any]:
        """The row that an annotator sees, with the relations that the times rule out."""
        return super().shown() | {"impossible": sorted(relation.value for relation in self.impossible)}

    def faults(self, answer: RelationAnswer) -> Iterator[str]:
        """The times rule the relation out."""
        if answer.relation in self.impossible:
            yield f"the times rule out {answer.relation.value}"

    def score(self, answer: RelationAnswer, gold: RelationAnswer) -> float:
        """1 for the same relation, else 0."""
        return float(answer.relation == gold.relation)


class TimedHeadline(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A headline of a timeline."""

    id: Name
    title: Title
    published: Time | None = None
    source: Address = ""


class Timeline(Item, frozen=True, kw_only=True):
    """The headlines of a story in order of time, to be grouped by event."""

    answer_type = GroupingAnswer

    title: Annotated[str, Meta(max_length=2_000)] = ""
    headlines: Annotated[list[TimedHeadline], Meta(min_length=2, max_length=1_000)]
    gold: GroupingAnswer | None = None

    def faults(self, answer: GroupingAnswer) -> Iterator[str]:
        """The groups are no partition of the headlines."""
        placed = [headline for group in answer.groups for headline in group]
        known = {headline.id for headline in self.headlines}
        if not all(answer.groups):
            yield "a group is empty"
        for headline in sorted(set(placed) - known):
            yield f"there is no headline {headline!r}"
        for headline in sorted(known - set(placed)):
            yield f"the headline {headline!r} is in no group"
        if len(placed) != len(set(placed)):
            yield "a headline is in two groups"

    def score(self, answer: GroupingAnswer, gold: GroupingAnswer) -> float:
        """F1 of the pairs of headlines that are together."""
        mine, theirs = (
            {headline: number for number, group in enumerate(given.groups) for headline in group}
            for given in (answer, gold)
        )
        return pairs_f1([mine[one.id] for one in self.headlines], [theirs[one.id] for one in self.headlines])


class Sentence(Item, frozen=True, kw_only=True):
    """A sentence that may be counterfactual."""

    answer_type = CounterfactualAnswer

    text: Text
    gold: CounterfactualAnswer | None = None

    def faults(self, answer: CounterfactualAnswer) -> Iterator[str]:
        """A part lies outside the text, or belongs to a sentence that is not counterfactual."""
        parts = [part for part in (answer.antecedent, answer.consequent) if part is not None]
        if parts and not answer.counterfactual:
            yield "a sentence that is not counterfactual has no antecedent and no consequent"
        yield from _outside(self.text, parts)

    def score(self, answer: CounterfactualAnswer, gold: CounterfactualAnswer) -> float:
        """0 if only one is counterfactual; else the mean F1 of the characters of the parts that gold has."""
        if answer.counterfactual != gold.counterfactual:
            return 0.0
        parts = [
            (mine, theirs)
            for mine, theirs in ((answer.antecedent, gold.antecedent), (answer.consequent, gold.consequent))
            if theirs is not None
        ]
        return sum(span_overlap(mine, theirs) for mine, theirs in parts) / len(parts) if parts else 1.0


class CausalSentence(Item, frozen=True, kw_only=True):
    """A sentence in which causes, effects and signals are marked."""

    answer_type = SpansAnswer

    text: Text
    gold: SpansAnswer | None = None

    def faults(self, answer: SpansAnswer) -> Iterator[str]:
        """A span lies outside the text, or a cause and its effect overlap."""
        for relation in answer.relations:
            yield from _outside(self.text, [relation.cause, relation.effect, *relation.signals])
            if span_overlap(relation.cause, relation.effect):
                yield "a cause and its effect overlap"
        for offset in answer.splits:
            if not 0 < offset < len(self.text):
                yield f"no sentence ends at {offset}"

    def score(self, answer: SpansAnswer, gold: SpansAnswer) -> float:
        """The mean overlap of cause and effect of paired relations; one without a partner counts as 0."""
        if not answer.relations or not gold.relations:
            return float(not answer.relations and not gold.relations)
        likeness = [
            [
                (span_overlap(own.cause, other.cause) + span_overlap(own.effect, other.effect)) / 2
                for other in gold.relations
            ]
            for own in answer.relations
        ]
        return _best_pairing(likeness) / max(len(answer.relations), len(gold.relations))


class EventPair(Item, frozen=True, kw_only=True):
    """Two events, and the documents that tell of them: one, or one of each.

    Args:
        cause: words that tell the earlier event.
        documents: their texts.
    """

    answer_type = StrengthAnswer

    cause: Title
    effect: Title
    documents: Annotated[list[Text], Meta(max_length=10)] = []
    gold: StrengthAnswer | None = None

    def faults(self, _: StrengthAnswer) -> Iterator[str]:
        """Any score can be taken."""
        return iter(())

    def score(self, answer: StrengthAnswer, gold: StrengthAnswer) -> float:
        """1 for the same score, :data:`RIGHT_SCORE` for one that differs by :data:`SCORE_TOLERANCE`, and so on."""
        return max(0.0, 1 - (1 - RIGHT_SCORE) * abs(answer.score - gold.score) / SCORE_TOLERANCE)


class ReadArticle(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An article that is read as a whole."""

    id: Name
    title: Title
    text: Annotated[str, Meta(max_length=1_000_000)] = ""
    published: Time | None = None
    url: Address = ""


class Reading(Item, frozen=True, kw_only=True):
    """An article, or the articles of a story, whose causal graph is drawn.

    Args:
        drawn: the graph that is there already, to be corrected.
    """

    answer_type = GraphAnswer

    articles: Annotated[list[ReadArticle], Meta(min_length=1, max_length=100)]
    drawn: GraphAnswer | None = None
    gold: GraphAnswer | None = None

    def faults(self, answer: GraphAnswer) -> Iterator[str]:
        """An event or a link names something that is not there, or a link is drawn twice or both ways."""
        texts = {
            (article.id, field): getattr(article, field) for article in self.articles for field in ("title", "text")
        }
        events = [event.id for event in answer.events]
        if len(events) != len(set(events)):
            yield "two events have one id"
        for event in answer.events:
            for mention in event.mentions:
                text = texts.get((mention.article, mention.field))
                if text is None:
                    yield f"event {event.id!r}: there is no article {mention.article!r}"
                else:
                    yield from _outside(text, [mention.span])
        ends = [frozenset((link.cause, link.effect)) for link in answer.links]
        if len(ends) != len(set(ends)):
            yield "a link is drawn twice, or both ways"
        for link in answer.links:
            if link.cause == link.effect:
                yield f"event {link.cause!r} is linked with itself"
            for end in sorted({link.cause, link.effect} - set(events)):
                yield f"a link has no event {end!r}"

    def score(self, answer: GraphAnswer, gold: GraphAnswer) -> float:
        """F1 of the links, where mentions of both ends overlap; without links in gold, F1 of the events."""
        same = {
            (mine.id, theirs.id)
            for mine in answer.events
            for theirs in gold.events
            if any(same_words(a, b) for a in mine.mentions for b in theirs.mentions)
        }
        if not gold.links:
            found, drawn = {b for _, b in same}, {a for a, _ in same}
            return _harmonic(len(found), len(gold.events), len(drawn), len(answer.events))
        pairs = {
            (mine, theirs)
            for mine in answer.links
            for theirs in gold.links
            if (mine.cause, theirs.cause) in same and (mine.effect, theirs.effect) in same
        }
        return _harmonic(
            len({theirs for _, theirs in pairs}), len(gold.links), len({mine for mine, _ in pairs}), len(answer.links)
        )


class Kind(StrEnum):
    """The six kinds of task."""

    RELATION = "relation"
    GROUPING = "grouping"
    COUNTERFACTUAL = "counterfactual"
    SPANS = "spans"
    STRENGTH = "strength"
    GRAPH = "graph"

    @property
    def item_type(self) -> type[Item]:
        """What is asked."""
        return _ITEMS[self]

    @property
    def answer_type(self) -> type[Answer]:
        """What is answered."""
        return self.item_type.answer_type


_ITEMS: dict[Kind, type[Item]] = {
    Kind.RELATION: HeadlinePair,
    Kind.GROUPING: Timeline,
    Kind.COUNTERFACTUAL: Sentence,
    Kind.SPANS: CausalSentence,
    Kind.STRENGTH: EventPair,
    Kind.GRAPH: Reading,
}


def item_of(kind: Kind, row: Any) -> Item:
    """The item that a row of JSON holds.

    Raises:
        InputError: it holds none of this kind, an item with a gold answer has none, or that answer does not fit.
    """
    try:
        item = msgspec.convert(row, kind.item_type)
    except ValueError as error:  # of msgspec, or halves of surrogate pairs
        raise InputError(f"no item of {kind.value}: {error}", hint=_relations_for(error)) from None
    if item.role is not Role.WORK and item.right is None:
        raise InputError(f"the item {item.id!r} is for {item.role.value} and has no gold answer", hint="add *gold*")
    if item.right is not None and (fault := next(item.faults(item.right), None)):
        raise InputError(f"the gold answer of the item {item.id!r} cannot be right: {fault}")
    return item


def _relations_for(error: ValueError) -> str | None:
    """Which relations there are, where a row names another."""
    return f"relations are {', '.join(Relation)}" if str(error).endswith(".relation`") else None


def answer_to(item: Item, row: Any) -> Answer:
    """The answer to an item that a value of JSON holds.

    Raises:
        InputError: it holds none of this kind, or does not fit the item.
    """
    try:
        answer = msgspec.convert(row, item.answer_type)
    except ValueError as error:  # of msgspec, or halves of surrogate pairs
        raise InputError(f"no answer to the item {item.id!r}: {error}", hint=_relations_for(error)) from None
    if fault := next(item.faults(answer), None):
        raise InputError(f"the answer to the item {item.id!r} does not fit: {fault}")
    return answer


def _outside(text: str, spans: Sequence[Span]) -> Iterator[str]:
    for start, end in spans:
        if not 0 <= start < end <= len(text):
            yield f"no words at {start} to {end} of a text of {len(text)} characters"


def span_overlap(one: Span | None, other: Span | None) -> float:
    """F1 of the characters of two spans, 0 to 1."""
    if one is None or other is None:
        return 0.0
    shared = max(0, min(one[1], other[1]) - max(one[0], other[0]))
    return 2 * shared / (one[1] - one[0] + other[1] - other[0])


def _harmonic(found: int, gold: int, right: int, drawn: int) -> float:
    """The harmonic mean of recall and precision; 1 where there is nothing on either side."""
    if not gold and not drawn:
        return 1.0
    recall, precision = found / max(1, gold), right / max(1, drawn)
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def _best_pairing(likeness: Sequence[Sequence[float]]) -> float:
    """The sum of the likeness of pairs, each row and column in at most one, that is highest."""
    graph = nx.Graph()
    for row, values in enumerate(likeness):
        graph.add_weighted_edges_from(((0, row), (1, column), value) for column, value in enumerate(values))
    return float(sum(graph.edges[pair]["weight"] for pair in nx.max_weight_matching(graph)))
