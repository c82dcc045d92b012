"""Web pages in WARC files, such as those of CC-News, read as articles (needs the extra ``feeds``)."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO

from whywire.errors import MissingExtraError, WhywireError
from whywire.isolation import Isolated
from whywire.news.article_rows import SourceRow
from whywire.news.problems import Problem
from whywire.news.text_files import place_of
from whywire.news.warc_damage import next_record, record_end
from whywire.news.web_pages import LARGEST_PAGE, read_page, site_of

MAX_DAMAGED = 1_000
"""Damaged places of a file that are passed over."""

CUT = "the record is cut or broken"

_HTML = ("text/html", "application/xhtml+xml")

_Page = tuple[tuple[str, str], bytes, Mapping[str, Any]]
"""The place and address of a page, the page, and options to read it with."""


@dataclass(frozen=True, slots=True)
class _Damage:
    """Where a file is damaged.

    Args:
        offset: where a record begins that is broken, or a whole one ends that nothing readable follows; 0 if no
            record was read.
    """

    offset: int
    reason: str


def read_warc(path: Path) -> Iterator[SourceRow | Problem]:
    """Read the pages of a WARC file, packed with gzip or not; a record has a place by its number, from 1.

    Only pages that a server gave (status 200, HTML) are articles; records of other kinds are passed over. A page
    without the text of an article is a problem. The time is that which the page states, never that of the crawl.

    Where a file is damaged, reading goes on with the next record, and a problem says from which byte to which; its
    place is that of the last record before, or of the one that is broken.

    Raises:
        MissingExtraError: FastWARC or trafilatura is not installed.
    """
    for package in ("fastwarc", "trafilatura"):
        if find_spec(package) is None:
            raise MissingExtraError(package, "feeds")
    problems: list[Problem] = []
    with Isolated(read_page, processes=os.cpu_count() or 1) as read:
        for (place, url), page in read.map(_pages(path, problems)):
            yield from problems
            problems.clear()
            if isinstance(page, WhywireError):
                yield Problem(place, page.message, row={"url": url})
            else:
                yield SourceRow(place, {"url": url, "source": site_of(url), **page})
    yield from problems


def _pages(path: Path, problems: list[Problem]) -> Iterator[_Page]:
    """The pages of a file; what is wrong with it is added to ``problems``."""
    place = place_of(path)
    try:
        with path.open("rb") as stream, path.open("rb") as file:
            number = begin = 0
            for _ in range(MAX_DAMAGED):
                stream.seek(begin)
                number, damage = yield from _pages_to_damage(stream, file, f"{place}:", number, problems)
                if damage is None:
                    break
                offset = max(begin, damage.offset)
                is_whole = offset > begin and record_end(file, offset) is not None  # FastWARC was still before it
                resumed = next_record(file, offset if is_whole else offset + 1)
                further = "nothing after it is read" if resumed is None else f"reading goes on at byte {resumed:,}"
                here = f"{place}:{number}" if number else place
                problems.append(Problem(here, f"damaged from byte {offset:,}: {damage.reason}; {further}"))
                if resumed is None:
                    return
                begin = resumed
            else:
                problems.append(Problem(place, f"damaged in {MAX_DAMAGED:,} places; what follows is not read"))
        if not number:
            problems.append(Problem(place, "holds no record"))
    except OSError as error:
        problems.append(Problem(place, f"cannot be read: {error}"))


def _pages_to_damage(
    stream: BinaryIO, file: BinaryIO, place: str, number: int, problems: list[Problem]
) -> Generator[_Page, None, tuple[int, _Damage | None]]:
    """The pages from where a stream is to the first damage.

    Args:
        file: the same file, to look at it apart from the stream.
        place: of a record, without its number.
        number: of the last record before.

    Returns:
        The number of the last record, and the damage; ``None`` at the end of the file.
    """
    from fastwarc.warc import ArchiveIterator

    last: int | None = None  # where the record begins that is being read
    try:
        for record in ArchiveIterator(stream, auto_decode="all"):
            number, last = number + 1, record.stream_pos
            if record_end(file, last) is None:  # FastWARC may go on in the next record, or end as if all was there
                return number, _Damage(last, CUT)
            page = _page(record, f"{place}{number}", problems)
            if page is not None:
                yield page
    except OSError as error:  # FastWARC's own are of this class, too
        end = 0 if last is None else record_end(file, last)
        return number, _Damage(last or 0, CUT) if end is None else _Damage(end, str(error))
    return number, None


def _page(record: Any, place: str, problems: list[Problem]) -> _Page | None:
    """The page of a record; ``None`` if it holds none, or one that is too large."""
    from fastwarc.warc import WarcRecordType

    if record.record_type != WarcRecordType.response or not record.is_http_parsed:
        return None
    headers = record.http_headers
    if headers.status_code != HTTPStatus.OK or (record.http_content_type or "").lower() not in _HTML:
        return None
    url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
    content = record.reader.read(LARGEST_PAGE + 1)
    if len(content) > LARGEST_PAGE:
        problems.append(Problem(place, f"a page of more than {LARGEST_PAGE >> 20} MB", row={"url": url}))
        return None
    if truncated := record.headers.get("WARC-Truncated"):
        problems.append(Problem(place, f"the crawler cut this page: {truncated}", kept=True))
    return (place, url), content, {"content_type": headers.get("Content-Type") or "", "url": url}
