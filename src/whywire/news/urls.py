"""Which addresses are of one page.

The worse error is to take two pages for one: a report would be taken for a version of another. So only what never
names a page is left out: parameters by which clicks are counted, fragments, the difference of http and https, and
what RFC 3986 calls equivalent (section 6.2): default ports, capitals of hosts and escapes, letters beyond ASCII, and
no path for "/".
"""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit, urlunsplit

_TRACKING = re.compile(
    r"(?:utm_\w+|fbclid|gclid|gclsrc|dclid|[gw]braid|gad_\w+|_g(?:a|l|id|ac)(?:_[\w-]+)?|srsltid|msclkid|ttclid|twclid|igshid"
    r"|mc_[ce]id|_hs(?:enc|mi)|mkt_tok|ys?clid|_openstat|rb_clickid|at_(?:medium|campaign))(?:=|$)",
    re.IGNORECASE,
)
"""Parameters of advertisers, newsletters and feeds; Google's begin with ``_g``, ``g`` and ``gad_``, Yandex' are
``yclid``, ``ysclid`` and ``_openstat``, VK's is ``rb_clickid``."""

_DEFAULT_PORT = {"http": re.compile(r":(?:80)?$"), "https": re.compile(r":(?:443)?$")}
_ESCAPED_AMPERSAND = re.compile(r"(?:^|(?<=&))(?:amp;)+")
"""What an address that was copied from HTML has before its parameters: ``?id=7&amp;page=2``."""

_ESCAPE = re.compile(r"%[0-9a-fA-F]{2}")
_ASCII = "".join(map(chr, range(128)))

_PAGE_IN_FRAGMENT = ("!", "/")
"""Applications in a browser name pages behind ``#!`` and ``#/``."""


def url_key(url: str) -> str:
    """The part of an address that names its page: two addresses of one page have one key."""
    try:
        scheme, host, path, query, fragment = urlsplit(url)
    except ValueError:
        return url
    if scheme not in ("http", "https") or not host:
        return url
    host = _DEFAULT_PORT[scheme].sub("", _in_ascii(host.lower()))
    query = "&".join(part for part in _ESCAPED_AMPERSAND.sub("", query).split("&") if not _TRACKING.match(part))
    fragment = fragment if fragment.startswith(_PAGE_IN_FRAGMENT) else ""
    return urlunsplit(("https", host, _escaped(path) or "/", _escaped(query), fragment))


def _in_ascii(host: str) -> str:
    """A host as it is asked for: an international name in the letters of DNS."""
    try:
        return host if host.isascii() else host.encode("idna").decode()
    except UnicodeError:
        return host


def _escaped(part: str) -> str:
    """A part of an address with letters beyond ASCII escaped, as it is sent, and escapes in capitals."""
    return _ESCAPE.sub(lambda escape: escape[0].upper(), quote(part, safe=_ASCII, errors="replace"))
