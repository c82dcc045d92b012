"""What a document of a feed holds, whatever its format, and its HTML as plain text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Self
from urllib.parse import urljoin


def web_address(base: str, link: str) -> str:
    """An address in a document, made absolute; empty where it is missing or not of the web."""
    try:
        found = urljoin(base, link.strip()) if link.strip() else ""
    except ValueError:
        return ""
    return found if found.lower().startswith(("http://", "https://")) else ""


class DocumentKind(StrEnum):
    """What was found at the address of a feed."""

    FEED = "feed"
    """RSS, Atom, JSON Feed or a news sitemap."""
    INDEX = "index"
    """A sitemap of sitemaps."""
    PAGE = "page"
    """A web page that names its feeds."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One report in a feed.

    Args:
        title: plain text; may be empty.
        text: the summary, or the whole text where the feed has it: plain text.
        link: the address of its page (`web_address`); may be empty.
        guid: what the feed itself knows it by.
        published: as `whywire.news.parse_time` reads it; empty where the feed does not say.
        language: a code as the feed declares it, "ru" or "ru-RU"; empty where it does not.
        updated: when this version was made, as the feed writes it; empty where it does not say.
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
    """What was read at the address of a feed.

    Args:
        kind: what it is.
        title: of the feed.
        entries: the reports, in the order of the document.
        ttl: seconds after which to look again, if the feed says so.
        addresses: of an index the sitemaps, newest first; of a page its feeds.
        notes: what was wrong with it.
    """

    kind: DocumentKind
    title: str = ""
    entries: tuple[Entry, ...] = ()
    ttl: float | None = None
    addresses: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The document as JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """The document that :meth:`to_json` wrote."""
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
"""Elements that do not begin a line; all others do."""

_LEFT_OUT = re.compile("script|style|template|noscript|iframe|svg|head|title|object|video|audio")
_SPACE = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n[ \n]*")


def plain_text(markup: str) -> str:
    """Turn HTML into text: its blocks are lines, its entities characters, its scripts and styles gone."""
    if "<" not in markup and "&" not in markup:
        return _tidy(markup)
    from lxml.html import HTMLParser, document_fromstring

    content = markup.replace("\0", "").encode("utf-8", "replace")
    root = document_fromstring(b"<body><div>" + content, parser=HTMLParser(encoding="utf-8"))
    pieces: list[str] = []
    walk = [(root, False)]
    while walk:
        element, left = walk.pop()
        tag = element.tag if isinstance(element.tag, str) else ""  # that of a comment is a function
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
    """Turn HTML into text of one line."""
    return " ".join(plain_text(markup).split())


def _tidy(text: str) -> str:
    return _LINES.sub("\n", _SPACE.sub(" ", text)).strip()
