"""RECESS, the Causal News Corpus V2: which sentences are causal, and where cause, effect and signal stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

from whywire.news.article import Span
from whywire.progress import share_of
from whywire.sentences.reader import DECISION_THRESHOLD, SentenceReader
from whywire_lab.corpora import causal_news_corpus
from whywire_lab.corpora.causal_news_corpus import CausalSentence
from whywire_lab.exchange.argument_tags import TaggedRelation
from whywire_lab.metrics.fair_spans import CAUSE, EFFECT, SIGNAL
from whywire_lab.metrics.recess import ALL, evaluate, evaluate_strictly
from whywire_lab.tasks.semeval2020 import label_scores
from whywire_lab.tasks.sentence_baselines import (
    SpanTagger,
    classify_by_words,
    random_labels,
    random_span_pairs,
    random_word_spans,
)
from whywire_lab.tasks.task import Progress, PublishedResult, Task, TaskRows
from whywire_lab.tasks.word_tags import LabelledSpan, longest

FOLDER = "causal_news_corpus_v2"
PAPER = "Tan et al. 2023"
DEV, TEST = "dev (published)", "test (published)"

SIGNAL_RATE = 0.1
"""Share of words the random baseline takes for signals, as in the corpus's own random baseline."""

Sentences = Sequence[CausalSentence]
Relations = tuple[TaggedRelation, ...]
Answer = TypeVar("Answer")


def numbers_by_kind(rows: Sentences) -> dict[str, list[int]]:
    """Row numbers of the causal sentences of each kind (RECESS, section 6); one with a signal marked is explicit."""
    kinds: dict[str, list[int]] = {"explicit": [], "implicit": [], "one relation": [], "several": []}
    for number, row in enumerate(rows):
        if row.relations:
            kinds["explicit" if any(relation.signals for relation in row.relations) else "implicit"].append(number)
            kinds["several" if len(row.relations) > 1 else "one relation"].append(number)
    return kinds


@dataclass(frozen=True, slots=True)
class RecessTask(Task[CausalSentence, Answer, SentenceReader]):
    """A task of RECESS: sentences with their labels or, where only the texts were published, without.

    Args:
        texts: the name of the file of texts of a split.
    """

    texts: Callable[[str], str] = str

    def load(self, data: Path, split: str = "dev") -> TaskRows[CausalSentence]:
        """The sentences of a split; those of ``test`` have no published labels, and are only answered."""
        folder = self.folder_in(data)
        path = folder / self.texts(split)
        if path.is_file() and not any((folder / name).is_file() for name in self.files(split)):
            rows = list(causal_news_corpus.read_texts(path))
            return TaskRows(f"{split} (published, without labels)", (path,), rows, list, labelled=False)
        return Task.load(self, data, split)


def _files(split: str) -> tuple[str, ...]:
    return f"{split}_subtask1.csv", f"{split}_subtask2_grouped.csv"


def _read(folder: Path, split: str) -> list[CausalSentence]:
    return list(causal_news_corpus.read_sentences(folder, split))


def _lines(lines: Iterable[str]) -> str:
    return "".join(line + "\n" for line in lines)


def _answer_labels(reader: SentenceReader, rows: Sentences, progress: Progress) -> list[bool]:
    return [reading.causal >= DECISION_THRESHOLD for reading in reader.read([row.text for row in rows], progress)]


def _labels_by_words(train: Sentences, rows: Sentences) -> list[bool]:
    return classify_by_words([row.text for row in train], [row.causal for row in train], [row.text for row in rows])


def _random_labels(train: Sentences, rows: Sentences) -> list[bool]:
    return random_labels([row.causal for row in train], len(rows))


def _recall_by_kind(rows: Sentences, answers: Sequence[bool]) -> dict[str, float]:
    """The share of each kind's causal sentences that the system called causal."""
    return {
        kind: float(np.mean([answers[number] for number in numbers])) if numbers else 0.0
        for kind, numbers in numbers_by_kind(rows).items()
    }


SENTENCES: Task[CausalSentence, bool, SentenceReader] = RecessTask(
    name="recess-1",
    model="sentences-en",
    open=SentenceReader.from_pretrained,
    folder=FOLDER,
    published=(
        PublishedResult("BERT-base", DEV, PAPER, {"F1": 0.863}),
        PublishedResult("best of the 2023 shared task", TEST, "Tan et al. 2023, CASE", {"F1": 0.8466}),
    ),
    files=_files,
    read=_read,
    group=lambda row: row.document,
    answer=_answer_labels,
    baselines={"TF-IDF of lemmas, linear SVM": _labels_by_words, "random": _random_labels},
    score=lambda rows, answers: label_scores(answers, [row.causal for row in rows]),
    kinds=_recall_by_kind,
    read_submission=lambda path, rows: causal_news_corpus.read_labels(path, len(rows)),
    submission=lambda rows, answers: _lines(causal_news_corpus.label_lines(answers)),  # noqa: ARG005
    texts=lambda split: f"{split}_subtask1_text.csv",
)
"""Subtask 1: does the sentence claim a cause and an effect?"""


