"""Limits for each client: requests, connections, waiting time, memory.

A client is a key, or an address without a key; connections are counted by address. By itself the server would accept
any number of connections and wait for them for ever.
"""

from __future__ import annotations

import asyncio
import ipaddress
import threading
import time
from collections import Counter
from collections.abc import Awaitable
from typing import TYPE_CHECKING, TypeVar

from cachetools import LRUCache
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from whywire.service.context import Context

try:
    import resource
except ModuleNotFoundError:  # on Windows
    resource = None  # type: ignore[assignment]

T = TypeVar("T")

NETWORK_BITS = 64
"""Prefix length of an IPv6 network that counts as one client, since its owner can use any address in it."""

BURST_SECONDS = 12.0
"""A full bucket holds the requests of this many seconds at the full rate: 600 at 3,000 a minute."""

MAX_BUCKETS = 20_000
"""Clients that are remembered. The longest idle one is forgotten first, which gives it a full bucket."""

MAX_CONNECTIONS = 1000
"""Connections open at a time, if the process may have twice as many file descriptors."""

CONNECTIONS_SHARE = 1 / 4
"""The share of all connections that one client may hold."""

PATIENCE = 30.0
"""Seconds to wait for a client while it sends a request, while it reads the response, and between requests."""

PACE = 16 * 1024
"""Bytes that earn a client another second: a client at this speed or faster is never cut off."""

MAX_UNREAD = 256 * 2**20
"""Bytes of all large responses being sent at a time."""


def network_of(address: str) -> str:
    """Return what counts as one client: an IPv4 address, or the network of an IPv6 address."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, NETWORK_BITS), strict=False))


class RateLimits:
    """A token bucket for each client.

    Args:
        per_minute: requests that a bucket gains in a minute.
        burst: requests in a full bucket; those of ``BURST_SECONDS`` by default.
    """

    def __init__(self, per_minute: float, burst: float | None = None) -> None:
        self._rate = per_minute / 60
        self._burst = max(1.0, BURST_SECONDS * self._rate) if burst is None else burst
        self._buckets: LRUCache[str, tuple[float, float]] = LRUCache(MAX_BUCKETS)
        self._lock = threading.Lock()

    def take(self, client: str, *, cost: float = 1, least: float = 1, now: float | None = None) -> float:
        """Take a request out of a bucket; return 0, or the seconds until the bucket holds enough.

        Args:
            cost: what the request costs, in plain requests.
            least: what the bucket must hold; if that is less than the cost, the bucket may go into debt.
        """
        now = time.monotonic() if now is None else now
        with self._lock:
            left, at = self._buckets.get(client, (self._burst, now))
            left = min(self._burst, left + (now - at) * self._rate)
            wait = max(0.0, (least - left) / self._rate)
            self._buckets[client] = (left if wait else left - cost, now)
        return wait


class Connections:
    """Counts the connections of each client.

    Args:
        most: limit for all clients together.
        of_client: limit for one client (:func:`network_of`).
    """

    def __init__(self, most: int, of_client: int) -> None:
        self.most, self.of_client = most, of_client
        self._open: Counter[str] = Counter()

    @classmethod
    def allowed(cls, *, behind_proxy: bool) -> Connections:
        """Allow half as many connections as file descriptors; a proxy may hold all of them."""
        most = min(MAX_CONNECTIONS, open_files() // 2)
        return cls(most, most if behind_proxy else int(CONNECTIONS_SHARE * most))

    def enter(self, client: str) -> bool:
        """Count a connection if it is within the limits; return whether it is."""
        if self._open[client] >= self.of_client or self._open.total() >= self.most:
            return False
        self._open[client] += 1
        return True

    def leave(self, client: str) -> None:
        """Forget a counted connection."""
        self._open[client] -= 1
        if not self._open[client]:
            del self._open[client]

    def __len__(self) -> int:
        return self._open.total()


def open_files() -> int:
    """Return how many file descriptors this process may have."""
    if resource is None:
        return 2 * MAX_CONNECTIONS
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 2 * MAX_CONNECTIONS if soft == resource.RLIM_INFINITY else soft


class TimedProtocol(H11Protocol):
    """HTTP/1.1 with limits on connections and on the time between a response and the next request's headers.

    Within this time the client must also have read the response and sent the rest of its request. While a request is
    in work the guards measure the time, since they can respond; they find this object as ``connection`` in the state
    of the scope.
    """

    _timer: asyncio.TimerHandle | None = None
    _counted: str | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer, or close the connection if there are too many."""
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
        """Handle received bytes."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Start the timer for the next request."""
        self._stop_waiting()
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_waiting()
        if self._counted is not None:
            self._context.connections.leave(self._counted)
        super().connection_lost(exc)

    def abort(self) -> None:
        """Close the connection at once, without sending the rest."""
        self.transport.abort()

    @property
    def _context(self) -> Context:
        context: Context = self.config.app.state.context  # type: ignore[union-attr]
        return context

    def _watch(self) -> None:
        """Run the timer, unless a request is in work."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif self._timer is None:
            self._timer = self.loop.call_later(PATIENCE, self.abort)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Patience:
    """Waits for a client for ``PATIENCE`` seconds in all, longer if it sends or reads bytes."""

    def __init__(self) -> None:
        self._most = self._left = PATIENCE

    async def wait(self, awaited: Awaitable[T]) -> T:
        """Wait for the time left.

        Raises:
            TimeoutError: the time ran out.
        """
        begun = time.monotonic()
        try:
            async with asyncio.timeout(max(0.0, self._left)):
                return await awaited
        finally:
            self._left -= time.monotonic() - begun

    def earn(self, size: int) -> None:
        """Add time for this many bytes sent or read."""
        self._left = min(self._most, self._left + size / PACE)


class UnreadAnswers:
    """Counts the bytes of responses still being sent; a response sent to several clients counts once.

    Args:
        most: limit on the total, in bytes. A single response may be larger.
    """

    def __init__(self, most: int = MAX_UNREAD) -> None:
        self._most = most
        self.size = 0
        self._readers: Counter[int] = Counter()

    def enter(self, body: bytes) -> bool:
        """Count a reader of a response if there is room; return whether there is."""
        if id(body) not in self._readers:
            if self._readers and self.size + len(body) > self._most:
                return False
            self.size += len(body)
        self._readers[id(body)] += 1
        return True

    def leave(self, body: bytes) -> None:
        """Forget a counted reader."""
        self._readers[id(body)] -= 1
        if not self._readers[id(body)]:
            del self._readers[id(body)]
            self.size -= len(body)
