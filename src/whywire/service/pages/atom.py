"""What is new about words, a place, a story or a watch, as an Atom feed (RFC 4287) for any feed reader.

An entry is a report that came, or a link that was found or closed. Titles from outside are text: the feed is written
by an XML library, and characters that XML has no place for are replaced.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from urllib.parse import quote
from xml.etree import ElementTree

from fastapi import Request
from starlette.responses import Response

from whywire.elements import LinkKind
from whywire.errors import InputError
from whywire.graph.exports.illegal_characters import xml_text
from whywire.service.context import Service
from whywire.service.guards import public_path
from whywire.service.pages.rendering import html_router, not_found, wording_of
from whywire.service.pages.wording import Wording
from whywire.store import RecordedChange, Topic, TopicChange, TopicKind
from whywire.updating import ChangeKind

ENTRIES = 50
"""The most entries of a feed, the latest."""

ATOM = "http://www.w3.org/2005/Atom"

router = html_router()


@router.get("/feed.atom")
def feed(
    request: Request, service: Service, q: str = "", place: str = "", story: str = "", watch: str = ""
) -> Response:
    """The latest changes about words, a place, a story, or the topic of a watch."""
    store = service.store
    if watch:
        watched = store.find_watch(watch)
        topic, title = (watched.topic, watched.name) if watched else (None, None)
    else:
        topic = _topic(q, place, story)
        title = store.title_of_topic(topic)
    if topic is None or title is None:
        return not_found(request)
    document = _document(request, f"Whywire: {title}", store.latest_news(topic, limit=ENTRIES))
    return Response(document, media_type="application/atom+xml", headers={"cache-control": "private, no-cache"})


def _topic(words: str, place: str, story: str) -> Topic:
    given = (TopicKind.WORDS, " ".join(words.split())), (TopicKind.PLACE, place), (TopicKind.STORY, story)
    for kind, value in given:
        if value:
            return Topic(kind, value)
    raise InputError("name what to follow: /feed.atom?q=…, ?place=…, ?story=… or ?watch=…")


def _document(request: Request, title: str, news: Iterable[TopicChange]) -> bytes:
    ElementTree.register_namespace("", ATOM)
    wording = wording_of(request)
    base = f"{request.url.scheme}://{request.url.netloc}"
    entries = [*news]
    root = ElementTree.Element(f"{{{ATOM}}}feed")
    updated = max((one.recorded.at for one in entries), default=datetime(1970, 1, 1, tzinfo=UTC))
    own = public_path(request, "/feed.atom") + (f"?{request.url.query}" if request.url.query else "")
    _add(root, "title", title)
    _add(root, "id", base + own)
    _add(root, "updated", updated.isoformat())
    _add(root, "link", rel="self", href=base + own)
    _add(_add(root, "author"), "name", "Whywire")
    for one in entries:
        entry = _add(root, "entry")
        _add(entry, "title", _words(one.recorded, wording))
        _add(entry, "id", f"urn:whywire:change:{one.recorded.id}")
        _add(entry, "updated", one.recorded.at.isoformat())
        _add(entry, "link", href=base + public_path(request, f"/stories/{quote(one.story, safe='')}"))
        _add(entry, "summary", one.title)
    document: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return document


def _add(parent: ElementTree.Element, name: str, text: str | None = None, **attributes: str) -> ElementTree.Element:
    child = ElementTree.SubElement(parent, f"{{{ATOM}}}{name}", attributes)
    child.text = text and xml_text(text)
    return child


def _words(recorded: RecordedChange, wording: Wording) -> str:
    """One line for a change: the title of a report, or who led to what."""
    change, details = recorded.change, recorded.change.details
    if change.kind is ChangeKind.ARTICLE_ADDED:
        return str(details.get("title") or change.subject)
    ends = [str(details.get(end) or wording.text("untitled")) for end in ("source", "target")]
    verb = wording.text((change.link_kind or LinkKind.CAUSES).value)
    closed = f" ({wording.text('closed')})" if change.kind is ChangeKind.LINK_CLOSED else ""
    return f"{ends[0]} → {verb} {ends[1]}{closed}"
