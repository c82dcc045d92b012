"""The events of articles: mentions grouped inside their story, each group one event."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from whywire.elements import Claim, ClaimEvidence, ClaimKind, Event, Evidence, Link, sort_by_time
from whywire.events.article_readings import ArticleReading
from whywire.events.assembling import event_of_mentions, time_of_mentions
from whywire.events.candidates import Pair
from whywire.events.distinct import Told, told_by_mention, told_by_report
from whywire.events.linkage import SAME_EVENT_THRESHOLD, Estimate, with_prior
from whywire.events.mention_groups import MENTION_PRIOR, MIN_PROBABILITY, group_mentions
from whywire.events.mentions import MentionCandidate
from whywire.events.time import event_time
from whywire.news import Article, Language
from whywire.progress import Stages
from whywire.sentences.reader import SentenceReader


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

    @property
    def headlines(self) -> list[Article]:
        """The articles whose headlines mention it."""
        return [mention.article for mention in self.mentions if mention.is_headline]


@dataclass(frozen=True, eq=False)
class GroupedClaim:
    """A claim with what links rest on.

    Args:
        link_probability: that it is worth a link (0 to 1).
        ends: the mentions that are its cause and its effect; ``None`` if one of them is no event.
    """

    claim: Claim
    link_probability: float = 0.0
    ends: tuple[MentionCandidate, MentionCandidate] | None = None


@dataclass(frozen=True)
class EventTable:
    """The events of articles of one language, and the claims that may link them.

    Events, articles and stories are addressed by their indices here.

    Args:
        articles: in order of time.
        stories: for each story, the indices of its articles.
        mentions: of all events, in the order of articles and sentences.
    """

    articles: Sequence[Article]
    stories: Sequence[Sequence[int]]
    mentions: Sequence[MentionCandidate]
    events: Sequence[GroupedEvent]
    claims: Sequence[GroupedClaim]

    @cached_property
    def event_of(self) -> Mapping[MentionCandidate, int]:
        """The index of the event of each mention."""
        return {mention: number for number, one in enumerate(self.events) for mention in one.mentions}

    @cached_property
    def title_match_probability(self) -> Mapping[MentionCandidate, float]:
        """The probability that each mention is coreferent with the one that gives its event the title."""
        return dict(chain.from_iterable(zip(one.mentions, one.title_match, strict=True) for one in self.events))

    @cached_property
    def index_of(self) -> Mapping[str, int]:
        """The index of each article, by its id."""
        return {article.id: number for number, article in enumerate(self.articles)}

    @cached_property
    def story_of(self) -> Mapping[str, int]:
        """The index of the story of each article, by its id."""
        return {self.articles[number].id: at for at, story in enumerate(self.stories) for number in story}

    @cached_property
    def headlines(self) -> Sequence[Sequence[int]]:
        """For each event, the indices of the articles whose headlines mention it."""
        return [[self.index_of[article.id] for article in one.headlines] for one in self.events]

    def claims_between_events(self, kind: ClaimKind) -> list[tuple[GroupedClaim, int, int]]:
        """The claims of a kind whose cause and effect are events, with the indices of these events."""
        return [
            (claim, self.event_of[claim.ends[0]], self.event_of[claim.ends[1]])
            for claim in self.claims
            if claim.claim.kind is kind and claim.ends
        ]

    def evidence_match(self, evidence: Evidence) -> float:
        """The probability (0 to 1) that evidence is about the mentions that give its two events their titles.

        It is 1 for headlines.
        """
        if not isinstance(evidence, ClaimEvidence):
            return 1.0
        cause, effect = self._ends_of[evidence.claim]
        return self.title_match_probability[cause] * self.title_match_probability[effect]

    @cached_property
    def _ends_of(self) -> Mapping[str, tuple[MentionCandidate, MentionCandidate]]:
        return {claim.claim.id: claim.ends for claim in self.claims if claim.ends}

    def with_headlines_by_story(self) -> list[list[int]]:
        """For each story with two events or more that headlines mention, the indices of these events."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        for number, one in enumerate(self.events):
            if headlines := one.headlines:
                found[self.story_of[headlines[0].id]].append(number)
        return [numbers for numbers in found.values() if len(numbers) > 1]

    def mentions_of_stories(self) -> list[tuple[list[MentionCandidate], dict[Pair, float]]]:
        """For each story its mentions, in order, and the causal claims between them.

        The claims are given as the highest probability of being worth a link, by the indices of cause and effect
        among these mentions.
        """
        stories: list[list[MentionCandidate]] = [[] for _ in self.stories]
        for mention in self.mentions:
            stories[self.story_of[mention.article.id]].append(mention)
        place = {mention: at for story in stories for at, mention in enumerate(story)}
        claimed: list[dict[Pair, float]] = [{} for _ in stories]
        for claim in self.claims:
            if claim.claim.kind is ClaimKind.CAUSAL and claim.ends:
                known = claimed[self.story_of[claim.claim.article]]
                pair = place[claim.ends[0]], place[claim.ends[1]]
                known[pair] = max(known.get(pair, 0.0), claim.link_probability)
        return list(zip(stories, claimed, strict=True))

    def in_stories(self, links: Iterable[Link]) -> list[Event]:
        """The events with the ids of their stories; a story has the id of its earliest event.

        Of a story with one article only the linked events belong to it; the others belong to no story.
        """
        events = [one.event for one in self.events]
        linked = {end for link in links for end in (link.source, link.target)}
        first: dict[int, str] = {}
        inside: dict[str, int] = {}
        for event in sort_by_time(events):
            at = self.story_of[event.articles[0]]
            if len(self.stories[at]) > 1 or event.id in linked:
                inside[event.id] = at
                first.setdefault(at, event.id)
        return [replace(one, story=first[inside[one.id]]) if one.id in inside else one for one in events]


