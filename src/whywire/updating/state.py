"""What an update must know of the news so far: the index of articles, and what the changed stories contain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from whywire.correction import Correction
from whywire.elements import Claim, Event, Link
from whywire.engines.predictions import PredictionCache, text_key
from whywire.events.article_index import ArticleIndex
from whywire.events.article_readings import ArticleReading
from whywire.graph.causal_graph import CausalGraph
from whywire.news import Article, Language
from whywire.news.duplicates import in_canonical_order
from whywire.news.urls import url_key
from whywire.pipeline import LANGUAGES, graph_of
from whywire.updating.changes import Changes, LinkKey, link_key


class State:
    """The news so far, in memory, from which updates are decided and to which their changes are applied.

    A subclass may know only the index of all articles and load the rest by :meth:`fetch`; this class knows
    everything.

    Args:
        indices: the index of the articles of each language that models read; empty by default.
        predictions: of models so far.

    Attributes:
        articles, events, claims: by id.
        links: by :data:`~whywire.updating.changes.LinkKey`.
        ended: ids of events that ended; they are never used again.
        corrections: in force, by id.
        by_url: ids of articles by the keys of their urls (:func:`~whywire.news.urls.url_key`).
        by_copy: ids of articles by the ids of their copies.
    """

    def __init__(
        self, indices: Mapping[Language, ArticleIndex] | None = None, predictions: PredictionCache | None = None
    ) -> None:
        self.indices = dict(indices or {language: ArticleIndex() for language in LANGUAGES})
        self.predictions = predictions or PredictionCache()
        self.articles: dict[str, Article] = {}
        self.events: dict[str, Event] = {}
        self.links: dict[LinkKey, Link] = {}
        self.claims: dict[str, Claim] = {}
        self.ended: set[str] = set()
        self.corrections: dict[str, Correction] = {}
        self.by_url: dict[str, str] = {}
        self.by_copy: dict[str, str] = {}
        self._events_in: defaultdict[str, set[str]] = defaultdict(set)
        self._links_of: defaultdict[str, set[LinkKey]] = defaultdict(set)
        self._claims_in: defaultdict[str, set[str]] = defaultdict(set)

    def require(self, since: float) -> None:
        """Make sure that the indices have all articles since a time, in seconds since 1970."""

    def fetch(self, articles: Collection[str]) -> None:
        """Load everything about articles of whole stories, before :meth:`events_in` and the like are called."""

    def used_among(self, names: Collection[str]) -> set[str]:
        """The ids among these that belong to an event, or once did."""
        return {name for name in names if name in self.events or name in self.ended}

    def stories_among(self, names: Collection[str]) -> set[str]:
        """The ids among these that belong to a story."""
        return {event.story for event in self.events.values() if event.story}.intersection(names)

    def events_in(self, articles: Iterable[str]) -> list[Event]:
        """The events that some articles mention."""
        names = {event: None for name in sorted(articles) for event in sorted(self._events_in[name])}
        return [self.events[name] for name in names]

    def links_in(self, articles: Iterable[str]) -> list[Link]:
        """The links of the events that some articles mention."""
        keys = {key: None for event in self.events_in(articles) for key in sorted(self._links_of[event.id])}
        return [self.links[key] for key in keys]

    def claims_in(self, articles: Iterable[str]) -> list[Claim]:
        """The claims of some articles."""
        return [self.claims[claim] for name in articles for claim in sorted(self._claims_in[name])]

    def corrections_of(self, articles: Collection[str]) -> list[Correction]:
        """The corrections in force that are about some articles."""
        return [one for one in self.corrections.values() if not one.articles.isdisjoint(articles)]

    def reading(self, article: Article) -> ArticleReading | None:
        """The reading of an article; ``None`` if its words were not read yet."""
        reading = self.predictions.readings.get(text_key(article))
        return reading and reading.bound_to(article)

    @property
    def graph(self) -> CausalGraph:
        """The causal graph of all that the state holds."""
        articles = in_canonical_order(self.articles.values())
        order = {article.id: number for number, article in enumerate(articles)}
        claims = sorted(
            self.claims.values(), key=lambda claim: (order[claim.article], claim.field == "text", claim.sentence)
        )
        return graph_of(articles, self.events.values(), self.links.values(), claims)

    def apply(self, changes: Changes) -> None:
        """Apply the changes of an update that was decided from this state."""
        self.predictions.update(changes.predictions)
        for language, regrouping in changes.regroupings.items():
            self.indices[language].apply(regrouping)
        for key in changes.dropped:
            self._remove_link(key)
        for name in changes.ended:
            self._remove_event(name)
            self.ended.add(name)
        for claim in self.claims_in(changes.gone):
            self._claims_in[claim.article].remove(claim.id)
            del self.claims[claim.id]
        self._forget(changes.gone)
        self.hold(changes.articles, changes.events, changes.links, changes.claims)
        for correction in changes.corrections:
            if correction.taken_back is None:
                self.corrections[correction.id] = correction
            else:
                self.corrections.pop(correction.id, None)

    def hold(
        self,
        articles: Iterable[Article] = (),
        events: Iterable[Event] = (),
        links: Iterable[Link] = (),
        claims: Iterable[Claim] = (),
    ) -> None:
        """Add these items, replacing earlier versions of the same ones."""
        for article in articles:
            self.articles[article.id] = article
            if article.url is not None:
                self.by_url.setdefault(url_key(article.url), article.id)
            self.by_copy |= dict.fromkeys(article.also, article.id)
        for event in events:
            if event.id in self.events:
                self._remove_event(event.id)
            self.events[event.id] = event
            for name in event.articles:
                self._events_in[name].add(event.id)
        for link in links:
            key = link_key(link)
            self.links[key] = link
            for end in key[:2]:
                self._links_of[end].add(key)
        for claim in claims:
            self.claims[claim.id] = claim
            self._claims_in[claim.article].add(claim.id)

    def _remove_event(self, name: str) -> None:
        for article in self.events.pop(name).articles:
            self._events_in[article].discard(name)

    def _remove_link(self, key: LinkKey) -> None:
        del self.links[key]
        for end in key[:2]:
            self._links_of[end].discard(key)

    def _forget(self, gone: Collection[str]) -> None:
        for name in gone:
            article = self.articles.pop(name)
            if article.url is not None and self.by_url.get(url_key(article.url)) == name:
                del self.by_url[url_key(article.url)]
            for copy in article.also:
                self.by_copy.pop(copy, None)
