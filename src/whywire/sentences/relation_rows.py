"""A causal relation as a row of JSON, in the rows of ``whywire read`` and of the service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whywire.errors import InputError
from whywire.news.article import Span
from whywire.sentences.reading import CausalRelation


def relation_to_row(relation: CausalRelation) -> dict[str, Any]:
    """Return a relation's row; whether it is denied depends on the list that holds the row."""
    return {
        "cause": list(relation.cause),
        "effect": list(relation.effect),
        "signals": [list(signal) for signal in relation.signals],
        "probability": relation.probability,
    }


def relation_from_row(row: object, denied: bool = False) -> CausalRelation:
    """Read a relation from its row.

    Raises:
        InputError: a field is missing or has another type.
    """
    if not isinstance(row, Mapping):
        raise InputError("a relation must be an object with cause and effect")
    signals, probability = row.get("signals") or [], row.get("probability", 1.0)
    if not isinstance(signals, list | tuple):
        raise InputError("signals must be a list of [start, end]")
    if isinstance(probability, bool) or not isinstance(probability, int | float):
        raise InputError("probability must be a number")
    return CausalRelation(
        _span(row.get("cause"), "cause"),
        _span(row.get("effect"), "effect"),
        tuple(_span(signal, "a signal") for signal in signals),
        float(probability),
        denied,
    )


def _span(value: object, field: str) -> Span:
    if isinstance(value, list | tuple) and len(value) == 2 and all(type(end) is int for end in value):
        return value[0], value[1]
    raise InputError(f"{field} must be [start, end], not {str(value)[:40]}")
