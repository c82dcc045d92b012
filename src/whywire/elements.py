"""The elements of a causal graph: events, claims, links, and the evidence for links."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from itertools import pairwise

from whywire.news.article import Article, Published, Span
from whywire.news.language import Language

PROBABILITY_DIGITS = 4
"""Differences beyond this many decimals come from the order of summation, not from the news."""

STRENGTH_DIGITS = 1
"""Strengths have a scale a hundred times as wide as probabilities, so two decimals fewer give the same precision."""


class Precision(StrEnum):
    """How exact a stated time is."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class EventTime:
    """When an event happened, and the words of an article that state it.

    Args:
        start: the first day of the event.
        end: the day after the last day of the event.
        article: id of the article that states the time.
        field: ``"title"`` or ``"text"``.
        span: half-open character offsets of the words in that field.
        words: the words that state the time.
    """

    start: date
    end: date
    precision: Precision
    article: str
    field: str
    span: Span
    words: str


class LinkKind(StrEnum):
    """The relation a link states. Both kinds run forward in time, from the earlier event to the later."""

    CAUSES = "causes"
    """The source led to the target."""
    REFUTES = "refutes"
    """The source is refuted, corrected or superseded by the target.

    This is the left-to-right refutation of HeadlineCause (Gusev and Tikhonov 2022).
    """


class Contradiction(StrEnum):
    """How a report contradicts the one it refutes."""

    POLARITY = "polarity"
    """One report asserts what the other denies, negates or takes back."""
    NUMBER = "number"
    """The reports give different numbers for the same thing."""
    ATTRIBUTION = "attribution"
    """The reports name different people or things as responsible."""


class Order(StrEnum):
    """How far the times of the two events support a link's direction.

    Times stated in the articles count first; where these do not decide, the reports' publication times count.
    """

    FORWARD = "forward"
    """The source certainly happened first, or was certainly reported first."""
    SAME_TIME = "same_time"
    """The times overlap or are too coarse to decide which came first."""
    UNKNOWN = "unknown"
    """One of the two events has no time."""
    SAID = "said"
    """According to the times the target certainly came first, but a sentence says that the source led to the
    target."""


class ClaimKind(StrEnum):
    """What a sentence claims about cause and effect."""

    CAUSAL = "causal"
    DENIAL = "denial"
    """The sentence says that something did *not* cause something else."""
    COUNTERFACTUAL = "counterfactual"


class EvidenceKind(StrEnum):
    """The kinds of evidence for a link."""

    SAID = "said"
    """A sentence claims the relation."""
    SHOWN = "shown"
    """The pair model finds the relation between two headlines."""
    IMPLIED = "implied"
    """Readers of an article conclude that one event caused the other, though no sentence says so."""

    @classmethod
    def _missing_(cls, value: object) -> EvidenceKind | None:
        return cls.IMPLIED if value == "judged" else None  # the name of this kind in version 0.2


