"""A story in short: what happened, what led to it, what followed, what is disputed, and what is planned.

A wrong line is worse than a missing one, and a line that says again what another said is no line. So a link is told
only if it is rather sure, in a whole sentence of an article, and once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from whywire.elements import (
    ClaimEvidence,
    Contradiction,
    Event,
    EvidenceKind,
    HeadlineEvidence,
    Link,
    LinkKind,
    time_range,
)
from whywire.graph.brief_lines import Line, line_of_denial, line_of_event, lines_of_event, lines_of_link
from whywire.graph.causal_graph import CausalGraph, Story
from whywire.graph.main_events import main_events
from whywire.graph.plans import is_dated, is_plan
from whywire.graph.restating import reports_the_same, restates, says_all_of, tells_the_same
from whywire.graph.standing_alone import stands_alone
from whywire.news.language import PRONOUNS

FEW = 2
"""The most lines of a kind, and the lines of cause and effect from which nothing else of the story is told."""

LEAST = 0.5
"""The probability from which a link of the main event is told."""

LEAST_SAID = 0.35
"""The probability from which a link that a sentence says is told if no surer one is known."""

LEAST_IMPLIED_CAUSE = 0.42
"""The probability from which a cause that no sentence says is told if no surer one is known. In 127 other stories of
news 5 of 7 such causes were right, and 2 of 6 effects as sure, so no effect is."""

LEAST_ELSEWHERE, LEAST_IMPLIED_ELSEWHERE = 0.5, 0.6
"""The probability from which another link of the story is told: if a sentence says it, and if none does."""


@dataclass(frozen=True, slots=True)
class Brief:
    """What a reader should know first of a story. Links of the greatest weight come first, at most ``FEW`` of a kind.

    Args:
        main: the main events, in order of time, one for each sentence; the lead is one of them.
        causes: what led to the lead.
        effects: what the lead led to.
        elsewhere: other links of main events, if little is known of the lead's.
        disputed: refutations, and causes that somebody denies or that a denial closed.
        planned: what is announced and has not happened.
    """

    main: tuple[Event, ...]
    causes: tuple[Line, ...]
    effects: tuple[Line, ...]
    elsewhere: tuple[Line, ...]
    disputed: tuple[Line, ...]
    planned: tuple[Line, ...]


def brief_of(graph: CausalGraph, story: Story) -> Brief:
    """Sum up a story of a graph."""
    main = main_events(story)
    refuted, contradicts_lead = _refuted(story), _refuting(story.lead, story)
    # other reports of what the lead tells, which are events of their own, have causes and effects too
    leads = {
        event.id
        for event in story.events
        if event.id not in contradicts_lead and reports_the_same(event.title, story.lead.title, event.language)
    }
    leads.add(story.lead.id)
    causal = sorted(
        (
            link
            for link in story.links
            if link.kind is LinkKind.CAUSES and not link.closed_by and not refuted & {link.source, link.target}
        ),
        key=lambda link: (-link.weight, link.source, link.target),
    )
    told = _Told(graph, story.lead.title, [graph.event(name) for name in sorted(refuted - leads)])
    to_lead = [link for link in causal if link.target in leads and link.source not in leads]
    causes = told.lines(
        [link for link in to_lead if told.adds_to_headline(link.source)],
        lambda link: [link.source],
        LEAST_IMPLIED_CAUSE,
    )
    effects = told.lines(
        [
            link
            for link in causal
            if link.source in leads and link.target not in leads and told.adds_to_headline(link.target)
        ],
        lambda link: [link.target],
        LEAST,
    )
    told.events += map(graph.event, sorted(leads))
    names = {event.id for event in main}
    others = [
        link for link in causal if names & {link.source, link.target} and not leads & {link.source, link.target}
    ]
    others.sort(key=lambda link: not {link.source, link.target} <= names)
    if not causes:
        # a cause that only the headline's own words name is told by what led to it, or what else it led to
        known = {link.source for link in to_lead if link.probability >= LEAST_SAID}
        causes = told.lines_elsewhere(
            [link for link in others if link.target in known or (link.source in known and _is_said(link))], 1
        )
    elsewhere = told.lines_elsewhere(others, FEW - len(causes) - len(effects))
    disputed = sorted(
        (link for link in story.links if link.kind is LinkKind.REFUTES or link.denied_by or link.closed_by),
        key=lambda link: (-link.weight, link.source, link.target),
    )
    return Brief(
        main=_one_a_sentence(main, story.lead, graph),
        causes=causes,
        effects=effects,
        elsewhere=elsewhere,
        disputed=_once((line_of_denial(link, graph) for link in disputed), story.lead)[:FEW],
        planned=tuple(islice(told.planned(_planned(story, main, refuted), _latest(story)), FEW)),
    )


def _one_a_sentence(events: Sequence[Event], lead: Event, graph: CausalGraph) -> tuple[Event, ...]:
    """Events without those that the sentence of an earlier one tells too; the lead stays."""
    told = set(line_of_event(lead, graph).texts)
    kept: list[Event] = []
    for event in events:
        texts = line_of_event(event, graph).texts
        if event is lead or told.isdisjoint(texts):
            kept.append(event)
            told.update(texts)
    return tuple(kept)


def _planned(story: Story, main: Sequence[Event], refuted: set[str]) -> list[Event]:
    """The planned events to tell, best first: with a date those of the main events, then others; then without one."""
    others = (event for event in story.events if event not in main and is_dated(event))
    events = [*main, *sorted(others, key=lambda event: (-len(event.articles), event.id))]
    return sorted(
        (event for event in events if event.planned and event.id not in refuted),
        key=lambda event: not is_dated(event),
    )


def _latest(story: Story) -> date | None:
    """The day of the latest report of a story."""
    _, latest = time_range(event.last_seen for event in story.events)
    return latest.at.date() if latest else None


def _refuted(story: Story) -> set[str]:
    """The events that a later report refutes: they are disputed, and nothing is told of them as if they stood.

    A lead of which only a number was corrected stands: the fire whose toll rose did happen.
    """
    refutations = [link for link in story.links if link.kind is LinkKind.REFUTES]
    return {link.source for link in refutations if link.source != story.lead.id or not _corrects_a_number(link)}


def _refuting(event: Event, story: Story) -> set[str]:
    """The events that refute an event."""
    return {link.target for link in story.links if link.kind is LinkKind.REFUTES and link.source == event.id}


def _corrects_a_number(link: Link) -> bool:
    return all(
        isinstance(piece, HeadlineEvidence) and piece.contradicts is Contradiction.NUMBER for piece in link.evidence
    )


class _Told:
    """What a brief has told already: events, and sentences; and the refuted events, which it must not tell."""

    def __init__(self, graph: CausalGraph, headline: str, refuted: Sequence[Event]) -> None:
        self._graph = graph
        self._headline = headline
        self.events: list[Event] = []
        self._refuted = refuted
        self._texts: list[str] = []

    def lines(
        self, links: Sequence[Link], unknown: Callable[[Link], list[str]], least_implied: float
    ) -> tuple[Line, ...]:
        """The lines of links of the lead: the sure ones, else the best that a sentence says, else the best.

        Args:
            unknown: the ends of a link that the reader does not know yet; the line is about the last.
            least_implied: the least probability of the best.
        """
        sure = [link for link in links if link.probability >= LEAST]
        said = [link for link in links if link.probability >= LEAST_SAID and _is_said(link)]
        rest = [link for link in links if link.probability >= least_implied]
        return self._tell(sure, unknown, FEW) or self._tell(said, unknown, 1) or self._tell(rest, unknown, 1)

    def adds_to_headline(self, name: str) -> bool:
        """Whether an event is more than the headline says itself: "plant shut, 320 sent home"."""
        event = self._graph.event(name)
        return not restates(event.title, self._headline, event.language)

    def lines_elsewhere(self, links: Iterable[Link], most: int) -> tuple[Line, ...]:
        """The lines of other links that are sure, and whose words say of whom they speak."""
        sure = (
            link
            for link in links
            if link.probability >= (LEAST_ELSEWHERE if _is_said(link) else LEAST_IMPLIED_ELSEWHERE)
            and not any(map(_opens_with_pronoun, self._ends(link)))
        )
        return self._tell(sure, lambda link: [link.source, link.target], most)

    def _tell(self, links: Iterable[Link], unknown: Callable[[Link], list[str]], most: int) -> tuple[Line, ...]:
        lines: list[Line] = []
        for link in links:
            if len(lines) >= most:
                break
            events = [self._graph.event(name) for name in unknown(link)]
            if self._says_nothing(link) or any(map(self._is_told, events)):
                continue
            line = next((line for line in lines_of_link(link, events[-1], self._graph) if self._is_new(line)), None)
            if line is not None:
                lines.append(line)
                self.events += events
                self._texts += line.texts
        return tuple(lines)

    def planned(self, events: Iterable[Event], latest: date | None) -> Iterator[Line]:
        """The lines of events that are planned, not only supposed, and not told yet."""
        for event in events:
            lines = (
                line
                for line in lines_of_event(event, self._graph)
                if is_plan(event, line.sentences[0], latest) and self._is_new(line)
            )
            line = None if self._is_told(event) else next(lines, None)
            if line is not None:
                self.events.append(event)
                self._texts += line.texts
                yield line

    def _is_told(self, event: Event) -> bool:
        return any(event is other or restates(event.title, other.title, event.language) for other in self.events)

    def _is_new(self, line: Line) -> bool:
        language = line.event.language
        if line.aim and any(restates(text, self._headline, language) for text in line.texts):
            return False  # what it tells is the headline, and an aim led to nothing
        return self._headline not in line.texts and not any(
            not stands_alone(text)
            or any(restates(text, other, language) for other in self._texts)
            or any(says_all_of(text, event.title, language) for event in self._refuted)
            for text in line.texts
        )

    def _says_nothing(self, link: Link) -> bool:
        """Whether the two ends of a link say one thing, or its cause is unknown."""
        source, target = self._ends(link)
        return bool(_UNKNOWN.search(source)) or restates(source, target, self._graph.event(link.source).language)

    def _ends(self, link: Link) -> tuple[str, str]:
        """The words for cause and effect: of the sentence that says it, else the titles.

        A title may have the words of the other end: the cause in "sold its airlines due to the pandemic" is in its
        own headline.
        """
        for piece in link.evidence:
            if isinstance(piece, ClaimEvidence):
                claim = self._graph.claim(piece.claim)
                if claim.cause and claim.effect:
                    return claim.words(claim.cause), claim.words(claim.effect)
        return self._graph.event(link.source).title, self._graph.event(link.target).title


def _is_said(link: Link) -> bool:
    return any(piece.kind is EvidenceKind.SAID for piece in link.evidence)


def _opens_with_pronoun(words: str) -> bool:
    return words.split(maxsplit=1)[0].strip("\"'“«").casefold() in PRONOUNS


_UNKNOWN = re.compile(
    r"\b(?:undisclosed|unknown|unclear|unspecified|undetermined) (?:causes?|reasons?|circumstances)\b"
    r"|\b(?:неизвестн|невыясненн|неустановленн)\w+ (?:причин|обстоятельств)\w*",
    re.IGNORECASE,
)
"""A cause that nobody names."""


def _once(lines: Iterable[Line], lead: Event) -> tuple[Line, ...]:
    """Lines without those that say what another one says."""
    kept: list[Line] = []
    for line in lines:
        if not any(tells_the_same(line.texts[-1], other.texts[-1], lead.language) for other in kept):
            kept.append(line)
    return tuple(kept)
