"""The events of articles: mentions grouped inside their story, each group one event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from whywire.elements import Claim, ClaimKind, Event
from whywire.events.article_readings import ArticleReading
from whywire.events.assembling import event_of_mentions, time_of_mentions
from whywire.events.candidates import Pair
from whywire.events.event_vectors import cosine_for, event_vector, same_event
from whywire.events.linkage import SAME_EVENT_THRESHOLD, UncertainMerge, with_prior
from whywire.events.mention_groups import MENTION_PRIOR, MIN_PROBABILITY, group_mentions
from whywire.events.mentions import MentionCandidate
from whywire.events.time import event_time
from whywire.events.told import Told, told_by_mention, told_by_report
from whywire.news import Article, Language
from whywire.progress import Stages
from whywire.reading.drawing import ReadLink


class ArticleEvent(NamedTuple):
    """An event of one article.

    Args:
        article: index of the article.
        event: index in the events of its reading; 0 is the headline's.
    """

    article: int
    event: int


@dataclass(frozen=True, eq=False)
class GroupedEvent:
    """An event with its mentions.

    Args:
        mentions: in the order of articles and sentences.
        title_match: for each mention, the probability that it is coreferent with the one that gives the title
            (:func:`title_match_probabilities`).
    """

    event: Event
    mentions: Sequence[MentionCandidate]
    title_match: Sequence[float]


@dataclass(frozen=True, eq=False)
class GroupedClaim:
    """A claim with the data needed to link its events.

    Args:
        ends: the mentions that are its cause and its effect; ``None`` if one of them is no event.
    """

    claim: Claim
    ends: tuple[MentionCandidate, MentionCandidate] | None = None


@dataclass(frozen=True, eq=False)
class GroupedLink:
    """A link that an article tells, with the mentions that make it likeliest."""

    link: ReadLink
    cause: MentionCandidate
    effect: MentionCandidate


class EventTable:
    """The events of articles of one language, and the claims that may link them; "number" means an index here.

    Args:
        articles: in order of time.
        stories: for each story, the indices of its articles.
        mentions: of all events, in the order of articles and sentences.
        links: that the articles tell.

    Attributes:
        event_of: the index of the event of each mention.
        title_match: the probability that each mention is coreferent with the one that gives its event the title.
        story_of: the index of the story of each article, by its id.
        headlines: for each event, the indices of the articles whose headlines mention it.
    """

    def __init__(
        self,
        articles: Sequence[Article],
        stories: Sequence[Sequence[int]],
        mentions: Sequence[MentionCandidate],
        events: Sequence[GroupedEvent],
        claims: Sequence[GroupedClaim],
        links: Sequence[GroupedLink],
    ) -> None:
        self.articles, self.stories, self.mentions = articles, stories, mentions
        self.events, self.claims, self.links = events, claims, links
        self.event_of = {mention: number for number, event in enumerate(events) for mention in event.mentions}
        self.title_match = dict(
            chain.from_iterable(zip(one.mentions, one.title_match, strict=True) for one in events)
        )
        self.story_of = {articles[number].id: at for at, story in enumerate(stories) for number in story}
        index_of = {article.id: number for number, article in enumerate(articles)}
        self.headlines = [
            [index_of[mention.article.id] for mention in event.mentions if mention.is_headline] for event in events
        ]


@dataclass(frozen=True, eq=False)
class Item:
    """An event of one article.

    Args:
        mentions: in the order of the article.
    """

    mentions: Sequence[MentionCandidate]

    @cached_property
    def vector(self) -> NDArray[np.float32]:
        """Its vector, unit length."""
        return event_vector(self.mentions)

    @property
    def best(self) -> MentionCandidate:
        """The headline, else the first mention that is understood alone, else the first."""
        return next((mention for mention in self.mentions if mention.can_name), self.mentions[0])


@dataclass(frozen=True, eq=False)
class ArticleEvents:
    """The events of the articles of stories, to be grouped; each is an *item*.

    Args:
        first: index of the first item of each article, which is its headline; and the number of all items.
        stories: for each, the indices of its items.
    """

    articles: Sequence[Article]
    readings: Sequence[ArticleReading]
    items: Sequence[Item]
    first: Sequence[int]
    stories: Sequence[Sequence[int]]

    @classmethod
    def of(
        cls, articles: Sequence[Article], stories: Iterable[Sequence[int]], readings: Sequence[ArticleReading]
    ) -> ArticleEvents:
        """Collect the events of articles.

        Args:
            stories: for each story, the indices of its articles.
            readings: of the articles, each with one mention for a span.
        """
        items = [Item([reading.mentions[at] for at in event]) for reading in readings for event in reading.events]
        first = np.cumsum([0, *(len(reading.events) for reading in readings)]).tolist()
        of_stories = [[at for number in story for at in range(first[number], first[number + 1])] for story in stories]
        return cls(articles, readings, items, first, of_stories)

    def item(self, event: ArticleEvent) -> int:
        """The index of an event of an article."""
        return self.first[event.article] + event.event

    def groups(
        self,
        headlines: Iterable[Sequence[int]],
        *,
        apart: Iterable[Pair] = (),
        together: Iterable[Pair] = (),
        uncertain: list[UncertainMerge] | None = None,
    ) -> list[list[int]]:
        """The items of each event.

        Args:
            headlines: for each event, the indices of the articles whose headlines report it.
            apart: pairs of items, the first before the second, that are never one event; nor are two of one article.
            together: pairs that are one event, unless anything else forbids it.
            uncertain: receives the merges near the threshold.
        """
        headline_of = {reading.mentions[0].article.id: reading.mentions[0] for reading in self.readings}
        denied = {
            reading.mentions[end]
            for reading in self.readings
            for claim in reading.claims
            if claim.kind is ClaimKind.DENIAL
            for end in claim.ends or ()
        }
        return group_mentions(
            np.stack([item.vector for item in self.items]),
            self.stories,
            [item.mentions[0].article.published for item in self.items],
            same_event,
            cosine_for(MIN_PROBABILITY),
            told=_told_by_items(self.items, headline_of, denied=denied),
            headlines=[[self.first[number] for number in group] for group in headlines],
            apart=[*(pair for ends in pairwise(self.first) for pair in combinations(range(*ends), 2)), *apart],
            together=together,
            uncertain=uncertain,
        )


def event_table(
    found: ArticleEvents,
    groups: Sequence[Sequence[int]],
    stories: Sequence[Sequence[int]],
    language: Language,
    stages: Stages,
    checked: Mapping[int, str] | None = None,
) -> EventTable:
    """The table of events with these items.

    Args:
        groups: the items of each event.
        stories: for each story, the indices of its articles.
        checked: by item, the chat model that had a say in which event it is of.
    """
    articles, readings, checked = found.articles, found.readings, checked or {}
    events = _grouped_events([[found.items[at] for at in group] for group in groups])
    events = [
        replace(grouped, event=replace(grouped.event, checked_by=next(filter(None, map(checked.get, group)), None)))
        for grouped, group in zip(events, groups, strict=True)
    ]
    with stages.stage("finding times", language):
        if event_time.versions():
            events = [
                replace(grouped, event=replace(grouped.event, when=time_of_mentions(grouped.mentions)))
                for grouped in events
            ]
    event_of = {mention: grouped.event.id for grouped in events for mention in grouped.mentions}
    mentions = [mention for reading in readings for mention in reading.mentions]
    stages.counts["mentions"] += len(mentions)
    return EventTable(
        articles,
        stories,
        mentions,
        events,
        [
            GroupedClaim(
                claim.in_article(article, event_of[reading.mentions[0]]),
                (reading.mentions[claim.ends[0]], reading.mentions[claim.ends[1]]) if claim.ends else None,
            )
            for article, reading in zip(articles, readings, strict=True)
            for claim in reading.claims
        ],
        [
            GroupedLink(link, reading.mentions[link.cause_mention], reading.mentions[link.effect_mention])
            for reading in readings
            for link in reading.links
        ],
    )


def _told_by_items(
    items: Sequence[Item],
    headline_of: Mapping[str, MentionCandidate],
    *,
    denied: Set[MentionCandidate],
) -> list[Told]:
    """What the best mention of each item tells, completed by the headline of its article if they may be of one event.

    Args:
        headline_of: by article id.
        denied: causes and effects of denials. They mention what other articles report, so they are not completed by a
            headline that denies it.
    """
    headlines = {name: event_vector([headline]) for name, headline in headline_of.items()}
    cosines = [item.vector @ headlines[item.best.article.id] for item in items]
    probabilities = with_prior(same_event(np.array(cosines, dtype=np.float32)), MENTION_PRIOR)
    return [
        told_by_mention(
            item.best,
            told_by_report(item.best.article),
            probability >= SAME_EVENT_THRESHOLD and denied.isdisjoint(item.mentions),
        )
        for item, probability in zip(items, probabilities.tolist(), strict=True)
    ]


def _grouped_events(groups: Sequence[Sequence[Item]]) -> list[GroupedEvent]:
    """The events of groups of items."""
    grouped = []
    for group in groups:
        mentions = [mention for item in group for mention in item.mentions]
        event = event_of_mentions(mentions)
        namer = next(
            item
            for item in group
            if any(mention.mention == event.mentions[event.named_by] for mention in item.mentions)
        )
        cosines = np.array([float(item.vector @ namer.vector) for item in group], dtype=np.float32)
        matches = title_match_probabilities(cosines).tolist()
        of_mentions = [
            1.0 if item is namer else match for item, match in zip(group, matches, strict=True) for _ in item.mentions
        ]
        grouped.append(GroupedEvent(event, mentions, of_mentions))
    return grouped


def title_match_probabilities(cosines: NDArray[np.float32]) -> NDArray[np.float64]:
    """How probably mentions are coreferent with the one that gives their event its title, 0 to 1.

    The probability is relative to that of two equal mentions. Groups are merged by means, so a group may have
    mentions that are hardly coreferent with the title. A link that rests on such a mention counts less: the reader
    sees the title.

    Args:
        cosines: of any shape, with the mention that gives the title.
    """
    itself = with_prior(same_event(np.ones(1, dtype=np.float32)), MENTION_PRIOR)
    relative: NDArray[np.float64] = np.minimum(1.0, with_prior(same_event(cosines), MENTION_PRIOR) / itself)
    return relative
