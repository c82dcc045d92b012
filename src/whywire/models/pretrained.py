"""Loads models that are embedded in the package, and models from a folder."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from whywire.errors import ModelError
from whywire.models.encoder import OnnxModel, weights_file

WEIGHTS = Path(__file__).parent / "weights"


def embedded_names() -> list[str]:
    """Return the names of the models in the package."""
    return sorted(path.parent.name for path in WEIGHTS.glob("*/model.onnx.gz"))


def weights_hashes() -> dict[str, str]:
    """Return the first digits of the SHA-256 of each embedded model's weights, by name."""
    return {name: _hash(weights_file(WEIGHTS / name)) for name in embedded_names()}


@cache
def _hash(file: Path) -> str:
    with file.open("rb") as weights:
        return hashlib.file_digest(weights, "sha256").hexdigest()[:16]


def from_pretrained(name: str | Path, *, kind: str) -> OnnxModel:
    """Load an embedded model by name (``"sentences-en"``) or a model from a folder; each model is loaded only once.

    Args:
        kind: the task that its ``config.json`` must name, such as ``"sentences"`` or ``"headlines"``.

    Raises:
        ModelError: there is no such model, or it is of another kind.
    """
    folder = WEIGHTS / str(name) if (WEIGHTS / str(name)).is_dir() else Path(name)
    if not folder.is_dir():
        names = ", ".join(embedded_names()) or "none"
        raise ModelError("no such model", where=str(name), hint=f"name a folder, or one of the embedded: {names}")
    model = _load(folder)
    if model.config.get("kind") != kind:
        raise ModelError(f"a model for {model.config.get('kind')!r}, not for {kind!r}", where=str(folder))
    return model


@cache
def _load(folder: Path) -> OnnxModel:
    return OnnxModel(folder)
