"""The events of articles: mentions grouped inside their story, each group one event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from whywire.elements import Claim, ClaimKind, Event
from whywire.events.article_readings import ArticleReading
from whywire.events.assembling import event_of_mentions, time_of_mentions
from whywire.events.linkage import SAME_EVENT_THRESHOLD, Estimate, with_prior
from whywire.events.mention_groups import MENTION_PRIOR, MIN_PROBABILITY, group_mentions
from whywire.events.mentions import MentionCandidate
from whywire.events.time import event_time
from whywire.events.told import Told, told_by_mention, told_by_report
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


@dataclass(frozen=True, eq=False)
class GroupedClaim:
    """A claim with the data needed to link its events.

    Args:
        link_probability: that it is worth a link (0 to 1).
        ends: the mentions that are its cause and its effect; ``None`` if one of them is no event.
    """

    claim: Claim
    link_probability: float = 0.0
    ends: tuple[MentionCandidate, MentionCandidate] | None = None


class EventTable:
    """The events of articles of one language, and the claims that may link them; "number" means an index here.

    Args:
        articles: in order of time.
        stories: for each story, the indices of its articles.
        mentions: of all events, in the order of articles and sentences.

    Attributes:
        event_of: the index of the event of each mention.
        title_match: the probability that each mention is coreferent with the one that gives its event the title.
        claim_match: the product of these for the cause and the effect of each claim between events, by its id.
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
    ) -> None:
        self.articles, self.stories, self.mentions = articles, stories, mentions
        self.events, self.claims = events, claims
        self.event_of = {mention: number for number, event in enumerate(events) for mention in event.mentions}
        self.title_match = dict(
            chain.from_iterable(zip(one.mentions, one.title_match, strict=True) for one in events)
        )
        self.claim_match = {
            claim.claim.id: self.title_match[claim.ends[0]] * self.title_match[claim.ends[1]]
            for claim in claims
            if claim.ends
        }
        self.story_of = {articles[number].id: at for at, story in enumerate(stories) for number in story}
        index_of = {article.id: number for number, article in enumerate(articles)}
        self.headlines = [
            [index_of[mention.article.id] for mention in event.mentions if mention.is_headline] for event in events
        ]


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
            np.stack([mention.reading.vector for mention in mentions]),
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
            events = [
                replace(grouped, event=replace(grouped.event, when=time_of_mentions(grouped.mentions)))
                for grouped in events
            ]
    event_of = {mention: grouped.event.id for grouped in events for mention in grouped.mentions}
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
    """What each mention tells, completed by the headline of its article if both are probably of one event.

    Args:
        headline_of: by article id.
        denied: causes and effects of denials. They mention what other articles report, so they are not completed by a
            headline that denies it.
    """
    cosines = [mention.reading.vector @ headline_of[mention.article.id].reading.vector for mention in mentions]
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
        (namer,) = (mention for mention in group if mention.mention == event.mentions[event.named_by])
        cosines += [float(mention.reading.vector @ namer.reading.vector) for mention in group]
    matches = iter(
        title_match_probabilities(np.array(cosines, dtype=np.float32), reader.same_event_by_cosine).tolist()
    )
    return [
        GroupedEvent(event, group, [next(matches) for _ in group])
        for event, group in zip(events, groups, strict=True)
    ]


def title_match_probabilities(cosines: NDArray[np.float32], estimate: Estimate) -> NDArray[np.float64]:
    """How probably mentions are coreferent with the one that gives their event its title, 0 to 1.

    The probability is relative to that of two equal mentions. Groups are merged by means, so a group may have
    mentions that are hardly coreferent with the title. A link that rests on such a mention counts less: the reader
    sees the title.

    Args:
        cosines: of any shape, with the mention that gives the title.
        estimate: from cosines to probabilities of *same event*.
    """
    itself = with_prior(estimate(np.ones(1, dtype=np.float32)), MENTION_PRIOR)
    relative: NDArray[np.float64] = np.minimum(1.0, with_prior(estimate(cosines), MENTION_PRIOR) / itself)
    return relative
