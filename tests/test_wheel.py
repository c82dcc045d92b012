"""The wheel: small enough to be published and installed, all of Whywire in it and nothing of the lab."""

from pathlib import Path
from zipfile import ZipFile

import pytest

builders = pytest.importorskip("hatchling.builders.wheel", reason="the wheel is built by hatchling (extra dev)")

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent

MEGABYTE = 1_000_000
TOTAL_LIMIT = 100 * MEGABYTE
"""What a package index takes as one file by default."""
CODE_LIMIT = 2 * MEGABYTE
"""Of everything but the weights, the page's scripts included."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    (path,) = builders.WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    return Path(path)


@pytest.fixture(scope="module")
def entries(wheel):
    with ZipFile(wheel) as archive:
        return {entry.filename: entry for entry in archive.infolist()}


def test_it_is_small_enough(wheel, entries):
    assert wheel.stat().st_size < TOTAL_LIMIT
    rest = sum(entry.compress_size for name, entry in entries.items() if "/weights/" not in name)
    assert rest < CODE_LIMIT


def test_every_file_of_the_package_is_in_it(entries):
    source = ROOT / "src"
    files = {path.relative_to(source).as_posix() for path in (source / "whywire").rglob("*") if path.is_file()}
    files = {name for name in files if "__pycache__" not in name}
    assert files | {"whywire/service/example.jsonl"} == {name for name in entries if name.startswith("whywire/")}


@pytest.mark.parametrize("ending", ["model.onnx.gz", "tokenizer.json", ".html", ".js", ".npz", "py.typed"])
def test_weights_templates_and_scripts_are_in_it(entries, ending):
    assert any(name.endswith(ending) for name in entries), ending


def test_nothing_but_the_package_and_its_description_is_in_it(entries):
    assert {name.split("/")[0].split("-")[0] for name in entries} == {"whywire"}
    assert not [name for name in entries if "lab" in Path(name).parts or "whywire_lab" in name]
