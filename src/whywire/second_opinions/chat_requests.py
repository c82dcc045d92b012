"""What is sent to a chat model, and how its answer is read: in the form that was asked for, or not at all."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from whywire.models.chat import Message, unfenced
from whywire.output import json_text

_MARK = re.compile(r"<|\[(?=/?[A-Z_]+\])")
"""The first character of what may be a mark of a chat template, such as ``<|im_end|>`` or ``[INST]``, in JSON. Local
servers take it for one even in what a user sends, so a text could end its message and begin one of the system."""

Form = TypeVar("Form", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class Request(Generic[Form]):
    """A request to a chat model.

    Args:
        instructions: they say in words what form the answer has, since not all endpoints take a schema.
        data: sent apart from them, as JSON: it may hold words of articles.
        form: of the answer; make it with ``forbid_unknown_fields``.
        max_tokens: of the answer.
    """

    instructions: str
    data: Mapping[str, Any]
    form: type[Form]
    max_tokens: int

    @property
    def messages(self) -> list[Message]:
        """What is asked, and apart from it the data, without a mark of a chat template."""
        data = _MARK.sub(lambda mark: f"\\u{ord(mark[0]):04x}", json_text(self.data))
        return [{"role": "system", "content": self.instructions}, {"role": "user", "content": data}]

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the form, with an object at its root, as endpoints want it."""
        (root,), named = msgspec.json.schema_components([self.form], ref_template="#/$defs/{name}")
        schema = dict(named.pop(root["$ref"].rpartition("/")[2]))
        return schema | ({"$defs": named} if named else {})

    def key(self, model: str) -> str:
        """The key of a model's answer: a hash of its name, the messages and the form."""
        asked = json.dumps([model, self.messages, self.schema], sort_keys=True)
        return hashlib.sha256(asked.encode()).hexdigest()

    def read(self, answer: str) -> Form | None:
        """The answer in the form; ``None`` if it has another. A fence of Markdown around it is taken off."""
        try:
            return msgspec.json.decode(unfenced(answer), type=self.form)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return None
