"""Recipe: from the trained weights of the document reader to the folder that Whywire runs.

    python -m whywire_lab.recipes.export_documents --weights runs/documents --base base.npz --rows docs.jsonl
        --tokenizer tokenizer.json --config config.json --out src/whywire/models/weights/documents

One graph does all for one article: it reads the windows, chooses candidates, marks them, reads on, and relates them.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from whywire.reading.document_reader import KIND, feed_of
from whywire.reading.windows import WINDOW
from whywire_lab.recipes.document_net import NEGATIVE, DocumentNet, Shape, candidates_of, sharpened
from whywire_lab.recipes.document_rows import Document, load
from whywire_lab.recipes.export import write_config, write_graph
from whywire_lab.recipes.mention_outputs import MentionWeights, write_outputs
from whywire_lab.recipes.train_documents import MOST_WINDOWS, read_arrays

log = logging.getLogger(__name__)

MOST_EVENTS = 96
"""Candidates of an article whose pairs are looked at: a long one has more than any that the net learnt from."""

LEVELS = 31
"""Levels of the numbers in a matrix on either side of 0; int8 has room for 127."""

OUTPUTS = ("window", "first", "last", "event", "main", "status", "same", "links")
"""What the net says; the other outputs of the reader are learnt on top of it (``mention_outputs``)."""

SAMPLES = 40
"""Articles that show how uneven activations are, and what int8 costs."""


class ArticleGraph(torch.nn.Module):
    """The net as the graph of one article."""

    def __init__(self, net: DocumentNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, ids: Tensor, mask: Tensor, sentences: Tensor) -> tuple[Tensor, ...]:
        """Return :data:`OUTPUTS`: of the likeliest candidates, in the order of the text; -1: no candidate."""
        net, shape = self.net, self.net.shape
        below = net.read(ids, mask)
        found = candidates_of(net.rough(below, sentences), sentences, 1, shape.spans, trim=False)
        text = net.read_marked(below, mask, found)
        vectors, alone = net.mentions(text, found, ids.shape[1])
        event = net.is_event(vectors).squeeze(-1) + found.score
        event = torch.where(found.window < 0, NEGATIVE, event)
        most = torch._shape_as_tensor(event)[1].clamp(max=MOST_EVENTS)
        places = event.topk(most, dim=1).indices.sort(1).values  # type: ignore[arg-type]
        chosen, wide = found.at(places), places[:, :, None]
        vectors = torch.gather(vectors, 1, wide.expand(-1, -1, vectors.shape[2]))
        alone = torch.gather(alone, 1, wide.expand(-1, -1, alone.shape[2]))
        first, last = sharpened(chosen, net.sharp(below, sentences))
        outputs = {
            "window": chosen.window,
            "first": first,
            "last": last,
            "event": torch.gather(event, 1, places),
            "main": net.main(vectors).squeeze(-1),
            "status": net.status(vectors),
            "same": net.sames(vectors, alone, chosen),
            "links": net.links(vectors, chosen, text, mask.view(1, -1)),
        }
        return tuple(outputs[name][0] for name in OUTPUTS)


def trained(weights: Path, base: Mapping[str, Tensor], shape: Shape, new: tuple[str, ...] = ()) -> DocumentNet:
    """The net with its trained weights, and the embeddings of its base.

    Args:
        weights: the folder of :func:`~whywire_lab.recipes.train_documents.train_documents`.
        base: weights by the names of ``BertModel``.
        new: beginnings of the names of what has not been trained.

    Raises:
        ValueError: the weights are of another net.
    """
    net = DocumentNet(base["embeddings.word_embeddings.weight"].shape[0], shape)
    net.start_from(base)
    learnt: dict[str, Tensor] = {}
    for path in sorted(weights.glob("weights-*.npz")):
        learnt |= read_arrays(path)
    missing, unknown = net.load_state_dict(learnt, strict=False)
    if unknown or any(not name.startswith(("embeddings.", *new)) for name in missing):
        raise ValueError(f"weights of another net: {missing}, {unknown}")
    return net.eval()


def export_documents(
    net: DocumentNet,
    documents: Sequence[Document],
    tokenizer: Tokenizer,
    config: Mapping[str, Any],
    out: Path,
) -> dict[str, list[float]]:
    """Write ``model.onnx.gz``, ``tokenizer.json`` and ``config.json``; return what int8 costs each output.

    Args:
        documents: some of them show how uneven activations are, and what int8 costs.
        config: thresholds, calibration, the name of the base.
    """
    feeds = [feed_of(document.windows[:MOST_WINDOWS]) for document in spread(documents, SAMPLES)]
    axes = {0: "windows", 1: "tokens"}
    out.mkdir(parents=True, exist_ok=True)
    example = max(feeds, key=lambda feed: feed["ids"].shape[0])
    inputs = ("ids", "mask", "sentences")
    lost = write_graph(
        ArticleGraph(net.cpu()).eval(),
        tuple(torch.from_numpy(example[name]) for name in inputs),
        dict.fromkeys(inputs, axes),
        {name: {} for name in OUTPUTS},
        feeds,
        out / "model.onnx.gz",
        table=net.embeddings.word.weight.detach().numpy(),
        levels=LEVELS,
    )
    write_outputs(out, MentionWeights.untrained(net.shape.mention + net.shape.size))
    tokenizer.save(str(out / "tokenizer.json"), pretty=False)
    write_config(out, {"kind": KIND, "max_tokens": WINDOW, **config})
    return lost


def spread(documents: Sequence[Document], count: int) -> Sequence[Document]:
    """About so many documents from beginning to end."""
    return documents[:: max(1, len(documents) // count)][:count]


def main() -> None:
    """Run the recipe."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True, help="the folder of train_documents")
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--config", type=Path, required=True, help="JSON: thresholds and calibration")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    lost = export_documents(
        trained(options.weights, read_arrays(options.base), Shape()),
        load(options.rows),
        Tokenizer.from_file(str(options.tokenizer)),
        {"base": "multilingual-e5-small", **json.loads(options.config.read_text(encoding="utf-8"))},
        options.out,
    )
    log.info(
        "share of the variance lost to int8: %s", {name: np.round(values[:4], 4) for name, values in lost.items()}
    )


if __name__ == "__main__":
    main()
