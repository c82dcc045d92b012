"""Routes for the feeds that are watched: listed with their health, added, imported, paused, timed, removed.

An address may hold a key in its query, so reading shows it without; only the export, which needs a key of the
service, has all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Literal
from xml.etree import ElementTree

import anyio
import anyio.to_thread
from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from whywire.api.watch import missing_package
from whywire.errors import MissingExtraError
from whywire.feeds.schedule import LONGEST, MINUTE, SHORTEST
from whywire.graph.codec import Row
from whywire.graph.exports.illegal_characters import xml_text
from whywire.service.access import PROBLEM_RESPONSES, READS, WRITES
from whywire.service.context import Context, Service
from whywire.service.problems import ProblemError
from whywire.service.responses import TaggedRoute, json_answer, page_answer
from whywire.service.rows import FeedRow, FeedsImported, PageOf, feed_row
from whywire.service.v1.parameters import Id, WholeNumber, body_of, check_type, described
from whywire.store import Feed
from whywire.store.feeds import feed_id

router = APIRouter(route_class=TaggedRoute, tags=["feeds"])

OPML = ("text/x-opml", "application/xml", "text/xml")

_LIST = {
    "schema": {"type": "string"},
    "examples": {
        "one": {"value": '<opml version="2.0"><body><outline xmlUrl="https://harbour.example/rss"/></body></opml>\n'}
    },
}

MAX_IMPORTED = 1000
"""Feeds of one import."""

MAX_TITLE_CHARS = 300

LEAST_MINUTES, MOST_MINUTES = int(SHORTEST / MINUTE), int(LONGEST / MINUTE)

Minutes = Annotated[WholeNumber, Field(ge=LEAST_MINUTES, le=MOST_MINUTES)]

_PARSERS = anyio.CapacityLimiter(1)
"""Lists that are parsed at a time, each in a process of its own."""

UNKNOWN: dict[int | str, Any] = {404: PROBLEM_RESPONSES[404]}


class FeedGiven(BaseModel):
    """A feed to add."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"url": "https://harbour.example/rss"}]}
    )

    url: str = Field(description="Of a feed, or of a page that names its feed.")
    title: str = Field("", max_length=MAX_TITLE_CHARS, description="Shown until the feed gives its own.")
    interval: Minutes | None = Field(None, description="Minutes between looks; by default adapted.")


