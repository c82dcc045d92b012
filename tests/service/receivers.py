"""A receiver of webhooks on this machine: it keeps what it was sent, and answers as a test wants."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.local_server import answering


@dataclass
class Message:
    """A request that came."""

    headers: dict[str, str]
    body: bytes

    @property
    def content(self) -> dict[str, Any]:
        """The body, read."""
        read: dict[str, Any] = json.loads(self.body)
        return read

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def changes(self) -> list[int]:
        """The numbers of the changes in it."""
        return [change["id"] for change in self.content["data"]["changes"]]

    def is_signed_with(self, secret: str) -> bool:
        """Whether the signature is that of Standard Webhooks, worked out here."""
        key = base64.b64decode(secret.split("_", 1)[1])
        signed = f"{self.id}.{self.headers['webhook-timestamp']}.".encode() + self.body
        expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        return self.headers["webhook-signature"] == f"v1,{expected}"


@dataclass
class Receiver:
    """Where it listens, what came, and the statuses of its next answers; then it takes everything.

    Args:
        wait: seconds before each answer.
    """

    url: str
    statuses: list[int] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    came: list[Message] = field(default_factory=list)
    wait: float = 0.0

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def until(self, done: Callable[[Receiver], object], seconds: float = 30) -> None:
        """Wait until something holds of it."""
        end = time.monotonic() + seconds
        while not done(self):
            assert time.monotonic() < end, f"{len(self.came)} messages came"
            time.sleep(0.02)


@contextmanager
def receiving(*statuses: int) -> Iterator[Receiver]:
    """A receiver that answers with these statuses first."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.came.append(Message({name.lower(): value for name, value in self.headers.items()}, body))
            time.sleep(receiver.wait)
            try:
                self.send_response(receiver.statuses.pop(0) if receiver.statuses else 204)
                for name, value in receiver.headers.items():
                    self.send_header(name, value)
                self.end_headers()
            except OSError:
                pass  # who sent did not wait

        def log_message(self, *_: object) -> None:
            pass

    with answering(Handler) as url:
        receiver = Receiver(url, [*statuses])
        yield receiver
