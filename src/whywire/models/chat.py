"""The client of a chat model behind any endpoint that speaks OpenAI's chat completions.

Nothing is sent anywhere but to the address that was given: a redirect is an error, not followed. What may pass by
itself (an endpoint that is busy, failing or slow, an answer that breaks off) is asked for again; what will not (a
wrong key or name, nobody there) is an error at once.

No error shows the key or the query of the address, where keys are found too, even if the endpoint repeats them.
"""

from __future__ import annotations

import json
import math
import os
import re
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_plus, urlsplit

from whywire.errors import InputError, MissingExtraError, ModelError
from whywire.models.redaction import MASK, SHOWN_CHARACTERS, Redactor

if TYPE_CHECKING:
    import httpx2

URL, MODEL, KEY = "WHYWIRE_CHAT_URL", "WHYWIRE_CHAT_MODEL", "WHYWIRE_CHAT_KEY"
"""Variables of the environment: the address up to ``/chat/completions``, the model's name, and the key if any."""

MAX_ATTEMPTS = 4
"""How often a busy or failing endpoint is asked."""

MAX_PAUSE = 60.0
"""However long an endpoint asks to be left alone, nobody waits longer than this, in seconds."""

MAX_ANSWER_BYTES = 16 * 1000 * 1000
"""The longest answer that is read: many times what any model writes, and little enough for any memory."""

TOTAL_TIMEOUT_FACTOR = 10
"""An endpoint that keeps sending may take so many times the seconds that it may be silent."""

MIN_SECRET_LENGTH = 4
"""From this length on a part of the address's query may be a secret; hiding shorter ones would garble messages."""

MAX_TOKENS = 10**12
"""More than any model has ever read: a larger count is taken for none."""

Message = dict[str, str]
"""``role`` and ``content``."""


class AnswerError(ModelError):
    """The endpoint answered with something that is not what was asked for."""


