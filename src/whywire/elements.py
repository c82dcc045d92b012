"""What a causal graph is made of: events, claims, links, and the evidence on them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import pairwise

from whywire.news.article import Article, Published, Span
from whywire.news.language import Language


class Precision(StrEnum):
    """How long the time is that the words name."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class EventTime:
    """When an event happened, and the words that say so.

    Args:
        start: its first day.
        end: the day after its last.
        span: where the words stand in the article's ``field``.
    """

    start: date
    end: date
    precision: Precision
    article: str
    field: str
    span: Span
    words: str


class LinkKind(StrEnum):
    """What a link says. Both kinds run forward in time, from the earlier event to the later."""

    CAUSES = "causes"
    """The source led to the target."""
    REFUTES = "refutes"
    """The source is refuted, corrected or overtaken by the target (HeadlineCause's left-to-right refutation)."""


class Contradiction(StrEnum):
    """What a report differs in from the one it refutes, on the same thing."""

    POLARITY = "polarity"
    """Whether it is so: one asserts what the other denies, negates or takes back."""
    NUMBER = "number"
    """How many, or how much."""
    ATTRIBUTION = "attribution"
    """Who or what did it."""


class Order(StrEnum):
    """How well times support a link's direction: those that words name where they tell, else those of the reports."""

    FORWARD = "forward"
    """The source certainly happened first, or was certainly reported first."""
    SAME_TIME = "same_time"
    """The times are too coarse to tell which came first."""
    UNKNOWN = "unknown"
    """One of the two has no time."""
    SAID = "said"
    """The target certainly came first by the times, but a sentence says that the source came before it."""


class ClaimKind(StrEnum):
    """What a sentence claims."""

    CAUSAL = "causal"
    DENIAL = "denial"
    """That something did *not* lead to something."""
    COUNTERFACTUAL = "counterfactual"


class EvidenceKind(StrEnum):
    """What a link rests on."""

    SAID = "said"
    """A sentence claims it."""
    SHOWN = "shown"
    """Two headlines are in a causal relation."""
    JUDGED = "judged"
    """No sentence says so clearly; a model finds it likely."""


class MentionKind(StrEnum):
    """What part of an article mentions an event."""

    HEADLINE = "headline"
    STATEMENT = "statement"
    """A sentence, or a clause of one."""
    CAUSE = "cause"
    """The cause of a claim."""
    EFFECT = "effect"
    """The effect of a claim."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Words of an article that tell of an event.

    Args:
        article: id of the article.
        field: ``"title"`` or ``"text"``.
        span: where the words stand: ``getattr(article, field)[start:end]``.
    """

    article: str
    field: str
    span: Span
    kind: MentionKind


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, or is planned: a group of mentions that tell of it.

    Args:
        id: named for its first mention, so that it stays as the event grows.
        title: the words of the mention that tells of it best, with its article's headline in brackets where they
            cannot be understood alone.
        first_seen: the earliest time of its reports; ``None`` when none of them has a time.
        articles: ids of the articles that mention it, in order of time, then id; never empty.
        story: what it is part of, by the id of the event that this story began with; ``None`` where it is alone.
        mentions: in the order of the articles, then of where they stand; each is in one event. Empty in a graph that
            knows events by their articles alone: then each article is in one event.
        named_by: place among the mentions of the one that gives the title.
        planned: it is announced, and no mention says that it happened.
        when: when it happened, by the words of a mention; ``None`` where none names a time, and where nobody looked.
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


@dataclass(frozen=True, slots=True)
class Claim:
    """What one sentence says of cause and effect, or imagines, with the words it says it in.

    All spans are offsets into the article's ``field``, so ``getattr(article, field)[start:end]``
    gives the words. A causal claim and a denial have ``cause`` and ``effect`` (and ``signals``, possibly none); a
    counterfactual has an ``antecedent`` and may have a ``consequent``.

    Args:
        article: id of the article that says it.
        event: id of the event that article tells of.
        field: ``"title"`` or ``"text"``.
        sentence: where the sentence stands.
        quote: the sentence itself, ``field[sentence]``.
        probability: that the claim is one (0 to 1).
        derived: for a causal claim that the sentence does not make but a counterfactual in it implies: that claim in
            words of its own, the counterfactual's contrapositive (SemEval-2020 Task 5, section 2.2). Cause and effect
            are then what was imagined, antecedent and consequent.
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
        """The words of one of the claim's spans."""
        start = self.sentence[0]
        return self.quote[span[0] - start : span[1] - start]


