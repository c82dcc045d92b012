"""The headline, text and time of publication of a web page (needs the extra ``feeds``).

Which error is worse? A wrong day turns arrows round, no day only leaves their order unknown. So the day is read from
the markup of the page and not searched in its text, where other days stand.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from whywire.errors import InputError, MissingExtraError
from whywire.news.article import InferredFrom
from whywire.news.charsets import decode_document

LARGEST_PAGE = 10 * 2**20
"""Bytes of the largest page that is read: some hundred times a common one."""

_TIME = "%Y-%m-%dT%H:%M:%S%z"
_ZONED = re.compile(r".*T.*(?:[+-]\d\d:?\d\d|Z)$")


def read_page(content: bytes, *, content_type: str = "", url: str = "") -> dict[str, str]:
    """Read a web page. It may be hostile: call it through `whywire.isolation.Isolated`.

    Args:
        content_type: the header it came with.

    Returns:
        Fields of a row as `whywire.news.read_row` takes it: ``title``, ``text``, ``published`` and
        ``published_from``, each only where the page has it.

    Raises:
        InputError: it has no text.
        MissingExtraError: trafilatura is not installed.
    """
    try:
        from trafilatura import bare_extraction
    except ImportError as error:
        raise MissingExtraError("trafilatura", "feeds") from error

    page = decode_document(content, content_type)
    found = bare_extraction(
        page.replace("\0", ""),
        url=url or None,
        with_metadata=True,
        include_comments=False,
        include_tables=False,
        date_extraction_params={"original_date": True, "extensive_search": False, "outputformat": _TIME},
    )
    if found is None or isinstance(found, dict) or not found.text:
        raise InputError("no text of an article was found in the page")
    row = {"title": found.title or "", "text": _without_headline(found.text, found.title or "")} | _time(found.date)
    return {name: value for name, value in row.items() if value}


def site_of(url: str) -> str:
    """The host of an address without ``www.``, which names the outlet; empty where there is none."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _time(date: str | None) -> dict[str, str]:
    """A time with its zone stands in metadata of publication; of anything else only the day is taken, as inferred."""
    if not date:
        return {}
    if _ZONED.match(date) and "T00:00:00" not in date:
        return {"published": date}
    return {"published": date[: len("2026-03-04")], "published_from": InferredFrom.PAGE.value}


def _without_headline(text: str, title: str) -> str:
    """The text without a first line that repeats the headline."""
    first, _, rest = text.partition("\n")
    return rest if rest and first.strip() == title.strip() else text
