"""What an update must know of the news so far: articles, events, links, claims, and what models answered.

A state may hold a part of the news: all stories that may still change, and beside them some that are *finished*. The
stories that may change are whole, and every link of their events is there; so are the events, whole stories again,
that these links join them with. Those are finished: no update decides them again, but a link to them can change.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from whywire.elements import Claim, Event, JudgedEvidence, Link, LinkKind
from whywire.events.article_readings import ArticleReading
from whywire.graph.causal_graph import CausalGraph
from whywire.news import Article, Language
from whywire.news.duplicates import in_canonical_order
from whywire.news.urls import url_key
from whywire.pipeline import LANGUAGES, graph_of
from whywire.updating.changes import Changes, LinkKey, Settled, link_key
from whywire.updating.language_news import LanguageNews
from whywire.updating.model_answers import ModelAnswers, text_key


@dataclass(frozen=True)
class Beyond:
    """What a state knows of news that is not decided again.

    Args:
        finished: the ids of those of its articles that are not decided again.
        deniers: events of other articles, that refute one of the state.
        stories: ids that stories of other articles have, among those that a story of the state might be given.
        counts: how many articles are not decided again, in the state or not, by language.
    """

    finished: Collection[str] = ()
    deniers: Mapping[str, Event] = field(default_factory=dict)
    stories: Collection[str] = ()
    counts: Mapping[Language, int] = field(default_factory=dict)


class State:
    """The news so far, in memory: what updates are decided by, and what their changes are applied to.

    Args:
        articles, events, links, claims: those of a store, or of a part of it.
        answers: the readings of these articles, and what is known of pairs.
        ended: the ids of events that are no more; they are never given again.
        settled: what articles were decided by when all of them were, by language.
        beyond: what there is besides, if this is a part of the news.

    Attributes:
        articles, events, claims: by id.
        finished: the ids of articles that are not decided again.
        links: by :data:`~whywire.updating.changes.LinkKey`.
        links_of: the links that start or end at an event, by its id.
        judged_in: the links that are judged by an article, by its id.
        refutations: the links that refute.
        closed: the links that are closed.
        readings: of the articles, by their ids.
        by_url: the ids of articles by the keys of their urls (:func:`~whywire.news.urls.url_key`).
        by_copy: the ids of articles by the ids of their copies.
        news: the articles of each language that models read.
    """

    def __init__(
        self,
        articles: Iterable[Article] = (),
        events: Iterable[Event] = (),
        links: Iterable[Link] = (),
        claims: Iterable[Claim] = (),
        answers: ModelAnswers | None = None,
        ended: Iterable[str] = (),
        settled: Mapping[Language, Settled] | None = None,
        beyond: Beyond | None = None,
    ) -> None:
        self.beyond = beyond or Beyond()
        self.finished = {*self.beyond.finished}
        self.articles: dict[str, Article] = {}
        self.events: dict[str, Event] = {}
        self.links: dict[LinkKey, Link] = {}
        self.links_of: dict[str, dict[LinkKey, Link]] = {}
        self.judged_in: dict[str, dict[LinkKey, Link]] = {}
        self.refutations: dict[LinkKey, Link] = {}
        self.closed: dict[LinkKey, Link] = {}
        self.claims = {claim.id: claim for claim in claims}
        self.answers = answers or ModelAnswers()
        self.ended = dict.fromkeys(ended, True)
        self.settled = dict(settled or {})
        self.by_url: dict[str, str] = {}
        self.by_copy: dict[str, str] = {}
        self.readings: dict[str, ArticleReading] = {}
        self.news = {language: LanguageNews() for language in LANGUAGES}
        self._add_articles(articles)
        self._add_events(events)
        self._add_links(links)

    def apply(self, changes: Changes) -> None:
        """Make the changes of an update that was decided by this state."""
        self.answers.update(changes.answers)
        if changes.gone:
            self._forget(changes.gone)
        self._add_articles(changes.articles)
        self.claims |= {claim.id: claim for claim in changes.claims}
        for ended in changes.ended:
            del self.events[ended]
            self.ended[ended] = True
        self._add_events(changes.events)
        for dropped in changes.dropped:
            self._remove_link(dropped)
        self._add_links(changes.links)
        self.settled |= changes.settled

    @property
    def used_ids(self) -> Container[str]:
        """The ids that events have or had."""
        return ChainMap[str, object](self.events, self.ended)  # type: ignore[arg-type]

    @property
    def open_events(self) -> list[Event]:
        """The events that are decided again when everything is."""
        return [event for event in self.events.values() if event.articles[0] not in self.finished]

    @property
    def open_articles(self) -> list[Article]:
        """The articles that are decided again when everything is."""
        return [article for article in self.articles.values() if article.id not in self.finished]

    def event(self, name: str) -> Event:
        """The event with this id, also one of other articles that refutes one of the state."""
        return self.events.get(name) or self.beyond.deniers[name]

    def events_told_by(self, articles: Iterable[str]) -> set[str]:
        """The ids of the events that these articles mention, as far as the articles are in the state."""
        return {
            name
            for article in articles
            for news in self.news.values()
            if article in news.number
            for name in news.event_of[news.number[article]]
        }

    def count(self, language: Language) -> int:
        """The number of articles of a language so far, those that are not in the state among them."""
        return self.news[language].open_count + self.beyond.counts.get(language, 0)

    def recall(self, articles: Iterable[Article]) -> None:
        """Know of older articles, of which a copy may come; they are not decided again."""
        for article in articles:
            if article.id not in self.articles:
                self.finished.add(article.id)
                self._list(article)

    @property
    def graph(self) -> CausalGraph:
        """The causal graph of all that is in the state."""
        articles = in_canonical_order(self.articles.values())
        order = {article.id: number for number, article in enumerate(articles)}
        claims = sorted(self.claims.values(), key=lambda one: (order[one.article], one.field == "text", one.sentence))
        return graph_of(articles, self.events.values(), self.links.values(), claims)

    def stories_of(self, articles: Iterable[str]) -> set[str]:
        """The ids of all articles of the stories that these are in."""
        found: set[str] = set()
        for name in articles:
            article = self.articles[name]
            news = self.news.get(article.language)
            story = None if news is None else news.story_of[news.number[name]]
            found |= (
                {name} if news is None or story is None else {news.articles[one].id for one in news.members[story]}
            )
        return found

    def without(self, articles: Collection[str]) -> State:
        """A state as if these articles, whole stories, had not come; the ids of their events are not given again."""
        events = {event.id for event in self.events.values() if event.articles[0] in articles}
        recalled = self.finished.difference(self.beyond.finished)
        return State(
            [one for name, one in self.articles.items() if name not in articles and name not in recalled],
            [one for name, one in self.events.items() if name not in events],
            [one for key, one in self.links.items() if events.isdisjoint(key[:2])],
            [one for one in self.claims.values() if one.article not in articles],
            self.answers,
            {*self.ended, *events},
            self.settled,
            self.beyond,
        )

    def reading(self, article: Article) -> ArticleReading | None:
        """What is known of the words of an article; ``None`` if they were not read yet."""
        known = self.answers.readings.get(text_key(article))
        return known and known.bound_to(article)

    def _add_articles(self, articles: Iterable[Article]) -> None:
        for article in articles:
            is_new = article.id not in self.articles
            self._list(article)
            news = self.news.get(article.language)
            if news is None:
                continue
            if not is_new:
                if article.id in news.number:
                    news.articles[news.number[article.id]] = article
            elif (reading := self.reading(article)) is not None:
                self.readings[article.id] = reading
                news.add(article, reading, finished=article.id in self.finished)

    def _forget(self, gone: Collection[str]) -> None:
        """Forget articles, and what they claim; the events that mention them are decided anew."""
        for name in gone:
            del self.articles[name]
            self.readings.pop(name, None)
        self.by_url = {url: name for url, name in self.by_url.items() if name not in gone}
        self.by_copy = {copy: name for copy, name in self.by_copy.items() if name not in gone}
        self.claims = {claim.id: claim for claim in self.claims.values() if claim.article not in gone}
        for language, news in self.news.items():
            if not news.number.keys().isdisjoint(gone):
                self.news[language] = news.without(gone, self.readings)

    def _list(self, article: Article) -> None:
        self.articles[article.id] = article
        if article.url is not None:
            self.by_url.setdefault(url_key(article.url), article.id)
        self.by_copy |= dict.fromkeys(article.also, article.id)

    def _add_events(self, events: Iterable[Event]) -> None:
        for event in events:
            self.events[event.id] = event
            if event.language in self.news:
                self.news[event.language].place(event)

    def _add_links(self, links: Iterable[Link]) -> None:
        for link in links:
            key = link_key(link)
            if key in self.links:
                self._remove_link(key)
            self.links[key] = link
            for index, name in self._indexed(link):
                index.setdefault(name, {})[key] = link
            if link.kind is LinkKind.REFUTES:
                self.refutations[key] = link
            if link.closed_by is not None:
                self.closed[key] = link

    def _remove_link(self, key: LinkKey) -> None:
        for index, name in self._indexed(self.links.pop(key)):
            del index[name][key]
            if not index[name]:
                del index[name]
        self.refutations.pop(key, None)
        self.closed.pop(key, None)

    def _indexed(self, link: Link) -> Iterator[tuple[dict[str, dict[LinkKey, Link]], str]]:
        """The indices that a link is in, with its name there."""
        yield self.links_of, link.source
        yield self.links_of, link.target
        for one in link.evidence:
            if isinstance(one, JudgedEvidence):
                yield self.judged_in, one.cause.article
