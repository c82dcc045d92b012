"""Smoothing: the same answers, and much less lost to int8 where a few columns are far larger than the others."""

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="training needs onnx")
pytest.importorskip("torch", reason="training needs torch: pip install 'whywire-lab[train]'")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402
from onnxruntime import InferenceSession  # noqa: E402
from onnxruntime.quantization import QuantType, quantize_dynamic  # noqa: E402
from tokenizers import Tokenizer, models, pre_tokenizers  # noqa: E402

from whywire.models.encoder import inputs_of  # noqa: E402
from whywire_lab.recipes.export import INPUTS, lost_to_int8  # noqa: E402
from whywire_lab.recipes.smooth_quant import largest_inputs, smooth  # noqa: E402

WORDS = [f"w{number}" for number in range(50)]
SIZE, LOUD = 32, (3, 17)


@pytest.fixture
def encodings():
    tokenizer = Tokenizer(models.WordLevel(dict(zip(WORDS, range(len(WORDS)), strict=True)), unk_token="w0"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    rng = np.random.default_rng(2)
    return tokenizer.encode_batch([" ".join(rng.choice(WORDS, 12)) for _ in range(60)])


@pytest.fixture
def path(tmp_path):
    """A table of words, two of its columns far larger than the rest, before two matrices; one meets its double."""
    rng = np.random.default_rng(1)
    table = rng.standard_normal((len(WORDS), SIZE)).astype(np.float32)
    table[:, LOUD] *= 40
    left, right = (rng.standard_normal((SIZE, width)).astype(np.float32) for width in (8, 5))
    for matrix in (left, right):
        matrix[list(LOUD)] /= 20
    nodes = [
        helper.make_node("Gather", ["table", INPUTS[0]], ["looked_up"]),
        helper.make_node("MatMul", ["looked_up", "left"], ["one"]),
        helper.make_node("MatMul", ["looked_up", "right"], ["other"]),
        helper.make_node("Add", ["looked_up", "looked_up"], ["doubled"]),
        helper.make_node("MatMul", ["doubled", "left"], ["again"]),
    ]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, [1, "length"]) for name in INPUTS],
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, "length", None])
            for name in ("one", "other", "again")
        ],
        [
            numpy_helper.from_array(value, name)
            for name, value in zip(("table", "left", "right"), (table, left, right), strict=True)
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, str(tmp_path / "exact.onnx"), save_as_external_data=True, location="exact.onnx.data")
    return tmp_path / "exact.onnx"


def feeds_of(encodings):
    return [inputs_of(encoding) for encoding in encodings]


def smoothed(path, encodings):
    model = onnx.load(str(path))
    smooth(model, largest_inputs(path, feeds_of(encodings)))
    return model


def test_the_largest_values_are_those_of_the_words_seen(path, encodings):
    found = largest_inputs(path, feeds_of(encodings))
    assert set(found) == {"looked_up", "doubled"}
    largest = found["looked_up"]
    table = next(numpy_helper.to_array(t) for t in onnx.load(str(path)).graph.initializer if t.name == "table")
    seen = sorted({number for encoding in encodings for number in encoding.ids})
    assert np.allclose(largest, np.abs(table[seen]).max(axis=0))


def test_a_smoothed_model_answers_as_before(path, encodings):
    model = smoothed(path, encodings)
    sessions = [
        InferenceSession(source, providers=["CPUExecutionProvider"])
        for source in (str(path), model.SerializeToString())
    ]
    for encoding in encodings:
        for before, after in zip(*(session.run(None, inputs_of(encoding)) for session in sessions), strict=True):
            assert np.allclose(before, after, rtol=1e-4, atol=1e-3 * np.abs(before).max())
    kinds = [node.op_type for node in model.graph.node]
    assert kinds == ["Gather", "Mul", "MatMul", "MatMul", "Add", "Mul", "MatMul"], (
        "evened once for both of its readers"
    )


def test_int8_loses_much_less_of_a_smoothed_model(path, encodings, tmp_path):
    lost = []
    for number, source in enumerate((onnx.load(str(path)), smoothed(path, encodings[:30]))):
        target = tmp_path / f"{number}.onnx"
        kept = {"op_types_to_quantize": ["MatMul"], "extra_options": {"MatMulConstBOnly": True}}
        quantize_dynamic(source, target, weight_type=QuantType.QInt8, per_channel=True, **kept)
        lost.append(np.concatenate(list(lost_to_int8(path, target, feeds_of(encodings[30:])).values())))
    plain, even = lost
    assert (even < plain / 4).all()
