"""When does a relation have a signal? Three ways to decide it with the sentence models as they are, on held-out rows.

Usage: python lab/experiments/signal_decision.py --data DATA

English rows are RECESS's of ``valid``, in folds by document; Russian ones are the stream's of ``valid``. Sentences
are known to be causal, and of the relations in all slots the first count, as many as are marked (fair evaluation).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from whywire import SentenceReader
from whywire.models.odds import IDENTITY, calibrated
from whywire.news.article import Span
from whywire.news.article import overlap as meet
from whywire.sentences.decoding import CAUSAL, PRESENT, SIGNAL, SLOT_WIDTH, SLOTS, relations_by_slot, runs
from whywire.sentences.reading import CausalRelation
from whywire.sentences.signals import SignalKind, signal_of
from whywire_lab.corpora import causal_news_corpus
from whywire_lab.corpora.splits import part_of
from whywire_lab.metrics.classification import calibration_error, overlap
from whywire_lab.metrics.fair_spans import by_label, compare_relations, total
from whywire_lab.recipes.calibration import fit_platt
from whywire_lab.recipes.sentence_data import stream_rows
from whywire_lab.recipes.sentence_model import SIGNAL_CALIBRATION

FOLDS, DRAWS = 5, 4

SCORES = ("signal precision", "signal recall", "signal F1", "cause F1", "effect F1", "F1")

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """A causal sentence, the group that no two folds share, and the relations marked in it."""

    text: str
    group: str
    marked: tuple[CausalRelation, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A relation in a slot.

    Args:
        relation: without a decision on its signal.
        true: the marked relation that shares most of both arguments; ``None`` where none does.
        logits: (tokens,), of being part of the signal.
        features: what a regression may see of the relation.
    """

    relation: CausalRelation
    true: CausalRelation | None
    logits: Array
    features: Array


@dataclass(frozen=True, slots=True)
class Sentence:
    """A row as the model reads it, its relations most probable first."""

    row: Row
    offsets: list[Span]
    found: list[Found]


Marking = Callable[[Sentence, Found], tuple[Span, ...]]
"""What is marked as the signal of a relation."""


def english_rows(data: Path) -> list[Row]:
    """RECESS's causal sentences of ``valid``, grouped by document."""
    rows = causal_news_corpus.read_sentences(data / "causal_news_corpus_v2")
    return [
        Row(row.text, row.document, row.relations)
        for row in rows
        if row.relations and part_of(row.document) == "valid"
    ]


def russian_rows(data: Path) -> list[Row]:
    """The Russian stream's causal sentences of ``valid``, each a group."""
    return [Row(row.text, row.text, row.relations) for row in stream_rows(data, "ru")["valid"] if row.relations]


def sentences_of(reader: SentenceReader, rows: Sequence[Row]) -> list[Sentence]:
    """Read the rows, a relation a slot."""
    sentences = []
    for batch in reader.model.run([row.text for row in rows], ["sentence", "tokens"]):
        for place, (number, encoding) in enumerate(zip(batch.numbers, batch.encodings, strict=True)):
            sentence = Sentence(rows[number], encoding.offsets[1:-1], [])
            tokens = batch.outputs["tokens"][place][1 : len(sentence.offsets) + 1]
            _fill(sentence, batch.outputs["sentence"][place], tokens)
            sentences.append(sentence)
    return sentences


def _fill(sentence: Sentence, logits: NDArray[np.float32], tokens: NDArray[np.float32]) -> None:
    """Find the relations of all slots, each once."""
    for slot in np.argsort(-logits[PRESENT], kind="stable"):
        alone = np.eye(SLOTS, dtype=np.float32)[slot]
        marks = tokens[:, slot * SLOT_WIDTH + SIGNAL].astype(np.float64)
        for relation in relations_by_slot(tokens, sentence.offsets, sentence.row.text, alone).values():
            if any(_shared(one.relation, relation) == 1 for one in sentence.found):
                continue
            true = max(sentence.row.marked, key=lambda one: _shared(one, relation))
            seen = [float(logits[PRESENT][slot]), float(logits[CAUSAL]), *_features(sentence, relation, marks)]
            known = true if _shared(true, relation) else None
            sentence.found.append(Found(replace(relation, signals=()), known, marks, np.array(seen)))


def _shared(one: CausalRelation, other: CausalRelation) -> float:
    """How much two relations share: the lower overlap of their causes and of their effects (0 to 1)."""
    return min(overlap(one.cause, other.cause), overlap(one.effect, other.effect))


def _features(sentence: Sentence, relation: CausalRelation, marks: Array) -> list[float]:
    """The highest logit and where it stands, how many tokens are likely, and the words' kind."""
    best = sentence.offsets[int(marks.argmax())]
    first, last = sorted([relation.cause, relation.effect])
    return [
        float(marks.max()),
        len(sentence.found) > 0,
        any(one.logits.argmax() == marks.argmax() for one in sentence.found),
        first[1] <= best[0] and best[1] <= last[0],
        meet(best, first) or meet(best, last),
        min(6, int((marks > 0).sum())),
        signal_of(sentence.row.text, relation).kind is SignalKind.CONNECTIVE,
    ]


