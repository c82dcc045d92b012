"""The supported file formats by name, with their readers and writers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from whywire.errors import InputError
from whywire.news import Problem
from whywire.news.sources import STANDARD_INPUT
from whywire.news.text_files import decode, open_bytes, undecodable
from whywire.output import open_output
from whywire_lab.exchange.annotated_sentences import AnnotatedSentence, Annotations
from whywire_lab.exchange.bio import from_bio, to_bio
from whywire_lab.exchange.brat import read_brat, write_brat
from whywire_lab.exchange.cnc_csv import from_cnc_csv, to_cnc_csv
from whywire_lab.exchange.jsonl import from_jsonl, to_jsonl
from whywire_lab.exchange.squad import to_squad
from whywire_lab.exchange.webanno import read_webanno, write_webanno

Sentences = Iterable[AnnotatedSentence]


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A file format.

    Args:
        endings: file name endings that identify the format.
        read: reads a path; ``None`` if the format can only be written.
        write: writes to a path.
    """

    endings: tuple[str, ...]
    read: Callable[[str], Annotations] | None
    write: Callable[[Sentences, str], None]


def read_annotations(path: str, format_name: str | None = None) -> Annotations:
    """Read annotated sentences.

    Args:
        path: a file or, for brat, a folder; ``-`` is standard input, for formats of one text file.
        format_name: a key of ``FORMATS``; by default detected from the path.

    Raises:
        InputError: the file is not in that format, or the format cannot be read.
    """
    name = format_name or detect_format(path)
    reader = _format(name).read
    if reader is None:
        raise InputError(f"{name} holds questions, not relations: it can be written, not read", where=path)
    return reader(path)


def write_annotations(sentences: Sentences, path: str, format_name: str | None = None) -> None:
    """Write annotated sentences; if one of them cannot be written, none is.

    Args:
        path: a file or, for brat, a folder; ``-`` is standard output, for formats of one text file.
        format_name: a key of ``FORMATS``; by default detected from the path.

    Raises:
        InputError: a sentence cannot be represented in the format.
        OutputError: the path cannot be written.
    """
    _format(format_name or detect_format(path)).write(sentences, path)


def convert(
    source: str | Path,
    target: str | Path,
    from_format: str | None = None,
    to_format: str | None = None,
    *,
    strict: bool = False,
    on_problem: Callable[[Problem], object] | None = None,
) -> Annotations:
    """Convert annotated sentences from one tool's files to another's.

    >>> convert("read.jsonl", "brat/")

    Args:
        source: as for :func:`read_annotations`.
        target: as for :func:`write_annotations`.
        strict: write nothing when anything cannot be read.
        on_problem: called with each thing that cannot be read, before anything is written.

    Returns:
        What was read, with its problems.

    Raises:
        InputError: nothing could be read, or with ``strict`` something could not; or the format cannot hold a
            sentence.
        OutputError: the target cannot be written.
    """
    read = read_annotations(str(source), from_format)
    if on_problem:
        for problem in read.problems:
            on_problem(problem)
    if read.problems and (strict or not read.sentences):
        what = f"{len(read.problems)} things could not be read" if strict else "no sentence could be read"
        raise InputError(what, where=str(source), hint=f"the first: {read.problems[0]}; nothing was written")
    if not read.sentences:
        raise InputError("there is no sentence", where=str(source))
    write_annotations(read.sentences, str(target), to_format)
    return read


def detect_format(path: str) -> str:
    """Return the name of a path's format by its ending; an existing folder is brat's.

    Raises:
        InputError: no format has this ending.
    """
    for name, known in FORMATS.items():
        if path.lower().removesuffix(".gz").endswith(known.endings):
            return name
    if Path(path).is_dir() or path.endswith("/"):
        return "brat"
    raise InputError("the name does not show the format", where=path, hint=f"name it: one of {', '.join(FORMATS)}")


def _format(name: str) -> FileFormat:
    if name not in FORMATS:
        raise InputError(f"there is no format {name!r}", hint=f"known are {', '.join(FORMATS)}")
    return FORMATS[name]


def _text_reader(parse: Callable[[str, str], Annotations]) -> Callable[[str], Annotations]:
    def read(path: str) -> Annotations:
        name = "standard input" if path == STANDARD_INPUT else path
        stream = sys.stdin.buffer if path == STANDARD_INPUT else open_bytes(Path(path))
        with decode(stream) as file:
            text = file.read()
        if bad := undecodable(text):
            raise InputError(bad, where=name)
        return parse(text, name)

    return read


def _text_writer(render: Callable[[Sentences], str]) -> Callable[[Sentences, str], None]:
    def write(sentences: Sentences, path: str) -> None:
        content = render(sentences)
        if path == STANDARD_INPUT:
            sys.stdout.buffer.write(content.encode())
            sys.stdout.buffer.flush()
            return
        with open_output(Path(path)) as target:
            target.write(content)

    return write


FORMATS = {
    "jsonl": FileFormat((".jsonl", ".ndjson"), _text_reader(from_jsonl), _text_writer(to_jsonl)),
    "arg": FileFormat((".csv",), _text_reader(from_cnc_csv), _text_writer(to_cnc_csv)),
    "brat": FileFormat(
        (".ann",), lambda path: read_brat(Path(path)), lambda sentences, path: write_brat(sentences, Path(path))
    ),
    "bio": FileFormat((".bio", ".conll", ".iob", ".iob2"), _text_reader(from_bio), _text_writer(to_bio)),
    "webanno": FileFormat(
        (".xmi", ".zip"),
        lambda path: read_webanno(Path(path)),
        lambda sentences, path: write_webanno(sentences, Path(path)),
    ),
    "squad": FileFormat((".json",), None, _text_writer(to_squad)),
}
"""The formats by the names that ``whywire convert`` takes."""
