"""News sitemaps and sitemaps of sitemaps (sitemaps.org, version 0.9, with Google's extension for news)."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

from whywire.errors import InputError
from whywire.feeds.documents import DocumentKind, Entry, FeedDocument, web_address
from whywire.feeds.markup import one_line

ROOTS = ("urlset", "sitemapindex")

_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")


def read_sitemap(text: str, url: str) -> FeedDocument:
    """Read a news sitemap, or an index of sitemaps.

    Args:
        text: without declarations of entities.

    Raises:
        InputError: it is broken, or a sitemap of other pages than news.
    """
    from lxml.etree import XMLSyntaxError

    found: list[dict[str, str]] = []
    notes: tuple[str, ...] = ()
    try:
        found.extend(_places(text))
    except XMLSyntaxError as error:
        notes = (f"not well-formed ({error}); read as far as possible",)
    sitemaps = [place for place in found if place["kind"] == "sitemap" and place.get("loc")]
    news = [place for place in found if place["kind"] == "url" and place.get("news_title")]
    if sitemaps:
        sitemaps.sort(key=lambda place: place.get("lastmod", ""), reverse=True)
        addresses = tuple(dict.fromkeys(filter(None, (web_address(url, place["loc"]) for place in sitemaps))))
        return FeedDocument(DocumentKind.INDEX, addresses=addresses, notes=notes)
    if found and not news:
        raise InputError("a sitemap whose pages have no headlines", hint="only sitemaps of news can be watched")
    if notes and not found:
        raise InputError(notes[0])
    return FeedDocument(DocumentKind.FEED, entries=tuple(_entry(place, url) for place in news), notes=notes)


def _places(text: str) -> Iterator[dict[str, str]]:
    """The fields of each page or sitemap, by the local names of their elements."""
    from lxml.etree import iterparse

    content = io.BytesIO(_DECLARATION.sub("", text).encode("utf-8", "replace"))
    for _, element in iterparse(
        content, events=("end",), encoding="utf-8", resolve_entities=False, load_dtd=False, no_network=True
    ):
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


def _entry(place: dict[str, str], url: str) -> Entry:
    return Entry(
        title=one_line(place["news_title"]),
        link=web_address(url, place.get("loc", "")),
        published=place.get("news_publication_date") or place.get("lastmod", ""),
        language=place.get("news_language", ""),
    )


def _local_name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
