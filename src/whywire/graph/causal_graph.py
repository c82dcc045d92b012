"""The causal graph: events, the links between them, and the claims and articles they rest on.

A graph is checked when it is made, so whoever holds one can follow every reference without asking
whether it leads anywhere. It never changes; a question that narrows it gives a new, smaller graph.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from math import fsum

from whywire.elements import (
    Claim,
    ClaimEvidence,
    Event,
    Evidence,
    EvidenceKind,
    HeadlineEvidence,
    Link,
    LinkKind,
    Mention,
    has_headline,
)
from whywire.graph.integrity import check_integrity
from whywire.news.article import Article


@dataclass(frozen=True)
class Story:
    """Two or more events of one affair.

    Args:
        id: what its events have as their ``story``.
        lead: of the events with headlines the one with the most articles and links; its title names the story.
        events: in order of time, those without a time last.
        links: those between its events, in the order of the graph.
    """

    id: str
    lead: Event
    events: tuple[Event, ...]
    links: tuple[Link, ...]

    @property
    def title(self) -> str:
        """The title of the lead event."""
        return self.lead.title


@dataclass(frozen=True)
class CausalGraph:
    """News as a graph of causes and refutations, each link with its evidence.

    Args:
        articles: by id.
        events: each article tells of one event at most.
        links: one at most for a source, target and kind.
        claims: what the articles' sentences say of cause and effect.

    Raises:
        InputError: when a reference leads nowhere, or a claim's quote is not what its offsets say.
    """

    articles: Mapping[str, Article] = field(default_factory=dict)
    events: tuple[Event, ...] = ()
    links: tuple[Link, ...] = ()
    claims: tuple[Claim, ...] = ()

    def __post_init__(self) -> None:
        check_integrity(self.articles, self.events, self.links, self.claims)

    def event(self, event_id: str) -> Event:
        """Return the event with this id; raises ``KeyError`` when there is none."""
        return self._events_by_id[event_id]

    def claim(self, claim_id: str) -> Claim:
        """Return the claim with this id; raises ``KeyError`` when there is none."""
        return self._claims_by_id[claim_id]

    def links_of(self, event_id: str) -> tuple[Link, ...]:
        """Return the links that begin or end at the event with this id."""
        return self._links_by_event.get(event_id, ())

    def causes_of(self, event_id: str) -> tuple[Link, ...]:
        """Return the causal links that end at the event, strongest first; those closed by a refutation are not in."""
        return self._causal(link for link in self.links_of(event_id) if link.target == event_id)

    def effects_of(self, event_id: str) -> tuple[Link, ...]:
        """Return the causal links that begin at the event, as :meth:`causes_of` does those that end there."""
        return self._causal(link for link in self.links_of(event_id) if link.source == event_id)

    def claims_of(self, event_id: str) -> tuple[Claim, ...]:
        """Return the claims made by reports of the event with this id."""
        return self._claims_by_event.get(event_id, ())

    def with_min_strength(self, strength: float) -> CausalGraph:
        """Return the same graph with only the links of at least this strength (0 to 100)."""
        return replace(self, links=tuple(link for link in self.links if link.strength >= strength))

    def only_from_outlet(self, outlet: str) -> CausalGraph:
        """Return the same graph with only the links that rest on this outlet alone, on no one else's word."""

        def alone(link: Link) -> bool:
            behind = (article for evidence in link.evidence for article in self.articles_of(evidence))
            return all(self.articles[article].source == outlet for article in behind)

        return replace(self, links=tuple(link for link in self.links if alone(link)))

    def with_evidence(self, kinds: Collection[EvidenceKind]) -> CausalGraph:
        """Return the same graph with only the links that rest on one of these kinds of evidence at least."""
        return replace(
            self, links=tuple(one for one in self.links if {each.kind for each in one.evidence} & {*kinds})
        )

    def articles_of(self, evidence: Evidence) -> tuple[str, ...]:
        """Return the ids of the articles that a piece of evidence is drawn from: one of a claim, else two."""
        match evidence:
            case ClaimEvidence():
                return (self.claim(evidence.claim).article,)
            case HeadlineEvidence():
                return evidence.source_article, evidence.target_article
        return evidence.cause.article, evidence.effect.article

    def words(self, mention: Mention) -> str:
        """Return the words of a mention, as they stand in its article."""
        return getattr(self.articles[mention.article], mention.field)[slice(*mention.span)]  # type: ignore[no-any-return]

    def stories(self) -> tuple[Story, ...]:
        """Return the stories: by the strengths of their links together, then by the number of events and reports."""
        events: defaultdict[str, list[Event]] = defaultdict(list)
        for event in self.events:
            if event.story is not None:
                events[event.story].append(event)
        links: defaultdict[str | None, list[Link]] = defaultdict(list)
        for link in self.links:
            story = self.event(link.source).story
            if story == self.event(link.target).story:
                links[story].append(link)
        stories = [self._story(name, told, links[name]) for name, told in events.items() if len(told) > 1]
        return tuple(sorted(stories, key=_size, reverse=True))

    def single_events(self) -> tuple[Event, ...]:
        """Return the events that are alone in their story, in order of time."""
        sizes = Counter(event.story for event in self.events)
        return sort_by_time(event for event in self.events if event.story is None or sizes[event.story] == 1)

    def _causal(self, links: Iterable[Link]) -> tuple[Link, ...]:
        open_ones = (link for link in links if link.kind is LinkKind.CAUSES and link.closed_by is None)
        return tuple(sorted(open_ones, key=lambda link: (-link.strength, link.source, link.target)))

    def _story(self, name: str, told: Iterable[Event], links: Iterable[Link]) -> Story:
        events = sort_by_time(told)
        lead = max(
            events, key=lambda event: (has_headline(event), len(event.articles) + len(self.links_of(event.id)))
        )
        return Story(name, lead, events, tuple(links))

    @cached_property
    def _events_by_id(self) -> dict[str, Event]:
        return {event.id: event for event in self.events}

    @cached_property
    def _claims_by_id(self) -> dict[str, Claim]:
        return {claim.id: claim for claim in self.claims}

    @cached_property
    def _links_by_event(self) -> dict[str, tuple[Link, ...]]:
        found: defaultdict[str, list[Link]] = defaultdict(list)
        for link in self.links:
            found[link.source].append(link)
            found[link.target].append(link)
        return {event: tuple(links) for event, links in found.items()}

    @cached_property
    def _claims_by_event(self) -> dict[str, tuple[Claim, ...]]:
        found: defaultdict[str, list[Claim]] = defaultdict(list)
        for claim in self.claims:
            found[claim.event].append(claim)
        return {event: tuple(claims) for event, claims in found.items()}


def sort_by_time(events: Iterable[Event]) -> tuple[Event, ...]:
    """Sort events by when they were first seen, then by id; those without a time come last."""
    unknown = datetime.max.replace(tzinfo=UTC)
    return tuple(sorted(events, key=lambda event: (event.first_seen.at if event.first_seen else unknown, event.id)))


def _size(story: Story) -> tuple[float, int, int, str]:
    reports = sum(len(event.articles) for event in story.events)
    return fsum(link.strength for link in story.links), len(story.events), reports, story.id
