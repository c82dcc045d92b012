"""UIMA CAS XMI, the format of WebAnno and INCEpTION (needs the extra ``exchange`` of whywire-lab).

One document contains all sentences, with DKPro's ``Sentence`` (its feature ``id`` keeps ours) and ``Token``.
``webanno.custom.CausalSpan`` is a span layer with the feature ``label``: Cause, Effect, CauseEffect (the effect of
one relation that is the cause of another) or Signal. ``webanno.custom.CausalRelation`` is a relation layer: an arrow
from ``Governor`` to ``Dependent``. An arrow from cause to effect is a relation, ``denied`` where the sentence denies
it. Arrows from a signal to a cause (``role`` cause) and to an effect (``role`` effect) attach it to every relation
between these two; if annotators draw only one of the arrows, or give no role, it is attached to every relation that
fits.

UIMA counts UTF-16 units; cassis turns them into characters on the way in and back on the way out.

Lost in this format: probabilities. Characters that XML cannot represent (most control characters) are refused.
"""

from __future__ import annotations

import io
import warnings
import zipfile
import zlib
from bisect import bisect_right
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from whywire.errors import InputError, MissingExtraError
from whywire.news import Problem
from whywire.news.article import Span
from whywire.output import OutputFolder
from whywire_lab.exchange.annotated_sentences import AnnotatedSentence, Annotations, check_sentence, check_sentences
from whywire_lab.exchange.drawn_annotations import (
    SIGNAL,
    Arrow,
    DrawnSpan,
    attach_signals,
    span_labels,
    valid_relations,
)
from whywire_lab.exchange.tokens import split_tokens

SPAN_LAYER = "webanno.custom.CausalSpan"
RELATION_LAYER = "webanno.custom.CausalRelation"
SENTENCE = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Sentence"
TOKEN = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token"  # noqa: S105
TYPE_SYSTEM = "TypeSystem.xml"
"""The file with the layers of a document, by the name that WebAnno and INCEpTION use."""

LARGEST_UNPACKED, SMALL_UNPACKED, MAX_RATIO = 256 * 2**20, 2**20, 100
"""The most bytes of an unpacked file of a zip; the bytes allowed whatever its packed size; and how many times its
packed size a larger file may have. XMI packs to about a tenth."""

