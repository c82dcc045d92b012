"""Terms rare enough to show that two headlines are about the same people, places and things."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence

WORD = re.compile(r"[^\W_]{4,}")

COMMON_SHARE, COMMON_COUNT = 0.03, 20
"""A stem in more headlines than this share, and than this count, is too common to be distinctive."""


def stems(text: str) -> set[str]:
    """The first five letters of the words that have four at least: it looks past most endings in both languages."""
    return {word[:5] for word in WORD.findall(text.lower())}


class DistinctiveTerms:
    """Which stems tell headlines apart, and which headlines hold them.

    Args:
        headlines: all that are compared with one another.
        common: a stem in more than this share of them, and in more than ``COMMON_COUNT``, does not.
    """

    def __init__(self, headlines: Sequence[str], common: float = COMMON_SHARE) -> None:
        holders: dict[str, list[int]] = defaultdict(list)
        for number, headline in enumerate(headlines):
            for stem in sorted(stems(headline)):  # sums over stems are to repeat to the last bit
                holders[stem].append(number)
        self.texts = len(headlines)
        limit = max(COMMON_COUNT, common * len(headlines))
        self.holders = {stem: numbers for stem, numbers in holders.items() if len(numbers) <= limit}

    def shared(self, one: str, other: str) -> int:
        """How many distinctive stems two texts share."""
        return sum(stem in self.holders for stem in stems(one) & stems(other))

    def idf(self) -> dict[str, float]:
        """The inverse document frequency of each distinctive stem, smoothed: log((1 + texts) / (1 + holders)) + 1."""
        return {stem: math.log((1 + self.texts) / (1 + len(own))) + 1 for stem, own in self.holders.items()}
