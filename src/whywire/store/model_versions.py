"""Which answers of models are valid: those of the same weights, read and kept by the same rules."""

from __future__ import annotations

from functools import cache

from whywire.elements import short_hash
from whywire.models.pretrained import weights_hashes
from whywire.sentences.counterfactual import grammar
from whywire.store.reading_codec import VERSION


@cache
def models_version() -> str:
    """The version of the embedded models, of the packages that take part in a reading, and of its layout."""
    parts = weights_hashes() | grammar.versions()
    return short_hash(str(VERSION), *(f"{name}={value}" for name, value in sorted(parts.items())))
