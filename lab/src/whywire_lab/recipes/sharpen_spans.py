"""Recipe: learn which of the spans near a candidate a reader would copy, with all else of the document reader kept.

    python -m whywire_lab.recipes.sharpen_spans --rows docs.jsonl --base base.npz --weights runs/documents

The scores of candidates say how much of its union with a reader's span a span shares, so the best is often a word too
long or too short. Here every span of a reader competes with those near it. The lower layers are read once.
"""

from __future__ import annotations

import argparse
import logging
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from whywire_lab.recipes.document_net import MAX_SPAN, DocumentNet, Shape
from whywire_lab.recipes.document_rows import Document, load
from whywire_lab.recipes.export_documents import trained
from whywire_lab.recipes.train_documents import (
    DEVICE,
    Article,
    Batch,
    fold_of,
    half_precision,
    near_spans,
    read_arrays,
)
from whywire_lab.recipes.training_loop import seed_everything

log = logging.getLogger(__name__)

FOLDS = 12
"""One of so many folds of source stories is left out, to see how many spans are right."""

BATCH = 8
"""Articles of a step."""


@torch.no_grad()
def states_of(net: DocumentNet, document: Document) -> list[Tensor]:
    """The states below the marks of each window, (tokens, size) in half precision."""
    batch = Batch.of([Article(document)])
    with half_precision():
        below = net.read(batch.ids, batch.mask)
    return [states.half().cpu() for states in below]


def choices(document: Document, windows: int) -> Iterator[tuple[int, Tensor, Tensor, int]]:
    """For each span of a reader its window, the firsts and lasts of those near it, and its place among them."""
    for window, first, last, _ in document.mentions:
        if window >= windows or last - first >= MAX_SPAN:
            continue
        sentences = np.array(document.windows[window].sentences)
        starts, lengths, _ = near_spans(last - first + 1).T.astype(int)
        starts = starts + first
        ends = starts + lengths
        inside = (starts >= 0) & (ends < len(sentences))
        starts, ends = starts[inside], ends[inside]
        inside = (sentences[starts] == sentences[first]) & (sentences[ends] == sentences[first])
        starts, ends = starts[inside], ends[inside]
        (place,) = np.flatnonzero((starts == first) & (ends == last)).tolist()
        yield window, torch.from_numpy(starts), torch.from_numpy(ends), place


Example = tuple[list[Tensor], list[tuple[int, Tensor, Tensor, int]]]


def loss_of(net: DocumentNet, examples: Sequence[Example]) -> tuple[Tensor, int, int]:
    """The summed loss of examples, how many spans there are, and how many are right."""
    total, count, right = torch.zeros(()), 0, 0
    for states, spans in examples:
        ends = [net.sharp.ends(window.float()) for window in states]
        for window, first, last, place in spans:
            scores = net.sharp.of_spans(ends[window], first, last)
            total = total + functional.cross_entropy(scores[None], torch.tensor([place]))
            count, right = count + 1, right + int(scores.argmax() == place)
    return total, count, right


def sharpen(
    documents: Sequence[Document],
    base: Mapping[str, Tensor],
    weights: Path,
    *,
    shape: Shape,
    epochs: int = 4,
    rate: float = 1e-3,
    seed: int = 1,
) -> None:
    """Train the sharp scorer from the rough one, and write ``weights-sharp.npz``.

    Args:
        base: weights by the names of ``BertModel``.
        weights: the folder of :func:`~whywire_lab.recipes.train_documents.train_documents`.
    """
    seed_everything(seed)
    net = trained(weights, base, shape, new=("sharp.",))
    net.sharp.load_state_dict(net.rough.state_dict())
    documents = [document for document in documents if document.mentions]
    random.shuffle(documents)
    started = time.time()
    examples: dict[bool, list[Example]] = {True: [], False: []}
    net.to(DEVICE)
    for number, document in enumerate(documents, 1):
        states = states_of(net, document)
        examples[fold_of(document.group, FOLDS) == 0].append((states, [*choices(document, len(states))]))
        if number % 200 == 0:
            log.info("%d articles read; %.0f s", number, time.time() - started)
    net.cpu()
    net.sharp.train()
    optimizer = torch.optim.AdamW(net.sharp.parameters(), lr=rate, weight_decay=0.01)
    learnt, left_out = examples[False], examples[True]
    steps = epochs * -(-len(learnt) // BATCH)
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / 50) * (1 - step / steps)
    )
    for epoch in range(epochs + 1):
        with torch.no_grad():
            net.sharp.eval()
            total, count, right = loss_of(net, left_out)
            net.sharp.train()
        log.info(
            "epoch %d: left out: loss %.3f, right %.3f of %d; %.0f s",
            epoch, float(total) / max(1, count), right / max(1, count), count, time.time() - started,
        )  # fmt: skip
        if epoch == epochs:
            break
        random.shuffle(learnt)
        for at in range(0, len(learnt), BATCH):
            total, count, _ = loss_of(net, learnt[at : at + BATCH])
            if count:
                optimizer.zero_grad()
                (total / count).backward()
                optimizer.step()
            scheduler.step()
    arrays: dict[str, Any] = {f"sharp.{name}": value.half().numpy() for name, value in net.sharp.state_dict().items()}
    np.savez_compressed(weights / "weights-sharp.npz", **arrays)


def main() -> None:
    """Run the recipe."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument(
        "--weights", type=Path, required=True, help="the folder of train_documents; the scorer joins it"
    )
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rate", type=float, default=1e-3)
    options = parser.parse_args()
    sharpen(
        load(options.rows),
        read_arrays(options.base),
        options.weights,
        shape=Shape(),
        epochs=options.epochs,
        rate=options.rate,
    )


if __name__ == "__main__":
    main()
