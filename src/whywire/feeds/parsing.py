"""Parsers of feeds: RSS and Atom, JSON Feed, news sitemaps, indexes of sitemaps, pages that link to feeds.

Documents may be hostile: call `read_feed` through `whywire.isolation.Isolated`. A document that declares entities is
refused, since a small entity can expand to gigabytes or to a local file.
"""

from __future__ import annotations

import io
import json
import re
import time
import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from whywire.errors import InputError
from whywire.feeds.documents import DocumentKind, Entry, FeedDocument, one_line, plain_text, web_address
from whywire.news import parse_time
from whywire.news.web_pages import decode_document

LARGEST_FEED = 20 * 2**20
"""The most bytes of a document: about a hundred times the size of a common document."""

MAX_ENTRIES = 10_000
"""The most entries of one document that are read."""

FEED_TYPES = ("application/rss+xml", "application/atom+xml", "application/feed+json", "application/json")
"""Media types of a page's links to its feeds."""

_GZIP = b"\x1f\x8b"
_BEFORE_ROOT = re.compile(r"\s*(?:<\?.*?\?>|<!--.*?-->|<![^>]*>)", re.DOTALL)
_ROOT = re.compile(r"\s*<(?:[\w.-]+:)?([\w.-]+)")
_HEAD = 100_000


def read_feed(content: bytes, *, content_type: str = "", url: str = "") -> dict[str, Any]:
    """Parse a document of any supported format, also packed with gzip.

    Args:
        content_type: the header that came with the document.
        url: where the document came from; relative addresses are resolved against this URL. Returns: A `FeedDocument`
            as JSON.

    Raises:
        InputError: the document has another format, or is a page that names no feed.
    """
    text = decode_document(_unpacked(content), content_type).replace("\0", "")
    document = _read(text.lstrip("\ufeff \t\r\n"), url)
    if len(document.entries) > MAX_ENTRIES:
        note = f"only the first {MAX_ENTRIES:,} of {len(document.entries):,} entries are read"
        document = replace(document, entries=document.entries[:MAX_ENTRIES], notes=(*document.notes, note))
    return document.to_json()


def _read(text: str, url: str) -> FeedDocument:
    if not text:
        raise InputError("the document is empty")
    if text.startswith("{"):
        return read_json_feed(text, url)
    root = _root(text[:_HEAD])
    if root == "html":
        return _read_page(text, url)
    if "<!ENTITY" in text:
        raise InputError("it declares entities, which are not expanded")
    return read_sitemap(text, url) if root in ROOTS else read_syndication(text, url)


def _root(head: str) -> str:
    """Return the name of the root element, in lower case."""
    at = 0
    while skipped := _BEFORE_ROOT.match(head, at):
        at = skipped.end()
    first = _ROOT.match(head, at)
    return first[1].lower() if first else ""


def _read_page(text: str, url: str) -> FeedDocument:
    """Find the feeds that a page names."""
    from lxml.html import HTMLParser, document_fromstring

    root = document_fromstring(text.encode("utf-8", "replace"), parser=HTMLParser(encoding="utf-8"))
    links = [
        address
        for link in root.iter("link")
        if "alternate" in link.get("rel", "").lower().split()
        and link.get("type", "").partition(";")[0].strip().lower() in FEED_TYPES
        and (address := web_address(url, link.get("href", "")))
    ]
    if not links:
        raise InputError("a web page that names no feed", hint="look for its address on the site")
    return FeedDocument(DocumentKind.PAGE, addresses=tuple(dict.fromkeys(links)))


def _unpacked(content: bytes) -> bytes:
    """Unpack a document that is packed with gzip, as sitemaps often are."""
    if not content.startswith(_GZIP):
        return content
    try:
        unpacking = zlib.decompressobj(zlib.MAX_WBITS | 16)
        unpacked = unpacking.decompress(content, LARGEST_FEED + 1)
    except zlib.error as error:
        raise InputError(f"broken gzip: {error}") from error
    if len(unpacked) > LARGEST_FEED:
        raise InputError(f"unpacked longer than {LARGEST_FEED >> 20} MB")
    return unpacked


