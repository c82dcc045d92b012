"""RECESS, the Causal News Corpus V2 (Tan et al. 2023, tables 3, 4 and 6): sentences, relations and signals."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from whywire.errors import InputError
from whywire_lab.corpora.causal_news_corpus import CausalSentence, read_sentences
from whywire_lab.statistics.tables import Cell, StatisticsTable, mean, words

SPLITS = ("train", "dev", "test")

MOST_SIGNALS = 15
"""Signals that are listed."""

AUTHORS = "authors, "
"""What stands before a number that the authors' program printed."""

PUBLISHED_SENTENCES = {"train": (1623, 1449), "dev": (185, 155), "test": (173, 179)}
"""Causal and other sentences of each split in the authors' notebook ``Get_Dataset_Statistics.ipynb``."""

PUBLISHED_RELATIONS = {
    "train": (1623, 2257, 33.47, 11.56, 10.71, 1.45),
    "dev": (185, 249, 34.41, 12.2, 10.18, 1.53),
    "test": (173, 248, 35.93, 12.96, 11.54, 1.46),
}
"""Causal sentences, relations, words of a sentence, cause, effect and signal in the same notebook."""

NOTEBOOK = (
    "authors: printed by Get_Dataset_Statistics.ipynb of their repository, of an earlier state of the files (3,764 "
    "sentences; the paper's abstract has 3,767, of which 1,982 are causal, with 2,754 relations). Its words are "
    "NLTK's, and signals' tags inside a cause or an effect count as words, so its lengths are above ours."
)


def tables(folder: Path) -> list[StatisticsTable]:
    """Labels, relations and signals of the splits whose labels are there.

    Raises:
        InputError: no split is there, or a file is broken.
    """
    splits = {
        split: list(read_sentences(folder, split))
        for split in SPLITS
        if (folder / f"{split}_subtask1.csv").is_file() and (folder / f"{split}_subtask2_grouped.csv").is_file()
    }
    if not splits:
        raise InputError("there is no train_subtask1.csv with its train_subtask2_grouped.csv", where=str(folder))
    return [_sentences(splits), _relations(splits), _kinds(splits), _signals(splits)]


def _sentences(splits: dict[str, list[CausalSentence]]) -> StatisticsTable:
    rows: list[tuple[Cell, ...]] = []
    for split, sentences in splits.items():
        for place, (name, causal) in enumerate((("causal", True), ("other", False))):
            own = [row for row in sentences if row.causal is causal]
            lengths = mean(len(row.text) for row in own), mean(words(row.text) for row in own)
            rows.append((f"{split}, {name}", len(own), PUBLISHED_SENTENCES[split][place], *lengths))
    columns = ("sentences of", "number", f"{AUTHORS}number", "characters", "words")
    return StatisticsTable("sentences", "Sentences (table 3)", columns, tuple(rows), (NOTEBOOK,))


def _relations(splits: dict[str, list[CausalSentence]]) -> StatisticsTable:
    columns: list[list[Cell]] = []
    for split, sentences in splits.items():
        causal = [row for row in sentences if row.relations]
        told = [(row.text, relation) for row in causal for relation in row.relations]
        columns.append(
            [
                len(causal),
                len(told),
                mean(words(row.text) for row in causal),
                mean(words(text[slice(*relation.cause)]) for text, relation in told),
                mean(words(text[slice(*relation.effect)]) for text, relation in told),
                mean(words(text[slice(*span)]) for text, relation in told for span in relation.signals),
            ]
        )
        columns.append(list(PUBLISHED_RELATIONS[split]))
    names = ("causal sentences", "relations", "words a sentence", "a cause", "an effect", "a signal")
    heads = [head for split in splits for head in (split, f"{AUTHORS}{split}")]
    rows = tuple((name, *values) for name, *values in zip(names, *columns, strict=True))
    return StatisticsTable("relations", "Relations (table 4)", ("", *heads), rows)


def _kinds(splits: dict[str, list[CausalSentence]]) -> StatisticsTable:
    rows: list[tuple[Cell, ...]] = []
    for split, sentences in splits.items():
        signals = Counter(len(relation.signals) for row in sentences for relation in row.relations)
        relations = Counter(len(row.relations) for row in sentences if row.relations)
        several = sum(relations.values()) - relations[1]
        rows.append(
            (split, signals[0], sum(signals.values()) - signals[0], relations[1], several, max(relations, default=0))
        )
    columns = ("split", "without signal", "with signal", "one relation", "several", "at most")
    title = "Relations with a signal, and sentences by their relations"
    return StatisticsTable("kinds", title, columns, tuple(rows))


def _signals(splits: dict[str, list[CausalSentence]]) -> StatisticsTable:
    counts = Counter(
        row.text[slice(*span)].lower()
        for sentences in splits.values()
        for row in sentences
        for relation in row.relations
        for span in relation.signals
    )
    rows = tuple(sorted(counts.items(), key=lambda found: (-found[1], found[0]))[:MOST_SIGNALS])
    return StatisticsTable(
        "signals", f"The {MOST_SIGNALS} most frequent signals, all splits", ("signal", "number"), rows
    )
