"""A cache of a chat model's answers on disk, so that each question costs money only once.

Any number of processes may share the folder, since SQLite writes a row whole or not at all. If two processes ask the
same question at the same time, the endpoint answers both, and the later answer is kept.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from whywire.errors import OutputError
from whywire.models.chat import ChatEndpoint, Completion

CACHE_FILE = "answers.sqlite"

TOKENS_PER_PRICE = 1_000_000
"""The number of tokens that prices refer to."""


def default_cache_folder() -> Path:
    """Return the default folder of chat answers, below the user's cache folder."""
    return user_cache_path("whywire", appauthor=False) / "chat"


class CompletionCache:
    """Completions in a database in a folder; the database is created with the first completion.

    The key of a completion is a hash of the whole request: the endpoint's address without its query, the model's name
    and the messages; never the API key.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, request: Mapping[str, Any]) -> Completion | None:
        """Return the completion stored for a request; ``None`` if no completion is stored.

        Raises:
            OutputError: the database cannot be read.
        """
        with self._open() as database:
            row = database.execute("SELECT reply FROM completions WHERE key = ?", [_key(request)]).fetchone()
        return Completion(**json.loads(row[0])) if row else None

    def put(self, request: Mapping[str, Any], completion: Completion) -> None:
        """Store a completion.

        Raises:
            OutputError: the completion cannot be written.
        """
        row = (_key(request), json.dumps(request), json.dumps(asdict(completion)))
        with self._open() as database:
            database.execute("INSERT OR REPLACE INTO completions VALUES (?, ?, ?)", row)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the database for a transaction."""
        database = None
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(self.folder / CACHE_FILE, timeout=30)
            database.execute(
                "CREATE TABLE IF NOT EXISTS completions (key TEXT PRIMARY KEY, request TEXT, reply TEXT)"
            )
            with database:
                yield database
        except (sqlite3.Error, OSError) as error:
            hint = "name another folder: --cache"
            raise OutputError(f"answers cannot be kept: {error}", where=str(self.folder), hint=hint) from error
        finally:
            if database:
                database.close()


def _key(request: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()


@dataclass(slots=True)
class Usage:
    """Requests made so far, and their tokens.

    Args:
        requested: number of questions that the endpoint answered.
        cached: number of questions answered from the cache.
        uncounted: number of requested answers without a count of tokens.
        malformed: number of answers without the expected form, cached answers included.
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
        """Return the cost of the tokens, at prices for a million tokens."""
        return (self.prompt_tokens * prompt_price + self.completion_tokens * completion_price) / TOKENS_PER_PRICE


class CachedChatModel:
    """A chat model whose answers are cached and counted.

    Args:
        cache: ``None`` to ask the endpoint each time.
    """

    def __init__(self, endpoint: ChatEndpoint, cache: CompletionCache | None = None) -> None:
        self.endpoint = endpoint
        self.cache = cache
        self.usage = Usage()

    def ask(self, prompt: str) -> str:
        """Return the most probable answer to a prompt, from the cache or from the endpoint at temperature 0.

        Raises:
            ModelError: as in ``ChatEndpoint.ask``.
            OutputError: the answer cannot be stored.
        """
        messages = [{"role": "user", "content": prompt}]
        url, model = self.endpoint.shown.rstrip("/"), self.endpoint.model
        request = {"url": url, "model": model, "messages": messages, "temperature": 0}
        if self.cache and (kept := self.cache.get(request)):
            self.usage.cached += 1
            return kept.content
        completion = self.endpoint.ask(messages, options={"temperature": 0})
        self.usage.add(completion)
        if self.cache:
            self.cache.put(request, completion)
        return completion.content
