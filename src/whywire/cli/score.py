"""``whywire score`` and ``choose``: how strongly one event caused another, and which of several events did."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from whywire.api.question_rows import choice_row, score_row
from whywire.api.score import chat_judge, to_choice, to_pair
from whywire.api.score import choose as choose_causes
from whywire.api.score import score as score_pairs
from whywire.cli.json_lines import BATCH, SLOW_BATCH, answer_file
from whywire.cli.options import FILE, OUT, STRICT
from whywire.errors import InputError
from whywire.graph.codec import Row
from whywire.links.judges.choosing import CAUSAL_THRESHOLD
from whywire.links.judges.embedded import EmbeddedJudge
from whywire.links.judges.judge import Choice, Ensemble, EventPair, Judge
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
TIMEOUT = Annotated[float, typer.Option(min=0.1, help="Timeout, in seconds, waiting for the endpoint.")]
PER_MINUTE = Annotated[
    float | None, typer.Option(min=0.01, help="Maximum number of requests per minute; unlimited by default.")
]
CACHE = Annotated[
    Path | None, typer.Option(help="Keep the answers of the chat model in this folder, not in the user's cache.")
]
PRICES = Annotated[
    tuple[float, float] | None,
    typer.Option(
        metavar="IN OUT",
        help="Prices of a million tokens in questions and in answers; the cost is printed at the end.",
    ),
]


def score(
    file: FILE,
    kind: JUDGE = JudgeKind.EMBEDDED,
    threshold: Annotated[
        float, typer.Option(min=0, max=100, help="A pair is *causal* above this strength.")
    ] = CAUSAL_THRESHOLD,
    form: Annotated[
        PromptKind,
        typer.Option("--ask", help="How a chat model is asked: for a `score`, a `class`, or yes or no (`binary`)."),
    ] = PromptKind.SCORE,
    timeout: TIMEOUT = 60.0,
    per_minute: PER_MINUTE = None,
    cache: CACHE = None,
    prices: PRICES = None,
    out: OUT = None,
    strict: STRICT = False,
) -> None:
    """Score how strongly one event caused another.

    A row has **cause** and **effect**, two events in words, and may have *context*: a list with the text of each
    document that mentions them. Adds *strength* (0 to 100), its *class* (none up to 20, low up to 50, medium up to
    80, high) and *causal*.

    The embedded judge finds the two events in up to eight documents by their words. The endpoint of a chat model is
    named by WHYWIRE_CHAT_URL (`http://localhost:11434/v1`), WHYWIRE_CHAT_MODEL and, if the endpoint asks for one,
    WHYWIRE_CHAT_KEY; events and context are sent there. Its answers are kept, so no question is asked, or paid for,
    twice. The number of questions it answered, and their cost, are printed on standard error.

    Example: whywire score pairs.jsonl > scored.jsonl
    """
    if form is PromptKind.CHOICE:
        raise InputError("--ask choice needs several events", hint="it is for `whywire choose`")
    with _open_judge(kind, form, timeout, per_minute, cache, prices) as (judge, batch):

        def answer(pairs: list[EventPair]) -> list[Row | str]:
            return [score_row(scored, threshold) for scored in score_pairs(pairs, judge=judge)]

        answer_file(file, to_pair, answer, out, strict=strict, batch=batch)


def choose(
    file: FILE,
    kind: JUDGE = JudgeKind.EMBEDDED,
    form: Annotated[
        PromptKind,
        typer.Option(
            "--ask",
            help="How a chat model is asked: once for all options (`choice`), or for each (`score`, `class`, "
            "`binary`).",
        ),
    ] = PromptKind.CHOICE,
    together: Annotated[
        bool,
        typer.Option(
            "--together",
            help="Answer the rows of one effect without contradiction, each with a cause; all rows are read first.",
        ),
    ] = False,
    timeout: TIMEOUT = 60.0,
    per_minute: PER_MINUTE = None,
    cache: CACHE = None,
    prices: PRICES = None,
    out: OUT = None,
    strict: STRICT = False,
) -> None:
    """Choose which of several events caused another directly.

    A row has **effect** and **options**, events in words, and may have *context* as for `score`. Adds *strengths*
    (one for each option, 0 to 100) and *answer*: the indices of the direct causes, from 0. The answer is empty if no
    option is stronger than 20. Otherwise it has the strongest option, any that is as strong, and every other above
    50 that is at least nine tenths as strong. An option such as "None of the others" is the only answer if no other
    option is stronger than 83.

    With **--together** an event is a cause in all rows of an effect or in none, and each row has a cause; of such
    answers the most probable is given. This is for tests, where every question is known to have an answer.

    For judges see `score`. Asked by `choice` a chat model picks letters: 90 for an option it picks, 10 for another.

    Example: whywire choose questions.jsonl --judge chat > chosen.jsonl
    """
    with _open_judge(kind, form, timeout, per_minute, cache, prices) as (judge, batch):

        def answer(choices: list[Choice]) -> list[Row | str]:
            return [choice_row(chosen) for chosen in choose_causes(choices, judge=judge, together=together)]

        answer_file(file, to_choice, answer, out, strict=strict, batch=None if together else batch)


@contextmanager
def _open_judge(
    kind: JudgeKind,
    form: PromptKind,
    timeout: float,
    per_minute: float | None,
    cache: Path | None,
    prices: tuple[float, float] | None,
) -> Iterator[tuple[Judge, int]]:
    """Yield a judge, and the number of rows to ask it at a time.

    At the end, even after an error, the use and the cost of a chat model are printed.
    """
    if kind is JudgeKind.EMBEDDED:
        yield EmbeddedJudge(), BATCH
        return
    chat = chat_judge(form, timeout=timeout, per_minute=per_minute, cache=cache)
    try:
        yield (chat if kind is JudgeKind.CHAT else Ensemble([EmbeddedJudge(), chat])), SLOW_BATCH
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
