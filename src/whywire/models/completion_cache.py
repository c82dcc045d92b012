"""Answers of a chat model kept on disk, so that each question is paid for once.

Any number of processes may share the folder. An answer is written beside its place and moved there in one step, so
none is ever seen half-written, and one that cannot be read counts as not there. Two processes that ask the same at
the same time both pay, and either answer stays. Files hold JSON: reading one that somebody else wrote runs no code.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from whywire.errors import MissingExtraError, OutputError
from whywire.models.chat import ChatEndpoint, Completion

TOKENS_PER_PRICE = 1_000_000
"""Prices are for so many tokens."""


def default_cache_folder() -> Path:
    """The folder of this user's chat answers, where the system keeps what can be had again.

    Raises:
        MissingExtraError: platformdirs is not installed.
    """
    try:
        from platformdirs import user_cache_path
    except ImportError as error:
        raise MissingExtraError("platformdirs", "chat") from error
    return user_cache_path("whywire", appauthor=False) / "chat"


class CompletionCache:
    """Completions in a folder, a file each; the folder is made with the first of them.

    The key of a completion is the whole request: the endpoint's address without its query, the model's name and
    every word that is sent; never the API key.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, request: Mapping[str, Any]) -> Completion | None:
        """The completion kept for this request; ``None`` if there is none that can be read."""
        try:
            kept = json.loads(self._path(request).read_text(encoding="utf-8"))
            completion = Completion(**kept["reply"])
        except (OSError, ValueError, LookupError, TypeError, RecursionError):
            return None
        return completion if isinstance(completion.content, str) else None

    def put(self, request: Mapping[str, Any], completion: Completion) -> None:
        """Keep a completion.

        Raises:
            OutputError: it cannot be written.
        """
        path = self._path(request)
        text = json.dumps({"asked": request, "reply": asdict(completion)}, indent=1)
        draft = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
                draft = Path(file.name)
                file.write(text)
            draft.replace(path)
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

    def _path(self, request: Mapping[str, Any]) -> Path:
        name = hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
        return self.folder / name[:2] / f"{name}.json"


@dataclass(slots=True)
class Usage:
    """Requests made so far, and the tokens they took.

    Args:
        requested: questions that the endpoint answered.
        cached: questions answered from the cache.
        uncounted: of those requested, how many came back without a count of tokens.
        malformed: answers of another form than was asked for, cached ones among them.
    """

    requested: int = 0
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    uncounted: int = 0
    malformed: int = 0

    def add(self, completion: Completion) -> None:
        """Count an answer of the endpoint."""
        self.requested += 1
        self.uncounted += completion.prompt_tokens is None or completion.completion_tokens is None
        self.prompt_tokens += completion.prompt_tokens or 0
        self.completion_tokens += completion.completion_tokens or 0

    def cost(self, prompt_price: float, completion_price: float) -> float:
        """What the tokens cost, at prices for a million of them."""
        return (self.prompt_tokens * prompt_price + self.completion_tokens * completion_price) / TOKENS_PER_PRICE


class CachedChatModel:
    """A chat model whose answers are kept and counted.

    Args:
        cache: ``None`` asks for every answer anew.
    """

    def __init__(self, endpoint: ChatEndpoint, cache: CompletionCache | None = None) -> None:
        self.endpoint = endpoint
        self.cache = cache
        self.usage = Usage()

    def ask(self, prompt: str) -> str:
        """The likeliest answer to a prompt: from the cache, or asked for at temperature 0.

        Raises:
            ModelError: as ``ChatEndpoint.ask``.
            OutputError: the answer cannot be kept.
        """
        messages = [{"role": "user", "content": prompt}]
        request = {
            "url": self.endpoint.shown.rstrip("/"),
            "model": self.endpoint.model,
            "messages": messages,
            "temperature": 0,
        }
        if self.cache and (kept := self.cache.get(request)):
            self.usage.cached += 1
            return kept.content
        completion = self.endpoint.ask(messages, temperature=0)
        self.usage.add(completion)
        if self.cache:
            self.cache.put(request, completion)
        return completion.content
