"""What a person answers, for each kind of task.

Spans are half-open character offsets. An answer knows nothing of its item; whether it fits is asked of the item
(:meth:`.items.Item.faults`).
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from whywire.pairs.relations import Relation

Offset = Annotated[int, Meta(ge=0)]
Span = tuple[Offset, Offset]
Name = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f-\x9f\ud800-\udfff]+(?!\n)$")]
"""An id, or the name of a person: no control characters."""

MAX_GROUPS, MAX_RELATIONS, MAX_PIECES, MAX_SPLITS = 1_000, 100, 20, 100
MAX_EVENTS, MAX_MENTIONS, MAX_LINKS = 1_000, 200, 5_000
"""How much an answer may hold."""


class Answer(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An answer, or a part of one."""


class RelationAnswer(Answer, frozen=True):
    """The relation of two headlines: one of seven (HeadlineCause, figure 3)."""

    relation: Relation


class GroupingAnswer(Answer, frozen=True):
    """The headlines of a timeline, by id, in groups that each tell of one event (HLGD, section 3.2)."""

    groups: Annotated[list[Annotated[list[Name], Meta(max_length=MAX_GROUPS)]], Meta(max_length=MAX_GROUPS)]


class CounterfactualAnswer(Answer, frozen=True):
    """Whether a sentence is counterfactual, and its two parts (SemEval-2020 Task 5, section 3.2).

    Args:
        consequent: ``None`` where the sentence has none.
    """

    counterfactual: bool
    antecedent: Span | None = None
    consequent: Span | None = None


class SpanRelation(Answer, frozen=True):
    """A causal relation in a sentence.

    Args:
        signals: the words that mark it; one signal may have several pieces, and some relations have none.
    """

    cause: Span
    effect: Span
    signals: Annotated[list[Span], Meta(max_length=MAX_PIECES)] = []


class SpansAnswer(Answer, frozen=True):
    """The causal relations of a sentence; none where it is not causal (RECESS, section 3.1).

    Args:
        splits: offsets at which the text should be split, because it is several sentences.
    """

    relations: Annotated[list[SpanRelation], Meta(max_length=MAX_RELATIONS)]
    splits: Annotated[list[Offset], Meta(max_length=MAX_SPLITS)] = []


class StrengthAnswer(Answer, frozen=True):
    """How much one event is responsible for another, 0 to 100 (CRAB, appendix A.3).

    Args:
        without: whether the effect would have happened without the cause.
    """

    score: Annotated[int, Meta(ge=0, le=100)]
    without: Literal["no", "partly", "yes"] | None = None


class MarkedMention(Answer, frozen=True):
    """Words of an article that name an event."""

    article: Name
    field: Literal["title", "text"]
    span: Span


class MarkedEvent(Answer, frozen=True):
    """An event as a reader lists it.

    Args:
        mentions: the words that name it best come first.
        main: whether it is one of the main events of what was read.
    """

    id: Name
    mentions: Annotated[list[MarkedMention], Meta(min_length=1, max_length=MAX_MENTIONS)]
    status: Literal["fact", "plan", "claimed", "denied"] = "fact"
    main: bool = False


class MarkedLink(Answer, frozen=True):
    """One event led to another; both are named by their ids in the answer.

    Args:
        how: whether words of cause say it, any reader takes it for granted, or somebody claims it.
        sure: whether another careful reader would draw it, too.
    """

    cause: Name
    effect: Name
    how: Literal["said", "implied", "claimed"] = "said"
    sure: bool = True


class GraphAnswer(Answer, frozen=True):
    """The causal graph of an article or a story, as a careful reader draws it."""

    events: Annotated[list[MarkedEvent], Meta(max_length=MAX_EVENTS)]
    links: Annotated[list[MarkedLink], Meta(max_length=MAX_LINKS)]
