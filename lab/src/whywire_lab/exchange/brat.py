"""brat's standoff format: annotations in ``x.ann`` beside the text in ``x.txt``.

    T1	Cause 0 6	Floods
    T2	Effect 11 19	the road
    T3	Signal 7 10	cut
    E1	Signal:T3 Cause:T1 Effect:T2
    A1	Denied E1

Offsets count characters and are half-open. A relation with a signal is an event with the signal as trigger; one
without is a line ``R1	Causes Arg1:T1 Arg2:T2``. The signal's parts are the pieces of one T line (``10 12;20 24``).
A span that is the effect of one relation and the cause of another is one T line, labelled ``CauseEffect``. As in
brat, a span is cut where a line ends.

A pair of files is a document; a folder of pairs, with the ``annotation.conf`` that brat needs to show and edit them,
holds many. The file's name is the sentence's id, and sentences come in the natural order of names (2 before 10).

Lost in this format: probabilities, the order of sentences, line breaks at the ends of a span, and the boundary
between two parts of a signal that only line breaks separate.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

from whywire.errors import InputError
from whywire.news import Problem
from whywire.news.article import Span
from whywire.output import OutputFolder
from whywire.sentences.reading import CausalRelation
from whywire_lab.exchange.annotated_sentences import AnnotatedSentence, Annotations, check_sentence, check_sentences
from whywire_lab.exchange.drawn_annotations import (
    SIGNAL,
    DrawnRelation,
    DrawnSpan,
    join_over_breaks,
    span_labels,
    split_at_breaks,
    valid_relations,
)

CAUSES, DENIED = "Causes", "Denied"
"""The type of an R line, and the attribute of a denied relation."""

CONF = "annotation.conf"
ANNOTATION_CONF = """\
[entities]
Cause
Effect
CauseEffect

[relations]
Causes	Arg1:Cause|CauseEffect, Arg2:Effect|CauseEffect
<OVERLAP>	Arg1:<ENTITY>, Arg2:<ENTITY>, <OVL-TYPE>:<ANY>

[events]
Signal	Cause:Cause|CauseEffect, Effect:Effect|CauseEffect

[attributes]
Denied	Arg:<EVENT>
Denied	Arg:<RELATION>
"""
"""brat's configuration of the labels."""

_UNSAFE = re.compile(r'^\.|[%/\\:*?"<>|]')
_SPAN = re.compile(r"(\S+) (\d+ \d+(?:;\d+ \d+)*)\t(.*)", re.DOTALL)
_RELATION = re.compile(r"(\S+) Arg1:(\S+) Arg2:(\S+)\s*")
_EVENT = re.compile(r"(\S+?):(\S+)((?: \S+?:\S+)*)\s*")
_ATTRIBUTE = re.compile(r"(\S+) (\S+)\s*")


def to_brat(sentence: AnnotatedSentence) -> str:
    """Render the ``.ann`` of a sentence; its text, unchanged, is the ``.txt``.

    Raises:
        InputError: the sentence breaks a rule of `check_sentence`.
    """
    check_sentence(sentence)
    spans: dict[tuple[str, tuple[Span, ...]], str] = {}
    lines: list[str] = []

    def name_of(label: str, pieces: Iterable[Span]) -> str:
        cut = tuple(part for piece in pieces for part in split_at_breaks(sentence.text, piece))
        if (label, cut) not in spans:
            spans[label, cut] = f"T{len(spans) + 1}"
            places = ";".join(f"{start} {end}" for start, end in cut)
            words = " ".join(sentence.text[start:end] for start, end in cut)
            lines.append(f"{spans[label, cut]}\t{label} {places}\t{words}")
        return spans[label, cut]

    labels = span_labels(sentence.relations)
    links: list[str] = []
    denied: list[str] = []
    for relation in sentence.relations:
        cause, effect = (name_of(labels[span], [span]) for span in (relation.cause, relation.effect))
        kind = "E" if relation.signals else "R"
        key = f"{kind}{1 + sum(link.startswith(kind) for link in links)}"
        if relation.signals:
            links.append(f"{key}\t{SIGNAL}:{name_of(SIGNAL, relation.signals)} Cause:{cause} Effect:{effect}")
        else:
            links.append(f"{key}\t{CAUSES} Arg1:{cause} Arg2:{effect}")
        if relation.denied:
            denied.append(f"A{len(denied) + 1}\t{DENIED} {key}")
    return "".join(line + "\n" for line in (*lines, *links, *denied))


def from_brat(text: str, ann: str, name: str = "ann") -> tuple[tuple[CausalRelation, ...], tuple[Problem, ...]]:
    """Read the relations of a document; lines that are wrong or of another kind are problems.

    Args:
        text: the content of the ``.txt``, unchanged.
        ann: the content of the ``.ann``.
        name: of the file, for the places of problems.
    """
    drawn_spans: list[DrawnSpan] = []
    drawn: list[DrawnRelation] = []
    denied: dict[str, str] = {}
    problems: list[Problem] = []
    seen: set[str] = set()
    for number, line in enumerate(ann.split("\n"), 1):
        if not line.strip():
            continue
        key, _, rest = line.rstrip("\r").partition("\t")
        try:
            if key in seen and key != "*":
                raise InputError(f"there is another {key} before")
            seen.add(key)
            if key[:1] == "T":
                drawn_spans.append(_drawn_span(key, rest, text))
            elif key[:1] == "R":
                drawn.append(_drawn_relation(key, rest))
            elif key[:1] == "E":
                drawn.append(_drawn_event(key, rest))
            elif key[:1] in ("A", "M"):
                denied[_denied(rest)] = key
            else:
                raise InputError("lines of this kind are not read")
        except InputError as error:
            problems.append(Problem(f"{name}:{number}", error.message, row=line))
    problems += [
        Problem(f"{name}:{key}", f"{DENIED} is said of {target}, which is no relation")
        for target, key in denied.items()
        if target not in {relation.id for relation in drawn}
    ]
    drawn = [replace(relation, denied=relation.id in denied) for relation in drawn]
    relations, invalid = valid_relations(text, drawn_spans, drawn)
    return relations, (*problems, *(annotation.problem(name) for annotation in invalid))


