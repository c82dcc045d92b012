"""Keys by which URLs of the same page are recognised.

If two pages had the same key, one report would be taken for a version of the other. So the key ignores only parts of
a URL that never identify a page: tracking parameters, fragments, the difference between http and https, and what RFC
3986, section 6.2, calls equivalent: default ports, the case of hosts and escapes, unescaped letters beyond ASCII, an
empty path.
"""

from __future__ import annotations

import re
from contextlib import suppress
from urllib.parse import quote, urlsplit, urlunsplit

_TRACKING = re.compile(
    r"(?:utm_\w+|fbclid|gclid|gclsrc|dclid|[gw]braid|gad_\w+|_g(?:a|l|id|ac)(?:_[\w-]+)?|srsltid|msclkid|ttclid|twclid|igshid"
    r"|mc_[ce]id|_hs(?:enc|mi)|mkt_tok|ys?clid|_openstat|rb_clickid|at_(?:medium|campaign))(?:=|$)",
    re.IGNORECASE,
)
"""Tracking parameters of advertisers, newsletters and feeds. The parameters of Google begin with ``_g``, ``g`` and
``gad_``; ``yclid``, ``ysclid`` and ``_openstat`` are of Yandex, and ``rb_clickid`` is of VK."""

_DEFAULT_PORT = {"http": re.compile(r":(?:80)?$"), "https": re.compile(r":(?:443)?$")}
_ESCAPED_AMPERSAND = re.compile(r"(?:^|(?<=&))(?:amp;)+")
"""Escapes in a URL copied from HTML: ``?id=7&amp;page=2``."""

_ESCAPE = re.compile(r"%[0-9a-fA-F]{2}")
_ASCII = "".join(map(chr, range(128)))

_PAGE_IN_FRAGMENT = ("!", "/")
"""Fragments with which browser applications identify pages: ``#!…`` and ``#/…``."""


def url_key(url: str) -> str:
    """Return the key of a URL; two URLs of one page have the same key."""
    try:
        scheme, host, path, query, fragment = urlsplit(url)
    except ValueError:
        return url
    if scheme not in ("http", "https") or not host:
        return url
    host = host.lower()
    with suppress(UnicodeError):
        host = host if host.isascii() else host.encode("idna").decode()
    host = _DEFAULT_PORT[scheme].sub("", host)
    query = "&".join(part for part in _ESCAPED_AMPERSAND.sub("", query).split("&") if not _TRACKING.match(part))
    fragment = fragment if fragment.startswith(_PAGE_IN_FRAGMENT) else ""
    return urlunsplit(("https", host, _escaped(path) or "/", _escaped(query), fragment))


def _escaped(part: str) -> str:
    """Return a part of a URL with letters beyond ASCII escaped and all escapes in capitals."""
    return _ESCAPE.sub(lambda escape: escape[0].upper(), quote(part, safe=_ASCII, errors="replace"))
