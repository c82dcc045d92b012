"""Asks a chat model, for answers of a given form: each question once, within a budget, and never in the way.

An answer that is kept is not asked for again. Where the budget is spent, or the endpoint is down, slow, busy or
answers in another form, there is no answer, the graph is decided without it, and this is said once. An endpoint that
fails is left alone for ``REST_SECONDS``.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, TypeVar

import msgspec

from whywire.errors import ModelError
from whywire.models.chat import ChatEndpoint, Completion, Message, RefusedError, unfenced
from whywire.output import json_text
from whywire.second_opinions.budget import Budget
from whywire.second_opinions.kept_answers import AnswersInMemory, KeptAnswers

ANSWER_SECONDS = 120.0
"""How long an endpoint may be silent: a model on a processor writes slowly, and sends an answer when it is whole."""

REST_SECONDS = 300.0
"""How long an endpoint that failed is not asked."""

BAD_REQUEST = (400, 413, 415, 422)
"""The statuses by which endpoints refuse one request, such as too long a question."""

UNKNOWN_OPTION = (*BAD_REQUEST, 500)
"""The statuses by which endpoints refuse an option that they do not know; llama-cpp-python answers 500."""

FAILED = 500
"""From this status on, an endpoint may have worked for a request that it did not answer."""

Form = TypeVar("Form", bound=msgspec.Struct)


@dataclass(slots=True)
class Tally:
    """What was asked so far.

    Args:
        requests: that the endpoint answered.
        kept: that kept answers answered.
        unanswered: for want of budget, or since the endpoint failed.
        unreadable: answers in another form.
    """

    requests: int = 0
    kept: int = 0
    unanswered: int = 0
    unreadable: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def __str__(self) -> str:
        """Return the numbers in words."""
        return (
            f"{self.requests:,} requests ({self.prompt_tokens:,} tokens asked, {self.completion_tokens:,} answered), "
            f"{self.kept:,} answered before, {self.unanswered:,} without an answer, {self.unreadable:,} unreadable"
        )


def _today() -> date:
    return datetime.now(UTC).date()


@dataclass(eq=False)
class Adviser:
    """A chat model that is asked within a budget. Several threads may share one.

    Args:
        budget: of a day.
        kept: where answers are kept, and what was spent.
        say: is told of trouble, in a sentence: once of each kind, and of a spent budget once a day.
        today: the day in UTC.
        tally: what was asked so far.
    """

    endpoint: ChatEndpoint
    budget: Budget
    kept: KeptAnswers = field(default_factory=AnswersInMemory)
    say: Callable[[str], object] = lambda _: None
    today: Callable[[], date] = _today
    tally: Tally = field(default_factory=Tally)
    _said: set[object] = field(default_factory=set, init=False)
    _rests_until: float = field(default=0.0, init=False)
    _dialect: int | None = field(default=None, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    @property
    def model(self) -> str:
        """The name of the model, by which its answers are marked."""
        return self.endpoint.model

    def ask(self, messages: Sequence[Message], form: type[Form], *, max_tokens: int) -> Form | None:
        """The answer to messages, kept or asked for; ``None`` if there is none, or none of this form.

        Args:
            messages: they say in words what form the answer has, since not all endpoints take a schema. Data in them
                that comes from articles is JSON.
            form: of the answer, which is read strictly; make it with ``forbid_unknown_fields``.
            max_tokens: of the answer.
        """
        key = request_key(self.model, messages, form)
        answer = self.kept.answer(key)
        if answer is not None:
            self.tally.kept += 1
        else:
            answer = self._answer(messages, form, max_tokens)
            if answer is None:
                self.tally.unanswered += 1
                return None
            answer = self.kept.keep(key, self.model, answer)
        read = read_strictly(answer, form)
        if read is None:
            self.tally.unreadable += 1
            self._say_once("form", f"{self.model} answers in another form than it is asked to")
        return read

    def _answer(self, messages: Sequence[Message], form: type[Form], max_tokens: int) -> str | None:
        """Ask the endpoint with the options that it takes; they are found out by the first answer."""
        schema = schema_of(form)
        dialects = options(schema, max_tokens)
        known = self._dialect
        for number in range(len(dialects)) if known is None else [known]:
            with self._lock:
                if time.monotonic() < self._rests_until:
                    return None
            try:
                completion = self._request(messages, schema, dialects[number], max_tokens)
            except RefusedError as error:
                if known is None and error.status in UNKNOWN_OPTION and number + 1 < len(dialects):
                    continue
                if error.status in BAD_REQUEST:
                    self._say_once("refused", f"{self.model} does not take a question: {error}")
                else:
                    self._rest(error)
                return None
            except ModelError as error:
                self._rest(error)
                return None
            if completion is None:
                return None
            with self._lock:
                self._dialect = number
                self._said.discard("failed")
                self.tally.requests += 1
                self.tally.prompt_tokens += completion.prompt_tokens or 0
                self.tally.completion_tokens += completion.completion_tokens or 0
            content = completion.content.replace("\0", "")
            return content.encode("utf-8", "replace").decode()  # so that any store keeps it
        return None

    def _request(
        self, messages: Sequence[Message], schema: Mapping[str, Any], dialect: Mapping[str, Any], max_tokens: int
    ) -> Completion | None:
        """Ask once, if the budget allows it.

        Raises:
            ModelError: the endpoint fails. What was reserved is given back only if it refused the request at once.
        """
        reserved = self.budget.most(messages, len(json.dumps(schema)), max_tokens)
        day, unit = self.today(), self.budget.unit
        if not self.kept.reserve(day, unit, reserved, self.budget.limit):
            self._say_once(day, f"the budget of {day} for {self.model} is spent; the rest is decided without it")
            return None
        try:
            completion = self.endpoint.ask(messages, options=dialect, max_retries=0)
        except RefusedError as error:
            if error.status < FAILED:
                self.kept.settle(day, unit, -reserved)
            raise
        self.kept.settle(day, unit, self.budget.spent(completion, reserved) - reserved)
        return completion

    def _rest(self, error: ModelError) -> None:
        with self._lock:
            self._rests_until = time.monotonic() + REST_SECONDS
        self._say_once("failed", f"{self.model} is not asked for {REST_SECONDS / 60:g} minutes: {error}")

    def _say_once(self, kind: object, text: str) -> None:
        with self._lock:
            if kind in self._said:
                return
            self._said.add(kind)
        self.say(text)


def messages_of(instructions: str, data: Mapping[str, Any]) -> list[Message]:
    """The messages of a request: what is asked, and apart from it data as JSON, which may hold words of articles."""
    return [{"role": "system", "content": instructions}, {"role": "user", "content": json_text(data)}]


def options(schema: Mapping[str, Any], max_tokens: int) -> list[dict[str, Any]]:
    """Options of a request, the best first: endpoints differ in what they take.

    Models that think before they answer take neither a temperature nor ``max_tokens``; llama-cpp-python takes a
    schema in a place of its own, and others none.
    """
    of_schema = {"name": "answer", "strict": True, "schema": schema}
    formats: list[dict[str, Any]] = [
        {"response_format": {"type": "json_schema", "json_schema": of_schema}},
        {"response_format": {"type": "json_object", "schema": schema}},
        {},
    ]
    plain, thinking = {"temperature": 0, "max_tokens": max_tokens}, {"max_completion_tokens": max_tokens}
    return [form | limits for form in formats for limits in (plain, thinking)]


def schema_of(form: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON schema of a form, with an object at its root, as endpoints want it."""
    (root,), named = msgspec.json.schema_components([form], ref_template="#/$defs/{name}")
    schema = dict(named.pop(root["$ref"].rpartition("/")[2]))
    return schema | ({"$defs": named} if named else {})


def request_key(model: str, messages: Sequence[Message], form: type[msgspec.Struct]) -> str:
    """The key of a kept answer: a hash of the model's name, the messages and the form."""
    asked = json.dumps([model, list(messages), schema_of(form)], sort_keys=True)
    return hashlib.sha256(asked.encode()).hexdigest()


def read_strictly(answer: str, form: type[Form]) -> Form | None:
    """The answer in a form; ``None`` if it has another. A fence of Markdown around it is taken off."""
    try:
        return msgspec.json.decode(unfenced(answer), type=form)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
