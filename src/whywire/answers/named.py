"""Which event of a graph somebody means by a few words.

Where the words of events have all of those asked for, the event that most is known of is meant: the one with the most
reports and links, and of equals the one reported first. Where none has them all, the model is asked.
"""

from __future__ import annotations

import re
from heapq import nlargest

from whywire.errors import InputError
from whywire.graph.causal_graph import CausalGraph, in_order_of_time
from whywire.graph.elements import Event, MentionKind
from whywire.headlines.words import stems
from whywire.language_models import LanguageModels
from whywire.news.language import Language

NEAR = 0.25
"""The probability, by their embeddings, that words and a headline tell of one event, from which they are taken to."""

LOOKED_AT = 200
"""So many events at most, those that share the most words, are shown to the model: in a big graph all would take
long, and one that shares none is hardly what was meant."""

_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)


def find_events(graph: CausalGraph, text: str, models: LanguageModels) -> list[Event]:
    """Find the events that an id, a headline, or a few words may mean, the likeliest first.

    Raises:
        InputError: no event is near.
    """
    wanted = " ".join(text.split())
    told = [(event, words) for event in in_order_of_time(graph.events) for words in _names(graph, event)]
    for event, words in told:
        if wanted == event.id or wanted.casefold() == words.casefold():
            return [event]
    asked, phrase = stems(wanted), re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)", re.IGNORECASE)
    shared = [len(asked & stems(words)) for _, words in told]
    named = {
        event.id: event
        for (event, words), count in zip(told, shared, strict=True)
        if (asked and count == len(asked)) or (wanted and phrase.search(words))
    }
    if named:
        return sorted(named.values(), key=lambda event: -(len(event.articles) + len(graph.links_of(event.id))))
    near = [place for place in nlargest(LOOKED_AT, range(len(told)), shared.__getitem__) if shared[place]]
    if near:
        model = models.headlines(Language.RUSSIAN if _CYRILLIC.search(wanted) else Language.ENGLISH)
        vectors = model.embed([wanted, *(told[place][1] for place in near)])
        probabilities = model.same_event_by_cosine(vectors[1:] @ vectors[0])
        if probabilities.max() >= NEAR:
            return [told[near[int(probabilities.argmax())]][0]]
    raise InputError(
        f"no event of the news is near {text.strip()!r}", hint="give its id, its title, or more words of a headline"
    )


def _names(graph: CausalGraph, event: Event) -> list[str]:
    """The title of an event and the headlines that mention it; in a graph without mentions those of its reports."""
    headlines = (
        [one.article for one in event.mentions if one.kind is MentionKind.HEADLINE]
        if event.mentions
        else event.articles
    )
    return list(dict.fromkeys([event.title, *(graph.articles[article].title for article in headlines)]))
