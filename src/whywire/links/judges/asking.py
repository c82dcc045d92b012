"""Asking a chat model and paying for each answer once: what was said is kept on disk, by all that was asked.

Any number of processes may share the folder. An answer is written beside its place and moved there in one step, so
none is ever seen half-written, and one that cannot be read counts as not there. Two processes that ask the same at
the same time both pay, and either answer stays.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from whywire.errors import OutputError
from whywire.models.chat import ChatEndpoint, Reply

PER_PRICE = 1_000_000
"""Prices are for so many tokens."""


def user_cache(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of this user's chat answers, where the system keeps what can be had again."""
    named = environment.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME")
    beside = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    return (Path(named) if named else beside) / "whywire" / "chat"


class AnswerCache:
    """Answers in a folder, a file each; the folder is made with the first of them.

    A question is known again by the endpoint's address without its query, the model's name and every word that is
    sent; never by the key.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, asked: Mapping[str, Any]) -> Reply | None:
        """What was answered to this before, if anything that can be read."""
        try:
            kept = json.loads(self._place(asked).read_text(encoding="utf-8"))
            reply = Reply(**kept["reply"])
        except (OSError, ValueError, LookupError, TypeError, RecursionError):
            return None
        return reply if isinstance(reply.content, str) else None

    def put(self, asked: Mapping[str, Any], reply: Reply) -> None:
        """Keep an answer.

        Raises:
            OutputError: it cannot be written.
        """
        place = self._place(asked)
        text = json.dumps({"asked": asked, "reply": asdict(reply)}, indent=1)
        draft = None
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=place.parent, delete=False) as file:
                draft = Path(file.name)
                file.write(text)
            draft.replace(place)
        except BaseException as error:
            if draft:
                with suppress(OSError):
                    draft.unlink()
            if isinstance(error, OSError):
                raise OutputError(
                    f"an answer cannot be kept: {error.strerror or error}",
                    where=str(self.folder),
                    hint="name another folder: --cache",
                ) from error
            raise

    def _place(self, asked: Mapping[str, Any]) -> Path:
        name = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
        return self.folder / name[:2] / f"{name}.json"


@dataclass(slots=True)
class Spent:
    """What was asked so far, and what it took.

    Args:
        asked: questions that went to the endpoint and were answered.
        kept: questions answered from the cache.
        uncounted: of those asked, how many came back without a count of tokens.
        malformed: answers of another form than was asked for, kept ones among them.
    """

    asked: int = 0
    kept: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    uncounted: int = 0
    malformed: int = 0

    def add(self, reply: Reply) -> None:
        """Count an answer of the endpoint."""
        self.asked += 1
        self.uncounted += reply.prompt_tokens is None or reply.completion_tokens is None
        self.prompt_tokens += reply.prompt_tokens or 0
        self.completion_tokens += reply.completion_tokens or 0

    def cost(self, prompt_price: float, completion_price: float) -> float:
        """What the tokens cost, at prices for a million of them."""
        return (self.prompt_tokens * prompt_price + self.completion_tokens * completion_price) / PER_PRICE


class Asker:
    """A chat model whose answers are kept and counted.

    Args:
        cache: ``None`` asks for every answer anew.
    """

    def __init__(self, endpoint: ChatEndpoint, cache: AnswerCache | None = None) -> None:
        self.endpoint = endpoint
        self.cache = cache
        self.spent = Spent()

    def ask(self, prompt: str) -> str:
        """The likeliest answer to a prompt: kept, or asked for at temperature 0.

        Raises:
            ModelError: as ``ChatEndpoint.ask``.
            OutputError: the answer cannot be kept.
        """
        messages = [{"role": "user", "content": prompt}]
        asked = {
            "url": self.endpoint.shown.rstrip("/"),
            "model": self.endpoint.model,
            "messages": messages,
            "temperature": 0,
        }
        if self.cache and (kept := self.cache.get(asked)):
            self.spent.kept += 1
            return kept.content
        reply = self.endpoint.ask(messages, temperature=0)
        self.spent.add(reply)
        if self.cache:
            self.cache.put(asked, reply)
        return reply.content
