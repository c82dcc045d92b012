"""Chat models on this machine that write sentences on stories as a test wants: what they say to all else is empty."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from tests.local_server import Reply, says, serving
from tests.second_opinions.chat_servers import USAGE, adviser_at

from whywire.second_opinions.adviser import Adviser

Passages = list[dict[str, Any]]
"""What a writer gets: the number, the text and the words of each passage."""


@contextmanager
def writing(write: Callable[[Passages], object], budget: str = "1m", **options: Any) -> Iterator[Adviser]:
    """A chat model whose answers are JSON, or a string as it is. Its name is hostile, too."""

    def answer(asked: dict[str, Any]) -> Reply:
        data = json.loads(asked["messages"][-1]["content"])
        return says(write(data["passages"]) if "passages" in data else {}, usage=USAGE)

    with serving(answer) as server:
        adviser = adviser_at(server, budget, **options)
        yield replace(adviser, endpoint=replace(adviser.endpoint, model="<b>tiny</b>"))


def clauses(*words: tuple[int, str]) -> dict[str, Any]:
    """A draft with these clauses, by the numbers of their passages."""
    return {"clauses": [{"passage": number, "clause": clause} for number, clause in words]}


def copied(passages: Passages) -> dict[str, Any]:
    """What a model writes that copies the words that matter."""
    return clauses(*((one["passage"], one["words"]) for one in passages))
