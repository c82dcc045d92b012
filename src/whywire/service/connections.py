"""Connections: how many there may be, and when one is closed that keeps the service waiting.

The server itself takes all that come, and waits without end.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

from uvicorn.protocols.http.h11_impl import H11Protocol

from whywire.service.rates import network_of

if TYPE_CHECKING:
    from whywire.service.context import Context

try:
    import resource
except ModuleNotFoundError:  # on Windows, which has no such limit
    resource = None  # type: ignore[assignment]

MAX_CONNECTIONS = 1000
"""Open at a time, where the process may have twice as many file descriptors."""

CLIENT_SHARE = 1 / 4
"""The share of all connections that one client may hold."""


class Connections:
    """Counts the connections of each client.

    Args:
        most: of all together.
        of_client: of one address, or one network of IPv6.
    """

    def __init__(self, most: int, of_client: int) -> None:
        self.most, self.of_client = most, of_client
        self._open: Counter[str] = Counter()

    @classmethod
    def allowed(cls, *, behind_proxy: bool) -> Connections:
        """As many as half of the file descriptors of this process; a proxy may have all of them."""
        most = min(MAX_CONNECTIONS, open_files() // 2)
        return cls(most, most if behind_proxy else int(CLIENT_SHARE * most))

    def enter(self, client: str) -> bool:
        """Count one more, and return whether it may stay; one that may not is not counted."""
        if self._open[client] >= self.of_client or self._open.total() >= self.most:
            return False
        self._open[client] += 1
        return True

    def leave(self, client: str) -> None:
        """Forget one that was counted."""
        self._open[client] -= 1
        if not self._open[client]:
            del self._open[client]

    def __len__(self) -> int:
        return self._open.total()


class TimedProtocol(H11Protocol):
    """HTTP/1.1 with a limit on connections, and on the time from the end of an answer to that of the next head.

    In this time the answer must have been taken and the rest of its request have come, too. A request in work is
    timed by the guards, which can answer; they find this object as ``connection`` in the state of its scope.
    """

    _timer: asyncio.TimerHandle | None = None
    _counted: str | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait, or close it where there are too many."""
        super().connection_made(transport)
        self.app_state = {**self.app_state, "connection": self}
        client = network_of(self.client[0]) if self.client else ""
        if self._context.connections.enter(client):
            self._counted = client
            self._watch()
        else:
            self._context.metrics.refused_connections.inc()
            self.abort()

    def data_received(self, data: bytes) -> None:
        """Take some bytes."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        self._stop_waiting()
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._stop_waiting()
        if self._counted is not None:
            self._context.connections.leave(self._counted)
        super().connection_lost(exc)

    def abort(self) -> None:
        """Close it at once, whatever was not sent yet."""
        self.transport.abort()

    @property
    def _context(self) -> Context:
        context: Context = self.config.app.state.context  # type: ignore[union-attr]
        return context

    def _watch(self) -> None:
        """Wait, unless a request is in work."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif self._timer is None:
            self._timer = self.loop.call_later(self._context.settings.limits.patience, self.abort)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def open_files() -> int:
    """File descriptors that this process may have."""
    if resource is None:
        return 2 * MAX_CONNECTIONS
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 2 * MAX_CONNECTIONS if soft == resource.RLIM_INFINITY else soft
