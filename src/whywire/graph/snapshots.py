"""What was believed at a moment: the graph of the news that was out by then.

Which error is worse? To let something slip in that nobody could know yet: whoever asks what was believed then would
be told what is believed now. So an article counts from the moment it was certainly out, one known by the day from the
end of that day, one whose day is inferred from a day later, and one without a time never.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from whywire.elements import ClaimEvidence, Event, Evidence, HeadlineEvidence, Link, time_range
from whywire.graph.causal_graph import CausalGraph
from whywire.links.order import order_of_link
from whywire.links.strength import strength
from whywire.links.weighing import LEAST, is_enough, probability_of
from whywire.news.article import Article


def as_of(graph: CausalGraph, moment: datetime) -> CausalGraph:
    """Return the graph as the news that was out by a moment gives it.

    Events keep their ids and have the articles that were out. A link stays where some of its evidence was out, and is
    weighed again where some was not. What was refuted only later is open again; what was refuted by then is closed,
    and stays. At the end of all news this is the graph itself, less the articles without a time.

    Args:
        moment: an aware time.
    """
    articles = {
        name: article
        for name, article in graph.articles.items()
        if article.published and article.published.latest <= moment
    }
    events = {event.id: told for event in graph.events if (told := _told(event, articles))}
    claims = tuple(claim for claim in graph.claims if claim.article in articles)

    def known(evidence: Evidence) -> bool:
        return all(article in articles for article in graph.articles_of(evidence))

    reported = (link for link in graph.links if link.source in events and link.target in events)
    weighed = (then for link in reported if (then := _weighed(link, graph, known)))
    links = tuple(then for link in weighed if (then := _between(link, graph, events)))
    return CausalGraph(articles, tuple(events.values()), links, claims)


def _told(event: Event, articles: Mapping[str, Article]) -> Event | None:
    """The event as far as it was told; the first headline is its title where the words of its own were not out."""
    out = [articles[article] for article in event.articles if article in articles]
    if len(out) in (0, len(event.articles)):
        return event if out else None
    first_seen, last_seen = time_range(article.published for article in out)
    titles = [article.title for article in out]
    mentions = tuple(mention for mention in event.mentions if mention.article in articles)
    namer = event.mentions[event.named_by] if event.mentions else None
    named = namer in mentions if namer else event.title in titles
    return replace(
        event,
        title=event.title if named else titles[0],
        first_seen=first_seen,
        last_seen=last_seen,
        articles=tuple(article.id for article in out),
        mentions=mentions,
        named_by=mentions.index(namer) if namer in mentions else 0,
        when=event.when if event.when and event.when.article in articles else None,
    )


def _weighed(link: Link, graph: CausalGraph, known: Callable[[Evidence], bool]) -> Link | None:
    """The link by the evidence that was out, if it was believed on that.

    How probable it was follows from the evidence; how direct a cause it was judged does not change with time. On less
    evidence it is never stronger.
    """
    evidence = tuple(one for one in link.evidence if known(one))
    denied_by = tuple(one for one in link.denied_by if known(one))
    if len(evidence) == len(link.evidence):
        return replace(link, denied_by=denied_by)
    if not is_enough(evidence):
        return None
    probability = min(link.probability, probability_of(evidence))
    judged = 100 * probability if link.judged is None else link.judged
    return replace(
        link,
        probability=probability,
        strength=min(link.strength, strength(probability, judged, _outlets(graph, evidence))),
        evidence=evidence,
        denied_by=denied_by,
    )


def _outlets(graph: CausalGraph, evidence: Sequence[Evidence]) -> int:
    """How many outlets say so, as in a build: those of claims, and of headlines that are believed."""
    believed = (
        one
        for one in evidence
        if isinstance(one, ClaimEvidence)
        or (isinstance(one, HeadlineEvidence) and one.probability >= LEAST[HeadlineEvidence])
    )
    articles = {article for one in believed for article in graph.articles_of(one)}
    return len({graph.articles[article].source or article for article in articles})


def _between(link: Link, graph: CausalGraph, events: Mapping[str, Event]) -> Link | None:
    """The link between the events as they were told; ``None`` where the clock, on less news, forbids it.

    Closed it is only if the event that refuted it had been reported.
    """
    ends = events[link.source], events[link.target]
    whole = ends == (graph.event(link.source), graph.event(link.target))
    order = link.order if whole else order_of_link(link, *ends)
    closed_by = link.closed_by if link.closed_by in events else None
    return replace(link, order=order, closed_by=closed_by) if order else None
