"""The keys by which answers on pairs of texts are kept."""

from __future__ import annotations

import hashlib

from whywire.updating.predictions import KEY_DIGITS, LanguagePair


def pair_key(pair: LanguagePair) -> str:
    """The key of what models answered on a pair of texts."""
    words = "\x1f".join((pair[0], *pair[1]))
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:KEY_DIGITS]
