"""What may follow a headline, asked of a chat model behind any endpoint that speaks OpenAI's protocol.

The endpoint only makes up headlines; how likely each is to follow, the model of pairs says (see ``predictions``).
Nothing but the headline is sent, and it is sent nowhere but to the address that was given.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from whywire.errors import InputError, ModelError

URL, MODEL, KEY = "WHYWIRE_CHAT_URL", "WHYWIRE_CHAT_MODEL", "WHYWIRE_CHAT_KEY"
"""Variables of the environment: the address up to ``/chat/completions``, the model's name, and the key if any."""

TRIES = 4
"""How often a busy or failing endpoint is asked."""

BUSY, FAILING = 429, 500
"""The status of an endpoint with too much to do; statuses from the second one on are its own fault, and may pass."""

LONGEST_PAUSE = 60.0
"""However long an endpoint asks to be left alone, nobody waits longer than this, in seconds."""

PROMPT = (
    "You foretell news. Given a headline, name events that may follow because of it within a week, each as a short "
    "news headline of its own, in the language of the given one, the most likely first. Name consequences only: no "
    "other report of the same event, and nothing that merely happens at the same time. Answer with a JSON list of "
    "strings and with nothing else."
)


class AnswerError(ModelError):
    """The endpoint answered a headline with something that is not a list of headlines."""


@dataclass(frozen=True, slots=True)
class ChatEndpoint:
    """A chat model somewhere.

    Args:
        url: the address up to ``/chat/completions``, such as ``http://localhost:11434/v1``.
        model: the name the endpoint knows the model by.
        key: sent as a bearer token, and never shown.
        timeout: seconds that the endpoint may be silent.
        pause: seconds before a busy endpoint is asked a second time; each next pause is twice as long.

    Raises:
        InputError: the address is none that headlines can be sent to.
    """

    url: str
    model: str
    key: str | None = field(default=None, repr=False)
    timeout: float = 60.0
    pause: float = 1.0

    def __post_init__(self) -> None:
        if not _is_address(self.url):
            raise InputError(f"{self.url!r} is no address", hint="give one such as http://localhost:11434/v1")

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
                raise InputError(f"{name} is not set", hint="it names the chat model; see `whywire predict --help`")
        return cls(environment[URL], model or environment[MODEL], environment.get(KEY) or None)

    def effects(self, headline: str, most: int) -> list[str]:
        """Headlines that may follow this one, as the model wrote them, at most so many.

        Raises:
            AnswerError: the answer is no list of headlines.
            ModelError: the endpoint cannot be reached, refuses, or stays busy.
        """
        messages = [
            {"role": "system", "content": PROMPT},
            {"role": "user", "content": f"At most {most} headlines that may follow this one:\n{headline}"},
        ]
        answer = self._post({"model": self.model, "messages": messages})
        return headlines_of(_content(answer))[:most]

    def _post(self, body: Mapping[str, Any]) -> bytes:
        """What the endpoint answers; a busy one is asked again after a while."""
        headers = {"Content-Type": "application/json", "User-Agent": "whywire"}
        address = f"{self.url.rstrip('/')}/chat/completions"
        request = Request(address, json.dumps(body).encode(), headers)  # noqa: S310 - the scheme was checked
        if self.key:
            request.add_unredirected_header("Authorization", f"Bearer {self.key}")  # a key is for one host only
        for attempt in range(TRIES):
            try:
                with urlopen(request, timeout=self.timeout) as response:  # noqa: S310
                    content: bytes = response.read()
                    return content
            except HTTPError as error:
                with error:
                    if attempt + 1 == TRIES or not (error.code == BUSY or error.code >= FAILING):
                        raise self._failed(_refusal(error)) from error
                    time.sleep(_seconds_to_wait(error, self.pause * 2**attempt))
            except TimeoutError as error:
                raise self._failed(f"no answer within {self.timeout:g} seconds") from error
            except (OSError, HTTPException) as error:
                reason = error.reason if isinstance(error, URLError) else error
                if isinstance(reason, TimeoutError):
                    raise self._failed(f"no connection within {self.timeout:g} seconds") from error
                raise self._failed(f"cannot be reached or broke off: {reason or type(error).__name__}") from error
        raise AssertionError("the last attempt returns or raises")

    def _failed(self, message: str) -> ModelError:
        return ModelError(message, where=self.url, hint=f"check {URL}, {MODEL} and {KEY}, or try again later")


def _is_address(url: str) -> bool:
    """Whether headlines can be sent there: by HTTP to a host, and never into a file."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def headlines_of(content: str) -> list[str]:
    """The headlines in a chat model's answer: a JSON list of strings, in a fence of Markdown or not.

    Raises:
        AnswerError: it is anything else.
    """
    fenced = _FENCE.fullmatch(content.strip())
    try:
        found = json.loads(fenced[1] if fenced else content)
    except (ValueError, RecursionError) as error:
        raise _unlike_headlines(content) from error
    if not isinstance(found, list) or not all(isinstance(text, str) and text.strip() for text in found):
        raise _unlike_headlines(content)
    return list(dict.fromkeys(" ".join(text.split()) for text in found))


_FENCE = re.compile(r"```(?:json)?\s*\n(.*)\n\s*```", re.DOTALL)
_SHOWN = 80
"""Characters of a strange answer that a message shows."""


def _content(answer: bytes) -> str:
    """The words of a chat completion."""
    try:
        content = json.loads(answer)["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise AnswerError(
            f"the endpoint's answer is no chat completion: {answer[:_SHOWN].decode('utf-8', 'replace')!r}"
        ) from error
    if not isinstance(content, str):
        raise AnswerError("the chat model answered without words")
    return content


def _unlike_headlines(content: str) -> AnswerError:
    return AnswerError(f"the chat model's answer is no JSON list of headlines: {content[:_SHOWN]!r}")


def _refusal(error: HTTPError) -> str:
    said = " ".join(error.read(_SHOWN).decode("utf-8", "replace").split())
    return f"the endpoint answers {error.code} {error.reason}" + (f": {said}" if said else "")


def _seconds_to_wait(error: HTTPError, pause: float) -> float:
    """How long the endpoint asks to be left alone, where it says so in seconds; else the pause."""
    asked = error.headers.get("Retry-After", "")
    return min(LONGEST_PAUSE, max(pause, float(asked) if asked.isdecimal() else 0.0))
