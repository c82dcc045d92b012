"""Where the records of a damaged WARC file end and begin, packed with gzip (a member for each record) or not.

The worse error is to take for a record what a page holds: whoever writes a page could then forge one of another
address. So behind a record that is whole, the next is looked for from its end on; only in one that is cut or broken,
within it. Work is bounded: the search only goes forward, and unpacks of each possible beginning a few bytes.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from io import SEEK_END
from itertools import islice
from typing import BinaryIO

_GZIP = b"\x1f\x8b\x08"
_WARC = b"WARC/1."
_END = b"\r\n\r\n"
_FIRST_LINES = re.compile(rb"WARC/1\.\d\r?\n[\w-]+:")
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_LENGTH = re.compile(rb"^Content-Length:[ \t]*(\d{1,18})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)

_CHUNK = 2**16
_LONGEST_HEAD = 2**16
"""Bytes of a record's own headers."""

_ENOUGH = 64
"""Bytes from which the first lines of a record can be told."""


def record_end(file: BinaryIO, start: int) -> int | None:
    """Return the offset behind the record that begins at an offset; ``None`` where it is cut or broken.

    Where neither a record nor a member of gzip begins (one member may hold several records), nothing can be said, and
    the offset itself is returned.
    """
    head = _bytes_at(file, start, len(_WARC))
    if head.startswith(_GZIP):
        return _packed_end(file, start)
    return _plain_end(file, start) if head == _WARC else start


def next_record(file: BinaryIO, start: int) -> int | None:
    """Return the offset of the first record that begins at an offset or behind it; ``None`` if there is none.

    A file that is packed at its beginning is packed to its end, and one that is not is not.
    """
    first = _bytes_at(file, 0, len(_WARC))
    found: list[int] = []
    if first != _WARC:
        found += islice((one for one in _places(file, _GZIP, start) if _begins(_first_unpacked(file, one))), 1)
    if not first.startswith(_GZIP):
        found += islice((one for one in _places(file, _WARC, start) if _begins(_bytes_at(file, one, _ENOUGH))), 1)
    return min(found, default=None)


def _begins(head: bytes) -> bool:
    return _FIRST_LINES.match(head) is not None


def _plain_end(file: BinaryIO, start: int) -> int | None:
    size = _size_of_record(_bytes_at(file, start, _LONGEST_HEAD))
    if size is None or start + size > file.seek(0, SEEK_END):
        return None
    behind = _bytes_at(file, start + size, len(_END) + len(_WARC))
    further = behind.lstrip(b"\r\n")
    if not (behind.startswith(_END) or not further or further.startswith(_WARC)):
        return None
    return start + size + len(behind) - len(further)


def _packed_end(file: BinaryIO, start: int) -> int | None:
    """The end of a member that can be unpacked to its end, and is as long as the headers in it say."""
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
    """The bytes of a record, its headers with its content, from its beginning."""
    end = _HEAD_END.search(head)
    if not end or not head.startswith(_WARC):
        return None
    if _FIRST_LINES.search(head, 1, end.start()):
        return None  # the headers were cut, and those of the next record follow
    length = _LENGTH.search(head, 0, end.start())
    return end.end() + int(length[1]) if length else None


def _first_unpacked(file: BinaryIO, start: int) -> bytes:
    try:
        return zlib.decompressobj(wbits=31).decompress(_bytes_at(file, start, 4 * _ENOUGH), _ENOUGH)
    except zlib.error:
        return b""


def _places(file: BinaryIO, wanted: bytes, start: int) -> Iterator[int]:
    """The offsets of some bytes from an offset on."""
    overlap = len(wanted) - 1
    while len(chunk := _bytes_at(file, start, _CHUNK)) > overlap:
        found = chunk.find(wanted)
        while found >= 0:
            yield start + found
            found = chunk.find(wanted, found + 1)
        start += len(chunk) - overlap


def _bytes_at(file: BinaryIO, offset: int, count: int) -> bytes:
    file.seek(offset)
    return file.read(count)
