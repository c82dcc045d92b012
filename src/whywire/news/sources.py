"""Where news comes from: files of several kinds, folders of them, and standard input."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from whywire.errors import InputError
from whywire.news.article import Article
from whywire.news.article_rows import SourceRow, read_row
from whywire.news.csv_files import read_csv
from whywire.news.json_files import read_json, read_json_lines
from whywire.news.parquet_files import read_parquet
from whywire.news.problems import Problem
from whywire.news.text_files import LONGEST_LINE, BoundedText, decode, open_bytes, place_of
from whywire.news.warc_files import read_warc

STANDARD_INPUT = "-"

_TextReader = Callable[[BoundedText, str], Iterator[SourceRow | Problem]]

_TEXT_READERS: dict[str, _TextReader] = {
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
    ".json": read_json,
    ".csv": read_csv,
    ".tsv": read_csv,
}
_PARQUET, _WARC = ".parquet", ".warc"
_KINDS = f"{', '.join([*_TEXT_READERS, _WARC])}, each also with .gz, and {_PARQUET}"


def read_news(
    paths: Sequence[Path | str] | Path | str, *, longest_line: int = LONGEST_LINE
) -> Iterator[Article | Problem]:
    """Read articles, and what was wrong on the way, in order.

    Args:
        paths: files (JSON Lines, a JSON list, CSV or TSV with a header row, Parquet, WARC; text files and WARC
            also packed with gzip), folders, searched through in the order of their files' names without hidden
            ones, and JSON Lines from a pipe that has a name (such as the shell's ``<(…)``) or, by ``-``, standard
            input.
        longest_line: characters that a line, or a value of a JSON list, may have; a longer one is a problem.

    Returns:
        Articles as read, duplicates included, and among them the problems; one with ``kept`` comes right
        after the article it is about.

    Raises:
        InputError: at once where a path is not there, is of an unknown kind or a folder without news; while
            reading where a file cannot be opened.
        MissingExtraError: while reading, a Parquet file without pyarrow, or a WARC file without the extra *feeds*.
    """
    given = [paths] if isinstance(paths, Path | str) else paths
    rows = [_rows_of(path, longest_line) for path in given]
    return (found for source in rows for row in source for found in _articles(row))


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


def _rows_of(given: Path | str, longest: int) -> Iterator[SourceRow | Problem]:
    if given == STANDARD_INPUT:
        return _text_rows(lambda: nullcontext(sys.stdin.buffer), "standard input", read_json_lines, longest)
    path = Path(given)
    if path.is_dir():
        return _folder_rows(path, longest)
    if not path.exists():
        raise InputError("no such file or folder", where=place_of(path))
    if not path.is_file():  # a pipe or a device, whose name says nothing
        return _text_rows(lambda: open_bytes(path), place_of(path), read_json_lines, longest)
    if not _is_news(path):
        raise InputError("not a kind of file news is read from", where=place_of(path), hint=f"known are {_KINDS}")
    return _file_rows(path, longest)


def _folder_rows(folder: Path, longest: int) -> Iterator[SourceRow | Problem]:
    visible = (path for path in folder.rglob("*") if not _is_hidden(path.relative_to(folder)))
    files = sorted(path for path in visible if path.is_file())
    if not any(_is_news(path) for path in files):
        raise InputError("a folder without news", where=place_of(folder), hint=f"known are {_KINDS}")
    return (row for path in files for row in _file_rows(path, longest))


def _file_rows(path: Path, longest: int) -> Iterator[SourceRow | Problem]:
    kind = _kind(path)
    if kind == _PARQUET:
        return read_parquet(path)
    if kind == _WARC:
        return read_warc(path)
    if kind in _TEXT_READERS:
        return _text_rows(lambda: open_bytes(path), place_of(path), _TEXT_READERS[kind], longest)
    return iter([Problem(place_of(path), "not a kind of file news is read from")])


def _text_rows(
    opened: Callable[[], AbstractContextManager[BinaryIO]], name: str, reader: _TextReader, longest: int
) -> Iterator[SourceRow | Problem]:
    """Read a text file up to its end, or to where it is damaged."""
    place = name
    with opened() as stream:
        try:
            text = decode(stream, longest)
            for row in reader(text, name):
                place = row.place
                yield row
            text.detach()  # else standard input would be closed with it
        except (OSError, EOFError, zlib.error) as error:
            yield Problem(place, f"damaged after this: {error}")


def _is_news(path: Path) -> bool:
    return _kind(path) in (*_TEXT_READERS, _PARQUET, _WARC)


def _kind(path: Path) -> str:
    name = path.name.lower()
    suffix = Path(name.removesuffix(".gz")).suffix
    return "" if suffix == _PARQUET and name.endswith(".gz") else suffix


def _is_hidden(relative: Path) -> bool:
    return any(part.startswith(".") for part in relative.parts)
