"""``whywire train all`` goes on where it was, and the small parts want the models that they are for."""

import pytest

from whywire.errors import InputError
from whywire_lab.cli.train import NAMES, train

pytest.importorskip("torch", reason="training needs torch: pip install torch 'whywire-lab[train]'")
pytest.importorskip("onnx", reason="training needs onnx: pip install 'whywire-lab[train]'")


def finish(out, names):
    for name in names:
        (out / name).mkdir(parents=True)
        (out / name / "scores.json").write_text("{}\n")


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_was_finished_is_left_as_it_is(tmp_path):
    finish(tmp_path, NAMES)
    before = contents(tmp_path)
    train("all", data=tmp_path / "data", out=tmp_path)
    assert contents(tmp_path) == before


def test_it_goes_on_with_what_is_missing(tmp_path):
    finish(tmp_path, [name for name in NAMES if name != "mentions"])
    with pytest.raises(InputError, match=r"documents.*make it first: whywire train documents"):
        train("all", data=tmp_path / "data", out=tmp_path)
    assert not (tmp_path / "mentions").exists()


def test_the_outputs_for_mentions_want_their_document_reader(tmp_path):
    with pytest.raises(InputError, match="no document reader is here"):
        train("mentions", data=tmp_path / "data", out=tmp_path)
