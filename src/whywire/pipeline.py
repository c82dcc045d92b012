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
from dataclasses import dataclass, field, replace
from pathlib import Path

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
from whywire.events.event_groups import EventTable, group_into_events
from whywire.events.headline_events import COLLECTION_PRIOR, group_headlines, prior_odds
from whywire.events.report_vectors import indexed
from whywire.events.stories import separate_collection
from whywire.events.time import event_time
from whywire.graph.build_folder import TITLE, versions, write_graph
from whywire.graph.causal_graph import CausalGraph
from whywire.language_models import LanguageModels
from whywire.links.linking import link_events
from whywire.models.pretrained import weights_hashes
from whywire.news import Article, Language, Problem, without_duplicates
from whywire.progress import Progress, Stages
from whywire.sentences.counterfactual import grammar

LANGUAGES = (Language.ENGLISH, Language.RUSSIAN)
"""The languages that models read. An article in another language becomes an event of its own."""


@dataclass
class Build:
    """A finished build.

    Args:
        problems: articles left out because another has the same id or url, and notes on articles that are too long to
            look for events in all of their text.
        counts: numbers of articles, events, links and so on, and of the texts and pairs that models read.
        seconds: wall-clock time of each stage.
    """

    graph: CausalGraph
    problems: list[Problem] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def write(
        self,
        folder: str | Path,
        *,
        title: str = TITLE,
        inputs: Sequence[str] = (),
        problems: Sequence[Problem] = (),
    ) -> None:
        """Write every file of the build into a folder, all of them or none (docs/formats.md).

        Args:
            title: the heading of the page.
            inputs: where the news was read from, for ``run.json``.
            problems: problems of the input, for ``rejected.jsonl``; the build adds its own problems.

        Raises:
            OutputError: the folder cannot be written.
        """
        all_problems = [*problems, *self.problems]
        run = {
            "versions": versions(),
            "extras": {"grammar": grammar.versions(), "times": event_time.versions()},
            "models": weights_hashes(),
            "inputs": list(inputs),
            "counts": self.counts
            | {
                "rejected": sum(not problem.kept for problem in all_problems),
                "kept with a note": sum(problem.kept for problem in all_problems),
            },
            "seconds": {stage: round(seconds, 2) for stage, seconds in self.seconds.items()},
        }
        write_graph(self.graph, Path(folder), title=title, run=run, summary=self.counts, problems=all_problems)


def build(
    articles: Iterable[Article],
    *,
    corrections: Iterable[Correction] = (),
    models: LanguageModels | None = None,
    progress: Progress | None = None,
) -> Build:
    """Build the causal graph of these articles.

    Articles neither in English nor in Russian are kept, each as an event of its own; no model reads them.

    Args:
        corrections: corrections by persons; a correction that was taken back has no effect.
    """
    kept, problems = without_duplicates(articles)
    models, stages = models or LanguageModels(), Stages(progress)
    readings = read(kept, models, stages)
    in_force = [correction for correction in corrections if correction.taken_back is None]
    graph = decide(kept, find_stories(kept, readings, stages), readings, models, stages, in_force)
    stages.counts |= {
        "articles": len(kept),
        "events": len(graph.events),
        "links": len(graph.links),
        "claims": len(graph.claims),
    }
    return Build(graph, [*problems, *notes_on_length(kept, readings)], stages.counts, stages.seconds)


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


def decide(
    articles: Sequence[Article],
    stories: Iterable[Story],
    readings: Mapping[str, ArticleReading],
    models: LanguageModels,
    stages: Stages,
    corrections: Collection[Correction] = (),
) -> CausalGraph:
    """Decide the events and links of stories.

    Args:
        articles: without duplicates, in the order of :func:`~whywire.news.without_duplicates`.
        stories: each article in English or Russian is in exactly one story.
        readings: by article id, bound to these articles.
        corrections: the corrections in force; corrections of other articles have no effect.
    """
    events: list[Event] = []
    claims: list[Claim] = []
    links: list[Link] = []
    stories = list(stories)
    for language in LANGUAGES:
        in_language = [article for article in articles if article.language is language]
        if in_language:
            their_readings = [readings[article.id] for article in in_language]
            vectors = np.stack([reading.vector for reading in their_readings])
            corrected = CorrectedEvents.of(corrections, in_language, their_readings)
            table = find_events(in_language, stories, their_readings, vectors, language, models, stages, corrected)
            hidden = corrected.hidden_in(table, their_readings)
            links_in_language = link_events(table, language, vectors, models, stages, hidden=hidden)
            events += _in_stories(table, links_in_language)
            claims += [grouped.claim for grouped in table.claims]
            links += links_in_language
    events += [headline_event(article) for article in articles if article.language is Language.OTHER]
    return graph_of(articles, events, links, claims)


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


def find_events(
    articles: Sequence[Article],
    stories: Iterable[Story],
    readings: Sequence[ArticleReading],
    vectors: NDArray[np.float32],
    language: Language,
    models: LanguageModels,
    stages: Stages,
    corrected: CorrectedEvents,
) -> EventTable:
    """Find the events in stories of one language: headlines are grouped first, then all mentions.

    Args:
        stories: the stories of the articles, and perhaps other stories.
        vectors: one vector of unit length per article, (articles, size).
        corrected: which events persons have told apart.
    """
    story_of = {name: at for at, story in enumerate(stories) for name in story}
    members: defaultdict[int, list[int]] = defaultdict(list)
    for number, article in enumerate(articles):
        members[story_of[article.id]].append(number)
    grouped = [*members.values()]
    model, apart = models.pairs(language), corrected.headlines_apart
    headlines = group_headlines(articles, vectors, language, model, stages, stories=grouped, apart=apart)
    return group_into_events(articles, language, grouped, headlines, readings, stages, apart=corrected.apart)


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
            headlines = group_headlines(members, vectors, language, model, stages, prior=prior_odds(model, prior))
            wide = separate_collection(members, vectors, headlines, language, stages)
            for ids, groups in ((events, headlines), (stories, wide)):
                for places in groups:
                    for place in places:
                        ids[numbers[place]] = headline_event(members[places[0]]).id
    return Groups(events, stories)