def read_json_feed(text: str, url: str) -> FeedDocument:
    """Parse a JSON Feed, version 1 or 1.1 (https://www.jsonfeed.org/version/1.1).

    Raises:
        InputError: the text is not a JSON Feed.
    """
    try:
        feed = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"broken JSON: {error}") from error
    if not isinstance(feed, dict) or not isinstance(feed.get("items"), list):
        raise InputError("JSON, but no JSON Feed: it has no list of items")
    items = [item for item in feed["items"] if isinstance(item, dict)]
    left_out = len(feed["items"]) - len(items)
    return FeedDocument(
        DocumentKind.FEED,
        title=" ".join(_string(feed, "title").split()),
        entries=tuple(_json_entry(item, url, _string(feed, "language")) for item in items),
        notes=(f"{left_out} items are no objects",) if left_out else (),
    )


def _json_entry(item: dict[str, Any], url: str, language: str) -> Entry:
    link = _string(item, "url") or _string(item, "external_url")
    texts = (plain_text(_string(item, "content_html")), _string(item, "content_text"), _string(item, "summary"))
    guid = item.get("id")
    return Entry(
        title=one_line(_string(item, "title")),
        text=max(texts, key=len).strip(),
        link=web_address(url, link),
        guid=str(guid) if isinstance(guid, str | int | float) else "",
        published=_string(item, "date_published") or _string(item, "date_modified"),
        language=_string(item, "language") or language,
        updated=_string(item, "date_modified"),
    )


ROOTS = ("urlset", "sitemapindex")

_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")


def read_sitemap(text: str, url: str) -> FeedDocument:
    """Parse a news sitemap, or an index of sitemaps (sitemaps.org, version 0.9, with Google's extension for news).

    Args:
        text: without declarations of entities.

    Raises:
        InputError: the sitemap is broken, or its pages are not news.
    """
    from lxml.etree import XMLSyntaxError

    listed: list[dict[str, str]] = []
    notes: tuple[str, ...] = ()
    try:
        listed.extend(_listed(text))
    except XMLSyntaxError as error:
        notes = (f"not well-formed ({error}); read as far as possible",)
    sitemaps = [fields for fields in listed if fields["kind"] == "sitemap" and fields.get("loc")]
    news = [fields for fields in listed if fields["kind"] == "url" and fields.get("news_title")]
    if sitemaps:
        sitemaps.sort(key=lambda fields: fields.get("lastmod", ""), reverse=True)
        addresses = tuple(dict.fromkeys(filter(None, (web_address(url, fields["loc"]) for fields in sitemaps))))
        return FeedDocument(DocumentKind.INDEX, addresses=addresses, notes=notes)
    if listed and not news:
        raise InputError("a sitemap whose pages have no headlines", hint="only sitemaps of news can be watched")
    if notes and not listed:
        raise InputError(notes[0])
    entries = tuple(
        Entry(
            title=one_line(fields["news_title"]),
            link=web_address(url, fields.get("loc", "")),
            published=fields.get("news_publication_date") or fields.get("lastmod", ""),
            language=fields.get("news_language", ""),
        )
        for fields in news
    )
    return FeedDocument(DocumentKind.FEED, entries=entries, notes=notes)


def _listed(text: str) -> Iterator[dict[str, str]]:
    """Yield the fields of each page or sitemap, by the local names of their elements."""
    from lxml.etree import iterparse

    content = io.BytesIO(_DECLARATION.sub("", text).encode("utf-8", "replace"))
    safely: dict[str, Any] = {"resolve_entities": False, "load_dtd": False, "no_network": True}
    for _, element in iterparse(content, events=("end",), encoding="utf-8", **safely):
        kind = _local_name(element)
        if kind in ("url", "sitemap"):
            fields = {
                ("news_" if child.getparent() is not element else "") + _local_name(child): (child.text or "").strip()
                for child in element.iterdescendants()
            }
            yield fields | {"kind": kind}
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]


