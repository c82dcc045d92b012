"""Writing a folder of files so that nothing half-written ever stands under a final name.

Everything is written into a hidden folder inside the target first. Only when all of it is there and
on the disk does each file move to its final name, in one step a file. When anything goes wrong on
the way (an error, a full disk, Ctrl-C) the hidden folder goes and the target is as it was.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from whywire.errors import OutputError

_HINTS = {
    errno.ENOSPC: "free some space on the disk or choose another folder",
    errno.EDQUOT: "free some space in your quota or choose another folder",
    errno.EACCES: "choose a folder you may write to",
    errno.EPERM: "choose a folder you may write to",
    errno.EROFS: "choose a folder on a disk that can be written to",
    errno.ENOTDIR: "a part of the path is a file; choose another folder",
    errno.EEXIST: "the path is a file; choose another folder",
    errno.EISDIR: "a folder stands where the file should go; move it or choose another folder",
}


def json_text(value: object) -> str:
    """Render JSON in one line, readable in any script and always valid UTF-8.

    A lone surrogate, which no encoding can carry, comes out as the JSON escape that stands for it.

    Raises:
        ValueError: for a number that JSON has no way to write (NaN, infinity).
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


class OutputFolder:
    """A folder whose files appear all together, or not at all.

    >>> with OutputFolder(path) as folder:  # doctest: +SKIP
    ...     folder.write("report.html", page)
    ...     folder.write_rows("events.jsonl", rows)

    The folder and its parents are made where they are missing. Files already there under other names
    are left alone.

    Raises:
        OutputError: when the folder cannot be made or written, with its path and what to do.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._draft: Path | None = None
        self._made: list[Path] = []

    def __enter__(self) -> Self:
        with _explained(self.path):
            self._made = [folder for folder in (self.path, *self.path.parents) if not folder.exists()]
            try:
                self.path.mkdir(parents=True, exist_ok=True)
                self._draft = Path(tempfile.mkdtemp(prefix=".whywire-", dir=self.path))
            except OSError:
                self._clear()
                raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
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
        with _explained(self.path / name), (self._open_draft() / name).open("w", encoding="utf-8") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())

    def write_rows(self, name: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Write one JSONL file, a row a line."""
        self.write(name, "".join(json_text(row) + "\n" for row in rows))

    def _publish(self) -> None:
        """Move every file to its final name; put back what stood there if one of them cannot be moved."""
        draft = self._open_draft()
        names = sorted(file.name for file in draft.iterdir())
        before = draft / ".before"
        with _explained(self.path):
            before.mkdir()
        try:
            for name in names:
                with _explained(self.path / name):
                    if (self.path / name).is_file():
                        _keep(self.path / name, before / name)
                    (draft / name).replace(self.path / name)
        except BaseException:
            for name in names:
                if (before / name).exists():
                    (before / name).replace(self.path / name)
                elif not (draft / name).exists():
                    (self.path / name).unlink()
            raise

    def _open_draft(self) -> Path:
        if self._draft is None:
            raise RuntimeError("an OutputFolder is written to inside its with block")
        return self._draft

    def _clear(self) -> None:
        if self._draft is not None:
            shutil.rmtree(self._draft, ignore_errors=True)
            self._draft = None
        for folder in self._made:  # innermost first; one that someone else has put files in stays
            with suppress(OSError):
                folder.rmdir()
        self._made = []


def _keep(final: Path, copy: Path) -> None:
    """Keep the old file within reach, without a moment in which its name is missing if the disk allows."""
    try:
        copy.hardlink_to(final)
    except OSError:
        final.replace(copy)


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
