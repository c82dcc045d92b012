"""Direct causes among four events of a story, as in CRAB's multiple choice (research use; no licence stated)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from whywire_lab.corpora.json_lines import json_lines

NO_EVENT = "None of the others"
"""The beginning of an option that is no event. One question in seven has this option, and it is always right."""


@dataclass(frozen=True, slots=True)
class Question:
    """An event, four other events of its story, and which of them caused it directly.

    Args:
        answers: indices into ``options``; one or more.
    """

    topic: int
    effect: str
    options: tuple[str, ...]
    answers: frozenset[int]

    @property
    def events_only(self) -> bool:
        """Whether every option is an event."""
        return not any(option.startswith(NO_EVENT) for option in self.options)


def read_questions(path: Path) -> Iterator[Question]:
    """Read ``topic_id, target_event, option_A…option_D, golden_answer`` (letters, commas between)."""
    for row in json_lines(path):
        options = tuple(row[f"option_{letter}"] for letter in "ABCD")
        answers = frozenset("ABCD".index(letter) for letter in row["golden_answer"].split(","))
        yield Question(row["topic_id"], row["target_event"], options, answers)
