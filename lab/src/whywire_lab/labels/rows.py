"""What a row of each label file holds; decoding one checks its fields, their types and their ranges.

A *hash* stands for a text that is not published here, such as an article's URL (:func:`.keys.short_hash`). A *span*
is a pair of half-open character offsets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from whywire.pairs.relations import Relation

Hash = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]
Text = Annotated[str, Meta(pattern=r"^\S(?:[\s\S]*\S)?$")]
Offset = Annotated[int, Meta(ge=0)]
CharSpan = tuple[Offset, Offset]
Index = Annotated[int, Meta(ge=0)]
Reading = Annotated[list[Relation], Meta(min_length=1, max_length=2)]


class Row(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A row, or an object within one."""


class HashedPair(Row, frozen=True):
    """Two headlines, by hash, and their relation."""

    left: Hash
    right: Hash
    relation: Relation


class AnnotatorStylePair(Row, frozen=True):
    """Two headlines of a news stream, by hash, and one or two annotators' readings.

    Args:
        readings: an annotator's most probable relation, perhaps followed by a second one that others would choose.
    """

    left: Hash
    right: Hash
    readings: Annotated[list[Reading], Meta(min_length=1, max_length=2)]

    def __post_init__(self) -> None:
        _require(all(len(set(own)) == len(own) for own in self.readings), "a reading names a relation twice")


class InventedPair(Row, frozen=True):
    """Two invented headlines and their relation."""

    left: Text
    right: Text
    relation: Relation


class EventLink(Row, frozen=True):
    """The relation of two events of a story, by their places in its list."""

    left: Index
    right: Index
    relation: Relation


class PossibleCause(Row, frozen=True):
    """Two events of a story, by their places in its list, of which one may be called the cause of the other."""

    cause: Index
    effect: Index


class HeadlineStory(Row, frozen=True):
    """An invented story: its events, each as its headlines, and which of them are related.

    Two events without a link have no causal relation.
    """

    events: list[Annotated[list[Text], Meta(min_length=1)]]
    links: list[EventLink]
    possible_causes: list[PossibleCause]

    def __post_init__(self) -> None:
        places = [place for link in self.links for place in (link.left, link.right)]
        places += [place for pair in self.possible_causes for place in (pair.cause, pair.effect)]
        _require(all(place < len(self.events) for place in places), "a link names an event that is not listed")


class ContrastSet(Row, frozen=True):
    """A headline, and others that look like it, named by how they differ from it."""

    headline: Text
    same_event: Annotated[list[Text], Meta(min_length=1)]
    other_place: Text | None = None
    other_number: Text | None = None
    other_actor: Text | None = None
    denial: Text | None = None
    other_denial: Text | None = None
    opposite: Text | None = None
    effect: Text | None = None
    other_effect: Text | None = None
    same_topic: Text | None = None

    def __post_init__(self) -> None:
        headlines = [self.headline, *self.same_event, *(getattr(self, name) or "" for name in CONTRASTS)]
        headlines = [headline for headline in headlines if headline]
        _require(len(set(headlines)) == len(headlines), "a headline stands twice in the set")


CONTRASTS = tuple(name for name in ContrastSet.__struct_fields__ if name not in ("headline", "same_event"))
"""The ways in which a headline of a contrast set may differ from the first."""


class FollowUpEffect(Row, frozen=True):
    """What one of the follow-ups led to; ``follow_up`` is its place in the list."""

    follow_up: Index
    headline: Text


class FollowUpStory(Row, frozen=True):
    """A first report, what it led to, what led to it, and headlines that only look related.

    Args:
        article: the hash of a news stream's article whose headline is one more wording of the first report.
        reports: the first report in several wordings.
        follow_ups: what the report led to; none of them led to another.
        follow_up_effect: what one of them led to.
        cause: what led to the report.
        other_effect: something else that ``cause`` led to.
        denial: a denial of the report.
        look_alike: a headline on another story of the same people or of the same kind.
    """

    reports: list[Text]
    follow_ups: Annotated[list[Text], Meta(min_length=1)]
    article: Hash | None = None
    follow_up_effect: FollowUpEffect | None = None
    cause: Text | None = None
    other_effect: Text | None = None
    denial: Text | None = None
    look_alike: Text | None = None

    def __post_init__(self) -> None:
        _require(bool(self.reports or self.article), "there is no report")
        _require(self.cause is not None or self.other_effect is None, "there is an other_effect without a cause")
        effect = self.follow_up_effect
        _require(effect is None or effect.follow_up < len(self.follow_ups), "no follow-up has the named place")


class GradedCause(Row, frozen=True):
    """Two events of a story, by their places in its list, and how strongly one led to the other (CRAB's scale)."""

    cause: Index
    effect: Index
    strength: Annotated[int, Meta(gt=0, le=100)]