_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest time a zip can hold; a fixed one, so that the same sentences give the same bytes."""


def to_webanno(sentences: Iterable[AnnotatedSentence]) -> tuple[bytes, bytes]:
    """Return a document with all sentences.

    Returns:
        The XMI and the TypeSystem.xml that describes its layers.

    Raises:
        InputError: a sentence breaks a rule of `check_sentence`, or contains a character that XML cannot represent.
        MissingExtraError: cassis is not installed.
    """
    cassis = _cassis()
    checked = check_sentences(sentences)
    system = _type_system(cassis)
    cas = cassis.Cas(system)
    cas.sofa_mime = "text/plain"
    try:
        cas.sofa_string = "\n".join(sentence.text for sentence in checked)
        at = 0
        for sentence in checked:
            _add(cas, system, sentence, at)
            at += len(sentence.text) + 1
        document, types = cas.to_xmi(pretty_print=True), system.to_xml()
    except ValueError as error:
        bad = next((sentence for sentence in checked if not _in_xml(sentence.text)), None)
        raise InputError(
            "the text has a character that XML cannot hold" if bad else str(error), where=bad.id if bad else None
        ) from error
    return document.encode(), types.encode()


def from_webanno(
    xmi: bytes,
    types: bytes,
    name: str = "xmi",
    *,
    span_layer: str = SPAN_LAYER,
    label: str = "label",
    relation_layer: str = RELATION_LAYER,
) -> Annotations:
    """Read the sentences of a document; annotations that are wrong are problems, the others are read.

    Args:
        xmi: the document.
        types: its TypeSystem.xml.
        name: of the document, for the places of problems: ``name:xmi:id`` of the annotation.
        span_layer: the project's span layer, if it has another name.
        label: the feature of the span layer that holds the label.
        relation_layer: the project's relation layer, if it has another name.

    Raises:
        InputError: the files are not an XMI and its type system, or the layers are missing.
        MissingExtraError: cassis is not installed.
    """
    cassis = _cassis()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # cassis warns of other layers without types
        try:
            system = cassis.load_typesystem(io.BytesIO(types))
            cas = cassis.load_cas_from_xmi(io.BytesIO(xmi), typesystem=system, lenient=True)
        except Exception as error:  # broken XML may raise anything inside cassis
            raise InputError(f"no UIMA CAS XMI: {error}", where=name) from error
    for layer in (SENTENCE, span_layer, relation_layer):
        if not system.contains_type(layer):
            raise InputError(f"there is no layer {layer}", where=name, hint="export with the layer, or name yours")
    sentences, problems = [], []
    drawn, outside = _by_sentence(cas, name, span_layer, relation_layer)
    problems += outside
    for number, (sentence, spans, arrows) in enumerate(drawn, 1):
        own_text = sentence.get_covered_text()
        own_spans = [_drawn_span(span, label, sentence.begin) for span in spans]
        relations, invalid = valid_relations(own_text, own_spans, attach_signals(_arrows(arrows), own_spans))
        problems += [annotation.problem(f"{name}:xmi") for annotation in invalid]
        read = AnnotatedSentence(getattr(sentence, "id", None) or str(number), own_text, relations)
        try:
            check_sentence(read)
        except InputError as error:
            problems.append(Problem(f"{name}:xmi:{sentence.xmiID}", error.message))
        else:
            sentences.append(read)
    return Annotations(tuple(sentences), tuple(problems))


def _by_sentence(
    cas: Any, name: str, span_layer: str, relation_layer: str
) -> tuple[list[tuple[Any, list[Any], list[Any]]], list[Problem]]:
    """Return each sentence with its spans and arrows, and a problem for each that is not inside one sentence."""
    text = cas.sofa_string or ""
    by_sentence: list[tuple[Any, list[Any], list[Any]]] = [(sentence, [], []) for sentence in cas.select(SENTENCE)]
    begins = [sentence.begin for sentence, _, _ in by_sentence]
    sentence_of: dict[int | None, int] = {}
    problems = []
    for span in cas.select(span_layer):
        number = bisect_right(begins, span.begin) - 1
        if number < 0 or span.end > by_sentence[number][0].end:
            words = text[span.begin : span.end]
            problems.append(Problem(f"{name}:xmi:{span.xmiID}", f"the span lies in no one sentence: “{words}”"))
            continue
        sentence_of[span.xmiID] = number
        by_sentence[number][1].append(span)
    for arrow in cas.select(relation_layer):
        ends = {sentence_of.get(_end(arrow, end), -1) for end in ("Governor", "Dependent")}
        if len(ends) > 1 or -1 in ends:
            reason = "the arrow has an end missing, or runs from one sentence into another"
            problems.append(Problem(f"{name}:xmi:{arrow.xmiID}", reason))
            continue
        by_sentence[ends.pop()][2].append(arrow)
    return by_sentence, problems


def write_webanno(sentences: Iterable[AnnotatedSentence], path: Path) -> None:
    """Write a zip with the document and its type system, or two files if ``path`` ends in ``.xmi``.

    Raises:
        InputError: see `to_webanno`.
        OutputError: the files cannot be written.
    """
    xmi, types = to_webanno(sentences)
    with OutputFolder(path.absolute().parent) as folder:
        if path.suffix == ".xmi":
            folder.write(path.name, xmi)
            folder.write(TYPE_SYSTEM, types)
            return
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for inner, content in ((f"{path.stem}.xmi", xmi), (TYPE_SYSTEM, types)):
                archive.writestr(zipfile.ZipInfo(inner, _ZIP_TIME), content, zipfile.ZIP_DEFLATED)
        folder.write(path.name, packed.getvalue())


def read_webanno(path: Path) -> Annotations:
    """Read an ``.xmi`` with the TypeSystem.xml beside it, or a zip that holds both, as WebAnno exports a document.

    Raises:
        InputError: a file is missing or broken; see `from_webanno`.
    """
    if path.suffix == ".xmi":
        return from_webanno(_bytes(path), _bytes(path.with_name(TYPE_SYSTEM)), path.name)
    try:
        with zipfile.ZipFile(io.BytesIO(_bytes(path))) as archive:
            documents = [name for name in archive.namelist() if name.endswith(".xmi")]
            if len(documents) != 1 or TYPE_SYSTEM not in archive.namelist():
                raise InputError(f"the zip must hold one .xmi and {TYPE_SYSTEM}", where=str(path))
            document, types = (_unpacked(archive, name, path) for name in (documents[0], TYPE_SYSTEM))
    except zipfile.BadZipFile as error:
        raise InputError("no zip and no .xmi", where=str(path)) from error
    except (zlib.error, EOFError, NotImplementedError, RuntimeError) as error:  # damaged, of a rare kind, encrypted
        raise InputError(f"the zip cannot be unpacked: {error}", where=str(path)) from error
    return from_webanno(document, types, path.name)


def _unpacked(archive: zipfile.ZipFile, name: str, path: Path) -> bytes:
    """A file of a zip, unpacked only up to the limit, whatever size the zip says it has."""
    packed = archive.getinfo(name).compress_size
    most = min(LARGEST_UNPACKED, max(SMALL_UNPACKED, MAX_RATIO * packed))
    with archive.open(name) as file:
        content = file.read(most + 1)
    if len(content) > most:
        reason = f"{name} unpacks from {packed:,} bytes to more than {most:,}"
        raise InputError(reason, where=str(path), hint="unpack it, and name the .xmi")
    return content


def _add(cas: Any, system: Any, sentence: AnnotatedSentence, at: int) -> None:
    """Add a sentence that begins at character ``at`` of the document."""
    cas.add(system.get_type(SENTENCE)(begin=at, end=at + len(sentence.text), id=sentence.id))
    token, arrow = system.get_type(TOKEN), system.get_type(RELATION_LAYER)
    for start, end in split_tokens(sentence.text, sentence.relations):
        cas.add(token(begin=at + start, end=at + end))

    def add_span(span: Span, label: str) -> Any:
        added = system.get_type(SPAN_LAYER)(begin=at + span[0], end=at + span[1], label=label)
        cas.add(added)
        return added

    def add_arrow(governor: Any, dependent: Any, role: str | None = None, denied: bool = False) -> None:
        place = {"begin": dependent.begin, "end": dependent.end}
        cas.add(arrow(Governor=governor, Dependent=dependent, role=role, denied=denied, **place))

    arguments = {span: add_span(span, label) for span, label in span_labels(sentence.relations).items()}
    for relation in sentence.relations:
        cause, effect = arguments[relation.cause], arguments[relation.effect]
        add_arrow(cause, effect, denied=relation.denied)
        for piece in relation.signals:
            signal = add_span(piece, SIGNAL)
            add_arrow(signal, cause, "cause")
            add_arrow(signal, effect, "effect")


def _drawn_span(span: Any, label: str, at: int) -> DrawnSpan:
    return DrawnSpan(str(span.xmiID), getattr(span, label) or "", ((span.begin - at, span.end - at),))


def _arrows(arrows: list[Any]) -> list[Arrow]:
    """Return the arrows in the order of their ids; cassis orders them by offset."""
    return [
        Arrow(
            str(arrow.xmiID),
            str(_end(arrow, "Governor")),
            str(_end(arrow, "Dependent")),
            getattr(arrow, "role", None),
            bool(getattr(arrow, "denied", False)),
        )
        for arrow in sorted(arrows, key=lambda arrow: arrow.xmiID)
    ]


def _end(arrow: Any, name: str) -> int | None:
    end = getattr(arrow, name)
    return None if end is None else end.xmiID


def _type_system(cassis: Any) -> Any:
    system = cassis.TypeSystem()
    for name, features in {
        SENTENCE: {"id": "uima.cas.String"},
        TOKEN: {},
        SPAN_LAYER: {"label": "uima.cas.String"},
        RELATION_LAYER: {
            "Governor": SPAN_LAYER,
            "Dependent": SPAN_LAYER,
            "role": "uima.cas.String",
            "denied": "uima.cas.Boolean",
        },
    }.items():
        made = system.create_type(name)
        for feature, kind in features.items():
            system.create_feature(made, feature, kind)
    return system


def _in_xml(text: str) -> bool:
    """Return whether XML 1.0 can represent every character."""
    return all(letter in "\t\n\r" or (letter >= " " and letter not in "\ufffe\uffff") for letter in text)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {(error.strerror or str(error)).lower()}", where=str(path)) from error


def _cassis() -> Any:
    try:
        import cassis
    except ModuleNotFoundError as error:
        raise MissingExtraError("dkpro-cassis", "exchange", package="whywire-lab") from error
    return cassis
