"""Hashes that stand for texts which are not published in the label files."""

from __future__ import annotations

import hashlib
from pathlib import Path

from whywire_lab.corpora import news_stream


def short_hash(text: str) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of a text: an article's URL, a headline or a sentence."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def articles_by_hash(folder: Path, language: str) -> dict[str, dict[str, str]]:
    """The articles of a news stream by the hashes of their URLs; of several with one URL, the first.

    Args:
        folder: of the news streams.
    """
    return {short_hash(row["url"]): row for row in reversed(list(news_stream.read_articles(folder, language)))}
