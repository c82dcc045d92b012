"""The headline, text and time of publication of a web page (needs the extra ``feeds``)."""

from __future__ import annotations

from urllib.parse import urlsplit

from whywire.errors import InputError, MissingExtraError
from whywire.news.charsets import decode_document
from whywire.news.language import detect_language
from whywire.news.page_times import time_of_page

LARGEST_PAGE = 10 * 2**20
"""Bytes of the largest page that is read: some hundred times a common one."""

_NO_TEXT = "no text of an article was found in the page"


def read_page(content: bytes, *, content_type: str = "", url: str = "") -> dict[str, str]:
    """Read a web page. It may be hostile: call it through `whywire.isolation.Isolated`.

    Args:
        content_type: the header it came with.

    Returns:
        Fields of a row as `whywire.news.read_row` takes it: ``title``, ``text``, ``published``, ``published_from``,
        each only where the page has it, and ``language`` where it declares one, which may be wrong about its text.

    Raises:
        InputError: it has no text.
        MissingExtraError: trafilatura is not installed.
    """
    try:
        from trafilatura import bare_extraction, load_html
    except ImportError as error:
        raise MissingExtraError("trafilatura", "feeds") from error

    tree = load_html(decode_document(content, content_type).replace("\0", ""))
    if tree is None:
        raise InputError(_NO_TEXT)
    time = time_of_page(tree)
    found = bare_extraction(tree, url=url or None, with_metadata=True, include_comments=False, include_tables=False)
    if found is None or isinstance(found, dict) or not found.text:
        raise InputError(_NO_TEXT)
    row = {"title": found.title or "", "text": _without_headline(found.text, found.title or "")} | time
    if declared := tree.get("lang"):
        row["language"] = detect_language(f"{row['title']}\n{row['text']}", declared).value
    return {name: value for name, value in row.items() if value}


def site_of(url: str) -> str:
    """The host of an address without ``www.``, which names the outlet; empty where there is none."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _without_headline(text: str, title: str) -> str:
    """The text without a first line that repeats the headline."""
    first, _, rest = text.partition("\n")
    return rest if rest and first.strip() == title.strip() else text