class MentionKind(StrEnum):
    """The part of an article that mentions an event."""

    HEADLINE = "headline"
    STATEMENT = "statement"
    """A sentence, or a clause of one."""
    CAUSE = "cause"
    """The cause of a claim."""
    EFFECT = "effect"
    """The effect of a claim."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A span of an article that describes an event.

    Args:
        article: id of the article.
        field: ``"title"`` or ``"text"``.
        span: half-open character offsets: the mention is ``getattr(article, field)[start:end]``.
    """

    article: str
    field: str
    span: Span
    kind: MentionKind


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened or is planned: a group of coreferent mentions.

    Args:
        id: made from the event's first mention, so that the id does not change when the event grows.
        title: the words of the mention that describes it best.
        first_seen: publication time of the earliest report; ``None`` if no report has a time.
        last_seen: publication time of the latest report; ``None`` if no report has a time.
        articles: ids of the articles that mention it, ordered by time, then id; never empty.
        story: id of the earliest event of the story; ``None`` if the event belongs to no story.
        mentions: ordered by article, then by position; each mention is in exactly one event. If the events of a graph
            are groups of whole articles, ``mentions`` is empty, and each article is in exactly one event.
        named_by: index in ``mentions`` of the mention that gives the title.
        planned: the event is announced, and no mention says that it happened.
        when: when the event happened, as stated in an article; ``None`` if no time is stated or no time was looked
            for.
        checked_by: the chat model that said, as a second reader, that mentions of it are of one event, or that
            mentions of another event are not; ``None`` if none did.
    """

    id: str
    title: str
    language: Language
    first_seen: Published | None
    last_seen: Published | None
    articles: tuple[str, ...]
    story: str | None = None
    mentions: tuple[Mention, ...] = ()
    named_by: int = 0
    planned: bool = False
    when: EventTime | None = None
    checked_by: str | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A causal claim, a denial or a counterfactual in one sentence, with the spans of its parts.

    All spans are half-open character offsets into the article's ``field``: ``getattr(article, field)[start:end]``.
    A causal claim and a denial have ``cause`` and ``effect`` (and ``signals``, possibly none); a counterfactual
    has an ``antecedent`` and may have a ``consequent``.

    Args:
        article: id of the article that contains the sentence.
        event: id of the event that the article's headline describes.
        field: ``"title"`` or ``"text"``.
        sentence: span of the sentence.
        quote: the sentence itself.
        probability: that the sentence makes this claim (0 to 1).
        derived: the contrapositive of a counterfactual in the sentence, in words (SemEval-2020 Task 5, section 2.2).
            The sentence implies this causal claim but does not make it. Cause and effect are then the spans of the
            counterfactual's antecedent and consequent.
    """

    id: str
    kind: ClaimKind
    article: str
    event: str
    field: str
    sentence: Span
    quote: str
    probability: float
    cause: Span | None = None
    effect: Span | None = None
    signals: tuple[Span, ...] = ()
    antecedent: Span | None = None
    consequent: Span | None = None
    derived: str | None = None

    def words(self, span: Span) -> str:
        """Return the words of one of the claim's spans."""
        start = self.sentence[0]
        return self.quote[span[0] - start : span[1] - start]


@dataclass(frozen=True, slots=True)
class HeadlineEvidence:
    """Two headlines whose relation supports a link (*shown*).

    Args:
        source_article: id of the article of the link's source event.
        target_article: id of the article of the link's target event.
        probability: probability of the link's kind (0 to 1) by the pair model. For a refutation it also depends on
            how the headlines contradict each other.
        contradicts: how the headlines of a refutation contradict each other; ``None`` if the words do not show it,
            and for a causal link.
    """

    source_article: str
    target_article: str
    probability: float
    contradicts: Contradiction | None = None

    @property
    def kind(self) -> EvidenceKind:
        """The kind of this evidence."""
        return EvidenceKind.SHOWN


@dataclass(frozen=True, slots=True)
class ClaimEvidence:
    """A claim whose cause and effect are mentions of the link's two events (*said*).

    Args:
        claim: id of the claim.
        probability: that a careful reader of the article draws the link (0 to 1).
        checked_by: the chat model that confirmed it as a second reader; ``None`` if none did.
    """

    claim: str
    probability: float
    checked_by: str | None = None

    @property
    def kind(self) -> EvidenceKind:
        """The kind of this evidence."""
        return EvidenceKind.SAID


@dataclass(frozen=True, slots=True)
class ImpliedEvidence:
    """Two mentions of an article: readers conclude that one caused the other, though no sentence says so (*implied*).

    Args:
        cause: a mention of the link's source event.
        effect: a mention of the link's target event.
        probability: that a careful reader of the article draws the link (0 to 1).
        checked_by: the chat model that confirmed it as a second reader; ``None`` if none did.
    """

    cause: Mention
    effect: Mention
    probability: float
    checked_by: str | None = None

    @property
    def kind(self) -> EvidenceKind:
        """The kind of this evidence."""
        return EvidenceKind.IMPLIED


Evidence = HeadlineEvidence | ClaimEvidence | ImpliedEvidence


