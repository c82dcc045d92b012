"""Asks a chat model, for answers of a given form: each question once, within a budget, and never in the way.

An answer that is kept is not asked for again. Where the budget is spent, or the endpoint is down, slow, busy or
answers in another form, there is no answer, the graph is decided without it, and this is said once. An endpoint that
fails is left alone for ``REST_SECONDS``. Whoever asks can see that an answer was put off (:class:`Tally`), and ask
again once there is a budget (:meth:`Adviser.may_ask`).
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from whywire.errors import ModelError
from whywire.models.chat import ChatEndpoint, Completion, RefusedError
from whywire.second_opinions.budget import Budget
from whywire.second_opinions.chat_requests import Form, Request
from whywire.second_opinions.kept_answers import AnswersInMemory, KeptAnswers
from whywire.second_opinions.questions import UNREADABLE, Opinion, Questions
from whywire.second_opinions.recollection import Recollection

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


@dataclass(slots=True)
class Tally:
    """What was asked so far.

    Args:
        requests: that the endpoint answered.
        kept: that kept answers answered.
        unanswered: for want of budget, or since the endpoint failed.
        put_off: of these, those that may be answered another time.
        unreadable: answers in another form.
    """

    requests: int = 0
    kept: int = 0
    unanswered: int = 0
    put_off: int = 0
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
    _spent_on: date | None = field(default=None, init=False)
    _dialect: int | None = field(default=None, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    @property
    def model(self) -> str:
        """The name of the model, by which its answers are marked."""
        return self.endpoint.model

    def may_ask(self) -> bool:
        """Whether the budget of today is not known to be spent, and the endpoint has not just failed."""
        return self._spent_on != self.today() and not self._is_resting()

    def opinions(self, asked: Questions) -> list[Opinion]:
        """An opinion on each question, kept or asked for.

        Those that have no answer yet are asked in one request. Where this model does not answer, the kept answer of
        another one holds.
        """
        keys = asked.keys(self.model)
        kept = self.kept.answers(keys)
        new = [number for number, key in enumerate(keys[: asked.most]) if key not in kept]
        answered = self._answered(asked.among(new)) if new else []
        self.tally.kept += not new
        if answered:
            self.kept.keep(self.model, dict(zip([keys[number] for number in new], answered, strict=True)))
        others = self.kept.models() if len(kept) + len(answered) < len(keys) else []
        return Recollection(self.kept, [self.model, *others]).opinions(asked)

    def _answered(self, asked: Questions) -> list[str]:
        """What is to be kept of the answer to each question; nothing if there is no answer."""
        answer = self._answer(asked.request)
        if answer is None:
            return []
        verdicts = asked.verdicts(answer)
        if verdicts is None:
            self._misread()
            return [UNREADABLE] * len(asked.listed)
        return [verdict.value for verdict in verdicts]

    def ask(self, request: Request[Form]) -> Form | None:
        """The answer to a request, kept or asked for; ``None`` if there is none, or none of the form asked for."""
        key = request.key(self.model)
        answer = self.kept.answers([key]).get(key)
        if answer is not None:
            self.tally.kept += 1
        elif (answer := self._answer(request)) is not None:
            self.kept.keep(self.model, {key: answer})
        else:
            return None
        read = request.read(answer)
        if read is None:
            self._misread()
        return read

    def _answer(self, request: Request[Any]) -> str | None:
        """Ask the endpoint; ``None`` if there is no answer."""
        answer = self._answer_in_dialect(request)
        self.tally.unanswered += answer is None
        self.tally.put_off += answer is None and not self.may_ask()
        return answer

    def _answer_in_dialect(self, request: Request[Any]) -> str | None:
        """Ask the endpoint with the options that it takes; they are found out by the first answer."""
        dialects = options(request.schema, request.max_tokens)
        known = self._dialect
        for number in range(len(dialects)) if known is None else [known]:
            if self._is_resting():
                return None
            try:
                completion = self._completion(request, dialects[number])
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

    def _completion(self, request: Request[Any], dialect: Mapping[str, Any]) -> Completion | None:
        """Ask once, if the budget allows it.

        Raises:
            ModelError: the endpoint fails. What was reserved is given back only if it refused the request at once.
        """
        messages = request.messages
        reserved = self.budget.most(messages, len(json.dumps(request.schema)), request.max_tokens)
        day, unit = self.today(), self.budget.unit
        if reserved > self.budget.limit:
            self._say_once(
                "long", f"a question to {self.model} may cost more than the budget of a day; it is not asked"
            )
            return None
        if not self.kept.reserve(day, unit, reserved, self.budget.limit):
            self._spent_on = day
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

    def _misread(self) -> None:
        self.tally.unreadable += 1
        self._say_once("form", f"{self.model} answers in another form than it is asked to")

    def _is_resting(self) -> bool:
        with self._lock:
            return time.monotonic() < self._rests_until

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