def group_into_events(
    articles: Sequence[Article],
    language: Language,
    stories: Sequence[Sequence[int]],
    headlines: Sequence[Sequence[int]],
    readings: Sequence[ArticleReading],
    reader: SentenceReader,
    stages: Stages,
) -> EventTable:
    """Group the mentions of each story into events.

    Args:
        stories: for each story, the indices of its articles.
        headlines: for each event, the indices of the articles whose headlines report it.
        readings: of the articles, each with one mention for a span.
    """
    mentions = [mention for reading in readings for mention in reading.mentions]
    first = np.cumsum([0, *(len(reading.mentions) for reading in readings)]).tolist()
    claims = [
        (article, claim, (reading.mentions[claim.ends[0]], reading.mentions[claim.ends[1]]) if claim.ends else None)
        for article, reading in zip(articles, readings, strict=True)
        for claim in reading.claims
    ]
    with stages.stage("grouping mentions", language):
        headline_of = {mention.article.id: mention for mention in mentions if mention.is_headline}
        place = {mention: at for at, mention in enumerate(mentions)}
        groups = group_mentions(
            np.stack([mention.vector for mention in mentions]),
            [[at for number in story for at in range(first[number], first[number + 1])] for story in stories],
            [mention.article.published for mention in mentions],
            reader.same_event_by_cosine,
            reader.cosine_for(MIN_PROBABILITY),
            told=_told_by_mentions(
                mentions,
                headline_of,
                reader,
                denied={end for _, claim, ends in claims if claim.kind is ClaimKind.DENIAL for end in ends or ()},
            ),
            headlines=[[place[headline_of[articles[number].id]] for number in group] for group in headlines],
            apart=[
                (min(place[ends[0]], place[other]), max(place[ends[0]], place[other]))
                for article, claim, ends in claims
                if ends
                # a headline that holds a claim is of its effect ("Fuel runs short after fire"), and not of its cause
                for other in ({ends[1], headline_of[article.id]} if claim.field == "title" else {ends[1]})
                if other is not ends[0]
            ],
        )
    events = _grouped_events([[mentions[at] for at in group] for group in groups], reader)
    with stages.stage("finding times", language):
        if event_time.versions():
            events = [replace(one, event=replace(one.event, when=time_of_mentions(one.mentions))) for one in events]
    event_of = {mention: one.event.id for one in events for mention in one.mentions}
    stages.counts["mentions"] += len(mentions)
    return EventTable(
        articles,
        stories,
        mentions,
        events,
        [
            GroupedClaim(claim.in_article(article, event_of[headline_of[article.id]]), claim.link_probability, ends)
            for article, claim, ends in claims
        ],
    )


def _told_by_mentions(
    mentions: Sequence[MentionCandidate],
    headline_of: Mapping[str, MentionCandidate],
    reader: SentenceReader,
    *,
    denied: Set[MentionCandidate],
) -> list[Told]:
    """What each mention tells; what it leaves open the headline of its article says if it is probably of its event.

    Args:
        headline_of: by the id of the article.
        denied: causes and effects of denials. They are mentions of what others report, so a headline that denies it
            does not tell them apart from it.
    """
    cosines = [mention.vector @ headline_of[mention.article.id].vector for mention in mentions]
    probabilities = with_prior(reader.same_event_by_cosine(np.array(cosines, dtype=np.float32)), MENTION_PRIOR)
    return [
        told_by_mention(
            mention,
            told_by_report(mention.article),
            probability >= SAME_EVENT_THRESHOLD and mention not in denied,
        )
        for mention, probability in zip(mentions, probabilities.tolist(), strict=True)
    ]


def _grouped_events(groups: Sequence[Sequence[MentionCandidate]], reader: SentenceReader) -> list[GroupedEvent]:
    """The events of groups of coreferent mentions."""
    events = [event_of_mentions(group) for group in groups]
    cosines: list[float] = []
    for event, group in zip(events, groups, strict=True):
        (namer,) = (one for one in group if one.mention == event.mentions[event.named_by])
        cosines += [float(one.vector @ namer.vector) for one in group]
    matches = iter(
        title_match_probabilities(np.array(cosines, dtype=np.float32), reader.same_event_by_cosine).tolist()
    )
    return [
        GroupedEvent(event, group, [next(matches) for _ in group])
        for event, group in zip(events, groups, strict=True)
    ]


def title_match_probabilities(cosines: NDArray[np.float32], estimate: Estimate) -> NDArray[np.float64]:
    """How likely mentions of an event are coreferent with the one that gives the title, 0 to 1, relative to itself.

    Groups are merged by means, so at the edge of a group are mentions that are hardly coreferent with the naming one.
    A link that rests on such a mention counts less, for the reader sees the name.

    Args:
        cosines: of any shape, with the mention that gives the title.
        estimate: from cosines to probabilities of *same event*.
    """
    itself = with_prior(estimate(np.ones(1, dtype=np.float32)), MENTION_PRIOR)
    relative: NDArray[np.float64] = np.minimum(1.0, with_prior(estimate(cosines), MENTION_PRIOR) / itself)
    return relative
