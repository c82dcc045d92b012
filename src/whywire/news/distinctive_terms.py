"""Stems of words, by which texts are compared that say the same in other forms."""

from __future__ import annotations

import re

WORD = re.compile(r"[^\W_]{4,}")


def stems(text: str) -> set[str]:
    """The first five letters of the words that have four at least: it looks past most endings in both languages."""
    return {word[:5] for word in WORD.findall(text.lower())}
