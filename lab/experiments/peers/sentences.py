"""Which sentences are causal: our reader beside the same weights in floats through transformers, and spaCy's matcher.

python -m lab.experiments.peers.sentences --python PEERS/bin/python --data DATA

The sentences are RECESS's dev rows. The checkpoint in floats is the shipped one with its int8 weights multiplied out:
the one that was rounded is not kept. Our reader finds causes and effects as well; its passes alone are shown, too.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import process_time

import numpy as np
import onnx
from lab.experiments.peers.measured import ratio, run, table
from numpy.typing import NDArray
from onnx import numpy_helper

from whywire.language_models import LanguageModels
from whywire.models.odds import calibrated
from whywire.news import Language
from whywire.sentences.reader import DECISION_THRESHOLD
from whywire_lab.metrics.classification import binary_score
from whywire_lab.recipes.sentence_data import load_rows
from whywire_lab.tasks.record import provenance

WAYS = "transformers-singly", "transformers-batched", "spacy", "spacy-wide"


def main() -> None:
    """Print a table to standard error and all rows as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", required=True, help="the interpreter that has transformers and spaCy")
    parser.add_argument("--data", type=Path, required=True, help="the folder of corpora")
    arguments = parser.parse_args()
    given = [row for row in load_rows(arguments.data)["dev"] if row.corpus == "recess"]
    texts, truth = [row.text for row in given], [bool(row.causal) for row in given]
    reader = LanguageModels().sentences(Language.ENGLISH)
    reader.read(texts[:32])
    started = process_time()
    ours = [reading.causal >= DECISION_THRESHOLD for reading in reader.read(texts)]
    whole = process_time()
    for _ in reader.model.run(texts, ["sentence", "tokens"]):
        pass
    passes = process_time() - whole
    found = [("whywire read", ours, whole - started), ("whywire, passes alone", ours, passes)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_floats(reader.model.folder, folder)
        (folder / "texts.json").write_text(json.dumps(texts))
        for way in WAYS:
            answer = json.loads(
                run([arguments.python, "-m", "lab.experiments.peers.sentence_peers", way, name]).output
            )
            scores = np.array(answer["scores"])
            if way.startswith("transformers"):
                scores = calibrated(scores, reader.model.config["calibration"]["causal"])
            found.append((way, (scores >= DECISION_THRESHOLD).tolist(), answer["seconds"]))
    found.append(("yes to all", [True] * len(texts), 0.0))
    rows = [scored(way, causal, seconds, ours, truth, found[0][2]) for way, causal, seconds in found]
    print(table(rows), file=sys.stderr)
    print(json.dumps({"sentences": len(texts), "rows": rows} | provenance(), indent=2))


def scored(
    way: str, causal: Sequence[bool], seconds: float, ours: Sequence[bool], truth: Sequence[bool], own: float
) -> dict[str, object]:
    """A row of the table."""
    score = binary_score(causal, truth)
    return {
        "way": way,
        "s": seconds,
        "beside ours": ratio(seconds, own),
        "precision": 100 * score.precision,
        "recall": 100 * score.recall,
        "F1": 100 * score.f1,
        "decided as ours": f"{sum(map(bool.__eq__, causal, ours))} of {len(ours)}",
    }


def write_floats(model: Path, folder: Path) -> None:
    """Write the weights of an int8 graph in floats, by the names of the net in torch, with the tokenizer.

    Args:
        model: a folder with ``model.onnx.gz``, made by the recipe of the sentence model.
    """
    graph = onnx.load_from_string(gzip.decompress((model / "model.onnx.gz").read_bytes())).graph
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    made_by = {name: node for node in graph.node for name in node.output}
    weights = {name: array for name, array in arrays.items() if array.dtype == np.float32 and name.endswith("bias")}
    weights |= {name: array for name, array in arrays.items() if name.endswith("LayerNorm.weight")}
    for node in graph.node:
        if node.op_type == "MatMulInteger":
            floats = whole(arrays, node.input[1])
            evened = made_by[made_by[node.input[0]].input[0]]
            for name in evened.input:
                if name.endswith("_evening"):
                    floats = floats * arrays[name][:, None]
            weights[module_of(node.name) + ".weight"] = floats.T
    for name in arrays:
        if "embeddings" in name and name.endswith("_quantized"):
            weights[name.removesuffix("_quantized")] = whole(arrays, name)
    np.savez(folder / "weights.npz", **weights)
    (folder / "tokenizer.json").write_bytes((model / "tokenizer.json").read_bytes())


def whole(arrays: dict[str, NDArray[np.float32]], name: str) -> NDArray[np.float32]:
    """A rounded matrix in floats."""
    stem = name.removesuffix("_quantized")
    return (arrays[name].astype(np.float32) - arrays[f"{stem}_zero_point"]) * arrays[f"{stem}_scale"]


def module_of(node: str) -> str:
    """The module of a node such as ``/encoder/encoder/layer.0/output/dense/MatMul_quant``."""
    *path, _ = node.strip("/").split("/")
    last = path.pop()
    return last if path and last.startswith(f"{path[-1]}.") else ".".join([*path, last])


if __name__ == "__main__":
    main()
