"""Asking a graph: what led to something, what it led to, in which order, and what may follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from whywire.answers.analogues import FLOOR, MOST
from whywire.answers.named import Meant, find_meant
from whywire.answers.predictions import PLAUSIBLE, Prediction, ranked
from whywire.answers.predictor import Predictor
from whywire.answers.question import parse_question
from whywire.answers.search import Found, find_answers
from whywire.answers.told import told_of_graph
from whywire.api.graphs import GraphInput, open_graph
from whywire.api.news_input import to_article
from whywire.elements import Event, Link, LinkKind
from whywire.errors import InputError
from whywire.events.timeline import Timeline, dated, in_order, is_worth_listing
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.chains import Chain, chains
from whywire.graph.frames import Frame, frames
from whywire.graph.paths import Path, paths_between, root_causes
from whywire.language_models import LanguageModels
from whywire.news import Article, Language


@dataclass(frozen=True, slots=True)
class LinkedEvents:
    """The causes of an event, or its effects.

    Args:
        meant: the event asked about; or several, where the words name a thing.
        links: causal links that end, or begin, at one of them, strongest first; those that a refutation closed last.
    """

    meant: Meant
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Structures:
    """How causes and effects hang together (CRAB, section 5).

    Args:
        frames: the causal frame of each event, by its id.
        chains: trios of events: mediation, confounding, collider.
    """

    frames: Mapping[str, Frame]
    chains: tuple[Chain, ...]


def why(question: str, source: GraphInput, *, models: LanguageModels | None = None) -> Found | LinkedEvents:
    """Answer why something happened or what it led to, by the sentences that say so; or find an event's causes.

    >>> whywire.why("Why did fuel run short?", "graph").answers[0].sources[0]
    >>> whywire.why("refinery fire", "graph").links

    Args:
        question: in English or Russian; or an event: its id, its title, or words near a headline.
        source: a graph, folders that ``build`` wrote, or news.

    Returns:
        For a question the answers of the news, and for an event the links from its causes.

    Raises:
        InputError: the question asks for no cause and no effect, or no event is near the words.
    """
    models = models or LanguageModels()
    if not is_question(question):
        return _linked(question, source, models, of_effects=False)
    asked = parse_question(question)
    graph = open_graph(source, language=asked.language, models=models)
    return find_answers(asked, told_of_graph(graph), models.headlines(asked.language))


def is_question(text: str) -> bool:
    """Whether a text is a question that news can answer, rather than words for an event.

    Raises:
        InputError: it is a question, but asks for no cause and no effect.
    """
    try:
        parse_question(text)
    except InputError:
        if text.rstrip().endswith("?"):
            raise
        return False
    return True


def effects(event: str, source: GraphInput, *, models: LanguageModels | None = None) -> LinkedEvents:
    """Find what an event led to.

    >>> whywire.effects("refinery fire", "graph").links

    Args:
        event: its id, its title, or words near a headline; or a thing that several events of a story name.
        source: a graph, folders that ``build`` wrote, or news.

    Raises:
        InputError: no event is near the words.
    """
    return _linked(event, source, models or LanguageModels(), of_effects=True)


def chain(
    cause: str, effect: str, source: GraphInput, *, limit: int = 3, models: LanguageModels | None = None
) -> list[Path]:
    """Find how one event led to another, step by step, strongest way first.

    >>> whywire.chain("storm", "fuel shortage", "graph")[0].events

    Args:
        cause: an event, as for :func:`effects`.
        effect: the same.
        limit: the most ways found. A way is as strong as its weakest link.

    Raises:
        InputError: no event is near the words.
    """
    models = models or LanguageModels()
    graph = open_graph(source, models=models)
    ends = (find_meant(graph, words, models).ids for words in (cause, effect))
    return list(islice(paths_between(graph, *ends), limit))


def roots(event: str, source: GraphInput, *, models: LanguageModels | None = None) -> list[Path]:
    """Find where it all began: the causes without causes that an event goes back to, each with the strongest way.

    >>> [path.events[0] for path in whywire.roots("fuel shortage", "graph")]

    Raises:
        InputError: no event is near the words.
    """
    models = models or LanguageModels()
    graph = open_graph(source, models=models)
    return list(root_causes(graph, *find_meant(graph, event, models).ids))


def timeline(
    source: GraphInput,
    about: str | None = None,
    *,
    everything: bool = False,
    models: LanguageModels | None = None,
) -> Timeline:
    """List events in the order they happened, by the times that their words name (CRAB, section 3).

    >>> [one.event.title for one in whywire.timeline("graph", "refinery fire").events]

    Args:
        about: only the events that have these words, and the story of the one that is meant by them.
        everything: also the events that have no headline and cannot be read alone.

    Raises:
        InputError: no event is near the words.
    """
    models = models or LanguageModels()
    graph = open_graph(source, models=models)
    events = [dated(event) for event in _about(graph, about, models)]
    return in_order(
        one
        for one in events
        if everything or is_worth_listing(one, graph.articles, linked=bool(graph.links_of(one.event.id)))
    )


def structures(source: GraphInput) -> Structures:
    """The causal frame of every event, and the causal chains.

    >>> whywire.structures("graph").chains[0].kind
    """
    graph = open_graph(source)
    return Structures(frames(graph), tuple(chains(graph)))


def predict(
    headlines: Iterable[str | Article | Mapping[str, Any]],
    past: GraphInput | None = None,
    *,
    write: Callable[[str], Sequence[str]] | None = None,
    most: int = MOST,
    floor: float | None = None,
    models: LanguageModels | None = None,
) -> list[list[Prediction]]:
    """Predict what may follow each headline.

    >>> whywire.predict(["Storm shuts port"], "graph")[0]

    Args:
        headlines: a headline with a time is answered from what was known by then.
        past: the graph in whose past analogues are looked for.
        write: in its place, a function that makes up what may follow a headline; the model of headline pairs ranks
            what it writes.
        most: the most effects of a headline.
        floor: the least probability (0 to 1); by default that of either way.

    Returns:
        For each headline its effects, most probable first; none where nobody knows of anything, or the headline is
        neither in English nor in Russian.

    Raises:
        InputError: there is neither a past nor a writer, or a row is no article.
    """
    if (past is None) == (write is None):
        raise InputError("a prediction needs a past to look into, or somebody who writes", hint="give one of the two")
    models = models or LanguageModels()
    articles = list(map(to_article, headlines))
    if past is not None:
        predictor = Predictor(open_graph(past, models=models), models)
        least = FLOOR if floor is None else floor
        return [predictor.predict(article, most=most, floor=least) for article in articles]
    assert write is not None  # noqa: S101
    least = PLAUSIBLE if floor is None else floor
    return [
        []
        if article.language is Language.OTHER
        else ranked(article.title, write(article.title), models.headlines(article.language), floor=least)[:most]
        for article in articles
    ]


def _linked(words: str, source: GraphInput, models: LanguageModels, *, of_effects: bool) -> LinkedEvents:
    graph = open_graph(source, models=models)
    meant = find_meant(graph, words, models)
    links = [
        link
        for event in meant.events
        for link in graph.links_of(event.id)
        if (link.closed_by or link.kind is LinkKind.CAUSES)
        and event.id == (link.source if of_effects else link.target)
    ]
    links.sort(key=lambda link: (link.closed_by is not None, -link.strength, link.source, link.target))
    return LinkedEvents(meant, tuple(links))


def _about(graph: CausalGraph, words: str | None, models: LanguageModels) -> list[Event]:
    """The events that have the words asked for, and all of the story that is meant; every event where none are."""
    if words is None:
        return list(graph.events)
    found = find_meant(graph, words, models)
    named, story = {event.id for event in (*found.events, *found.others)}, found.event.story
    return [event for event in graph.events if event.id in named or (story is not None and event.story == story)]
