"""``whywire score`` and ``choose``: how strongly one event caused another, and which of several did, by a judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from whywire.api.question_rows import answer_usable, choice_row, score_row
from whywire.api.score import chat_judge, to_choice, to_pair
from whywire.api.score import choose as choose_causes
from whywire.api.score import score as score_pairs
from whywire.cli.json_lines import BATCH, SLOW_BATCH, Answers, Fields, answer_rows, read_rows
from whywire.cli.options import DEFAULT_MAX_LINE, FILE, MAX_LINE, OUT, STRICT, characters
from whywire.errors import InputError
from whywire.links.judges.chat import ChatJudge
from whywire.links.judges.choosing import CAUSAL_THRESHOLD
from whywire.links.judges.embedded import EmbeddedJudge
from whywire.links.judges.judge import Ensemble, Judge
from whywire.links.judges.prompts import PromptKind
from whywire.models.completion_cache import CachedChatModel


class JudgeKind(StrEnum):
    """Values of the option ``--judge``."""

    EMBEDDED = "embedded"
    CHAT = "chat"
    ENSEMBLE = "ensemble"


JUDGE = Annotated[
    JudgeKind,
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
        metavar="IN OUT", help="Prices of a million tokens, asked and answered: the cost is printed at the end."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command("score", epilog="Example: **whywire score pairs.jsonl > scored.jsonl**")(score)
    app.command("choose", epilog="Example: **whywire choose questions.jsonl --judge chat > chosen.jsonl**")(choose)


def score(
    file: FILE,
    kind: JUDGE = JudgeKind.EMBEDDED,
    threshold: THRESHOLD = CAUSAL_THRESHOLD,
    form: Annotated[
        PromptKind,
        typer.Option("--ask", help="How a chat model is asked: by `score`, `class` or `binary` (yes or no)."),
    ] = PromptKind.SCORE,
    model: MODEL = None,
    timeout: TIMEOUT = 60.0,
    per_minute: PER_MINUTE = None,
    cache: CACHE = None,
    prices: PRICES = None,
    out: OUT = None,
    strict: STRICT = False,
    max_line: MAX_LINE = DEFAULT_MAX_LINE,
) -> None:
    """Say how strongly one event caused another.

    A row has **cause** and **effect**, two events in words, and may have *context*: a list with the text of each
    document that mentions them. Adds *strength* (0 to 100), its *class* (none up to 20, low up to 50, medium up to
    80, high) and *causal*.

    The embedded judge goes by the two events alone. A chat model reads the context as well: its endpoint is named by
    WHYWIRE_CHAT_URL (`http://localhost:11434/v1`), WHYWIRE_CHAT_MODEL and, where it is needed, WHYWIRE_CHAT_KEY, and
    events and context are sent there. Its answers are kept: what was asked before is not asked, or paid for, again.
    How many questions it answered, and what they cost, comes on standard error.
    """
    if form is PromptKind.CHOICE:
        raise InputError("--ask choice needs several events", hint="it is for `whywire choose`")
    open_chat = partial(chat_judge, form, model=model, timeout=timeout, per_minute=per_minute, cache=cache)
    with _opened(kind, open_chat, prices) as judge:

        def answer(rows: list[Fields]) -> Answers:
            found = answer_usable(rows, to_pair, partial(score_pairs, judge=judge.judge))
            return [one if isinstance(one, str) else score_row(one, threshold) for one in found]

        answer_rows(read_rows(file, max_characters=characters(max_line)), answer, out, strict, batch=judge.batch)


def choose(
    file: FILE,
    kind: JUDGE = JudgeKind.EMBEDDED,
    form: Annotated[
        PromptKind,
        typer.Option(
            "--ask",
            help="How a chat model is asked: all at once by `choice`, or each by `score`, `class`, `binary`.",
        ),
    ] = PromptKind.CHOICE,
    together: Annotated[
        bool,
        typer.Option(
            "--together",
            help="Answer the rows of one effect without contradiction, each with a cause; all rows are read first.",
        ),
    ] = False,
    model: MODEL = None,
    timeout: TIMEOUT = 60.0,
    per_minute: PER_MINUTE = None,
    cache: CACHE = None,
    prices: PRICES = None,
    out: OUT = None,
    strict: STRICT = False,
    max_line: MAX_LINE = DEFAULT_MAX_LINE,
) -> None:
    """Say which of several events caused another directly.

    A row has **effect** and **options**, events in words, and may have *context* as for `score`. Adds *strengths*
    (one an option, 0 to 100) and *answer*: the indices of the options taken for direct causes, from 0. It is empty
    where none is stronger than 20. Else the strongest is in it, and those that are as strong, and every other above
    50 that is at least nine tenths as strong. An option such as "None of the others" is taken, alone, where no other
    is stronger than 83.

    With --together an event is a cause in all rows of an effect or in none, and each row has one: of such answers the
    most probable is given. It is for tests, where every question is known to have an answer.

    For judges see `score`. Asked by `choice` a chat model picks letters: 90 for an option it picks, 10 for another.
    """
    open_chat = partial(chat_judge, form, model=model, timeout=timeout, per_minute=per_minute, cache=cache)
    with _opened(kind, open_chat, prices) as judge:

        def answer(rows: list[Fields]) -> Answers:
            found = answer_usable(rows, to_choice, partial(choose_causes, judge=judge.judge, together=together))
            return [one if isinstance(one, str) else choice_row(one) for one in found]

        batch = None if together else judge.batch
        answer_rows(read_rows(file, max_characters=characters(max_line)), answer, out, strict, batch=batch)


@dataclass(frozen=True, slots=True)
class _Opened:
    """A judge, and the rows put to it at a time."""

    judge: Judge
    batch: int


@contextmanager
def _opened(
    kind: JudgeKind, open_chat: Callable[[], ChatJudge], prices: tuple[float, float] | None
) -> Iterator[_Opened]:
    """The judge of a kind; what a chat model was asked, and its cost, is printed at the end, also after an error."""
    if kind is JudgeKind.EMBEDDED:
        yield _Opened(EmbeddedJudge(), BATCH)
        return
    chat = open_chat()
    try:
        yield _Opened(chat if kind is JudgeKind.CHAT else Ensemble([EmbeddedJudge(), chat]), SLOW_BATCH)
    finally:
        with suppress(OSError):  # a full or closed standard error must not hide what went wrong
            typer.echo(_usage(chat.chat_model, prices), err=True)


def _usage(model: CachedChatModel, prices: tuple[float, float] | None) -> str:
    usage = model.usage
    parts = [f"{usage.requested} answers of {model.endpoint.model}, {usage.cached} more from the cache"]
    if usage.malformed:
        parts.append(f"{usage.malformed} in another form than asked for")
    parts.append(f"{usage.prompt_tokens} tokens asked and {usage.completion_tokens} answered")
    if usage.uncounted:
        parts.append(f"{usage.uncounted} answers uncounted")
    if prices:
        parts.append(f"cost {usage.cost(*prices):.4f}")
    return "; ".join(parts)
