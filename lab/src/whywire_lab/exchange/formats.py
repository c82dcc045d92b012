"""The supported file formats by name, with their readers and writers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from whywire.annotation.items import Kind
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
from whywire_lab.exchange.label_studio import label_config, read_label_studio, to_label_studio
from whywire_lab.exchange.labelled_items import ITEMS, LabelledItems, read_campaign, write_campaign
from whywire_lab.exchange.releases import crab, headline_cause, hlgd, reader_graphs, recess, semeval2020
from whywire_lab.exchange.sentence_items import items_of_sentences, sentences_of_items
from whywire_lab.exchange.squad import to_squad
from whywire_lab.exchange.toloka import read_toloka, to_toloka
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


@dataclass(frozen=True, slots=True)
class ItemFormat:
    """A format of items and answers.

    Args:
        endings: file name endings that identify the format.
        read: reads a path; the kind counts where the format holds several.
        write: writes to a path the answers of all people, or of one; ``None`` if the format is a corpus's.
    """

    endings: tuple[str, ...]
    read: Callable[[Path, Kind | None], LabelledItems]
    write: Callable[[LabelledItems, str, str | None], None] | None = None


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


def read_items(
    path: str, format_name: str | None = None, *, kind: Kind | None = None, person: str | None = None
) -> LabelledItems:
    """Read the items of a campaign with their answers, from any format.

    Args:
        path: a file or a folder.
        format_name: a key of ``ITEM_FORMATS`` or ``FORMATS``; by default detected from the path.
        kind: of the items, where neither the format nor the items show it.
        person: who annotated the sentences of a file that does not say so; without it they are results.

    Raises:
        InputError: the path is not in that format, or the format cannot be read.
    """
    name = format_name or detect_format(path)
    if name not in ITEM_FORMATS:
        return items_of_sentences(read_annotations(path, name), person)
    return ITEM_FORMATS[name].read(Path(path), kind)


def write_items(data: LabelledItems, path: str, format_name: str | None = None, *, person: str | None = None) -> None:
    """Write the items of a campaign with their answers, to any format that can be written.

    Args:
        path: a file or a folder.
        format_name: a key of ``ITEM_FORMATS`` or ``FORMATS``; by default detected from the path.
        person: whose answers are written where a format holds one answer an item; by default the results.

    Raises:
        InputError: the format cannot hold items of this kind, or cannot be written.
        OutputError: the path cannot be written.
    """
    name = format_name or detect_format(path)
    if name not in ITEM_FORMATS:
        write_annotations(sentences_of_items(data, person).sentences, path, name)
        return
    writer = ITEM_FORMATS[name].write
    if writer is None:
        raise InputError(f"{name} is the form of a corpus", hint="it is written by `whywire data release`")
    writer(data, path, person)


def convert(
    source: str | Path,
    target: str | Path,
    from_format: str | None = None,
    to_format: str | None = None,
    *,
    strict: bool = False,
    on_problem: Callable[[Problem], object] | None = None,
    kind: Kind | None = None,
    person: str | None = None,
) -> Annotations | LabelledItems:
    """Convert annotations from one tool's files to another's.

    >>> convert("read.jsonl", "brat/")
    >>> convert("votes.tsv", "campaign/", to_format="campaign")

    Args:
        source: a file or folder, as for :func:`read_annotations` and :func:`read_items`.
        target: as for :func:`write_annotations` and :func:`write_items`.
        strict: write nothing when anything cannot be read.
        on_problem: called with each thing that cannot be read or written, before anything is written.
        kind: of the items of a campaign, where it cannot be seen.
        person: who annotated the source, if it does not say so; or whose answers the target gets.

    Returns:
        What was read, with its problems.

    Raises:
        InputError: nothing could be read, or with ``strict`` something could not; or the format cannot hold it.
        OutputError: the target cannot be written.
    """
    from_name, to_name = from_format or detect_format(str(source)), to_format or detect_format(str(target))
    read: Annotations | LabelledItems
    if ITEM_FORMATS.keys() & {from_name, to_name}:
        read = read_items(str(source), from_name, kind=kind, person=person)
        if to_name in FORMATS:
            read = sentences_of_items(read, person)
    else:
        read = read_annotations(str(source), from_name)
    rows: Sequence[object] = read.items if isinstance(read, LabelledItems) else read.sentences
    if on_problem:
        for problem in read.problems:
            on_problem(problem)
    if read.problems and (strict or not rows):
        what = f"{len(read.problems)} things could not be read" if strict else f"no {_noun(read)} could be read"
        raise InputError(what, where=str(source), hint=f"the first: {read.problems[0]}; nothing was written")
    if not rows:
        raise InputError(f"there is no {_noun(read)}", where=str(source))
    if isinstance(read, LabelledItems):
        write_items(read, str(target), to_name, person=person)
    else:
        write_annotations(read.sentences, str(target), to_name)
    return read


def _noun(read: Annotations | LabelledItems) -> str:
    return "item" if isinstance(read, LabelledItems) else "sentence"


def detect_format(path: str) -> str:
    """Return the name of a path's format by its ending; a folder is a campaign's if it has items, else brat's.

    Raises:
        InputError: no format has this ending.
    """
    if (Path(path) / ITEMS).is_file():
        return CAMPAIGN
    for name, known in (FORMATS | ITEM_FORMATS).items():
        if known.endings and path.lower().removesuffix(".gz").endswith(known.endings):
            return name
    if Path(path).is_dir() or path.endswith("/"):
        return "brat"
    raise InputError("the name does not show the format", where=path, hint=f"name it: one of {', '.join(NAMES)}")


def _format(name: str) -> FileFormat:
    if name not in FORMATS:
        raise InputError(f"there is no format {name!r}", hint=f"known are {', '.join(NAMES)}")
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

CAMPAIGN = "campaign"


def _only(read: Callable[[Path], LabelledItems]) -> Callable[[Path, Kind | None], LabelledItems]:
    """A reader of a format that holds one kind of items."""
    return lambda path, kind: read(path)  # noqa: ARG005


def _of_kind(data: LabelledItems, *kinds: Kind) -> LabelledItems:
    if data.kind not in kinds:
        raise InputError(f"the format holds items of {' and '.join(kinds)}, not of {data.kind.value}")
    return data


def _write_text(path: str, content: str) -> None:
    _text_writer(lambda _: content)((), path)


def _write_label_studio(data: LabelledItems, path: str, person: str | None) -> None:
    _write_text(path, to_label_studio(data, person))
    if path != STANDARD_INPUT:
        _write_text(str(Path(path).with_suffix(".xml")), label_config(data.kind))


ITEM_FORMATS = {
    CAMPAIGN: ItemFormat((), read_campaign, lambda data, path, _: write_campaign(data, Path(path))),
    "toloka": ItemFormat(
        (".tsv",),
        _only(read_toloka),
        lambda data, path, _: _write_text(path, to_toloka(_of_kind(data, Kind.RELATION))),
    ),
    "label-studio": ItemFormat((), read_label_studio, _write_label_studio),
    "headline-cause": ItemFormat((), _only(headline_cause.read)),
    "hlgd": ItemFormat((), _only(hlgd.read)),
    "semeval2020": ItemFormat((), _only(semeval2020.read)),
    "recess": ItemFormat((), _only(recess.read)),
    "crab": ItemFormat((), _only(crab.read)),
    "reader-graphs": ItemFormat((), _only(reader_graphs.read)),
}
"""The formats of items and answers by the names that ``whywire convert`` takes."""

NAMES = (*FORMATS, *ITEM_FORMATS)
