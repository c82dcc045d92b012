"""A file to which articles are appended as JSON lines."""

from __future__ import annotations

import os
from pathlib import Path

from whywire.errors import OutputError
from whywire.news import Article, to_row
from whywire.output import json_text


class ArticleLines:
    """Appends articles to a file, whole lines only. They are on disk when a call returns.

    Rows of new versions of articles that were written before have ``"new_version": true``.

    The file is opened anew for each call, so it may be moved away meanwhile, as a rotation does. A line that a killed
    process left unfinished is ended first, so that it spoils no other.

    Raises:
        OutputError: the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self([])

    def __call__(self, articles: list[Article], *, new_version: bool = False) -> None:
        """Append articles, all or none of them."""
        try:
            self._append(article_lines(articles, new_version=new_version).encode())
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise OutputError(f"cannot be written: {reason}", where=str(self._path)) from error

    def _append(self, content: bytes) -> None:
        with self._path.open("ab+", buffering=0) as file:
            size = file.seek(0, os.SEEK_END)
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


def article_lines(articles: list[Article], *, new_version: bool = False) -> str:
    """Articles as rows of JSON, each with its line feed."""
    mark = {"new_version": True} if new_version else {}
    return "".join(f"{json_text(to_row(article) | mark)}\n" for article in articles)