@dataclass(frozen=True, slots=True)
class Completion:
    """The answer of a chat model.

    Args:
        prompt_tokens: how many the endpoint counted in the question; ``None`` where it does not count.
        completion_tokens: the same, in the answer.
    """

    content: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class RateLimiter:
    """Spaces requests evenly, whichever threads send them.

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
class _Failure:
    """Why an attempt gave no answer.

    Args:
        passing: another attempt may do better.
        pause: seconds that the endpoint asks to be left alone.
    """

    error: ModelError
    passing: bool = True
    pause: float = 0.0


@dataclass(frozen=True, slots=True)
class ChatEndpoint:
    """A chat model behind an endpoint.

    Args:
        url: the address up to ``/chat/completions``, such as ``http://localhost:11434/v1``; its query, if any, is
            sent with each request.
        model: the name the endpoint knows the model by.
        key: sent as a bearer token, and never shown; space around it does not count.
        timeout: seconds that the endpoint may be silent.
        pause: seconds before a busy endpoint is asked a second time; each next pause is twice as long.
        rate_limiter: how fast requests follow one another.

    Attributes:
        shown: the address as a message may show it.

    Raises:
        InputError: requests cannot be sent to the address, or the key cannot be sent.
        MissingExtraError: httpx2 is not installed.
    """

    url: str = field(repr=False)
    model: str
    key: str | None = field(default=None, repr=False)
    timeout: float = 60.0
    pause: float = 1.0
    rate_limiter: RateLimiter = field(default_factory=RateLimiter, repr=False, compare=False)
    shown: str = field(init=False, compare=False)
    _address: httpx2.URL = field(init=False, repr=False, compare=False)
    _redactor: Redactor = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shown", shown_address(self.url))
        object.__setattr__(self, "_address", _checked_address(self.url))
        object.__setattr__(self, "key", _checked_key(self.key))
        object.__setattr__(self, "_redactor", Redactor({*_query_secrets(self.url), *filter(None, [self.key])}))

    @classmethod
    def from_environment(cls, model: str | None = None, environment: Mapping[str, str] = os.environ) -> ChatEndpoint:
        """The endpoint that the environment names.

        Args:
            model: in place of the one the environment names.

        Raises:
            InputError: the address or the model's name is missing.
            MissingExtraError: httpx2 is not installed.
        """
        for name, value in ((URL, environment.get(URL)), (MODEL, model or environment.get(MODEL))):
            if not value:
                raise InputError(
                    f"{name} is not set", hint=f"{URL} and {MODEL} name the chat model, {KEY} its key if it needs one"
                )
        return cls(environment[URL], model or environment[MODEL], environment.get(KEY) or None)

    def ask(self, messages: Sequence[Message], *, temperature: float | None = None) -> Completion:
        """The model's answer to these messages.

        Args:
            temperature: 0 for the likeliest answer; the endpoint's own if not given.

        Raises:
            AnswerError: the endpoint keeps answering with something that is no chat completion.
            ModelError: it cannot be reached, refuses, or stays busy.
        """
        body: dict[str, Any] = {"model": self.model, "messages": list(messages)}
        if temperature is not None:
            body["temperature"] = temperature
        pause, attempts = self.pause, 1
        while isinstance(found := self._attempt(body), _Failure):
            if not found.passing or attempts == MAX_ATTEMPTS:
                raise found.error
            time.sleep(max(pause, found.pause))
            pause, attempts = 2 * pause, attempts + 1
        return found

    def _attempt(self, body: Mapping[str, Any]) -> Completion | _Failure:
        """One request; a failure is returned, so that no error is chained to one that quotes what was sent back."""
        http = _httpx2()
        headers = {"User-Agent": "whywire", "Accept-Encoding": "identity"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        self.rate_limiter.wait()
        try:
            with (
                http.Client(timeout=self.timeout) as client,
                client.stream("POST", self._address, json=body, headers=headers, follow_redirects=False) as response,
            ):
                if not response.is_success:
                    return self._refusal(response)
                return self._completion(_read(response, MAX_ANSWER_BYTES + 1, TOTAL_TIMEOUT_FACTOR * self.timeout))
        except http.ConnectTimeout:
            return self._failure(f"no connection within {self.timeout:g} seconds", passing=False)
        except http.TimeoutException:
            return self._failure(f"no answer within {self.timeout:g} seconds")
        except http.ConnectError as error:
            return self._failure(f"cannot be reached: {self._redactor.line(str(error))}", passing=False)
        except http.HTTPError as error:
            return self._failure(f"broke off: {self._redactor.line(str(error)) or type(error).__name__}")
        except (ValueError, ImportError, http.InvalidURL) as error:  # such an error quotes a proxy's password
            name = type(error).__name__
            return self._failure(f"cannot be asked, its address or a proxy's is of no use ({name})", passing=False)
        except AnswerError as error:
            return _Failure(error)

    def _completion(self, answer: bytes) -> Completion:
        """The content of a chat completion, and the tokens counted."""
        if len(answer) > MAX_ANSWER_BYTES:
            raise AnswerError(f"the endpoint's answer is longer than {MAX_ANSWER_BYTES // 10**6} MB")
        try:
            completion = json.loads(answer, parse_float=_finite, parse_constant=_finite)
            content = completion["choices"][0]["message"]["content"]
        except (ValueError, LookupError, TypeError, RecursionError):
            start = self._redactor.excerpt(answer)[:SHOWN_CHARACTERS]
            raise AnswerError(f"the endpoint's answer is no chat completion: {start!r}") from None
        if not isinstance(content, str):
            raise AnswerError("the chat model answered without words")
        usage = completion.get("usage")
        counts = usage if isinstance(usage, dict) else {}
        return Completion(content, *(_count(counts.get(name)) for name in ("prompt_tokens", "completion_tokens")))

    def _refusal(self, response: httpx2.Response) -> _Failure:
        """An answer with a status that is no success."""
        shown = self._redactor.line
        if response.has_redirect_location:
            location = shown_address(self._redactor.redact(response.headers["Location"]))
            said = f"it points to {shown(location)}, where nothing is sent"
        else:
            said = shown(self._excerpt(response))
        told = f"the endpoint answers {response.status_code} {shown(response.reason_phrase)}".rstrip()
        return self._failure(
            f"{told}: {said}" if said else told,
            passing=response.is_server_error
            or response.status_code in (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS),
            pause=_retry_after(response.headers.get("Retry-After", "")),
        )

    def _excerpt(self, response: httpx2.Response) -> str:
        """The start of a refusal's body; empty where it cannot be read in time."""
        try:
            return self._redactor.excerpt(_read(response, self._redactor.excerpt_bytes, self.timeout))
        except (_httpx2().HTTPError, AnswerError):
            return ""

    def _failure(self, message: str, *, passing: bool = True, pause: float = 0.0) -> _Failure:
        hint = f"check {URL}, {MODEL} and {KEY}, or try again later"
        return _Failure(ModelError(message, where=self.shown, hint=hint), passing, pause)


