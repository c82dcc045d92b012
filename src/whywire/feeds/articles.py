"""An entry of a feed, with its page where that could be read, as an article."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from whywire.errors import InputError
from whywire.feeds.documents import Entry
from whywire.news import Article, Language, detect_language, parse_time, read_row, split_sentences
from whywire.news.times import is_future
from whywire.news.web_pages import site_of

LONGEST_HEADLINE = 200
"""Characters of a headline that is made from the first sentence of an entry without one."""


def to_article(
    entry: Entry, key: str, page: Mapping[str, str] | None, feed: str, now: datetime
) -> tuple[Article, tuple[str, ...]]:
    """Turn an entry into an article.

    The time is the feed's, else the page's. The text is that of the page, or the feed's where this is longer (the
    page may ask for a subscription). The outlet is the host of the page. The language that the feed, else the page,
    declares decides where the words do not.

    Args:
        key: by which the entry is known; the id of the article.
        page: what `whywire.news.web_pages.read_page` read; ``None`` where it was not read.
        feed: its address.

    Returns:
        The article, and notes on what about it could not be used.

    Raises:
        InputError: there is neither a headline nor a text to make one from.
    """
    page = page or {}
    text = max(page.get("text", ""), entry.text, key=len)
    notes: list[str] = []
    time = {"published": entry.published} if _is_time(entry.published, now, notes) else {}
    if not time and _is_time(page.get("published", ""), now, notes):
        time = {name: page[name] for name in ("published", "published_from") if name in page}
    title = entry.title or page.get("title") or _first_sentence(text)
    row = {
        "id": key,
        "title": title,
        "text": text,
        "language": detect_language(f"{title}\n{text}", entry.language or page.get("language", "")).value,
        "url": entry.link,
        "source": site_of(entry.link or feed),
        **time,
    }
    article, more = read_row(row)
    return replace(article, place=entry.link or feed), (*notes, *more)


def _is_time(given: str, now: datetime, notes: list[str]) -> bool:
    """Whether a time can be used; if not, the reason is noted."""
    try:
        found = parse_time(given)
    except InputError as error:
        notes.append(error.message)
        return False
    if found and is_future(found, now):
        notes.append(f"a time in the future: {given[:40]!r}")
        return False
    return found is not None


def _first_sentence(text: str) -> str:
    spans = split_sentences(text[: 2 * LONGEST_HEADLINE], Language.ENGLISH)
    if not spans:
        return ""
    start, end = spans[0]
    sentence = text[start:end]
    return sentence if len(sentence) <= LONGEST_HEADLINE else sentence[:LONGEST_HEADLINE].rsplit(None, 1)[0] + " …"
