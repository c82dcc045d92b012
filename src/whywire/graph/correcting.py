"""Makes corrections of what a graph shows: from ids of events and articles to words of articles."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from whywire.correction import Anchor, Correction, CorrectionKind
from whywire.elements import Event, LinkKind, MentionKind, short_hash
from whywire.errors import InputError
from whywire.graph.causal_graph import CausalGraph


def hide_link(
    graph: CausalGraph, source: str, target: str, kind: LinkKind, *, by: str, at: datetime, note: str = ""
) -> Correction:
    """Hide a link: no link of its kind leads any more from the one event to the other, whatever tells it.

    The events are known by the mentions that name them, and by their mentions in the articles of the evidence.

    Args:
        source: id of the event that the link starts at.
        target: id of the event that it ends at.
        by: who makes the correction.
        at: when.

    Raises:
        InputError: there is no such link.
    """
    link = next((one for one in graph.links if (one.source, one.target, one.kind) == (source, target, kind)), None)
    if link is None:
        raise InputError(
            f"no link of the kind {kind.value} leads from {source} to {target}",
            hint="name the ends of a link that is there",
        )
    told = {article for piece in link.evidence for article in graph.articles_of(piece)}
    left, right = (
        _anchors(graph, event, {event.mentions[event.named_by].article, *told.intersection(event.articles)})
        for event in map(graph.event, (source, target))
    )
    return _correction(CorrectionKind.HIDE_LINK, left, right, by, at, note, kind)


def tell_apart(
    graph: CausalGraph, event_id: str, articles: Collection[str], *, by: str, at: datetime, note: str = ""
) -> Correction:
    """Divide an event: what some of its articles tell, and what the others tell, are two events.

    Args:
        articles: ids of some of the event's articles.
        by: who makes the correction.
        at: when.

    Raises:
        InputError: there is no such event, an article does not mention it, or no article is left on one side.
    """
    event = next((one for one in graph.events if one.id == event_id), None)
    if event is None:
        raise InputError(f"there is no event {event_id}")
    if unknown := sorted({*articles} - {*event.articles}):
        raise InputError(f"the event is not mentioned in {unknown[0]}", hint="name some of its articles")
    rest = {*event.articles} - {*articles}
    if not articles or not rest:
        raise InputError("both events need an article", hint="name some of the event's articles, but not all")
    left, right = _anchors(graph, event, rest), _anchors(graph, event, articles)
    return _correction(CorrectionKind.APART, left, right, by, at, note)


def _anchors(graph: CausalGraph, event: Event, articles: Collection[str]) -> list[Anchor]:
    """An event's headlines in some articles; its first mention in an article whose headline is of another event."""
    anchors = []
    for name in sorted(articles):
        mentions = [mention for mention in event.mentions if mention.article == name]
        best = next((one for one in mentions if one.kind is MentionKind.HEADLINE), mentions[0])
        anchors.append(Anchor.at(best, graph.articles[name]))
    return anchors


def _correction(
    kind: CorrectionKind,
    left: Iterable[Anchor],
    right: Iterable[Anchor],
    by: str,
    at: datetime,
    note: str,
    link_kind: LinkKind | None = None,
) -> Correction:
    sides = tuple(left), tuple(right)
    name = f"c-{short_hash(kind, link_kind or '', repr(sides), at.isoformat())}"
    return Correction(name, kind, *sides, at=at, by=by, link_kind=link_kind, note=" ".join(note.split()))
