"""Looks up the events of a graph that a few words refer to.

Among the events that have all the words, the event with the most reports and links is taken; ties go to the event
reported first. Words that several events of one story share, and that make up no single title, refer to an entity (a
drug, a firm, a town), and all these events are taken: an answer for one of them would look complete and hide the
causes and effects of the rest, while an answer for all names the event of each line, and an id or a title selects one
event. If no event has all the words, the pair model compares them with the titles by embedding.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import nlargest

from whywire.elements import Event, MentionKind, sort_by_time
from whywire.errors import InputError
from whywire.events.time.tenses import main_marks
from whywire.graph.causal_graph import CausalGraph
from whywire.language_models import LanguageModels
from whywire.news.language import language_by_letters
from whywire.news.stems import stems

MIN_SAME_EVENT = 0.2
"""The least probability, by embeddings, that the words and a headline are about the same event."""

MAX_COMPARED = 200
"""The most titles compared by embedding: those that share the most words. Comparing all titles of a large graph takes
long, and the right event nearly always shares a word with the query."""

MIN_ENTITY_EVENTS = 3
"""How many events of one story must have all the words of an entity."""

MIN_TITLE_SHARE = 2 / 3
"""Words that are at least this share of a title's words refer to its event alone."""


@dataclass(frozen=True, slots=True)
class EventMatch:
    """The events that a few words refer to.

    Args:
        words: the words, in one line.
        events: one event; or the events of a story that name an entity, those with most reports and links first.
        others: other events with these words, in the same order.
    """

    words: str
    events: tuple[Event, ...]
    others: tuple[Event, ...] = ()

    @property
    def event(self) -> Event:
        """The event referred to; for an entity, its event with the most reports and links."""
        return self.events[0]

    @property
    def is_entity(self) -> bool:
        """Whether the words name an entity, so that they refer to several events."""
        return len(self.events) > 1

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the events referred to."""
        return frozenset(event.id for event in self.events)


def look_up(graph: CausalGraph, text: str, models: LanguageModels) -> EventMatch:
    """Find the event that the text names by id, headline or words.

    If the text is an entity, find the events of one story that name it.

    Raises:
        InputError: no event matches.
    """
    events = events_named(graph, text, models)
    words = " ".join(text.split())
    counts = Counter(event.story for event in events if event.story is not None)
    story, count = counts.most_common(1)[0] if counts else (None, 0)
    if count < MIN_ENTITY_EVENTS or 2 * count <= len(events) or _names_one_event(graph, words, events):
        return EventMatch(words, (events[0],), tuple(events[1:]))
    inside = tuple(event for event in events if event.story == story)
    return EventMatch(words, inside, tuple(event for event in events if event.story != story))


def _names_one_event(graph: CausalGraph, words: str, events: Iterable[Event]) -> bool:
    """Whether words have a verb in the past or the future, or are nearly all of a title or headline."""
    if main_marks(words, language_by_letters(words)):
        return True
    asked = len(stems(words))
    titles = (stems(title) for event in events for title in (event.title, *_headlines(graph, event)))
    return any(asked >= MIN_TITLE_SHARE * len(title) for title in titles if title)


def events_named(graph: CausalGraph, text: str, models: LanguageModels) -> list[Event]:
    """List the events with an id, a headline or these words, those with most reports and links first.

    Raises:
        InputError: no event matches.
    """
    wanted = " ".join(text.split())
    events = sort_by_time(graph.events)
    titles = [(event, words) for event in events for words in dict.fromkeys((event.title, *_headlines(graph, event)))]
    for event, words in titles:
        if wanted == event.id or wanted.casefold() == words.casefold():
            return [event]
    if named := {event.id: event for event in _having(titles, wanted)}:
        return sorted(named.values(), key=lambda event: -(len(event.articles) + len(graph.links_of(event.id))))
    asked = stems(wanted)
    shared = [len(asked & stems(words)) for _, words in titles]
    near = [place for place in nlargest(MAX_COMPARED, range(len(titles)), shared.__getitem__) if shared[place]]
    if near:
        model = models.pairs(language_by_letters(wanted))
        vectors = model.embed([wanted, *(titles[place][1] for place in near)])
        probabilities = model.same_event_by_cosine(vectors[1:] @ vectors[0])
        if probabilities.max() >= MIN_SAME_EVENT:
            return [titles[near[int(probabilities.argmax())]][0]]
    raise InputError(
        f"no event of the news matches {text.strip()!r}", hint="give its id, its title, or more words of a headline"
    )


def _having(namings: Iterable[tuple[Event, str]], wanted: str) -> Iterator[Event]:
    """The events that have all the words, or the whole phrase."""
    asked, phrase = stems(wanted), re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)", re.IGNORECASE)
    for event, words in namings:
        if (asked and asked <= stems(words)) or (wanted and phrase.search(words)):
            yield event


def _headlines(graph: CausalGraph, event: Event) -> Iterator[str]:
    """The headlines that mention an event; in a graph without mentions those of its reports."""
    mentioning = (mention.article for mention in event.mentions if mention.kind is MentionKind.HEADLINE)
    return (graph.articles[article].title for article in (mentioning if event.mentions else event.articles))
