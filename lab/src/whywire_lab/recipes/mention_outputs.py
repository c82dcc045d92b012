"""Two outputs of the document reader that are learnt when all else of it is: ``vector`` and ``alone``.

Both are linear in the states by which the reader judges whether two mentions of an article are one event: a mention
beside the others, and the mean of its tokens. The rest of the graph stays as it is, to the last bit.
"""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import GraphProto, ModelProto, TensorProto, helper, numpy_helper

from whywire.reading.drawing import VECTOR_SIZE
from whywire_lab.recipes.export import packed

FILE = "model.onnx.gz"

OUTPUTS = ("vector", "alone")

JUDGES = "/same/MatMul"
"""How the name of the node begins that reads the states to judge whether two mentions are one event."""

PREFIX = "mention_"
"""How the names begin of all that is added."""


@dataclass(frozen=True, eq=False)
class MentionWeights:
    """From the states of a mention to its vector, and to the log-odds that its words are understood alone.

    Args:
        projection: (states, :data:`~whywire.reading.drawing.VECTOR_SIZE`); ``shift`` is added to it.
        alone: (states,); ``alone_shift`` is added to it.
    """

    projection: NDArray[Any]
    shift: NDArray[Any]
    alone: NDArray[Any]
    alone_shift: float

    @classmethod
    def untrained(cls, states: int) -> MentionWeights:
        """The vector is the first states; whether words are understood alone is open."""
        return cls(np.eye(states, VECTOR_SIZE), np.zeros(VECTOR_SIZE), np.zeros(states), 0.0)


def write_outputs(folder: Path, weights: MentionWeights) -> None:
    """Add the outputs to the reader in a folder, in place of those that it has."""
    model = _without_outputs(folder)
    graph, states = model.graph, states_name(model.graph)
    rows: dict[str, NDArray[Any]] = {
        "projection": weights.projection.astype(np.float16),
        "shift": weights.shift.astype(np.float32),
        "alone_weights": weights.alone.astype(np.float16)[:, None],
        "alone_shift": np.array([weights.alone_shift], dtype=np.float32),
    }
    graph.initializer.extend(numpy_helper.from_array(array, PREFIX + name) for name, array in rows.items())
    for weight, shift, out in (("projection", "shift", "projected"), ("alone_weights", "alone_shift", "alone")):
        _add(graph, "Cast", [PREFIX + weight], f"{weight}_wide", to=TensorProto.FLOAT)
        _add(graph, "MatMul", [states, f"{PREFIX}{weight}_wide"], f"{weight}_product")
        _add(graph, "Add", [f"{PREFIX}{weight}_product", PREFIX + shift], out)
    _add(graph, "LpNormalization", [f"{PREFIX}projected"], "unit", axis=-1, p=2)
    _write(folder, model, f"{PREFIX}unit", f"{PREFIX}alone")


def show_states(folder: Path) -> None:
    """Let the reader in a folder give the states themselves as vectors, and their sum as ``alone``."""
    model = _without_outputs(folder)
    states = states_name(model.graph)
    model.graph.initializer.append(numpy_helper.from_array(np.array([2]), f"{PREFIX}columns"))
    _add(model.graph, "ReduceSum", [states, f"{PREFIX}columns"], "sum", keepdims=1)
    _write(folder, model, states, f"{PREFIX}sum")


def states_name(graph: GraphProto) -> str:
    """The tensor of the states of mentions, (1, mentions, states), in a reader's graph.

    Raises:
        ValueError: it is the graph of something else.
    """
    made_by = {name: node for node in graph.node for name in node.output}
    node = next((node for node in graph.node if node.name.startswith(JUDGES)), None)
    while node is not None and node.op_type != "Concat":
        node = made_by.get(node.input[0])
    if node is None:
        raise ValueError("not the graph of a document reader: nothing judges whether two mentions are one event")
    return str(node.output[0])


def _add(graph: GraphProto, kind: str, inputs: Sequence[str], output: str, **attributes: Any) -> None:
    graph.node.append(helper.make_node(kind, inputs, [PREFIX + output], name=PREFIX + output, **attributes))


def _without_outputs(folder: Path) -> ModelProto:
    """The reader's graph as it was before these outputs were added."""
    model = onnx.load_from_string(gzip.decompress((folder / FILE).read_bytes()))
    for parts in (model.graph.node, model.graph.initializer, model.graph.output):
        for part in [part for part in parts if part.name.startswith(PREFIX) or part.name in OUTPUTS]:
            parts.remove(part)
    return model


def _write(folder: Path, model: ModelProto, vectors: str, alone: str) -> None:
    """Write the graph with its outputs: (1, mentions, size) and (1, mentions, 1) without the ones."""
    graph = model.graph
    for name, given, ones, shape in (
        ("vector", vectors, [0], ["mentions", "numbers"]),
        ("alone", alone, [0, 2], ["mentions"]),
    ):
        axes = f"{PREFIX}{name}_ones"
        graph.initializer.append(numpy_helper.from_array(np.array(ones), axes))
        graph.node.append(helper.make_node("Squeeze", [given, axes], [name], name=name))
        graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
    onnx.checker.check_model(model)
    (folder / FILE).write_bytes(packed(model.SerializeToString()))