def with_calibration(fitted: Mapping[str, float]) -> Marking:
    """Mark tokens that are more likely part of a signal than not."""
    return lambda sentence, one: runs(
        fitted["scale"] * one.logits + fitted["shift"] > 0, sentence.offsets, sentence.row.text
    )


def fitted_calibration(sentences: Sequence[Sentence]) -> Marking:
    """Scale and shift fitted to the tokens of these sentences (Platt 1999)."""
    logits, truth = token_table(sentences)
    (scale,), shift = fit_platt(logits[:, None], truth)
    return with_calibration({"scale": scale, "shift": shift})


def regression(undone: bool) -> Callable[[Sequence[Sentence]], Marking]:
    """Decide first whether a relation has a signal, by a logistic regression fitted to these sentences.

    Args:
        undone: undo the loss's weight in the tokens of relations that have one, unless no token were left.
    """

    def fit(sentences: Sequence[Sentence]) -> Marking:
        known = [(one, one.true) for sentence in sentences for one in sentence.found if one.true]
        model = make_pipeline(StandardScaler(), LogisticRegression())
        model.fit([one.features for one, _ in known], [bool(true.signals) for _, true in known])
        before, undoing = with_calibration(IDENTITY), with_calibration(SIGNAL_CALIBRATION)

        def mark(sentence: Sentence, one: Found) -> tuple[Span, ...]:
            if not model.predict([one.features])[0]:
                return ()
            return (undone and undoing(sentence, one)) or before(sentence, one)

        return mark

    return fit


def token_table(sentences: Sequence[Sentence]) -> tuple[Array, NDArray[np.bool_]]:
    """Logits of the tokens of all relations that meet a marked one, and whether they are part of its signal."""
    known = [(sentence, one, one.true) for sentence in sentences for one in sentence.found if one.true]
    inside = [
        any(meet(token, part) for part in true.signals) for sentence, _, true in known for token in sentence.offsets
    ]
    return np.concatenate([one.logits for _, one, _ in known]), np.array(inside)


WAYS: dict[str, Callable[[Sequence[Sentence]], Marking]] = {
    "before": lambda _: with_calibration(IDENTITY),
    "regression": regression(undone=False),
    "regression, weight undone": regression(undone=True),
    "tokens, fitted": fitted_calibration,
    "tokens, weight undone": lambda _: with_calibration(SIGNAL_CALIBRATION),
}


def scores(sentences: Sequence[Sentence], mark: Marking) -> list[float]:
    """:data:`SCORES` of these sentences."""
    counts = [
        compare_relations(
            [replace(one.relation, signals=mark(sentence, one)) for one in sentence.found], sentence.row.marked
        )
        for sentence in sentences
    ]
    labels = by_label(counts)
    signal = labels["signal"].score
    return [
        signal.precision,
        signal.recall,
        signal.f1,
        *(labels[name].score.f1 for name in ("cause", "effect")),
        total(counts).score.f1,
    ]


def fold_scores(sentences: Sequence[Sentence]) -> dict[str, Array]:
    """The scores of each way on each held-out fold, (folds of all draws, 6)."""
    groups = sorted({sentence.row.group for sentence in sentences})
    results: dict[str, list[list[float]]] = {name: [] for name in WAYS}
    for draw in range(DRAWS):
        folds = dict(zip(groups, np.random.default_rng(draw).permutation(len(groups)) % FOLDS, strict=True))
        for fold in range(FOLDS):
            inside = [sentence for sentence in sentences if folds[sentence.row.group] != fold]
            outside = [sentence for sentence in sentences if folds[sentence.row.group] == fold]
            for name, fit in WAYS.items():
                results[name].append(scores(outside, fit(inside)))
    return {name: 100 * np.array(found) for name, found in results.items()}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    for name, rows in (("sentences-en", english_rows(data)), ("sentences-ru", russian_rows(data))):
        sentences = sentences_of(SentenceReader.from_pretrained(name), rows)
        print(f"{name}: {len(sentences)} sentences")
        found = fold_scores(sentences)
        for way, values in found.items():
            gain = values - found["before"]
            print(
                f"{way:26}", _told(SCORES, values), "| gain", _told(SCORES[2:], gain[:, 2:]), f"of {len(gain)} folds"
            )
        logits, truth = token_table(sentences)
        for way, fitted in (("before", IDENTITY), ("weight undone", SIGNAL_CALIBRATION)):
            said = calibrated(logits, fitted)
            error = calibration_error(said, truth)
            print(
                f"tokens, {way}: {said.mean():.4f} expected, {truth.mean():.4f} true, calibration error {error:.4f}"
            )


def _told(names: Sequence[str], values: Array) -> str:
    columns = zip(names, values.mean(0), values.std(0), strict=True)
    return ", ".join(f"{name} {mean:.1f} ± {deviation:.1f}" for name, mean, deviation in columns)


if __name__ == "__main__":
    main()
