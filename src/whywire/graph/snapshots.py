"""Snapshots: the graph as the articles published by a given time support it.

A snapshot must not contain later knowledge. So an article counts once it was certainly published: if only its date
is known, from the end of that day; if the date is inferred, one day later; without a time, never.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

from whywire.elements import Event, Evidence, Link, LinkKind, time_range
from whywire.graph.causal_graph import CausalGraph
from whywire.links.order import order_of_link
from whywire.links.strength import is_sufficient, link_probability
from whywire.news.article import Article


def as_of(graph: CausalGraph, time: datetime) -> CausalGraph:
    """Return the snapshot of a graph at a time.

    Events keep their ids and the articles published by then. A link is kept if enough of its evidence was published;
    if some was not, the link's probability is computed again from the rest. A link that was closed
    only later is open. After the last article the snapshot is the graph itself, without the articles that have no
    time.

    Args:
        time: aware (with a time zone).
    """
    articles = {
        name: article
        for name, article in graph.articles.items()
        if article.published and article.published.latest <= time
    }
    events = {event.id: then for event in graph.events if (then := _event_then(event, articles))}
    claims = tuple(claim for claim in graph.claims if claim.article in articles)

    def is_published(evidence: Evidence) -> bool:
        return all(article in articles for article in graph.articles_of(evidence))

    between_known = (link for link in graph.links if link.source in events and link.target in events)
    supported = (kept for link in between_known if (kept := _reweighted(link, graph, is_published)))
    links = tuple(ordered for link in supported if (ordered := _reordered(link, graph, events)))
    return CausalGraph(articles, tuple(events.values()), links, claims)


def _event_then(event: Event, articles: Mapping[str, Article]) -> Event | None:
    """Return the event with its published articles only; ``None`` if there are none.

    If the mention that gives the title was not published, the headline of the first article becomes the title.
    """
    published = [articles[article] for article in event.articles if article in articles]
    if len(published) in (0, len(event.articles)):
        return event if published else None
    first_seen, last_seen = time_range(article.published for article in published)
    titles = [article.title for article in published]
    mentions = tuple(mention for mention in event.mentions if mention.article in articles)
    title_mention = event.mentions[event.named_by] if event.mentions else None
    keeps_title = title_mention in mentions if title_mention else event.title in titles
    return replace(
        event,
        title=event.title if keeps_title else titles[0],
        first_seen=first_seen,
        last_seen=last_seen,
        articles=tuple(article.id for article in published),
        mentions=mentions,
        named_by=mentions.index(title_mention) if title_mention in mentions else 0,
        when=event.when if event.when and event.when.article in articles else None,
    )


def _reweighted(link: Link, graph: CausalGraph, is_published: Callable[[Evidence], bool]) -> Link | None:
    """Return the link with its published evidence only; ``None`` if that is not enough for a link.

    The probability follows from the evidence, and is never higher with less. The strength of a cause does not change
    with time.
    """
    evidence = tuple(filter(is_published, link.evidence))
    denied_by = tuple(filter(is_published, link.denied_by))
    if len(evidence) == len(link.evidence):
        return replace(link, denied_by=denied_by)
    if not is_sufficient(evidence):
        return None
    outlets = [graph.articles[graph.articles_of(piece)[0]].outlet for piece in evidence]
    probability = min(link.probability, link_probability(evidence, outlets))
    return replace(
        link,
        probability=probability,
        strength=100 * probability if link.kind is LinkKind.REFUTES else link.strength,
        evidence=evidence,
        denied_by=denied_by,
    )


def _reordered(link: Link, graph: CausalGraph, events: Mapping[str, Event]) -> Link | None:
    """Return the link between the events as known then; ``None`` if their times then contradict its direction.

    The link is closed only if the event that closed it was known.
    """
    ends = events[link.source], events[link.target]
    unchanged = ends == (graph.event(link.source), graph.event(link.target))
    order = link.order if unchanged else order_of_link(link, *ends)
    closed_by = link.closed_by if link.closed_by in events else None
    return replace(link, order=order, closed_by=closed_by) if order else None
