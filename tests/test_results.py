"""The pages of docs/results are what the records of measurements render to."""

import json
import subprocess
import sys

import pytest

from tests.conftest import ROOT

RECORDS = sorted((ROOT / "docs" / "results" / "records").glob("*.json"))


def test_pages_are_what_the_records_render_to():
    pytest.importorskip("jinja2")
    done = subprocess.run(
        [sys.executable, ROOT / ".ci" / "results.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_record_says_where_its_numbers_come_from():
    for path in RECORDS:
        found = json.loads(path.read_text(encoding="utf-8"))
        assert found["source"] in {"measured", "transcribed"}, path.name
        needed = {"date", "version", "machine"} | ({"command", "weights"} if found["source"] == "measured" else set())
        assert [name for name in needed if not found[name]] == [], path.name