class GradedStory(Row, frozen=True):
    """A story: its events in order, and its causes; any two other events are not cause and effect."""

    events: list[Text]
    causes: list[GradedCause]

    def __post_init__(self) -> None:
        _require(len(set(self.events)) == len(self.events), "an event stands twice in the story")
        pairs = [(own.cause, own.effect) for own in self.causes]
        _require(len(set(pairs)) == len(pairs), "a cause stands twice in the story")
        _require(all(a < b < len(self.events) for a, b in pairs), "a cause must stand before its effect in the list")


class MarkedRelation(Row, frozen=True):
    """A causal relation in a sentence, by spans; a denied one is said not to hold."""

    cause: CharSpan
    effect: CharSpan
    signals: list[CharSpan]
    denied: bool = False

    def __post_init__(self) -> None:
        _check_spans([self.cause, self.effect, *self.signals])


class CausalSentence(Row, frozen=True):
    """An invented sentence and its causal relations; English ones are tokenised by spaces, as those of RECESS are."""

    text: Text
    causal: bool
    relations: list[MarkedRelation]

    def __post_init__(self) -> None:
        _check_spans(_spans(self.relations), len(self.text))


class DenialSentence(Row, frozen=True):
    """An invented sentence that denies a causal relation, or only seems to."""

    text: Text
    relations: list[MarkedRelation]

    def __post_init__(self) -> None:
        _check_spans(_spans(self.relations), len(self.text))


class CounterfactualSentence(Row, frozen=True):
    """An invented sentence: a counterfactual with its antecedent, or one with similar words that is none."""

    text: Text
    antecedent: CharSpan | None
    consequent: CharSpan | None

    def __post_init__(self) -> None:
        _check_spans([span for span in (self.antecedent, self.consequent) if span], len(self.text))


class StreamSentence(Row, frozen=True, omit_defaults=False):
    """A sentence of a news stream, by its article's hash and its span in the text; ``None`` is *not annotated*.

    Args:
        part: ``dev`` rows are divided into ``valid`` and ``dev`` by the reader.
        antecedent, consequent: spans in the sentence, of a counterfactual.
    """

    part: Literal["train", "dev"]
    article: Hash
    sentence: CharSpan
    causal: bool | None
    denial: bool | None
    relations: list[MarkedRelation] | None
    counterfactual: bool | None
    antecedent: CharSpan | None
    consequent: CharSpan | None

    def __post_init__(self) -> None:
        _check_spans([self.sentence])
        spans = [*_spans(self.relations or ()), *(span for span in (self.antecedent, self.consequent) if span)]
        _check_spans(spans, self.sentence[1] - self.sentence[0])


class SideReading(Row, frozen=True):
    """One reader's judgement of a side of a claim; ``standalone``: understood without its sentence."""

    status: Literal["actual", "planned", "hedged", "generic"]
    standalone: bool


class ClaimReading(Row, frozen=True):
    """One reader's judgement of a claim.

    Args:
        relation: whether the sentence says the relation.
        events: whether both sides are events of the news, and if so whether both can be understood alone.
    """

    relation: Literal["right", "debatable", "wrong"]
    events: Literal["both_standalone", "not_both_standalone", "not_both_events"]
    cause: SideReading
    effect: SideReading


class JudgedClaim(Row, frozen=True):
    """A causal relation that a model found in a sentence of a news stream, and two independent readings of it.

    Args:
        article: the hash of the article's URL.
        sentence: the hash of the sentence; spans are offsets in it.
    """

    article: Hash
    sentence: Hash
    cause: CharSpan
    effect: CharSpan
    signals: list[CharSpan]
    readings: tuple[ClaimReading, ClaimReading]

    def __post_init__(self) -> None:
        _check_spans([self.cause, self.effect, *self.signals])


TitleKind = Literal[
    "news", "advert", "almanac", "betting", "gallery", "horoscope", "links", "list", "live", "lottery", "quiz",
    "recipe", "service", "tips", "tv", "weather",
]  # fmt: skip


class InventedTitle(Row, frozen=True):
    """An invented title and its kind; every kind but ``news`` is to be filtered out."""

    title: Text
    kind: TitleKind


class StreamTitle(Row, frozen=True):
    """An article of a news stream, by hash, and whether it is news."""

    article: Hash
    kind: Literal["news", "other"]


