"""Stems of words, which make different word forms comparable, and how rare a stem is in news.

A stem is the first letters of a word. So it lacks most endings of both languages. Rarity comes from a bundled table,
so it does not depend on the other articles. The table ``common_stems.tsv`` lists the most frequent stems of reports
(titles and leads), with the number of reports in ten thousand that contain the stem.
``lab/src/whywire_lab/recipes/common_stems.py`` makes it.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from whywire.news.language import Language

REPORTS = 10_000
"""The table counts stems in this many reports."""

COMMON = 500
"""A stem in this many reports or more says nothing about their subject."""

LETTERS, SHORTEST = 5, 4
"""The number of letters of a stem, and of the shortest word that has a stem."""

_WORD = re.compile(r"[^\W_]+")


def stems(text: str) -> set[str]:
    """Return the five-letter stems of the words of at least four letters."""
    return set(_stems(text, letters=LETTERS, shortest=SHORTEST))


def report_stems(text: str) -> list[str]:
    """Return the six-letter stems of the words of at least three letters, in order; the table counts such stems."""
    return _stems(text, letters=6, shortest=3)


def _stems(text: str, letters: int, shortest: int) -> list[str]:
    return [word[:letters] for word in _WORD.findall(text.lower()) if len(word) >= shortest]


def rarity(stem: str, language: Language) -> float:
    """Return the inverse document frequency of a stem.

    A stem missing from the table is treated like the rarest one in it.
    """
    counts, least = _table(language)
    return math.log((1 + REPORTS) / (1 + counts.get(stem, least)))


def rarities(text: str, language: Language) -> dict[str, float]:
    """Return the rarity of each of the :func:`stems` of a text, as that of the longer stem in the table."""
    words = (word for word in _WORD.findall(text.lower()) if len(word) >= SHORTEST)
    return {word[:LETTERS]: rarity(word[:6], language) for word in words}


def is_frequent(word: str, language: Language) -> bool:
    """Return whether a word is in the table of frequent stems; names mostly are not."""
    return all(stem in _table(language)[0] for stem in report_stems(word))


def hashed_stems(counts: Mapping[str, int], language: Language, size: int) -> NDArray[np.float32]:
    """Return a vector of stems of unit length, (size,); a zero vector if there are no stems.

    A hash assigns one element and a sign to each stem. The stem adds its rarity times (1 + logarithm of its count) to
    this element.
    """
    vector = np.zeros(size, dtype=np.float32)
    for stem, count in sorted(counts.items()):  # sums in one order, in whatever order the stems come
        hashed = zlib.crc32(stem.encode())
        sign = 1 if hashed >> 31 else -1
        vector[hashed % size] += sign * (1 + math.log(count)) * rarity(stem, language)
    length = float(np.linalg.norm(vector))
    return vector / np.float32(length) if length else vector


def shared_rare_stems(left: str, right: str, language: Language) -> int:
    """Return the number of rare stems that two titles share."""
    counts, _ = _table(language)
    return sum(counts.get(stem, 0) < COMMON for stem in {*report_stems(left)} & {*report_stems(right)})


@cache
def _table(language: Language) -> tuple[dict[str, int], int]:
    """Return how many of the ``REPORTS`` have each stem of the table, and the smallest of these numbers."""
    lines = files(__package__).joinpath("common_stems.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    counts = {stem: int(count) for name, stem, count in rows if name == language.value}
    return counts, min(counts.values(), default=0)
