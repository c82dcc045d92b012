"""Graphs that are kept prepared: the same answers, one folder a graph, and no harm where nothing can be kept."""

import gzip
import os
import shutil
import subprocess
import sys
import time

import numpy as np
import pytest

from whywire.models import sessions
from whywire.models.nan_guards import without_nan_guards
from whywire.models.pretrained import WEIGHTS

GRAPH = WEIGHTS / "sentences-ru" / "model.onnx.gz"  # the smallest


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv(sessions.CACHE, str(tmp_path / "cache"))
    return tmp_path / "cache" / "models"


def outputs(session):
    """All outputs for one made-up text."""
    ids = np.arange(5, 30, dtype=np.int64)[None]
    values = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    return session.run(None, {given.name: values[given.name] for given in session.get_inputs()})


def same(session, other):
    return all(map(np.array_equal, outputs(session), outputs(other)))


def test_a_kept_graph_gives_the_same_outputs_to_the_bit(cache, monkeypatch):
    made, kept = sessions.open_session(GRAPH), sessions.open_session(GRAPH)
    [folder] = cache.iterdir()
    assert {file.name for file in folder.iterdir()} == {sessions.GRAPH, sessions.WEIGHTS}
    monkeypatch.setenv(sessions.CACHE, "off")
    plain = sessions.open_session(GRAPH)
    assert same(made, kept)
    assert same(made, plain)


def test_off_keeps_nothing(cache, monkeypatch):
    monkeypatch.setenv(sessions.CACHE, "off")
    assert sessions.open_session(GRAPH)
    assert not cache.exists()


def test_a_kept_graph_that_is_damaged_is_made_again(cache):
    first = sessions.open_session(GRAPH)
    [folder] = cache.iterdir()
    whole = (folder / sessions.WEIGHTS).stat().st_size
    os.truncate(folder / sessions.WEIGHTS, 1000)
    assert same(sessions.open_session(GRAPH), first)
    assert [kept.name for kept in cache.iterdir()] == [folder.name]
    assert (folder / sessions.WEIGHTS).stat().st_size == whole


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(sessions.CACHE, str(tmp_path / "file"))
    assert sessions.open_session(GRAPH)
    assert (tmp_path / "file").read_text() == "in the way"


def test_another_version_of_the_runtime_keeps_its_own(cache, monkeypatch):
    sessions.open_session(GRAPH)
    monkeypatch.setattr(sessions.onnxruntime, "__version__", "0.0")
    sessions.open_session(GRAPH)
    assert len(list(cache.iterdir())) == 2


def test_what_nobody_opens_any_more_goes_when_another_is_kept(cache):
    old, killed, used = cache / "old", cache / ".killed", cache / "used"
    long_ago = time.time() - 86_400 * (sessions.DAYS_KEPT + 1)
    for folder in (old, killed, used):
        shutil.copytree(GRAPH.parent, folder)
    for folder in (old, killed):
        os.utime(folder, (long_ago, long_ago))
    sessions.open_session(GRAPH)
    assert {kept.name for kept in cache.iterdir()} & {"old", ".killed", "used"} == {"used"}


def test_a_graph_that_is_none_is_said_to_be_none(cache, tmp_path):
    path = tmp_path / "model.onnx.gz"
    path.write_bytes(gzip.compress(b"no graph"))
    with pytest.raises(ValueError, match="no ONNX file"):
        sessions.open_session(path)
    assert not list(cache.glob("*"))


def test_without_guards_nothing_tests_for_nan_and_the_rest_stays():
    graph = gzip.decompress((WEIGHTS / "documents" / "model.onnx.gz").read_bytes())
    without = without_nan_guards(graph)
    operator = b"\x22\x05IsNaN"  # with the key of the field and its length
    assert graph.count(operator) > without.count(operator) == 0
    assert len(graph) - len(without) < 10_000
    assert without_nan_guards(without) == without


@pytest.mark.parametrize("broken", [b"\xff" * 20, b"\x3a\x05ab", b"\x3a", b"\x0b"])
def test_bytes_that_are_no_graph_are_refused(broken):
    with pytest.raises(ValueError, match="no ONNX file"):
        without_nan_guards(broken)


@pytest.mark.slow
def test_the_document_reader_says_the_same_without_guards():
    import onnxruntime

    from whywire.models import from_pretrained
    from whywire.news import Language, split_sentences
    from whywire.news.article import Article
    from whywire.reading.document_reader import OUTPUTS, feed_of, windows_of

    model = from_pretrained("documents", kind="documents")
    guarded = onnxruntime.InferenceSession(gzip.decompress((WEIGHTS / "documents" / "model.onnx.gz").read_bytes()))
    told = "Fuel ran short because a fire had shut the refinery at Port Ellery. Ships waited outside. "
    for repeats in (0, 1, 40):
        article = Article("1", "Refinery fire cuts fuel", told * repeats, Language.ENGLISH)
        sentences = split_sentences(article.text, article.language)
        feed = feed_of(windows_of(article.title, article.text, sentences, model.tokenizer))
        for one, other in zip(guarded.run(OUTPUTS, feed), model.session.run(OUTPUTS, feed), strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    ("imported", "without"),
    [
        ("whywire", ["numpy", "onnxruntime", "networkx", "typer", "rich", "whywire.news"]),
        ("whywire.cli.app", ["numpy", "onnxruntime", "networkx", "whywire.news"]),
        ("whywire.cli.read", ["networkx", "spacy", "msgspec", "dateparser", "whywire.graph", "whywire.pairs"]),
        ("whywire.cli.queries", ["spacy", "dateparser", "sqlalchemy", "whywire.pipeline", "whywire.store"]),
    ],
)
def test_a_command_imports_what_it_uses(imported, without):
    code = f"import sys, {imported}; print(*({without!r} & sys.modules.keys()))".replace("[", "{").replace("]", "}")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
