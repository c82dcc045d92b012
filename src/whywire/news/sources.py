"""Reading news from files of several kinds, folders of them, and standard input."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import islice
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


def _read_warc(path: Path, skip: int) -> Rows:
    """Read a WARC file; what reads web pages is imported only for them."""
    from whywire.news.warc_files import read_warc

    return read_warc(path, skip)


_BINARY_READERS: dict[str, Callable[[Path, int], Rows]] = {
    ".warc": _read_warc,
    ".parquet": lambda path, skip: islice(read_parquet(path), skip, None),
}
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
    files = list_files(paths)
    rows = (row for file in files for row in read_rows(file, longest_line=longest_line))
    return (item for row in rows for item in read_items(row))


def list_files(paths: Sequence[Path | str] | Path | str) -> list[Path | str]:
    """The files that :func:`read_news` reads, in its order; ``-`` stands for standard input.

    Raises:
        InputError: a path does not exist, is of an unknown kind or is a folder without news.
    """
    given = [paths] if isinstance(paths, Path | str) else paths
    return [file for path in given for file in _files_of(path)]


def read_rows(file: Path | str, *, skip: int = 0, longest_line: int = LONGEST_LINE) -> Rows:
    """Read the unchecked rows of one file, and problems among them; one row is in memory at a time, or one batch.

    A file that stays the same gives the same rows and problems in the same order.

    Args:
        file: one of :func:`list_files`.
        skip: the number of rows and problems at the beginning that are left out.

    Raises:
        InputError: the file cannot be opened (raised while reading).
        MissingExtraError: as by :func:`read_news`.
    """
    if file == STANDARD_INPUT:
        rows = _text_rows(lambda: nullcontext(sys.stdin.buffer), "standard input", read_json_lines, longest_line)
        return islice(rows, skip, None)
    path = Path(file)
    kind = _kind(path) if path.is_file() else ".jsonl"  # the name of a pipe or a device does not show its kind
    if kind in _BINARY_READERS:
        return _BINARY_READERS[kind](path, skip)
    if kind in _TEXT_READERS:
        rows = _text_rows(lambda: open_bytes(path), place_of(path), _TEXT_READERS[kind], longest_line)
        return islice(rows, skip, None)
    return islice([Problem(place_of(path), _NOT_NEWS)], skip, None)


def read_items(row: SourceRow | Problem) -> Iterator[Article | Problem]:
    """The article of a row, then notes on it; a problem if the row is none."""
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


def _files_of(given: Path | str) -> list[Path | str]:
    if given == STANDARD_INPUT:
        return [given]
    path = Path(given)
    if path.is_dir():
        visible = (
            file for file in path.rglob("*") if not any(part.startswith(".") for part in file.relative_to(path).parts)
        )
        files = sorted(file for file in visible if file.is_file())
        if not any(map(_is_news, files)):
            raise InputError("a folder without news", where=place_of(path), hint=_KNOWN)
        return [*files]
    if not path.exists():
        raise InputError("no such file or folder", where=place_of(path))
    if path.is_file() and not _is_news(path):
        raise InputError(_NOT_NEWS, where=place_of(path), hint=_KNOWN)
    return [path]


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
