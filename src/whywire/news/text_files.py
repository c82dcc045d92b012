"""Decoding of text files line by line: gzipped or not, in UTF-8 or UTF-16, with invalid bytes and overlong lines.

Memory is bounded by the longest line allowed, even if a small packed file unpacks to a huge one.
"""

from __future__ import annotations

import gzip
import io
import os
import re
from pathlib import Path
from typing import BinaryIO, cast

from whywire.errors import InputError

LONGEST_LINE = 16 * 2**20
"""The most characters of a line by default: sixteen times the longest text that is kept of an article."""

_SKIPPED_AT_ONCE = 2**16
_SHOWN_OF_LINE = 1000
"""The number of characters that are shown of a line that is too long."""

_ESCAPED_BYTE = re.compile(r"[\udc80-\udcff]")


def open_bytes(path: Path) -> BinaryIO:
    """Open a file for reading, and unpack it if its name ends in ``.gz``.

    Raises:
        InputError: the file cannot be opened.
    """
    try:
        return cast(BinaryIO, gzip.open(path, "rb")) if path.suffix.lower() == ".gz" else path.open("rb")
    except OSError as error:
        raise InputError(f"cannot be opened: {error.strerror}", where=place_of(path)) from error


class LineTooLongError(InputError):
    """A line over the limit; the next lines can still be read.

    Args:
        begin: the line's first characters.
    """

    def __init__(self, longest: int, begin: str) -> None:
        super().__init__(f"a line of more than {longest:,} characters", hint="a longer one is taken with --max-line")
        self.begin = begin


class BoundedText(io.TextIOWrapper):
    """A text stream with a limit on the length of lines.

    Args:
        longest: the most characters of a line.
    """

    def __init__(self, stream: BinaryIO, encoding: str, errors: str, longest: int) -> None:
        super().__init__(stream, encoding, errors=errors, newline="")
        self.longest = longest

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """Read the next line, or up to ``size`` characters of it.

        Raises:
            LineTooLongError: the line is longer than the limit; the next call reads the line after it.
        """
        if size is not None and size >= 0:
            return super().readline(size)
        line = super().readline(self.longest + 1)
        if len(line) <= self.longest or line[-1] in "\r\n":
            return line
        rest = line
        while rest and rest[-1] not in "\r\n":
            rest = super().readline(_SKIPPED_AT_ONCE)
        raise LineTooLongError(self.longest, printable(line[:_SHOWN_OF_LINE]))


def decode(stream: BinaryIO, longest: int = LONGEST_LINE) -> BoundedText:
    """Read a stream as text, by lines of at most ``longest`` characters.

    UTF-16 is recognised by its byte order mark. Everything else is read as UTF-8, with or without a byte order mark.
    A byte that is not UTF-8 becomes a lone surrogate, so that only the row with this byte is affected: see
    `undecodable`.
    """
    if not hasattr(stream, "peek"):
        stream = io.BufferedReader(cast(io.RawIOBase, stream))
    head = cast(io.BufferedReader, stream).peek(2)[:2]
    if head in (b"\xff\xfe", b"\xfe\xff"):
        return BoundedText(stream, "utf-16", "replace", longest)
    return BoundedText(stream, "utf-8-sig", "surrogateescape", longest)


def undecodable(text: str) -> str | None:
    """Say which byte of a decoded text was not UTF-8; ``None`` if all bytes were UTF-8."""
    bad = _ESCAPED_BYTE.search(text)
    return bad and f"byte 0x{ord(bad[0]) - 0xDC00:02x} at character {bad.start() + 1} is not UTF-8"


def printable(text: str) -> str:
    """Turn the undecodable bytes of a decoded text into U+FFFD, so that it can be written."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def place_of(path: Path) -> str:
    """Return the name of a file for messages, even if it is not UTF-8."""
    return os.fsencode(path).decode("utf-8", "replace")
