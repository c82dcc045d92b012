"""Output folders whose files are replaced all together or not at all.

Files are first written to a hidden staging folder inside the target. When all of them are on disk, one rename turns
the staging folder into the folder's *journal*. From then on the files in the journal are the folder's contents: they
are moved to their final names one by one, then the journal is removed. Readers look into the journal first
(:func:`current_path`). So they see either all old files or all new files, whenever a writer is killed. The next
writer finishes the moves. After any other failure (an error, a full disk, Ctrl-C) the old files are restored. Writers
of the same folder wait for each other if the system can lock folders.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from whywire.errors import OutputError

try:
    import fcntl
except ImportError:  # Windows has no locks on folders
    fcntl = None  # type: ignore[assignment]

_STAGING_PREFIX = ".whywire-draft-"
_JOURNAL = ".whywire-journal"
_BACKUP = ".before"
"""Folder in the journal that keeps the old files until all new ones have been moved."""

_CONTROL_CHARACTERS = re.compile(r"[\x7f-\x9f\u2028\u2029]")

_HINTS = {
    errno.ENOSPC: "free some space on the disk or choose another folder",
    errno.EDQUOT: "free some space in your quota or choose another folder",
    errno.EACCES: "choose a folder you may write to",
    errno.EPERM: "choose a folder you may write to",
    errno.EROFS: "choose a folder on a disk that can be written to",
    errno.ENOTDIR: "a part of the path is a file; choose another folder",
    errno.EEXIST: "the path is a file; choose another folder",
}


def json_text(value: object) -> str:
    """Render JSON in one line of valid UTF-8, with non-ASCII letters as they are.

    Lone surrogates, which UTF-8 cannot encode, and control characters, which a terminal would execute, are written as
    JSON escapes.

    Raises:
        ValueError: for NaN or infinity, which JSON cannot represent.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    text = _CONTROL_CHARACTERS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def current_path(folder: Path, name: str) -> Path:
    """Return the path of the current version of a file in an output folder.

    The file is still in the journal if the writer was killed before it could move the file to its final name.
    """
    journalled = folder / _JOURNAL / name
    return journalled if journalled.is_file() else folder / name


class OutputFolder:
    """A folder whose files are replaced all together or not at all.

    >>> with OutputFolder(path) as folder:  # doctest: +SKIP
    ...     folder.write("report.html", page)
    ...     folder.write_rows("events.jsonl", rows)

    Missing parents are created; files with other names are not touched. If an earlier writer was killed after it had
    written all files, its moves are finished; if it was killed before, its files are removed.

    Raises:
        OutputError: the folder cannot be created or written.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._staging: Path | None = None
        self._created: list[Path] = []
        self._lock = ExitStack()

    def __enter__(self) -> Self:
        with _as_output_errors(self.path):
            self._created = [folder for folder in (self.path, *self.path.parents) if not folder.exists()]
            try:
                self.path.mkdir(parents=True, exist_ok=True)
                with _locked(self.path):
                    _complete_journal(self.path)
                    _remove_abandoned(self.path)
                    self._staging = Path(tempfile.mkdtemp(prefix=_STAGING_PREFIX, dir=self.path))
                    self._lock.enter_context(_locked(self._staging))
            except BaseException:
                self._clean_up()
                raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                with _as_output_errors(self.path), _locked(self.path):
                    _complete_journal(self.path)
                    self._publish()
                self._created = []
        finally:
            self._clean_up()

    def write(self, name: str, content: str | bytes) -> None:
        """Write one file. It gets its final name when the ``with`` block ends without an error.

        Args:
            name: the file's name in the folder.
            content: text is written as UTF-8.
        """
        data = content.encode("utf-8") if isinstance(content, str) else content
        with _as_output_errors(self.path / name), (self._open_staging() / name).open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # a rename may reach the disk before the bytes it names

    @contextmanager
    def open(self, name: str) -> Iterator[TextIO]:
        """Open one file for writing as UTF-8; it gets its final name together with the others."""
        with (
            _as_output_errors(self.path / name),
            (self._open_staging() / name).open("w", encoding="utf-8", newline="\n") as file,
        ):
            yield file
            file.flush()
            os.fsync(file.fileno())

    def write_rows(self, name: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Write one file of JSON Lines."""
        self.write(name, "".join(json_text(row) + "\n" for row in rows))

    def _publish(self) -> None:
        """Turn the staging folder into the journal and move its files; roll back if a file cannot be moved."""
        staging = self._open_staging()
        names = _names(staging)
        for name in names:
            _check_replaceable(self.path / name)
        (staging / _BACKUP).mkdir()
        journal = staging.rename(self.path / _JOURNAL)
        try:
            _complete_journal(self.path)
        except BaseException:
            _roll_back(self.path, names)
            journal.rename(staging)
            raise

    def _open_staging(self) -> Path:
        if self._staging is None:
            raise RuntimeError("an OutputFolder can only be written to inside its with block")
        return self._staging

    def _clean_up(self) -> None:
        if self._staging is not None:
            shutil.rmtree(self._staging, ignore_errors=True)
            self._staging = None
        self._lock.close()
        for folder in self._created:  # innermost first; a folder that has files of others is kept
            with suppress(OSError):
                folder.rmdir()
        self._created = []


