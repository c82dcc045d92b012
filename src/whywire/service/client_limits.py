"""What one client may take of the service: requests, connections, patience, memory.

A client is a key, or without one an address. The server by itself takes all connections that come, and waits without
end.
"""

from __future__ import annotations

import asyncio
import ipaddress
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable
from typing import TYPE_CHECKING, TypeVar

from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from whywire.service.context import Context

MAX_BUCKETS = 20_000
"""Buckets that are remembered; the one asked for longest ago is forgotten first, which gives it a full bucket."""


NETWORK_BITS = 64
"""What one client has of IPv6: it may take any address of it."""


def network_of(address: str) -> str:
    """The address that is counted for a client's address: itself, or its network of IPv6."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if found.version == 4:
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, NETWORK_BITS), strict=False))


class RateLimits:
    """Counts requests.

    Args:
        per_minute: requests that a bucket gains in a minute.
        burst: requests that a full bucket holds.
    """

    def __init__(self, per_minute: float, burst: int) -> None:
        self._rate, self._burst = per_minute / 60, float(burst)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, who: str, *, cost: float = 1, least: float = 1, now: float | None = None) -> float:
        """Take a request out of a bucket; return 0, or the seconds until there is one again.

        Args:
            cost: of the request, in plain requests.
            least: what the bucket must hold; where it holds less than the cost it is in debt afterwards.
        """
        now = time.monotonic() if now is None else now
        with self._lock:
            left, at = self._buckets.pop(who, (self._burst, now))
            left = min(self._burst, left + (now - at) * self._rate)
            wait = max(0.0, (least - left) / self._rate)
            self._buckets[who] = (left if wait else left - cost, now)
            if len(self._buckets) > MAX_BUCKETS:
                self._buckets.popitem(last=False)
        return wait


T = TypeVar("T")

PACE = 16 * 1024
"""Bytes that make up for a second of waiting: who is quicker is waited for without end, who drips is not."""

MAX_UNREAD = 256 * 2**20
"""Bytes of all large answers that clients read at a time."""


class Patience:
    """Waits for a client: for a while altogether, and longer as far as it sends or takes bytes.

    Args:
        seconds: how long at first, and at most at a time.
    """

    def __init__(self, seconds: float) -> None:
        self._most = self._left = seconds

    async def wait(self, for_: Awaitable[T]) -> T:
        """Wait as long as is left.

        Raises:
            TimeoutError: that was too short.
        """
        begun = time.monotonic()
        try:
            async with asyncio.timeout(max(0.0, self._left)):
                return await for_
        finally:
            self._left -= time.monotonic() - begun

    def earn(self, size: int) -> None:
        """Wait longer, for so many bytes came or were taken."""
        self._left = min(self._most, self._left + size / PACE)


class UnreadAnswers:
    """Counts the bytes of answers that are being read; an answer that several clients read is one.

    Args:
        most: bytes. A single answer may be larger.
    """

    def __init__(self, most: int = MAX_UNREAD) -> None:
        self._most = most
        self.size = 0
        self._readers: dict[int, int] = {}

    def enter(self, body: bytes) -> bool:
        """Count one more reader of an answer, unless there is no room for another answer; return whether there is."""
        if id(body) not in self._readers:
            if self._readers and self.size + len(body) > self._most:
                return False
            self._readers[id(body)] = 0
            self.size += len(body)
        self._readers[id(body)] += 1
        return True

    def leave(self, body: bytes) -> None:
        """Forget a reader that was counted."""
        self._readers[id(body)] -= 1
        if not self._readers[id(body)]:
            del self._readers[id(body)]
            self.size -= len(body)


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
