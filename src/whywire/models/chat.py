"""A client for chat models behind endpoints of OpenAI's chat completions.

The library `openai` connects, retries when an endpoint is busy or fails, and obeys `Retry-After`. This module adds
four guarantees. Only the given data is sent (the library would add headers about this machine and from environment
variables). Redirects are not followed. The size and the time of an answer are limited. No error message shows the key
or the query of the address, which may contain a key, too, even if the endpoint repeats them.
"""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_plus, urlsplit

from whywire.errors import InputError, MissingExtraError, ModelError
from whywire.models.redaction import MASK, SHOWN_CHARACTERS, Redactor

if TYPE_CHECKING:
    import httpx2

URL, MODEL, KEY = "WHYWIRE_CHAT_URL", "WHYWIRE_CHAT_MODEL", "WHYWIRE_CHAT_KEY"
"""Environment variables: the address up to ``/chat/completions``, the model's name, and the key (optional)."""

MAX_RETRIES = 3
"""The number of retries if an endpoint is busy, fails or breaks off."""

MAX_ANSWER_BYTES = 16 * 1000 * 1000
"""The most bytes of an answer: many times the length of what a model writes, and small enough for any memory."""

TOTAL_TIMEOUT_FACTOR = 10
"""The whole answer may take this many times as long as the endpoint may be silent."""

MIN_SECRET_LENGTH = 4
"""Parts of an address's query with at least this many characters may be secrets. To hide shorter parts would make
messages unreadable."""

MAX_TOKENS = 10**12
"""Larger counts of tokens cannot be right and are ignored."""

SENT_HEADERS = {"accept", "accept-encoding", "authorization", "connection", "content-length", "content-type", "host"}
"""The headers of a request; all other headers of the library are removed."""

MARK = re.compile(r"<(?!/?answer>)|\[(?=/?[A-Z_]+\])")
"""The first character of what may be a mark of a chat template, such as ``<|im_end|>`` or ``[INST]``. The tags in
which answers stand are none."""

Message = dict[str, str]
"""A message: its ``role`` and ``content``."""


class AnswerError(ModelError):
    """The endpoint's answer does not have the expected form."""


class RefusedError(ModelError):
    """The endpoint answered with an error or a redirect.

    Args:
        status: of HTTP.
    """

    def __init__(self, message: str, status: int, *, where: str, hint: str) -> None:
        super().__init__(message, where=where, hint=hint)
        self.status = status


