"""Reading web pages from WARC files, such as those of CC-News, as articles (needs the extra ``feeds``).

After damage the reader searches for the next record. The content of a page must not be taken for a record: otherwise
the author of a page could forge a record with another address. So the search starts at the end of the last whole
record, and looks inside a record only if the record is cut or broken. The work is bounded: the search only goes
forward and unpacks a few bytes at each possible beginning.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Callable, Generator, Iterator, Mapping
from http import HTTPStatus
from importlib.util import find_spec
from io import SEEK_END
from pathlib import Path
from typing import Any, BinaryIO

from whywire.errors import MissingExtraError, WhywireError
from whywire.isolation import Isolated
from whywire.news.article import Problem
from whywire.news.row_files import SourceRow
from whywire.news.text_files import place_of
from whywire.news.web_pages import LARGEST_PAGE, read_page, site_of

MAX_DAMAGED = 1_000
"""The most damaged places of a file after which reading continues."""

CUT = "the record is cut or broken"

_HTML = ("text/html", "application/xhtml+xml")

_Page = tuple[tuple[str, str], bytes, Mapping[str, Any]]
"""The place and address of a page, its content, and the options of ``read_page``."""

_Among = tuple[tuple[str, str, list[Problem]], bytes, Mapping[str, Any]]
"""A page, with the problems between it and the page before."""

_GZIP = b"\x1f\x8b\x08"
_WARC = b"WARC/1."
_END = b"\r\n\r\n"
_FIRST_LINES = re.compile(rb"WARC/1\.\d\r?\n[\w-]+:")
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_LENGTH = re.compile(rb"^Content-Length:[ \t]*(\d{1,18})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)

_CHUNK = 2**16
_LONGEST_HEAD = 2**16
"""The most bytes of the headers of a record."""

_ENOUGH = 64
"""Bytes that suffice to recognise the first lines of a record."""


def read_warc(path: Path, skip: int = 0) -> Iterator[SourceRow | Problem]:
    """Read the pages of a WARC file, packed with gzip or not; the place of a record is its number, from 1.

    Only HTML responses with status 200 are articles; other records are skipped. A page without the text of an article
    is a problem. The time is the one that the page states, never that of the crawl.

    After damage reading continues with the next record, and a problem names the bytes that were skipped; its place
    is the last record before the damage, or the broken record.

    Args:
        skip: the number of rows and problems at the beginning that are left out; their pages are not parsed.

    Raises:
        MissingExtraError: FastWARC or trafilatura is not installed.
    """
    for package in ("fastwarc", "trafilatura"):
        if find_spec(package) is None:
            raise MissingExtraError(package, "feeds")
    last: list[Problem] = []
    with Isolated(read_page, processes=os.cpu_count() or 1) as read:
        for (place, url, before), page in read.map(_after(skip, path, last)):
            yield from before
            if isinstance(page, WhywireError):
                yield Problem(place, page.message, row={"url": url})
            else:
                yield SourceRow(place, {"url": url, "source": site_of(url), **page})
    yield from last


def _after(skip: int, path: Path, last: list[Problem]) -> Iterator[_Among]:
    """Yield the pages of a file after a number of pages and problems; add the problems behind them to ``last``."""
    problems: list[Problem] = []
    for (place, url), content, options in _pages(path, problems):
        before = problems[skip:]
        is_skipped = skip > len(problems)
        skip = max(0, skip - len(problems) - 1)
        problems.clear()
        if not is_skipped:
            yield (place, url, before), content, options
    last += problems[skip:]


def _pages(path: Path, problems: list[Problem]) -> Iterator[_Page]:
    """Yield the pages of a file; add its problems to ``problems``."""
    place = place_of(path)
    try:
        with path.open("rb") as stream, path.open("rb") as file:
            number = begin = 0
            for _ in range(MAX_DAMAGED):
                stream.seek(begin)
                number, offset, reason = yield from _pages_to_damage(stream, file, f"{place}:", number, problems)
                if not reason:
                    break
                offset = max(begin, offset)
                is_whole = offset > begin and record_end(file, offset) is not None  # FastWARC had not reached it
                resumed = next_record(file, offset if is_whole else offset + 1)
                further = "nothing after it is read" if resumed is None else f"reading goes on at byte {resumed:,}"
                here = f"{place}:{number}" if number else place
                problems.append(Problem(here, f"damaged from byte {offset:,}: {reason}; {further}"))
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
) -> Generator[_Page, None, tuple[int, int, str]]:
    """Yield the pages from the position of a stream up to the first damage.

    Args:
        file: the same file, opened a second time.
        place: of a record, without its number.
        number: of the last record read before.

    Returns:
        Three values: the number of the last record; the offset at which the damaged record begins or, if it is
        unknown, the last whole record ends (0 if no record was read); and what is wrong (empty at the end of the
        file).
    """
    from fastwarc.warc import ArchiveIterator

    last: int | None = None  # offset of the current record
    try:
        for record in ArchiveIterator(stream, auto_decode="all"):
            number, last = number + 1, record.stream_pos
            if record_end(file, last) is None:  # FastWARC may read on into the next record, or end without an error
                return number, last, CUT
            page = _page(record, f"{place}{number}", problems)
            if page is not None:
                yield page
    except OSError as error:  # also the class of FastWARC's errors
        end = 0 if last is None else record_end(file, last)
        return (number, last or 0, CUT) if end is None else (number, end, str(error))
    return number, 0, ""


def _page(record: Any, place: str, problems: list[Problem]) -> _Page | None:
    """Return the page of a record; ``None`` if the record has no page or the page is too large."""
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


# damage


def record_end(file: BinaryIO, start: int) -> int | None:
    """Return the end of the record that begins at an offset; ``None`` if the record is cut or broken.

    If neither a record nor a gzip member begins there (a member may hold several records), return the offset itself.
    """
    head = _bytes_at(file, start, len(_WARC))
    if head.startswith(_GZIP):
        return _end_of_packed(file, start)
    return _end_of_plain(file, start) if head == _WARC else start


def next_record(file: BinaryIO, start: int) -> int | None:
    """Return the offset of the first record that begins at ``start`` or later; ``None`` if there is no such record.

    A file is packed throughout or not at all.
    """
    first = _bytes_at(file, 0, len(_WARC))
    kinds: list[tuple[bytes, Callable[[BinaryIO, int], bytes]]] = []
    if first != _WARC:
        kinds.append((_GZIP, _first_unpacked))
    if not first.startswith(_GZIP):
        kinds.append((_WARC, lambda file, offset: _bytes_at(file, offset, _ENOUGH)))
    begins = (
        next(
            (offset for offset in _offsets(file, mark, start) if _FIRST_LINES.match(first_bytes(file, offset))), None
        )
        for mark, first_bytes in kinds
    )
    return min((offset for offset in begins if offset is not None), default=None)


def _end_of_plain(file: BinaryIO, start: int) -> int | None:
    size = _size_of_record(_bytes_at(file, start, _LONGEST_HEAD))
    if size is None or start + size > file.seek(0, SEEK_END):
        return None
    behind = _bytes_at(file, start + size, len(_END) + len(_WARC))
    further = behind.lstrip(b"\r\n")
    if not (behind.startswith(_END) or not further or further.startswith(_WARC)):
        return None
    return start + size + len(behind) - len(further)


def _end_of_packed(file: BinaryIO, start: int) -> int | None:
    """Return the end of a gzip member; ``None`` if it cannot be unpacked or is not as long as its headers say."""
    unpacking = zlib.decompressobj(wbits=31)
    head, size, position = b"", 0, start
    try:
        while not unpacking.eof:
            packed = unpacking.unconsumed_tail
            if not packed:
                packed = _bytes_at(file, position, _CHUNK)
                position += len(packed)
                if not packed:
                    return None
            part = unpacking.decompress(packed, _CHUNK)
            size += len(part)
            if len(head) < _LONGEST_HEAD:
                head += part
    except zlib.error:
        return None
    wanted = _size_of_record(head)
    return None if wanted is None or wanted > size else position - len(unpacking.unused_data)


def _size_of_record(head: bytes) -> int | None:
    """Return the size of a record, headers included, from its first bytes; ``None`` if the headers are broken."""
    end = _HEAD_END.search(head)
    if not end or not head.startswith(_WARC):
        return None
    if _FIRST_LINES.search(head, 1, end.start()):
        return None  # the headers are cut, and the next record's follow
    length = _LENGTH.search(head, 0, end.start())
    return end.end() + int(length[1]) if length else None


def _first_unpacked(file: BinaryIO, start: int) -> bytes:
    try:
        return zlib.decompressobj(wbits=31).decompress(_bytes_at(file, start, 4 * _ENOUGH), _ENOUGH)
    except zlib.error:
        return b""


def _offsets(file: BinaryIO, wanted: bytes, start: int) -> Iterator[int]:
    """Yield the offsets at which ``wanted`` occurs, from ``start`` on."""
    overlap = len(wanted) - 1
    while len(chunk := _bytes_at(file, start, _CHUNK)) > overlap:
        at = chunk.find(wanted)
        while at >= 0:
            yield start + at
            at = chunk.find(wanted, at + 1)
        start += len(chunk) - overlap


def _bytes_at(file: BinaryIO, offset: int, count: int) -> bytes:
    file.seek(offset)
    return file.read(count)
