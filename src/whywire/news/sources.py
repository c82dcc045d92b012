"""Reading news from files of several kinds, folders of them, and standard input."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from whywire.errors import InputError
from whywire.news.article import Article, Problem
from whywire.news.article_rows import read_row
from whywire.news.row_files import SourceRow, read_csv, read_json, read_json_lines, read_parquet
from whywire.news.text_files import LONGEST_LINE, BoundedText, decode, open_bytes, place_of

STANDARD_INPUT = "-"

Rows = Iterator[SourceRow | Problem]

_TEXT_READERS: dict[str, Callable[[BoundedText, str], Rows]] = {
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
    ".json": read_json,
    ".csv": read_csv,
    ".tsv": read_csv,
}


def _read_warc(path: Path) -> Rows:
    """Read a WARC file; what reads web pages is imported only for them."""
    from whywire.news.warc_files import read_warc

    return read_warc(path)


_BINARY_READERS: dict[str, Callable[[Path], Rows]] = {".warc": _read_warc, ".parquet": read_parquet}
_NOT_NEWS = "not a kind of file news is read from"
_KNOWN = f"known are {', '.join(_TEXT_READERS)}, .warc, each also with .gz, and .parquet"


def read_news(
    paths: Sequence[Path | str] | Path | str, *, longest_line: int = LONGEST_LINE
) -> Iterator[Article | Problem]:
    """Read articles and problems, in order.

    Args:
        paths: files (JSON Lines, a JSON list, CSV or TSV with a header row, Parquet, WARC; text files and WARC
            also packed with gzip); folders, of which all files but hidden ones are read in the order of their names;
            named pipes with JSON Lines (such as the shell's ``<(…)``); or ``-`` for JSON Lines from standard input.
        longest_line: the most characters of a line or of a value in a JSON list; a longer line or value is a problem.

    Returns:
        Articles as read, duplicates included, and the problems among them; a problem with ``kept`` follows the
        article that it is about.

    Raises:
        InputError: a path does not exist, is of an unknown kind or is a folder without news (raised at once); or a
            file cannot be opened (raised while reading).
        MissingExtraError: pyarrow is missing for a Parquet file, or the extra *feeds* for a WARC file (raised while
            reading).
    """
    given = [paths] if isinstance(paths, Path | str) else paths
    sources = [_rows_of(path, longest_line) for path in given]
    return (item for rows in sources for row in rows for item in _articles(row))


def _articles(row: SourceRow | Problem) -> Iterator[Article | Problem]:
    if isinstance(row, Problem):
        yield row
        return
    try:
        article, notes = read_row(row.value)
    except InputError as error:
        yield Problem(row.place, error.message, row=row.value)
        return
    yield replace(article, place=row.place)
    yield from (Problem(row.place, note, kept=True) for note in notes)


def _rows_of(given: Path | str, longest: int) -> Rows:
    if given == STANDARD_INPUT:
        return _text_rows(lambda: nullcontext(sys.stdin.buffer), "standard input", read_json_lines, longest)
    path = Path(given)
    if path.is_dir():
        visible = (
            file for file in path.rglob("*") if not any(part.startswith(".") for part in file.relative_to(path).parts)
        )
        files = sorted(file for file in visible if file.is_file())
        if not any(map(_is_news, files)):
            raise InputError("a folder without news", where=place_of(path), hint=_KNOWN)
        return (row for file in files for row in _file_rows(file, longest))
    if not path.exists():
        raise InputError("no such file or folder", where=place_of(path))
    if not path.is_file():  # a pipe or a device, whose name does not show its kind
        return _text_rows(lambda: open_bytes(path), place_of(path), read_json_lines, longest)
    if not _is_news(path):
        raise InputError(_NOT_NEWS, where=place_of(path), hint=_KNOWN)
    return _file_rows(path, longest)


def _file_rows(path: Path, longest: int) -> Rows:
    kind = _kind(path)
    if kind in _BINARY_READERS:
        return _BINARY_READERS[kind](path)
    if kind in _TEXT_READERS:
        return _text_rows(lambda: open_bytes(path), place_of(path), _TEXT_READERS[kind], longest)
    return iter([Problem(place_of(path), _NOT_NEWS)])


def _text_rows(
    opened: Callable[[], AbstractContextManager[BinaryIO]],
    name: str,
    reader: Callable[[BoundedText, str], Rows],
    longest: int,
) -> Rows:
    """Read a text file up to its end, or up to the first damage."""
    place = name
    with opened() as stream:
        try:
            text = decode(stream, longest)
            for row in reader(text, name):
                place = row.place
                yield row
            text.detach()  # otherwise standard input would be closed
        except (OSError, EOFError, zlib.error) as error:
            yield Problem(place, f"damaged after this: {error}")


def _is_news(path: Path) -> bool:
    return _kind(path) in {**_TEXT_READERS, **_BINARY_READERS}


def _kind(path: Path) -> str:
    """Return the suffix of a file without ``.gz``; empty for a gzipped Parquet file, which nobody writes."""
    name = path.name.lower()
    suffix = Path(name.removesuffix(".gz")).suffix
    return "" if suffix == ".parquet" and name.endswith(".gz") else suffix
