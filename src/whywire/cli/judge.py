"""``score`` and ``choose``: how strongly one event led to another, and which of several events did, by a judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from whywire.cli.row_files import (
    CHUNK,
    FILE,
    LONGEST,
    LONGEST_MB,
    OUT,
    STRICT,
    Answers,
    Fields,
    answer,
    characters,
    chunks,
    output,
    rows,
)
from whywire.cli.rows import model_language
from whywire.elements import round_strength, strength_class
from whywire.errors import InputError
from whywire.links.judges.chat import ChatJudge
from whywire.links.judges.choosing import CAUSAL, direct_causes
from whywire.links.judges.embedded import EmbeddedJudge
from whywire.links.judges.judge import Choice, Ensemble, Judge, Pair, Unjudged
from whywire.links.judges.prompts import Form
from whywire.models.chat import ChatEndpoint, RateLimiter
from whywire.models.completion_cache import CachedChatModel, CompletionCache, default_cache_folder
from whywire.news import Problem
from whywire.news.rows import Row

TOGETHER = 16
"""Rows answered at a time where each takes seconds."""


class Who(StrEnum):
    """Who judges."""

    EMBEDDED = "embedded"
    CHAT = "chat"
    ENSEMBLE = "ensemble"


WHO = Annotated[
    Who,
    typer.Option(
        "--judge",
        help="The `embedded` models, a `chat` model behind an endpoint that speaks OpenAI's protocol, or the "
        "`ensemble`: the mean of both.",
    ),
]
THRESHOLD = Annotated[float, typer.Option(min=0, max=100, help="A pair is *causal* above this strength.")]
MODEL = Annotated[str | None, typer.Option(help="The chat model, in place of WHYWIRE_CHAT_MODEL.")]
TIMEOUT = Annotated[float, typer.Option(min=0.1, help="Seconds that the endpoint may be silent.")]
PER_MINUTE = Annotated[
    float | None, typer.Option(min=0.01, help="The most requests a minute; as fast as answers come if not given.")
]
CACHE = Annotated[
    Path | None, typer.Option(help="Keep the chat model's answers in this folder instead of the user's cache folder.")
]
PRICES = Annotated[
    tuple[float, float] | None,
    typer.Option(
        metavar="IN OUT", help="Prices of a million tokens, asked and answered: what it cost is told at the end."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command("score", epilog="Example: **whywire score pairs.jsonl > scored.jsonl**")(score)
    app.command("choose", epilog="Example: **whywire choose questions.jsonl --judge chat > chosen.jsonl**")(choose)


def score(
    file: FILE,
    who: WHO = Who.EMBEDDED,
    threshold: THRESHOLD = CAUSAL,
    form: Annotated[
        Form, typer.Option("--ask", help="How a chat model is asked: by `score`, `class` or `binary` (yes or no).")
    ] = Form.SCORE,
    model: MODEL = None,
    timeout: TIMEOUT = 60.0,
    per_minute: PER_MINUTE = None,
    cache: CACHE = None,
    prices: PRICES = None,
    out: OUT = None,
    strict: STRICT = False,
    longest: LONGEST = LONGEST_MB,
) -> None:
    """Say how strongly one event caused another.

    A row has **cause** and **effect**, two events in words, and may have *context*: a list with the text of each
    document that mentions them. Adds *strength* (0 to 100), its *class* (none up to 20, low up to 50, medium up to
    80, high) and *causal*.

    The embedded judge goes by the two events alone. A chat model reads the context as well: its endpoint is named by
    WHYWIRE_CHAT_URL (`http://localhost:11434/v1`), WHYWIRE_CHAT_MODEL and, where it is needed, WHYWIRE_CHAT_KEY, and
    events and context are sent there. Its answers are kept: what was asked before is not asked, or paid for, again.
    What it answered, and what that took, comes on standard error.
    """
    if form is Form.CHOICE:
        raise InputError("--ask choice needs several events", hint="it is for `whywire choose`")
    chat = ChatSettings(form, model, timeout, per_minute, cache, prices)
    _answer_all(
        rows(file, longest=characters(longest)), who, chat, partial(_scores, threshold=threshold), out, strict
    )


def choose(
    file: FILE,
    who: WHO = Who.EMBEDDED,
    form: Annotated[
        Form,
        typer.Option(
            "--ask",
            help="How a chat model is asked: all at once by `choice`, or each by `score`, `class`, `binary`.",
        ),
    ] = Form.CHOICE,
    model: MODEL = None,
    timeout: TIMEOUT = 60.0,
    per_minute: PER_MINUTE = None,
    cache: CACHE = None,
    prices: PRICES = None,
    out: OUT = None,
    strict: STRICT = False,
    longest: LONGEST = LONGEST_MB,
) -> None:
    """Say which of several events caused another directly.

    A row has **effect** and **options**, events in words, and may have *context* as for `score`. Adds *strengths*
    (one an option, 0 to 100) and *answer*: the indices of the options taken for direct causes, from 0. It is empty
    where none is stronger than 20. Else the strongest is in it, and those that are as strong, and every other above
    50 that is at least three quarters as strong.

    For judges see `score`. Asked by `choice` a chat model picks letters: 90 for an option it picks, 10 for another.
    """
    chat = ChatSettings(form, model, timeout, per_minute, cache, prices)
    _answer_all(rows(file, longest=characters(longest)), who, chat, _choices, out, strict)


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """How a chat model is asked; the fields are the options of the commands."""

    form: Form
    model: str | None
    timeout: float
    per_minute: float | None
    cache: Path | None
    prices: tuple[float, float] | None

    def chat_model(self) -> CachedChatModel:
        """The chat model that these settings and the environment name."""
        endpoint = ChatEndpoint.from_environment(self.model)
        return CachedChatModel(
            replace(endpoint, timeout=self.timeout, rate_limiter=RateLimiter(self.per_minute)),
            CompletionCache(self.cache or default_cache_folder()),
        )


def _answer_all(
    found: Iterator[Row | Problem],
    who: Who,
    chat: ChatSettings,
    answerer: Callable[[list[Fields], Judge], Answers],
    out: Path | None,
    strict: bool,
) -> None:
    chat_model = None if who is Who.EMBEDDED else chat.chat_model()
    judges: list[Judge] = [] if who is Who.CHAT else [EmbeddedJudge()]
    if chat_model:
        judges.append(ChatJudge(chat_model, chat.form))
    judge = judges[0] if len(judges) == 1 else Ensemble(judges)
    try:
        with output(out) as target:
            for chunk in chunks(found, TOGETHER if chat_model else CHUNK):
                answer(chunk, lambda found: answerer(found, judge), target, strict)
                target.flush()
    finally:
        if chat_model:
            with suppress(OSError):  # a full or closed standard error must not hide what went wrong
                typer.echo(_told(chat_model, chat.prices), err=True)


def _told(chat_model: CachedChatModel, prices: tuple[float, float] | None) -> str:
    usage = chat_model.usage
    told = [f"{usage.requested} answers of {chat_model.endpoint.model}, {usage.cached} more from the cache"]
    if usage.malformed:
        told.append(f"{usage.malformed} in another form than asked for")
    told.append(f"{usage.prompt_tokens} tokens asked and {usage.completion_tokens} answered")
    if usage.uncounted:
        told.append(f"{usage.uncounted} answers uncounted")
    if prices:
        told.append(f"cost {usage.cost(*prices):.4f}")
    return "; ".join(told)


def _scores(found: list[Fields], judge: Judge, threshold: float) -> Answers:
    def added(strength: float) -> Fields:
        return {
            "strength": round_strength(strength),
            "class": str(strength_class(strength)),
            "causal": strength > threshold,
        }

    return _answered(found, _pair, judge.score, added)


def _choices(found: list[Fields], judge: Judge) -> Answers:
    def added(strengths: list[float]) -> Fields:
        return {
            "strengths": [round_strength(strength) for strength in strengths],
            "answer": sorted(direct_causes(strengths)),
        }

    return _answered(found, _choice, judge.weigh, added)


A = TypeVar("A")
B = TypeVar("B")


def _answered(
    found: list[Fields],
    read: Callable[[Fields], A],
    judge: Callable[[Sequence[A]], list[B | Unjudged]],
    added: Callable[[B], Fields],
) -> Answers:
    """What a judge says of the rows that can be read, and why of the others."""
    answers: Answers = ["" for _ in found]
    usable: dict[int, A] = {}
    for number, row in enumerate(found):
        try:
            usable[number] = read(row)
        except InputError as error:
            answers[number] = error.message
    for number, said in zip(usable, judge(list(usable.values())), strict=True):
        answers[number] = said.reason if isinstance(said, Unjudged) else added(said)
    return answers


def _pair(row: Fields) -> Pair:
    cause, effect = (_text(row.get(name), name) for name in ("cause", "effect"))
    return Pair(cause, effect, _context(row), model_language(f"{cause} {effect}"))


def _choice(row: Fields) -> Choice:
    effect = _text(row.get("effect"), "effect")
    options = row.get("options")
    if not isinstance(options, list) or not options:
        raise InputError("options must be a list of events" if "options" in row else "there are no options")
    events = tuple(_text(option, f"option {number}") for number, option in enumerate(options))
    return Choice(effect, events, _context(row), model_language(" ".join([effect, *events])))


def _context(row: Fields) -> tuple[str, ...]:
    context = row.get("context")
    if context is None:
        return ()
    if not isinstance(context, list) or not all(isinstance(text, str) for text in context):
        raise InputError("context must be a list of texts")
    return tuple(context)


def _text(value: Any, name: str) -> str:
    if value is None:
        raise InputError(f"there is no {name}")
    if not isinstance(value, str):
        raise InputError(f"{name} must be a string")
    if not value.strip():
        raise InputError(f"the {name} is empty")
    return " ".join(value.split())