@dataclass(frozen=True, slots=True)
class Completion:
    """The answer of a chat model.

    Args:
        prompt_tokens: number of tokens in the question; ``None`` if the endpoint does not give the number.
        completion_tokens: number of tokens in the answer; ``None`` if the endpoint does not give the number.
    """

    content: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class RateLimiter:
    """Spaces requests evenly in time; all threads share the limit.

    Args:
        per_minute: the most requests a minute; ``None`` for no limit.
    """

    def __init__(self, per_minute: float | None = None) -> None:
        self._interval = 60 / per_minute if per_minute else 0.0
        self._next = 0.0
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Return when the next request may be sent."""
        with self._lock:
            now = time.monotonic()
            start = max(now, self._next)
            self._next = start + self._interval
        time.sleep(start - now)


@dataclass(frozen=True, slots=True)
class ChatEndpoint:
    """A chat model behind an endpoint. Several threads may use it.

    Args:
        url: the address up to ``/chat/completions``, such as ``http://localhost:11434/v1``; its query, if any, is
            sent with each request.
        model: the endpoint's name for the model.
        key: the API key, sent as a bearer token and never shown; surrounding whitespace is ignored.
        timeout: the most seconds without data from the endpoint.
        rate_limiter: spaces the requests.

    Attributes:
        shown: the address without secrets, for messages.

    Raises:
        InputError: the address or the key cannot be used.
        MissingExtraError: the extra *chat* is not installed.
    """

    url: str = field(repr=False)
    model: str
    key: str | None = field(default=None, repr=False)
    timeout: float = 60.0
    rate_limiter: RateLimiter = field(default_factory=RateLimiter, repr=False, compare=False)
    shown: str = field(init=False, compare=False)
    _address: httpx2.URL = field(init=False, repr=False, compare=False)
    _redactor: Redactor = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        try:
            import openai  # noqa: F401  imported late, since it takes a second
        except ImportError as error:
            raise MissingExtraError("openai", "chat") from error
        object.__setattr__(self, "shown", shown_address(self.url))
        object.__setattr__(self, "_address", _checked_address(self.url))
        object.__setattr__(self, "key", _checked_key(self.key))
        object.__setattr__(self, "_redactor", Redactor({*_query_secrets(self.url), *filter(None, [self.key])}))

    @classmethod
    def from_environment(cls, model: str | None = None, environment: Mapping[str, str] = os.environ) -> ChatEndpoint:
        """Return the endpoint that environment variables name.

        Args:
            model: replaces the model that the environment names.

        Raises:
            InputError: the address or the model's name is missing.
            MissingExtraError: the extra *chat* is not installed.
        """
        for name, value in ((URL, environment.get(URL)), (MODEL, model or environment.get(MODEL))):
            if not value:
                raise InputError(
                    f"{name} is not set", hint=f"{URL} and {MODEL} name the chat model, {KEY} its key if it needs one"
                )
        return cls(environment[URL], model or environment[MODEL], environment.get(KEY) or None)

    def ask(
        self,
        messages: Sequence[Message],
        *,
        options: Mapping[str, Any] | None = None,
        max_retries: int = MAX_RETRIES,
    ) -> Completion:
        """Return the model's answer to messages.

        Args:
            options: further fields of the request, such as ``temperature``: 0 for the most probable answer.
            max_retries: how often to ask again if the endpoint is busy, fails or breaks off.

        Raises:
            AnswerError: the endpoint's answer is not a chat completion.
            RefusedError: the endpoint refuses, or stays busy.
            ModelError: the endpoint cannot be reached.
        """
        answer = self._post({"model": self.model, "messages": list(messages), **(options or {})}, max_retries)
        if not isinstance(answer, bytes):  # raised here, so that no chained error quotes the request
            reason, status = answer
            hint = f"check {URL}, {MODEL} and {KEY}, or try again later"
            if status is None:
                raise ModelError(reason, where=self.shown, hint=hint)
            raise RefusedError(reason, status, where=self.shown, hint=hint)
        return self._completion(answer)

    def _post(self, body: Mapping[str, Any], max_retries: int) -> bytes | tuple[str, int | None]:
        """Return the body of the answer, or why there is none, with the status of HTTP if there was one."""
        import httpx2
        import openai

        try:
            with httpx2.Client(
                timeout=self.timeout,
                headers={"Accept-Encoding": "identity"},
                event_hooks={"request": [self._before_request], "response": [self._before_body]},
            ) as http:
                client = openai.OpenAI(
                    api_key=self.key or "none", base_url=self._address, max_retries=max_retries, http_client=http
                )
                answer: httpx2.Response = client.post(str(self._address), cast_to=httpx2.Response, body=body)
                return answer.content
        except openai.APITimeoutError:
            return f"no answer within {self.timeout:g} seconds", None
        except openai.APIStatusError as error:
            return self._refusal(error.response), error.response.status_code
        except openai.APIConnectionError as error:
            return f"cannot be reached, or broke off: {self._redactor.line(str(error.__cause__))}", None
        except (ValueError, ImportError, openai.OpenAIError, httpx2.InvalidURL) as error:
            # the error is not quoted, since it may contain a proxy's password
            return f"cannot be asked: its address, or that of a proxy, is unusable ({type(error).__name__})", None

    def _before_request(self, request: httpx2.Request) -> None:
        for name in request.headers.keys() - SENT_HEADERS:
            del request.headers[name]
        request.headers["user-agent"] = "whywire"
        if not self.key:
            request.headers.pop("authorization", None)
        self.rate_limiter.wait()

    def _before_body(self, response: httpx2.Response) -> None:
        stream: Any = response.stream
        response.stream = _limited_stream(stream, TOTAL_TIMEOUT_FACTOR * self.timeout)

    def _completion(self, answer: bytes) -> Completion:
        """Parse a chat completion."""
        try:
            completion = json.loads(answer)
            content = completion["choices"][0]["message"]["content"]
        except (ValueError, LookupError, TypeError, RecursionError):
            start = self._redactor.excerpt(answer)[:SHOWN_CHARACTERS]
            raise AnswerError(f"the endpoint's answer is no chat completion: {start!r}") from None
        if not isinstance(content, str):
            raise AnswerError("the chat model answered without words")
        usage = completion.get("usage")
        counts = usage if isinstance(usage, dict) else {}
        return Completion(content, *(_count(counts.get(name)) for name in ("prompt_tokens", "completion_tokens")))

    def _refusal(self, response: httpx2.Response) -> str:
        """Return a description of an answer with an error status or a redirect."""
        shown = self._redactor.line
        if response.has_redirect_location:
            location = shown_address(self._redactor.redact(response.headers["Location"]))
            reason = f"it points to {shown(location)}, where nothing is sent"
        else:
            reason = shown(self._redactor.excerpt(response.content))
        status = f"the endpoint answers {response.status_code} {shown(response.reason_phrase)}".rstrip()
        return f"{status}: {reason}" if reason else status


def _limited_stream(body: Any, seconds: float) -> Any:
    """Return the stream of a body, which raises if the body is too long or takes too long."""
    import httpx2

    class LimitedStream(httpx2.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            size, end = 0, time.monotonic() + seconds
            for piece in body:
                size += len(piece)
                if size > MAX_ANSWER_BYTES:
                    raise AnswerError(f"the endpoint's answer is longer than {MAX_ANSWER_BYTES // 10**6} MB")
                if time.monotonic() > end:
                    raise httpx2.ReadTimeout(f"the answer has not ended after {seconds:g} seconds")
                yield piece

        def close(self) -> None:
            body.close()

    return LimitedStream()


def without_marks(text: str) -> str:
    """Text for a message, in which no server finds a mark of its chat template: ``<`` becomes ``‹``, ``[`` ``(``.

    Local servers take such marks for their own even in what a user sends, so a text could end its message and begin
    one of the system.
    """
    return MARK.sub(lambda mark: "‹" if mark[0] == "<" else "(", text)


def unfenced(content: str) -> str:
    """An answer without the fence of Markdown around it, if it has one."""
    text = content.strip()
    fenced = len(text) >= 6 and text.startswith("```") and text.endswith("```")
    return text[3:-3].removeprefix("json").strip() if fenced else text


def shown_address(url: str) -> str:
    """Return an address without its query and fragment, which may be secret.

    An address with an ``@`` is not shown at all: a password may stand before the ``@`` and may contain any character.
    """
    return MASK if "@" in url else re.split("[?#]", url, maxsplit=1)[0]


def _checked_key(key: str | None) -> str | None:
    key = (key or "").strip()
    if not all("!" <= character <= "~" for character in key):
        raise InputError(
            f"{KEY} holds a space, a control character or one beyond ASCII, as no key does",
            hint="set it to the key alone, just as it was given out",
        )
    return key or None


def _query_secrets(url: str) -> Iterator[str]:
    """Yield possible secrets in an address: the query and its values, both as written and decoded."""
    query = urlsplit(url).query
    for value in (query, *(part.partition("=")[2] for part in query.split("&"))):
        yield from (text for text in (value, unquote_plus(value)) if len(text) >= MIN_SECRET_LENGTH)


_HOST = re.compile(rb"[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63})*\.?|[a-f\d.]*:[a-f\d:.]*(?:%[\w.-]+)?")
"""A host name in ASCII, or an IP address."""


def _checked_address(url: str) -> httpx2.URL:
    """Return the address for requests.

    Raises:
        InputError: the address cannot be used.
    """
    if "@" in url:
        raise InputError(
            "the chat model's address holds an @",
            where=URL,
            hint=f"a password does not go into the address, a key goes into {KEY}; write any other @ as %40",
        )
    import httpx2

    try:
        parsed = httpx2.URL(url)
        usable = (
            url.isprintable()
            and " " not in url
            and parsed.scheme in ("http", "https")
            and _HOST.fullmatch(parsed.raw_host)
            and (parsed.port is None or 0 < parsed.port < 1 << 16)
        )
    except (httpx2.InvalidURL, ValueError):
        usable = False
    if not usable:
        raise InputError(
            f"{shown_address(url)!r} is not an address",
            hint="give one such as http://localhost:11434/v1, without spaces",
        )
    path = parsed.path.rstrip("/") + "/chat/completions"
    return parsed.copy_with(path=path, query=parsed.query or None, fragment=None)


def _count(value: object) -> int | None:
    """Return a count of tokens; ``None`` for anything else."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_TOKENS:
        return value
    return None
