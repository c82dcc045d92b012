"""Articles of feeds: made from an entry and its page, and appended to a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from whywire.errors import InputError
from whywire.feeds.documents import Entry
from whywire.news import Article, Language, detect_language, parse_time, read_row, split_sentences, to_row
from whywire.news.times import is_future
from whywire.news.web_pages import site_of
from whywire.output import append_lines, json_text

LONGEST_HEADLINE = 200
"""The most characters of a headline that is made from the first sentence of an entry without a headline."""


def to_article(
    entry: Entry, key: str, page: Mapping[str, str] | None, feed: str, now: datetime
) -> tuple[Article, tuple[str, ...]]:
    """Turn an entry into an article.

    The time comes from the feed; if the feed gives none, from the page. The text is the longer of the texts of page
    and feed (the page may require a subscription). The outlet is the host of the page. If the words do not decide the
    language, the language declared by the feed counts; if the feed declares none, the language declared by the page.

    Args:
        key: the key of the entry, which becomes the article's id.
        page: what `whywire.news.web_pages.read_page` returned; ``None`` if the page was not read.
        feed: the address of the feed.

    Returns:
        The article, and notes on fields that could not be used.

    Raises:
        InputError: there is neither a headline nor a text.
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
    """Return whether a time can be used; if it cannot, add the reason to the notes."""
    try:
        published = parse_time(given)
    except InputError as error:
        notes.append(error.message)
        return False
    if published and is_future(published, now):
        notes.append(f"a time in the future: {given[:40]!r}")
        return False
    return published is not None


def _first_sentence(text: str) -> str:
    spans = split_sentences(text[: 2 * LONGEST_HEADLINE], Language.ENGLISH)
    if not spans:
        return ""
    start, end = spans[0]
    sentence = text[start:end]
    return sentence if len(sentence) <= LONGEST_HEADLINE else sentence[:LONGEST_HEADLINE].rsplit(None, 1)[0] + " …"


class ArticleLines:
    """Appends articles to a file, as whole lines that are on disk when a call returns.

    The row of a new version of an article has ``"new_version": true``.

    Each call opens the file, so a log rotation may move the file between two calls. If a killed process left an
    unfinished line, the next call ends this line first, so that the following line can be read.

    Raises:
        OutputError: the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self([])

    def __call__(self, articles: list[Article], *, new_version: bool = False) -> None:
        """Append articles, all or none of them."""
        append_lines(self._path, article_lines(articles, new_version=new_version))


def article_lines(articles: list[Article], *, new_version: bool = False) -> str:
    """Return articles as JSON Lines."""
    mark = {"new_version": True} if new_version else {}
    return "".join(f"{json_text(to_row(article) | mark)}\n" for article in articles)
