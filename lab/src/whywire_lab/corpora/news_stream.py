"""Two days of real news from hundreds of sites, English and Russian (Apache-2.0)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from whywire_lab.corpora.json_lines import json_lines


def read_articles(folder: Path, language: str) -> Iterator[dict[str, str]]:
    """Read ``url, source, published, title, text, system_group`` (an older system's grouping) of ``en`` or ``ru``."""
    return json_lines(folder / f"{language}.jsonl")
