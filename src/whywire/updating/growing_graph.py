"""A graph in memory to which articles are added."""

from __future__ import annotations

from collections.abc import Iterable

from whywire.graph.causal_graph import CausalGraph
from whywire.language_models import LanguageModels
from whywire.news import Article
from whywire.progress import Progress
from whywire.updating.changes import Changes
from whywire.updating.state import State
from whywire.updating.update import update


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
