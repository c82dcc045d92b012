"""A chat model behind any endpoint that speaks OpenAI's chat completions: the one way anything here talks to one.

Nothing is sent anywhere but to the address that was given: a redirect is told, not followed. What may pass by itself
(an endpoint that is busy, failing or slow, an answer that breaks off) is asked for again; what will not (a wrong key
or name, nobody there) is told at once.

No error shows the key or the query of the address, where keys are found too, even if the endpoint says them itself.
"""

from __future__ import annotations

import html
import json
import math
import os
import re
import string
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from http.client import HTTPException, IncompleteRead, InvalidURL
from ipaddress import IPv6Address
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, unquote_plus, urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    UnknownHandler,
)

from whywire.errors import InputError, ModelError, escape_invisible

URL, MODEL, KEY = "WHYWIRE_CHAT_URL", "WHYWIRE_CHAT_MODEL", "WHYWIRE_CHAT_KEY"
"""Variables of the environment: the address up to ``/chat/completions``, the model's name, and the key if any."""

TRIES = 4
"""How often a busy or failing endpoint is asked."""

TOO_SLOW, BUSY, FAILING = 408, 429, 500
"""The statuses of an endpoint that may do better soon: it waited too long, has too much to do, or (from the last one
on) is at fault itself."""

LONGEST_PAUSE = 60.0
"""However long an endpoint asks to be left alone, nobody waits longer than this, in seconds."""

MOST_BYTES = 16 * 1000 * 1000
"""The longest answer that is read: many times what any model writes, and little enough for any memory."""

IN_ALL = 10
"""An endpoint that keeps sending may take so many times the seconds that it may be silent."""

MARK = "***"
"""Stands in a message for a key."""

Message = dict[str, str]
"""``role`` and ``content``."""


