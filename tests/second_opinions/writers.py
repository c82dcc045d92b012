"""Chat models on this machine that write as a test wants: a real server, whose words a function makes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.local_server import answering

from whywire.models.chat import ChatEndpoint
from whywire.second_opinions.adviser import Adviser
from whywire.second_opinions.budget import Budget

Passages = list[dict[str, Any]]
"""What a writer gets: the number, the text and the words of each passage."""


@contextmanager
def writing(write: Callable[[Passages], object], budget: str = "1m", say: Callable = print) -> Iterator[Adviser]:
    """A chat model that answers with JSON, or a string as it is; any other question is answered with ``{}``.

    The model's name is hostile, too.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            data = json.loads(asked["messages"][-1]["content"])
            said = write(data) if isinstance(data, list) else {}
            words = said if isinstance(said, str) else json.dumps(said)
            usage = {"prompt_tokens": 200, "completion_tokens": 100}
            body = json.dumps({"choices": [{"message": {"content": words}}], "usage": usage}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with answering(Handler) as url:
        yield Adviser(ChatEndpoint(f"{url}/v1", "<b>tiny</b>", timeout=5), Budget.parse(budget), say=say)


def clauses(*words: tuple[int, str]) -> dict[str, Any]:
    """A draft with these clauses, by the numbers of their passages."""
    return {"clauses": [{"passage": number, "clause": clause} for number, clause in words]}


def copied(passages: Passages) -> dict[str, Any]:
    """What a model writes that copies the words that matter."""
    return clauses(*((one["passage"], one["words"]) for one in passages))
