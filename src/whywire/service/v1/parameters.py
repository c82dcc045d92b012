"""Parameters that several routes share."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated

from fastapi import Path, Query
from pydantic import AfterValidator

from whywire.elements import EvidenceKind
from whywire.errors import InputError
from whywire.news import Language, parse_time
from whywire.store.cursors import MAX_PAGE

MAX_ID_CHARS = 600
MAX_CURSOR_CHARS = 2000
MAX_TIME_CHARS = 40

Limit = Annotated[int, Query(ge=1, le=MAX_PAGE, description="The most items of the page.")]
After = Annotated[
    str | None, Query(max_length=MAX_CURSOR_CHARS, description="`next` of the page before; without it the first.")
]
_LOST_PLUS = re.compile(r"([T:]\S*) (\d\d:?\d\d)$")


def _with_plus(text: str | None) -> str | None:
    """A time whose zone has its plus again: unless it is encoded as ``%2B``, a plus in a query means a space."""
    return text and _LOST_PLUS.sub(r"\1+\2", text)


Time = Annotated[
    str | None,
    AfterValidator(_with_plus),
    Query(
        max_length=MAX_TIME_CHARS,
        description="A day or a time, ISO 8601.",
        examples=["2026-03-04", "2026-03-04T12:00:00Z"],
    ),
]
Id = Annotated[str, Path(min_length=1, max_length=MAX_ID_CHARS)]
GivenId = Annotated[str | None, Query(max_length=MAX_ID_CHARS)]
OfLanguage = Annotated[Language | None, Query(description="Only what is in this language.")]
MinStrength = Annotated[float, Query(ge=0, le=100, description="Only links of at least this strength.")]
OfEvidence = Annotated[
    list[EvidenceKind],
    Query(
        max_length=len(EvidenceKind),
        description="Only links with evidence of one of these kinds; may be given several times.",
    ),
]


def since_of(text: str | None, name: str = "since") -> datetime | None:
    """The beginning of the day or time in a parameter.

    Raises:
        InputError: it is none.
    """
    found = _parsed(text, name)
    return found and found[0]


def until_of(text: str | None, name: str = "until") -> datetime | None:
    """The end of the day or time in a parameter.

    Raises:
        InputError: it is none.
    """
    found = _parsed(text, name)
    return found and found[1]


def _parsed(text: str | None, name: str) -> tuple[datetime, datetime] | None:
    if text is None:
        return None
    try:
        time = parse_time(text)
    except InputError as error:
        raise InputError(error.message, where=name) from error
    if time is None:
        raise InputError("the time is empty", where=name)
    return time.at, time.until
