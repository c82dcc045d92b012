"""Documents of feeds, in whichever format they come.

They may be hostile: `read_feed` is called through `whywire.isolation.Isolated`. No entity is expanded: a document
that declares one is refused, since small ones can stand for gigabytes, or for files.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import replace
from typing import Any

from whywire.errors import InputError
from whywire.feeds.documents import DocumentKind, FeedDocument, web_address
from whywire.feeds.json_feed import read_json_feed
from whywire.feeds.sitemaps import ROOTS, read_sitemap
from whywire.feeds.syndication import read_syndication
from whywire.news.web_pages import decode_document

LARGEST_FEED = 20 * 2**20
"""Bytes of the largest document read: some hundred times a common one."""

MAX_ENTRIES = 10_000
"""Entries of one document that are read."""

FEED_TYPES = ("application/rss+xml", "application/atom+xml", "application/feed+json", "application/json")
"""Types of the links by which a page names its feeds."""

_GZIP = b"\x1f\x8b"
_BEFORE_ROOT = re.compile(r"\s*(?:<\?.*?\?>|<!--.*?-->|<![^>]*>)", re.DOTALL)
_ROOT = re.compile(r"\s*<(?:[\w.-]+:)?([\w.-]+)")
_HEAD = 100_000


def read_feed(content: bytes, *, content_type: str = "", url: str = "") -> dict[str, Any]:
    """Read a document: RSS, Atom, JSON Feed, a news sitemap or an index of sitemaps, also packed with gzip.

    Args:
        content_type: the header it came with.
        url: where it came from; relative addresses begin there.

    Returns:
        A `FeedDocument` as JSON.

    Raises:
        InputError: it is none of these, and no page that names its feeds.
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
    """The name of the first element, in lower case."""
    at = 0
    while found := _BEFORE_ROOT.match(head, at):
        at = found.end()
    first = _ROOT.match(head, at)
    return first[1].lower() if first else ""


def _read_page(text: str, url: str) -> FeedDocument:
    """Find the feeds that a page names."""
    from lxml.html import HTMLParser, document_fromstring

    root = document_fromstring(text.encode("utf-8", "replace"), parser=HTMLParser(encoding="utf-8"))
    links = [
        web_address(url, link.get("href") or "")
        for link in root.iter("link")
        if "alternate" in (link.get("rel") or "").lower().split()
        and (link.get("type") or "").partition(";")[0].strip().lower() in FEED_TYPES
    ]
    links = list(filter(None, links))
    if not links:
        raise InputError("a web page that names no feed", hint="look for its address on the site")
    return FeedDocument(DocumentKind.PAGE, addresses=tuple(dict.fromkeys(links)))


def _unpacked(content: bytes) -> bytes:
    """Unpack gzip, as sitemaps are stored."""
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
