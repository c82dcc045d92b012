"""Updates the graph with articles that come, are replaced or withdrawn: decides what changes, and touches nothing.

The stories that change are decided as a build decides all stories (:func:`whywire.pipeline.decide`); what comes out
is given the ids that its events had, and compared with what was there. So the graph after any arrivals, in any order
and any number of times, is that of a build of the present articles; only ids may differ.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from whywire.events.article_index import Regrouping
from whywire.events.article_readings import ArticleReading
from whywire.events.report_vectors import indexed
from whywire.graph.causal_graph import CausalGraph
from whywire.language_models import LanguageModels
from whywire.news import Article, Language
from whywire.news.duplicates import in_canonical_order
from whywire.pipeline import LANGUAGES, decide, notes_on_length, read
from whywire.progress import Progress, Stages
from whywire.updating.arrivals import Arrivals, sort_arrivals
from whywire.updating.changes import Changes
from whywire.updating.comparing import compared
from whywire.updating.predictions import CachedModels, text_key
from whywire.updating.stable_ids import Decided, with_kept_ids
from whywire.updating.state import State


def update(
    state: State,
    articles: Iterable[Article],
    *,
    replacing: Collection[str] = (),
    withdrawn: Collection[str] = (),
    models: LanguageModels | None = None,
    progress: Progress | None = None,
) -> Changes:
    """Decide what articles that come change; the state stays as it is.

    Args:
        articles: in any order, also late ones and ones that came before.
        replacing: the ids of those that replace the known article with the same id or url, if there is one.
        withdrawn: the ids of known articles that are to be forgotten; others change nothing.
        models: the embedded ones by default.
    """
    arrivals = sort_arrivals(articles, state.articles, state.by_url, state.by_copy, replacing)
    coming = [*arrivals.new, *arrivals.replaced]
    gone = frozenset([one.id for one in arrivals.replaced] + [name for name in withdrawn if name in state.articles])
    return _decided(state, arrivals, coming, gone, gone, models, progress)


def renew(state: State, *, models: LanguageModels | None = None, progress: Progress | None = None) -> Changes:
    """Decide everything that a state holds anew, as when other models have read its articles.

    Args:
        state: with everything of the news but empty indices.
    """
    arrivals = Arrivals([], [], [], [])
    return _decided(state, arrivals, [*state.articles.values()], frozenset(), {*state.articles}, models, progress)


def _decided(
    state: State,
    arrivals: Arrivals,
    coming: Sequence[Article],
    gone: frozenset[str],
    touched: Collection[str],
    models: LanguageModels | None,
    progress: Progress | None,
) -> Changes:
    """Decide the stories that change.

    Args:
        coming: the articles whose stories are not known.
        touched: the ids of known articles that change, besides those of stories that do.
    """
    cached, stages = CachedModels(models or LanguageModels(), state.predictions), Stages(progress)
    readings = _readings(state, coming, cached, stages)
    regroupings = _regroupings(state, coming, gone, readings, stages)
    touched = {*touched}.union(*(story for one in regroupings.values() for story in one.before))
    state.fetch(touched)
    new = {article.id for article in coming}
    copied = {article.id: article for article in arrivals.copied}
    staying = [copied.get(name, state.articles[name]) for name in touched - gone - new]
    readings |= {article.id: reading for article in staying if (reading := state.reading(article)) is not None}
    before = Decided(state.events_in(touched), state.links_in(touched), state.claims_in(touched))
    notes = notes_on_length(coming, readings)
    graph = decide(
        in_canonical_order([*staying, *coming]),
        [story for one in regroupings.values() for story in one.stories],
        readings,
        cached,
        stages,
    )
    decided, ended = with_kept_ids(Decided(graph.events, graph.links, graph.claims), before.events, state)
    changes = compared(state.articles, before, decided, ended, arrivals, gone, regroupings, cached.new)
    return replace(changes, problems=(*arrivals.problems, *notes))


def _readings(
    state: State, articles: Sequence[Article], models: CachedModels, stages: Stages
) -> dict[str, ArticleReading]:
    """The readings of articles that come: those of known words, and those the models read now."""
    known = {article.id: reading for article in articles if (reading := state.reading(article)) is not None}
    unread = [article for article in articles if article.id not in known]
    found = read(unread, models, stages)
    models.new.readings |= {text_key(article): found[article.id] for article in unread if article.id in found}
    return known | found


def _regroupings(
    state: State,
    coming: Sequence[Article],
    gone: Collection[str],
    readings: Mapping[str, ArticleReading],
    stages: Stages,
) -> dict[Language, Regrouping]:
    """How the stories of each language change."""
    found = {}
    for language in LANGUAGES:
        own = [indexed(article, readings[article.id].vector) for article in coming if article.language is language]
        if own or gone:
            with stages.stage("finding stories", language):
                found[language] = state.indices[language].regroup(own, gone)
    return found


class GrowingGraph:
    """A causal graph to which articles are added, one by one or in batches, in any order, late or twice.

    >>> growing = whywire.GrowingGraph()
    >>> changes = growing.add(whywire.read_news("monday.jsonl"))
    >>> changes.history[0].kind, len(growing.graph.events)

    The models read an article once. All articles and readings are kept in memory; a store keeps them on disk.

    Args:
        models: the embedded ones by default.
    """

    def __init__(self, models: LanguageModels | None = None) -> None:
        self._models = models or LanguageModels()
        self._state = State()

    @property
    def graph(self) -> CausalGraph:
        """The graph of all articles so far; its event ids stay when events grow."""
        return self._state.graph

    def add(self, articles: Iterable[Article], *, progress: Progress | None = None) -> Changes:
        """Add articles and return what changed."""
        changes = update(self._state, articles, models=self._models, progress=progress)
        self._state.apply(changes)
        return changes
