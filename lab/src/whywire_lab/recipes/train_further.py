"""Recipe: train the upper half of a document reader further, from the folder that Whywire runs.

    python -m whywire_lab.recipes.train_further --data DATA --reader src/whywire/models/weights/documents
        --out runs/further --epochs 6 --left-out runs/left_out

What reads below the marks stays as it is, so every article is read up to there once, and a step costs a third: this
is what a processor without a graphics card can do in hours. New labels need no more than this.
"""

from __future__ import annotations

import argparse
import dataclasses
import gzip
import json
import logging
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import ModelProto, numpy_helper
from tokenizers import Tokenizer

from whywire_lab.labels.files import FOLDER
from whywire_lab.recipes.document_net import DocumentNet, Shape
from whywire_lab.recipes.document_rows import Document, read_documents, read_labelled
from whywire_lab.recipes.documents import DRAWN
from whywire_lab.recipes.export import BLOCK, write_exact_graph
from whywire_lab.recipes.export_documents import OUTPUTS, ArticleGraph
from whywire_lab.recipes.train_documents import (
    HELD_OUT,
    Article,
    Batch,
    Pace,
    half_precision,
    predict,
    read_arrays,
    save,
    train,
)
from whywire_lab.recipes.training_loop import seed_everything

log = logging.getLogger(__name__)


def net_of(reader: Path, shape: Shape) -> DocumentNet:
    """The net of a reader's folder, with the weights as they were rounded.

    A net with random weights is written as a graph, too: where it has one of its parameters, the reader has its own.

    Raises:
        ValueError: the reader was written from another net.
    """
    arrays = whole_arrays(onnx.load_from_string(gzip.decompress((reader / "model.onnx.gz").read_bytes())))
    net = DocumentNet(len(arrays["net.embeddings.word.weight"]), shape)
    with torch.no_grad():
        for parameter in net.parameters():
            torch.nn.init.normal_(parameter)
    random = _random_graph(net)
    places = {array.tobytes(): name for name, array in random.items()}
    for name, own in net.state_dict().items():
        straight, across = (np.ascontiguousarray(values).tobytes() for values in (own.numpy(), own.numpy().T))
        place = places.get(straight) or places.get(across)
        if place in arrays:
            found = arrays[place] if straight in places else arrays[place].T
            own.copy_(torch.from_numpy(np.ascontiguousarray(found)).reshape(own.shape))
        elif name != "sharp.bias":  # the same for all spans, so no graph has it
            raise ValueError(f"the reader in {reader} was written from another net: it has no {name}")
    return net.eval()


def _random_graph(net: DocumentNet) -> dict[str, NDArray[Any]]:
    ids = torch.ones(2, 64, dtype=torch.long)
    axes = {0: "windows", 1: "tokens"}
    inputs = dict.fromkeys(("ids", "mask", "sentences"), axes)
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "exact.onnx"
        write_exact_graph(ArticleGraph(net), (ids, ids > 0, ids * 0), inputs, {name: {} for name in OUTPUTS}, path)
        return {own.name: numpy_helper.to_array(own, scratch) for own in onnx.load(str(path)).graph.initializer}


def whole_arrays(model: ModelProto) -> dict[str, NDArray[Any]]:
    """The weights of an int8 graph in floats, as they were before activations were evened out."""
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    made_by = {name: node for node in model.graph.node for name in node.output}
    uneven: dict[str, NDArray[Any]] = {}
    whole = {name: array for name, array in arrays.items() if array.dtype == np.float32}
    for name, array in arrays.items():
        stem, _, part = name.rpartition("_")
        if part == "quantized":
            whole[stem] = (array.astype(np.float32) - arrays[f"{stem}_zero_point"]) * arrays[f"{stem}_scale"]
    if "words" in arrays:  # a table in four bits (export.pack_table)
        blocks = arrays["words"].astype(np.float32).reshape(len(arrays["words"]), -1, BLOCK)
        table = blocks * arrays["words_scales"].astype(np.float32)[..., None]
        whole["net.embeddings.word.weight"] = table.reshape(len(table), -1)
    for node in model.graph.node:
        if node.op_type == "MatMulInteger" and node.input[1].endswith("_quantized"):
            evened = made_by[made_by[node.input[0]].input[0]]
            evening = next(arrays[name] for name in evened.input if name.endswith("_evening"))
            stem = node.input[1].removesuffix("_quantized")
            uneven[stem] = whole[stem] * evening[:, None]
    return whole | uneven


@torch.no_grad()
def read_below(net: DocumentNet, articles: Iterable[Article]) -> None:
    """Give each article its states below the marks, in half precision."""
    for number, article in enumerate(articles, 1):
        batch = Batch.of([article])
        with half_precision():
            article.below = net.read(batch.ids, batch.mask).half()
        if number % 500 == 0:
            log.info("%d articles read", number)


def take_weights(net: DocumentNet, folder: Path) -> None:
    """Put the trained weights of a folder, ``weights-*.npz``, into a net."""
    for path in sorted(folder.glob("weights-*.npz")):
        net.load_state_dict(read_arrays(path), strict=False)


def train_further(
    net: DocumentNet,
    documents: Sequence[Document],
    out: Path,
    *,
    pace: Pace,
    left_out: Sequence[Document] = (),
    seed: int = 1,
) -> None:
    """Train what stands above the marks, and write ``weights-*.npz``, and what it says of documents left out.

    Args:
        left_out: not learnt from; ``held_out.jsonl.gz`` has what is needed to choose thresholds on them.
    """
    seed_everything(seed)
    out.mkdir(parents=True, exist_ok=True)
    known = {document.id for document in left_out}
    articles = [Article(document) for document in documents if document.id not in known]
    others = [Article(document) for document in left_out]
    read_below(net, articles + others)
    for layer in net.encoder[: net.shape.split]:
        layer.requires_grad_(False)
    mean = train(net.train(), articles, pace, name=out.name, held_out=others)
    save(mean, out)
    if others:
        with gzip.open(out / HELD_OUT, "wt", encoding="utf-8") as file:
            file.writelines(f"{json.dumps(row, separators=(',', ':'))}\n" for row in predict(mean, others))


def main() -> None:
    """Run the recipe."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the corpora")
    parser.add_argument("--reader", type=Path, required=True, help="the folder of the reader to begin with")
    parser.add_argument("--weights", type=Path, help="begin with these weights of an earlier run")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--left-out", type=Path, nargs="*", default=(), help="label files that are not learnt from")
    parser.add_argument("--seed", type=int, default=1)
    pace = Pace(epochs=6, rate=5e-5, head_rate=3e-4, warm_up=100)
    for own in dataclasses.fields(Pace):
        default = getattr(pace, own.name)
        kind = int if isinstance(default, int) else float
        parser.add_argument(f"--{own.name.replace('_', '-')}", type=kind, default=default)
    options = parser.parse_args()
    net = net_of(options.reader, Shape())
    if options.weights:
        take_weights(net, options.weights)
    tokenizer = Tokenizer.from_file(str(options.reader / "tokenizer.json"))
    documents = read_documents(options.data, tokenizer, (FOLDER / f"{name}.jsonl" for name in DRAWN))
    train_further(
        net,
        documents,
        options.out,
        pace=Pace(**{own.name: getattr(options, own.name) for own in dataclasses.fields(Pace)}),
        left_out=read_labelled(options.data, tokenizer, options.left_out),
        seed=options.seed,
    )


if __name__ == "__main__":
    main()
