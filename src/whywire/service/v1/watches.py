"""Routes of watches: topics that are followed, and the webhooks that are told of their changes."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Annotated, Literal

import anyio.to_thread
from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from whywire.api.webhooks import make_secret
from whywire.errors import InputError, escape_invisible
from whywire.graph.codec import Row
from whywire.service.access import READS, WRITES
from whywire.service.context import Context, Service
from whywire.service.problems import ProblemError
from whywire.service.responses import TaggedRoute, json_answer, page_answer
from whywire.service.rows import PageOf, WatchMade, WatchRow, WatchTested, watch_row
from whywire.service.v1.parameters import Id, body_of, described
from whywire.service.webhooks import NotTakenError, WebhookSender, checked_webhook, shown_webhook, trial_message
from whywire.store import Topic, TopicKind, Watch

router = APIRouter(route_class=TaggedRoute, tags=["watches"])

MAX_NAME_CHARS, MAX_VALUE_CHARS, MAX_WEBHOOK_CHARS = 200, 600, 2000

Name = Annotated[str, Field(max_length=MAX_NAME_CHARS, description="What readers call it; by default its topic.")]
Webhook = Annotated[
    str, Field(max_length=MAX_WEBHOOK_CHARS, description="Where changes are posted: an address of https.")
]


class WatchGiven(BaseModel):
    """A topic to follow."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"kind": "words", "value": "refinery fire", "name": "Refineries"}]},
    )

    kind: Literal["words", "place", "story"]
    value: str = Field(max_length=MAX_VALUE_CHARS, description="Words, a place, or the id of a story.")
    name: Name | None = None
    webhook: Webhook | None = None


class WatchChange(BaseModel):
    """What is to be changed about a watch; what is left out stays."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"examples": [{"paused": True}]})

    name: Name | None = None
    webhook: Webhook | None = Field(None, description="Another address, with a new secret; null for none.")
    paused: bool | None = Field(None, description="Whether nothing is sent; what changes meanwhile is sent later.")


@router.get("/watches", dependencies=[READS], response_model=PageOf[WatchRow])
def watches(request: Request, service: Service) -> Response:
    """All watches, the latest first."""
    return page_answer(request, list(map(_row, service.store.watches())), None)


@router.get("/watches/{watch_id}", dependencies=[READS], response_model=WatchRow)
def watch(service: Service, watch_id: Id) -> Response:
    """One watch."""
    return json_answer(_row(_found(service, watch_id)))


@router.post("/watches", dependencies=[WRITES], response_model=WatchMade, status_code=201, **described(WatchGiven))
def add(request: Request, service: Service, given: Annotated[WatchGiven, body_of(WatchGiven)]) -> Response:
    """Follow a topic from now on.

    The answer has the `secret` by which messages to the webhook are signed. It is shown only once.
    """
    topic = Topic(TopicKind(given.kind), _line(given.value, "value"))
    title = service.store.title_of_topic(topic)
    if title is None:
        raise InputError(f"there is no story {topic.value[:80]}", where="value")
    webhook, secret = _signed(service, given.webhook)
    made = Watch(
        id=f"w-{secrets.token_hex(6)}",
        name=_line(given.name or "", "name") or title[:MAX_NAME_CHARS],
        topic=topic,
        made=datetime.now(UTC),
        made_by=request.scope["state"]["key_id"],
        webhook=webhook,
        secret=secret,
    )
    return json_answer(_row(service.store.add_watch(made)) | {"secret": secret}, status=201)


@router.patch("/watches/{watch_id}", dependencies=[WRITES], response_model=WatchMade, **described(WatchChange))
def change(service: Service, watch_id: Id, given: Annotated[WatchChange, body_of(WatchChange)]) -> Response:
    """Rename a watch, give it another webhook, pause it or resume it.

    A webhook that is set, also to the same address, gets a new secret, which is shown only once. A watch that was
    paused sends what has changed meanwhile once it is resumed.
    """
    _found(service, watch_id)
    name = given.name and _line(given.name, "name")
    secret = None
    if "webhook" in given.model_fields_set:
        webhook, secret = _signed(service, given.webhook)
        service.store.redirect_watch(watch_id, webhook, secret)
    if name:
        service.store.rename_watch(watch_id, name)
    if given.paused is not None:
        service.store.pause_watch(watch_id, paused=given.paused)
    return json_answer(_row(_found(service, watch_id)) | {"secret": secret})


@router.delete("/watches/{watch_id}", dependencies=[WRITES], response_model=WatchRow)
def remove(service: Service, watch_id: Id) -> Response:
    """Follow a topic no longer; the answer is the watch that was removed."""
    row = _row(_found(service, watch_id))
    service.store.remove_watch(watch_id)
    return json_answer(row)


@router.post("/watches/{watch_id}/test", dependencies=[WRITES], response_model=WatchTested)
async def test(service: Service, watch_id: Id) -> Response:
    """Send a message without changes to the webhook, once, and say whether it was taken."""
    watch = await anyio.to_thread.run_sync(_found, service, watch_id)
    async with WebhookSender(allow_private=service.settings.private_webhooks) as sender:
        try:
            await sender.send(watch, *trial_message(watch))
        except NotTakenError as error:
            return json_answer({"taken": False, "reason": str(error)})
    return json_answer({"taken": True, "reason": None})


def _found(service: Context, watch_id: str) -> Watch:
    watch: Watch | None = service.store.find_watch(watch_id)
    if watch is None:
        raise ProblemError(404, f"there is no watch {watch_id}")
    return watch


def _row(watch: Watch) -> Row:
    return watch_row(watch, shown_webhook(watch.webhook))


def _signed(service: Context, webhook: str | None) -> tuple[str | None, str | None]:
    """Return the checked address of a webhook with a new secret."""
    if webhook is None:
        return None, None
    return checked_webhook(webhook, allow_private=service.settings.private_webhooks), make_secret()


def _line(text: str, where: str) -> str:
    """Return a text in one line.

    Raises:
        InputError: it holds characters that nobody sees.
    """
    line = " ".join(text.split())
    if escape_invisible(line) != line:
        raise InputError("it holds invisible characters", where=where)
    return line
