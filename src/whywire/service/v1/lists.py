"""Routes that list parts of the graph or show one: events, links, claims, mentions, stories."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from whywire.elements import ClaimKind, LinkKind
from whywire.graph.codec import (
    ClaimRow,
    EventRow,
    GraphRow,
    LinkRow,
    SentenceRow,
    claim_row,
    event_row,
    graph_row,
    link_row,
    mention_row,
    sentence_row,
)
from whywire.service.access import PROBLEM_RESPONSES, READS
from whywire.service.context import Context, Service
from whywire.service.guards import public_path
from whywire.service.problems import ProblemError
from whywire.service.responses import TaggedRoute, json_answer, kept_until_changed, page_answer
from whywire.service.rows import MentionOfEvent, PageOf, StoryRow, story_row
from whywire.service.v1.parameters import (
    After,
    GivenId,
    Id,
    Limit,
    MinStrength,
    OfEvidence,
    OfLanguage,
    OfOrganisation,
    OfOutlet,
    OfPlace,
    Time,
    since_of,
    until_of,
)
from whywire.store import StoryFilter

router = APIRouter(route_class=TaggedRoute, dependencies=[READS], tags=["graph"])

ENDED: dict[int | str, dict[str, Any]] = {
    307: {"description": "The event was merged into another one, to which this redirects."},
    410: PROBLEM_RESPONSES[404]
    | {"description": "The event was split; `errors` names the events that hold its mentions."},
}


@router.get("/events", response_model=PageOf[EventRow])
@kept_until_changed
def events(
    request: Request,
    service: Service,
    after: After = None,
    limit: Limit = 50,
    since: Time = None,
    until: Time = None,
    story: GivenId = None,
    language: OfLanguage = None,
) -> Response:
    """Events, the last seen first."""
    begin, end = since_of(since), until_of(until)
    with service.store.snapshot() as store:
        page = store.events(after=after, limit=limit, since=begin, until=end, story=story, language=language)
        graph = store.graph_with(events=page.items)
    return page_answer(request, [event_row(graph, event) for event in page.items], page.next)


@router.get("/events/{event_id}", response_model=EventRow, responses=ENDED)
@kept_until_changed
def event(request: Request, service: Service, event_id: Id) -> Response:
    """One event with its mentions."""
    graph = service.store.around([event_id], steps=0)
    for event in graph.events:
        if event.id == event_id:
            return json_answer(event_row(graph, event))
    return _moved(request, service, event_id, "")


@router.get("/events/{event_id}/graph", response_model=GraphRow, responses=ENDED)
@kept_until_changed
def surroundings(
    request: Request,
    service: Service,
    event_id: Id,
    steps: Annotated[int, Query(ge=0, le=3, description="Links from the event to the farthest event.")] = 1,
) -> Response:
    """An event, the events linked to it, and the evidence of the links."""
    graph = service.store.around([event_id], steps=steps)
    if all(event.id != event_id for event in graph.events):
        return _moved(request, service, event_id, "/graph")
    return json_answer(graph_row(graph))


@router.get("/links", response_model=PageOf[LinkRow])
@kept_until_changed
def links(
    request: Request,
    service: Service,
    after: After = None,
    limit: Limit = 50,
    kind: LinkKind | None = None,
    min_strength: MinStrength = 0,
    evidence: OfEvidence = [],  # noqa: B006  FastAPI copies it
    event: GivenId = None,
    include_closed: Annotated[bool, Query(description="Include links that a refutation closed.")] = True,
) -> Response:
    """Links with their evidence, the strongest first."""
    with service.store.snapshot() as store:
        page = store.links(
            after=after,
            limit=limit,
            kind=kind,
            min_strength=min_strength,
            evidence=evidence,
            event=event,
            include_closed=include_closed,
        )
        graph = store.graph_with(links=page.items)
    return page_answer(request, [link_row(graph, link) for link in page.items], page.next)


@router.get("/claims", response_model=PageOf[ClaimRow])
@kept_until_changed
def claims(
    request: Request,
    service: Service,
    after: After = None,
    limit: Limit = 50,
    article: GivenId = None,
    event: GivenId = None,
    kind: ClaimKind | None = None,
) -> Response:
    """What sentences claim, deny and imagine."""
    page = service.store.claims(after=after, limit=limit, article=article, event=event, kind=kind)
    return page_answer(request, [claim_row(claim) for claim in page.items], page.next)


@router.get("/mentions", response_model=PageOf[MentionOfEvent])
@kept_until_changed
def mentions(
    request: Request,
    service: Service,
    after: After = None,
    limit: Limit = 50,
    event: GivenId = None,
    article: GivenId = None,
) -> Response:
    """Mentions: words of articles that describe an event, each with the id of the event."""
    with service.store.snapshot() as store:
        page = store.mentions(after=after, limit=limit, event=event, article=article)
        articles = store.articles_named({mention.article for mention, _ in page.items})
    rows = [
        mention_row(mention, getattr(articles[mention.article], mention.field)[slice(*mention.span)])
        | {"event": event_id}
        for mention, event_id in page.items
    ]
    return page_answer(request, rows, page.next)


@router.get("/stories", response_model=PageOf[StoryRow])
@kept_until_changed
def stories(
    request: Request,
    service: Service,
    after: After = None,
    limit: Limit = 50,
    since: Time = None,
    until: Time = None,
    language: OfLanguage = None,
    outlet: OfOutlet = None,
    place: OfPlace = None,
    organisation: OfOrganisation = None,
    q: Annotated[str, Query(max_length=500, description="Only stories whose events have all of these words.")] = "",
) -> Response:
    """Stories of two or more events that were reported on in a period, the most important first.

    A report without a time, or with one to come, counts at the time at which it came.
    """
    wanted = StoryFilter(
        since=since_of(since),
        until=until_of(until),
        language=language,
        outlet=outlet,
        place=place,
        organisation=organisation,
        words=q,
    )
    page = service.store.stories(wanted, after=after, limit=limit)
    return page_answer(request, [story_row(story) for story in page.items], page.next)


@router.get(
    "/stories/{story_id}",
    response_model=GraphRow,
    responses={307: {"description": "Its first event is now in another story, to which this redirects."}},
)
@kept_until_changed
def story(request: Request, service: Service, story_id: Id) -> Response:
    """A story: its events, the links between them, their claims and articles."""
    graph = service.store.story(story_id)
    if not graph.events:
        return _continued(request, service, story_id)
    return json_answer(graph_row(graph))


@router.get("/stories/{story_id}/sentence", response_model=SentenceRow)
def sentence(request: Request, service: Service, story_id: Id) -> Response:
    """One sentence on a story that a chat model put together from words of its articles, each clause with its source.

    404 if no sentence is kept on the story as it is now.
    """
    graph = service.store.story(story_id)
    if not graph.events:
        return _continued(request, service, story_id, "/sentence")
    told = next((story for story in graph.stories() if story.id == story_id), None)
    written = told and service.written_on(told, graph)
    if not written:
        raise ProblemError(404, f"no sentence was written on the story {story_id}")
    return json_answer(sentence_row(graph, written))


@router.get("/search", response_model=PageOf[EventRow])
@kept_until_changed
def search(
    request: Request,
    service: Service,
    q: Annotated[str, Query(min_length=1, max_length=500, description="Words.", examples=["refinery fire"])],
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Response:
    """The events whose titles and mentions fit the words best, the best first."""
    with service.store.snapshot() as store:
        events = store.search(q, limit=limit)
        graph = store.graph_with(events=events)
    return page_answer(request, [event_row(graph, event) for event in events], None)


def _moved(request: Request, service: Context, event_id: str, below: str) -> Response:
    """Answer for an event that has ended or never existed.

    Args:
        below: the rest of the path, behind the event's id.
    """
    now = [event for event in service.store.resolve(event_id) if event != event_id]
    if len(now) == 1:
        return _redirect(request, f"/v1/events/{now[0]}{below}")
    if now:
        rows = [{"where": event, "reason": "holds mentions of it"} for event in now]
        raise ProblemError(410, f"the event {event_id} was split", errors=rows)
    if service.store.history_of(event_id, limit=1):
        raise ProblemError(410, f"the event {event_id} has ended: all its reports were replaced or withdrawn")
    raise ProblemError(404, f"there is no event {event_id}")


def _continued(request: Request, service: Context, story_id: str, below: str = "") -> Response:
    """Redirect from a story that has ended to the present story of the event whose id it had.

    Args:
        below: the rest of the path, behind the story's id.
    """
    for name in service.store.resolve(story_id):
        event = service.store.event(name)
        if event and event.story and event.story != story_id:
            return _redirect(request, f"/v1/stories/{event.story}{below}")
    raise ProblemError(404, f"there is no story {story_id}")


def _redirect(request: Request, path: str) -> Response:
    query = request.url.query
    return RedirectResponse(public_path(request, f"{path}?{query}" if query else path), 307)
