"""The stories of a day, and the page of one story."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from itertools import islice
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Query, Request
from starlette.responses import RedirectResponse, Response

from whywire.elements import CLASS_BOUNDS, Event, EvidenceKind, Link, time_range
from whywire.errors import InputError
from whywire.graph.briefs import brief_of
from whywire.graph.causal_graph import CausalGraph, Story
from whywire.graph.chains import Chain, ChainKind, chains
from whywire.graph.frames import Frame, frame_of_event
from whywire.graph.page import COMPONENT_SCRIPTS
from whywire.graph.page_data import component_data, evidence_kinds, is_notable
from whywire.graph.snapshots import as_of as snapshot
from whywire.news import Language
from whywire.news.gazetteer import place_name
from whywire.news.organisations import organisation_name
from whywire.service.context import Service
from whywire.service.guards import public_path
from whywire.service.pages.changes import CHANGES_PER_PAGE, StoryChanges, by_story
from whywire.service.pages.rendering import (
    day_of,
    end_of,
    html_router,
    not_found,
    render,
    start_of,
    tomorrow,
    wording_of,
    work_of,
)
from whywire.store import FacetKind, Store, StoryFilter

STORIES_PER_PAGE = 20

FEW_STORIES = 10
"""A day with fewer stories also shows those of the week before."""

MAX_LISTED = 150
"""Links and events listed on a story's page; the graph shows all, and each event's page lists its links."""

MAX_CHAINS = 200
"""Chains searched in a story; a dense story has very many."""

ALL_DAYS = "all"

CHOICES = 60
"""Outlets, places and organisations of each kind that a list of stories offers."""

MAX_NAME_CHARS = 300
"""Characters of a name that narrows a list of stories."""

VISIT = "visit"
"""The cookie that says what a reader has seen."""

BETWEEN_VISITS = 30 * 60
"""Seconds without a view after which a reader comes anew."""

REMEMBERED = 365 * 24 * 60 * 60
"""Seconds for which a browser keeps the cookie."""

STRENGTH_CLASSES = tuple(
    (name.value, highest - lowest)
    for lowest, (name, highest) in zip((0, *(highest for _, highest in CLASS_BOUNDS)), CLASS_BOUNDS, strict=False)
)
"""The classes of strength with their widths on the scale of 0 to 100."""

router = html_router()


@router.get("/")
def stories(
    request: Request,
    service: Service,
    *,
    day: Annotated[list[str] | None, Query()] = None,
    language: str = "",
    outlet: str = "",
    place: str = "",
    organisation: str = "",
    q: str = "",
    after: str = "",
) -> Response:
    """List the stories that were reported on during a day, the latest day with news by default.

    The form of all days has a day twice: *all*, and one that may be empty; the last one that is not empty counts.
    """
    store = service.store
    asked = next(filter(None, reversed(day or ())), "")
    try:
        spoken = Language(language) if language else None
    except ValueError:
        raise InputError(f"not a language of the news: {language[:40]!r}", hint="en, ru or other") from None
    latest = latest_day(service)
    if latest is None:
        return render(request, "stories.html", empty=True, day=None, last_change=0, **work_of(service))
    chosen = None if asked == ALL_DAYS else day_of(asked) or latest
    names = {"outlet": outlet, "place": place, "organisation": organisation, "q": q}
    narrowed = {name: value for name, given in names.items() if (value := " ".join(given.split())[:MAX_NAME_CHARS])}
    wanted = StoryFilter(
        since=start_of(chosen) if chosen else None,
        until=end_of(chosen) if chosen else None,
        language=spoken,
        outlet=narrowed.get("outlet"),
        place=narrowed.get("place"),
        organisation=narrowed.get("organisation"),
        words=narrowed.get("q", ""),
    )
    page = store.stories(wanted, after=after or None, limit=STORIES_PER_PAGE)
    before = []
    if chosen and not after and len(page.items) < FEW_STORIES:
        shown = {story.id for story in page.items}
        week = replace(wanted, since=start_of(chosen - timedelta(days=7)), until=start_of(chosen))
        before = [story for story in store.stories(week, limit=STORIES_PER_PAGE).items if story.id not in shown]
    listed = [*page.items, *before]
    ids = [story.id for story in listed]
    visit = Visit.of(request.cookies.get(VISIT, ""), store.last_change(), datetime.now(UTC))
    answer = render(
        request,
        "stories.html",
        empty=False,
        before=before,
        strongest=store.strongest_links(ids),
        outlets=store.outlets_of_stories(ids),
        news=_news_since(store, visit),
        stories=page.items,
        next=page.next,
        day=chosen,
        day_before=chosen and chosen - timedelta(days=1),
        day_after=chosen and chosen + timedelta(days=1),
        first_day=latest - timedelta(days=30),
        latest_day=latest,
        last_day=_last_day(store, latest),
        language=language,
        narrowed=narrowed,
        choices={kind.value: facets for kind, facets in store.story_choices(wanted, limit=CHOICES).items()},
        named=partial(_named, Language(wording_of(request).language)),
        address=partial(_address, {"day": chosen or ALL_DAYS, "language": language, **narrowed}),
        last_change=visit.now,
        **work_of(service),
    )
    path = public_path(request, "") or "/"
    answer.set_cookie(VISIT, visit.cookie, max_age=REMEMBERED, path=path, httponly=True, samesite="lax")
    return answer


@dataclass(frozen=True)
class Visit:
    """How far the changes went that a reader has seen, so that cards say what is new since.

    Args:
        before: the last change before this visit; ``None`` on the first.
        now: the last change now.
        at: the time of this view. A view half an hour after the one before begins another visit.
    """

    before: int | None
    now: int
    at: datetime

    @classmethod
    def of(cls, cookie: str, now: int, at: datetime) -> Visit:
        """The visit of a reader whose last view left this cookie."""
        if not re.fullmatch(r"\d{1,15}-\d{1,15}-\d{1,11}", cookie):
            return cls(None, now, at)
        before, seen, last = map(int, cookie.split("-"))
        return cls(seen if at.timestamp() - last > BETWEEN_VISITS else before, now, at)

    @property
    def cookie(self) -> str:
        """What the reader's browser keeps: the change before this visit, the last one seen, and when."""
        return f"{self.now if self.before is None else self.before}-{self.now}-{int(self.at.timestamp())}"


