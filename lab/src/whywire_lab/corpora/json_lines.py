"""JSON Lines: one JSON object a line, as most corpora have it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The object on each line of a UTF-8 file."""
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)
