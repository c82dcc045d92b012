"""What a document of a feed holds, whatever its format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Self
from urllib.parse import urljoin


def web_address(base: str, link: str) -> str:
    """An address in a document, absolute; empty where there is none, or not one of the web."""
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
        title: plain text; empty where there is none.
        text: the summary, or the whole text where the feed has it: plain text.
        link: the address of its page (`web_address`); empty where there is none.
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
