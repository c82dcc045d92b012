"""The page that a URL names, and the site it belongs to."""

from __future__ import annotations

from urllib.parse import SplitResult, parse_qsl, unquote, urlencode, urljoin, urlsplit

TRACKING = ("utm_", "fbclid", "gclid", "yclid", "mc_cid", "mc_eid", "ocid", "cmpid", "ref_src")
"""Prefixes of query fields that name where a reader came from, and not the page."""

SAME_SITE_PREFIXES = ("www.", "m.", "mobile.", "amp.")
"""Host prefixes under which a site shows the same pages."""

SECOND_LEVEL = frozenset(("ac", "co", "com", "edu", "go", "gob", "gov", "mil", "ne", "net", "nom", "or", "org"))
"""Names under a country's top-level domain that sites are registered under: ``co`` of ``bbc.co.uk``.

The public suffix list has thousands more. On 840 hosts of two days of news it gives another site for one, ``com.ru``.
"""


def page(url: str, base: str = "") -> str:
    """A key that all URLs of one page share: host and path, without scheme, fragment, tracking or final slash.

    Args:
        base: the URL of the page that a relative ``url`` stands on.

    Returns:
        The key; empty for anything but a web address.
    """
    parts = _split(url, base)
    if parts is None:
        return ""
    fields = sorted(field for field in parse_qsl(parts.query) if not field[0].lower().startswith(TRACKING))
    query = f"?{urlencode(fields)}" if fields else ""
    return f"{_host(parts)}{unquote(parts.path).rstrip('/')}{query}"


def site(url: str) -> str:
    """The registered domain of a URL, such as ``bbc.co.uk`` of ``https://news.bbc.co.uk/1``, or its IP address.

    Empty for anything but a web address.
    """
    parts = _split(url)
    if parts is None:
        return ""
    host = _host(parts)
    names = host.split(".")
    if names[-1].isdigit() or ":" in host:
        return host
    by_country = len(names[-1]) == 2 and len(names) > 2 and names[-2] in SECOND_LEVEL
    return ".".join(names[-3 if by_country else -2 :])


def _split(url: str, base: str = "") -> SplitResult | None:
    try:
        parts = urlsplit(urljoin(base, url.strip()))
        return parts if parts.scheme in ("http", "https") and parts.hostname else None
    except ValueError:
        return None  # brackets around anything but an IPv6 address


def _host(parts: SplitResult) -> str:
    host = (parts.hostname or "").rstrip(".")
    for prefix in SAME_SITE_PREFIXES:
        if host.startswith(prefix) and host.count(".") > 1:
            return host.removeprefix(prefix)
    return host
