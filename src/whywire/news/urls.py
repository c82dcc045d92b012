"""Which addresses are of one page.

Which error is worse? To take two pages for one: a report would be taken for a version of another. So only what never
names a page is left out: parameters by which clicks are counted, fragments, and the difference of http and https.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

_TRACKING = re.compile(
    r"(?:utm_\w+|fbclid|gclid|gclsrc|dclid|[gw]braid|msclkid|ttclid|twclid|igshid|mc_[ce]id|_hs(?:enc|mi)|mkt_tok"
    r"|ys?clid|_openstat|at_(?:medium|campaign))(?:=|$)",
    re.IGNORECASE,
)
"""Parameters of advertisers, newsletters and feeds; Yandex' are ``yclid``, ``ysclid`` and ``_openstat``."""

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
    query = "&".join(one for one in query.split("&") if not _TRACKING.match(one))
    fragment = fragment if fragment.startswith(_PAGE_IN_FRAGMENT) else ""
    return urlunsplit(("https", host.lower(), path, query, fragment))
