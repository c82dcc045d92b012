"""Past causes and effects of a graph, as analogues for prediction.

An analogue is a causal link between two events that happened in one story. Its effect must be understood by readers
who do not know that story, since they will compare it with another one. Links that are more likely wrong than right,
refuted links and effects that are only planned are left out: nobody can say that they happened. So are sentences that
support no link: what they name is often no event.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from whywire.elements import Event, Link, LinkKind, has_headline, time_range
from whywire.events.timeline import reads_like_a_report
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.frames import MIN_PROBABILITY
from whywire.graph.main_events import restates
from whywire.news import Article, Published
from whywire.news.language import PRONOUNS

MIN_WORDS = 4
"""An effect with fewer words ("the slump", "going abroad") cannot be understood without its sentence."""

_APOSTROPHE = re.compile("['’]")
"""Splits a pronoun from its verb: "we’re"."""


@dataclass(frozen=True, slots=True)
class Analogue:
    """A past cause and its effect.

    Args:
        story: id of the story of both; of the cause if it belongs to no story.
        story_title: the title of that story's lead, or of the cause.
        articles: those that the most probable evidence of the link is from, that of the effect last.
    """

    cause: Event
    effect: Event
    link: Link
    story: str
    story_title: str
    articles: tuple[Article, ...]

    @property
    def known_since(self) -> Published | None:
        """When both events had been reported; ``None`` if no time is known."""
        return time_range((self.cause.first_seen, self.effect.first_seen))[1]


def analogues_of_graph(graph: CausalGraph) -> Iterator[Analogue]:
    """The analogues of a graph, in the order of its links."""
    titles = {story.id: story.title for story in graph.stories()}
    for link in graph.links:
        if link.kind is LinkKind.CAUSES and link.closed_by is None and link.probability >= MIN_PROBABILITY:
            analogue = _of_link(graph, link, titles)
            if _is_understandable(analogue.effect) and not restates(analogue.cause, analogue.effect):
                yield analogue


def story_of(event: Event) -> str:
    """The id of an event's story; of the event if it belongs to none."""
    return event.story or event.id


def _of_link(graph: CausalGraph, link: Link, titles: Mapping[str, str]) -> Analogue:
    cause, effect = graph.event(link.source), graph.event(link.target)
    story = story_of(cause)
    articles = tuple(graph.articles[name] for name in graph.articles_of(link.evidence[0]))
    return Analogue(cause, effect, link, story, titles.get(story, cause.title), articles)


def _is_understandable(effect: Event) -> bool:
    """Whether an event happened, and its title says what without its sentence."""
    words = effect.title.split()
    first = _APOSTROPHE.split(words[0])[0]
    is_name = len(first) > 1 and first.isupper()  # "US", "IT"
    return (
        not effect.planned
        and len(words) >= MIN_WORDS
        and (is_name or first.lower() not in PRONOUNS)
        and (has_headline(effect) or reads_like_a_report(effect))
    )
