"""How rare a word is in news: by a table that ships, so that it does not depend on what else was read.

``common_stems.tsv`` has the stems that occur in most reports (titles and leads), with how many of ten thousand have
them; ``lab/src/whywire_lab/recipes/common_stems.py`` makes it.
"""

from __future__ import annotations

import math
import re
from functools import cache
from importlib.resources import files

from whywire.news.language import Language

STEM_LETTERS = 6
"""Letters of a stem: it looks past most endings in both languages."""

REPORTS = 10_000
"""What the numbers of the table are out of."""

COMMON = 500
"""Of so many reports, a stem that occurs in one more often says nothing of what they are about."""

_WORD = re.compile(r"[^\W_]{3,}")


def report_stems(text: str) -> list[str]:
    """The stems of the words that have three letters at least, in order."""
    return [word[:STEM_LETTERS] for word in _WORD.findall(text.lower())]


def rarity(stem: str, language: Language) -> float:
    """The inverse document frequency of a stem; what the table does not have is as rare as the rarest in it."""
    counts, least = _table(language)
    return math.log((1 + REPORTS) / (1 + counts.get(stem, least)))


def shared_rare_stems(one: str, other: str, language: Language) -> int:
    """How many stems two titles share that tell what they are about."""
    counts, _ = _table(language)
    return sum(counts.get(stem, 0) < COMMON for stem in {*report_stems(one)} & {*report_stems(other)})


@cache
def _table(language: Language) -> tuple[dict[str, int], int]:
    """How many of ``REPORTS`` have each common stem, and the least of these numbers."""
    lines = files(__package__).joinpath("common_stems.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    counts = {stem: int(count) for name, stem, count in rows if name == language.value}
    return counts, min(counts.values(), default=0)