def _news_since(store: Store, visit: Visit) -> dict[str, StoryChanges]:
    """What is new about stories on a visit, by their ids."""
    if visit.before is None or visit.before >= visit.now:
        return {}
    return {story.id: story for story in by_story(store, store.changes(after=visit.before, limit=CHANGES_PER_PAGE))}


@router.get("/stories/{story_id}")
def story(
    request: Request,
    service: Service,
    story_id: str,
    as_of: str = "",
    min_strength: str = "",
    evidence: Annotated[list[str] | None, Query()] = None,
) -> Response:
    """Show a story: in short, its main events and their graph; on request all links, events, frames and chains."""
    whole = service.store.story(story_id)
    told = _story_named(whole, story_id)
    if told is None:
        return _elsewhere(request, service, story_id)
    times = {whole.articles[article].published for event in told.events for article in event.articles}
    days = sorted(min(time.latest.date(), tomorrow()) for time in times if time)
    first, final = (days[0], days[-1]) if days else (date.min, date.min)
    day = day_of(as_of)
    graph = snapshot(whole, end_of(day)) if day and day < final else whole
    then = _story_named(graph, story_id)
    begun = [event for event in graph.events if event.story == story_id]
    if then is None and begun:
        return RedirectResponse(public_path(request, f"/events/{begun[0].id}?as_of={day}"), 303)
    if then is None:
        return render(
            request, "nothing_then.html", id=story_id, title=told.title, day=day, first_day=first, final_day=final
        )
    chosen = _Filter.of(min_strength, evidence)
    links = sorted(then.links, key=lambda link: (-link.weight, link.source, link.target))
    place = {link: number for number, link in enumerate(graph.links)}
    brief = brief_of(graph, then)
    summaries = service.store.stories_named([story_id])
    return render(
        request,
        "story.html",
        id=story_id,
        story=then,
        graph=graph,
        brief=brief,
        written=service.written_on(then, graph, brief),
        component=_component(graph, then),
        component_scripts=COMPONENT_SCRIPTS,
        period=time_range(time for event in then.events for time in (event.first_seen, event.last_seen)),
        articles=len({article for event in then.events for article in event.articles}),
        outlets=_outlets(then.events, graph).most_common(),
        as_of=day if graph is not whole else None,
        first_day=first,
        final_day=final,
        came=summaries[0].came if summaries else None,
        listed_on=summaries[0].last_listed.date() if summaries and summaries[0].last_listed else None,
        min_strength=chosen.min_strength,
        evidence=chosen.kinds,
        hidden=sum(not chosen.passes(link) for link in links),
        shown_links=[(link, chosen.passes(link)) for link in links[:MAX_LISTED]],
        classes=STRENGTH_CLASSES,
        main_timeline=list(_timeline(brief.main, graph)),
        timeline=list(_timeline([event for event in then.events if is_notable(event, graph)][:MAX_LISTED], graph)),
        minor=[event for event in then.events if not is_notable(event, graph)][:MAX_LISTED],
        frames=_frames(then, graph),
        chains=_chains(then, graph),
        place=place,
        last_change=service.store.last_change(),
    )


def latest_day(service: Service) -> date | None:
    """Return the day of the latest report that is not dated in the future; ``None`` if the store is empty.

    Otherwise an outlet whose clock is hours ahead would leave the home page empty for hours. A report without a time
    does not decide the day, for it may be old; if no other is there, the day is the one on which stories last came.
    """
    today = datetime.now(UTC).date()
    dated = service.store.articles(limit=1, until=end_of(today)).items
    if dated and dated[0].published:
        return dated[0].published.at.date()
    if not service.store.articles(limit=1).items:
        return None
    return _last_day(service.store, None) or today