def write_brat(sentences: Iterable[AnnotatedSentence], path: Path) -> None:
    """Write a folder of pairs of files, or a single pair if ``path`` ends in ``.ann`` or ``.txt``.

    Raises:
        InputError: a sentence breaks a rule of `check_sentence`, or a single pair is to hold several sentences.
        OutputError: the files cannot be written.
    """
    checked = check_sentences(sentences)
    if path.suffix in (".ann", ".txt"):
        if len(checked) != 1:
            raise InputError(
                f"a pair of brat files holds one sentence, not {len(checked)}",
                where=str(path),
                hint="name a folder instead of a file",
            )
        pairs = {path.stem: checked[0]}
    else:
        pairs = {_file_name(sentence.id): sentence for sentence in checked}
    with OutputFolder(path.absolute().parent if path.suffix in (".ann", ".txt") else path) as folder:
        if not (folder.path / CONF).exists():  # users add their own labels to it
            folder.write(CONF, ANNOTATION_CONF)
        for stem, sentence in pairs.items():
            folder.write(f"{stem}.txt", sentence.text)
            folder.write(f"{stem}.ann", to_brat(sentence))


def read_brat(path: Path) -> Annotations:
    """Read a folder of pairs of files, or a single pair if ``path`` is one of its files.

    Raises:
        InputError: there is no such folder or file.
    """
    if path.is_dir():
        files = [file for file in path.iterdir() if file.suffix in (".ann", ".txt")]
        stems = {file.with_suffix("") for file in files if not file.name.startswith(".")}
    elif path.is_file():
        stems = {path.with_suffix("")}
    else:
        raise InputError("no such file or folder", where=str(path))
    sentences: list[AnnotatedSentence] = []
    problems: list[Problem] = []
    for stem in sorted(stems, key=lambda stem: _natural(stem.name)):
        ann = stem.with_name(stem.name + ".ann")
        try:
            text, content = _content(stem.with_name(stem.name + ".txt")), _content(ann)
            relations, found = from_brat(text, content, ann.name)
            problems += found
            sentence = AnnotatedSentence(unquote(stem.name), text, relations)
            check_sentence(sentence)
        except InputError as error:
            problems.append(Problem(error.where or ann.name, error.message))
        else:
            sentences.append(sentence)
    return Annotations(tuple(sentences), tuple(problems))


def _drawn_span(key: str, rest: str, text: str) -> DrawnSpan:
    found = _SPAN.fullmatch(rest)
    if found is None:
        raise InputError("a T line must read: id, tab, label, space, start, space, end, tab, words")
    pieces = [(int(start), int(end)) for start, end in (piece.split() for piece in found[2].split(";"))]
    words = " ".join(text[start:end] for start, end in pieces)
    if found[3].rstrip() != words.rstrip():
        raise InputError(f"the words are {found[3]!r}, but the text has {words!r} there")
    return DrawnSpan(key, found[1], join_over_breaks(text, pieces))


def _drawn_relation(key: str, rest: str) -> DrawnRelation:
    found = _RELATION.fullmatch(rest)
    if found is None:
        raise InputError("an R line must read: id, tab, type, Arg1:T…, Arg2:T…")
    if found[1] != CAUSES:
        raise InputError(f"the relation {found[1]!r} is not {CAUSES}")
    return DrawnRelation(key, (found[2],), (found[3],))


def _drawn_event(key: str, rest: str) -> DrawnRelation:
    found = _EVENT.fullmatch(rest)
    if found is None:
        raise InputError("an E line must read: id, tab, Signal:T… Cause:T… Effect:T…")
    if found[1] != SIGNAL:
        raise InputError(f"the event {found[1]!r} is not {SIGNAL}")
    roles: dict[str, list[str]] = {"Cause": [], "Effect": []}
    for argument in found[3].split():
        role, target = argument.split(":", 1)
        plain = role.rstrip("0123456789")
        if plain not in roles:
            raise InputError(f"the role {role!r} is neither Cause nor Effect")
        roles[plain].append(target)
    return DrawnRelation(key, tuple(roles["Cause"]), tuple(roles["Effect"]), (found[2],))


def _denied(rest: str) -> str:
    found = _ATTRIBUTE.fullmatch(rest)
    if found is None or found[1] != DENIED:
        raise InputError(f"of attributes only {DENIED} is read")
    return found[2]


def _content(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except FileNotFoundError as error:
        raise InputError("there is no such file, but one of the pair is there", where=path.name) from error
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start + 1} is not UTF-8", where=path.name) from error


def _file_name(name: str) -> str:
    """Return an id as a file name; characters that a file name cannot contain are percent-encoded."""
    return _UNSAFE.sub(lambda found: f"%{ord(found[0]):02X}", name)


def _natural(name: str) -> list[tuple[int, int, str]]:
    """Sort key that puts 2 before 10."""
    parts = re.split(r"([0-9]+)", name)
    return [(0, int(part), "") if number % 2 else (1, 0, part) for number, part in enumerate(parts)]
