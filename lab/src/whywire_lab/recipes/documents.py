"""The whole recipe of the document reader: rows, runs without a fold each, a run on all, thresholds, and the graph.

What the runs without a fold say of it chooses thresholds and calibrates links, and is the score of the recipe. The
reader itself learns from all documents. It takes minutes on a graphics processor, and a night on a processor.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor
from transformers import BertModel

from whywire.errors import InputError
from whywire_lab.corpora import news_stream
from whywire_lab.labels.files import FOLDER
from whywire_lab.metrics.reader_graphs import Counts
from whywire_lab.recipes.base_encoders import PACKAGES, Base, load_base, trim_vocabulary
from whywire_lab.recipes.document_net import HEAD_SIZE, Shape
from whywire_lab.recipes.document_rows import NEWS, Document, read_documents
from whywire_lab.recipes.drawn_graphs import config_of, measured, read_held_out, report
from whywire_lab.recipes.export_documents import export_documents, trained
from whywire_lab.recipes.sharpen_spans import sharpen
from whywire_lab.recipes.train_documents import HELD_OUT, Pace, train_documents
from whywire_lab.recipes.training_loop import console

BASE = "multilingual-e5-small"

RARE = 5
"""How often the news streams must show a word piece for it to stay."""

FOLDS = 4

DRAWN = tuple(f"reader_{kind}_{language}" for kind in ("graphs", "stories") for language in ("en", "ru"))
"""The label files that are learnt from; articles that were read twice are kept for measuring."""


def make_documents(data: Path, folder: Path, *, seed: int = 1, base: str | None = None) -> dict[str, Any]:
    """Make the document reader from the corpora and labels.

    Args:
        folder: where the reader is written, and its runs into ``runs``; one that is there is not made again.
        base: another encoder of the BERT family: a hub name or a folder.

    Returns:
        The scores of held-out folds, by language.

    Raises:
        InputError: the base is no such encoder.
    """
    start = load_base(base or BASE)
    shape = shape_for(start)
    documents, state, tokenizer = read_all(data, start)
    return make_reader(documents, state, tokenizer, folder, shape=shape, name=start.name, seed=seed)


def read_all(data: Path, start: Base | None = None) -> tuple[list[Document], dict[str, Tensor], Tokenizer]:
    """All that is learnt from: documents, the weights of the base by the names of ``BertModel``, its tokenizer.

    The vocabulary of our own base is cut to what the news streams hold, where they are there.
    """
    start = start or load_base(BASE)
    if start.name in PACKAGES and (data / NEWS).is_dir():
        start = trim_vocabulary(start, _texts(data), min_count=RARE)
    documents = read_documents(data, start.tokenizer, (FOLDER / f"{name}.jsonl" for name in DRAWN))
    return documents, start.encoder.float().state_dict(), start.tokenizer


def shape_for(base: Base) -> Shape:
    """The sizes of the net on a base; marks come at two thirds of its layers.

    Raises:
        InputError: it is no BERT, or its heads are of another size.
    """
    encoder = base.encoder
    if not isinstance(encoder, BertModel):
        raise InputError("the document reader starts from an encoder of the BERT family", where=base.name)
    size, layers = encoder.config.hidden_size, encoder.config.num_hidden_layers
    if size != HEAD_SIZE * encoder.config.num_attention_heads:
        raise InputError(f"the document reader needs heads of {HEAD_SIZE} numbers", where=base.name)
    return Shape(size=size, layers=layers, split=layers * 2 // 3)


def make_reader(
    documents: Sequence[Document],
    base: Mapping[str, Tensor],
    tokenizer: Tokenizer,
    folder: Path,
    *,
    shape: Shape,
    name: str = BASE,
    pace: Pace | None = None,
    seed: int = 1,
) -> dict[str, Any]:
    """Train on documents and write the folder of the reader; :func:`make_documents` says the rest.

    Args:
        base: weights by the names of ``BertModel``.
        name: of the base.
    """
    pace, runs = pace or Pace(), folder / "runs"
    for fold in range(FOLDS):
        out = runs / f"fold-{fold}"
        if not (out / HELD_OUT).is_file():
            train_documents(documents, base, out, shape=shape, pace=pace, fold=(fold, FOLDS), seed=seed)
    if not (runs / "all" / "weights-0.npz").is_file():
        train_documents(documents, base, runs / "all", shape=shape, pace=pace, seed=seed)
    sharpen(documents, base, runs / "all", shape=shape, seed=seed)
    complete = [document for document in documents if not document.main_only]
    held_out = (runs / f"fold-{fold}" / HELD_OUT for fold in range(FOLDS))
    rows = read_held_out(held_out, {document.id for document in complete})
    sums, _ = measured(rows, complete)
    for language, its_sums in sums.items():
        console.print(report(language, its_sums))
    config = {"base": name, **config_of(rows, complete)}
    net = trained(runs / "all", base, shape)
    with torch.no_grad():
        lost = export_documents(net, documents, tokenizer, config, folder)
    return {**{language: _scores(its_sums) for language, its_sums in sums.items()}, "lost_to_int8": lost}


def _scores(sums: Counts) -> dict[str, float]:
    numbers = {"f1": sums.f1, "precision": sums.precision, "recall": sums.recall, "event_f1": sums.event_f1}
    return {name: round(value, 4) for name, value in numbers.items()}


def _texts(data: Path) -> Iterator[str]:
    """What the two languages look like in the news, to know which word pieces are worth their bytes."""
    for language in ("en", "ru"):
        for row in news_stream.read_articles(data / NEWS, language):
            yield f"{row['title']} {row['text']}"
