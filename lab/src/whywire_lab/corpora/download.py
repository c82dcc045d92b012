"""Downloads published corpora into the files that the readers expect.

A file appears whole or not at all; only http and https are followed; nothing larger than expected is kept.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from whywire.errors import InputError, OutputError, WhywireError
from whywire.output import json_text
from whywire_lab.corpora.archives import open_archive, unpack
from whywire_lab.corpora.catalogue import Corpus, Download

Progress = Callable[[str, int], Callable[[int], object]]
"""Called with a file's name and size in bytes (0 if unknown); returns a function to call with the bytes just read."""

MAX_BYTES = 300_000_000
"""Bytes of one download at most: ten times the largest corpus."""

TIMEOUT = 60.0
"""Seconds to wait for a server's next bytes."""

CHUNK = 1 << 16
"""Bytes read at a time."""


class DownloadError(WhywireError):
    """A file that cannot be downloaded: there is no connection, no such file, or another content than expected."""


def get(corpus: Corpus, data: Path, *, force: bool = False, progress: Progress | None = None) -> tuple[str, ...]:
    """Download a corpus's files to where the readers expect them; files that are there stay.

    Args:
        data: the folder of all corpora.
        force: fetch everything again.

    Returns:
        The paths, under ``data``, of the files that were written.

    Raises:
        InputError: the corpus can only be downloaded by hand.
        DownloadError: a file cannot be downloaded, or has another content; files downloaded before it stay.
        OutputError: a file cannot be written.
    """
    if not corpus.downloads:
        raise InputError(f"{corpus.name} cannot be fetched", where=corpus.page, hint=corpus.note)
    folder = data / corpus.folder
    written: list[str] = []
    for download in corpus.downloads:
        wanted = [file for file in download.files if force or not (folder / file).is_file()]
        if wanted:
            try:
                _get(download, wanted, folder, progress)
            except (DownloadError, InputError) as error:
                raise _explained_to_a_person(error, corpus, download, folder) from error
            written += (f"{corpus.folder}/{file}" for file in wanted)
    return tuple(written)


def fetch(
    address: str,
    path: Path,
    *,
    sha256: str | None = None,
    most: int = MAX_BYTES,
    silence: float = TIMEOUT,
    progress: Progress | None = None,
) -> None:
    """Download an address into a file, whole or not at all.

    Args:
        address: http or https.
        sha256: the SHA-256 of the content, in hexadecimal.
        most: bytes at most.
        silence: seconds to wait for the next bytes.

    Raises:
        InputError: the address is not http or https.
        DownloadError: the server cannot be reached, refuses, breaks off, redirects to another kind of address, or
            sends more or something else than expected.
        OutputError: the file cannot be written.
    """
    if not _is_web(address):
        raise InputError("this is not a web address", where=address, hint="it must start with https:// or http://")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    digest = hashlib.sha256()
    with _writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with part.open("wb") as file:
                for chunk in _chunks(address, most, silence, progress):
                    digest.update(chunk)
                    file.write(chunk)
            if sha256 and digest.hexdigest() != sha256.lower():
                raise DownloadError(
                    f"this is not what was published: its SHA-256 is {digest.hexdigest()}", where=address
                )
            part.replace(path)
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)


def _get(download: Download, wanted: Sequence[str], folder: Path, progress: Progress | None) -> None:
    if not download.members and not download.rows:
        fetch(download.address, folder / wanted[0], sha256=download.sha256, progress=progress)
        return
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".whywire-", dir=folder) as draft:
            archive = Path(draft) / _name_in(download.address)
            fetch(download.address, archive, sha256=download.sha256, progress=progress)
            parts = {file: Path(draft) / f"{number}.part" for number, file in enumerate(download.files)}
            if download.rows:
                with open_archive(archive) as members, parts[download.files[0]].open("wb") as file:
                    file.writelines(f"{json_text(row)}\n".encode() for row in download.rows(members))
            else:
                unpack(archive, dict(zip(download.members, parts.values(), strict=True)))
            for name in wanted:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                parts[name].replace(folder / name)


def _explained_to_a_person(error: WhywireError, corpus: Corpus, download: Download, folder: Path) -> DownloadError:
    inside = isinstance(error, InputError) and error.where  # an archive, or a place in it
    message = f"{Path(inside).name}: {error.message}" if inside else error.message
    hint = f"try again later, or get it by hand from {corpus.page}"
    if not download.rows:
        hint += f" and put {', '.join(download.files)} into {folder}"
    return DownloadError(message, where=download.address, hint=hint)


def _chunks(address: str, most: int, silence: float, progress: Progress | None) -> Iterator[bytes]:
    """The content of an address in chunks; raises :class:`DownloadError` if it is broken off or too large."""
    request = Request(address, headers={"User-Agent": "whywire"})  # noqa: S310 - the scheme was checked
    try:
        with build_opener(_WebOnly).open(request, timeout=silence) as response:
            announced = response.headers.get("Content-Length") or ""
            expected = int(announced) if announced.isdecimal() else 0
            if expected > most:
                raise DownloadError(f"it has {expected:,} bytes, more than the {most:,} allowed", where=address)
            advance = progress(_name_in(address), expected) if progress else None
            total = 0
            while chunk := response.read(CHUNK):
                total += len(chunk)
                if total > most:
                    raise DownloadError(f"it has more than the {most:,} bytes allowed", where=address)
                yield chunk
                if advance:
                    advance(len(chunk))
            if total < expected:
                raise DownloadError(f"the server broke off after {total:,} of {expected:,} bytes", where=address)
    except HTTPError as error:
        with error:
            raise DownloadError(f"the server answers {error.code} {error.reason}", where=address) from error
    except (OSError, HTTPException, ValueError) as error:  # ValueError: a redirect that cannot be parsed
        reason = error.reason if isinstance(error, URLError) else error
        silent = f"no answer within {silence:g} seconds"
        said = f"cannot be reached or broke off: {reason or type(error).__name__}"
        raise DownloadError(silent if isinstance(reason, TimeoutError) else said, where=address) from error


class _WebOnly(HTTPRedirectHandler):
    """Follows redirects to http and https only, and none from https to http."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        if not _is_web(newurl) or (req.type == "https" and urlsplit(newurl).scheme != "https"):
            raise HTTPError(req.full_url, code, f"{msg}, and sends us to {newurl}", headers, fp)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _name_in(address: str) -> str:
    return urlsplit(address).path.rsplit("/", 1)[-1] or "download"


def _is_web(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Raise :class:`OutputError` for an ``OSError`` on writing."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"cannot be written: {(error.strerror or str(error)).lower()}", where=str(path)) from error
