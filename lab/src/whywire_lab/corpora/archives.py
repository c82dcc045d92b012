"""Downloaded archives (.zip, .tar, .tar.gz), checked as a whole before any member is read.

No name in an archive becomes a path: callers name the members they want, and the paths to write them to.
"""

from __future__ import annotations

import errno
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from lzma import LZMAError
from pathlib import Path, PureWindowsPath
from typing import IO, cast

from whywire.errors import InputError

Members = Mapping[str, Callable[[], IO[bytes]]]
"""The regular files of an archive: a function that opens each, by its name."""

MAX_UNPACKED = 1_000_000_000
"""Bytes that an archive may take unpacked: several times the largest corpus."""

ENCRYPTED = 0x1
"""The flag bit of a zip member that needs a password."""

_BROKEN = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    LZMAError,
    EOFError,
    NotImplementedError,  # a compression that zipfile does not know
)

_BROKEN_ERRNOS = (None, errno.EINVAL)
"""Error numbers of an ``OSError`` that mean a broken archive: bad compressed data, a negative offset."""


@contextmanager
def open_archive(path: Path, most: int = MAX_UNPACKED) -> Iterator[Members]:
    """The regular files of an archive; links and devices are passed over.

    Args:
        most: the bytes that all of them may take unpacked.

    Raises:
        InputError: the file is no archive, is broken (also if this shows only while a member is read), takes more,
            or has a name that points outside the folder it would be unpacked in.
    """
    try:
        if tarfile.is_tarfile(path):  # first: a tar that ends in a zip looks like a zip
            with tarfile.open(path) as tar:
                yield _checked(path, most, _tar_entries(tar))
        elif zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                yield _checked(path, most, _zip_entries(archive))
        else:
            raise InputError("this is no zip or tar archive", where=str(path))
    except (*_BROKEN, OSError) as error:
        if isinstance(error, OSError) and error.errno not in _BROKEN_ERRNOS:
            raise
        raise InputError(f"the archive is broken: {error}", where=str(path)) from error


def unpack(archive: Path, wanted: Mapping[str, Path], most: int = MAX_UNPACKED) -> None:
    """Write some members of an archive.

    Args:
        wanted: where each goes, by its name in the archive; the folders above it there may be left out.
        most: as in :func:`open_archive`.

    Raises:
        InputError: as in :func:`open_archive`, or a member is missing, or several go by one name. Then nothing is
            written, unless the archive turns out to be broken halfway.
    """
    with open_archive(archive, most) as members:
        found = {find_member(members, name, archive): target for name, target in wanted.items()}
        for name, target in found.items():
            with members[name]() as source, target.open("wb") as file:
                shutil.copyfileobj(source, file)


def find_member(members: Members, name: str, archive: Path) -> str:
    """The full name of the one member that goes by a name.

    Raises:
        InputError: there is none, or more than one.
    """
    found = [full for full in members if full == name or full.endswith(f"/{name}")]
    if len(found) != 1:
        several = f"{' and '.join(found[:2])} may both be {name}"
        raise InputError(several if found else f"there is no {name} in the archive", where=str(archive))
    return found[0]


Entry = tuple[str, int, Callable[[], IO[bytes]] | None]
"""Name, bytes and opener of what is in an archive; no opener where it is no regular file."""


def _tar_entries(tar: tarfile.TarFile) -> Iterator[Entry]:
    for info in tar:
        opener = partial(tar.extractfile, info) if info.isreg() else None
        yield info.name, info.size, cast(Callable[[], IO[bytes]] | None, opener)


def _zip_entries(archive: zipfile.ZipFile) -> Iterator[Entry]:
    for info in archive.infolist():
        if info.flag_bits & ENCRYPTED:
            raise zipfile.BadZipFile(f"{info.filename} needs a password")
        regular = not info.is_dir() and not stat.S_ISLNK(info.external_attr >> 16)
        yield info.filename, info.file_size, partial(archive.open, info) if regular else None


def _checked(path: Path, most: int, entries: Iterable[Entry]) -> Members:
    members, total = {}, 0
    for name, size, opener in entries:
        place = PureWindowsPath(name)  # which knows both kinds of slash, and drives
        if place.anchor or ".." in place.parts:
            raise InputError(f"the archive holds {name!r}, which leads out of its folder", where=str(path))
        total += size
        if total > most:
            raise InputError(f"the archive takes more than {most:,} bytes unpacked", where=str(path))
        if opener:
            members[name] = opener
    return members
