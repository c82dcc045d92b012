"""The page of an event, and what may follow it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import partial

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from whywire.answers.predictions import Prediction
from whywire.elements import Claim, ClaimEvidence, Event, Link, LinkKind, Mention, MentionKind
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.snapshots import as_of as snapshot
from whywire.news import Article
from whywire.service.access import client_of
from whywire.service.context import Context, Service
from whywire.service.guards import public_path
from whywire.service.pages.rendering import (
    day_of,
    end_of,
    html_router,
    message,
    not_found,
    render,
    tomorrow,
    wording_of,
)
from whywire.service.problems import ProblemError
from whywire.store import RecordedChange
from whywire.updating import Change, ChangeKind

MAX_LINKS = 100
"""Links of an event that are listed in a section, strongest first."""

MAX_CLAIMS = 12
"""Other claims in an event's reports that are listed, most probable first."""

MERGED = "merged"

router = html_router()


@router.get("/events/{event_id}")
def event(request: Request, service: Service, event_id: str, as_of: str = "", was: str = "") -> Response:
    """An event: what led to it, what it led to, refutations, reports and history; of an ended one, where it went.

    As of a day there is no history: a change has the time at which it was recorded here, which may be long after the
    reports that made it were published.
    """
    now = service.store.event(event_id)
    if now is None:
        return _ended(request, service, event_id)
    whole = service.store.around([event_id])
    days = _days_of(now, whole)
    day = day_of(as_of)
    graph = snapshot(whole, end_of(day)) if day and days and day < days[-1] else whole
    first, final = (days[0], days[-1]) if days else (date.min, date.min)
    shown = next((event for event in graph.events if event.id == event_id), None)
    if shown is None:
        return render(request, "nothing_then.html", title=now.title, day=day, first_day=first, final_day=final)
    return render(
        request,
        "event.html",
        event=shown,
        story=now.story if now.story and len(service.store.events(story=now.story, limit=2).items) > 1 else None,
        graph=graph,
        merged=was == MERGED,
        most_links=MAX_LINKS,
        sections=[(name, links) for name, links in _sections(graph, event_id) if links],
        reports=[_report(article, shown, graph) for article in shown.articles],
        claims=_other_claims(graph, event_id),
        history=history_of(service, event_id) if graph is whole else None,
        as_of=day if graph is not whole else None,
        first_day=first,
        final_day=final,
        last_change=service.store.last_change(),
    )


@router.get("/events/{event_id}/predictions")
async def predictions(request: Request, service: Service, event_id: str) -> Response:
    """What may follow an event, by what followed similar ones."""
    event = await run_in_threadpool(service.store.event, event_id)
    if event is None:
        return not_found(request)
    try:
        found = await service.graph_pool.run(client_of(request), "predict", partial(_predict, service, event))
        busy = False
    except ProblemError:
        found, busy = [], True
    return render(request, "predictions.html", event=event, predictions=found, busy=busy)


def _ended(request: Request, service: Service, event_id: str) -> Response:
    into = service.store.resolve(event_id)
    if len(into) == 1:
        return RedirectResponse(public_path(request, f"/events/{into[0]}?was={MERGED}"), 303)
    words = wording_of(request)
    if into:
        found = [event for name in into if (event := service.store.event(name))]
        return message(request, words.text("split"), words.text("split text"), events=found)
    if service.store.history_of(event_id, limit=1):
        return message(request, words.text("ended"), words.text("ended text"))
    return not_found(request)


def _days_of(event: Event, graph: CausalGraph) -> list[date]:
    """The days on which something was reported of an event or of those it is linked with."""
    linked = {end for link in graph.links_of(event.id) for end in (link.source, link.target)} | {event.id}
    times = {graph.articles[article].published for name in linked for article in graph.event(name).articles}
    return sorted({min(time.latest.date(), tomorrow()) for time in times if time})


def _sections(graph: CausalGraph, event_id: str) -> list[tuple[str, list[Link]]]:
    def links(kind: LinkKind, *, ends: bool) -> list[Link]:
        chosen = (
            link
            for link in graph.links_of(event_id)
            if link.kind is kind and event_id == (link.target if ends else link.source)
        )
        return sorted(chosen, key=lambda link: (link.closed_by is not None, -link.strength, link.source, link.target))

    return [
        ("led to it", links(LinkKind.CAUSES, ends=True)),
        ("effects", links(LinkKind.CAUSES, ends=False)),
        ("refuted by", links(LinkKind.REFUTES, ends=False)),
        ("refutes it", links(LinkKind.REFUTES, ends=True)),
    ]


def _report(article: str, event: Event, graph: CausalGraph) -> tuple[Article, list[tuple[Mention, str]]]:
    """An article and its mentions of an event below the headline."""
    mentions = [
        (mention, " ".join(graph.words(mention).split()))
        for mention in event.mentions
        if mention.article == article and mention.kind is not MentionKind.HEADLINE
    ]
    return graph.articles[article], mentions


def _other_claims(graph: CausalGraph, event_id: str) -> list[Claim]:
    """The claims of an event's reports that support none of its links."""
    used = {
        piece.claim
        for link in graph.links_of(event_id)
        for piece in (*link.evidence, *link.denied_by)
        if isinstance(piece, ClaimEvidence)
    }
    others = [claim for claim in graph.claims_of(event_id) if claim.id not in used]
    return sorted(others, key=lambda claim: (-claim.probability, claim.id))[:MAX_CLAIMS]


def _predict(service: Context, event: Event) -> list[Prediction]:
    """What followed similar events; what is known to have to do with this one is no guess."""
    headline = Article(event.id, event.title, language=event.language, published=event.last_seen)
    around = service.store.around([event.id])
    known = {near.title for near in around.events}
    return [effect for effect in service.graphs.past(event.title).predict(headline) if effect.text not in known]


MAX_CHANGES = 50
"""Changes of an event that its page lists, the last ones; the API has all."""


@dataclass(frozen=True)
class EventHistory:
    """The last changes of an event, the latest first.

    Args:
        changes: each with the names of the words that say what it was.
        cut: there are earlier ones.
        titles: of the events that hold mentions of those that were merged or split, by their ids.
    """

    changes: list[tuple[RecordedChange, list[str]]]
    cut: bool
    titles: dict[str, str]


def history_of(service: Context, event_id: str) -> EventHistory:
    """Return the history of an event, as it was recorded."""
    found = service.store.history_of(event_id, limit=MAX_CHANGES + 1)
    shown = found[:MAX_CHANGES]
    into = sorted({name for recorded in shown for name in recorded.change.into})
    titles = {name: event.title for name in into if (event := service.store.event(name))}
    changes = [(recorded, list(_words_of(recorded.change))) for recorded in shown]
    return EventHistory(changes, len(found) > len(shown), titles)


def _words_of(change: Change) -> Iterator[str]:
    """The names of the words that say what a change was; of a changed event, everything that changed."""
    if change.kind is not ChangeKind.EVENT_CHANGED:
        yield change.kind.value
        return
    details = change.details
    words = [f"other {name}" for name in ("title", "story", "planned") if f"{name} before" in details]
    if "articles" in details:
        words.insert(0, "grew" if details["articles"] > details.get("articles before", 0) else "shrank")
    yield from words or [ChangeKind.EVENT_CHANGED.value]
