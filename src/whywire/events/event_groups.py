"""The events of articles: mentions grouped inside their story, each group one event."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from whywire.elements import Claim, ClaimEvidence, ClaimKind, Event, Evidence, Link, sort_by_time
from whywire.events.article_readings import ArticleReadings, ReadClaim
from whywire.events.assembling import event_of_mentions
from whywire.events.components import SAME_EVENT_THRESHOLD, Pair
from whywire.events.distinct import Told, told_by_mention, told_by_report
from whywire.events.linkage import with_prior
from whywire.events.mention_groups import MENTION_PRIOR, MIN_PROBABILITY, group_mentions, naming_probabilities
from whywire.events.mentions import FoundMention
from whywire.events.time import event_time
from whywire.events.time.of_mentions import time_of_mentions
from whywire.news import Article, Language
from whywire.progress import Stages
from whywire.sentences.reader import SentenceReader


@dataclass(frozen=True)
class EventGroups:
    """The events of articles of one language.

    Args:
        stories: for each story, the indices of its articles.
        headlines: for each event, the indices of the articles whose headline mentions it.
        mentions: of all events.
        event_of: (mentions,), the index of the event of each.
        naming: (mentions,), the probability that each is coreferent with the mention that names its event
            (:func:`~whywire.events.mention_groups.naming_probabilities`).
        claim_ends: for a claim both sides of which are events, by its id: the indices of these mentions.
        claim_worth: probability that a claim is worth a link, by its id.
    """

    events: list[Event]
    stories: Sequence[Sequence[int]]
    headlines: list[list[int]]
    claims: list[Claim]
    mentions: list[FoundMention]
    event_of: list[int]
    naming: NDArray[np.float64]
    claim_ends: dict[str, Pair]
    claim_worth: dict[str, float]

    def claims_between_events(self, kind: ClaimKind) -> list[tuple[Claim, int, int]]:
        """The claims of a kind both sides of which are events, with the indices of these events."""
        return [
            (claim, self.event_of[cause], self.event_of[effect])
            for claim in self.claims
            if claim.kind is kind and claim.id in self.claim_ends
            for cause, effect in [self.claim_ends[claim.id]]
        ]

    def naming_probability(self, evidence: Evidence) -> float:
        """The probability (0 to 1) that evidence is about the mentions that name its two events; 1 for headlines."""
        if not isinstance(evidence, ClaimEvidence):
            return 1.0
        cause, effect = self.claim_ends[evidence.claim]
        return float(self.naming[cause] * self.naming[effect])

    def with_headlines_by_story(self) -> list[list[int]]:
        """For each story with two events or more that headlines mention, the indices of these events."""
        story_of = {number: at for at, story in enumerate(self.stories) for number in story}
        found: defaultdict[int, list[int]] = defaultdict(list)
        for number, own in enumerate(self.headlines):
            if own:
                found[story_of[own[0]]].append(number)
        return [numbers for numbers in found.values() if len(numbers) > 1]

    def mentions_of_stories(self) -> list[tuple[list[int], dict[Pair, float]]]:
        """For each story, the indices of its mentions and the causal claims between them.

        The claims are given as the highest probability of being worth a link, by the places of cause and effect
        among these indices.
        """
        stories = _by_story(self.stories, self.mentions)
        where = {place: (story, at) for story, places in enumerate(stories) for at, place in enumerate(places)}
        claimed: list[dict[Pair, float]] = [{} for _ in stories]
        for claim in self.claims:
            if claim.kind is ClaimKind.CAUSAL and claim.id in self.claim_ends:
                (story, cause), (_, effect) = (where[end] for end in self.claim_ends[claim.id])
                best = claimed[story].get((cause, effect), 0.0)
                claimed[story][cause, effect] = max(best, self.claim_worth[claim.id])
        return list(zip(stories, claimed, strict=True))

    def events_in_stories(self, articles: Sequence[Article], links: Iterable[Link]) -> list[Event]:
        """The events with the ids of their stories; a story has the id of its earliest event.

        Of a story with one article only the linked events belong to it; the others belong to no story.
        """
        story_of = {articles[number].id: at for at, story in enumerate(self.stories) for number in story}
        linked = {end for link in links for end in (link.source, link.target)}
        first: dict[int, str] = {}
        inside: dict[str, int] = {}
        for event in sort_by_time(self.events):
            at = story_of[event.articles[0]]
            if len(self.stories[at]) > 1 or event.id in linked:
                inside[event.id] = at
                first.setdefault(at, event.id)
        return [replace(one, story=first[inside[one.id]]) if one.id in inside else one for one in self.events]


def group_into_events(
    articles: Sequence[Article],
    language: Language,
    stories: Sequence[Sequence[int]],
    headlines: Sequence[Sequence[int]],
    readings: ArticleReadings,
    reader: SentenceReader,
    stages: Stages,
) -> EventGroups:
    """Group the mentions of each story into events.

    Args:
        stories: for each story, the indices of its articles.
        headlines: for each event, the indices of the articles whose headlines report it.
        readings: of the articles, each with one mention for a span.
    """
    mentions = readings.mentions
    with stages.stage("grouping mentions", language):
        headline_of = {one.article_index: at for at, one in enumerate(mentions) if one.is_headline}
        ends = {one.claim.id: one.ends for one in readings.claims if one.ends}
        groups = group_mentions(
            np.stack([one.vector for one in mentions]),
            _by_story(stories, mentions),
            [articles[one.article_index].published for one in mentions],
            reader.same_event_by_cosine,
            reader.cosine_for(MIN_PROBABILITY),
            told=told_by_mentions(
                mentions,
                {home: mentions[at] for home, at in headline_of.items()},
                articles,
                reader,
                denied={end for one in readings.claims for end in denied_ends(one, one.ends)},
            ),
            headlines=[[headline_of[home] for home in group] for group in headlines],
            apart=[
                pair
                for one in readings.claims
                if one.ends
                for pair in pairs_apart(one, one.ends, headline_of[mentions[one.ends[0]].article_index])
            ],
        )
    events = events_of_mentions([[mentions[at] for at in group] for group in groups], articles, language, stages)
    number_of = dict(sorted((at, number) for number, group in enumerate(groups) for at in group))
    event_of = list(number_of.values())
    headline_event = {articles[home].id: events[number_of[at]].id for home, at in headline_of.items()}
    stages.counts["mentions"] += len(mentions)
    return EventGroups(
        events=events,
        stories=stories,
        headlines=[[mentions[at].article_index for at in group if mentions[at].is_headline] for group in groups],
        claims=[replace(one.claim, event=headline_event[one.claim.article]) for one in readings.claims],
        mentions=mentions,
        event_of=event_of,
        naming=naming(events, mentions, event_of, reader),
        claim_ends=ends,
        claim_worth={one.claim.id: one.worth for one in readings.claims},
    )


def told_by_mentions(
    mentions: Sequence[FoundMention],
    headlines: Mapping[int, FoundMention],
    articles: Sequence[Article],
    reader: SentenceReader,
    *,
    denied: Set[int],
) -> list[Told]:
    """What each mention tells; what it leaves open the headline of its article says if it is probably of its event.

    Args:
        headlines: of the articles of the mentions, by the index of the article.
        articles: those that ``article_index`` refers to.
        denied: the indices of :func:`denied_ends`. They are mentions of what others report, so a headline that
            denies it does not tell them apart from it.
    """
    reports = {home: told_by_report(articles[home]) for home in headlines}
    cosines = [one.vector @ headlines[one.article_index].vector for one in mentions]
    probabilities = with_prior(reader.same_event_by_cosine(np.array(cosines, dtype=np.float32)), MENTION_PRIOR)
    of_reports = probabilities >= SAME_EVENT_THRESHOLD
    of_reports[sorted(denied)] = False
    return [
        told_by_mention(one, articles[one.article_index], reports[one.article_index], of_report)
        for one, of_report in zip(mentions, of_reports.tolist(), strict=True)
    ]


def denied_ends(read: ReadClaim, ends: Pair | None) -> Pair | tuple[()]:
    """The indices of cause and effect of a claim, if it denies that the one led to the other."""
    return ends if ends and read.claim.kind is ClaimKind.DENIAL else ()


def pairs_apart(read: ReadClaim, ends: Pair, headline: int | None) -> list[Pair]:
    """The pairs of mentions (i < j) that a claim makes two events: its cause and its effect.

    A headline that holds a claim is of its effect ("Fuel runs short after fire"), and so not of the cause either.

    Args:
        ends: the indices of its cause and its effect.
        headline: the index of the headline of its article; ``None`` where it is not among the mentions.
    """
    cause, effect = ends
    others = {effect} | ({headline} if read.claim.field == "title" and headline is not None else set())
    return [(min(cause, other), max(cause, other)) for other in sorted(others) if other != cause]


def events_of_mentions(
    groups: Iterable[Sequence[FoundMention]], articles: Sequence[Article], language: Language, stages: Stages
) -> list[Event]:
    """The events of groups of coreferent mentions, with the times they name where dateparser is installed."""
    groups = list(groups)
    events = [event_of_mentions(group, articles) for group in groups]
    with stages.stage("finding times", language):
        if event_time.versions():
            times = [time_of_mentions(group, articles) for group in groups]
            events = [replace(event, when=when) for event, when in zip(events, times, strict=True)]
    return events


def naming(
    events: Sequence[Event], mentions: Sequence[FoundMention], event_of: Sequence[int], reader: SentenceReader
) -> NDArray[np.float64]:
    """The naming probability of each mention, (mentions,)."""
    namers = {event.mentions[event.named_by] for event in events}
    names = {number: one.vector for one, number in zip(mentions, event_of, strict=True) if one.mention in namers}
    cosines = [float(one.vector @ names[number]) for one, number in zip(mentions, event_of, strict=True)]
    return naming_probabilities(np.array(cosines, dtype=np.float32), reader.same_event_by_cosine)


def _by_story(stories: Sequence[Sequence[int]], mentions: Sequence[FoundMention]) -> list[list[int]]:
    """The indices of the mentions of each story."""
    story_of = {article: number for number, story in enumerate(stories) for article in story}
    places: list[list[int]] = [[] for _ in stories]
    for place, one in enumerate(mentions):
        places[story_of[one.article_index]].append(place)
    return places
