"""Compares two reports that were read before: one pass a pair through the upper layers of the pair model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from onnxruntime import InferenceSession

from whywire.errors import ModelError
from whywire.models.encoder import usable_cores
from whywire.models.sessions import open_session
from whywire.pairs.relations import RELATIONS
from whywire.pairs.report_reader import ReadReport
from whywire.progress import Advance, stop_if_asked

PAIR_GRAPH = "pair.onnx.gz"

RELATION = "relation"
"""The output of the graph: logits of the seven relations, free of any prior."""

SIDE_INPUTS = ("states", "vectors", "has_lead")
"""The inputs of the graph for each report; their names are ``left_states`` and so on."""

BATCH_PAIRS = 32
"""Pairs handed to a thread at a time, and reported together."""

Logits = NDArray[np.float64]
ReadPair = tuple[ReadReport, ReadReport]


class PairComparer:
    """The graph that compares two reports, ready to run; each pair goes through it alone.

    Args:
        folder: of the model.
        threads: pairs compared at once; by default one for each core that this process may use.

    Raises:
        ModelError: the graph is missing; or, at the first pair, cannot be read.
    """

    def __init__(self, folder: Path, *, threads: int | None = None) -> None:
        self._threads = threads or usable_cores()
        self._path = folder / PAIR_GRAPH
        if not self._path.is_file():
            raise ModelError("no usable graph of pairs: there is no such file", where=str(self._path))

    @cached_property
    def _session(self) -> InferenceSession:
        """The graph, opened when the first pair is compared."""
        try:
            return open_session(self._path)
        except Exception as error:
            raise ModelError(f"no usable graph of pairs: {error}", where=str(self._path)) from error

    def compare(self, pairs: Sequence[ReadPair], advance: Advance | None = None) -> Logits:
        """The logits (pairs, 7) of the relations of each pair, free of any prior."""
        parts = [pairs[at : at + BATCH_PAIRS] for at in range(0, len(pairs), BATCH_PAIRS)]
        rows: list[NDArray[np.float32]] = [np.zeros((0, len(RELATIONS)), dtype=np.float32)]
        if parts:
            self._session  # noqa: B018 - opened before several threads would
        with ThreadPoolExecutor(self._threads) if len(parts) > 1 else nullcontext() as pool:
            for part in pool.map(self._run, parts) if pool else map(self._run, parts):
                rows += part
                stop_if_asked()
                if advance:
                    advance(len(part))
        return np.concatenate(rows).astype(np.float64)

    def _run(self, pairs: Sequence[ReadPair]) -> list[NDArray[np.float32]]:
        return [self._session.run([RELATION], pair_feed(*pair))[0] for pair in pairs]


def pair_feed(left: ReadReport, right: ReadReport) -> Mapping[str, NDArray[np.float32]]:
    """The inputs of the graph for one pair."""
    feed: dict[str, NDArray[np.float32]] = {}
    for name, read in (("left", left), ("right", right)):
        feed[f"{name}_states"] = read.states[None].astype(np.float32)
        feed[f"{name}_vectors"] = np.stack([read.title, read.whole])[None]
        feed[f"{name}_has_lead"] = np.array([[read.has_lead]], dtype=np.float32)
    return feed
