"""Bodies of JSON: read once key and rate were looked at, paid for by their size, and parsed off the event loop."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, Any, TypeVar

import anyio
import anyio.to_thread
from fastapi import Depends, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import from_json

from whywire.service.access import PROBLEM_RESPONSES, take_rate
from whywire.service.problems import ProblemError
from whywire.service.rows import EXAMPLE_ARTICLE

JSON = "application/json"

PAID_BYTES = 8192
"""Bytes of a body that count as one more request: a megabyte of JSON may keep a processor busy for a tenth of a
second, and meanwhile no other thread runs."""

_PARSERS = anyio.CapacityLimiter(1)

Model = TypeVar("Model", bound=BaseModel)

WholeNumber = Annotated[
    int, BeforeValidator(lambda value: int(value) if isinstance(value, float) and value.is_integer() else value)
]
"""An integer of a strict model, which JSON may also write as 5.0."""


class ArticleGiven(BaseModel):
    """An article that comes in. Other fields are ignored."""

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
    """The dependency of a route that reads a body of this model.

    A parameter of the route that FastAPI reads itself would be read and parsed before any dependency is asked, those
    included that look at the key.
    """

    async def read(request: Request) -> Model:
        body = await request.body()
        given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if given != JSON:
            raise ProblemError(415, f"the body must be {JSON}, not {given[:80] or 'without a type'}")
        take_rate(request, cost=len(body) / PAID_BYTES, least=0)
        return await anyio.to_thread.run_sync(_parsed, model, body, limiter=_PARSERS)

    return Depends(read)


def described(model: type[BaseModel]) -> dict[str, Any]:
    """What the decorator of a route with such a body says of it in the description of the API."""
    body = {"required": True, "content": {JSON: {"schema": model.model_json_schema()}}}
    other_type = PROBLEM_RESPONSES[404] | {"description": "The body is of another type."}
    return {"openapi_extra": {"requestBody": body}, "responses": {415: other_type}}


def endless_numbers(body: bytes) -> list[str]:
    """The places of numbers in JSON that are not finite, such as ``body.items.0.id``; none if it is not JSON."""
    try:
        return [*_endless(from_json(body), "body")]
    except ValueError:
        return []


def _parsed(model: type[Model], body: bytes) -> Model:
    try:
        value = from_json(body)  # which takes NaN, Infinity and 1e999, and so can say where they stand
        if endless := [{"where": place, "reason": "no JSON number"} for place in _endless(value, "body")]:
            raise ProblemError(422, "the request cannot be used", errors=endless)
        return model.model_validate(value)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        raise RequestValidationError([{**one, "loc": ("body", *one["loc"])} for one in found]) from None
    except ValueError as error:
        reason = {"loc": ("body",), "msg": f"not JSON: {error}", "type": "json_invalid"}
        raise RequestValidationError([reason]) from None


def _endless(value: object, place: str) -> Iterator[str]:
    """The places of numbers in a JSON value that are not finite."""
    if isinstance(value, float) and not math.isfinite(value):
        yield place
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _endless(inner, f"{place}.{name[:80]}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _endless(inner, f"{place}.{number}")
