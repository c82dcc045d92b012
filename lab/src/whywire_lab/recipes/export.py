"""From a trained net to the files Whywire runs: int8 ONNX, the tokenizer, and what is known about both."""

from __future__ import annotations

import json
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnxruntime import InferenceSession
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer

from whywire.models.encoder import Text, inputs_of
from whywire_lab.recipes.smooth_quant import largest_inputs, smooth

SAMPLES = 200
"""How many texts the quantised model is compared on."""

Axes = dict[int, str]
"""The axes of a tensor that vary, and their names."""

Feed = Mapping[str, NDArray[Any]]
"""An array for every input of a graph."""

INPUTS = ("input_ids", "attention_mask", "token_type_ids")

BLOCK = 32
"""How many neighbours in a row share a scale where a table has four bits a number."""


def export_onnx(
    net: torch.nn.Module,
    outputs: Mapping[str, bool],
    tokenizer: Tokenizer,
    config: Mapping[str, Any],
    samples: Sequence[Text],
    folder: Path,
) -> None:
    """Write ``model.onnx.gz`` (int8 weights), ``tokenizer.json`` and ``config.json`` into ``folder``.

    What int8 costs is measured head by head on ``SAMPLES`` of ``samples``, and noted in the config as
    ``lost_to_int8``; as many others show how uneven activations are (:mod:`whywire_lab.recipes.smooth_quant`).
    Weights keep seven bits: processors without VNNI add two 8-bit products in 16 bits, which eight would overflow.

    Args:
        net: takes the three ``INPUTS`` and returns a tuple in the order of ``outputs``.
        outputs: name of each output, and whether it has one row a token (else one a text).
        config: what the runtime must know: the kind of model, limits, calibration.
        samples: texts, or pairs of texts, like those the model will see.
    """
    folder.mkdir(parents=True, exist_ok=True)
    sample = torch.ones((2, 8), dtype=torch.long)
    encodings = tokenizer.encode_batch(list(samples[:: -(-len(samples) // (2 * SAMPLES))]))
    encoder: Any = net.encoder
    lost = write_graph(
        net,
        (sample, sample, torch.zeros_like(sample)),
        {name: {0: "batch", 1: "length"} for name in INPUTS},
        {name: {0: "batch", 1: "length"} if per_token else {0: "batch"} for name, per_token in outputs.items()},
        [inputs_of(encoding) for encoding in encodings],
        folder / "model.onnx.gz",
        table=encoder.embeddings.word_embeddings.weight.detach().numpy(),
    )
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    write_config(folder, {**config, "lost_to_int8": lost})


def write_graph(
    net: torch.nn.Module,
    example: tuple[torch.Tensor, ...],
    inputs: Mapping[str, Axes],
    outputs: Mapping[str, Axes],
    feeds: Sequence[Feed],
    path: Path,
    *,
    table: NDArray[np.float32] | None = None,
    levels: int = 0,
) -> dict[str, list[float]]:
    """Write one graph, int8 and compressed, and return what int8 costs each output (:func:`lost_to_int8`).

    Args:
        example: what ``net`` is traced with, in the order of ``inputs``.
        inputs: the name of each input and its axes that vary, that of the numbers of words first; so ``outputs``.
        feeds: inputs like those the graph will see; every second one shows how uneven activations are, the others
            what int8 costs.
        path: where it is written, ``….onnx.gz``.
        table: the table of words, which may be packed (:func:`pack_table`).
        levels: of the numbers in a matrix (:func:`round_matrices`), 0 for all that int8 has.
    """
    with tempfile.TemporaryDirectory() as scratch:
        exact, quantised = Path(scratch) / "exact.onnx", Path(scratch) / "model.onnx"
        write_exact_graph(net, example, inputs, outputs, exact)
        model = onnx.load(str(exact))
        taken = {own.name for own in model.graph.input}  # what a net does not look at is no input of its graph
        feeds = [{name: own for name, own in feed.items() if name in taken} for feed in feeds]
        smooth(model, largest_inputs(exact, feeds[1::2] or feeds))
        if levels:
            round_matrices(model, levels)
        quantize_dynamic(
            model,
            quantised,
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,
            extra_options={"MatMulConstBOnly": True},
        )
        if table is not None:
            pack_table(quantised, table, next(iter(inputs)))
        lost = lost_to_int8(exact, quantised, feeds[::2])
        path.write_bytes(packed(quantised.read_bytes()))
    return lost


def write_exact_graph(
    net: torch.nn.Module,
    example: tuple[torch.Tensor, ...],
    inputs: Mapping[str, Axes],
    outputs: Mapping[str, Axes],
    path: Path,
) -> None:
    """Write a graph in floats, its weights in a file beside it; :func:`write_graph` says what the arguments are."""
    torch.onnx.export(
        net.eval(),
        example,
        str(path),
        input_names=list(inputs),
        output_names=list(outputs),
        dynamic_axes={**inputs, **outputs},
        opset_version=17,
        dynamo=False,
    )
    share_matrices(path)


def round_matrices(model: onnx.ModelProto, levels: int) -> None:
    """Round matrices in place: each column to so many levels on either side of 0, a table of words to twice as many.

    The fewer levels, the smaller is the compressed file.
    """
    readers = {name: node.op_type for node in model.graph.node for name in node.input}
    for tensor in model.graph.initializer:
        kind = readers.get(tensor.name)
        if len(tensor.dims) == 2 and np.prod(tensor.dims) >= ROUNDED and kind in ("MatMul", "Gather"):
            matrix = numpy_helper.to_array(tensor)
            largest = np.abs(matrix).max(axis=0, keepdims=True) if kind == "MatMul" else np.abs(matrix).max()
            step = np.maximum(largest, 1e-9) / (levels if kind == "MatMul" else 2 * levels)
            tensor.CopyFrom(numpy_helper.from_array((np.round(matrix / step) * step).astype(np.float32), tensor.name))


ROUNDED = 50_000
"""Smaller matrices are left as they are."""


def packed(graph: bytes) -> bytes:
    """A graph as a gzip file: nothing repeats in weights, so only their frequencies are used."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, 31, 9, zlib.Z_FILTERED)
    return compressor.compress(graph) + compressor.flush()


def read_config(folder: Path) -> dict[str, Any]:
    """What is known of the model in a folder."""
    config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return config


def write_config(folder: Path, config: Mapping[str, Any]) -> None:
    """Write what is known of the model in a folder."""
    write_json(folder / "config.json", config)


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write JSON for people to read and to compare: indented, in the order of its names."""
    text = json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True)
    path.write_text(text + "\n", encoding="utf-8")


def lost_to_int8(exact: Path, quantised: Path, feeds: Sequence[Feed]) -> dict[str, list[float]]:
    """For each output, the share of each column's variance (from 0) that the quantised model gets wrong."""
    lost: dict[str, list[float]] = {}
    sessions = [InferenceSession(str(path), providers=["CPUExecutionProvider"]) for path in (exact, quantised)]
    names = [output.name for output in sessions[0].get_outputs()]
    answers = [[session.run(names, dict(feed)) for feed in feeds] for session in sessions]
    for place, name in enumerate(names):
        columns = {answer[place].shape[-1] for answer in answers[0]}
        width = columns.pop() if len(columns) == 1 else 1  # as many columns as the text has of something
        truth, found = (np.concatenate([answer[place].reshape(-1, width) for answer in given]) for given in answers)
        share = ((found - truth) ** 2).mean(0) / np.maximum(truth.var(0), 1e-9)
        lost[name] = [round(float(value), 4) for value in (share if len(share) < 64 else [share.mean()])]
    return lost


def share_matrices(path: Path) -> None:
    """Name a matrix alike wherever it is used: the exporter gives a second use a name of its own.

    Quantisation, which goes by names, would leave the second use in floats.
    """
    model = onnx.load(str(path))
    constants = {tensor.name for tensor in model.graph.initializer}
    copies = [node for node in model.graph.node if node.op_type == "Identity" and node.input[0] in constants]
    first = {node.output[0]: node.input[0] for node in copies}
    for node in copies:
        model.graph.node.remove(node)
    for node in model.graph.node:
        node.input[:] = [first.get(name, name) for name in node.input]
    onnx.save(model, str(path), save_as_external_data=True, location=f"{path.name}.data")  # one file ends at 2 GB


def pack_table(path: Path, table: NDArray[np.float32], ids: str) -> None:
    """Write the table of words in four bits a number where that loses nothing: where its base came in four bits.

    Args:
        table: (words, size), as the net has it.
        ids: the input with the numbers of words.
    """
    if table.shape[1] % BLOCK:
        return
    numbers, scales = four_bits(table)
    if not np.array_equal(_whole(numbers, scales), table):
        return
    model = onnx.load(str(path))
    graph = model.graph
    tables = {tensor.name: tensor for tensor in graph.initializer}
    look = next(node for node in graph.node if node.op_type == "Gather" and node.input[1] == ids)
    widen = next(node for node in graph.node if look.output[0] in node.input)
    low, high = numbers.reshape(-1, 2).T & 15
    pairs = (low | high << 4).astype(np.uint8).tobytes()
    packed = helper.make_tensor("words", TensorProto.INT4, table.shape, pairs, raw=True)
    for name in {*look.input[:1], *widen.input[1:]} & tables.keys():
        graph.initializer.remove(tables[name])
    graph.initializer.extend([packed, numpy_helper.from_array(scales, "words_scales")])
    at = list(graph.node).index(look)
    graph.node.remove(look)
    graph.node.remove(widen)
    gather = helper.make_node(
        "GatherBlockQuantized",
        ["words", ids, "words_scales"],
        ["words_found"],
        domain="com.microsoft",
        gather_axis=0,
        quantize_axis=1,
        block_size=BLOCK,
    )
    graph.node.insert(at, gather)
    graph.node.insert(at + 1, helper.make_node("Cast", ["words_found"], list(widen.output), to=TensorProto.FLOAT))
    if "com.microsoft" not in {opset.domain for opset in model.opset_import}:
        model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    onnx.save(model, str(path))


def four_bits(table: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """Numbers from -8 to 7, (words, size), and the scale of every ``BLOCK`` of them, (words, size / BLOCK).

    The number of a block that is furthest from 0 becomes -8, so numbers that were made this way stay as they are.
    """
    blocks = table.reshape(len(table), -1, BLOCK)
    furthest = np.take_along_axis(blocks, np.abs(blocks).argmax(-1, keepdims=True), -1)
    scales = (furthest / -8).astype(np.float16)
    steps = scales.astype(np.float32)
    numbers = np.round(np.divide(blocks, steps, out=np.zeros_like(blocks), where=steps != 0)).clip(-8, 7)
    return numbers.astype(np.int8).reshape(table.shape), scales[..., 0]


def _whole(numbers: NDArray[np.int8], scales: NDArray[np.float16]) -> NDArray[np.float32]:
    blocks = numbers.reshape(len(numbers), -1, BLOCK).astype(np.float32)
    return (blocks * scales.astype(np.float32)[..., None]).reshape(numbers.shape)