@contextmanager
def open_output(path: Path) -> Iterator[TextIO]:
    """Open one file for writing as UTF-8; it is replaced when the ``with`` block ends without an error.

    A pipe or a device is written to directly. If the path is a symbolic link, its target is written.

    Raises:
        OutputError: the file cannot be written.
    """
    with _as_output_errors(path):
        final = path.resolve() if path.is_symlink() else path.absolute()
    if path.exists() and not path.is_file() and not path.is_dir():
        with _as_output_errors(path), path.open("w", encoding="utf-8", newline="\n") as target:
            yield target
        return
    with OutputFolder(final.parent) as folder, folder.open(final.name) as target:
        yield target


def append_lines(path: Path, lines: str) -> None:
    """Append lines to a file, all or none; they are on disk when this function returns.

    If a killed process left an unfinished line, that line is ended first, so that the following lines can be read.

    Raises:
        OutputError: the file cannot be written.
    """
    with _as_output_errors(path), path.open("ab+", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        content = lines.encode()
        if size:
            file.seek(-1, os.SEEK_END)
            content = content if file.read(1) == b"\n" else b"\n" + content
        left = memoryview(content)
        try:
            while left:
                left = left[file.write(left) or 0 :]
            os.fsync(file.fileno())
        except OSError:
            file.truncate(size)
            raise


def _names(journal: Path) -> list[str]:
    return sorted(file.name for file in journal.iterdir() if file.name != _BACKUP)


def _complete_journal(folder: Path) -> None:
    """Move the files of the journal, if there is one, to their final names and remove it."""
    journal = folder / _JOURNAL
    if not journal.is_dir():
        return
    for name in _names(journal):
        _check_replaceable(folder / name)
        with _as_output_errors(folder / name):
            if os.path.lexists(folder / name) and not os.path.lexists(journal / _BACKUP / name):
                _back_up(folder / name, journal / _BACKUP / name)
            (journal / name).replace(folder / name)
    shutil.rmtree(journal)


def _check_replaceable(final: Path) -> None:
    """Raise ``OutputError`` if there is a folder, a pipe or a device of that name."""
    if os.path.lexists(final) and not (final.is_symlink() or final.is_file()):
        what = "folder" if final.is_dir() else "pipe or a device"
        raise OutputError(f"cannot be written: there is a {what} of this name", where=str(final), hint="move it")


def _roll_back(folder: Path, names: Iterable[str]) -> None:
    """Move the new files back into the journal and restore the old ones."""
    journal = folder / _JOURNAL
    for name in names:
        old = journal / _BACKUP / name
        if not os.path.lexists(journal / name):
            (_back_up if os.path.lexists(old) else os.replace)(folder / name, journal / name)
        if os.path.lexists(old):
            old.replace(folder / name)


def _back_up(final: Path, copy: Path) -> None:
    """Link a file to a second name; move it there if the file system has no hard links."""
    try:
        os.link(final, copy, follow_symlinks=False)
    except (OSError, NotImplementedError):
        final.replace(copy)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold an exclusive lock on a folder until the block or the process ends; do nothing on systems without locks."""
    descriptor = None
    if fcntl:
        with suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _remove_abandoned(folder: Path) -> None:
    """Remove staging folders that no writer has locked: their writers were killed."""
    for staging in folder.glob(f"{_STAGING_PREFIX}*"):
        if fcntl and staging.is_dir() and not staging.is_symlink():
            with suppress(OSError):
                descriptor = os.open(staging, os.O_RDONLY)
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(staging, ignore_errors=True)
                finally:
                    os.close(descriptor)


@contextmanager
def _as_output_errors(path: Path) -> Iterator[None]:
    """Raise ``OutputError`` in place of ``OSError``."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OutputError(
            f"cannot be written: {reason}", where=str(path), hint=_HINTS.get(error.errno or 0)
        ) from error