def _local_name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


_PERIODS = {"hourly": 3600, "daily": 86_400, "weekly": 604_800, "monthly": 2_592_000, "yearly": 31_536_000}
_CLOSING_TAG = re.compile(r"</[A-Za-z]+\s*>")


def read_syndication(text: str, url: str) -> FeedDocument:
    """Parse RSS or Atom, even if it is not well-formed.

    Args:
        text: without declarations of entities.
        url: where it came from; relative addresses are resolved against it.

    Raises:
        InputError: the document is neither RSS nor Atom.
    """
    import feedparser

    parsed = feedparser.parse(
        io.BytesIO(_DECLARATION.sub("", text).encode("utf-8", "replace")),
        response_headers={"content-type": "application/xml; charset=utf-8"},
        sanitize_html=False,  # HTML becomes plain text anyway
        resolve_relative_uris=False,
    )
    problem = parsed.get("bozo_exception")
    if not parsed.get("version") and not parsed["entries"]:
        raise InputError(f"neither a feed nor a sitemap{f': {problem}' if problem else ''}")
    return FeedDocument(
        DocumentKind.FEED,
        title=one_line(_string(parsed["feed"], "title")),
        entries=tuple(
            _syndicated_entry(entry, url, _string(parsed["feed"], "language")) for entry in parsed["entries"]
        ),
        ttl=_ttl(parsed["feed"]),
        notes=(f"not well-formed ({problem}); read as far as possible",) if problem else (),
    )


def _syndicated_entry(entry: dict[str, Any], url: str, language: str) -> Entry:
    texts = [_string(entry, "summary"), *(_string(part, "value") for part in dict.get(entry, "content") or ())]
    link, guid = _string(entry, "link"), _string(entry, "id")
    if link == guid and not link.startswith(("http://", "https://")):
        link = ""  # the RSS standard says that a guid without a declaration is a URL, but most such guids are not
    title, detail = _string(entry, "title"), dict.get(entry, "title_detail") or {}
    is_plain = detail.get("type") == "text/plain" and not _CLOSING_TAG.search(title)  # the type may be wrong
    return Entry(
        title=" ".join(title.split()) if is_plain else one_line(title),
        text=plain_text(max(texts, key=len)),
        link=web_address(url, link),
        guid=guid,
        published=_time(entry, "published") or _time(entry, "updated"),
        language=detail.get("language") or language,
        updated=_time(entry, "updated"),
    )


def _time(entry: dict[str, Any], name: str) -> str:
    """Return a time as the entry writes it, or in UTC if only feedparser can read the time."""
    said, parsed = _string(entry, name), dict.get(entry, f"{name}_parsed")
    try:
        parse_time(said)
    except InputError:
        if isinstance(parsed, time.struct_time):
            return time.strftime("%Y-%m-%dT%H:%M:%SZ", parsed)
    return said


def _ttl(feed: dict[str, Any]) -> float | None:
    """Return the seconds until the next look: RSS 2.0 states minutes, the syndication module states a frequency."""
    minutes = _string(feed, "ttl")
    if minutes.isdecimal() and len(minutes) < 9:
        return 60.0 * int(minutes)
    period = _PERIODS.get(_string(feed, "sy_updateperiod").strip().lower())
    times = _string(feed, "sy_updatefrequency").strip()
    frequency = int(times) if times.isdecimal() and len(times) < 9 else 1
    return period and period / max(1, frequency)


def _string(fields: dict[str, Any], name: str) -> str:
    value = dict.get(fields, name)  # feedparser's own get substitutes other fields, with a warning
    return value if isinstance(value, str) else ""
