"""Opens ONNX graphs to run on one thread, and keeps what was made ready in the user's cache folder.

A graph in the package is compressed. Unpacking and optimising it takes most of the time of a short command, so the
result is kept (150 MB for all models), and its weights are mapped into memory, which processes share. A kept graph
gives the same outputs to the bit: it is what the runtime runs either way. The name of its folder is a hash of the
packed graph with the versions of whatever makes it ready. Where the folder cannot be written, nothing is kept.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import platform
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import onnxruntime
from platformdirs import user_cache_path

from whywire.models.nan_guards import without_nan_guards

CACHE = "WHYWIRE_CACHE"
"""The environment variable that names another folder for prepared graphs, or is ``off``."""

PREPARED = "1"
"""Changes with what is done to a graph before the runtime gets it."""

GRAPH, WEIGHTS = "model.onnx", "weights.bin"

DAYS_KEPT = 30
"""A graph that was not opened for so long goes when another is kept: it is mostly that of an older version."""

ONLY_ERRORS = 3
"""The least severity of messages that the runtime prints: warnings are about graphs, which no user can change."""


def open_session(path: Path) -> onnxruntime.InferenceSession:
    """Load a graph to run on one thread: one text for each core is faster than one text on all cores.

    Args:
        path: of an ONNX file, plain or compressed (``.gz``).
    """
    onnxruntime.disable_telemetry_events()  # other code may have imported the library first
    if path.suffix != ".gz":
        return _session(str(path), _options())  # by its name, since large models keep weights in files beside it
    packed = path.read_bytes()
    folder = _folder(packed)
    if folder is None:
        return _session(_unpacked(packed), _options())
    with suppress(Exception):
        session = _session(str(folder / GRAPH), _options(is_optimised=True))
        os.utime(folder)
        return session
    return _kept(_unpacked(packed), folder)


def _kept(graph: bytes, folder: Path) -> onnxruntime.InferenceSession:
    """Load a graph, and keep it as the runtime optimised it, if the folder can be written."""
    scratch = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(dir=folder.parent, prefix="."))
        session = _session(graph, _options(keep_in=scratch))
        for file in scratch.iterdir():
            with file.open("rb+") as written:
                os.fsync(written.fileno())
        shutil.rmtree(folder, ignore_errors=True)  # is there only if it could not be opened
        scratch.rename(folder)
        _forget_old(folder.parent)
        return session
    except Exception:
        return _session(graph, _options())  # a full disk, a folder of others; or the graph is wrong, which this says
    finally:
        if scratch:
            shutil.rmtree(scratch, ignore_errors=True)


def _forget_old(folder: Path) -> None:
    """Remove graphs that were not opened for a long time, and what a killed process left."""
    for kept in folder.iterdir():
        with suppress(OSError):
            if time.time() - kept.stat().st_mtime > DAYS_KEPT * 86_400:
                shutil.rmtree(kept)


def _folder(packed: bytes) -> Path | None:
    """The folder in which a graph is kept; ``None`` if none is."""
    named = os.environ.get(CACHE, "")
    if named == "off":
        return None
    made_by = f"{PREPARED} {onnxruntime.__version__} {platform.machine()}"
    key = hashlib.sha256(made_by.encode() + b"\0" + packed).hexdigest()[:32]
    try:
        return (Path(named) if named else user_cache_path("whywire", appauthor=False)) / "models" / key
    except (OSError, RuntimeError):  # no home
        return None


def _unpacked(packed: bytes) -> bytes:
    return without_nan_guards(gzip.decompress(packed))


def _options(*, is_optimised: bool = False, keep_in: Path | None = None) -> onnxruntime.SessionOptions:
    """Options for one thread.

    Args:
        is_optimised: the graph was kept by this module.
        keep_in: write the optimised graph into this folder.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = ONLY_ERRORS
    levels = onnxruntime.GraphOptimizationLevel
    # not ORT_ENABLE_ALL, whose graph would be for this processor alone; it changes nothing in these graphs
    options.graph_optimization_level = levels.ORT_DISABLE_ALL if is_optimised else levels.ORT_ENABLE_EXTENDED
    if keep_in:
        options.optimized_model_filepath = str(keep_in / GRAPH)
        options.add_session_config_entry("session.optimized_model_external_initializers_file_name", WEIGHTS)
        options.add_session_config_entry("session.optimized_model_external_initializers_min_size_in_bytes", "1024")
    return options


def _session(graph: str | bytes, options: onnxruntime.SessionOptions) -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