class FeedChange(BaseModel):
    """What to change of a feed; what is missing stays."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"paused": True}, {"interval": 60}]}
    )

    paused: bool | None = Field(None, description="Whether it is left alone.")
    interval: Minutes | None = Field(None, description="Minutes between looks; null adapts them.")
    look: Literal[True] | None = Field(None, description="Look at it now, but not twice a minute.")


@router.get("/feeds", dependencies=[READS], response_model=PageOf[FeedRow])
def feeds(request: Request, service: Service) -> Response:
    """All feeds with their health."""
    return page_answer(request, [_row(service, feed) for feed in service.store.feeds()], None)


@router.post(
    "/feeds",
    dependencies=[WRITES],
    status_code=201,
    response_model=FeedRow,
    **described(FeedGiven, {200: {"model": FeedRow, "description": "It is watched already."}}),
)
async def add(request: Request, service: Service, given: Annotated[FeedGiven, body_of(FeedGiven)]) -> Response:
    """Add a feed. It is looked at within seconds; what came of that is in its row."""
    (url,) = await _checked(service, [given.url])
    if not isinstance(url, str):
        raise ProblemError(422, str(url), errors=[{"where": "body.url", "reason": str(url)}])

    def store() -> Response:
        new = _add(request, service, {url: given.title})
        if new and given.interval is not None:
            service.store.change_feed(feed_id(url), {"interval": given.interval})
        return json_answer(_row(service, _found(service, feed_id(url))), status=201 if new else 200)

    return await anyio.to_thread.run_sync(store)


@router.post(
    "/feeds/opml",
    dependencies=[WRITES],
    response_model=FeedsImported,
    responses={415: UNKNOWN[404] | {"description": "The body is of another type."}},
    openapi_extra={"requestBody": {"required": True, "content": {OPML[0]: _LIST}}},
)
async def import_opml(request: Request, service: Service) -> Response:
    """Add the feeds of a list in OPML; one that cannot be used does not affect the others."""
    check_type(request, OPML)
    _check_extra()
    from whywire.feeds.subscriptions import feeds_of_opml

    content = await request.body()
    listed, problems = await anyio.to_thread.run_sync(feeds_of_opml, content, "body", limiter=_PARSERS)
    if len(listed) > MAX_IMPORTED:
        raise ProblemError(422, f"a list may name {MAX_IMPORTED:,} feeds, not {len(listed):,}; divide it")
    checked = await _checked(service, [url for url, _ in listed])
    titles = {
        url: title[:MAX_TITLE_CHARS] for url, (_, title) in zip(checked, listed, strict=True) if isinstance(url, str)
    }
    new = await anyio.to_thread.run_sync(_add, request, service, titles)
    refused = [
        {"where": given[:MAX_TITLE_CHARS], "reason": str(error)}
        for error, (given, _) in zip(checked, listed, strict=True)
        if not isinstance(error, str)
    ]
    refused += [{"where": str(problem.row or problem.place), "reason": problem.reason} for problem in problems]
    return json_answer({"added": len(new), "known": len(titles) - len(new), "refused": refused})


@router.get(
    "/feeds/opml",
    dependencies=[WRITES],
    responses={200: {"description": "A list in OPML.", "content": {OPML[0]: {"schema": {"type": "string"}}}}},
)
def export_opml(service: Service) -> Response:
    """The feeds as a list in OPML, with their whole addresses, which may hold keys."""
    listed = ElementTree.Element("opml", version="2.0")
    ElementTree.SubElement(ElementTree.SubElement(listed, "head"), "title").text = "Whywire"
    body = ElementTree.SubElement(listed, "body")
    for feed in service.store.feeds():
        if feed.added or feed.url in service.given_feeds:
            title = xml_text(feed.state.title or feed.title or feed.url)
            ElementTree.SubElement(body, "outline", type="rss", text=title, xmlUrl=feed.url)
    content = ElementTree.tostring(listed, encoding="utf-8", xml_declaration=True)
    return Response(content, media_type=OPML[0], headers={"content-disposition": "attachment; filename=feeds.opml"})


@router.get("/feeds/{feed_id}", dependencies=[READS], response_model=FeedRow, responses=UNKNOWN)
def one(service: Service, feed_id: Id) -> Response:
    """One feed with its health."""
    return json_answer(_row(service, _found(service, feed_id)))


@router.patch("/feeds/{feed_id}", dependencies=[WRITES], response_model=FeedRow, **described(FeedChange, UNKNOWN))
def change(service: Service, feed_id: Id, asked: Annotated[FeedChange, body_of(FeedChange)]) -> Response:
    """Pause or time a feed, or look at it now. It is also looked at when its interval changes."""
    before = _found(service, feed_id)
    values: Row = {}
    if asked.paused is not None:
        values["paused"] = asked.paused
    if "interval" in asked.model_fields_set:
        values["interval"] = asked.interval
    if values:
        service.store.change_feed(feed_id, values)
    if asked.look or values.get("interval", before.interval) != before.interval:
        service.store.ask_for_look(feed_id)
    return json_answer(_row(service, _found(service, feed_id)))


@router.delete(
    "/feeds/{feed_id}",
    dependencies=[WRITES],
    status_code=204,
    response_class=Response,
    responses={**UNKNOWN, 409: UNKNOWN[404] | {"description": "The service was given it at the start."}},
)
def remove(service: Service, feed_id: Id) -> Response:
    """Remove a feed; its articles stay. One that the service was given at the start can only be paused here."""
    feed = _found(service, feed_id)
    if not feed.added and feed.url in service.given_feeds:
        raise ProblemError(409, "the service was given this feed at the start: take it from that list, or pause it")
    service.store.remove_feed(feed_id)
    return Response(status_code=204)


def _row(service: Context, feed: Feed) -> Row:
    return feed_row(feed, datetime.now(UTC), given=feed.url in service.given_feeds)


def _found(service: Context, id_: str) -> Feed:
    feed = service.store.feed(id_)
    if feed is None:
        raise ProblemError(404, f"there is no feed {id_}")
    return feed


def _add(request: Request, service: Context, titles: dict[str, str]) -> list[str]:
    """Add feeds with their titles, by address; return those that were neither added before nor given at the start."""
    wanted = {
        url: xml_text(" ".join(title.split())) for url, title in titles.items() if url not in service.given_feeds
    }
    return service.store.add_feeds(wanted, request.scope["state"]["key_id"])


async def _checked(service: Context, urls: Sequence[str]) -> Sequence[str | Exception]:
    """Return the addresses as they will be fetched, or in their places why they cannot be."""
    _check_extra()
    from whywire.feeds.subscriptions import checked_feeds

    return await checked_feeds(urls, allow_private=service.settings.private_feeds)


def _check_extra() -> None:
    if package := missing_package():
        raise ProblemError(501, str(MissingExtraError(package, "feeds")))
