"""RSS and Atom, read by feedparser."""

from __future__ import annotations

import io
import re
import time
from typing import Any

from whywire.errors import InputError
from whywire.feeds.documents import DocumentKind, Entry, FeedDocument, web_address
from whywire.feeds.markup import one_line, plain_text
from whywire.news import parse_time

_PERIODS = {"hourly": 3600, "daily": 86_400, "weekly": 604_800, "monthly": 2_592_000, "yearly": 31_536_000}
_CLOSING_TAG = re.compile(r"</[A-Za-z]+\s*>")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")


def read_syndication(text: str, url: str) -> FeedDocument:
    """Read RSS or Atom, even where it is not well-formed.

    Args:
        text: without declarations of entities.
        url: where it came from; relative addresses begin there.

    Raises:
        InputError: it is neither.
    """
    import feedparser

    parsed = feedparser.parse(
        io.BytesIO(_DECLARATION.sub("", text).encode("utf-8", "replace")),
        response_headers={"content-type": "application/xml; charset=utf-8"},
        sanitize_html=False,  # all of it becomes plain text
        resolve_relative_uris=False,
    )
    problem = parsed.get("bozo_exception")
    if not parsed.get("version") and not parsed["entries"]:
        raise InputError(f"neither a feed nor a sitemap{f': {problem}' if problem else ''}")
    return FeedDocument(
        DocumentKind.FEED,
        title=one_line(_string(parsed["feed"], "title")),
        entries=tuple(_entry(one, url, _string(parsed["feed"], "language")) for one in parsed["entries"]),
        ttl=_ttl(parsed["feed"]),
        notes=(f"not well-formed ({problem}); read as far as possible",) if problem else (),
    )


def _entry(entry: dict[str, Any], url: str, language: str) -> Entry:
    texts = [_string(entry, "summary"), *(_string(one, "value") for one in dict.get(entry, "content") or ())]
    link, guid = _string(entry, "link"), _string(entry, "id")
    if link == guid and not link.startswith(("http://", "https://")):
        link = ""  # by the letter of RSS an id is an address unless it says otherwise; most are none
    title = _string(entry, "title")
    kind = (dict.get(entry, "title_detail") or {}).get("type")
    is_plain = kind == "text/plain" and not _CLOSING_TAG.search(title)  # which a type may be wrong about
    return Entry(
        title=" ".join(title.split()) if is_plain else one_line(title),
        text=plain_text(max(texts, key=len)),
        link=web_address(url, link),
        guid=guid,
        published=_time(entry, "published") or _time(entry, "updated"),
        language=(dict.get(entry, "title_detail") or {}).get("language") or language,
        updated=_time(entry, "updated"),
    )


def _time(entry: dict[str, Any], name: str) -> str:
    """The time as the entry says it, zone and all; in UTC, as feedparser reads it, where only that can."""
    said, parsed = _string(entry, name), dict.get(entry, f"{name}_parsed")
    try:
        parse_time(said)
    except InputError:
        if isinstance(parsed, time.struct_time):
            return time.strftime("%Y-%m-%dT%H:%M:%SZ", parsed)
    return said


def _ttl(feed: dict[str, Any]) -> float | None:
    """Seconds after which to look again: RSS 2.0 says minutes, the syndication module times a period."""
    minutes = _string(feed, "ttl")
    if minutes.isdecimal() and len(minutes) < 9:
        return 60.0 * int(minutes)
    period = _PERIODS.get(_string(feed, "sy_updateperiod").strip().lower())
    times = _string(feed, "sy_updatefrequency").strip()
    if period is None:
        return None
    return period / max(1, int(times)) if times.isdecimal() and len(times) < 9 else float(period)


def _string(fields: dict[str, Any], name: str) -> str:
    value = dict.get(fields, name)  # feedparser's own get answers with fields of other names, and warns of it
    return value if isinstance(value, str) else ""
