"""JSON Feed, versions 1 and 1.1 (https://www.jsonfeed.org/version/1.1)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from whywire.errors import InputError
from whywire.feeds.documents import DocumentKind, Entry, FeedDocument, web_address
from whywire.feeds.markup import one_line, plain_text


def read_json_feed(text: str, url: str) -> FeedDocument:
    """Read a JSON Feed; items that are none are noted.

    Raises:
        InputError: it is no JSON Feed.
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
        entries=tuple(_entry(item, url, _string(feed, "language")) for item in items),
        notes=(f"{left_out} items are no objects",) if left_out else (),
    )


def _entry(item: Mapping[str, Any], url: str, language: str) -> Entry:
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


def _string(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""