@dataclass(frozen=True, slots=True)
class HeadlineEvidence:
    """Two headlines whose relation supports a link: it is *shown*.

    Args:
        source_article: id of the article of the link's source event.
        target_article: id of the article of the link's target event.
        probability: of the link's kind, by the pair model, and of a refutation by what the words show (0 to 1).
        contradicts: of a refutation, what the two are seen to differ in; ``None`` where the words do not show it.
    """

    source_article: str
    target_article: str
    probability: float
    contradicts: Contradiction | None = None

    @property
    def kind(self) -> EvidenceKind:
        """What the link rests on by this."""
        return EvidenceKind.SHOWN


@dataclass(frozen=True, slots=True)
class ClaimEvidence:
    """A claim whose cause and effect are mentions of the link's two events: it is *said*.

    Args:
        claim: id of the claim.
        probability: that the sentence is right to be read so, and both sides are events (0 to 1).
    """

    claim: str
    probability: float

    @property
    def kind(self) -> EvidenceKind:
        """What the link rests on by this."""
        return EvidenceKind.SAID


@dataclass(frozen=True, slots=True)
class JudgedEvidence:
    """Two mentions that a model judges to be cause and effect, though no sentence says so clearly: it is *judged*.

    Args:
        cause: a mention of the link's source event.
        effect: a mention of its target event.
        probability: that the one led to the other (0 to 1).
    """

    cause: Mention
    effect: Mention
    probability: float

    @property
    def kind(self) -> EvidenceKind:
        """What the link rests on by this."""
        return EvidenceKind.JUDGED


Evidence = HeadlineEvidence | ClaimEvidence | JudgedEvidence


@dataclass(frozen=True, slots=True)
class Link:
    """One event led to, or was refuted by, another.

    Args:
        source: id of the earlier event.
        target: id of the later event.
        probability: calibrated, 0 to 1.
        strength: on CRAB's scale, 0 to 100: none up to 20, low up to 50, medium up to 80, then high.
        order: how well the times support the direction.
        evidence: strongest first, never empty.
        denied_by: claims that the source did not lead to the target, strongest first; they speak against the link
            and leave its numbers as they are.
        closed_by: id of the event that refuted the source or the target, if any did; a closed link stays.
        judged: how direct a cause a model judged it to be by its headlines, 0 to 100, before anything was made of how
            probable it is and how many say so; ``None`` where no model was asked.
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
    judged: float | None = None


def has_headline(event: Event) -> bool:
    """Whether a headline is on it; in a graph without mentions every event has one."""
    return not event.mentions or any(one.kind is MentionKind.HEADLINE for one in event.mentions)


def time_range(times: Iterable[Published | None]) -> tuple[Published | None, Published | None]:
    """The first and the last of the times that are known, by the last moment that each may mean."""
    known = sorted(filter(None, times), key=lambda time: (time.until, time.at))
    return (known[0], known[-1]) if known else (None, None)


def article_sort_key(article: Article) -> tuple[object, ...]:
    """Sorts the articles of an event, or of a build: by time, those without one last; then by title and id."""
    known = article.published
    return (0, known.at, known.until, article.title, article.id) if known else (1, article.title, article.id)


def sort_mentions(mentions: Iterable[Mention], place: Mapping[str, int]) -> tuple[Mention, ...]:
    """Sort an event's mentions by their articles' places, headlines first, then by where they stand.

    Args:
        place: of each article among those of the event.
    """
    return tuple(sorted(mentions, key=lambda one: (place[one.article], one.field == "text", one.span, one.kind)))


def short_hash(*parts: str) -> str:
    """Twelve hexadecimal digits that stand for these strings."""
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]


class StrengthClass(StrEnum):
    """How strongly one event led to another, in words."""

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
"""Each class with the highest strength that still belongs to it."""

CLASS_MIDPOINTS = {
    name: (lowest + highest) / 2 for (_, lowest), (name, highest) in pairwise(((None, 0), *CLASS_BOUNDS))
}
"""The strength in the middle of each class."""


def strength_class(strength: float) -> StrengthClass:
    """Name the class of a strength from 0 to 100."""
    for name, highest in CLASS_BOUNDS:
        if strength <= highest:
            return name
    return StrengthClass.HIGH
