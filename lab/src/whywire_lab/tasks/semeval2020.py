"""SemEval-2020 Task 5: which sentences are counterfactual, and where antecedent and consequent stand."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from whywire.sentences.counterfactual.forms import match_forms
from whywire.sentences.counterfactual.grammar import english
from whywire.sentences.reader import DECISION_THRESHOLD, SentenceReader
from whywire_lab.corpora import semeval2020
from whywire_lab.corpora.semeval2020 import LabelledSentence, MarkedCounterfactual, Parts
from whywire_lab.corpora.splits import first_words
from whywire_lab.metrics.classification import accuracy, binary_score, matthews
from whywire_lab.metrics.counterfactual import evaluate_parts
from whywire_lab.tasks.sentence_baselines import SpanTagger, classify_by_words, random_labels, random_span_pairs
from whywire_lab.tasks.task import Progress, PublishedResult, Task
from whywire_lab.tasks.word_tags import LabelledSpan, longest

ANTECEDENT, CONSEQUENT = "antecedent", "consequent"
FOLDER = "semeval2020_task5"
PAPER = "Yang et al. 2020"
FORMS = "grammatical forms"
TEST = "test (published)"

Sentences = Sequence[LabelledSentence]
Counterfactuals = Sequence[MarkedCounterfactual]


def label_scores(answers: Sequence[bool], truth: Sequence[bool]) -> dict[str, float]:
    """F1, precision and recall of the positive class, accuracy, and Matthews' correlation."""
    found = binary_score(answers, truth)
    return {
        "F1": found.f1,
        "precision": found.precision,
        "recall": found.recall,
        "accuracy": accuracy(answers, truth),
        "MCC": matthews(answers, truth),
    }


def _answer_labels(reader: SentenceReader, rows: Sentences, progress: Progress) -> list[bool]:
    return [
        reading.counterfactual >= DECISION_THRESHOLD for reading in reader.read([row.text for row in rows], progress)
    ]


def _labels_by_words(train: Sentences, rows: Sentences) -> list[bool]:
    return classify_by_words(
        [row.text for row in train], [row.counterfactual for row in train], [row.text for row in rows]
    )


def _labels_by_forms(train: Sentences, rows: Sentences) -> list[bool]:  # noqa: ARG001
    return [match is not None for match in match_forms([row.text for row in rows])]


def _random_labels(train: Sentences, rows: Sentences) -> list[bool]:
    return random_labels([row.counterfactual for row in train], len(rows))


def _label_submission(rows: Sentences, answers: Sequence[bool]) -> str:
    file = io.StringIO()
    semeval2020.write_label_submission(file, [row.id for row in rows], answers)
    return file.getvalue()


SENTENCES: Task[LabelledSentence, bool, SentenceReader] = Task(
    name="semeval2020-1",
    model="sentences-en",
    open=SentenceReader.from_pretrained,
    folder=FOLDER,
    published=(PublishedResult("best of the task, an ensemble", TEST, PAPER, {"F1": 0.909}),),
    files=lambda split: (f"subtask1_{split}.csv",),
    read=lambda folder, split: list(semeval2020.read_subtask1(folder / f"subtask1_{split}.csv")),
    group=lambda row: first_words(row.text),
    answer=_answer_labels,
    baselines={
        "TF-IDF of lemmas, linear SVM": _labels_by_words,
        FORMS: _labels_by_forms,
        "random": _random_labels,
    },
    score=lambda rows, answers: label_scores(answers, [row.counterfactual for row in rows]),
    kinds=lambda rows, answers: {},  # noqa: ARG005
    read_submission=lambda path, rows: semeval2020.read_label_submission(path, [row.id for row in rows]),
    submission=_label_submission,
    needs={FORMS: english},
)
"""Subtask 1: is the sentence a counterfactual?"""


def _answer_parts(reader: SentenceReader, rows: Counterfactuals, progress: Progress) -> list[Parts]:
    readings = reader.read([row.text for row in rows], progress, known_counterfactual=True)
    return [(reading.antecedent, reading.consequent) for reading in readings]


def _parts_by_shapes(train: Counterfactuals, rows: Counterfactuals) -> list[Parts]:
    spans: list[list[LabelledSpan]] = [
        [(ANTECEDENT, row.antecedent), *([(CONSEQUENT, row.consequent)] if row.consequent else [])] for row in train
    ]
    found = SpanTagger([row.text for row in train], spans).tag([row.text for row in rows])
    return [(longest(own, ANTECEDENT), longest(own, CONSEQUENT)) for own in found]


def _parts_at_random(train: Counterfactuals, rows: Counterfactuals) -> list[Parts]:
    with_consequent = random_labels([row.consequent is not None for row in train], len(rows))
    return [
        (pair and pair[0], pair[1] if pair and both else None)
        for pair, both in zip(random_span_pairs([row.text for row in rows]), with_consequent, strict=True)
    ]


def _score_parts(rows: Counterfactuals, answers: Sequence[Parts]) -> dict[str, float]:
    return {name.replace("f1", "F1"): value for name, value in evaluate_parts(rows, answers).items()}


def _part_submission(rows: Counterfactuals, answers: Sequence[Parts]) -> str:
    file = io.StringIO()
    semeval2020.write_part_submission(file, [row.id for row in rows], answers)
    return file.getvalue()


def _read_parts(folder: Path, split: str) -> list[MarkedCounterfactual]:
    return list(semeval2020.read_subtask2(folder / f"subtask2_{split}.csv"))


PARTS: Task[MarkedCounterfactual, Parts, SentenceReader] = Task(
    name="semeval2020-2",
    model="sentences-en",
    open=SentenceReader.from_pretrained,
    folder=FOLDER,
    published=(
        PublishedResult("best of the task, an ensemble of RoBERTa", TEST, PAPER, {"F1": 0.882, "exact": 0.575}),
    ),
    files=lambda split: (f"subtask2_{split}.csv",),
    read=_read_parts,
    group=lambda row: first_words(row.text),
    answer=_answer_parts,
    baselines={"CRF over word shapes": _parts_by_shapes, "random": _parts_at_random},
    score=_score_parts,
    kinds=lambda rows, answers: {},  # noqa: ARG005
    read_submission=lambda path, rows: semeval2020.read_part_submission(path, [row.id for row in rows]),
    submission=_part_submission,
)
"""Subtask 2: where do antecedent and consequent stand in a sentence known to be counterfactual?"""
