"""Two days of real news from hundreds of sites, English and Russian (Apache-2.0)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path


def read_articles(folder: Path, language: str) -> Iterator[dict[str, str]]:
    """Read ``url, source, published, title, text, system_group`` (an older system's grouping) of ``en`` or ``ru``."""
    with (folder / f"{language}.jsonl").open(encoding="utf-8") as file:
        yield from map(json.loads, file)
