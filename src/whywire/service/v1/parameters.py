"""Parameters and bodies that several routes share.

JSON bodies are read after the key and the rate were checked, count as more requests if they are large, and are parsed
in a thread.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, TypeVar

import anyio
import anyio.to_thread
from fastapi import Depends, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import from_json
from starlette.convertors import PathConvertor, register_url_convertor

from whywire.elements import EvidenceKind
from whywire.errors import InputError
from whywire.news import Language, parse_time
from whywire.service.access import PROBLEM_RESPONSES, take_rate
from whywire.service.problems import ProblemError
from whywire.service.rows import EXAMPLE_ARTICLE
from whywire.store.cursors import MAX_PAGE


class _IdConvertor(PathConvertor):
    """Matches an id, which may contain slashes and is never empty."""

    regex = ".+"


register_url_convertor("id", _IdConvertor())

MAX_ID_CHARS = 600
MAX_CURSOR_CHARS = 2000
MAX_TIME_CHARS = 40

Limit = Annotated[int, Query(ge=1, le=MAX_PAGE, description="The most items of the page.")]
After = Annotated[
    str | None, Query(max_length=MAX_CURSOR_CHARS, description="`next` of the page before; by default the first.")
]
_LOST_PLUS = re.compile(r"([T:]\S*) (\d\d:?\d\d)$")


def _with_plus(text: str | None) -> str | None:
    """Restore the plus of a time's zone: unless it is encoded as ``%2B``, a plus in a query means a space."""
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
OfOutlet = Annotated[
    str | None, Query(max_length=MAX_ID_CHARS, description="Only stories that this outlet reported, in any case.")
]
OfPlace = Annotated[
    str | None,
    Query(
        max_length=MAX_ID_CHARS,
        description="Only stories that name this country, region or city, or a place in it; by any name in English or"
        " Russian.",
        examples=["Moscow", "Техас"],
    ),
]
OfOrganisation = Annotated[
    str | None,
    Query(max_length=MAX_ID_CHARS, description="Only stories that name this organisation.", examples=["UN", "ООН"]),
]
MinStrength = Annotated[float, Query(ge=0, le=100, description="Only links of at least this strength.")]
OfEvidence = Annotated[
    list[EvidenceKind],
    Query(
        max_length=len(EvidenceKind),
        description="Only links with evidence of one of these kinds; may be given several times.",
    ),
]


def since_of(text: str | None, name: str = "since") -> datetime | None:
    """Return the beginning of the day or time in a parameter.

    Raises:
        InputError: it is not a day or time.
    """
    time = _parsed(text, name)
    return time and time[0]


def until_of(text: str | None, name: str = "until") -> datetime | None:
    """Return the end of the day or time in a parameter.

    Raises:
        InputError: it is not a day or time.
    """
    time = _parsed(text, name)
    return time and time[1]


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


JSON = ("application/json",)

PAID_BYTES = 8192
"""Bytes of a body that count as one more request: parsing a megabyte of JSON may hold Python's global lock for a
tenth of a second."""

_PARSERS = anyio.CapacityLimiter(1)

Model = TypeVar("Model", bound=BaseModel)

WholeNumber = Annotated[
    int, BeforeValidator(lambda value: int(value) if isinstance(value, float) and value.is_integer() else value)
]
"""An integer of a strict model; 5.0 is accepted as 5."""


class ArticleGiven(BaseModel):
    """An article to take in. Other fields are ignored."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE_ARTICLE]})

    title: str = Field(pattern=r"\w")
    id: str | int | None = None
    url: str | None = None
    source: str | None = None
    published: str | int | None = None
    published_from: str | None = None
    text: str | None = None
    language: str | None = None
    links: list[str] | None = None
    also: list[str] | None = None


def body_of(model: type[Model]) -> Any:
    """Return the dependency that reads a route's body as this model.

    FastAPI would read and parse a body parameter before it calls any dependency, even those that check the key.
    """

    async def read(request: Request) -> Model:
        body = await request.body()
        check_type(request, JSON)
        take_rate(request, cost=len(body) / PAID_BYTES, least=0)
        return await anyio.to_thread.run_sync(_validated, model, body, limiter=_PARSERS)

    return Depends(read)


def check_type(request: Request, wanted: Sequence[str]) -> None:
    """Check the media type of a body.

    Raises:
        ProblemError: the type is none of those wanted (415).
    """
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given not in wanted:
        raise ProblemError(415, f"the body must be {wanted[0]}, not {given[:80] or 'without a type'}")


def described(model: type[BaseModel], responses: Mapping[int | str, Any] | None = None) -> dict[str, Any]:
    """Return the arguments of a route's decorator that describe a body of this model.

    Args:
        responses: further answers of the route by status.
    """
    schema = model.model_json_schema()
    body = {"required": True, "content": {JSON[0]: {"schema": _inlined(schema, schema.pop("$defs", {}))}}}
    other_type = PROBLEM_RESPONSES[404] | {"description": "The body is of another type."}
    return {"openapi_extra": {"requestBody": body}, "responses": {**(responses or {}), 415: other_type}}


def _inlined(schema: Any, parts: Mapping[str, Any]) -> Any:
    """A schema in which references to its parts are these parts: inside another document they would lead nowhere."""
    if isinstance(schema, list):
        return [_inlined(one, parts) for one in schema]
    if not isinstance(schema, dict):
        return schema
    named = {key: _inlined(value, parts) for key, value in schema.items() if key != "$ref"}
    part = _inlined(parts[schema["$ref"].rpartition("/")[2]], parts) if "$ref" in schema else {}
    return {**part, **named}


def endless_numbers(body: bytes) -> list[str]:
    """Return the places of infinite or NaN numbers in JSON, such as ``body.items.0.id``; empty if it is not JSON."""
    try:
        return [*_endless(from_json(body), "body")]
    except ValueError:
        return []


def _validated(model: type[Model], body: bytes) -> Model:
    try:
        value = from_json(body)  # accepts NaN, Infinity and 1e999, so their places can be reported
        if endless := [{"where": place, "reason": "no JSON number"} for place in _endless(value, "body")]:
            raise ProblemError(422, "the request cannot be used", errors=endless)
        return model.model_validate(value)
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_context=False, include_input=False)
        raise RequestValidationError([{**part, "loc": ("body", *part["loc"])} for part in wrong]) from None
    except ValueError as error:
        reason = {"loc": ("body",), "msg": f"not JSON: {error}", "type": "json_invalid"}
        raise RequestValidationError([reason]) from None


def _endless(value: object, place: str) -> Iterator[str]:
    if isinstance(value, float) and not math.isfinite(value):
        yield place
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _endless(inner, f"{place}.{name[:80]}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _endless(inner, f"{place}.{number}")
