"""Relations on a spaCy ``Doc``, and a component that reads them (needs the extra ``grammar``).

``doc._.relations`` holds the relations with their exact characters in ``doc.text``. ``doc.spans["causes"]``,
``["effects"]`` and ``["signals"]`` hold their spans in tokens, for displaCy and for spaCy's own scorers; a span that
begins or ends inside a token takes the whole of it. Each span's ``id_`` is the number of its relation, from 1. Both
are kept by ``to_bytes`` and by a ``DocBin`` with ``store_user_data``.

    >>> nlp.add_pipe("whywire_relations")  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from whywire.errors import MissingExtraError
from whywire.news.article import Span
from whywire.sentences.reader import SentenceReader
from whywire.sentences.reading import CausalRelation
from whywire.sentences.relation_rows import relation_from_row, relation_to_row
from whywire_lab.exchange.annotated_sentences import AnnotatedSentence, check_sentence

try:
    from spacy.language import Language
    from spacy.tokens import Doc
except ModuleNotFoundError as missing:
    raise MissingExtraError("spacy", "grammar") from missing

GROUPS = ("causes", "effects", "signals")
"""The keys of ``doc.spans``."""

BATCH = 64
"""Docs read together: enough sentences to fill the model's batches."""

_KEY = "whywire_relations"


def to_doc(sentence: AnnotatedSentence, nlp: Language) -> Doc:
    """Tokenise a sentence with the pipeline's tokeniser and set its relations on the doc.

    Raises:
        InputError: the sentence breaks a rule of `check_sentence`.
    """
    check_sentence(sentence)
    doc = nlp.make_doc(sentence.text)
    set_relations(doc, sentence.relations)
    return doc


def from_doc(doc: Doc, name: str) -> AnnotatedSentence:
    """Return the text of a doc and its relations as one sentence with this id."""
    return AnnotatedSentence(name, doc.text, doc._.relations)


def set_relations(doc: Doc, relations: Iterable[CausalRelation]) -> None:
    """Set the relations of a doc, replacing earlier ones; their spans are character offsets into ``doc.text``."""
    doc._.relations = tuple(relations)
    groups: dict[str, list[Any]] = {name: [] for name in GROUPS}
    for number, relation in enumerate(doc._.relations, 1):
        pieces = [("causes", relation.cause), ("effects", relation.effect)]
        for group, span in pieces + [("signals", signal) for signal in relation.signals]:
            words = doc.text[slice(*span)]  # a space at an end would take in the word on its other side
            start, end = span[1] - len(words.lstrip()), span[0] + len(words.rstrip())
            label = group.removesuffix("s").upper()
            groups[group].append(doc.char_span(start, end, label=label, span_id=str(number), alignment_mode="expand"))
    for group, spans in groups.items():
        doc.spans[group] = spans


class RelationReader:
    """A pipeline component that finds the causal relations of a doc's sentences.

    The sentences are ``doc.sents`` if an earlier component has set them; otherwise the doc is read as one sentence.
    """

    def __init__(self, reader: SentenceReader) -> None:
        self.reader = reader

    def __call__(self, doc: Doc) -> Doc:
        """Read one doc."""
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], batch_size: int = BATCH) -> Iterator[Doc]:
        """Read docs, ``batch_size`` at a time."""
        batch: list[Doc] = []
        for doc in stream:
            batch.append(doc)
            if len(batch) == batch_size:
                yield from self._read(batch)
                batch = []
        yield from self._read(batch)

    def _read(self, docs: list[Doc]) -> list[Doc]:
        places = [(number, span) for number, doc in enumerate(docs) for span in _sentences(doc)]
        readings = self.reader.read([docs[number].text[slice(*span)] for number, span in places])
        found: list[list[CausalRelation]] = [[] for _ in docs]
        for (number, (start, _)), reading in zip(places, readings, strict=True):
            found[number] += [_shifted(relation, start) for relation in (*reading.relations, *reading.denials)]
        for doc, relations in zip(docs, found, strict=True):
            set_relations(doc, relations)
        return docs


@Language.factory(
    "whywire_relations",
    assigns=["doc._.relations", "doc.spans"],
    default_config={"model": None},
)
def make_component(nlp: Language, name: str, model: str | None) -> RelationReader:  # noqa: ARG001
    """Create the component ``whywire_relations``.

    Args:
        nlp: the pipeline; its language chooses the model where none is named.
        name: of the component in the pipeline.
        model: an embedded model, or a folder; see `SentenceReader.from_pretrained`.
    """
    return RelationReader(SentenceReader.from_pretrained(model or f"sentences-{'ru' if nlp.lang == 'ru' else 'en'}"))


def _sentences(doc: Doc) -> Iterator[Span]:
    """Yield the character offsets of the sentences that are not blank."""
    sentences = doc.sents if doc.has_annotation("SENT_START") else [doc[:]]
    for sentence in sentences:
        text = sentence.text
        if text.strip():
            yield sentence.start_char, sentence.start_char + len(text)


def _shifted(relation: CausalRelation, by: int) -> CausalRelation:
    def move(span: Span) -> Span:
        return span[0] + by, span[1] + by

    return CausalRelation(
        move(relation.cause),
        move(relation.effect),
        tuple(move(signal) for signal in relation.signals),
        relation.probability,
        relation.denied,
    )


def _get(doc: Doc) -> tuple[CausalRelation, ...]:
    return tuple(relation_from_row(row, row["denied"]) for row in doc.user_data.get(_KEY, ()))


def _set(doc: Doc, relations: Iterable[CausalRelation]) -> None:
    """Store relations as lists and numbers, which spaCy can serialise."""
    doc.user_data[_KEY] = [relation_to_row(relation) | {"denied": relation.denied} for relation in relations]


if not Doc.has_extension("relations"):
    Doc.set_extension("relations", getter=_get, setter=_set)
