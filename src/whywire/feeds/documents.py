"""The content of a feed document, the same for all formats; conversion of HTML to plain text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Self
from urllib.parse import urljoin


def web_address(base: str, link: str) -> str:
    """Return a link of a document as an absolute URL; empty if the link is missing or is not of http or https."""
    try:
        url = urljoin(base, link.strip()) if link.strip() else ""
    except ValueError:
        return ""
    return url if url.lower().startswith(("http://", "https://")) else ""


class DocumentKind(StrEnum):
    """What kind of document is at the address of a feed."""

    FEED = "feed"
    """RSS, Atom, JSON Feed or a news sitemap."""
    INDEX = "index"
    """A sitemap of sitemaps."""
    PAGE = "page"
    """A web page that names its feeds."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One report in a feed; a missing field is empty.

    Args:
        title: plain text.
        text: the summary, or the whole text if the feed has it, as plain text.
        link: the address of the report's page (`web_address`).
        guid: the feed's own id of the entry.
        published: the time of publication, in a form that `whywire.news.parse_time` can read.
        language: the declared language code, such as "ru" or "ru-RU".
        updated: when this version was made, as the feed writes it.
    """

    title: str
    text: str = ""
    link: str = ""
    guid: str = ""
    published: str = ""
    language: str = ""
    updated: str = ""


@dataclass(frozen=True, slots=True)
class FeedDocument:
    """The content of a document.

    Args:
        title: the title of the feed.
        entries: in the order of the document.
        ttl: seconds after which to fetch the feed again, if the feed says so.
        addresses: the sitemaps of an index, newest first, or the feeds of a page.
        notes: what was wrong with the document.
    """

    kind: DocumentKind
    title: str = ""
    entries: tuple[Entry, ...] = ()
    ttl: float | None = None
    addresses: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the document as JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Return the document that :meth:`to_json` wrote."""
        return cls(
            kind=DocumentKind(value["kind"]),
            title=value["title"],
            entries=tuple(Entry(**entry) for entry in value["entries"]),
            ttl=value["ttl"],
            addresses=tuple(value["addresses"]),
            notes=tuple(value["notes"]),
        )


_IN_LINE = re.compile(
    "a|abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|img|ins|kbd|label|mark|nobr|q|s|samp|small|span|strike"
    "|strong|sub|sup|time|tt|u|var|wbr"
)
"""Inline elements; all other elements begin a new line."""

_LEFT_OUT = re.compile("script|style|template|noscript|iframe|svg|head|title|object|video|audio")
_SPACE = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n[ \n]*")


def plain_text(markup: str) -> str:
    """Turn HTML into text with a line for each block, entities as characters, and no scripts or styles."""
    if "<" not in markup and "&" not in markup:
        return _tidy(markup)
    from lxml.html import HTMLParser, document_fromstring

    content = markup.replace("\0", "").encode("utf-8", "replace")
    root = document_fromstring(b"<body><div>" + content, parser=HTMLParser(encoding="utf-8"))
    pieces: list[str] = []
    walk = [(root, False)]
    while walk:
        element, left = walk.pop()
        tag = element.tag if isinstance(element.tag, str) else ""  # the tag of a comment is a function
        if tag and not _IN_LINE.fullmatch(tag) and not _LEFT_OUT.fullmatch(tag):
            pieces.append("\n")
        if left:
            pieces.append(element.tail or "")
            continue
        walk.append((element, True))
        if tag and not _LEFT_OUT.fullmatch(tag):
            pieces.append(element.text or "")
            walk.extend((child, False) for child in reversed(element))
    return _tidy("".join(pieces))


def one_line(markup: str) -> str:
    """Turn HTML into one line of text."""
    return " ".join(plain_text(markup).split())


def _tidy(text: str) -> str:
    return _LINES.sub("\n", _SPACE.sub(" ", text)).strip()