class AnswerError(ModelError):
    """The endpoint answered with something that is not what was asked for."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a chat model said.

    Args:
        prompt_tokens: how many the endpoint counted in the question; ``None`` where it does not count.
        completion_tokens: the same, in the answer.
    """

    content: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class RateLimiter:
    """Keeps requests apart: no more than so many a minute, evenly spread, by however many threads.

    Args:
        per_minute: ``None`` for as fast as answers come.
    """

    def __init__(self, per_minute: float | None = None) -> None:
        self._apart = 60 / per_minute if per_minute else 0.0
        self._next = 0.0
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Return when the next request may be sent."""
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next)
            self._next = turn + self._apart
        time.sleep(turn - now)


@dataclass(frozen=True, slots=True)
class ChatEndpoint:
    """A chat model somewhere.

    Args:
        url: the address up to ``/chat/completions``, such as ``http://localhost:11434/v1``; its query, if any, is
            sent with each request.
        model: the name the endpoint knows the model by.
        key: sent as a bearer token, and never shown; space around it does not count.
        timeout: seconds that the endpoint may be silent.
        pause: seconds before a busy endpoint is asked a second time; each next pause is twice as long.
        pace: how fast requests follow one another.

    Attributes:
        shown: the address as a message may show it.

    Raises:
        InputError: the address is none that words can be sent to, or the key none that can be sent.
    """

    url: str = field(repr=False)
    model: str
    key: str | None = field(default=None, repr=False)
    timeout: float = 60.0
    pause: float = 1.0
    pace: RateLimiter = field(default_factory=RateLimiter, repr=False, compare=False)
    shown: str = field(init=False, compare=False)
    _address: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shown", shown_address(self.url))
        object.__setattr__(self, "_address", _checked_address(self.url))
        object.__setattr__(self, "key", _checked_key(self.key))

    @classmethod
    def from_environment(cls, model: str | None = None, environment: Mapping[str, str] = os.environ) -> ChatEndpoint:
        """The endpoint that the environment names.

        Args:
            model: in place of the one the environment names.

        Raises:
            InputError: the address or the model's name is missing.
        """
        for name, value in ((URL, environment.get(URL)), (MODEL, model or environment.get(MODEL))):
            if not value:
                raise InputError(
                    f"{name} is not set", hint=f"{URL} and {MODEL} name the chat model, {KEY} its key if it needs one"
                )
        return cls(environment[URL], model or environment[MODEL], environment.get(KEY) or None)

    def ask(self, messages: Sequence[Message], *, temperature: float | None = None) -> Reply:
        """What the model says to these messages.

        Args:
            temperature: 0 for the likeliest answer; the endpoint's own if not given.

        Raises:
            AnswerError: the endpoint keeps answering with something that is no chat completion.
            ModelError: it cannot be reached, refuses, or stays busy.
        """
        body: dict[str, Any] = {"model": self.model, "messages": list(messages)}
        if temperature is not None:
            body["temperature"] = temperature
        for attempt in range(TRIES):
            pause = self.pause * 2**attempt
            again = True
            try:
                return self._reply(self._post(body))
            except HTTPError as error:
                with error:
                    failed = self._failed(self._refusal(error))
                    again = error.code in (TOO_SLOW, BUSY) or error.code >= FAILING
                    pause = _seconds_to_wait(error, pause)
            except TimeoutError:
                failed = self._failed(f"no answer within {self.timeout:g} seconds")
            except URLError as error:
                failed, again = self._failed(self._unreachable(error.reason)), False
            except InvalidURL as error:
                failed, again = self._unaskable(error), False
            except (OSError, HTTPException) as error:
                failed = self._failed(f"broke off: {self._said(str(error)) or type(error).__name__}")
            except ValueError as error:
                failed, again = self._unaskable(error), False
            except AnswerError as error:
                failed = error
            if not again or attempt + 1 == TRIES:
                break
            time.sleep(pause)
        raise failed  # out here, where it is not chained to an error that quotes what the endpoint said

    def _post(self, body: Mapping[str, Any]) -> bytes:
        headers = {"Content-Type": "application/json", "User-Agent": "whywire"}
        request = Request(self._address, json.dumps(body).encode(), headers)  # noqa: S310 - the scheme was checked
        if self.key:
            request.add_unredirected_header("Authorization", f"Bearer {self.key}")
        self.pace.wait()
        with _opener().open(request, timeout=self.timeout) as response:
            content = _read(response, MOST_BYTES + 1, IN_ALL * self.timeout)
            if len(content) > MOST_BYTES:
                raise AnswerError(f"the endpoint's answer is longer than {MOST_BYTES // 10**6} MB")
            if response.length:
                raise IncompleteRead(content, response.length)
            return content

    def _reply(self, answer: bytes) -> Reply:
        """The words of a chat completion, and the tokens counted."""
        try:
            completion = json.loads(answer, parse_float=_finite, parse_constant=_finite)
            content = completion["choices"][0]["message"]["content"]
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            start = self._start(answer)[:_SHOWN]
            raise AnswerError(f"the endpoint's answer is no chat completion: {start!r}") from error
        if not isinstance(content, str):
            raise AnswerError("the chat model answered without words")
        usage = completion.get("usage")
        counts = usage if isinstance(usage, dict) else {}
        return Reply(content, *(_count(counts.get(name)) for name in ("prompt_tokens", "completion_tokens")))

    def _refusal(self, error: HTTPError) -> str:
        location = error.headers.get("Location") if error.code in _REDIRECTS else None
        if location:
            said = f"it points to {self._said(shown_address(self._redacted(location)))}, where nothing is sent"
        else:
            try:
                said = self._said(self._start(_read(error, _ENOUGH + self._longest_secret() + 1, self.timeout)))
            except (OSError, HTTPException, ValueError, AnswerError):
                said = ""
        told = f"the endpoint answers {error.code} {self._said(str(error.reason))}".rstrip()
        return f"{told}: {said}" if said else told

    def _unreachable(self, reason: object) -> str:
        if isinstance(reason, TimeoutError):
            return f"no connection within {self.timeout:g} seconds"
        return f"cannot be reached: {self._said(str(reason))}"

    def _unaskable(self, error: Exception) -> ModelError:
        """Told without the error's words, which quote addresses: that of a proxy holds a password now and then."""
        return self._failed(f"cannot be asked, its address or that of a proxy is of no use ({type(error).__name__})")

    def _failed(self, message: str) -> ModelError:
        return ModelError(message, where=self.shown, hint=f"check {URL}, {MODEL} and {KEY}, or try again later")

    def _said(self, text: str) -> str:
        """Words from outside as a message shows them: in one line, cut, without secrets or control characters."""
        return escape_invisible(" ".join(self._redacted(text).split())[:_SHOWN])

    def _start(self, body: bytes) -> str:
        """The start of what the endpoint sent without secrets, not even a part of one where it is cut."""
        longest = self._longest_secret()
        text = self._redacted(body[: _ENOUGH + longest].decode("utf-8", "replace"))
        return text if len(body) <= _ENOUGH + longest else text[: len(text) - longest]

    def _redacted(self, text: str) -> str:
        secrets = sorted(self._secrets(), key=len, reverse=True)
        if not secrets:
            return text
        echoes = ("".join(map(_echo, secret)) for secret in secrets)
        return re.sub("|".join(echoes), MARK, text, flags=re.IGNORECASE)

    def _secrets(self) -> set[str]:
        """The key and what may be one: the address's query and the values in it, but for short ones."""
        query = urlsplit(self.url).query
        values = [part.partition("=")[2] for part in query.split("&")]
        given = {text for value in (query, *values) for text in (value, unquote_plus(value)) if len(text) >= _TELLING}
        return given | {self.key} if self.key else given

    def _longest_secret(self) -> int:
        return max((len(secret) * _WIDEST for secret in self._secrets()), default=0)


