"""Which events of a graph somebody means by a few words.

Where the words of events have all of those asked for, the event that most is known of is meant: the one with the
most reports and links, and of equals the one reported first. Words that many events of one story have, and no single
one is near to, name a thing (a drug, a firm, a town) and not an event; then all these events are meant. Which error
is worse? To answer for one event of many, and say nothing of the others' causes and effects, looks like the whole
answer; who wanted one event sees from each answer whose it is, and can name it by its id or title. Where no event has
all the words, the model is asked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import nlargest

from whywire.elements import Event, MentionKind, sort_by_time
from whywire.errors import InputError
from whywire.events.assembling import own_words
from whywire.events.time.tenses import main_marks
from whywire.graph.causal_graph import CausalGraph
from whywire.language_models import LanguageModels
from whywire.news.distinctive_terms import stems
from whywire.news.language import Language

NEAR = 0.25
"""The probability, by their embeddings, that words and a headline tell of one event, from which they are taken to."""

LOOKED_AT = 200
"""So many events at most, those that share the most words, are shown to the model: in a big graph all would take
long, and one that shares none is hardly what was meant."""

MANY = 3
"""So many events must have the words that are to name a thing."""

NEARLY_ALL = 2 / 3
"""The share of a title's words from which the words asked for name that very event."""

_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Meant:
    """What somebody means by a few words.

    Args:
        words: as they were asked.
        events: the event meant; or those of one story that name the thing meant, most reports and links first.
        others: other events that have the words, in the same order.
    """

    words: str
    events: tuple[Event, ...]
    others: tuple[Event, ...] = ()

    @property
    def event(self) -> Event:
        """The event meant, or of those that name the thing the one with most reports and links."""
        return self.events[0]

    @property
    def is_thing(self) -> bool:
        """Whether the words name a thing, and several events are meant."""
        return len(self.events) > 1

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the events meant."""
        return frozenset(event.id for event in self.events)


def find_meant(graph: CausalGraph, text: str, models: LanguageModels) -> Meant:
    """Find the event that an id, a headline, or a few words mean, or the events of a story that name a thing.

    Raises:
        InputError: no event is near.
    """
    found = find_events(graph, text, models)
    words = " ".join(text.split())
    counts = Counter(event.story for event in found if event.story is not None)
    story, count = counts.most_common(1)[0] if counts else (None, 0)
    if count < MANY or 2 * count <= len(found) or _names_an_event(graph, words, found):
        return Meant(words, (found[0],), tuple(found[1:]))
    inside = tuple(event for event in found if event.story == story)
    return Meant(words, inside, tuple(event for event in found if event.story != story))


def _names_an_event(graph: CausalGraph, words: str, found: Iterable[Event]) -> bool:
    """Whether words have a verb in the past or the future, or are nearly all of a title or headline."""
    if main_marks(words, _language_of(words)):
        return True
    asked = len(stems(words))
    titles = (stems(title) for event in found for title in (event.title, *_headlines(graph, event)))
    return any(asked >= NEARLY_ALL * len(title) for title in titles if title)


def find_events(graph: CausalGraph, text: str, models: LanguageModels) -> list[Event]:
    """Find the events that an id, a headline, or a few words may mean, the likeliest first.

    An event named by words that need a headline in brackets is only looked for by that where no other has the words.

    Raises:
        InputError: no event is near.
    """
    wanted = " ".join(text.split())
    events = sort_by_time(graph.events)
    titles = [(event, words) for event in events for words in dict.fromkeys((event.title, *_headlines(graph, event)))]
    for event, words in titles:
        if wanted == event.id or wanted.casefold() == words.casefold():
            return [event]
    own = [(event, own_words(event, graph.articles)) for event in events]
    told = [*own, *((event, words) for event, words in titles if words != event.title)]
    for namings in (told, titles):
        if named := {event.id: event for event in _having(namings, wanted)}:
            return sorted(named.values(), key=lambda event: -(len(event.articles) + len(graph.links_of(event.id))))
    asked = stems(wanted)
    shared = [len(asked & stems(words)) for _, words in titles]
    near = [place for place in nlargest(LOOKED_AT, range(len(titles)), shared.__getitem__) if shared[place]]
    if near:
        model = models.headlines(_language_of(wanted))
        vectors = model.embed([wanted, *(titles[place][1] for place in near)])
        probabilities = model.same_event_by_cosine(vectors[1:] @ vectors[0])
        if probabilities.max() >= NEAR:
            return [titles[near[int(probabilities.argmax())]][0]]
    raise InputError(
        f"no event of the news is near {text.strip()!r}", hint="give its id, its title, or more words of a headline"
    )


def _having(namings: Iterable[tuple[Event, str]], wanted: str) -> Iterator[Event]:
    """The events whose words have all of those wanted, or the whole phrase."""
    asked, phrase = stems(wanted), re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)", re.IGNORECASE)
    for event, words in namings:
        if (asked and asked <= stems(words)) or (wanted and phrase.search(words)):
            yield event


def _language_of(words: str) -> Language:
    return Language.RUSSIAN if _CYRILLIC.search(words) else Language.ENGLISH


def _headlines(graph: CausalGraph, event: Event) -> Iterator[str]:
    """The headlines that mention an event; in a graph without mentions those of its reports."""
    mentions = (one.article for one in event.mentions if one.kind is MentionKind.HEADLINE)
    return (graph.articles[article].title for article in (mentions if event.mentions else event.articles))
