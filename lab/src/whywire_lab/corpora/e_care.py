"""e-CARE (Du et al. 2022; MIT): which of two hypotheses is the cause, or the effect, of an everyday premise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from whywire_lab.corpora.json_lines import json_lines


@dataclass(frozen=True, slots=True)
class EverydayQuestion:
    """A premise, a right and a wrong hypothesis, and whether they are its effect or its cause."""

    premise: str
    asks_for_effect: bool
    right: str
    wrong: str


def read_questions(path: Path) -> Iterator[EverydayQuestion]:
    """Read ``premise, ask-for, hypothesis1, hypothesis2, label`` (0 where the first is right)."""
    for row in json_lines(path):
        hypotheses = row["hypothesis1"], row["hypothesis2"]
        yield EverydayQuestion(
            row["premise"], row["ask-for"] == "effect", hypotheses[row["label"]], hypotheses[1 - row["label"]]
        )
