"""Evens out activations before quantisation (SmoothQuant: Xiao et al. 2023, section 4).

Int8 gives all activations of a layer one scale, by the largest of them, and in a transformer a few columns are many
times as large as the others, which then lose nearly all their precision. Dividing the columns of a matrix's input by
numbers and multiplying the matrix's rows by the same changes no answer. It moves what is uneven into the matrix,
whose columns have scales of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, helper, numpy_helper
from onnxruntime import InferenceSession

ALPHA = 0.75
"""How much of the unevenness moves from activations to weights, as in the paper."""

SMALLEST = 1e-5
"""Smaller values count as this."""


def smooth(model: ModelProto, largest: dict[str, NDArray[np.float32]]) -> None:
    """Even out the inputs of all matrices in place; the model answers as before, but for the rounding of floats.

    Args:
        largest: of each such input, by name, the largest absolute value of every column.
    """
    weights = {tensor.name: tensor for tensor in model.graph.initializer}
    for readers in _scaled_together(model):
        matrices = {node.input[1]: numpy_helper.to_array(weights[node.input[1]]) for node in readers}
        columns = np.max([largest[node.input[0]] for node in readers], axis=0)
        rows = np.max([np.abs(matrix).max(axis=1) for matrix in matrices.values()], axis=0)
        scales = np.maximum(columns, SMALLEST) ** ALPHA / np.maximum(rows, SMALLEST) ** (1 - ALPHA)
        scales = (scales / np.exp(np.log(scales).mean())).astype(np.float32)
        for name, matrix in matrices.items():
            weights[name].CopyFrom(numpy_helper.from_array(matrix * scales[:, None], name))
        evening = numpy_helper.from_array(1 / scales, f"{readers[0].input[0]}_evening")
        model.graph.initializer.append(evening)
        for name in dict.fromkeys(node.input[0] for node in readers):
            first = next(node for node in readers if node.input[0] == name)
            evened = helper.make_node("Mul", [name, evening.name], [f"{name}_even"])
            model.graph.node.insert(list(model.graph.node).index(first), evened)
        for node in readers:
            node.input[0] += "_even"


def largest_inputs(path: Path, feeds: Sequence[Mapping[str, NDArray[Any]]]) -> dict[str, NDArray[np.float32]]:
    """Of every input of a constant matrix, by name, the largest absolute value of each column over the feeds.

    Args:
        path: of the model in floats, its weights in a file of their own. A probe that shares them and also puts out
            those inputs is written beside it.
        feeds: an array for every input of the model, each.
    """
    probe = path.with_name(f"probe-{path.name}")
    model = onnx.load(str(path), load_external_data=False)
    names = sorted({node.input[0] for node in _multiplications(model)})
    model.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in names)
    onnx.save(model, str(probe))
    session = InferenceSession(str(probe), providers=["CPUExecutionProvider"])
    largest: dict[str, NDArray[np.float32]] = {}
    for feed in feeds:
        for name, value in zip(names, session.run(names, dict(feed)), strict=True):
            columns = np.abs(value).reshape(-1, value.shape[-1]).max(axis=0)
            largest[name] = np.maximum(largest.get(name, columns), columns)
    return largest


def _scaled_together(model: ModelProto) -> list[list[NodeProto]]:
    """The multiplications in groups: those of one input, and those with one matrix, are scaled alike."""
    groups: list[list[NodeProto]] = []
    for node in _multiplications(model):
        joined = [group for group in groups if any(set(node.input) & set(other.input) for other in group)]
        groups = [group for group in groups if group not in joined]
        groups.append([*chain.from_iterable(joined), node])
    return groups


def _multiplications(model: ModelProto) -> list[NodeProto]:
    """The multiplications by a constant matrix, in the graph's order."""
    constants = {tensor.name for tensor in model.graph.initializer}
    return [node for node in model.graph.node if node.op_type == "MatMul" and node.input[1] in constants]
