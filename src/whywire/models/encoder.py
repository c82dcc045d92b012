"""One ONNX model with its tokenizer: texts in, arrays out, in batches of like length on every core."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from whywire.errors import ModelError

BATCH_TOKENS = 2048
"""Tokens a batch, padding included: enough to fill a core, small enough to stay in its cache."""

CHUNK_TEXTS = 4096
"""Texts sorted by length at a time: batches hold little padding, memory does not grow with the stream."""

Text = str | tuple[str, str]


@dataclass(frozen=True, slots=True)
class Batch:
    """What the model says of some of the texts.

    Args:
        numbers: which texts, as places in the sequence given.
        encodings: their tokens, with offsets into the texts.
        outputs: an array an output, with one row a text.
    """

    numbers: list[int]
    encodings: list[Encoding]
    outputs: dict[str, NDArray[np.float32]]


class OnnxModel:
    """A folder with ``model.onnx``, ``tokenizer.json`` and ``config.json``, ready to run.

    Args:
        folder: where the three files are.
        threads: batches run at once; by default one a core that this process may use.

    Raises:
        ModelError: a file is missing or cannot be read.
    """

    def __init__(self, folder: Path, *, threads: int | None = None) -> None:
        self.folder = folder
        self.threads = threads or usable_cores()
        try:
            self.config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = 1  # whole batches side by side beat one batch cut in pieces
            options.inter_op_num_threads = 1
            self.session = onnxruntime.InferenceSession(
                str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:
            raise ModelError(
                f"not a usable model: {error}",
                where=str(folder),
                hint="a model folder holds model.onnx, tokenizer.json and config.json",
            ) from error
        self.tokenizer.enable_truncation(int(self.config["max_tokens"]))
        self.outputs = [output.name for output in self.session.get_outputs()]

    def run(self, texts: Sequence[Text], outputs: Sequence[str] | None = None) -> Iterator[Batch]:
        """Run the model over texts, or pairs of texts, and yield results in batches, in no order of the texts.

        Args:
            texts: all strings, or all pairs.
            outputs: names of the outputs wanted; all of them by default.
        """
        wanted = list(outputs or self.outputs)
        pool = ThreadPoolExecutor(self.threads)
        pending: deque[Future[Batch]] = deque()
        try:
            for batch in self._batches(texts):
                pending.append(pool.submit(self._forward, *batch, wanted))
                if len(pending) > 4 * self.threads:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _batches(self, texts: Sequence[Text]) -> Iterator[tuple[list[int], list[Encoding]]]:
        for first in range(0, len(texts), CHUNK_TEXTS):
            encodings = self.tokenizer.encode_batch(list(texts[first : first + CHUNK_TEXTS]))
            by_length = sorted(range(len(encodings)), key=lambda place: len(encodings[place]))
            start = 0
            while start < len(by_length):
                stop = start + 1
                while stop < len(by_length) and len(encodings[by_length[stop]]) * (stop + 1 - start) <= BATCH_TOKENS:
                    stop += 1
                places = by_length[start:stop]
                yield [first + place for place in places], [encodings[place] for place in places]
                start = stop

    def _forward(self, numbers: list[int], encodings: list[Encoding], wanted: list[str]) -> Batch:
        arrays = self.session.run(wanted, padded(encodings))
        return Batch(numbers, encodings, dict(zip(wanted, arrays, strict=True)))


def usable_cores() -> int:
    """How many cores this process may use, where the system tells; else how many there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def padded(encodings: Sequence[Encoding]) -> dict[str, NDArray[np.int64]]:
    """The three inputs of a BERT, (texts, longest) each, filled up with zeros."""
    shape = (len(encodings), max(map(len, encodings)))
    inputs = {name: np.zeros(shape, dtype=np.int64) for name in ("input_ids", "attention_mask", "token_type_ids")}
    for row, encoding in enumerate(encodings):
        inputs["input_ids"][row, : len(encoding)] = encoding.ids
        inputs["attention_mask"][row, : len(encoding)] = 1
        inputs["token_type_ids"][row, : len(encoding)] = encoding.type_ids
    return inputs
