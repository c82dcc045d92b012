"""The causal graph: events, the links between them, and the claims and articles that are their evidence.

A graph is immutable and its references are checked when it is made, so every id in it can be followed. The worse
error is a link whose evidence cannot be found, so a graph with a dangling id or a wrong quote is refused. A filter
returns a new, smaller graph.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
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
    sort_by_time,
)
from whywire.graph.integrity import check_integrity
from whywire.news.article import Article


@dataclass(frozen=True)
class Story:
    """Two or more connected events.

    Args:
        id: the ``story`` of its events.
        lead: the event with the most articles and links among those with a headline; it gives the story its title.
        events: ordered by time, those without a time last.
        links: the links between its events, in the graph's order.
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
    """A directed graph of events whose links are causes or refutations, each with its evidence.

    Args:
        articles: by id.
        events: each mention (each article, in a graph without mentions) is in at most one event.
        links: at most one for each source, target and kind.
        claims: the causal claims, denials and counterfactuals of the articles.

    Raises:
        InputError: an id is not in the graph or is used twice, or a claim's quote is not the text at its offsets.
    """

    articles: Mapping[str, Article] = field(default_factory=dict)
    events: tuple[Event, ...] = ()
    links: tuple[Link, ...] = ()
    claims: tuple[Claim, ...] = ()

    def __post_init__(self) -> None:
        check_integrity(self.articles, self.events, self.links, self.claims)

    def event(self, event_id: str) -> Event:
        """Return the event with this id; raise ``KeyError`` if there is none."""
        return self._events_by_id[event_id]

    def claim(self, claim_id: str) -> Claim:
        """Return the claim with this id; raise ``KeyError`` if there is none."""
        return self._claims_by_id[claim_id]

    def links_of(self, event_id: str) -> tuple[Link, ...]:
        """Return the links that start or end at this event."""
        return self._links_by_event.get(event_id, ())

    def causes_of(self, event_id: str) -> tuple[Link, ...]:
        """Return the open causal links that end at this event, strongest first."""
        return self._open_causal(link for link in self.links_of(event_id) if link.target == event_id)

    def effects_of(self, event_id: str) -> tuple[Link, ...]:
        """Return the open causal links that start at this event, strongest first."""
        return self._open_causal(link for link in self.links_of(event_id) if link.source == event_id)

    def claims_of(self, event_id: str) -> tuple[Claim, ...]:
        """Return the claims of the articles whose headline mentions this event."""
        return self._claims_by_event.get(event_id, ())

    def with_min_strength(self, strength: float) -> CausalGraph:
        """Return the graph with only the links of at least this strength (0 to 100)."""
        return replace(self, links=tuple(link for link in self.links if link.strength >= strength))

    def only_from_outlet(self, outlet: str) -> CausalGraph:
        """Return the graph with only the links all of whose evidence comes from this outlet (``Article.source``)."""

        def is_only_source(link: Link) -> bool:
            articles = (article for evidence in link.evidence for article in self.articles_of(evidence))
            return all(self.articles[article].source == outlet for article in articles)

        return replace(self, links=tuple(filter(is_only_source, self.links)))

    def with_evidence(self, kinds: Collection[EvidenceKind]) -> CausalGraph:
        """Return the graph with only the links that have evidence of at least one of these kinds."""
        return replace(
            self, links=tuple(link for link in self.links if any(one.kind in kinds for one in link.evidence))
        )

    def articles_of(self, evidence: Evidence) -> tuple[str, ...]:
        """Return the ids of the articles that a piece of evidence comes from: one for a claim, two otherwise."""
        match evidence:
            case ClaimEvidence():
                return (self.claim(evidence.claim).article,)
            case HeadlineEvidence():
                return evidence.source_article, evidence.target_article
        return evidence.cause.article, evidence.effect.article

    def words(self, mention: Mention) -> str:
        """Return the words of a mention, exactly as in its article."""
        return getattr(self.articles[mention.article], mention.field)[slice(*mention.span)]  # type: ignore[no-any-return]

    def stories(self) -> tuple[Story, ...]:
        """Return the stories, those with the greatest total strength of links first.

        Ties are broken by the number of events, then of articles.
        """
        events: defaultdict[str, list[Event]] = defaultdict(list)
        for event in self.events:
            if event.story is not None:
                events[event.story].append(event)
        links: defaultdict[str | None, list[Link]] = defaultdict(list)
        for link in self.links:
            story = self.event(link.source).story
            if story == self.event(link.target).story:
                links[story].append(link)
        stories = [self._story(name, members, links[name]) for name, members in events.items() if len(members) > 1]
        return tuple(sorted(stories, key=_importance, reverse=True))

    def single_events(self) -> tuple[Event, ...]:
        """Return the events that are alone in their story, ordered by time."""
        sizes = Counter(event.story for event in self.events)
        return sort_by_time(event for event in self.events if event.story is None or sizes[event.story] == 1)

    def _open_causal(self, links: Iterable[Link]) -> tuple[Link, ...]:
        causal = (link for link in links if link.kind is LinkKind.CAUSES and link.closed_by is None)
        return tuple(sorted(causal, key=lambda link: (-link.strength, link.source, link.target)))

    def _story(self, name: str, members: Iterable[Event], links: Iterable[Link]) -> Story:
        events = sort_by_time(members)
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


def _importance(story: Story) -> tuple[float, int, int, str]:
    reports = sum(len(event.articles) for event in story.events)
    return fsum(link.strength for link in story.links), len(story.events), reports, story.id
