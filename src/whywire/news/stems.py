"""Stems of words, by which texts are compared that say the same in other forms, and how rare a stem is in news.

A stem is the first letters of a word: it looks past most endings in both languages. Rarity is read from a table that
ships, so that it does not depend on what else is read: ``common_stems.tsv`` lists the stems that occur in most
reports (titles and leads), with the number of reports in ten thousand that have them.
``lab/src/whywire_lab/recipes/common_stems.py`` makes it.
"""

from __future__ import annotations

import math
import re
from functools import cache
from importlib.resources import files

from whywire.news.language import Language

REPORTS = 10_000
"""The numbers of the table are out of this many reports."""

COMMON = 500
"""A stem that more reports than this have says nothing of what they are about."""

_WORD = re.compile(r"[^\W_]+")


def stems(text: str) -> set[str]:
    """The stems, of five letters, of the words that have at least four."""
    return set(_stems(text, letters=5, shortest=4))


def report_stems(text: str) -> list[str]:
    """The stems, of six letters, of the words that have at least three, in order: those that the table counts."""
    return _stems(text, letters=6, shortest=3)


def _stems(text: str, letters: int, shortest: int) -> list[str]:
    return [word[:letters] for word in _WORD.findall(text.lower()) if len(word) >= shortest]


def rarity(stem: str, language: Language) -> float:
    """The inverse document frequency of a stem; a stem that the table lacks is as rare as the rarest in it."""
    counts, least = _table(language)
    return math.log((1 + REPORTS) / (1 + counts.get(stem, least)))


def shared_rare_stems(left: str, right: str, language: Language) -> int:
    """The number of rare stems that two titles share."""
    counts, _ = _table(language)
    return sum(counts.get(stem, 0) < COMMON for stem in {*report_stems(left)} & {*report_stems(right)})


@cache
def _table(language: Language) -> tuple[dict[str, int], int]:
    """The number of ``REPORTS`` that have each common stem, and the smallest of these numbers."""
    lines = files(__package__).joinpath("common_stems.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    counts = {stem: int(count) for name, stem, count in rows if name == language.value}
    return counts, min(counts.values(), default=0)
