"""Graphs to answer questions from: the part of a store that decides the answer, or all of a small one."""

from __future__ import annotations

import threading

from whywire.answers.analogue_prediction import Predictor
from whywire.answers.question import Question
from whywire.graph.causal_graph import CausalGraph
from whywire.language_models import LanguageModels
from whywire.store import Store


class Graphs:
    """Reads graphs from a store and keeps those of a small store until it changes."""

    def __init__(self, store: Store, models: LanguageModels) -> None:
        self._store, self._models = store, models
        self._lock = threading.Lock()
        self._at = -1
        self._small = True
        self._whole: CausalGraph | None = None
        self._past: Predictor | None = None

    def whole(self) -> CausalGraph:
        """Return the whole graph."""
        with self._lock:
            self._refresh()
            if self._whole is None:
                self._whole = self._store.graph()
            return self._whole

    def answering(self, question: Question) -> CausalGraph:
        """Return the part of the graph from which a question has the answers that the whole graph gives."""
        return self._store.asked_about(question)

    def about(self, words: str) -> CausalGraph:
        """Return the graph in which to look for an event with these words."""
        return self.whole() if self._is_small() else self._store.about(words)

    def past(self, words: str) -> Predictor:
        """Return a predictor that knows what followed events similar to what these words name."""
        if not self._is_small():
            return Predictor(self.about(words), self._models)
        graph = self.whole()
        with self._lock:
            if self._past is None:
                self._past = Predictor(graph, self._models)
            return self._past

    def _is_small(self) -> bool:
        with self._lock:
            self._refresh()
            return self._small

    def _refresh(self) -> None:
        at = self._store.last_change()
        if at != self._at:
            self._at, self._whole, self._past = at, None, None
            self._small = self._store.is_small()
