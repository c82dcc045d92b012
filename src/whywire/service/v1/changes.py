"""Routes of the history: what updates changed, as a list and as a stream that can be resumed."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated

import anyio.to_thread
from fastapi import APIRouter, Header, Query, Request
from fastapi.sse import format_sse_event
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from whywire.graph.codec import Row
from whywire.service.access import READS, client_of
from whywire.service.context import Context, Service
from whywire.service.problems import ProblemError
from whywire.service.responses import TaggedRoute, json_answer, kept_until_changed
from whywire.service.rows import ChangePage, change_row
from whywire.service.v1.parameters import MAX_ID_CHARS, Limit, Time, since_of

router = APIRouter(route_class=TaggedRoute, dependencies=[READS], tags=["changes"])

MAX_NUMBER = 2**53 - 1
"""The largest number of a change: JSON readers that use floats have no larger exact integers."""

SENT_AT_ONCE = 200

HEARTBEAT_SECONDS = 15.0
"""After so many seconds without changes a stream sends a comment, to show that it is alive."""

RETRY_MILLISECONDS = 2000

RESET = "the store has no change as late as this: it was restored or replaced, so read everything again"

AfterChange = Annotated[int, Query(ge=0, le=MAX_NUMBER, description="The number of the last change already read.")]
OfEvent = Annotated[
    str | None,
    Query(
        max_length=MAX_ID_CHARS,
        description="Only changes of this event, which may have ended, of its links, and of the events that were "
        "merged or split into it.",
    ),
]


@router.get("/changes", response_model=ChangePage)
@kept_until_changed
def changes(
    request: Request,  # noqa: ARG001  it names the answer that is kept
    service: Service,
    after: AfterChange = 0,
    limit: Limit = 100,
    since: Time = None,
    event: OfEvent = None,
) -> Response:
    """What updates changed, in order: everything, or what happened to one event."""
    recorded = service.store.changes(after=after, limit=limit + 1, since=since_of(since), event=event)
    shown = recorded[:limit]
    following = shown[-1].id if len(recorded) > limit else None
    return json_answer({"items": list(map(change_row, shown)), "next": following})


@router.get(
    "/changes/stream",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def stream(
    request: Request,
    service: Service,
    last_event_id: Annotated[
        str | None, Header(max_length=20, description="The id of the last event received; sent by browsers.")
    ] = None,
    after: Annotated[int | None, Query(ge=0, le=MAX_NUMBER, description="The same as `Last-Event-ID`.")] = None,
) -> Response:
    """Server-sent events: each change as it is made, from now on or after a given change.

    An event's `id` is the number of the change, its name is the kind with `-` for spaces, and its data are a row of
    `/changes`.

    An event `reset`, with the data `{"id": …, "kind": "reset", "asked": …, "reason": …}`, says that the store has no
    change as late as the one asked for, for example because a backup was restored: read everything again. The stream
    continues after the `id` of this event, the number of the store's last change.
    """
    begin = _number(last_event_id, after)
    if begin is None:
        begin = await anyio.to_thread.run_sync(service.store.last_change)
    return _ChangeStream(service, client_of(request), begin)


class _ChangeStream(StreamingResponse):
    """A stream of changes, counted from before its headers are sent until its client has left."""

    def __init__(self, service: Context, client: str, begin: int) -> None:
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        super().__init__(_events(service, begin), media_type="text/event-stream", headers=headers)
        self._listening = service.notifier.listening(client)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream.

        Raises:
            ProblemError: too many streams are open (503).
        """
        with self._listening:
            await super().__call__(scope, receive, send)


def _number(last_event_id: str | None, after: int | None) -> int | None:
    if last_event_id is None:
        return after
    if not (last_event_id.isascii() and last_event_id.isdecimal()):
        raise ProblemError(422, "Last-Event-ID must be the number of a change")
    return min(int(last_event_id), MAX_NUMBER)


async def _events(service: Context, last: int) -> AsyncIterator[bytes]:
    service.metrics.streams.inc()
    service.notifier.nudge()
    try:
        yield f"retry: {RETRY_MILLISECONDS}\n\n".encode()
        while not service.notifier.stopping:
            rows, latest = await anyio.to_thread.run_sync(_changes_after, service, last)
            if latest < last:
                reset = {"id": latest, "kind": "reset", "asked": last, "reason": RESET}
                last = latest
                yield format_sse_event(data_str=json.dumps(reset), event="reset", id=str(last))
                continue
            for row in rows:
                last = row["id"]
                name = row["kind"].replace(" ", "-")
                yield format_sse_event(data_str=json.dumps(row, ensure_ascii=False), event=name, id=str(last))
            if not rows and not await service.notifier.wait(last, HEARTBEAT_SECONDS):
                yield b": alive\n\n"
    finally:
        service.metrics.streams.dec()


def _changes_after(service: Context, last: int) -> tuple[list[Row], int]:
    """Return the next rows, and the number of the last of them, or of the store's last change if there is none."""
    rows = list(map(change_row, service.store.changes(after=last, limit=SENT_AT_ONCE)))
    return rows, rows[-1]["id"] if rows else service.store.last_change()