class ReaderEvent(Row, frozen=True):
    """An event that a reader found in an article.

    Args:
        status: ``fact``, ``plan`` (decided or expected), ``claimed`` or ``denied``, as the article tells it.
        mentions: the words that name it, ``(field, start, end)`` with half-open offsets; the first mentions name it
            best.
    """

    status: Literal["fact", "plan", "claimed", "denied"]
    mentions: Annotated[list[tuple[Literal["title", "text"], Offset, Offset]], Meta(min_length=1)]

    def __post_init__(self) -> None:
        _require(all(start < end for _, start, end in self.mentions), "a mention must start before it ends")


class ReaderLink(Row, frozen=True):
    """A reader's link: one event led to another, by their places in the list.

    Args:
        how: ``said`` in words of cause, ``implied``, or ``claimed`` by somebody in the article.
        sure: no careful reader would disagree.
    """

    cause: Index
    effect: Index
    how: Literal["said", "implied", "claimed"]
    sure: bool


class MainEvent(Row, frozen=True):
    """A main event of a story, in the reader's words.

    Args:
        date: as far as the articles tell it: ``YYYY``, ``YYYY-MM`` or ``YYYY-MM-DD``.
        mentions: ``(article's place, field, start, end)`` in every article that tells of it.
    """

    text: Text
    date: Annotated[str, Meta(pattern=r"^\d{4}(-\d\d){0,2}$")] | None
    status: Literal["fact", "plan", "claimed", "denied"]
    mentions: Annotated[list[tuple[Index, Literal["title", "text"], Offset, Offset]], Meta(min_length=1)]


class ReaderStory(Row, frozen=True):
    """The main events of a story, and how strongly each is responsible for each later one (CRAB, section 3).

    Args:
        articles: by the hashes of their URLs.
        pairs: ``(cause, effect, score)``, a score of 0 to 100 for every pair, the earlier event first.
    """

    articles: Annotated[list[Hash], Meta(min_length=1)]
    events: list[MainEvent]
    pairs: list[tuple[Index, Index, Annotated[int, Meta(ge=0, le=100)]]]

    def __post_init__(self) -> None:
        count = len(self.events)
        pairs = {frozenset(pair[:2]) for pair in self.pairs}
        _require(len(pairs) == len(self.pairs) == count * (count - 1) // 2, "a pair of events has no score, or two")
        places = [place for event in self.events for place, *_ in event.mentions]
        _require(max(places, default=0) < len(self.articles), "a mention is in no article of the story")


class ReaderGraph(Row, frozen=True):
    """The causal graph that a reader drew of an article of a news stream, by the hash of its URL."""

    article: Hash
    events: list[ReaderEvent]
    links: list[ReaderLink]

    def __post_init__(self) -> None:
        pairs = {(link.cause, link.effect) for link in self.links}
        _require(all(max(pair) < len(self.events) for pair in pairs), "a link has no such event")
        _require(
            len(pairs | {pair[::-1] for pair in pairs}) == 2 * len(self.links),
            "two events are linked twice, or one with itself",
        )


class SameEvents(Row, frozen=True):
    """Which events of two articles are one, by their places in the two readers' graphs.

    Args:
        articles: the hashes of their URLs; each has a graph in ``reader_graphs_*`` or in the corpora.
        same: ``(event of the first, event of the second)``.
        unsure: likewise, where a careful reader might disagree; none of them is in ``same``.
    """

    articles: tuple[Hash, Hash]
    same: list[tuple[Index, Index]]
    unsure: list[tuple[Index, Index]]

    def __post_init__(self) -> None:
        pairs = [*self.same, *self.unsure]
        _require(len(set(pairs)) == len(pairs), "two events are listed twice")


class JudgedLink(Row, frozen=True):
    """Whether one of two events of an article brought about the other, by the words that name them.

    Args:
        cause, effect: ``(field, start, end)`` with half-open offsets.
        drawn_by: who drew the link before it was judged.
        verdict: ``same``: one event, or a whole and its part; ``no_event``: an end is no event; ``indirect``: only
            through another event of the article.
    """

    article: Hash
    cause: tuple[Literal["title", "text"], Offset, Offset]
    effect: tuple[Literal["title", "text"], Offset, Offset]
    drawn_by: Annotated[list[Literal["build", "reader"]], Meta(min_length=1, max_length=2)]
    verdict: Literal["yes", "debatable", "reversed", "same", "no_event", "indirect", "no"]

    def __post_init__(self) -> None:
        _require(all(start < end for _, start, end in (self.cause, self.effect)), "a span must start before it ends")


def _spans(relations: Iterable[MarkedRelation]) -> list[CharSpan]:
    return [span for own in relations for span in (own.cause, own.effect, *own.signals)]


def _check_spans(spans: Sequence[CharSpan], length: int | None = None) -> None:
    _require(all(start < end for start, end in spans), "a span must start before it ends")
    _require(length is None or all(end <= length for _, end in spans), "a span ends behind its sentence")


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)
