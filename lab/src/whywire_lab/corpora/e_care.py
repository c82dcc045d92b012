"""e-CARE (Du et al. 2022; MIT): which of two hypotheses is the cause, or the effect, of a premise from life."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from whywire_lab.corpora.json_lines import json_lines


@dataclass(frozen=True, slots=True)
class EverydayQuestion:
    """A premise, whether its effect (else its cause) is asked for, and the right and the wrong hypothesis."""

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
