"""Files that hold what is expected.

With ``WHYWIRE_WRITE_GOLDEN=1`` they are written anew instead of compared: read the difference before you commit it. A
run that writes them fails in any case (``tests/test_golden_files.py``), so that nobody takes it for a check.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

WRITE = "WHYWIRE_WRITE_GOLDEN"


def is_writing() -> bool:
    """Whether the files are written anew."""
    return bool(os.environ.get(WRITE))


def check_text(text: str, path: Path) -> None:
    """Compare a text with that of a file, to the byte."""
    if is_writing():
        path.write_bytes(text.encode())
    assert text == path.read_bytes().decode()


def check_numbers(numbers: Mapping[str, float], path: Path, *, tolerance: float) -> None:
    """Compare named numbers with those of a JSON file; each may be off by the tolerance."""
    if is_writing():
        rounded = {name: round(float(number), 3) for name, number in numbers.items()}
        path.write_text(json.dumps(rounded, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert dict(numbers) == pytest.approx(json.loads(path.read_text(encoding="utf-8")), abs=tolerance)
