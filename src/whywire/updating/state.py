"""What an update must know of the news so far: articles, events, links, claims, and what models answered."""

from __future__ import annotations

from collections.abc import Iterable

from whywire.elements import Claim, Event, Link
from whywire.events.article_readings import ArticleReading
from whywire.graph.causal_graph import CausalGraph
from whywire.news import Article
from whywire.news.duplicates import in_canonical_order
from whywire.pipeline import graph_of
from whywire.updating.changes import Changes, LinkKey, link_key
from whywire.updating.model_answers import ModelAnswers, text_key


class State:
    """The news so far, in memory: what updates are decided by, and what their changes are applied to.

    Args:
        articles, events, links, claims: those of a store, or of a part of it that holds whole stories.
        answers: the readings of these articles, and what is known of pairs.

    Attributes:
        articles, events, links, claims: by id; links by :data:`~whywire.updating.changes.LinkKey`.
        readings: of the articles, by their ids.
        ended: the ids of events that are no more; they are never given again.
        by_url: the ids of articles by their urls.
        by_copy: the ids of articles by the ids of their copies.
    """

    def __init__(
        self,
        articles: Iterable[Article] = (),
        events: Iterable[Event] = (),
        links: Iterable[Link] = (),
        claims: Iterable[Claim] = (),
        answers: ModelAnswers | None = None,
        ended: Iterable[str] = (),
    ) -> None:
        self.articles = {article.id: article for article in articles}
        self.events = {event.id: event for event in events}
        self.links: dict[LinkKey, Link] = {link_key(link): link for link in links}
        self.claims = {claim.id: claim for claim in claims}
        self.answers = answers or ModelAnswers()
        self.ended = {*ended}
        self.by_url: dict[str, str] = {}
        self.by_copy: dict[str, str] = {}
        self.readings: dict[str, ArticleReading] = {}
        self._know(self.articles.values())

    def apply(self, changes: Changes) -> None:
        """Make the changes of an update that was decided by this state."""
        self.answers.update(changes.answers)
        self.articles |= {article.id: article for article in changes.articles}
        self._know(changes.articles)
        self.claims |= {claim.id: claim for claim in changes.claims}
        for ended in changes.ended:
            del self.events[ended]
            self.ended.add(ended)
        self.events |= {event.id: event for event in changes.events}
        for dropped in changes.dropped:
            del self.links[dropped]
        self.links |= {link_key(link): link for link in changes.links}

    @property
    def graph(self) -> CausalGraph:
        """The causal graph of all that is in the state."""
        articles = in_canonical_order(self.articles.values())
        order = {article.id: number for number, article in enumerate(articles)}
        claims = sorted(self.claims.values(), key=lambda one: (order[one.article], one.field == "text", one.sentence))
        return graph_of(articles, self.events.values(), self.links.values(), claims)

    def _know(self, articles: Iterable[Article]) -> None:
        for article in articles:
            if article.url is not None:
                self.by_url.setdefault(article.url, article.id)
            self.by_copy |= dict.fromkeys(article.also, article.id)
            reading = self.answers.readings.get(text_key(article))
            if reading is not None and article.id not in self.readings:
                self.readings[article.id] = reading.bound_to(article)
