"""Decides how articles that come, are replaced or withdrawn change the graph, and changes nothing itself.

The stories that change are decided as in a build (:func:`whywire.pipeline.decide`). The result is given the ids that
its events had before, and compared with what was there. So after any updates, in any order, the graph is that of a
build of the present articles; only ids may differ.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from whywire.correction import Correction
from whywire.engines import Engine, Models, PredictionCache, engine_of, left_out, text_key
from whywire.errors import WhywireError
from whywire.events.article_index import Regrouping, Story
from whywire.events.article_readings import ArticleReading
from whywire.events.report_vectors import indexed
from whywire.graph.causal_graph import CausalGraph
from whywire.news import Article, Language, Problem
from whywire.news.duplicates import in_canonical_order
from whywire.pipeline import LANGUAGES, Decided, Undecided, graph_of, notes_on_length
from whywire.progress import Progress, Stages
from whywire.second_opinions.questions import SecondReader
from whywire.updating.arrivals import Arrivals, sort_arrivals
from whywire.updating.changes import Changes
from whywire.updating.comparing import compared, correction_history
from whywire.updating.stable_ids import with_kept_ids
from whywire.updating.state import State


def update(
    state: State,
    articles: Iterable[Article],
    *,
    replacing: Collection[str] = (),
    withdrawn: Collection[str] = (),
    corrections: Collection[Correction] = (),
    again: Collection[str] = (),
    models: Models | None = None,
    reader: SecondReader | None = None,
    progress: Progress | None = None,
) -> Changes:
    """Decide what new articles and corrections change; the state stays as it is.

    Args:
        articles: in any order; they may be late, or known already.
        replacing: ids of the articles that replace the known article with the same id or url, if there is one.
        withdrawn: ids of known articles to be forgotten; unknown ids are ignored.
        corrections: that were made or taken back since.
        again: ids of known articles whose stories are decided again, for example because a reader has more to say.
        models: the embedded ones, in this process, by default.
        reader: is asked about what is uncertain.

    Raises:
        WhywireError: the engine cannot decide a story that no new article is in.
    """
    given, engine = list(articles), engine_of(models)
    problems: list[Problem] = []
    while True:
        arrivals = sort_arrivals(given, state.articles, state.by_url, state.by_copy, replacing)
        coming = [*arrivals.new, *arrivals.replaced]
        gone = frozenset(
            [article.id for article in arrivals.replaced] + [name for name in withdrawn if name in state.articles]
        )
        try:
            changes = _decided(state, arrivals, coming, gone, gone, corrections, again, engine, reader, progress)
        except _LostError as error:
            reasons = {text_key(article): error.lost[article.id] for article in coming if article.id in error.lost}
            if not reasons:
                raise
            lost = {article.id: reasons[text_key(article)] for article in given if text_key(article) in reasons}
            problems += left_out(given, lost)
            given = [article for article in given if article.id not in lost]
        else:
            return replace(changes, problems=(*problems, *changes.problems))


def renew(
    state: State,
    *,
    models: Models | None = None,
    reader: SecondReader | None = None,
    progress: Progress | None = None,
) -> Changes:
    """Decide all stories of a state again, for example after a change of models.

    Args:
        state: complete, but with empty indices.

    Raises:
        WhywireError: the engine cannot decide a story.
    """
    arrivals = Arrivals([], [], [], [])
    articles = [*state.articles.values()]
    engine = engine_of(models)
    return _decided(state, arrivals, articles, frozenset(), {*state.articles}, (), (), engine, reader, progress)


class _LostError(WhywireError):
    """Articles that the engine can neither read nor decide.

    Args:
        lost: by id, with the reason.
    """

    def __init__(self, lost: Mapping[str, str]) -> None:
        name, reason = min(lost.items())
        super().__init__(reason, where=name, hint="withdraw the article")
        self.lost = lost


def _decided(
    state: State,
    arrivals: Arrivals,
    coming: Sequence[Article],
    gone: frozenset[str],
    touched: Collection[str],
    corrections: Collection[Correction],
    again: Collection[str],
    engine: Engine,
    reader: SecondReader | None,
    progress: Progress | None,
) -> Changes:
    """Decide the stories that change.

    Args:
        coming: articles whose stories are not known.
        touched: ids of known articles that change, besides those in stories that change.
    """
    new, stages = PredictionCache(), Stages(progress)
    readings = _readings(state, coming, engine, new, stages)
    regroupings = _regroupings(state, coming, gone, readings, stages)
    about = {*again}.union(*(correction.articles for correction in corrections))
    others = _stories_of(state, about, regroupings)
    changing = [story for regrouping in regroupings.values() for story in regrouping.before]
    touched = {*touched}.union(*changing, *others)
    state.fetch(touched)
    come = {article.id for article in coming}
    copied = {article.id: article for article in arrivals.copied}
    staying = [copied.get(name, state.articles[name]) for name in touched - gone - come]
    readings |= {article.id: reading for article in staying if (reading := state.reading(article)) is not None}
    before = Decided(state.events_in(touched), state.links_in(touched), state.claims_in(touched))
    articles = in_canonical_order([*staying, *coming])
    stories = [story for regrouping in regroupings.values() for story in regrouping.stories] + others
    in_force = _in_force(state, {article.id for article in articles}, corrections)
    work = Undecided(articles, stories, readings, in_force).checked(reader, stages)
    decision = engine.decide(work, stages, state.predictions, reader)
    if decision.lost:
        raise _LostError(decision.lost)
    new.update(decision.new)
    graph = graph_of(articles, decision.decided.events, decision.decided.links, decision.decided.claims)
    decided, ended = with_kept_ids(Decided(graph.events, graph.links, graph.claims), before.events, state)
    made = correction_history(corrections, {article.id: article for article in articles}, decided.events)
    changes = compared(state.articles, before, decided, ended, arrivals, gone, regroupings, new, [*made])
    problems = (*arrivals.problems, *notes_on_length(coming, readings))
    return replace(changes, corrections=tuple(corrections), problems=problems)


def _readings(
    state: State, articles: Sequence[Article], engine: Engine, new: PredictionCache, stages: Stages
) -> dict[str, ArticleReading]:
    """The readings of articles that come: known ones, and new ones by the models, which are added to ``new``."""
    known = {article.id: reading for article in articles if (reading := state.reading(article)) is not None}
    unread = [article for article in articles if article.id not in known]
    readings, lost = engine.read(unread, stages)
    if lost:
        raise _LostError(lost)
    new.readings |= {text_key(article): readings[article.id] for article in unread if article.id in readings}
    return known | readings


def _regroupings(
    state: State,
    coming: Sequence[Article],
    gone: Collection[str],
    readings: Mapping[str, ArticleReading],
    stages: Stages,
) -> dict[Language, Regrouping]:
    """How the stories of each language change."""
    regroupings = {}
    for language in LANGUAGES:
        in_language = [
            indexed(article, readings[article.id].vector) for article in coming if article.language is language
        ]
        if in_language or gone:
            with stages.stage("finding stories", language):
                regroupings[language] = state.indices[language].regroup(in_language, gone)
            state.require(regroupings[language].since)
    return regroupings


def _stories_of(state: State, articles: Iterable[str], regroupings: Mapping[Language, Regrouping]) -> list[Story]:
    """The stories of some articles, among the stories that do not change otherwise."""
    stories: dict[Story, None] = {}
    for name in sorted(articles):
        for language, index in state.indices.items():
            if name in index:
                story = index.story_of(name)
                if language not in regroupings or story not in regroupings[language].before:
                    stories[story] = None
    return [*stories]


def _in_force(state: State, articles: Collection[str], given: Collection[Correction]) -> list[Correction]:
    """The corrections of some articles that are in force once others were made or taken back."""
    known = {correction.id: correction for correction in state.corrections_of(articles)}
    known |= {correction.id: correction for correction in given}
    return [correction for correction in known.values() if correction.taken_back is None]


class GrowingGraph:
    """A causal graph to which articles are added, one by one or in batches, in any order, even late or twice.

    >>> growing = whywire.GrowingGraph()
    >>> changes = growing.add(whywire.read_news("monday.jsonl"))
    >>> changes.history[0].kind, len(growing.graph.events)

    Models read each article once. All articles and readings are kept in memory; a store keeps them on disk.

    Args:
        models: the embedded ones, in this process, by default.
    """

    def __init__(self, models: Models | None = None) -> None:
        self._models = engine_of(models)
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
