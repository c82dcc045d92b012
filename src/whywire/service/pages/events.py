"""The page of an event, and its predictions."""

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
"""Links listed in a section of an event's page, strongest first."""

MAX_CLAIMS = 12
"""Other claims of an event's reports that are listed, most probable first."""

MAX_PRECEDENTS = 3
"""Precedents of a prediction that are shown, most probable first."""

MERGED = "merged"

router = html_router()


@router.get("/events/{event_id}")
def event(request: Request, service: Service, event_id: str, as_of: str = "", was: str = "") -> Response:
    """Show an event's causes, effects, refutations, reports and history; for an ended event, where its mentions went.

    As of a past day no history is shown: changes have the time at which they were recorded here, which may be long
    after their reports were published.
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
    story = next(iter(service.store.stories_named([now.story or event_id])), None)
    return render(
        request,
        "event.html",
        event=shown,
        story=story,
        graph=graph,
        merged=was == MERGED,
        most_links=MAX_LINKS,
        sections=[(name, links) for name, links in _sections(graph, event_id) if links],
        came=story.came if story and shown.first_seen is None else None,
        reports=[_report(article, shown, graph) for article in shown.articles],
        claims=_other_claims(graph, event_id),
        history=history_of(service, event_id) if graph is whole else None,
        corrections=service.store.corrections(event=event_id).items if graph is whole else [],
        as_of=day if graph is not whole else None,
        first_day=first,
        final_day=final,
        last_change=service.store.last_change(),
    )


@router.get("/events/{event_id}/predictions")
async def predictions(request: Request, service: Service, event_id: str) -> Response:
    """Show what may follow an event, by what followed similar events in other stories."""
    event = await run_in_threadpool(service.store.event, event_id)
    if event is None:
        return not_found(request)
    try:
        effects = await service.graph_pool.run(client_of(request), "predict", partial(_predict, service, event))
        busy = False
    except ProblemError:
        effects, busy = [], True
    return render(
        request, "predictions.html", event=event, predictions=effects, busy=busy, most_precedents=MAX_PRECEDENTS
    )


def _ended(request: Request, service: Service, event_id: str) -> Response:
    into = service.store.resolve(event_id)
    if len(into) == 1:
        return RedirectResponse(public_path(request, f"/events/{into[0]}?was={MERGED}"), 303)
    words = wording_of(request)
    if into:
        parts = [event for name in into if (event := service.store.event(name))]
        return message(request, words.text("split"), words.text("split text"), events=parts)
    if service.store.history_of(event_id, limit=1):
        return message(request, words.text("ended"), words.text("ended text"))
    return not_found(request)


def _days_of(event: Event, graph: CausalGraph) -> list[date]:
    """Return the days of reports on an event and the events linked to it."""
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
        return sorted(chosen, key=lambda link: (link.closed_by is not None, -link.weight, link.source, link.target))

    return [
        ("led to it", links(LinkKind.CAUSES, ends=True)),
        ("effects", links(LinkKind.CAUSES, ends=False)),
        ("refuted by", links(LinkKind.REFUTES, ends=False)),
        ("refutes it", links(LinkKind.REFUTES, ends=True)),
    ]


def _report(article: str, event: Event, graph: CausalGraph) -> tuple[Article, list[tuple[Mention, str]]]:
    """Return an article and its mentions of an event in the text."""
    mentions = [
        (mention, " ".join(graph.words(mention).split()))
        for mention in event.mentions
        if mention.article == article and mention.kind is not MentionKind.HEADLINE
    ]
    return graph.articles[article], mentions


def _other_claims(graph: CausalGraph, event_id: str) -> list[Claim]:
    """Return the claims of an event's reports that no evidence of its links uses."""
    used = {
        piece.claim
        for link in graph.links_of(event_id)
        for piece in (*link.evidence, *link.denied_by)
        if isinstance(piece, ClaimEvidence)
    }
    unused = [claim for claim in graph.claims_of(event_id) if claim.id not in used]
    return sorted(unused, key=lambda claim: (-claim.probability, claim.id))[:MAX_CLAIMS]


def _predict(service: Context, event: Event) -> list[Prediction]:
    """Predict what may follow an event."""
    return service.graphs.past(event.title).predict(event)


MAX_CHANGES = 50
"""The page of an event lists this many of its last changes; the API has all."""


@dataclass(frozen=True)
class EventHistory:
    """The last changes of an event, the latest first.

    Args:
        changes: each with the names of the texts that describe it.
        cut: there are earlier changes.
        titles: titles, by event id, of the events into which others were merged or split.
    """

    changes: list[tuple[RecordedChange, list[str]]]
    cut: bool
    titles: dict[str, str]


def history_of(service: Context, event_id: str) -> EventHistory:
    """Return the recorded history of an event."""
    history = service.store.history_of(event_id, limit=MAX_CHANGES + 1)
    shown = history[:MAX_CHANGES]
    into = sorted({name for recorded in shown for name in recorded.change.into})
    titles = {name: event.title for name in into if (event := service.store.event(name))}
    changes = [(recorded, list(_words_of(recorded.change))) for recorded in shown]
    return EventHistory(changes, len(history) > len(shown), titles)


def _words_of(change: Change) -> Iterator[str]:
    """Yield the names of the texts that describe a change; for a changed event, one for each thing that changed."""
    if change.kind is not ChangeKind.EVENT_CHANGED:
        yield change.kind.value
        return
    details = change.details
    words = [f"other {name}" for name in ("title", "story", "planned") if f"{name} before" in details]
    if "articles" in details:
        words.insert(0, "grew" if details["articles"] > details.get("articles before", 0) else "shrank")
    yield from words or [ChangeKind.EVENT_CHANGED.value]
