"""Text files as they come: compressed or not, in UTF-8 or UTF-16, with bytes that are neither."""

from __future__ import annotations

import gzip
import io
import os
import re
from pathlib import Path
from typing import BinaryIO, cast

from whywire.errors import InputError

_ESCAPED_BYTE = re.compile(r"[\udc80-\udcff]")


def open_bytes(path: Path) -> BinaryIO:
    """Open a file for reading, unpacked where its name ends in ``.gz``.

    Raises:
        InputError: it cannot be opened.
    """
    try:
        return cast(BinaryIO, gzip.open(path, "rb")) if path.suffix.lower() == ".gz" else path.open("rb")
    except OSError as error:
        raise InputError(f"cannot be opened: {error.strerror}", where=place_of(path)) from error


def decode(stream: BinaryIO) -> io.TextIOWrapper:
    """Read a stream as text, by lines.

    UTF-16 is known by its byte order mark; everything else is UTF-8, with or without one. A byte that is not
    UTF-8 stays in the text as a lone surrogate, so that it spoils only its own row: see `undecodable`.
    """
    if not hasattr(stream, "peek"):
        stream = io.BufferedReader(cast(io.RawIOBase, stream))
    head = cast(io.BufferedReader, stream).peek(2)[:2]
    if head in (b"\xff\xfe", b"\xfe\xff"):
        return io.TextIOWrapper(stream, "utf-16", errors="replace", newline="")
    return io.TextIOWrapper(stream, "utf-8-sig", errors="surrogateescape", newline="")


def undecodable(text: str) -> str | None:
    """Say which byte of a decoded text was not UTF-8; ``None`` where all were."""
    found = _ESCAPED_BYTE.search(text)
    if found is None:
        return None
    return f"byte 0x{ord(found[0]) - 0xDC00:02x} at character {found.start() + 1} is not UTF-8"


def printable(text: str) -> str:
    """Turn the undecodable bytes of a decoded text into U+FFFD, so that it can be written out."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def place_of(path: Path) -> str:
    """Name a file in messages, even one whose name is not UTF-8."""
    return os.fsencode(path).decode("utf-8", "replace")
