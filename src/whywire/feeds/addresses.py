"""Which addresses of IP a connection may be made to.

Which error is worse? To let a feed reach what only this machine can reach: its own services, the network around it,
the credentials that clouds hand out at fixed addresses. So what is not known to be public is refused, and an address
of version 6 that carries one of version 4 is judged by the latter.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from itertools import chain

_Networks = tuple[tuple[int, int, int], ...]


def _networks(*groups: Iterable[str]) -> _Networks:
    networks = map(ip_network, chain.from_iterable(groups))
    return tuple((one.version, int(one.network_address), int(one.netmask)) for one in networks)


PRIVATE = _networks(
    ("127.0.0.0/8", "::1/128"),  # this machine
    ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10"),
    ("100.64.0.0/10",),  # shared by the customers of a provider (RFC 6598)
)
"""Loopback and private networks: reached where the user allows it."""

NEVER = _networks(
    # Credentials of clouds, some of them at addresses that look private or public.
    ("169.254.0.0/16", "100.100.100.200/32", "168.63.129.16/32", "fd00:ec2::/32", "fd20:ce::/32"),
    # Unspecified, protocol assignments, documentation, relays, benchmarks, multicast, reserved (RFC 6890).
    ("0.0.0.0/8", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24"),
    ("203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
    # In the public range of version 6: protocol assignments with Teredo, documentation, 6to4.
    ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
)
"""Addresses that no feed has: reached in no case."""

_PUBLIC_6 = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_LAST_32_BITS = 0xFFFF_FFFF


def refusal(address: str, *, allow_private: bool = False) -> str | None:
    """Say why no connection may be made to an address; ``None`` where it may.

    Args:
        address: of IP, as a resolver writes it; what it cannot be read as is refused.
        allow_private: let loopback and private networks be reached.
    """
    try:
        found = _carried(ip_address(address.partition("%")[0]))
    except ValueError:
        return f"{address} is no address of IP"
    if _in(found, NEVER):
        return f"{address} is a special address, where no feed is"
    if _in(found, PRIVATE):
        return None if allow_private else f"{address} is a private address"
    if found.version == 6 and found not in _PUBLIC_6:
        return f"{address} is a special address, where no feed is"
    return None


def _carried(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The address of version 4 in one of version 6 (mapped, or by NAT64), which is where packets go."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return address.ipv4_mapped
        if address in _NAT64:
            return IPv4Address(int(address) & _LAST_32_BITS)
    return address


def _in(address: IPv4Address | IPv6Address, networks: _Networks) -> bool:
    return any(address.version == version and int(address) & mask == network for version, network, mask in networks)
