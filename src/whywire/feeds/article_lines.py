"""A file to which articles are appended as JSON lines."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Self

from whywire.errors import OutputError
from whywire.news import Article, to_row
from whywire.output import json_text


class ArticleLines:
    """Appends articles to a file, whole lines only. They are on disk when a call returns.

    A line that a killed process left unfinished is ended first, so that it spoils no other.

    Raises:
        OutputError: the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._file = path.open("ab+", buffering=0)
            if self._file.seek(0, os.SEEK_END):
                self._file.seek(-1, os.SEEK_END)
                if self._file.read(1) != b"\n":
                    self._append(b"\n")
        except OSError as error:
            raise self._failed(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def __call__(self, articles: list[Article]) -> None:
        """Append articles, all or none of them."""
        try:
            self._append(article_lines(articles).encode())
        except OSError as error:
            raise self._failed(error) from error

    def _append(self, content: bytes) -> None:
        size = self._file.seek(0, os.SEEK_END)
        try:
            left = memoryview(content)
            while left:
                left = left[self._file.write(left) or 0 :]
            os.fsync(self._file.fileno())
        except OSError:
            self._file.truncate(size)
            raise

    def _failed(self, error: OSError) -> OutputError:
        return OutputError(f"cannot be written: {(error.strerror or str(error)).lower()}", where=str(self._path))


def article_lines(articles: list[Article]) -> str:
    """Articles as rows of JSON, each with its line feed."""
    return "".join(f"{json_text(to_row(article))}\n" for article in articles)
