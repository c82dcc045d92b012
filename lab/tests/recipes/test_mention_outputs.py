"""The outputs for mentions are added to a reader whose other answers stay, and learn what they are shown."""

import gzip
import shutil

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs torch: pip install torch 'whywire-lab[train]'")
pytest.importorskip("onnx", reason="training needs onnx: pip install 'whywire-lab[train]'")

import onnx

from whywire.models.encoder import open_session
from whywire.models.pretrained import WEIGHTS
from whywire.reading.drawing import VECTOR_SIZE
from whywire_lab.recipes.export_documents import OUTPUTS
from whywire_lab.recipes.mention_outputs import FILE, MentionWeights, show_states, states_name, write_outputs
from whywire_lab.recipes.train_mentions import Group, fit_alone, train_vectors

pytestmark = pytest.mark.usefixtures("one_thread")


def feed() -> dict[str, np.ndarray]:
    ids = np.random.default_rng(0).integers(5, 20_000, (2, 60))
    sentences = np.tile(np.arange(60) // 12, (2, 1))
    return {"ids": ids, "mask": np.ones_like(ids), "sentences": sentences}


@pytest.mark.model
@pytest.mark.slow
def test_outputs_are_linear_in_the_states_and_nothing_else_changes(tmp_path) -> None:
    shutil.copytree(WEIGHTS / "documents", tmp_path / "reader")
    before = open_session(WEIGHTS / "documents" / FILE).run(OUTPUTS, feed())
    show_states(tmp_path / "reader")
    (states,) = open_session(tmp_path / "reader" / FILE).run(["vector"], feed())
    rng = np.random.default_rng(1)
    width = states.shape[1]
    weights = MentionWeights(
        *(rng.normal(size=shape).astype(np.float16) for shape in ((width, VECTOR_SIZE), VECTOR_SIZE, width)), 0.5
    )
    for _ in range(2):  # the second time in place of the first
        write_outputs(tmp_path / "reader", weights)
    *after, vectors, alone = open_session(tmp_path / "reader" / FILE).run([*OUTPUTS, "vector", "alone"], feed())
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(one, other)
    expected = states @ weights.projection.astype(np.float32) + weights.shift.astype(np.float32)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(vectors, expected, atol=1e-4)
    np.testing.assert_allclose(alone, states @ weights.alone.astype(np.float32) + 0.5, rtol=1e-3, atol=1e-2)


def test_another_graph_is_no_document_reader() -> None:
    packed = (WEIGHTS / "pairs" / FILE).read_bytes()
    with pytest.raises(ValueError, match="not the graph of a document reader"):
        states_name(onnx.load_from_string(gzip.decompress(packed)).graph)


def groups(count: int, seed: int) -> list[Group]:
    """Events of two articles, two and two alike in a fifth of their states."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        kind = rng.normal(size=(4, 8))
        states = np.concatenate([np.tile(kind, (2, 1)), 3 * rng.normal(size=(8, 32))], axis=1).astype(np.float32)
        pairs = np.array([(one, 4 + other) for one in range(4) for other in range(4)])
        same = (pairs[:, 0] == pairs[:, 1] - 4).astype(np.float32)
        found.append(Group(states, pairs, np.zeros(16, np.float32), same))
    return found


def test_vectors_learn_what_events_that_are_one_have_in_common() -> None:
    projection, shift = train_vectors(groups(60, seed=0), epochs=20)
    for group in groups(5, seed=1):
        vectors = group.states @ projection + shift
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        cosines = (vectors[group.pairs[:, 0]] * vectors[group.pairs[:, 1]]).sum(1)
        assert cosines[group.one > 0].min() > cosines[group.one == 0].mean() + 0.3


def test_words_that_readers_understand_get_higher_odds() -> None:
    rng = np.random.default_rng(0)
    states = rng.normal(size=(400, 10))
    shares = np.select([states[:, 0] > 0.5, states[:, 0] < -0.5], [1.0, 0.0], 0.5)
    weights, shift = fit_alone(states, shares)
    odds = states @ weights + shift
    assert odds[shares == 1].mean() > 0 > odds[shares == 0].mean()