def shown_address(url: str) -> str:
    """An address without what may be secret: its query and its fragment.

    One with an ``@`` is not shown at all: what is before it may be a password, and a password may hold anything.
    """
    return MARK if "@" in url else re.split("[?#]", url, maxsplit=1)[0]


def _checked_key(key: str | None) -> str | None:
    key = (key or "").strip()
    if not all("!" <= character <= "~" for character in key):
        raise InputError(
            f"{KEY} holds a space, a control character or one beyond ASCII, as no key does",
            hint="set it to the key alone, just as it was given out",
        )
    return key or None


def _checked_address(url: str) -> str:
    """Where requests go.

    Raises:
        InputError: words cannot be sent there.
    """
    if "@" in url:
        raise InputError(
            "the chat model's address holds an @",
            where=URL,
            hint=f"a password does not go into the address, a key goes into {KEY}; write any other @ as %40",
        )
    if (address := _request_address(url)) is None:
        raise InputError(
            f"{shown_address(url)!r} is no address",
            hint="give one such as http://localhost:11434/v1, without spaces",
        )
    return address


def _request_address(url: str) -> str | None:
    """The address of chat completions in ASCII; ``None`` if it is not HTTP to a host."""
    if not url.isprintable() or " " in url:
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
        host = _host(parts.hostname or "", "[" in parts.netloc)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host or port == 0:
        return None
    place = host if port is None else f"{host}:{port}"
    path, query = (quote(part, safe=string.punctuation) for part in (parts.path.rstrip("/"), parts.query))
    return f"{parts.scheme}://{place}{path}/chat/completions" + (f"?{query}" if query else "")


def _host(name: str, bracketed: bool) -> str:
    """A host as it is asked for: an address of IPv6 in brackets, or a name in ASCII.

    Raises:
        ValueError: it is neither.
    """
    if bracketed:
        return f"[{IPv6Address(name)}]"
    host = name.encode("idna").decode("ascii")
    if not re.fullmatch("[A-Za-z0-9._-]+", host):
        raise ValueError(host)
    return host


_REDIRECTS = (301, 302, 303, 307, 308)


@cache
def _opener() -> OpenerDirector:
    """Asks by HTTP and nothing else; a redirect is an answer like any other."""
    opener = OpenerDirector()
    for handler in (
        ProxyHandler,
        UnknownHandler,
        HTTPHandler,
        HTTPSHandler,
        HTTPDefaultErrorHandler,
        HTTPErrorProcessor,
    ):
        opener.add_handler(handler())
    return opener


_PIECE = 1 << 16


def _read(response: Any, most: int, seconds: float) -> bytes:
    """The first bytes of a body, at most so many.

    Raises:
        AnswerError: it has neither ended nor filled so many after this time.
    """
    end = time.monotonic() + seconds
    content = bytearray()
    while len(content) < most and (piece := response.read1(min(_PIECE, most - len(content)))):
        content += piece
        if time.monotonic() > end:
            raise AnswerError(f"the endpoint's answer has no end after {seconds:g} seconds")
    return bytes(content)


_SHOWN = 80
"""Characters of a strange answer that a message shows."""


_ENOUGH = 1 << 12
"""Bytes that hold so many characters to show, however much of them is space."""

_TELLING = 4
"""From this length on a part of the address's query may be a secret; hiding shorter ones would garble messages."""

_WIDEST = 12
"""The most characters that stand for one of a secret: four bytes as ``%F0%9F%8C%89``."""


def _echo(character: str) -> str:
    """A pattern for the ways in which an endpoint may write a character: as it is, for an address, JSON or HTML."""
    code = ord(character)
    units = character.encode("utf-16-be").hex()
    forms = {
        character,
        "\\" + character,
        "".join(f"%{byte:02x}" for byte in character.encode()),
        "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4)),
        html.escape(character),
        f"&#{code};",
        f"&#x{code:x};",
    }
    return f"(?:{'|'.join(map(re.escape, sorted(forms, key=len, reverse=True)))})"


def _finite(number: str) -> float:
    found = float(number)
    if not math.isfinite(found):
        raise ValueError(number)
    return found


_MOST_TOKENS = 10**12
"""More than any model has ever read: who counts more does not count."""


def _count(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_TOKENS:
        return value
    return None


def _seconds_to_wait(error: HTTPError, pause: float) -> float:
    """How long the endpoint asks to be left alone, in seconds or until a date (RFC 9110, 10.2.3); else the pause."""
    asked = error.headers.get("Retry-After", "").strip()
    try:
        seconds = float(asked) if asked.isdecimal() else (_moment(asked) - datetime.now(UTC)).total_seconds()
    except (ValueError, OverflowError):
        seconds = 0.0
    return min(LONGEST_PAUSE, max(pause, seconds))


def _moment(date: str) -> datetime:
    found = parsedate_to_datetime(date)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
