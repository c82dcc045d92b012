"""e-CARE (Du et al. 2022; MIT): everyday causal questions with one right and one wrong hypothesis."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class CausalQuestion:
    """A premise, and what is and what is not its cause (or its effect)."""

    premise: str
    asks_for_cause: bool
    right: str
    wrong: str


def read_questions(path: Path) -> Iterator[CausalQuestion]:
    """Read ``premise, ask-for, hypothesis1, hypothesis2, label``."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            pair = (row["hypothesis1"], row["hypothesis2"])
            yield CausalQuestion(
                row["premise"], row["ask-for"] == "cause", pair[row["label"]], pair[1 - row["label"]]
            )
