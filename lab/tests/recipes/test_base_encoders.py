"""Bases: reading the packed file, trimming a vocabulary, and a table that stays in four bits."""

import gzip
import struct
from itertools import pairwise

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch: pip install 'whywire-lab[train]'")
transformers = pytest.importorskip("transformers", reason="training needs transformers")
onnx = pytest.importorskip("onnx", reason="training needs onnx")
pytestmark = pytest.mark.filterwarnings("ignore")

from onnxruntime import InferenceSession  # noqa: E402

from whywire.errors import ModelError  # noqa: E402
from whywire.models import OnnxModel  # noqa: E402
from whywire_lab.recipes.base_encoders import Base, trim_vocabulary  # noqa: E402
from whywire_lab.recipes.encoder_net import EncoderNet, mean_of, sides  # noqa: E402
from whywire_lab.recipes.export import BLOCK, INPUTS, export_onnx, four_bits  # noqa: E402
from whywire_lab.recipes.four_bit_e5 import LINEARS, NORMS, read_packed  # noqa: E402
from whywire_lab.recipes.training_loop import collate  # noqa: E402

WIDTH, LAYERS, HEADS, INNER, POSITIONS, TYPES = 64, 2, 4, 96, 40, 2
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁fire", "▁fuel", "▁", *"abcdefghijklmnopqrstuvwxyz", "лес", "火"]
TEXTS = ["fire fuel fire", "fuel a b c", "the refinery burned", "a town flooded", "лес fire"]


@pytest.fixture
def packed(tmp_path):
    """A file in the package's format, and the tensors in it by the file's names."""
    rng = np.random.default_rng(1)
    shapes = {"emb.word": (len(PIECES), WIDTH), "emb.pos": (POSITIONS, WIDTH), "emb.type": (TYPES, WIDTH)}
    shapes |= {"emb.ln.w": (WIDTH,), "emb.ln.b": (WIDTH,)}
    for layer in range(LAYERS):
        for short in LINEARS.values():
            out, into = {"fi": (INNER, WIDTH), "fo": (WIDTH, INNER)}.get(short, (WIDTH, WIDTH))
            shapes |= {f"l{layer}.{short}.w": (out, into), f"l{layer}.{short}.b": (out,)}
        for short in NORMS.values():
            shapes |= {f"l{layer}.{short}.w": (WIDTH,), f"l{layer}.{short}.b": (WIDTH,)}
    values, stored = {}, []
    for name, shape in shapes.items():
        table = (0.2 * rng.standard_normal(shape) + name.endswith("ln.w")).astype(np.float32)
        is_packed = len(shape) == 2 and name not in ("emb.pos", "emb.type")
        body = table.tobytes()
        if is_packed:
            numbers, scales = four_bits(table)
            blocks = numbers.reshape(-1, BLOCK).astype(np.int16) + 8
            body = b"".join(
                scale.tobytes() + (block[:16] | block[16:] << 4).astype(np.uint8).tobytes()
                for scale, block in zip(scales.ravel(), blocks, strict=True)
            )
            table = ((blocks - 8) * scales.reshape(-1, 1).astype(np.float32)).reshape(shape).astype(np.float32)
        values[name] = table
        stored.append((name, is_packed, table.size, body))
    path = tmp_path / "packed.bin"
    path.write_bytes(_file_of(stored))
    return path, values


def _file_of(stored):
    blob = [piece.encode() for piece in PIECES]
    borders = np.cumsum([0, *map(len, blob)]).astype("<u4")
    scores = -np.arange(len(PIECES), dtype="<f4")
    head = b"E5S1" + struct.pack("<8i", 1, WIDTH, LAYERS, HEADS, INNER, len(PIECES), POSITIONS, TYPES)
    head += struct.pack("<fi", 1e-12, BLOCK) + struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, int(borders[-1]))
    head += borders.tobytes() + scores.tobytes() + b"".join(blob)
    head += struct.pack("<iI", 1, 9) + struct.pack("<IBI", 0xA0, 1, 0x20) + struct.pack("<i", len(stored))
    at = len(head) + sum(2 + len(name) + 1 + 4 + 16 for name, *_ in stored)
    directory = b""
    for name, is_packed, items, body in stored:
        directory += struct.pack(f"<H{len(name)}s", len(name), name.encode())
        directory += struct.pack("<BIQQ", is_packed, items, at, len(body))
        at += len(body)
    return head + directory + b"".join(body for *_, body in stored)


def base_of(packed) -> Base:
    return Base("tiny", *read_packed(packed[0], attn_implementation="eager"))


