"""Webhooks: what is new about a watch is sent, signed, to the address that its maker gave.

A message is one POST of JSON, signed by the scheme of Standard Webhooks. The receiver takes it by answering with a
status of 2xx. Otherwise the same message is sent again, after pauses that double up to an hour, for a day; then the
watch is paused. Messages of a watch come one after the other, each at least once.

The address is a stranger's, so it is judged when it is dialled, as that of a feed is (:mod:`whywire.feeds.client`).
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from importlib.metadata import version
from ipaddress import ip_address
from typing import Any, Self
from urllib.parse import urlsplit

from whywire.api.webhooks import ID, SIGNATURE, TIMESTAMP, sign
from whywire.errors import InputError, WhywireError, escape_invisible
from whywire.feeds.client import AGENT, FetchError, GuardedClient, Resolve, checked_url, refusal, resolve
from whywire.graph.codec import Row
from whywire.news.times import utc_text
from whywire.service.background import AWAY_SECONDS, IDLE_SECONDS, BackgroundThread
from whywire.service.responses import json_bytes
from whywire.service.rows import change_row
from whywire.service.settings import Settings
from whywire.service.telemetry import Metrics, logger
from whywire.store import Store, TopicChange, Watch

SECONDS = 10.0
"""The time for one attempt, with the resolution of the name."""

FIRST_PAUSE, LONGEST_PAUSE = 5.0, 3600.0
"""Seconds before the second attempt; the pause doubles with each further one, up to the longest."""

JITTER = 0.2
"""The share by which a pause is shortened or lengthened at random, so that receivers are not asked all at once."""

GIVEN_UP = timedelta(days=1)
"""How long a message is sent again and again before its watch is paused."""

MAX_REASON = 300
"""Characters of a reason that are kept."""

PRIVATE_OPTION = "--private-webhooks"


class NotTakenError(WhywireError):
    """A message that its receiver did not take.

    Args:
        for_good: there is no use in sending it again.
    """

    def __init__(self, message: str, *, for_good: bool = False) -> None:
        super().__init__(message)
        self.for_good = for_good


class WebhookSender:
    """Sends signed messages, to allowed addresses only.

    Args:
        allow_private: also send to loopback and private networks, where ``http`` will do.
        resolve: finds the IP addresses of a host.
    """

    def __init__(self, *, allow_private: bool = False, seconds: float = SECONDS, resolve: Resolve = resolve) -> None:
        given: dict[str, Any] = {"seconds": seconds, "resolve": resolve, "option": PRIVATE_OPTION}
        self._clients = {"https": GuardedClient(allow_private=allow_private, **given)}
        if allow_private:
            self._clients["http"] = GuardedClient(allow_private=True, allow_public=False, **given)
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        for client in self._clients.values():
            await self._stack.enter_async_context(client)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def send(self, watch: Watch, message_id: str, body: bytes) -> None:
        """Send a message to the webhook of a watch.

        Raises:
            NotTakenError: it was not taken; the reason is one that readers may see.
        """
        if watch.webhook is None or watch.secret is None:
            raise NotTakenError("there is no webhook", for_good=True)
        client = self._clients.get(urlsplit(watch.webhook).scheme)
        if client is None:
            raise NotTakenError(f"http needs {PRIVATE_OPTION}")
        timestamp = int(time.time())
        headers = {
            "content-type": "application/json",
            "user-agent": f"{AGENT}/{version('whywire')}",
            ID: message_id,
            TIMESTAMP: str(timestamp),
            SIGNATURE: sign(watch.secret, message_id, timestamp, body),
        }
        try:
            status = await client.post(watch.webhook, body, headers)
        except FetchError as error:
            raise NotTakenError(str(error)) from error
        if not 200 <= status < 300:
            raise NotTakenError(f"the receiver answered {status}", for_good=status == HTTPStatus.GONE)


class WebhookThread(BackgroundThread):
    """Sends what is new about the watches of a store; of several processes, one sends for a watch at a time."""

    def __init__(self, settings: Settings, store: Store, metrics: Metrics) -> None:
        super().__init__("webhooks")
        self._settings, self._store, self._metrics = settings, store, metrics

    def run(self) -> None:
        """Send until it is stopped."""
        asyncio.run(self._send_until_stopped())

    async def _send_until_stopped(self) -> None:
        async with WebhookSender(allow_private=self._settings.private_webhooks) as sender:
            while not self._stopping.is_set():
                pause = IDLE_SECONDS
                try:
                    if self._store.has_due_webhooks():
                        leased = self._store.lease_webhooks(make_message)
                        sending = (self._deliver(sender, watch) for watch in leased)
                        for outcome in await asyncio.gather(*sending, return_exceptions=True):
                            if outcome is not None:
                                raise outcome
                        pause = 0.0 if leased else IDLE_SECONDS
                except Exception as error:
                    logger.error("webhooks cannot be sent", exc_info=error)
                    pause = AWAY_SECONDS
                await asyncio.to_thread(self._stopping.wait, pause)

    async def _deliver(self, sender: WebhookSender, watch: Watch) -> None:
        try:
            await sender.send(watch, f"{watch.id}.{watch.reaches}", (watch.message or "").encode())
        except NotTakenError as error:
            now = datetime.now(UTC)
            since = watch.failing_since or now
            gives_up = error.for_good or now - since >= GIVEN_UP
            next_try = now + timedelta(seconds=pause_after(watch.failures + 1))
            await asyncio.to_thread(
                self._store.webhook_failed,
                watch,
                str(error)[:MAX_REASON],
                since=since,
                next_try=next_try,
                gives_up=gives_up,
            )
            self._note(watch, "paused" if gives_up else "failed", reason=str(error), failures=watch.failures + 1)
        else:
            await asyncio.to_thread(self._store.webhook_took, watch)
            self._note(watch, "taken")

    def _note(self, watch: Watch, outcome: str, **fields: object) -> None:
        self._metrics.webhooks.labels(outcome).inc()
        log = logger.info if outcome == "taken" else logger.warning
        log("webhook", extra={"watch": watch.id, "to": shown_webhook(watch.webhook), "outcome": outcome, **fields})


def pause_after(failures: int, jitter: float | None = None) -> float:
    """Return the seconds until the next attempt.

    Args:
        failures: in a row, at least 1.
        jitter: from -1 to 1; random by default.
    """
    chance = random.uniform(-1, 1) if jitter is None else jitter  # noqa: S311  no secret
    doubled = FIRST_PAUSE * 2.0 ** min(failures - 1, 20)
    return min(LONGEST_PAUSE, doubled) * (1 + JITTER * chance)


def make_message(watch: Watch, news: Sequence[TopicChange]) -> str:
    """Return the message of changes about a watch."""
    changes = [change_row(one.recorded) | {"story": one.story, "story_title": one.title} for one in news]
    return _message("watch.changes", watch, {"changes": changes})


def trial_message(watch: Watch) -> tuple[str, bytes]:
    """Return the id and the body of a message by which a receiver can be tried out."""
    return f"{watch.id}.test.{secrets.token_hex(8)}", _message("watch.test", watch, {"changes": []}).encode()


def _message(kind: str, watch: Watch, data: Mapping[str, object]) -> str:
    named: Row = {"id": watch.id, "name": watch.name, "kind": watch.topic.kind.value, "value": watch.topic.value}
    row = {"type": kind, "timestamp": utc_text(datetime.now(UTC)), "data": {"watch": named, **data}}
    return json_bytes(row).decode()


def checked_webhook(url: str, *, allow_private: bool) -> str:
    """Return the address of a webhook without its fragment.

    A name is judged again whenever it is dialled; here only what can never be reached is refused.

    Raises:
        InputError: it is no address of the web, is not encrypted, or is one of this machine or network that is not
            allowed.
    """
    try:
        checked = checked_url(escape_invisible(url))
    except FetchError as error:
        raise InputError(error.message, where="webhook", hint=error.hint) from error
    if checked.scheme != "https" and not allow_private:
        raise InputError(
            "a webhook begins with https://", where="webhook", hint=f"http is for private addresses: {PRIVATE_OPTION}"
        )
    try:
        ip_address(checked.host)
    except ValueError:
        return str(checked)
    if reason := refusal(checked.host, allow_private=allow_private, allow_public=checked.scheme == "https"):
        raise InputError(reason, where="webhook", hint=f"private ones need {PRIVATE_OPTION}")
    return str(checked)


def shown_webhook(url: str | None) -> str | None:
    """Return the scheme and the host of a webhook: the rest of its address is often a secret."""
    if url is None:
        return None
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port else "")
