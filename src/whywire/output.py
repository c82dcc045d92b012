"""Output folders whose files are replaced all together or not at all.

Files are first written to a hidden staging folder inside the target. When all of them are on disk, one rename turns
the staging folder into the folder's *journal*. From then on the files in the journal are the folder's contents:
they are moved to their final names one by one, then the journal is removed. Readers look into the journal first
(:func:`current_path`), so wherever a writer is killed they see either all old files or all new ones; the next writer
finishes the moves. After any other failure (an error, a full disk, Ctrl-C) the old files are restored.

The worse error is a mixture of old and new files, so nothing is moved until everything is written. Writers of one
folder wait for each other where the system can lock folders.
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

_DRAFT = ".whywire-draft-"
_JOURNAL = ".whywire-journal"
_BEFORE = ".before"
"""In a journal: the files that stood there before, until all new ones stand."""

_TERMINAL_OBEYS = re.compile(r"[\x7f-\x9f\u2028\u2029]")

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
    """Render JSON in one line, readable in any script and always valid UTF-8.

    Lone surrogates, which no encoding can carry, and control characters, which a terminal obeys, come out as JSON
    escapes.

    Raises:
        ValueError: for a number that JSON has no way to write (NaN, infinity).
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    text = _TERMINAL_OBEYS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def current_path(folder: Path, name: str) -> Path:
    """Where to read a file of an output folder: in the journal, if its writer was stopped before the last move."""
    journalled = folder / _JOURNAL / name
    return journalled if journalled.is_file() else folder / name


class OutputFolder:
    """A folder whose files appear all together, or not at all.

    >>> with OutputFolder(path) as folder:  # doctest: +SKIP
    ...     folder.write("report.html", page)
    ...     folder.write_rows("events.jsonl", rows)

    The folder and its parents are made where they are missing. Files already there under other names are left alone.
    What an earlier writer that was killed left behind is finished, if all of it was written, or else removed.

    Raises:
        OutputError: when the folder cannot be made or written, with its path and what to do.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._draft: Path | None = None
        self._made: list[Path] = []
        self._held = ExitStack()

    def __enter__(self) -> Self:
        with _explained(self.path):
            self._made = [folder for folder in (self.path, *self.path.parents) if not folder.exists()]
            try:
                self.path.mkdir(parents=True, exist_ok=True)
                with _locked(self.path):
                    _finish(self.path)
                    _remove_orphans(self.path)
                    self._draft = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=self.path))
                    self._held.enter_context(_locked(self._draft))
            except BaseException:
                self._clear()
                raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                with _explained(self.path), _locked(self.path):
                    _finish(self.path)
                    self._publish()
                self._made = []
        finally:
            self._clear()

    def write(self, name: str, content: str | bytes) -> None:
        """Write one file; it takes its final name when the ``with`` block ends without an error.

        Args:
            name: the file's name in the folder.
            content: text is written as UTF-8.
        """
        data = content.encode("utf-8") if isinstance(content, str) else content
        with _explained(self.path / name), (self._open_draft() / name).open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # a rename may reach the disk before the bytes it names

    @contextmanager
    def open(self, name: str) -> Iterator[TextIO]:
        """Open one file to be written bit by bit, as UTF-8; it takes its final name like the others."""
        with (
            _explained(self.path / name),
            (self._open_draft() / name).open("w", encoding="utf-8", newline="\n") as file,
        ):
            yield file
            file.flush()
            os.fsync(file.fileno())

    def write_rows(self, name: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Write one JSONL file, a row a line."""
        self.write(name, "".join(json_text(row) + "\n" for row in rows))

    def _publish(self) -> None:
        """Make the draft the journal and move its files to their final names; undo it if one cannot be moved."""
        draft = self._open_draft()
        names = _names(draft)
        for name in names:
            _refuse_to_replace(self.path / name)
        (draft / _BEFORE).mkdir()
        journal = draft.rename(self.path / _JOURNAL)
        try:
            _finish(self.path)
        except BaseException:
            _undo(self.path, names)
            journal.rename(draft)
            raise

    def _open_draft(self) -> Path:
        if self._draft is None:
            raise RuntimeError("an OutputFolder is written to inside its with block")
        return self._draft

    def _clear(self) -> None:
        if self._draft is not None:
            shutil.rmtree(self._draft, ignore_errors=True)
            self._draft = None
        self._held.close()
        for folder in self._made:  # innermost first; one that someone else has put files in stays
            with suppress(OSError):
                folder.rmdir()
        self._made = []


@contextmanager
def open_output(path: Path) -> Iterator[TextIO]:
    """Open one file to be written, as UTF-8: it takes its name when all of it is there, or stays as it was.

    A pipe or a device is written to as it stands. A symbolic link stays, and the file that it names is written.

    Raises:
        OutputError: it cannot be written.
    """
    with _explained(path):
        final = path.resolve() if path.is_symlink() else path.absolute()
    if path.exists() and not path.is_file() and not path.is_dir():
        with _explained(path), path.open("w", encoding="utf-8", newline="\n") as target:
            yield target
        return
    with OutputFolder(final.parent) as folder, folder.open(final.name) as target:
        yield target


def _names(journal: Path) -> list[str]:
    return sorted(file.name for file in journal.iterdir() if file.name != _BEFORE)


def _finish(folder: Path) -> None:
    """Move the files of a journal to their final names, if there is one, and remove it."""
    journal = folder / _JOURNAL
    if not journal.is_dir():
        return
    for name in _names(journal):
        _refuse_to_replace(folder / name)
        with _explained(folder / name):
            if os.path.lexists(folder / name) and not os.path.lexists(journal / _BEFORE / name):
                _keep(folder / name, journal / _BEFORE / name)
            (journal / name).replace(folder / name)
    shutil.rmtree(journal)


def _refuse_to_replace(final: Path) -> None:
    """Raise where something stands that a file must not take the place of."""
    if os.path.lexists(final) and not (final.is_symlink() or final.is_file()):
        what = "folder" if final.is_dir() else "pipe or a device"
        raise OutputError(
            f"cannot be written: a {what} stands where the file should go", where=str(final), hint="move it"
        )


def _undo(folder: Path, names: Iterable[str]) -> None:
    """Bring back what stood in the folder, and the new files into the journal, where readers see them until then."""
    journal = folder / _JOURNAL
    for name in names:
        old = journal / _BEFORE / name
        if not os.path.lexists(journal / name):
            (_keep if os.path.lexists(old) else os.replace)(folder / name, journal / name)
        if os.path.lexists(old):
            old.replace(folder / name)


def _keep(final: Path, copy: Path) -> None:
    """Keep a file, or a symbolic link, under another name as well; without hard links under that name alone."""
    try:
        os.link(final, copy, follow_symlinks=False)
    except (OSError, NotImplementedError):
        final.replace(copy)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold a folder's lock; it goes with the process. Where there are no locks, nothing is held."""
    held = None
    if fcntl:
        with suppress(OSError):
            held = os.open(folder, os.O_RDONLY)
            fcntl.flock(held, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if held is not None:
            os.close(held)


def _remove_orphans(folder: Path) -> None:
    """Remove the drafts whose writers are gone; without locks nobody can tell."""
    for draft in folder.glob(f"{_DRAFT}*"):
        if fcntl and draft.is_dir() and not draft.is_symlink():
            with suppress(OSError):
                held = os.open(draft, os.O_RDONLY)
                try:
                    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(draft, ignore_errors=True)
                finally:
                    os.close(held)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn the system's errors into ours."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OutputError(
            f"cannot be written: {reason}", where=str(path), hint=_HINTS.get(error.errno or 0)
        ) from error
