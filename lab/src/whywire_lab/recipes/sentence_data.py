"""Rows for the sentence model: text, what is known of it, and its spans, from three corpora and our own labels."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from whywire.news import Language, split_sentences
from whywire.news.article import Span
from whywire.sentences.layout import QUESTIONS
from whywire.sentences.reading import CausalRelation
from whywire_lab.corpora import causal_news_corpus, news_stream, semeval2020
from whywire_lab.corpora.json_lines import json_lines
from whywire_lab.corpora.parts import gist, part_of

MIN_WORDS = 6
"""Of a sentence taken from the stream as it comes."""

LABELS = Path(__file__).parent.parent / "labels"
"""Annotations made for this project."""


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """A sentence with what its corpus says of it; ``None`` where it says nothing.

    Args:
        relations: asserted and denied ones; ``None`` where no one marked any (not the same as none found).
        denial: whether it denies that something led to something.
        parts: antecedent and consequent of a counterfactual, where marked.
    """

    text: str
    causal: bool | None = None
    counterfactual: bool | None = None
    relations: tuple[CausalRelation, ...] | None = None
    denial: bool | None = None
    parts: tuple[Span, Span | None] | None = None
    corpus: str = ""

    def asserts(self, relation: CausalRelation) -> bool:
        """Whether a relation that is marked as asserted overlaps this one in both arguments."""
        return any(not known.denied and known.meets(relation) for known in self.relations or ())


def load_rows(data: Path) -> dict[str, list[SentenceRow]]:
    """Return the English rows of ``train``, ``valid`` (for stopping and calibration) and ``dev`` (only reported).

    No two parts share a document or a near-duplicate.
    """
    parts = load_recess(data)
    folder = data / "semeval2020_task5"
    for labelled in semeval2020.read_subtask1(folder / "subtask1_train.csv"):
        row = SentenceRow(labelled.text, counterfactual=labelled.counterfactual, corpus="semeval-1")
        parts[part_of(gist(labelled.text))].append(row)
    for marked in semeval2020.read_subtask2(folder / "subtask2_train.csv"):
        spans = (marked.antecedent, marked.consequent)
        row = SentenceRow(marked.text, counterfactual=True, parts=spans, corpus="semeval-2")
        parts[part_of(gist(marked.text))].append(row)
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
    """The Russian rows of each part, and those of them that both languages learn from.

    Args:
        articles: of the Russian stream, those that may be learnt from; :func:`plain_sentences` come from them.
    """
    parts = _joined(load_rows(data), stream_rows(data, "ru"))
    parts = _joined(parts, invented_denials("ru"))
    return _joined(parts, plain_sentences(articles, Language.RUSSIAN))


def _joined(one: dict[str, list[SentenceRow]], other: dict[str, list[SentenceRow]]) -> dict[str, list[SentenceRow]]:
    return {part: one[part] + other[part] for part in one}


def invented_counterfactuals() -> list[SentenceRow]:
    """English sentences written for this project: half imagine, half only use the words of those that do."""
    rows = []
    for row in json_lines(LABELS / "counterfactuals_en.jsonl"):
        parts = _parts(row)
        rows.append(SentenceRow(row["text"], counterfactual=parts is not None, parts=parts, corpus="invented"))
    return rows


def invented_causes() -> list[SentenceRow]:
    """English sentences written for this project in the manner of RECESS, tokenised by spaces as it is."""
    return [
        _without_denial(
            SentenceRow(row["text"], causal=row["causal"], relations=_relations(row), corpus="invented-recess")
        )
        for row in json_lines(LABELS / "causes_en.jsonl")
    ]


def invented_denials(language: str) -> dict[str, list[SentenceRow]]:
    """Sentences written for this project that deny a cause, or only sound as if they did, by part."""
    parts: dict[str, list[SentenceRow]] = {"train": [], "valid": [], "dev": []}
    for row in json_lines(LABELS / f"denials_{language}.jsonl"):
        relations = _relations(row)
        denials = [relation.denied for relation in relations]
        parts[part_of(row["text"])].append(
            SentenceRow(
                row["text"],
                causal=not all(denials),
                denial=any(denials),
                relations=relations,
                corpus="invented-recess" if " ." in row["text"] else "invented",
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
    """The row, marked as denying nothing where nobody said that it does and none of the words that do is in it.

    A Russian "не" alone is too common for that: left open, the small model takes half of them for denials.
    """
    open_to_doubt = row.denial is not None or _MAY_DENY.search(row.text)
    return row if open_to_doubt else replace(row, denial=False)


def plain_sentences(articles: Iterable[dict[str, str]], language: Language) -> dict[str, list[SentenceRow]]:
    """A sentence of each article that has none of the words that deny or concede, by part: it denies nothing.

    News denies a cause in one sentence of a hundred; the sentences written to teach it, in every other one.
    """
    parts: dict[str, list[SentenceRow]] = {"train": [], "valid": [], "dev": []}
    for article in articles:
        text, key = article["text"], url_key(article["url"])
        spans = [span for span in split_sentences(text, language) if len(text[slice(*span)].split()) >= MIN_WORDS]
        if spans:
            row = _without_denial(SentenceRow(text[slice(*spans[int(key, 16) % len(spans)])], corpus="plain"))
            if row.denial is False:
                parts[part_of(article["url"])].append(row)
    return parts


def stream_rows(data: Path, language: str) -> dict[str, list[SentenceRow]]:
    """Sentences of the news stream annotated for this project; the file holds offsets, never text.

    Training takes articles up to noon of the second day, the rest is split between ``valid`` and ``dev``.
    """
    articles = articles_by_key(data / "news_stream", language)
    parts: dict[str, list[SentenceRow]] = {"train": [], "valid": [], "dev": []}
    for row in json_lines(LABELS / f"sentences_{language}.jsonl"):
        start, end = row["sentence"]
        part = "train" if row["part"] == "train" else "valid" if int(row["article"], 16) % 3 == 0 else "dev"
        relations = None if row["relations"] is None else _relations(row)
        sentence = SentenceRow(
            articles[row["article"]]["text"][start:end],
            causal=row["causal"],
            counterfactual=row["counterfactual"],
            denial=row.get("denial"),
            relations=relations,
            parts=_parts(row),
            corpus=f"stream-{language}",
        )
        parts[part].append(_without_denial(sentence))
    return parts


def _relations(row: dict[str, Any]) -> tuple[CausalRelation, ...]:
    return tuple(
        CausalRelation(
            tuple(found["cause"]),
            tuple(found["effect"]),
            tuple(map(tuple, found["signals"])),
            denied=found.get("denied", False),
        )
        for found in row["relations"]
    )


def _parts(row: dict[str, Any]) -> tuple[Span, Span | None] | None:
    if row["antecedent"] is None:
        return None
    return tuple(row["antecedent"]), row["consequent"] and tuple(row["consequent"])


def questions(rows: Iterable[SentenceRow]) -> Iterator[tuple[str, list[SentenceRow], list[bool]]]:
    """The yes-or-no questions by their names in ``layout.QUESTIONS``: the rows that answer each, and the answers."""
    known = [row for row in rows if row.corpus != "semeval-2"]  # which only says where the parts are
    for name in QUESTIONS:
        answered = [row for row in known if getattr(row, name) is not None]
        yield name, answered, [getattr(row, name) for row in answered]


def url_key(url: str) -> str:
    """The short hash that stands for an article in the label files."""
    return hashlib.sha256(url.encode()).hexdigest()[:16]


def articles_by_key(folder: Path, language: str) -> dict[str, dict[str, str]]:
    """The articles of a news stream by the hashes of their urls; of two with one url, the first.

    Args:
        folder: of the news streams.
    """
    return {url_key(row["url"]): row for row in reversed(list(news_stream.read_articles(folder, language)))}


_NO_SPACE_BEFORE = re.compile(r" (?=[.,;:!?%)\]’]|'s\b|n't\b|'\s|''|”)")
_NO_SPACE_AFTER = re.compile(r"(?<=[(\[$£€“‘]) ")


def detokenised(row: SentenceRow) -> SentenceRow:
    """The row as a newspaper would print it: without the spaces a tokeniser put around punctuation."""
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
    """The row with another text, its relations' spans moved into it."""
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
    """The row, or half of the time its detokenised form, where its corpus is tokenised by spaces."""
    return detokenised(row) if row.corpus in ("recess", "invented-recess") and random.random() < 0.5 else row
