"""The names of ``whywire``: light to import, and the same for Python, type checkers and ``dir``."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import whywire

HEAVY = ("numpy", "onnxruntime", "networkx", "tokenizers", "typer", "rich", "spacy", "torch")


def test_importing_whywire_loads_none_of_its_libraries_or_rooms():
    code = "import sys, whywire; dir(whywire); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not set(HEAVY) & set(loaded)
    assert [name for name in loaded if name.startswith("whywire")] == ["whywire"]


def test_a_type_checker_sees_the_names_that_python_does():
    tree = ast.parse(Path(whywire.__file__).read_text(encoding="utf-8"))
    (checked,) = (node for node in tree.body if isinstance(node, ast.If))
    seen = {alias.name: node.module for node in checked.body for alias in node.names}
    assert seen == whywire._HOME_OF
    assert sorted(seen) == sorted(whywire.__all__)


def test_every_public_name_is_there_listed_and_documented():
    assert {*whywire.__all__} <= {*dir(whywire)}
    assert [name for name in whywire.__all__ if not getattr(whywire, name).__doc__] == []


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = whywire.nothing
