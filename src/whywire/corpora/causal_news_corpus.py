"""Causal News Corpus V2, also called RECESS (Tan et al. 2023; CC0).

A sentence carries any number of relations, each written into a copy of the text: ``<ARG0>`` marks the cause,
``<ARG1>`` the effect, ``<SIG0>``, ``<SIG1>``... the signal's parts. Text is tokenised by spaces.
"""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from whywire.errors import InputError
from whywire.sentences.reading import CausalRelation

TAG = re.compile(r"<(/?)(ARG[01]|SIG\d+)>")


@dataclass(frozen=True, slots=True)
class CausalSentence:
    """A sentence, whether it is causal, and the relations marked in it (a causal one may have none marked)."""

    id: str
    document: str
    text: str
    causal: bool
    relations: tuple[CausalRelation, ...]


def parse_marked(marked: str) -> tuple[str, CausalRelation]:
    """Turn ``<ARG0>…</ARG0>`` markup into the plain text and spans into it.

    Raises:
        InputError: a tag is not closed, or the cause or the effect is missing.
    """
    text, opened, spans, position = "", {}, {}, 0
    for match in TAG.finditer(marked):
        text += marked[position : match.start()]
        position = match.end()
        closing, label = match.groups()
        if not closing:
            opened[label] = len(text)
        elif label in opened:
            spans[label] = (opened.pop(label), len(text))
        else:
            raise InputError(f"</{label}> closes what was never opened", where=marked[:60])
    text += marked[position:]
    if opened or "ARG0" not in spans or "ARG1" not in spans:
        raise InputError("a relation needs one closed <ARG0> and one closed <ARG1>", where=marked[:60])
    signals = tuple(sorted(span for label, span in spans.items() if label.startswith("SIG")))
    return text, CausalRelation(spans["ARG0"], spans["ARG1"], signals)


def read_sentences(folder: Path, split: str = "train") -> Iterator[CausalSentence]:
    """Join ``{split}_subtask1.csv`` (labels) with ``{split}_subtask2_grouped.csv`` (relations)."""
    relations: dict[str, tuple[CausalRelation, ...]] = {}
    with (folder / f"{split}_subtask2_grouped.csv").open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            marked = ast.literal_eval(row["causal_text_w_pairs"])
            relations[row["text"]] = tuple(parse_marked(text)[1] for text in marked)
    with (folder / f"{split}_subtask1.csv").open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            document = row["index"].rsplit("_", 1)[0]
            yield CausalSentence(
                row["index"], document, row["text"], row["label"] == "1", relations.get(row["text"], ())
            )
