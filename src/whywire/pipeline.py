"""From articles to a causal graph: read → stories → events → links → graph.

Every sentence is read once, for its claims and its mentions of events. The articles of one language are grouped into
stories by similarity, and the mentions of a story into events. A link is supported by sentences that claim it, by
headlines that show it, or by mentions that imply it. The link is stored together with this evidence.

The events and links of a story depend on its own articles alone. So :func:`decide` gives the same result for a story,
whatever other stories it decides in the same call. A build decides all stories; an update decides only the stories
that change. Articles are sorted first, by time and content, so the order of the input does not matter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from whywire.correction import Correction
from whywire.elements import (
    Claim,
    Event,
    Link,
    article_sort_key,
    has_headline,
    sort_by_time,
)
from whywire.events.article_index import Story, stories_of
from whywire.events.article_readings import ArticleReading, embed_articles, read_articles
from whywire.events.assembling import headline_event
from whywire.events.corrected import CorrectedEvents
from whywire.events.event_groups import ArticleEvents, EventTable, event_table
from whywire.events.grouping import Grouping, UncertainMerges
from whywire.events.headline_events import COLLECTION_PRIOR, prior_odds, score_headlines
from whywire.events.report_vectors import indexed
from whywire.events.stories import separate_collection
from whywire.graph.causal_graph import CausalGraph
from whywire.language_models import LanguageModels
from whywire.links.linking import LinkNumbers, link_events
from whywire.news import Article, Language, Problem
from whywire.progress import Progress, Stages
from whywire.second_opinions.advising import advised_groups, with_checked_links
from whywire.second_opinions.questions import Listing, Questions, SecondReader

LANGUAGES = (Language.ENGLISH, Language.RUSSIAN)
"""The languages that models read. An article in another language becomes an event of its own."""


@dataclass(frozen=True)
class Undecided:
    """Stories to be decided, and all that they are decided from.

    Args:
        articles: without duplicates, in the order of :func:`~whywire.news.without_duplicates`.
        stories: each article in English or Russian is in exactly one story.
        readings: by article id, bound to these articles.
        corrections: the corrections in force; corrections of other articles have no effect.
    """

    articles: Sequence[Article]
    stories: Sequence[Story]
    readings: Mapping[str, ArticleReading]
    corrections: Collection[Correction] = ()

    def checked(self, reader: SecondReader | None, stages: Stages) -> Undecided:
        """The same with the links that a second reader leaves, if there is one."""
        return replace(self, readings=with_checked_links(self.articles, self.readings, reader, stages))


@dataclass(frozen=True)
class Decided:
    """Events, links and claims of some stories."""

    events: Sequence[Event]
    links: Sequence[Link]
    claims: Sequence[Claim]


def read(articles: Sequence[Article], models: LanguageModels, stages: Stages) -> dict[str, ArticleReading]:
    """Read the articles in English or Russian; return the readings by article id."""
    readings: dict[str, ArticleReading] = {}
    for language in LANGUAGES:
        in_language = [article for article in articles if article.language is language]
        if in_language:
            their_readings = read_articles(in_language, language, models, stages)
            readings |= zip((article.id for article in in_language), their_readings, strict=True)
    return readings


def notes_on_length(articles: Iterable[Article], readings: Mapping[str, ArticleReading]) -> list[Problem]:
    """Notes on articles whose text is too long: events were searched only in its beginning.

    Args:
        readings: by article id; articles without a reading get no note.
    """
    return [
        Problem(
            article.place or article.id,
            f"too long: no events were looked for in the last {reading.unread:,} of {len(article.text):,} characters",
            kept=True,
        )
        for article in articles
        if (reading := readings.get(article.id)) is not None and reading.unread
    ]


def find_stories(articles: Iterable[Article], readings: Mapping[str, ArticleReading], stages: Stages) -> list[Story]:
    """Group the articles that have been read into stories; each story is in one language.

    Args:
        readings: by article id.
    """
    stories: list[Story] = []
    for language in LANGUAGES:
        in_language = [article for article in articles if article.language is language]
        if in_language:
            with stages.stage("finding stories", language):
                stories += stories_of([indexed(article, readings[article.id].vector) for article in in_language])
    return stories


def decide(work: Undecided, models: LanguageModels, stages: Stages, reader: SecondReader | None = None) -> Decided:
    """Decide the events and links of stories.

    Args:
        reader: is asked about uncertain merges; without it they are decided by the readings alone.
    """
    events: list[Event] = []
    claims: list[Claim] = []
    links: list[Link] = []
    for language in LANGUAGES:
        if found := _find_events(work, language, models, stages, reader):
            links_in_language = link_events(found.table, language, found.vectors, models, stages, hidden=found.hidden)
            events += _in_stories(found.table, links_in_language)
            claims += [grouped.claim for grouped in found.table.claims]
            links += links_in_language
    events += [headline_event(article) for article in work.articles if article.language is Language.OTHER]
    return Decided(events, links, claims)


def merge_questions(work: Undecided, models: LanguageModels, stages: Stages) -> list[Questions]:
    """The questions that a second reader is asked when these stories are decided.

    Where models work in other processes than the second reader, they are asked before.
    """
    listing = Listing()
    for language in LANGUAGES:
        _find_events(work, language, models, stages, listing)
    return listing.asked


def _strongest_first(link: Link) -> tuple[float, str, str, str]:
    return -link.weight, link.source, link.target, link.kind


def _in_stories(table: EventTable, links: Iterable[Link]) -> list[Event]:
    """Set the story of each event; the id of a story is the id of its earliest event.

    If a story has only one article, its linked events and the event of the headline belong to the story; other events
    of the article belong to no story.
    """
    events = [grouped.event for grouped in table.events]
    linked = {end for link in links for end in (link.source, link.target)}
    told = {table.story_of[event.articles[0]] for event in events if event.id in linked}
    first: dict[int, str] = {}
    inside: dict[str, int] = {}
    for event in sort_by_time(events):
        at = table.story_of[event.articles[0]]
        if len(table.stories[at]) > 1 or event.id in linked or (at in told and has_headline(event)):
            inside[event.id] = at
            first.setdefault(at, event.id)
    return [replace(event, story=first[inside[event.id]]) if event.id in inside else event for event in events]


def graph_of(
    articles: Iterable[Article], events: Iterable[Event], links: Iterable[Link], claims: Iterable[Claim]
) -> CausalGraph:
    """The causal graph of these parts: events sorted by time, links by strength."""
    return CausalGraph(
        articles={article.id: article for article in articles},
        events=sort_by_time(events),
        links=tuple(sorted(links, key=_strongest_first)),
        claims=tuple(claims),
    )


@dataclass(frozen=True)
class _Found:
    """The events of stories in one language.

    Args:
        vectors: one of unit length per article, (articles, size).
        hidden: the links that persons have hidden.
    """

    table: EventTable
    vectors: NDArray[np.float32]
    hidden: frozenset[LinkNumbers]


def _find_events(
    work: Undecided, language: Language, models: LanguageModels, stages: Stages, reader: SecondReader | None
) -> _Found | None:
    """Find the events in stories of one language: headlines are grouped first, then all mentions.

    A second reader is asked about uncertain merges of both, and they are grouped again by its answers.

    Returns:
        ``None`` if no article is in the language.
    """
    articles = [article for article in work.articles if article.language is language]
    if not articles:
        return None
    readings = [work.readings[article.id] for article in articles]
    vectors = np.stack([reading.vector for reading in readings])
    corrected = CorrectedEvents.of(work.corrections, articles, readings)
    story_of = {name: at for at, story in enumerate(work.stories) for name in story}
    members: defaultdict[int, list[int]] = defaultdict(list)
    for number, article in enumerate(articles):
        members[story_of[article.id]].append(number)
    grouped = [*members.values()]
    scored = score_headlines(articles, vectors, language, models.pairs(language), stages, stories=grouped)
    with stages.stage("grouping mentions", language):
        grouping = Grouping(scored, ArticleEvents.of(articles, grouped, readings), corrected)
        uncertain = None if reader is None else UncertainMerges()
        groups = grouping.groups(uncertain=uncertain)
    checked: dict[int, str] = {}
    if reader is not None and uncertain is not None:
        groups, checked = advised_groups(grouping, groups, uncertain, reader, language, stages)
    table = event_table(grouping.found, groups, grouped, language, stages, checked)
    return _Found(table, vectors, corrected.hidden_in(table, readings))


@dataclass(frozen=True)
class Groups:
    """The event and the story of each article, in the order of the articles.

    Articles with one event are in one story.

    Args:
        events: ids; two articles have the same id exactly if their headlines are taken to report the same event.
        stories: ids; two articles have the same id exactly if they are taken to belong to one story: an event with
            all that led to it, followed from it or was said of it.
    """

    events: list[str]
    stories: list[str]


def group(
    articles: Sequence[Article],
    *,
    prior: float = COLLECTION_PRIOR,
    models: LanguageModels | None = None,
    progress: Progress | None = None,
) -> Groups:
    """Group articles into events and stories, using titles and leads.

    There are two differences from :func:`build`: the default prior is that of a collection, and the threshold for
    stories is chosen from the articles themselves. The id of an event or a story is made from its first article.

    Args:
        prior: the share (between 0 and 1) of similar pairs that report one event; a higher share gives larger
            events.
    """
    models, stages = models or LanguageModels(), Stages(progress)
    order = sorted(range(len(articles)), key=lambda number: article_sort_key(articles[number]))
    events = [headline_event(article).id for article in articles]
    stories = list(events)
    for language in LANGUAGES:
        numbers = [number for number in order if articles[number].language is language]
        if numbers:
            members, model = [articles[number] for number in numbers], models.pairs(language)
            vectors = embed_articles(members, language, model, stages)
            scored = score_headlines(members, vectors, language, model, stages, prior=prior_odds(model, prior))
            headlines = scored.groups()
            wide = separate_collection(members, vectors, headlines, language, stages)
            for ids, groups in ((events, headlines), (stories, wide)):
                for places in groups:
                    for place in places:
                        ids[numbers[place]] = headline_event(members[places[0]]).id
    return Groups(events, stories)
