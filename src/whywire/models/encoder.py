"""An ONNX model with its tokenizer: texts in, arrays out, on all cores.

Each text goes through the model alone. The int8 models scale activations by the largest activation in a batch. So in
a batch the answer for a text would depend on the other texts: a causal probability changed by up to 0.14.
"""

from __future__ import annotations

import json
import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from onnxruntime import InferenceSession
from tokenizers import Encoding, Tokenizer

from whywire.errors import ModelError
from whywire.models.capitals import sentence_case
from whywire.models.sessions import open_session
from whywire.progress import Advance, stop_if_asked

BATCH_TEXTS = 32
"""The greatest number of texts that a thread gets at a time and reports together."""

FEW_TEXTS = 4
"""The greatest number of texts that are left to one thread; more are shared among the threads."""

CHARS_PER_TOKEN = 16
"""Before a text is tokenised, it is cut to this number of characters times the model's limit of tokens. A token of
running text has three to seven characters."""

Text = str | tuple[str, str]

Part = TypeVar("Part")
Result = TypeVar("Result")

_NO_MEMORY = re.compile("bad_alloc|(failed to|cannot|can't) allocate|out of memory", re.IGNORECASE)
"""How ONNX Runtime's allocators report that there is no memory."""

_SURROGATE = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Batch:
    """The outputs of the model for some of the texts.

    Args:
        numbers: the indices of these texts in the given sequence.
        encodings: the tokens of the texts, with offsets into the texts.
        outputs: by output name, one array per text.
    """

    numbers: range
    encodings: list[Encoding]
    outputs: dict[str, list[NDArray[np.float32]]]


