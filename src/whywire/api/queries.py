"""``whywire.why``, ``effects``, ``chain`` and ``timeline``: questions to a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from whywire.answers.event_lookup import EventMatch, look_up
from whywire.answers.question import Question, parse_question
from whywire.answers.search import Answers, find_answers
from whywire.api.graphs import GraphInput, open_graph
from whywire.elements import Event, Link, LinkKind
from whywire.errors import InputError
from whywire.events.phrasing import rephrase
from whywire.events.timeline import DatedEvent, Timeline, dated, in_order, is_worth_listing
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.paths import CausalPath, paths_between, root_causes
from whywire.language_models import LanguageModels
from whywire.news import Problem
from whywire.progress import Progress


@dataclass(frozen=True, slots=True)
class LinkedEvents:
    """The causes of an event, or its effects.

    Args:
        match: the event asked about, or several events if the words name an entity.
        links: causal links that end (for causes) or begin (for effects) at one of these events; open ones first, then
            the strongest.
    """

    match: EventMatch
    links: tuple[Link, ...]


def find_event(words: str, source: GraphInput, *, models: LanguageModels | None = None) -> EventMatch:
    """Find the event that a few words refer to, or the events of a story that name an entity.

    >>> whywire.find_event("refinery fire", "graph").event.title

    Args:
        words: an event's id, its title, or words of its headlines; or an entity named in several events of one story.

    Raises:
        InputError: no event matches.
    """
    models = models or LanguageModels()
    return look_up(open_graph(source, asked=[words], models=models), words, models)


def why(
    question: str | EventMatch, source: GraphInput, *, models: LanguageModels | None = None
) -> Answers | LinkedEvents:
    """Answer a question about a cause or an effect from the news; or find the causes of an event.

    >>> whywire.why("Why did petrol run short in Calder Bay?", "graph").answers[0].text
    >>> whywire.why("refinery fire", "graph").links

    Args:
        question: in English or Russian; or an event, as for :func:`effects`.
        source: a graph, folders that ``build`` wrote, or news.
        models: loaded models; the embedded ones by default.

    Returns:
        The answers to a question, each with the sentences that give it; for an event the links from its causes.

    Raises:
        InputError: the question asks neither for a cause nor for an effect, or no event matches the words.
    """
    if isinstance(question, EventMatch) or not is_question(question):
        return causes(question, source, models=models)
    return answer(question, source, models=models)


def answer(
    question: str | Question,
    source: GraphInput,
    *,
    as_of: str | None = None,
    limit: int | None = None,
    models: LanguageModels | None = None,
    progress: Progress | None = None,
    on_rejected: Callable[[Sequence[Problem]], object] | None = None,
) -> Answers:
    """Answer a question about a cause or an effect from the news, as :func:`why` does.

    >>> whywire.answer("What did the refinery fire lead to?", "graph").answers

    Args:
        as_of, progress, on_rejected: as for :func:`open_graph`.
        limit: the most answers, and the most denials; all by default.

    Raises:
        InputError: the question asks neither for a cause nor for an effect.
    """
    models = models or LanguageModels()
    asked = parse_question(question) if isinstance(question, str) else question
    graph = open_graph(
        source,
        asked=asked,
        as_of=as_of,
        language=asked.language,
        models=models,
        progress=progress,
        on_rejected=on_rejected,
    )
    return find_answers(asked, graph, models.pairs(asked.language), limit=limit)


def is_question(text: str) -> bool:
    """Whether a text is a question about a cause or an effect, rather than words for an event.

    Raises:
        InputError: it is a question, but asks neither for a cause nor for an effect.
    """
    try:
        parse_question(text)
    except InputError:
        if text.rstrip().endswith("?"):
            raise
        return False
    return True


def causes(event: str | EventMatch, source: GraphInput, *, models: LanguageModels | None = None) -> LinkedEvents:
    """Find what led to an event; arguments are those of :func:`effects`.

    >>> whywire.causes("filling stations ran out of petrol", "graph").links

    Raises:
        InputError: no event matches the words.
    """
    return _linked_events(event, source, models, of_effects=False)


def effects(event: str | EventMatch, source: GraphInput, *, models: LanguageModels | None = None) -> LinkedEvents:
    """Find what an event led to.

    >>> graph = whywire.open_graph("graph")
    >>> [graph.event(link.target).title for link in whywire.effects("refinery fire", graph).links]

    Args:
        event: its id, its title, or words of its headlines; an entity named in several events of one story; or a
            result of :func:`find_event`.
        source: a graph, folders that ``build`` wrote, or news.
        models: loaded models; the embedded ones by default.

    Raises:
        InputError: no event matches the words.
    """
    return _linked_events(event, source, models, of_effects=True)


def _linked_events(
    event: str | EventMatch, source: GraphInput, models: LanguageModels | None, *, of_effects: bool
) -> LinkedEvents:
    models = models or LanguageModels()
    graph = open_graph(source, asked=_words(event), models=models)
    match = _match(event, graph, models)
    links = [
        link
        for asked_about in match.events
        for link in graph.links_of(asked_about.id)
        if (link.closed_by or link.kind is LinkKind.CAUSES)
        and asked_about.id == (link.source if of_effects else link.target)
    ]
    links.sort(key=lambda link: (link.closed_by is not None, -link.weight, link.source, link.target))
    return LinkedEvents(match, tuple(links))


def chain(
    cause: str | EventMatch,
    effect: str | EventMatch,
    source: GraphInput,
    *,
    limit: int = 3,
    models: LanguageModels | None = None,
) -> list[CausalPath]:
    """Find how one event led to another, step by step, strongest path first.

    >>> path = whywire.chain("refinery fire", "filling stations ran out of petrol", "graph")[0]
    >>> path.events, path.strength

    Args:
        cause: an event, as for :func:`effects`.
        effect: another event.
        source: a graph, folders that ``build`` wrote, or news.
        limit: the most paths. A path is as strong as its weakest link.
        models: loaded models; the embedded ones by default.

    Raises:
        InputError: no event matches the words.
    """
    models = models or LanguageModels()
    graph = open_graph(source, asked=[*_words(cause), *_words(effect)], models=models)
    ends = (_match(end, graph, models).ids for end in (cause, effect))
    return list(islice(paths_between(graph, *ends), limit))


def roots(event: str | EventMatch, source: GraphInput, *, models: LanguageModels | None = None) -> list[CausalPath]:
    """Find the root causes of an event, which have no known cause themselves, each with its strongest path.

    >>> [path.events[0] for path in whywire.roots("filling stations ran out of petrol", "graph")]

    Args:
        event: as for :func:`effects`.
        source: a graph, folders that ``build`` wrote, or news.
        models: loaded models; the embedded ones by default.

    Raises:
        InputError: no event matches the words.
    """
    models = models or LanguageModels()
    graph = open_graph(source, asked=_words(event), models=models)
    return list(root_causes(graph, *_match(event, graph, models).ids))


def timeline(
    source: GraphInput,
    about: str | None = None,
    *,
    everything: bool = False,
    phrase: Callable[[str], str] | None = None,
    models: LanguageModels | None = None,
) -> Timeline:
    """List events in the order in which they happened, by the times that their words state, else by first report.

    >>> for dated in whywire.timeline("graph", "refinery fire").events:
    ...     print(dated.likely, dated.event.title)

    Args:
        source: a graph, folders that ``build`` wrote, or news.
        about: only events with these words, and those of the story that the words refer to.
        everything: list every event. Otherwise an event without a headline is listed only if its title has a verb in
            the past or the future tense that says more than that somebody spoke, and if it has a time more exact
            than a year, or several reports and a link.
        phrase: turns the title of an event into a sentence, for example by a language model. The sentence replaces
            the title if every name, number and content word of it occurs in the event's article.
        models: loaded models; the embedded ones by default.

    Raises:
        InputError: no event matches the words.
    """
    models = models or LanguageModels()
    graph = open_graph(source, models=models)
    listed = in_order(
        event
        for event in map(dated, _about(graph, about, models))
        if everything or is_worth_listing(event, linked=bool(graph.links_of(event.event.id)))
    )
    if phrase is None:
        return listed
    return replace(listed, events=tuple(_rephrased(event, graph, phrase) for event in listed.events))


def _words(event: str | EventMatch) -> list[str]:
    return [event] if isinstance(event, str) else [*event.ids]


def _match(event: str | EventMatch, graph: CausalGraph, models: LanguageModels) -> EventMatch:
    return look_up(graph, event, models) if isinstance(event, str) else event


def _about(graph: CausalGraph, words: str | None, models: LanguageModels) -> list[Event]:
    """The events with these words, and those of the story that the words refer to; all events without words."""
    if words is None:
        return list(graph.events)
    match = look_up(graph, words, models)
    ids, story = {event.id for event in (*match.events, *match.others)}, match.event.story
    return [event for event in graph.events if event.id in ids or (story is not None and event.story == story)]


def _rephrased(dated_event: DatedEvent, graph: CausalGraph, phrase: Callable[[str], str]) -> DatedEvent:
    event = dated_event.event
    article = graph.articles[event.mentions[event.named_by].article if event.mentions else event.articles[0]]
    title = rephrase(event.title, f"{article.title}\n{article.text}", phrase)
    return replace(dated_event, event=replace(event, title=title))
