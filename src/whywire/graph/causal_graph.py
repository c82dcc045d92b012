"""The causal graph: events, the links between them, and the claims and articles that are their evidence.

A graph is immutable, and its references are checked when it is made: a graph with a dangling id or a wrong quote is
refused, so the evidence of every link can be found. A filter returns a new, smaller graph.
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
    ImpliedEvidence,
    Link,
    LinkKind,
    Mention,
    has_headline,
    sort_by_time,
)
from whywire.errors import InputError
from whywire.news.article import Article

ARTICLE_FIELDS = ("title", "text")
"""The fields of an article that spans refer to."""


@dataclass(frozen=True)
class Story:
    """Two or more connected events.

    Args:
        id: the ``story`` of its events.
        lead: the event with the most articles and links among those with a headline that no report refutes; it gives
            the story its title.
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
        _check_integrity(self.articles, self.events, self.links, self.claims)

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
        """Return the open causal links that end at this event, those of the greatest weight first."""
        return self._open_causal(link for link in self.links_of(event_id) if link.target == event_id)

    def effects_of(self, event_id: str) -> tuple[Link, ...]:
        """Return the open causal links that start at this event, those of the greatest weight first."""
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
            self,
            links=tuple(link for link in self.links if any(evidence.kind in kinds for evidence in link.evidence)),
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
        """Return the stories, those with the greatest total weight of links first.

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
        return tuple(sorted(causal, key=lambda link: (-link.weight, link.source, link.target)))

    def _story(self, name: str, members: Iterable[Event], links: Iterable[Link]) -> Story:
        events = sort_by_time(members)

        def importance(event: Event) -> tuple[bool, bool, int]:
            links = self.links_of(event.id)
            refuted = any(link.kind is LinkKind.REFUTES and link.source == event.id for link in links)
            return has_headline(event), not refuted, len(event.articles) + len(links)

        lead = max(events, key=importance)
        return Story(name, lead, events, tuple(links))

    @cached_property
    def _events_by_id(self) -> dict[str, Event]:
        return {event.id: event for event in self.events}

    @cached_property
    def _claims_by_id(self) -> dict[str, Claim]:
        return {claim.id: claim for claim in self.claims}

    @cached_property
    def _links_by_event(self) -> dict[str, tuple[Link, ...]]:
        links_at: defaultdict[str, list[Link]] = defaultdict(list)
        for link in self.links:
            links_at[link.source].append(link)
            links_at[link.target].append(link)
        return {event: tuple(links) for event, links in links_at.items()}

    @cached_property
    def _claims_by_event(self) -> dict[str, tuple[Claim, ...]]:
        claims_of: defaultdict[str, list[Claim]] = defaultdict(list)
        for claim in self.claims:
            claims_of[claim.event].append(claim)
        return {event: tuple(claims) for event, claims in claims_of.items()}


def _importance(story: Story) -> tuple[float, int, int, str]:
    reports = sum(len(event.articles) for event in story.events)
    return fsum(link.weight for link in story.links), len(story.events), reports, story.id


def _check_integrity(
    articles: Mapping[str, Article], events: Iterable[Event], links: Iterable[Link], claims: Iterable[Claim]
) -> None:
    """Raise ``InputError`` at the first duplicate id, unknown id or wrong span."""
    members: dict[str, frozenset[str]] = {}
    event_of: dict[str | Mention, str] = {}
    for event in events:
        _require(event.id not in members, event.id, "two events have this id")
        members[event.id] = frozenset(event.articles)
        _check_event(event, articles)
        _check_partition(event, event_of)

    claim_ids: set[str] = set()
    for claim in claims:
        _require(claim.id not in claim_ids, claim.id, "two claims have this id")
        claim_ids.add(claim.id)
        _check_claim(claim, articles, members)

    link_keys: set[tuple[str, str, str]] = set()
    for link in links:
        key = (link.source, link.target, link.kind)
        _require(key not in link_keys, _link_name(link), f"two links of kind {link.kind.value!r} join these events")
        link_keys.add(key)
        _check_link(link, members, event_of, claim_ids)


def _check_event(event: Event, articles: Mapping[str, Article]) -> None:
    _require(bool(event.articles), event.id, "the event has no articles")
    for article in event.articles:
        _require(article in articles, event.id, f"the event's article {article!r} is not in the graph")
    if not event.mentions:
        return
    mentioned = {mention.article for mention in event.mentions}
    _require(mentioned == set(event.articles), event.id, "the event's articles are not those of its mentions")
    _require(
        event.named_by < len(event.mentions), event.id, "'named_by' is not the index of one of the event's mentions"
    )
    for mention in event.mentions:
        start, end = mention.span
        _require(mention.field in ARTICLE_FIELDS, event.id, f"{mention.field!r} is no part of an article")
        longest = len(articles[mention.article].title) if mention.field == "title" else end
        _require(0 <= start < end <= longest, event.id, f"the mention's span {start}:{end} is not in its article")


def _check_partition(event: Event, event_of: dict[str | Mention, str]) -> None:
    """Check that each mention (or article, if there are no mentions) is in one event; extend ``event_of``."""
    for member in event.mentions or event.articles:
        first = event_of.setdefault(member, event.id)
        if isinstance(member, str):
            what, where = "the article", member
        else:
            what = f"the mention at {member.span[0]}:{member.span[1]} of {member.field}"
            where = member.article
        _require(first == event.id, where, f"{what} is in two events, {first!r} and {event.id!r}")


def _check_claim(claim: Claim, articles: Mapping[str, Article], members: Mapping[str, frozenset[str]]) -> None:
    _require(claim.event in members, claim.id, f"the claim's event {claim.event!r} is not in the graph")
    _require(
        claim.article in members[claim.event],
        claim.id,
        f"the claim's article {claim.article!r} is not one of event {claim.event!r}",
    )
    _require(claim.field in ARTICLE_FIELDS, claim.id, f"{claim.field!r} is no part of an article a claim can be in")
    start, end = claim.sentence
    said = getattr(articles[claim.article], claim.field)[start:end]
    _require(said == claim.quote, claim.id, f"the claim's quote is not the text at {start}:{end} of its article")


def _check_link(
    link: Link, members: Mapping[str, frozenset[str]], event_of: Mapping[str | Mention, str], claim_ids: set[str]
) -> None:
    """Check a link and its evidence.

    Args:
        members: ids of the articles of each event.
        event_of: the event of each mention.
    """
    where = _link_name(link)
    for event in (link.source, link.target, link.closed_by):
        _require(event is None or event in members, where, f"the link's event {event!r} is not in the graph")
    _require(link.source != link.target, where, "the link joins an event to itself")
    _require(bool(link.evidence), where, "the link has no evidence")
    for evidence in (*link.evidence, *link.denied_by):
        match evidence:
            case ClaimEvidence(claim):
                _require(claim in claim_ids, where, f"the evidence {claim!r} is not in the graph")
            case HeadlineEvidence():
                for article, event in (
                    (evidence.source_article, link.source),
                    (evidence.target_article, link.target),
                ):
                    is_of_event = article in members[event]
                    _require(is_of_event, where, f"the evidence's article {article!r} is not one of event {event!r}")
            case ImpliedEvidence():
                for mention, event in ((evidence.cause, link.source), (evidence.effect, link.target)):
                    place = f"{mention.span[0]}:{mention.span[1]} of {mention.field} of {mention.article!r}"
                    is_of_event = event_of.get(mention) == event
                    _require(is_of_event, where, f"the mention at {place} is not one of event {event!r}")


def _link_name(link: Link) -> str:
    return f"{link.source} -> {link.target}"


def _require(holds: bool, where: str, message: str) -> None:
    if not holds:
        raise InputError(message, where=where)
