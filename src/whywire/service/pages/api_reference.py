"""The page of the API: its routes and rows, made from the OpenAPI description alone."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from starlette.responses import Response

from whywire.service.guards import public_path
from whywire.service.pages.rendering import html_router, render

Schema = Mapping[str, Any]

_REFERENCE = re.compile(r"#/(?:components/schemas|\$defs)/(?P<name>.+)")

_LIMITS = {
    "minimum": "≥ {}",
    "exclusiveMinimum": "> {}",
    "maximum": "≤ {}",
    "exclusiveMaximum": "< {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "pattern": "matches {}",
    "format": "{}",
}
"""How the page says the limits of a value, by their names in JSON Schema."""

router = html_router()


@dataclass(frozen=True)
class Field:
    """A parameter, or a property of a row or a body.

    Args:
        type: pieces of the type in order, each with the name of the schema that it refers to, if it does.
        limits: the range of its values and its default.
        place: of a parameter: query, path or header.
    """

    name: str
    required: bool
    type: tuple[tuple[str, str | None], ...]
    limits: tuple[str, ...]
    description: str
    place: str = ""


@dataclass(frozen=True)
class Shape:
    """A row, a body or a list of allowed values."""

    name: str
    description: str
    fields: tuple[Field, ...]
    type: tuple[tuple[str, str | None], ...]
    example: str


@dataclass(frozen=True)
class Answer:
    """An answer of a route; its type is empty if it has no described body."""

    status: str
    description: str
    media_type: str
    type: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True)
class Route:
    """A method of an address.

    Args:
        scope: of the key that it needs.
        is_open: it may be asked without a key.
        bodies: media types of the body, with its shape and those inside it.
        curl: a command that asks it.
    """

    id: str
    tag: str
    method: str
    path: str
    summary: str
    description: str
    scope: str
    is_open: bool
    parameters: tuple[Field, ...]
    bodies: tuple[tuple[str, tuple[Shape, ...]], ...]
    answers: tuple[Answer, ...]
    curl: str


@router.get("/api")
def api(request: Request) -> Response:
    """Describe every route and every row of the API."""
    description = request.app.openapi()
    base = f"{request.url.scheme}://{request.url.netloc}{public_path(request, '')}"
    found = [*routes(description, base)]
    common = set.intersection(*(set(route.answers) for route in found))
    return render(
        request,
        "api.html",
        about=description["info"]["description"],
        version=description["info"]["version"],
        base=base,
        tags={tag: [route for route in found if route.tag == tag] for tag in dict.fromkeys(one.tag for one in found)},
        common=sorted(common, key=lambda answer: answer.status),
        rows=[shape_of(name, schema) for name, schema in sorted(description["components"]["schemas"].items())],
    )


def routes(description: Schema, base: str) -> Iterator[Route]:
    """Yield the routes of an OpenAPI description.

    Args:
        base: the address of the service.
    """
    for path, methods in description["paths"].items():
        for method, route in methods.items():
            schemes = [name for needed in route.get("security", ()) for name in needed]
            content = route.get("requestBody", {}).get("content", {})
            yield Route(
                id="-".join([method, *re.findall(r"\w+", path)]),
                tag=route["tags"][0],
                method=method.upper(),
                path=path,
                summary=route["summary"],
                description=route.get("description", ""),
                scope=" or ".join(schemes),
                is_open=not schemes or {} in route["security"],
                parameters=tuple(map(_parameter, route.get("parameters", ()))),
                bodies=tuple((kind, tuple(_body_shapes(body.get("schema", {})))) for kind, body in content.items()),
                answers=tuple(
                    Answer(status, answer.get("description", ""), kind, type_of(body.get("schema", {})))
                    for status, answer in route["responses"].items()
                    for kind, body in (answer.get("content") or {"": {}}).items()
                ),
                curl=_curl(base, path, method.upper(), route, content),
            )


def shape_of(name: str, schema: Schema) -> Shape:
    """Return the shape of a schema."""
    needed = schema.get("required", ())
    properties = schema.get("properties", {})
    return Shape(
        name,
        schema.get("description", ""),
        tuple(_field(of, inner, required=of in needed) for of, inner in properties.items()),
        () if properties else type_of(schema),
        _example(schema),
    )


def type_of(schema: Schema) -> tuple[tuple[str, str | None], ...]:
    """Return the pieces of a type: words, and references to schemas."""
    if reference := _REFERENCE.fullmatch(schema.get("$ref", "")):
        return ((reference["name"], reference["name"]),)
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return _joined([type_of(one) for one in schema[several]], " or ")
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return ((" | ".join(json.dumps(value, ensure_ascii=False) for value in values), None),)
    kind = schema.get("type")
    if kind == "array" and "prefixItems" in schema:
        return (("list of (", None), *_joined([type_of(one) for one in schema["prefixItems"]], ", "), (")", None))
    if kind == "array" and schema.get("items"):
        return (("list of ", None), *type_of(schema["items"]))
    return ((kind, None),) if kind else ()


def _joined(types: Sequence[tuple[tuple[str, str | None], ...]], word: str) -> tuple[tuple[str, str | None], ...]:
    pieces: list[tuple[str, str | None]] = []
    for one in filter(None, types):
        pieces += [*([(word, None)] if pieces else []), *one]
    return tuple(pieces)


def _parameter(given: Schema) -> Field:
    described = {**given.get("schema", {})}
    described["description"] = given.get("description") or described.get("description", "")
    return _field(given["name"], described, required=given.get("required", False), place=given["in"])


def _field(name: str, schema: Schema, *, required: bool, place: str = "") -> Field:
    limited = [schema, *schema.get("anyOf", ())]
    limits = [words.format(one[limit]) for one in limited for limit, words in _LIMITS.items() if limit in one]
    if "default" in schema:
        limits.append(f"default {json.dumps(schema['default'], ensure_ascii=False)}")
    if "examples" in schema:
        limits.append(f"such as {', '.join(json.dumps(one, ensure_ascii=False) for one in schema['examples'])}")
    return Field(name, required, type_of(schema), tuple(limits), schema.get("description", ""), place)


def _body_shapes(schema: Schema) -> Iterator[Shape]:
    """Yield the shape of a body, then those of the objects that it defines."""
    yield shape_of(schema.get("title", ""), schema)
    for name, inner in schema.get("$defs", {}).items():
        yield shape_of(name, inner)


def _example(schema: Schema) -> str:
    return json.dumps(schema["examples"][0], ensure_ascii=False, indent=2) if schema.get("examples") else ""


def _curl(base: str, path: str, method: str, route: Schema, content: Mapping[str, Schema]) -> str:
    """Return a command of curl that asks a route, with its examples; what must be filled in is in capitals."""
    address = re.sub(r"\{(\w+)\}", lambda match: match[1].upper(), path)
    asked = [one for one in route.get("parameters", ()) if one["in"] == "query" and one.get("required")]
    if asked:
        address += "?" + "&".join(f"{one['name']}={one['name'].upper()}" for one in asked)
    parts = ["curl", *([] if method == "GET" else ["-X", method]), shlex.quote(base + address)]
    if route.get("security") and {} not in route["security"]:
        parts += ["-H", '"Authorization: Bearer $KEY"']
    for kind, body in [*content.items()][:1]:
        parts += ["-H", shlex.quote(f"Content-Type: {kind}")]
        examples = body.get("schema", {}).get("examples")
        parts += (
            ["-d", shlex.quote(json.dumps(examples[0], ensure_ascii=False))]
            if examples and kind == "application/json"
            else ["--data-binary", "@FILE"]
        )
    return " ".join(parts)
