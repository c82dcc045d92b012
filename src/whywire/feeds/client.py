"""An HTTP client for untrusted servers, which connects to allowed addresses only.

Addresses are checked where the connection is made: a host name is resolved once, all its IP addresses are checked,
and the connection goes to one of these IP addresses. So the check covers redirects, names whose address changes, and
every way to write an address. Proxies of the environment, cookies and passwords in addresses are not used.

There are limits on redirects, on headers, on the size of a response before and after unpacking, on the ratio of these
two sizes, and on the total time, which includes name resolution and handshakes.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from importlib.metadata import version
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from itertools import chain
from typing import Self

from whywire.errors import MissingExtraError, WhywireError

try:
    import httpcore2
    import httpx2
except ImportError as error:
    raise MissingExtraError("httpx2", "feeds") from error

SECONDS = 30.0
"""The longest time of one request with its redirects."""

MAX_REDIRECTS = 5
MAX_ADDRESSES = 3
"""The most IP addresses of one host name that are tried."""
MAX_URL = 4096
"""The most characters of a URL."""

FREE_BYTES, MAX_RATIO = 2**20, 100
"""A response of more bytes may grow by at most this factor when it is unpacked. Pages reach a factor of 20."""

AGENT = "whywire"
"""The name of this client in robots.txt."""

PRIVATE_HINT = "private ones are reached with {option}"

_PORTS = {"http": 80, "https": 443}
_CODINGS = ("gzip", "deflate", "br")
_PERMANENT = (HTTPStatus.MOVED_PERMANENTLY, HTTPStatus.PERMANENT_REDIRECT)

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""Returns the IP addresses of a host and port."""

Refusal = Callable[[str], str | None]
"""Says why connections to an IP address are not allowed; ``None`` if they are allowed."""

Visit = Callable[[str], AbstractAsyncContextManager[object]]
"""The context in which a request, and each of its redirects, is sent: it may wait, or raise a `FetchError`."""


class FetchError(WhywireError):
    """A document that could not be fetched."""


class ForbiddenAddressError(FetchError):
    """A host with an IP address to which connections are not allowed."""


