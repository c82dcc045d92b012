"""Rows for the sentence model: a text, its labels and spans, from published corpora and label files."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from whywire.news import Language, split_sentences
from whywire.news.article import Span
from whywire.sentences.decoding import QUESTIONS
from whywire.sentences.reading import CausalRelation
from whywire_lab.corpora import causal_news_corpus, semeval2020
from whywire_lab.corpora.splits import first_words, part_of
from whywire_lab.labels.files import read_labels
from whywire_lab.labels.keys import articles_by_hash, short_hash
from whywire_lab.labels.rows import (
    CausalSentence,
    CharSpan,
    CounterfactualSentence,
    DenialSentence,
    MarkedRelation,
    StreamSentence,
)

MIN_WORDS = 6
"""Words of the shortest sentence taken from a stream without a label."""


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """A sentence and its corpus's labels; ``None`` is *not annotated*.

    Args:
        relations: asserted and denied ones; empty if the annotators found none.
        denial: whether the sentence denies a causal relation.
        parts: antecedent and consequent of a counterfactual, if marked.
    """

    text: str
    causal: bool | None = None
    counterfactual: bool | None = None
    relations: tuple[CausalRelation, ...] | None = None
    denial: bool | None = None
    parts: tuple[Span, Span | None] | None = None
    corpus: str = ""

    def asserts(self, relation: CausalRelation) -> bool:
        """Whether a marked, not denied relation overlaps this one in both arguments."""
        return any(not known.denied and known.meets(relation) for known in self.relations or ())


def load_rows(data: Path) -> dict[str, list[SentenceRow]]:
    """The English rows of ``train``, ``valid`` (for stopping and calibration) and ``dev`` (only reported).

    No two parts share a document or a near-duplicate.
    """
    parts = load_recess(data)
    folder = data / "semeval2020_task5"
    for labelled in semeval2020.read_subtask1(folder / "subtask1_train.csv"):
        row = SentenceRow(labelled.text, counterfactual=labelled.counterfactual, corpus="semeval-1")
        parts[part_of(first_words(labelled.text))].append(row)
    for marked in semeval2020.read_subtask2(folder / "subtask2_train.csv"):
        spans = (marked.antecedent, marked.consequent)
        row = SentenceRow(marked.text, counterfactual=True, parts=spans, corpus="semeval-2")
        parts[part_of(first_words(marked.text))].append(row)
    parts["train"] += invented_counterfactuals() + invented_causes() + stream_rows(data, "en")["train"]
    return _joined(parts, invented_denials("en"))


def load_recess(data: Path) -> dict[str, list[SentenceRow]]:
    """The rows of RECESS alone, by part; no two parts share a document."""
    parts: dict[str, list[SentenceRow]] = {"train": [], "valid": [], "dev": []}
    for sentence in causal_news_corpus.read_sentences(data / "causal_news_corpus_v2"):
        row = SentenceRow(sentence.text, causal=sentence.causal, relations=sentence.relations, corpus="recess")
        parts[part_of(sentence.document)].append(_without_denial(row))
    return parts


def load_russian_rows(data: Path, articles: Iterable[dict[str, str]]) -> dict[str, list[SentenceRow]]:
    """The English rows of each part and the Russian ones, for the Russian model learns from both.

    Args:
        articles: the Russian stream's training articles, for :func:`plain_sentences`.
    """
    parts = _joined(load_rows(data), stream_rows(data, "ru"))
    parts = _joined(parts, invented_denials("ru"))
    parts = _joined(parts, invented_russian_causes())
    return _joined(parts, plain_sentences(articles, Language.RUSSIAN))


def _joined(one: dict[str, list[SentenceRow]], other: dict[str, list[SentenceRow]]) -> dict[str, list[SentenceRow]]:
    return {part: one[part] + other[part] for part in one}


def invented_counterfactuals() -> list[SentenceRow]:
    """Invented English sentences: half are counterfactuals, half only use their words."""
    rows = []
    for row in read_labels(CounterfactualSentence, "invented_counterfactuals_en"):
        parts = _parts(row.antecedent, row.consequent)
        rows.append(SentenceRow(row.text, counterfactual=parts is not None, parts=parts, corpus="invented"))
    return rows


def invented_causes() -> list[SentenceRow]:
    """Invented English sentences in the style of RECESS, tokenised by spaces like it."""
    return [
        _without_denial(
            SentenceRow(row.text, causal=row.causal, relations=_relations(row.relations), corpus="invented-recess")
        )
        for row in read_labels(CausalSentence, "invented_causal_sentences_en")
    ]


def invented_russian_causes() -> dict[str, list[SentenceRow]]:
    """Invented Russian sentences over all connectives, of which half name the effect first, by part."""
    parts: dict[str, list[SentenceRow]] = {"train": [], "valid": [], "dev": []}
    for row in read_labels(CausalSentence, "invented_causal_sentences_ru"):
        relations = _relations(row.relations)
        sentence = SentenceRow(row.text, causal=row.causal, relations=relations, corpus="invented")
        parts[part_of(row.text)].append(_without_denial(sentence))
    return parts


def invented_denials(language: str) -> dict[str, list[SentenceRow]]:
    """Invented sentences that deny a causal relation, or only seem to, by part."""
    parts: dict[str, list[SentenceRow]] = {"train": [], "valid": [], "dev": []}
    for row in read_labels(DenialSentence, f"invented_denials_{language}"):
        relations = _relations(row.relations)
        denials = [relation.denied for relation in relations]
        parts[part_of(row.text)].append(
            SentenceRow(
                row.text,
                causal=not all(denials),
                denial=any(denials),
                relations=relations,
                corpus="invented-recess" if " ." in row.text else "invented",
            )
        )
    return parts


_MAY_DENY = re.compile(
    r"\b(not?|never|nothing|none|nobody|neither|nor|cannot|without|despite|spite|although|though|regardless"
    r"|den(y|ie[sd])|dismiss|reject|rul(ed?|ing) out|unrelated"
    r"|несмотря|вопреки|хотя|отриц|опров|исключ|ни при ч[её]м|не (связан|вызва|прив[её]л|приве|стал|явля|из-за"
    r"|по вине|по причине|потому|винова|причаст|спровоц|повлия|помеша|помог|останов))|n['’]t\b",
    re.IGNORECASE,
)


def _without_denial(row: SentenceRow) -> SentenceRow:
    """The row, marked as no denial if it is unlabelled and has no word that may deny.

    A Russian "не" alone is no such word: unlabelled, the small model would take half of these sentences for denials.
    """
    return row if row.denial is not None or _MAY_DENY.search(row.text) else replace(row, denial=False)


def plain_sentences(articles: Iterable[dict[str, str]], language: Language) -> dict[str, list[SentenceRow]]:
    """A sentence of each article without any word that denies or concedes, by part: no denials.

    In news one sentence in a hundred denies a cause; of the invented sentences, every second one.
    """
    parts: dict[str, list[SentenceRow]] = {"train": [], "valid": [], "dev": []}
    for article in articles:
        text, key = article["text"], short_hash(article["url"])
        spans = [span for span in split_sentences(text, language) if len(text[slice(*span)].split()) >= MIN_WORDS]
        if spans:
            row = _without_denial(SentenceRow(text[slice(*spans[int(key, 16) % len(spans)])], corpus="plain"))
            if row.denial is False:
                parts[part_of(article["url"])].append(row)
    return parts


def stream_rows(data: Path, language: str) -> dict[str, list[SentenceRow]]:
    """Labelled sentences of a news stream, by part.

    ``train`` takes articles up to noon of the second day; the others are divided into ``valid`` and ``dev``.
    """
    articles = articles_by_hash(data / "news_stream", language)
    parts: dict[str, list[SentenceRow]] = {"train": [], "valid": [], "dev": []}
    for row in read_labels(StreamSentence, f"stream_sentences_{language}"):
        start, end = row.sentence
        part = "train" if row.part == "train" else "valid" if int(row.article, 16) % 3 == 0 else "dev"
        sentence = SentenceRow(
            articles[row.article]["text"][start:end],
            causal=row.causal,
            counterfactual=row.counterfactual,
            denial=row.denial,
            relations=None if row.relations is None else _relations(row.relations),
            parts=_parts(row.antecedent, row.consequent),
            corpus=f"stream-{language}",
        )
        parts[part].append(_without_denial(sentence))
    return parts


def _relations(marked: Iterable[MarkedRelation]) -> tuple[CausalRelation, ...]:
    return tuple(CausalRelation(own.cause, own.effect, tuple(own.signals), denied=own.denied) for own in marked)


def _parts(antecedent: CharSpan | None, consequent: CharSpan | None) -> tuple[Span, Span | None] | None:
    return (antecedent, consequent) if antecedent else None


def questions(rows: Iterable[SentenceRow]) -> Iterator[tuple[str, list[SentenceRow], list[bool]]]:
    """For each binary question of ``layout.QUESTIONS``: its name, the rows labelled for it, and the labels."""
    known = [row for row in rows if row.corpus != "semeval-2"]  # which labels only the parts
    for name in QUESTIONS:
        answered = [row for row in known if getattr(row, name) is not None]
        yield name, answered, [getattr(row, name) for row in answered]


_NO_SPACE_BEFORE = re.compile(r" (?=[.,;:!?%)\]’]|'s\b|n't\b|'\s|''|”)")
_NO_SPACE_AFTER = re.compile(r"(?<=[(\[$£€“‘]) ")


def detokenised(row: SentenceRow) -> SentenceRow:
    """The row without the spaces a tokeniser put around punctuation; its spans move along."""
    dropped = sorted(
        {match.start() for pattern in (_NO_SPACE_BEFORE, _NO_SPACE_AFTER) for match in pattern.finditer(row.text)}
    )
    gone = set(dropped)
    moved: list[int] = []
    kept: list[str] = []
    for position, letter in enumerate(row.text):
        moved.append(len(kept))
        if position not in gone:
            kept.append(letter)
    moved.append(len(kept))

    return moved_row(row, "".join(kept), lambda span: (moved[span[0]], moved[span[1]]))


def moved_row(row: SentenceRow, text: str, move: Callable[[Span], Span]) -> SentenceRow:
    """The row with another text and its relations' spans mapped by ``move``."""
    relations = row.relations and tuple(
        replace(
            relation,
            cause=move(relation.cause),
            effect=move(relation.effect),
            signals=tuple(map(move, relation.signals)),
        )
        for relation in row.relations
    )
    return replace(row, text=text, relations=relations)


def augmented(row: SentenceRow) -> SentenceRow:
    """The row, in half of the cases detokenised if its corpus is tokenised by spaces."""
    return detokenised(row) if row.corpus in ("recess", "invented-recess") and random.random() < 0.5 else row