class OnnxModel:
    """A folder with ``model.onnx`` or ``model.onnx.gz``, ``tokenizer.json`` and ``config.json``, ready to run.

    The graph is opened when the first text is run, since many a command needs only some of the models it may need.

    Args:
        folder: the folder with the three files.
        threads: the number of texts that run at the same time; by default one per core that this process may use.

    Raises:
        ModelError: a file is missing or cannot be read; of the graph, when it is opened.
    """

    def __init__(self, folder: Path, *, threads: int | None = None) -> None:
        self.folder = folder
        self.threads = threads or usable_cores()
        with _usable(folder):
            self.config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            if not weights_file(folder).is_file():
                raise FileNotFoundError(f"there is no {weights_file(folder).name}")
        self.tokenizer.enable_truncation(self.max_tokens)

    @cached_property
    def session(self) -> InferenceSession:
        """The graph, ready to run."""
        with _usable(self.folder):
            return open_session(weights_file(self.folder))

    @cached_property
    def outputs(self) -> list[str]:
        """The names of the outputs."""
        return [output.name for output in self.session.get_outputs()]

    @cached_property
    def _inputs(self) -> set[str]:
        """The names of the inputs; some encoders take no token types."""
        return {given.name for given in self.session.get_inputs()}

    @property
    def max_tokens(self) -> int:
        """The most tokens of a text, or of both texts of a pair together; longer texts are cut."""
        return int(self.config["max_tokens"])

    def run(self, texts: Sequence[Text], outputs: Sequence[str] | None = None) -> Iterator[Batch]:
        """Run the model over texts, or pairs of texts, and yield the outputs in batches, in order.

        Args:
            texts: all strings, or all pairs. At most the first :attr:`max_tokens` tokens of a text are read, and none
                beyond its first ``CHARS_PER_TOKEN * max_tokens`` characters.
            outputs: names of the wanted outputs; by default all.

        Raises:
            Stopped: the caller was asked to stop (:func:`whywire.progress.stopping_when`).
        """
        wanted = list(outputs or self.outputs)
        self.session  # noqa: B018 - opened before several threads would
        if len(texts) <= FEW_TEXTS:
            yield from (self._forward(*batch, wanted) for batch in self._batches(texts, FEW_TEXTS))
            return
        size = min(BATCH_TEXTS, -(-len(texts) // self.threads))
        yield from in_threads(lambda batch: self._forward(*batch, wanted), self._batches(texts, size), self.threads)

    def table(self, texts: Sequence[Text], output: str, advance: Advance | None = None) -> NDArray[np.float32]:
        """Return one output that has a row for each text, (texts, width)."""
        width = self.session.get_outputs()[self.outputs.index(output)].shape[-1]
        rows = [np.zeros((0, width if isinstance(width, int) else 0), dtype=np.float32)]
        for batch in self.run(texts, [output]):
            rows.append(np.stack(batch.outputs[output]))
            if advance:
                advance(len(batch.numbers))
        return np.concatenate(rows if len(rows) == 1 else rows[1:])

    def _batches(self, texts: Sequence[Text], size: int) -> Iterator[tuple[range, list[Encoding]]]:
        for first in range(0, len(texts), size):
            numbers = range(first, min(first + size, len(texts)))
            yield numbers, self.tokenizer.encode_batch([self._readable(text) for text in texts[first : numbers.stop]])

    def _readable(self, text: Text) -> Text:
        """Return the part of the text, or of both texts of the pair, that the model reads.

        A tokenizer that cuts a pair also encodes the remaining parts, in every combination: 30 MB for two texts of
        9,000 characters.
        """
        if isinstance(text, str):
            return self._beginning(text)
        left, right = map(self._beginning, text)
        return self._whole_tokens(left), self._whole_tokens(right)

    def _beginning(self, text: str) -> str:
        """Return the beginning of a text, as far as the model reads it; offsets stay valid.

        Lone surrogates become U+FFFD, and words in capitals lower case.
        """
        return sentence_case(_SURROGATE.sub("\ufffd", text[: CHARS_PER_TOKEN * self.max_tokens]))

    def _whole_tokens(self, text: str) -> str:
        """Return a text up to the end of the last token within the limit."""
        if len(text) <= self.max_tokens:
            return text
        encoding = self.tokenizer.encode(text, add_special_tokens=False)
        return text[: encoding.offsets[-1][1]] if encoding.overflowing else text

    def _forward(self, numbers: range, encodings: list[Encoding], wanted: list[str]) -> Batch:
        outputs: dict[str, list[NDArray[np.float32]]] = {name: [] for name in wanted}
        for encoding in encodings:
            stop_if_asked()
            for name, output in zip(wanted, self._outputs_of(encoding, wanted), strict=True):
                outputs[name].append(output)
        return Batch(numbers, encodings, outputs)

    def _outputs_of(self, encoding: Encoding, wanted: list[str]) -> list[NDArray[np.float32]]:
        """Return the wanted outputs for one text, in order."""
        feed = {name: array for name, array in inputs_of(encoding).items() if name in self._inputs}
        return [output[0] for output in self.session.run(wanted, feed)]


@contextmanager
def _usable(folder: Path) -> Iterator[None]:
    """Say of any error inside the block that the folder holds no usable model."""
    try:
        yield
    except Exception as error:
        reason = f"not a usable model: {error}"
        hint = "a model folder holds model.onnx or model.onnx.gz, tokenizer.json and config.json"
        if isinstance(error, MemoryError) or _NO_MEMORY.search(str(error)):
            reason = "there is too little memory to load the model"
            hint = "a model needs up to 300 MB; allow the process more, or end others"
        raise ModelError(reason, where=str(folder), hint=hint) from error


def in_threads(work: Callable[[Part], Result], parts: Iterable[Part], threads: int) -> Iterator[Result]:
    """Yield the result of ``work`` for each part, in order; only a few parts are taken in advance."""
    pool = ThreadPoolExecutor(threads)
    pending: deque[Future[Result]] = deque()
    try:
        for part in parts:
            pending.append(pool.submit(copy_context().run, work, part))
            if len(pending) > 4 * threads:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def weights_file(folder: Path) -> Path:
    """Return the ONNX file of a model folder; embedded files are compressed to three quarters of their size."""
    packed = folder / "model.onnx.gz"
    return packed if packed.is_file() else folder / "model.onnx"


def usable_cores() -> int:
    """Return the number of cores that this process may use or, if the system does not say, of all cores.

    ``OMP_NUM_THREADS`` limits it; Ray sets that to an actor's share of its node.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    limit = os.environ.get("OMP_NUM_THREADS", "")
    return min(cores, int(limit)) if limit.isdecimal() and int(limit) else cores


def inputs_of(encoding: Encoding) -> dict[str, NDArray[np.int64]]:
    """Return the three inputs of a BERT model, (1, tokens) each."""
    return {
        "input_ids": np.array([encoding.ids], dtype=np.int64),
        "attention_mask": np.ones((1, len(encoding)), dtype=np.int64),
        "token_type_ids": np.array([encoding.type_ids], dtype=np.int64),
    }
