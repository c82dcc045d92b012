"""The stories of a graph that a headline belongs to, and whether they have told something already.

What a headline's own stories tell is known, so it is no prediction. Their end is not sharp: reports of one story
drift apart, and a graph may hold them as several. So a story is the headline's own if one of its titles, published
within the window in which articles are grouped, resembles the headline or names whom the headline names. To take
another story for an own one costs an analogue; to miss an own one shows old news as a prediction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

import numpy as np

from whywire.answers.analogues import story_of
from whywire.answers.similarity import SAME_MEANING, EmbeddingModel
from whywire.events.candidates import WINDOW
from whywire.events.scenes import are_named_in, names_in, say_one_thing
from whywire.graph.causal_graph import CausalGraph
from whywire.news import Article, Language, Published

SAME_STORY = 0.1
"""The probability, by embeddings, that a headline and a title report one event, from which they are of one story."""


class OwnStories:
    """Finds the stories of a graph, in one language, that a headline belongs to.

    Args:
        graph: its titles are embedded and kept in memory.
        model: the pair model of the language.
    """

    def __init__(self, graph: CausalGraph, language: Language, model: EmbeddingModel) -> None:
        self._model = model
        self._events: defaultdict[str, list[str]] = defaultdict(list)
        self._stories: defaultdict[str, set[str]] = defaultdict(set)
        for event in graph.events:
            if event.language is language:
                self._events[story_of(event)].append(event.title)
                for article in event.articles:
                    self._stories[article].add(story_of(event))
        self._articles = [graph.articles[name] for name in self._stories]
        self._vectors = model.embed([article.title for article in self._articles])

    def of(self, headline: Article) -> set[str]:
        """The ids of the stories that a headline belongs to, by its words and its time."""
        probabilities = self._model.same_event_by_cosine(self._vectors @ self._model.embed([headline.title])[0])
        return {
            story
            for article, probability in zip(self._articles, probabilities.tolist(), strict=True)
            if may_be_near(article.published, headline.published)
            and (probability >= SAME_STORY or share_a_name(headline.title, article.title))
            for story in self._stories[article.id]
        }

    def tell(self, stories: Collection[str], headline: str, texts: Sequence[str]) -> list[bool]:
        """Whether each text says what the headline, a title or an event of these stories says."""
        titles = [place for place, article in enumerate(self._articles) if self._stories[article.id] & {*stories}]
        vectors = self._model.embed([headline, *texts])
        told = np.vstack([vectors[:1], self._vectors[titles]])
        meant = self._model.same_event_by_cosine(vectors[1:] @ told.T).max(axis=1) >= SAME_MEANING
        words = [headline, *(title for story in sorted(stories) for title in self._events.get(story, ()))]
        return [
            is_meant or any(say_one_thing(text, other) for other in words)
            for text, is_meant in zip(texts, meant.tolist(), strict=True)
        ]


def may_be_near(one: Published | None, other: Published | None) -> bool:
    """Whether two reports may have been published within the window in which articles are grouped."""
    if one is None or other is None:
        return True
    return one.earliest - other.latest <= WINDOW and other.earliest - one.latest <= WINDOW


def share_a_name(headline: str, text: str) -> bool:
    """Whether a text names a person, a firm or an unlisted place that a headline names."""
    names = names_in(headline)
    return are_named_in(names.certain | names.possible_beside(text), text)