def _last_day(store: Store, latest: date | None) -> date | None:
    """The last day on which stories are listed, not before another day and not after today."""
    listed = store.last_listed(end_of(datetime.now(UTC).date()))
    return max(filter(None, (latest, listed and listed.date())), default=None)


def _named(language: Language, kind: str, name: str) -> str:
    """The name of an outlet, a place or an organisation in the language of the page, where there is one."""
    if kind == FacetKind.PLACE.value:
        return place_name(name, language)
    return organisation_name(name, language) if kind == FacetKind.ORGANISATION.value else name


def _address(parameters: dict[str, object], **changed: object) -> str:
    """The address of a list of stories: the parameters of another, some of them changed or, if empty, left out."""
    return f"?{urlencode({name: value for name, value in {**parameters, **changed}.items() if value})}"


@dataclass(frozen=True)
class _Filter:
    """Which links are shown."""

    min_strength: int
    kinds: tuple[str, ...]

    @classmethod
    def of(cls, min_strength: str, kinds: Iterable[str] | None) -> _Filter:
        try:
            least = min(100, max(0, int(min_strength or 0)))
            chosen = tuple(EvidenceKind(kind).value for kind in kinds or EvidenceKind)
        except ValueError:
            raise InputError("min_strength is a number from 0 to 100, evidence is said, shown or implied") from None
        return cls(least, chosen)

    def passes(self, link: Link) -> bool:
        return link.strength >= self.min_strength and any(kind in self.kinds for kind in evidence_kinds(link))


@dataclass(frozen=True)
class _TimelineRow:
    """An event of a timeline; ``left`` and ``width`` of its bar are in percent, ``None`` if its time is unknown."""

    event: Event
    outlets: list[str]
    frame: str
    left: float | None = None
    width: float | None = None


def _story_named(graph: CausalGraph, story_id: str) -> Story | None:
    return next((story for story in graph.stories() if story.id == story_id), None)


def _elsewhere(request: Request, service: Service, story_id: str) -> Response:
    """Redirect to the event, if the story is a single event, or to the story that the event is in now."""
    for event_id in service.store.resolve(story_id):
        event = service.store.event(event_id)
        if event is not None:
            address = f"/stories/{event.story}" if event.story not in (None, story_id) else f"/events/{event.id}"
            return RedirectResponse(public_path(request, address), 303)
    return not_found(request)


def _component(graph: CausalGraph, story: Story) -> dict[str, Any]:
    """Return the data of the graph component, with this story only."""
    data = component_data(graph)
    lead = next(number for number, event in enumerate(graph.events) if event.id == story.lead.id)
    data["stories"] = [row for row in data["stories"] if row["lead"] == lead]
    return data


def _outlets(events: Iterable[Event], graph: CausalGraph) -> Counter[str | None]:
    """Count the articles of each outlet."""
    return Counter(
        graph.articles[article].source
        for article in dict.fromkeys(name for event in events for name in event.articles)
    )


def _timeline(events: Iterable[Event], graph: CausalGraph) -> Iterable[_TimelineRow]:
    rows = list(events)
    end = end_of(tomorrow()).timestamp()

    def place(time: datetime) -> float:
        return min(time.timestamp(), end)

    times = [
        (place(event.first_seen.at), place(event.last_seen.until))
        for event in rows
        if event.first_seen and event.last_seen
    ]
    start = min((first for first, _ in times), default=0.0)
    length = max((last for _, last in times), default=0.0) - start or 1.0
    for event in rows:
        outlets = list(filter(None, _outlets([event], graph)))
        frame = frame_of_event(graph, event.id).value
        if event.first_seen is None or event.last_seen is None:
            yield _TimelineRow(event, outlets, frame)
            continue
        left = 100 * (place(event.first_seen.at) - start) / length
        width = 100 * (place(event.last_seen.until) - place(event.first_seen.at)) / length
        yield _TimelineRow(event, outlets, frame, round(min(left, 98), 2), round(max(width, 2), 2))


def _frames(story: Story, graph: CausalGraph) -> list[tuple[Event, str, tuple[Link, ...]]]:
    """Return the events that have a frame, with their causes, those with the strongest cause first."""
    framed = [
        (event, frame.value, graph.causes_of(event.id))
        for event in story.events
        if (frame := frame_of_event(graph, event.id)) is not Frame.NONE
    ]
    return sorted(framed, key=lambda row: -row[2][0].weight)[:MAX_LISTED]


def _chains(story: Story, graph: CausalGraph) -> list[tuple[str, list[Chain]]]:
    """Return the chains of a story by kind, those whose weakest link is strongest first."""
    members = {event.id for event in story.events}
    inner = [chain for chain in islice(chains(graph), MAX_CHAINS) if members.issuperset(chain.events)]
    inner.sort(key=lambda chain: -min(link.weight for link in chain.links))
    by_kind = [(kind.value, [chain for chain in inner if chain.kind is kind]) for kind in ChainKind]
    return [(name, of_kind) for name, of_kind in by_kind if of_kind]
