"""HeadlineCause (Gusev and Tikhonov 2021; Apache-2.0): two headlines and which of seven relations they have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from whywire.corpora.json_lines import json_lines
from whywire.headlines.relations import Relation


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two headlines and their relation."""

    left: str
    right: str
    relation: Relation
    language: str


def read_pairs(path: Path) -> Iterator[LabelledPair]:
    """Read JSON lines with ``left_title, right_title, label, language``, the label by name."""
    for row in json_lines(path):
        yield LabelledPair(row["left_title"], row["right_title"], Relation(row["label"]), row["language"])
