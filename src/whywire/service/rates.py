"""Rate limits: a bucket of requests for each key or address, refilled steadily."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict

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