@dataclass(frozen=True, slots=True)
class Response:
    """An HTTP response.

    Args:
        url: where the response came from, after redirects.
        headers: values by lower-case name; several headers with the same name are joined with commas.
        content: unpacked; empty unless the status is 200.
        moved_to: where permanent redirects lead from the requested address; ``None`` if there were no permanent
            redirects.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    content: bytes = b""
    moved_to: str | None = None

    @property
    def content_type(self) -> str:
        """The header ``Content-Type``; empty if it is missing."""
        return self.headers.get("content-type", "")


async def resolve(host: str, port: int) -> list[str]:
    """Ask the system for the IP addresses of a host."""
    results = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in results))


async def _allowed_addresses(host: str, port: int, refusal: Refusal, hint: str | None, resolve: Resolve) -> list[str]:
    """Return the IP addresses of a host.

    Args:
        hint: what to do about a refusal.

    Raises:
        ForbiddenAddressError: connections to one of the addresses are not allowed.
        FetchError: the host has no address.
    """
    try:
        addresses = await resolve(host, port)
    except (OSError, UnicodeError) as error:
        raise FetchError(f"the host {host!r} has no address") from error
    for address in addresses:
        if reason := refusal(address):
            raise ForbiddenAddressError(reason, hint=hint)
    return addresses


async def check_host(url: str, *, allow_private: bool = False, resolve: Resolve = resolve) -> None:
    """Check that connections to the host of a URL are allowed, as far as this is known before a connection is made.

    Raises:
        ForbiddenAddressError: connections to the host are not allowed.
        FetchError: the URL cannot be used, or its host has no address.
    """
    checked = checked_url(url)
    port = checked.port or _PORTS[checked.scheme]
    refuses = partial(refusal, allow_private=allow_private)
    hint = None if allow_private else PRIVATE_HINT.format(option="--allow-private")
    await _allowed_addresses(checked.raw_host.decode("ascii"), port, refuses, hint, resolve)


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Connects to allowed addresses only.

    Args:
        hint: what to do about a refusal.
    """

    def __init__(self, refusal: Refusal, *, hint: str | None = None, resolve: Resolve = resolve) -> None:
        self._refusal, self._hint = refusal, hint
        self._resolve = resolve
        self._dialer = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Resolve a host, check all its IP addresses, and connect to one of them.

        Raises:
            ForbiddenAddressError: one of the addresses is not allowed.
            FetchError: the host has no address, or no address can be reached.
        """
        addresses = await _allowed_addresses(host, port, self._refusal, self._hint, self._resolve)
        failure: Exception = FetchError(f"the host {host!r} has no address")
        for address in addresses[:MAX_ADDRESSES]:
            try:
                return await self._dialer.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


class _GuardedTransport(httpx2.AsyncBaseTransport):
    """Sends requests over connections of a `GuardedBackend` and drops cookies."""

    def __init__(self, backend: GuardedBackend) -> None:
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=httpx2.create_ssl_context(),
            network_backend=backend,
            max_connections=None,
            max_keepalive_connections=16,
            keepalive_expiry=15.0,
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = httpcore2.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=request.url.raw_path,
        )
        answer = await self._pool.handle_async_request(
            httpcore2.Request(
                request.method,
                url,
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        headers = [(name, value) for name, value in answer.headers if name.lower() != b"set-cookie"]
        return httpx2.Response(answer.status, headers=headers, stream=_Body(answer), extensions=answer.extensions)

    async def aclose(self) -> None:
        await self._pool.aclose()


class _Body(httpx2.AsyncByteStream):
    def __init__(self, answer: httpcore2.Response) -> None:
        self._answer = answer

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._answer.aiter_stream():
            yield piece

    async def aclose(self) -> None:
        await self._answer.aclose()


class GuardedClient:
    """Fetches documents from the web, and posts to it, at allowed addresses only.

    Args:
        allow_private: also connect to loopback and private networks.
        allow_public: connect to public addresses. A client for plain ``http`` must not.
        seconds: the longest time of a request, redirects included. Waiting in ``visit`` does not count.
        resolve: finds the IP addresses of a host.
        option: the command-line option that allows private networks, for error messages.
    """

    def __init__(
        self,
        *,
        allow_private: bool = False,
        allow_public: bool = True,
        seconds: float = SECONDS,
        resolve: Resolve = resolve,
        option: str = "--allow-private",
    ) -> None:
        self._seconds = seconds
        refuses = partial(refusal, allow_private=allow_private, allow_public=allow_public)
        hint = None
        if not allow_public:
            hint = "public ones are reached by https"
        elif not allow_private:
            hint = PRIVATE_HINT.format(option=option)
        self._http = httpx2.AsyncClient(
            transport=_GuardedTransport(GuardedBackend(refuses, hint=hint, resolve=resolve)),
            trust_env=False,  # a proxy would connect without the check
            follow_redirects=False,
            timeout=httpx2.Timeout(seconds, connect=seconds / MAX_ADDRESSES),
            headers={
                "User-Agent": f"{AGENT}/{version('whywire')} (reads news feeds)",
                "Accept-Encoding": ", ".join(_CODINGS),
            },
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def get(
        self,
        url: str,
        *,
        largest: int,
        headers: Mapping[str, str] | None = None,
        visit: Visit = lambda url: nullcontext(),  # noqa: ARG005
    ) -> Response:
        """Fetch a document.

        Args:
            largest: the most bytes, unpacked.
            headers: sent with the request and its redirects.
            visit: the context in which each request is sent.

        Raises:
            FetchError: the document cannot be fetched, or exceeds a limit.
        """
        left, moved_to, permanent = self._seconds, None, True
        for _ in range(MAX_REDIRECTS + 1):
            checked = checked_url(url)
            async with visit(str(checked)):
                started = time.monotonic()
                try:
                    async with asyncio.timeout(left):
                        response = await self._get(checked, headers or {}, largest)
                except TimeoutError as error:
                    raise FetchError(f"no complete response within {self._seconds:g} seconds") from error
                left -= time.monotonic() - started
            target = _target(response)
            if target is None:
                return Response(response.url, response.status, response.headers, response.content, moved_to)
            url = target
            permanent = permanent and response.status in _PERMANENT
            moved_to = url if permanent else moved_to
        raise FetchError(f"more than {MAX_REDIRECTS} redirects")

    async def _get(self, url: httpx2.URL, headers: Mapping[str, str], largest: int) -> Response:
        with _fetch_errors():
            async with self._http.stream("GET", url, headers=dict(headers)) as answer:
                content = await _read(answer, largest) if answer.status_code == HTTPStatus.OK else b""
                return Response(str(url), answer.status_code, dict(answer.headers), content)

    async def post(self, url: str, content: bytes, headers: Mapping[str, str]) -> int:
        """Post a document; no redirect is followed, and the body of the response is not read.

        Returns:
            The status of the response.

        Raises:
            FetchError: there is no response.
        """
        checked = checked_url(url)
        try:
            async with asyncio.timeout(self._seconds):
                with _fetch_errors():
                    async with self._http.stream("POST", checked, content=content, headers=dict(headers)) as answer:
                        return answer.status_code
        except TimeoutError as error:
            raise FetchError(f"no response within {self._seconds:g} seconds") from error


@contextmanager
def _fetch_errors() -> Iterator[None]:
    """Raise errors of the HTTP library as ``FetchError`` or ``TimeoutError``."""
    try:
        yield
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise FetchError(f"the response cannot be read: {error}") from error
    except (httpcore2.TimeoutException, TimeoutError) as error:
        raise TimeoutError from error
    except httpcore2.ConnectError as error:
        raise FetchError(f"no connection: {error}") from error
    except (httpcore2.NetworkError, httpcore2.ProtocolError, OSError) as error:
        raise FetchError(f"the connection broke off: {error}") from error


def checked_url(url: str) -> httpx2.URL:
    """Check a URL and return the URL without its fragment.

    Raises:
        FetchError: the URL is not of http or https, or it contains a user name or a password.
    """
    try:
        parsed = httpx2.URL(url.strip())
        port = parsed.port
    except (httpx2.InvalidURL, ValueError, TypeError) as error:
        raise FetchError(f"{url[:80]!r} is not an address") from error
    if parsed.scheme not in ("http", "https") or not parsed.host or len(url) > MAX_URL or port == 0:
        raise FetchError(f"{url[:80]!r} is not a web address", hint="it begins with http:// or https://")
    if parsed.userinfo:
        raise FetchError("remove the user name and password from the address")
    return parsed.copy_with(fragment=None)


def _target(response: Response) -> str | None:
    """Return the target of a redirect; ``None`` for other responses."""
    location = response.headers.get("location")
    if response.status not in (301, 302, 303, 307, 308) or not location:
        return None
    try:
        return str(httpx2.URL(response.url).join(location))
    except (httpx2.InvalidURL, ValueError) as error:
        raise FetchError(f"a redirect to {location[:80]!r}, which is not an address") from error


async def _read(answer: httpx2.Response, largest: int) -> bytes:
    """Read and unpack a response's body.

    Raises:
        FetchError: the body is too long, expands by too large a factor, or uses an encoding we did not request.
    """
    codings = [coding.strip().lower() for coding in answer.headers.get("content-encoding", "").split(",")]
    codings = [coding for coding in codings if coding not in ("", "identity")]
    if len(codings) > 1 or not {*codings} <= {*_CODINGS}:
        raise FetchError(f"Content-Encoding {', '.join(codings)[:80]!r} was not requested")
    too_long = f"longer than {largest / 2**20:g} MB"
    length = answer.headers.get("content-length", "")
    if length.isdecimal() and len(length) < 20 and int(length) > largest:
        raise FetchError(too_long)
    content = bytearray()
    async with aclosing(answer.aiter_bytes()) as pieces:
        async for piece in pieces:
            content += piece
            if len(content) > largest:
                raise FetchError(too_long)
            if len(content) > FREE_BYTES and len(content) > MAX_RATIO * answer.num_bytes_downloaded:
                raise FetchError(f"expands to more than {MAX_RATIO} times its compressed size")
    return bytes(content)


def _networks(*groups: Iterable[str]) -> tuple[IPv4Network | IPv6Network, ...]:
    return tuple(map(ip_network, chain.from_iterable(groups)))


PRIVATE = _networks(
    ("127.0.0.0/8", "::1/128"),  # this machine
    ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10"),
    ("100.64.0.0/10",),  # shared by the customers of a provider (RFC 6598)
)
"""Loopback and private networks, allowed only if the user says so."""

NEVER = _networks(
    # Where clouds serve credentials; some of these addresses look private or public.
    ("169.254.0.0/16", "100.100.100.200/32", "168.63.129.16/32", "fd00:ec2::/32", "fd20:ce::/32"),
    # Unspecified, protocol assignments, documentation, relays, benchmarks, multicast, reserved (RFC 6890).
    ("0.0.0.0/8", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24"),
    ("203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
    # Within the public range of IPv6: protocol assignments with Teredo, documentation, 6to4.
    ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
)
"""Addresses at which there can be no server of news. They are never allowed."""

_PUBLIC_6 = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")


def refusal(address: str, *, allow_private: bool = False, allow_public: bool = True) -> str | None:
    """Say why connections to an IP address are not allowed; ``None`` if they are allowed.

    Addresses that are not known to be public are refused: the address given by a stranger must not lead to services
    that only this machine can reach: services of this machine, of its network, and the credentials that clouds serve
    at fixed addresses.

    Args:
        address: an IP address as a resolver writes it; anything else is refused.
        allow_private: allow loopback and private networks.
        allow_public: allow public addresses.
    """
    try:
        target: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    except ValueError:
        return f"{address} is not an IP address"
    if isinstance(target, IPv6Address):  # packets go to the embedded IPv4 address
        if target.ipv4_mapped:
            target = target.ipv4_mapped
        elif target in _NAT64:
            target = IPv4Address(target.packed[-4:])
    is_private = any(target in network for network in PRIVATE)
    if any(target in network for network in NEVER) or not (is_private or target.version == 4 or target in _PUBLIC_6):
        return f"{address} is a special address, which is never asked"
    if is_private:
        return None if allow_private else f"{address} is a private address"
    return None if allow_public else f"{address} is a public address"
