"""The parts of the corpora: ``train``, ``valid`` (for stopping and calibration) and ``dev`` (only reported)."""

from __future__ import annotations

import hashlib
import re

SHARES = {"dev": 10, "valid": 6}
"""Per cent of the groups of near-duplicates (or documents) in each held-out part."""


def part_of(key: str) -> str:
    """The part of a group of rows, by the hash of its key: ``train``, ``valid`` or ``dev``, the same everywhere.

    Args:
        key: the rows' document, or their :func:`first_words` if a corpus names no document.
    """
    place = int.from_bytes(hashlib.sha256(key.encode()).digest()[:4]) % 100
    for part, share in SHARES.items():
        if place < share:
            return part
        place -= share
    return "train"


def first_words(text: str) -> str:
    """The first eight words of a text in lower case, which near-duplicates share."""
    return " ".join(re.findall(r"\w+", text.lower())[:8])


def part_of_topic(key: str) -> str:
    """The part of a topic of a small corpus: a quarter of the topics is ``dev``, a twelfth ``valid``."""
    place = int.from_bytes(hashlib.sha256(key.encode()).digest()[:4])
    return "dev" if place % 4 == 0 else "valid" if place % 12 == 1 else "train"


def part_of_story(topic: int) -> str:
    """The part of a topic of event_causes: every fifth is ``dev``, of every ten another one ``valid``."""
    return "dev" if topic % 5 == 0 else "valid" if topic % 10 == 1 else "train"


def part_of_release(key: str) -> str:
    """The part of a corpus that is made here: a tenth of the groups of rows is ``dev``, a tenth ``test``."""
    return {0: "dev", 1: "test"}.get(int.from_bytes(hashlib.sha256(key.encode()).digest()[:4]) % 10, "train")