def shown_address(url: str) -> str:
    """An address without what may be secret: its query and its fragment.

    One with an ``@`` is not shown at all: what is before it may be a password, and a password may hold anything.
    """
    return MASK if "@" in url else re.split("[?#]", url, maxsplit=1)[0]


def _httpx2() -> Any:
    """The library, loaded where it is first needed.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        import httpx2
    except ImportError as error:
        raise MissingExtraError("httpx2", "chat") from error
    return httpx2


def _checked_key(key: str | None) -> str | None:
    key = (key or "").strip()
    if not all("!" <= character <= "~" for character in key):
        raise InputError(
            f"{KEY} holds a space, a control character or one beyond ASCII, as no key does",
            hint="set it to the key alone, just as it was given out",
        )
    return key or None


def _query_secrets(url: str) -> Iterator[str]:
    """What may be a secret in an address: its query and the values in it, as written and as meant."""
    query = urlsplit(url).query
    for value in (query, *(part.partition("=")[2] for part in query.split("&"))):
        yield from (text for text in (value, unquote_plus(value)) if len(text) >= MIN_SECRET_LENGTH)


_HOST = re.compile(rb"[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63})*\.?|[a-f\d.]*:[a-f\d:.]*(?:%[\w.-]+)?")
"""A name in ASCII, or an address of IP."""


def _checked_address(url: str) -> httpx2.URL:
    """The address that requests go to.

    Raises:
        InputError: requests cannot be sent there.
    """
    if "@" in url:
        raise InputError(
            "the chat model's address holds an @",
            where=URL,
            hint=f"a password does not go into the address, a key goes into {KEY}; write any other @ as %40",
        )
    http = _httpx2()
    try:
        parsed: httpx2.URL = http.URL(url)
        usable = (
            url.isprintable()
            and " " not in url
            and parsed.scheme in ("http", "https")
            and _HOST.fullmatch(parsed.raw_host)
            and (parsed.port is None or 0 < parsed.port < 1 << 16)
        )
    except (http.InvalidURL, ValueError):
        usable = False
    if not usable:
        raise InputError(
            f"{shown_address(url)!r} is no address", hint="give one such as http://localhost:11434/v1, without spaces"
        )
    path = parsed.path.rstrip("/") + "/chat/completions"
    return parsed.copy_with(path=path, query=parsed.query or None, fragment=None)


def _read(response: httpx2.Response, most: int, seconds: float) -> bytes:
    """The first bytes of an answer, at least so many or all of them.

    Raises:
        AnswerError: they have not arrived after this time.
    """
    end = time.monotonic() + seconds
    content = bytearray()
    for piece in response.iter_raw():
        content += piece
        if len(content) >= most:
            break
        if time.monotonic() > end:
            raise AnswerError(f"the endpoint's answer has no end after {seconds:g} seconds")
    return bytes(content)


def _finite(number: str) -> float:
    found = float(number)
    if not math.isfinite(found):
        raise ValueError(number)
    return found


def _count(value: object) -> int | None:
    """A count of tokens, if it is one."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_TOKENS:
        return value
    return None


def _retry_after(asked: str) -> float:
    """Seconds that the endpoint asks to be left alone, given as such or as a date (RFC 9110, 10.2.3); else 0."""
    try:
        seconds = float(asked) if asked.isdecimal() else _seconds_until(parsedate_to_datetime(asked))
    except (ValueError, OverflowError):
        return 0.0
    return min(MAX_PAUSE, max(0.0, seconds))


def _seconds_until(date: datetime) -> float:
    return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - time.time()