@dataclass(frozen=True, slots=True)
class Link:
    """A link between two events: the source led to the target, or the target refutes the source.

    Args:
        source: id of the earlier event.
        target: id of the later event.
        probability: calibrated probability that the relation holds, 0 to 1.
        strength: how much of the effect is owed to the cause if the relation holds, on CRAB's scale, 0 to 100: none
            up to 20, low up to 50, medium up to 80, then high (Romanou et al. 2023). The strength of a refutation is
            100 times its probability.
        order: how far the times support the direction.
        evidence: most probable first, never empty.
        denied_by: claims that the source did not lead to the target, most probable first. They are listed only;
            probability and strength do not take them into account.
        closed_by: id of the event that denied the source, the target, or the link between them; ``None`` if the link
            is not closed. Closed links are kept.
    """

    source: str
    target: str
    kind: LinkKind
    probability: float
    strength: float
    order: Order
    evidence: tuple[Evidence, ...]
    closed_by: str | None = None
    denied_by: tuple[ClaimEvidence, ...] = ()

    @property
    def checked_by(self) -> str | None:
        """The chat model that confirmed evidence of it; ``None`` if none did."""
        told = (piece.checked_by for piece in self.evidence if not isinstance(piece, HeadlineEvidence))
        return next(filter(None, told), None)

    @property
    def weight(self) -> float:
        """The strength to be expected, 0 to 100: strength times probability. It orders links.

        Both factors are rounded as in files, so that links read from a file have the same order.
        """
        return round_strength(self.strength) * round_probability(self.probability)


def has_headline(event: Event) -> bool:
    """Return whether a headline mentions the event; always true in a graph without mentions."""
    return not event.mentions or any(mention.kind is MentionKind.HEADLINE for mention in event.mentions)


def time_range(times: Iterable[Published | None]) -> tuple[Published | None, Published | None]:
    """Return the earliest and the latest of the known times. A time that is an interval is compared by its end."""
    in_order = sorted(filter(None, times), key=lambda time: (time.until, time.at))
    return (in_order[0], in_order[-1]) if in_order else (None, None)


def article_sort_key(article: Article) -> tuple[object, ...]:
    """Sort key for articles: by time, those without a time last; then by title and id."""
    time = article.published
    return (0, time.at, time.until, article.title, article.id) if time else (1, article.title, article.id)


def round_probability(probability: float) -> float:
    """Round a probability to ``PROBABILITY_DIGITS`` decimals."""
    return round(float(probability), PROBABILITY_DIGITS)


def round_strength(strength: float) -> float:
    """Round a strength to ``STRENGTH_DIGITS`` decimals."""
    return round(float(strength), STRENGTH_DIGITS)


def sort_by_time(events: Iterable[Event]) -> tuple[Event, ...]:
    """Sort events by the time they were first seen, then by id; those without a time come last."""
    unknown = datetime.max.replace(tzinfo=UTC)
    return tuple(sorted(events, key=lambda event: (event.first_seen.at if event.first_seen else unknown, event.id)))


def sort_mentions(mentions: Iterable[Mention], place: Mapping[str, int]) -> tuple[Mention, ...]:
    """Sort an event's mentions by article, then headline before text, then by position.

    Args:
        place: index of each article, by id, in the event's ``articles``.
    """

    def position(mention: Mention) -> tuple[int, bool, Span, MentionKind]:
        return place[mention.article], mention.field == "text", mention.span, mention.kind

    return tuple(sorted(mentions, key=position))


def short_hash(*parts: str) -> str:
    """Return the first twelve hexadecimal digits of the SHA-256 of these strings."""
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]


class StrengthClass(StrEnum):
    """CRAB's classes of causal strength (Romanou et al. 2023)."""

    NONE = "none"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


CLASS_BOUNDS: tuple[tuple[StrengthClass, int], ...] = (
    (StrengthClass.NONE, 20),
    (StrengthClass.LOW, 50),
    (StrengthClass.MEDIUM, 80),
    (StrengthClass.HIGH, 100),
)
"""Each class with its highest strength."""

CLASS_MIDPOINTS = {
    name: (lowest + highest) / 2 for (_, lowest), (name, highest) in pairwise(((None, 0), *CLASS_BOUNDS))
}
"""The midpoint of each class."""


def strength_class(strength: float) -> StrengthClass:
    """Return the class of a strength (0 to 100)."""
    for name, highest in CLASS_BOUNDS:
        if strength <= highest:
            return name
    return StrengthClass.HIGH
