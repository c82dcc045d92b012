"""Removes from an ONNX graph the guards against NaN behind softmax, which take a sixth of a pass.

PyTorch exports attention with ``Where(IsNaN(x), 0, x)`` behind each softmax, for rows in which every token is masked.
No text has such a row, since each has the tokens that open and close it. So the outputs stay the same to the bit.

A graph is a message of Protocol Buffers, and only the nodes change. So the few fields of nodes are read and written
here, and the weights are copied as they are (https://protobuf.dev/programming-guides/encoding/, onnx.proto).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

GRAPH = 7
"""Field of a model."""

NODE, OUTPUT_OF_GRAPH = 1, 12
"""Fields of a graph."""

INPUT, OUTPUT, OPERATOR = 1, 2, 4
"""Fields of a node."""

NAME = 1
"""Field of an output of a graph."""


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of a message: its number, its value if it has a length, and its bytes with key and length."""

    number: int
    value: memoryview
    whole: memoryview

    @property
    def text(self) -> str:
        return bytes(self.value).decode()


def without_nan_guards(model: bytes) -> bytes:
    """Return the model without its guards; the same bytes if it has none.

    Raises:
        ValueError: this is no ONNX file.
    """
    fields = list(_fields(memoryview(model)))
    [graph] = (field for field in fields if field.number == GRAPH)
    parts = list(_fields(graph.value))
    guarded = _guarded(parts)
    if not guarded:
        return model
    kept = (_without(part, guarded) if part.number == NODE else part.whole for part in parts)
    return b"".join(_message(GRAPH, kept) if field is graph else field.whole for field in fields)


def _guarded(parts: Iterable[_Field]) -> dict[str, str]:
    """Names that become unused with the guards, each with the name that stands for it: that of the guarded value."""
    tested: dict[str, str] = {}
    guarded: dict[str, str] = {}
    used: set[str] = set()
    for part in parts:
        if part.number == OUTPUT_OF_GRAPH:
            used |= {field.text for field in _fields(part.value) if field.number == NAME}
        if part.number == NODE:
            operator, inputs, output = _node(part)
            if operator == "IsNaN":
                tested[output] = inputs[0]
            elif operator == "Where" and tested.get(inputs[0]) == inputs[2]:
                value = guarded.get(inputs[2], inputs[2])
                guarded |= {inputs[0]: value, output: value}
            else:
                used |= tested.keys() & set(inputs)
    return {} if guarded.keys() & used else guarded


def _node(part: _Field) -> tuple[str, list[str], str]:
    """Operator, inputs, and first output."""
    fields = list(_fields(part.value))
    [operator] = (field.text for field in fields if field.number == OPERATOR)
    inputs = [field.text for field in fields if field.number == INPUT]
    return operator, inputs, next((field.text for field in fields if field.number == OUTPUT), "")


def _without(part: _Field, guarded: dict[str, str]) -> bytes | memoryview:
    """A node that takes what the guards took; nothing for a node of a guard."""
    _, inputs, output = _node(part)
    if output in guarded:
        return b""
    if not guarded.keys() & set(inputs):
        return part.whole
    return _message(
        NODE,
        (
            _message(INPUT, [guarded[field.text].encode()])
            if field.number == INPUT and field.text in guarded
            else field.whole
            for field in _fields(part.value)
        ),
    )


def _fields(message: memoryview) -> Iterator[_Field]:
    at = 0
    while at < len(message):
        start = at
        key, at = _varint(message, at)
        value = at
        match key & 7:
            case 0:  # a number
                _, at = _varint(message, at)
            case 1:
                at += 8
            case 2:
                length, value = _varint(message, at)
                at = value + length
            case 5:
                at += 4
            case kind:
                raise ValueError(f"no ONNX file: a field of the unknown kind {kind}")
        if at > len(message):
            raise ValueError("no ONNX file: it ends within a field")
        yield _Field(key >> 3, message[value:at], message[start:at])


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    """A number of seven bits a byte, the lowest first, and where it ends."""
    number = shift = 0
    while True:
        if at >= len(message):
            raise ValueError("no ONNX file: it ends within a number")
        byte = message[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return number, at


def _message(number: int, parts: Iterable[bytes | memoryview]) -> bytes:
    """A field that has a length, with its key."""
    value = b"".join(parts)
    return _encoded(number << 3 | 2) + _encoded(len(value)) + value


def _encoded(number: int) -> bytes:
    encoded = bytearray()
    while number >= 0x80:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*encoded, number])
