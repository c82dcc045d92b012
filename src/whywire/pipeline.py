"""From articles to a causal graph: read → stories → events → links → graph.

Every sentence is read once, for its claims and its mentions of events. The articles of one language are grouped into
stories by their similarity. The mentions of a story are grouped into events. Links between events rest on sentences
that claim them, on headlines in a causal relation, or on a judge, and go into the graph with their evidence.

A story is decided by its own articles alone, so :func:`decide` gives the same for a story whatever others are decided
with it: a build decides all stories, an update those that change. Articles are first sorted by time, then by content,
so the order in which they are given changes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whywire.elements import (
    Claim,
    ClaimEvidence,
    Event,
    Link,
    article_sort_key,
    round_strength,
    sort_by_time,
)
from whywire.events.article_index import ArticleIndex, IndexedArticle, Story
from whywire.events.article_readings import ArticleReading, embed_articles, read_articles
from whywire.events.assembling import headline_event
from whywire.events.event_groups import EventTable, group_into_events
from whywire.events.headline_events import COLLECTION_PRIOR, group_headlines, prior_odds
from whywire.events.report_vectors import report_vector
from whywire.events.stories import separate_collection
from whywire.events.time import event_time
from whywire.graph.build_folder import versions, write_graph
from whywire.graph.causal_graph import CausalGraph
from whywire.language_models import LanguageModels
from whywire.links.linking import link_events
from whywire.links.mention_pair_model import paired_mentions
from whywire.links.mention_pairs import REACH
from whywire.links.strength import MIN_PROBABILITY
from whywire.models.pretrained import weights_hashes
from whywire.news import Article, Language, Problem, without_duplicates
from whywire.progress import Progress, Stages
from whywire.sentences.counterfactual import grammar

LANGUAGES = (Language.ENGLISH, Language.RUSSIAN)
"""The languages that models read; an article in another language is an event of its own."""

TITLE = "What led to what"
"""The default heading of a page."""


@dataclass
class Build:
    """A finished build.

    Args:
        problems: articles left out because another has the same id or url; notes on those too long for all pairs.
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
            problems: what was wrong with the input, for ``rejected.jsonl``, besides what the build left out.

        Raises:
            OutputError: the folder cannot be written.
        """
        found = [*problems, *self.problems]
        run = {
            "versions": versions(),
            "extras": {"grammar": grammar.versions(), "times": event_time.versions()},
            "models": weights_hashes(),
            "inputs": list(inputs),
            "counts": self.counts
            | {
                "rejected": sum(not problem.kept for problem in found),
                "kept with a note": sum(problem.kept for problem in found),
            },
            "seconds": {stage: round(seconds, 2) for stage, seconds in self.seconds.items()},
        }
        write_graph(self.graph, Path(folder), title=title, run=run, summary=self.counts, problems=found)


def build(
    articles: Iterable[Article], *, models: LanguageModels | None = None, progress: Progress | None = None
) -> Build:
    """Build the causal graph of these articles.

    Articles neither in English nor in Russian are kept, each as an event of its own; no model reads them.
    """
    kept, problems = without_duplicates(articles)
    models, stages = models or LanguageModels(), Stages(progress)
    readings = read(kept, models, stages)
    graph = decide(kept, find_stories(kept, readings, stages), readings, models, stages)
    stages.counts |= {
        "articles": len(kept),
        "events": len(graph.events),
        "links": len(graph.links),
        "claims": len(graph.claims),
    }
    return Build(graph, [*problems, *notes_on_length(kept, readings)], stages.counts, stages.seconds)


def read(articles: Sequence[Article], models: LanguageModels, stages: Stages) -> dict[str, ArticleReading]:
    """Read articles by the models of their language: a reading for each in English or Russian, by its id."""
    found: dict[str, ArticleReading] = {}
    for language in LANGUAGES:
        own = [article for article in articles if article.language is language]
        if own:
            readings = read_articles(own, language, models, stages)
            for article, reading in zip(own, readings, strict=True):
                found[article.id] = reading.distinct(MIN_PROBABILITY[ClaimEvidence])
    return found


def indexed(article: Article, reading: ArticleReading) -> IndexedArticle:
    """What stories are found by of an article that has been read."""
    return IndexedArticle(article.id, article.published, report_vector(article, reading.vector))


def notes_on_length(articles: Iterable[Article], readings: Mapping[str, ArticleReading]) -> list[Problem]:
    """Notes on articles of so many mentions that some are too far apart to be paired.

    Args:
        readings: by the ids of the articles; those without one are passed over.
    """
    notes = []
    for article in articles:
        if (reading := readings.get(article.id)) is None or len(reading.mentions) <= REACH + 1:
            continue
        count = len(paired_mentions(reading.mentions, [claim.ends for claim in reading.claims if claim.ends]))
        if count > REACH + 1:
            reason = (
                f"of its {count:,} mentions only those at most {REACH:,} apart were looked at as cause and effect"
            )
            notes.append(Problem(article.place or article.id, reason, kept=True))
    return notes


def find_stories(articles: Iterable[Article], readings: Mapping[str, ArticleReading], stages: Stages) -> list[Story]:
    """The stories of articles that have been read, of each language that models read."""
    found: list[Story] = []
    for language in LANGUAGES:
        own = [indexed(article, readings[article.id]) for article in articles if article.language is language]
        if own:
            with stages.stage("finding stories", language):
                found += ArticleIndex().regroup(own).stories
    return found


def decide(
    articles: Sequence[Article],
    stories: Iterable[Story],
    readings: Mapping[str, ArticleReading],
    models: LanguageModels,
    stages: Stages,
) -> CausalGraph:
    """Decide which events and links are in stories.

    Args:
        articles: without duplicates, in the order of :func:`~whywire.news.without_duplicates`.
        stories: of those in a language that models read; each article is in one.
        readings: by the ids of the articles.
    """
    events: list[Event] = []
    claims: list[Claim] = []
    links: list[Link] = []
    stories = list(stories)
    for language in LANGUAGES:
        own = [article for article in articles if article.language is language]
        if own:
            read_by_article = [readings[article.id].bound_to(article) for article in own]
            vectors = np.stack([reading.vector for reading in read_by_article])
            table = find_events(own, stories, read_by_article, vectors, language, models, stages)
            found = link_events(table, language, vectors, models, stages)
            events += table.in_stories(found)
            claims += [one.claim for one in table.claims]
            links += found
    events += [headline_event(article) for article in articles if article.language is Language.OTHER]
    return graph_of(articles, events, links, claims)


def graph_of(
    articles: Iterable[Article], events: Iterable[Event], links: Iterable[Link], claims: Iterable[Claim]
) -> CausalGraph:
    """The causal graph of these parts, in its order: events by time, links by strength."""
    return CausalGraph(
        articles={article.id: article for article in articles},
        events=sort_by_time(events),
        links=tuple(sorted(links, key=lambda one: (-round_strength(one.strength), one.source, one.target, one.kind))),
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
) -> EventTable:
    """Find the events in stories of one language: first by headlines alone, then by all mentions.

    Args:
        stories: those of the articles, and others.
        vectors: (articles, size), unit length.
    """
    story_of = {name: at for at, story in enumerate(stories) for name in story}
    members: defaultdict[int, list[int]] = defaultdict(list)
    for number, article in enumerate(articles):
        members[story_of[article.id]].append(number)
    own = [*members.values()]
    pairs, reader = models.pairs(language), models.sentences(language)
    headlines = group_headlines(articles, vectors, language, pairs, stages, stories=own)
    return group_into_events(articles, language, own, headlines, readings, reader, stages)


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
    """Group a collection of articles by event, by their titles and leads, and by story.

    As :func:`build` does for a stream, but under the prior of a collection.

    How wide a story is depends on the articles. The id of an event or a story is made from its first article.

    Args:
        prior: the share of pairs of one event among similar articles (between 0 and 1); the higher, the wider events
            are.
    """
    models, stages = models or LanguageModels(), Stages(progress)
    order = sorted(range(len(articles)), key=lambda number: article_sort_key(articles[number]))
    events = [headline_event(article).id for article in articles]
    stories = list(events)
    for language in LANGUAGES:
        own = [number for number in order if articles[number].language is language]
        if own:
            members, model = [articles[number] for number in own], models.pairs(language)
            vectors = embed_articles(members, language, model, stages)
            headlines = group_headlines(members, vectors, language, model, stages, prior=prior_odds(model, prior))
            wide = separate_collection(members, vectors, headlines, language, stages)
            for ids, groups in ((events, headlines), (stories, wide)):
                for places in groups:
                    for place in places:
                        ids[own[place]] = headline_event(members[places[0]]).id
    return Groups(events, stories)