def test_a_packed_file_gives_its_tensors_and_its_pieces(packed):
    base, (_, values) = base_of(packed), packed
    state = base.encoder.state_dict()
    assert np.array_equal(state["embeddings.word_embeddings.weight"], values["emb.word"])
    assert np.array_equal(state["encoder.layer.1.intermediate.dense.weight"], values["l1.fi.w"])
    assert np.array_equal(state["encoder.layer.0.attention.output.LayerNorm.bias"], values["l0.aln.b"])
    assert base.tokenizer.encode("fire ab").tokens == ["<s>", "▁fire", "▁", "a", "b", "</s>"]
    assert base.tokenizer.encode("fire", "fuel").type_ids == [0, 0, 0, 1, 1]


def test_another_file_is_refused(tmp_path):
    (tmp_path / "other.bin").write_bytes(b"GGUF and more")
    with pytest.raises(ModelError, match="not a packed e5 file"):
        read_packed(tmp_path / "other.bin")


def test_a_trimmed_unigram_vocabulary_keeps_letters_and_drops_other_scripts(packed):
    base = base_of(packed)
    before = base.tokenizer.encode("fire лес")
    expected = base.encoder.embeddings.word_embeddings(torch.tensor(before.ids))
    trimmed = trim_vocabulary(base, ["fire лес"] * 3, min_count=3)
    after = trimmed.tokenizer.encode("fire лес")
    assert after.tokens == before.tokens
    assert torch.equal(trimmed.encoder.embeddings.word_embeddings(torch.tensor(after.ids)), expected)
    pieces = set(trimmed.tokenizer.get_vocab())
    assert set(PIECES) - pieces == {"▁fuel", "火"}
    assert trimmed.tokenizer.encode("fuel 火").tokens == ["<s>", "▁", *"fuel", "▁", "火", "</s>"]
    assert trimmed.tokenizer.encode("火").ids[2] == trimmed.tokenizer.token_to_id("<unk>")


class Embedder(EncoderNet):
    """Unit vectors of pairs of texts; one matrix is used for either side."""

    def __init__(self, encoder):
        super().__init__(encoder)
        self.matrix = torch.nn.Linear(WIDTH, WIDTH)

    def forward(self, input_ids, attention_mask, token_type_ids):
        hidden = self.hidden(input_ids, attention_mask, token_type_ids)
        left, right = (mean_of(hidden, own) for own in sides(attention_mask, token_type_ids, hidden))
        return (torch.nn.functional.normalize(self.matrix(left) + 0.5 * self.matrix(right), dim=-1),)


def exported(base, folder):
    torch.manual_seed(0)
    net = Embedder(base.encoder)
    pairs = list(pairwise(TEXTS))
    export_onnx(net, {"embedding": False}, base.tokenizer, {"max_tokens": 32}, pairs, folder)
    inputs = collate(base.tokenizer.encode_batch(pairs))
    with torch.no_grad():
        truth = net.eval()(*inputs)[0].numpy()
    (batch,) = OnnxModel(folder).run(pairs)
    found = np.reshape(batch.outputs["embedding"], truth.shape)
    return onnx.load_from_string(gzip.decompress((folder / "model.onnx.gz").read_bytes())), truth, found


def kinds_of_tables(model):
    return {tensor.data_type for tensor in model.graph.initializer if list(tensor.dims) == [len(PIECES), WIDTH]}


def test_a_table_that_came_in_four_bits_goes_out_in_four(packed, tmp_path):
    model, truth, found = exported(base_of(packed), tmp_path)
    assert kinds_of_tables(model) == {onnx.TensorProto.INT4}
    assert (truth * found).sum(-1).min() > 0.95
    looked_up = next(node for node in model.graph.node if node.op_type == "GatherBlockQuantized").output[0]
    model.graph.output.append(onnx.helper.make_tensor_value_info(looked_up, onnx.TensorProto.FLOAT16, None))
    session = InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    ids = np.arange(len(PIECES))[None]
    (rows,) = session.run([looked_up], dict.fromkeys(INPUTS, np.ones_like(ids)) | {"input_ids": ids})
    assert np.allclose(rows[0], packed[1]["emb.word"], atol=1e-3)


def test_any_other_table_has_eight_bits(packed, tmp_path):
    base = base_of(packed)
    with torch.no_grad():
        base.encoder.embeddings.word_embeddings.weight.add_(0.01 * torch.randn(len(PIECES), WIDTH))
    model, truth, found = exported(base, tmp_path)
    assert kinds_of_tables(model) <= {onnx.TensorProto.UINT8, onnx.TensorProto.INT8}
    assert (truth * found).sum(-1).min() > 0.95


def test_a_matrix_that_is_used_twice_is_quantised_both_times(packed, tmp_path):
    model = exported(base_of(packed), tmp_path)[0]
    floats = [tensor for tensor in model.graph.initializer if tensor.data_type == onnx.TensorProto.FLOAT]
    assert max(np.prod(tensor.dims) for tensor in floats) <= WIDTH * INNER / 2