@dataclass(frozen=True, slots=True)
class SpanAnswer:
    """The relations a system finds in one sentence.

    Args:
        if_causal: the relations if the sentence is known to be causal, most probable first; the published scorer
            takes as many as the gold has.
        decided: the relations if the system itself must decide whether there are any, and how many.
    """

    if_causal: Relations
    decided: Relations


def _span_answers(found: Iterable[Relations], causal: Iterable[bool]) -> list[SpanAnswer]:
    return [SpanAnswer(relations, relations if yes else ()) for relations, yes in zip(found, causal, strict=True)]


def _answer_spans(reader: SentenceReader, rows: Sentences, progress: Progress) -> list[SpanAnswer]:
    texts = [row.text for row in rows]
    ranked = reader.read(texts, share_of(progress, 0.5), known_causal=True, floor=0)
    readings = reader.read(texts, share_of(progress, 0.5))
    if_causal, decided = (
        [tuple(map(TaggedRelation.of, reading.relations)) for reading in found] for found in (ranked, readings)
    )
    return list(map(SpanAnswer, if_causal, decided))


def _spans_by_shapes(train: Sentences, rows: Sentences) -> list[SpanAnswer]:
    """One relation a sentence, learnt from each sentence's first; a second CRF finds signals, which lie in arguments.

    Which sentences are causal is decided by the baseline of subtask 1.
    """
    causal = [row for row in train if row.relations]
    known, asked = [row.text for row in causal], [row.text for row in rows]
    first = [row.relations[0] for row in causal]
    arguments: list[list[LabelledSpan]] = [[(CAUSE, relation.cause), (EFFECT, relation.effect)] for relation in first]
    signals: list[list[LabelledSpan]] = [[(SIGNAL, span) for span in relation.signals] for relation in first]
    found = [
        TaggedRelation(_one(longest(own, CAUSE)), _one(longest(own, EFFECT)), tuple(span for _, span in signs))
        for own, signs in zip(
            SpanTagger(known, arguments).tag(asked), SpanTagger(known, signals).tag(asked), strict=True
        )
    ]
    relations = [(relation,) if relation != TaggedRelation() else () for relation in found]
    return _span_answers(relations, _labels_by_words(train, rows))


def _one(span: Span | None) -> tuple[Span, ...]:
    return (span,) if span else ()


def _random_spans(train: Sentences, rows: Sentences) -> list[SpanAnswer]:
    texts = [row.text for row in rows]
    relations = [
        (TaggedRelation((pair[0],), (pair[1],), signals),) if pair else ()
        for pair, signals in zip(random_span_pairs(texts), random_word_spans(texts, SIGNAL_RATE), strict=True)
    ]
    return _span_answers(relations, _random_labels(train, rows))


def _score_spans(rows: Sentences, answers: Sequence[SpanAnswer]) -> dict[str, float]:
    tables = evaluate(rows, [answer.if_causal for answer in answers])
    strict = evaluate_strictly(rows, [answer.decided for answer in answers])
    found = tables[ALL]
    return {
        "F1": found["F1"],
        "precision": found["Precision"],
        "recall": found["Recall"],
        "cause F1": found["Cause_F1"],
        "effect F1": found["Effect_F1"],
        "signal F1": found["Signal_F1"],
        "strict F1": strict["F1"],
    }


def _f1_by_kind(rows: Sentences, answers: Sequence[SpanAnswer]) -> dict[str, float]:
    return {
        kind: evaluate([rows[number] for number in numbers], [answers[number].if_causal for number in numbers])[ALL][
            "F1"
        ]
        for kind, numbers in numbers_by_kind(rows).items()
    }


def _read_spans(path: Path, rows: Sentences) -> list[SpanAnswer]:
    """Read a submission; it has one list of relations a sentence, which stands for ``if_causal`` and ``decided``."""
    found = causal_news_corpus.read_submission(path, [row.text for row in rows])
    return [SpanAnswer(relations, relations) for relations in found]


def _span_submission(rows: Sentences, answers: Sequence[SpanAnswer]) -> str:
    """The relations of ``if_causal``: the scorer looks only at causal sentences, and a file cannot know which."""
    found = [answer.if_causal for answer in answers]
    return _lines(causal_news_corpus.submission_lines([row.text for row in rows], found))


SPANS: Task[CausalSentence, SpanAnswer, SentenceReader] = RecessTask(
    name="recess-2",
    model="sentences-en",
    open=SentenceReader.from_pretrained,
    folder=FOLDER,
    published=(
        PublishedResult("ALBERT-xxlarge, beam search, signal classifier", DEV, PAPER, {"F1": 0.705}),
        PublishedResult("BoschAI, best of the 2023 shared task", TEST, "Schrader et al. 2023", {"F1": 0.728}),
    ),
    files=_files,
    read=_read,
    group=lambda row: row.document,
    answer=_answer_spans,
    baselines={"CRF over word shapes": _spans_by_shapes, "random": _random_spans},
    score=_score_spans,
    kinds=_f1_by_kind,
    read_submission=_read_spans,
    submission=_span_submission,
    texts=lambda split: f"{split}_subtask2_text.csv",
)
"""Subtask 2: where do cause, effect and signal stand?"""
