"""Closes the links of retracted events: if a report is denied, so are its causes and effects.

A denial closes the links of the event that it denies, and of events that only repeat it in the text of a denied
report: "the blast forced a school to close". A denial of only a cause ("a leak did not cause the blast") closes the
links from that cause, for the blast happened.

Closing a link of something that happened is worse than leaving a denied link open. So a refutation that corrects a
number, names another culprit or calls off a plan closes nothing, for what it refutes happened or was planned. The
plea of an accused person closes nothing, either.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from whywire.elements import Contradiction, Event, HeadlineEvidence, Link, LinkKind, MentionKind
from whywire.events.contradictions import denies_cause_of, denies_words
from whywire.events.denials import is_plea, negates, said

MIN_SHARE_TOLD_AGAIN = 0.5
"""The share of an event's stems that the title of the denied report must contain to be the same event told again."""

MIN_SHARE_DENIED = 1 / 3
"""A denial closes the links of an event only if it denies this share of the event's mentions in further reports,
which neither are denied nor deny."""


@dataclass(frozen=True)
class Retractions:
    """The denials among the refutations of a graph.

    Args:
        event: from an id to the event.
        denied: from the id of a denied event to the id of the event that denies it.
        blamed: the same for events whose cause is denied.
        reports: from the id of an article whose headline tells of a denied event to the id of that event.
    """

    event: Callable[[str], Event]
    denied: Mapping[str, str] = field(default_factory=dict)
    blamed: Mapping[str, Collection[str]] = field(default_factory=dict)
    reports: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        links: Iterable[Link],
        event: Callable[[str], Event],
        words: Callable[[str], Sequence[tuple[str, str]]] = lambda _: (),
    ) -> Retractions:
        """The retractions among some links.

        Args:
            event: from an id to the event.
            words: from the id of an event to its mentions in texts, the id of the article and the words of each. A
                denial of sabotage in a fire does not deny an event that other reports mention as the fire.
        """
        denied: dict[str, str] = {}
        blamed: defaultdict[str, set[str]] = defaultdict(set)
        for link in links:
            found = {one.contradicts for one in link.evidence if isinstance(one, HeadlineEvidence)}
            if link.kind is not LinkKind.REFUTES or not _denies(event(link.target).title):
                continue
            if Contradiction.ATTRIBUTION in found:  # in any pair of headlines: the narrower denial
                blamed[link.source].add(link.target)
            elif Contradiction.POLARITY in found:
                reports = {*_reports(event(link.source)), *_reports(event(link.target))}
                elsewhere = [one for article, one in words(link.source) if article not in reports]
                if _are_denied(elsewhere, event(link.target).title):
                    denied[link.source] = link.target
        return cls(event, denied, blamed, {one: name for name in denied for one in _reports(event(name))})

    def close(self, link: Link) -> Link:
        """The link, closed if it is causal and was retracted. A denial does not close the links it is part of."""
        if link.kind is not LinkKind.CAUSES:
            return link
        ends = link.source, link.target
        by = next((name for name in map(self._denied, ends) if name), None) or self._blamed(link)
        return link if by is None or by in ends else replace(link, closed_by=by)

    def _denied(self, name: str) -> str | None:
        """The event that denies this event, or that denies in its words the event of all its reports."""
        if name in self.denied or not self.reports:
            return self.denied.get(name)
        event = self.event(name)
        reported = {self.reports.get(article) for article in event.articles}
        told = next(iter(reported)) if len(reported) == 1 else None
        if told is None:
            return None
        by = self.denied[told]
        again = said(event.title)
        known = len(again & said(self.event(told).title)) >= MIN_SHARE_TOLD_AGAIN * len(again)
        return by if known and denies_words(self.event(by).title, event.title) else None

    def _blamed(self, link: Link) -> str | None:
        """The event that denies that the link's source led to its target."""
        cause = self.event(link.source).title
        return next(
            (by for by in sorted(self.blamed.get(link.target, ())) if denies_cause_of(self.event(by).title, cause)),
            None,
        )


def _are_denied(words: Sequence[str], denial: str) -> bool:
    """Whether a headline denies a sufficient share of the mentions; true if there are none."""
    return sum(denies_words(denial, one) for one in words) >= MIN_SHARE_DENIED * len(words)


def _reports(event: Event) -> Iterable[str]:
    """The ids of the articles whose headlines tell of an event."""
    if not event.mentions:
        return event.articles
    return (one.article for one in event.mentions if one.kind is MentionKind.HEADLINE)


def _denies(headline: str) -> bool:
    return negates(headline) and not is_plea(headline)
