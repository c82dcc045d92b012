"""Options and arguments that several commands share, and the opening of a graph by them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer
from rich.text import Text

from whywire.cli.terminal import BarProgress, PlainConsole
from whywire.elements import EvidenceKind
from whywire.news import Language, Problem
from whywire.news.sources import STANDARD_INPUT
from whywire.news.text_files import LONGEST_LINE
from whywire.second_opinions.budget import DEFAULT_BUDGET

if TYPE_CHECKING:
    from whywire.answers.question import Question
    from whywire.engines import Engine
    from whywire.graph.causal_graph import CausalGraph
    from whywire.language_models import LanguageModels
    from whywire.second_opinions.adviser import Adviser

STANDARD_OUTPUT = STANDARD_INPUT

CHARACTERS_PER_MB = 10**6
DEFAULT_MAX_LINE = LONGEST_LINE / CHARACTERS_PER_MB


def file_path(value: str) -> Path:
    """The path of a file to write; `-` is standard output."""
    if not value:
        raise typer.BadParameter("the name is empty; name a file, or - for standard output")
    return Path(value)


def folder_path(value: str) -> Path:
    """The path of a folder to write."""
    if value in ("", STANDARD_OUTPUT):
        raise typer.BadParameter(f"{value!r} is not a folder; name one, such as out (or . for the current one)")
    return Path(value)


def characters(megabytes: float) -> int:
    """The number of characters that the option ``--max-line`` allows."""
    return round(megabytes * CHARACTERS_PER_MB)


# input and output

FILE = Annotated[str, typer.Argument(help="A file of JSON lines, or `-` for standard input.")]
BUILT = Annotated[str, typer.Argument(help="A folder that `build` wrote, or a store.")]
OUT = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", parser=file_path, metavar="FILE", help="Write here instead of to standard output (`-`)."
    ),
]
_FOLDER = typer.Option(
    "--out", "-o", parser=folder_path, metavar="FOLDER", help="The folder to write; it is made if it is missing."
)
OUT_FOLDER = Annotated[Path, _FOLDER]
OUT_FOLDER_OR_NONE = Annotated[Path | None, _FOLDER]
TITLE = Annotated[str, typer.Option(help="The heading of the page.")]
JSON = Annotated[bool, typer.Option("--json", help="Write JSON lines, for programs.")]
LIMIT = Annotated[int, typer.Option(min=1, help="The most answers to give.")]

_A_STORE = "A file of SQLite, such as *news.db*, or *postgresql://host/name* (extra **postgres**)"
STORE = Annotated[str, typer.Argument(metavar="STORE", help=f"{_A_STORE}.")]
STORE_OPTION = typer.Option("--store", metavar="STORE", help=f"{_A_STORE}.")

# articles

STRICT = Annotated[bool, typer.Option("--strict", help="Stop at the first row that cannot be used.")]
NEWS_ONLY = Annotated[bool, typer.Option("--news-only", help="Leave out horoscopes, listings, offers and the like.")]
MAX_LINE = Annotated[
    float,
    typer.Option(
        "--max-line",
        min=0.001,
        metavar="MB",
        help="The longest line that is read, in millions of characters; a longer one is rejected.",
    ),
]

# a second reader

LLM = Annotated[
    bool,
    typer.Option(
        "--llm",
        help="Ask a chat model about what is uncertain (extra **chat**), that which WHYWIRE_CHAT_URL, "
        "WHYWIRE_CHAT_MODEL and WHYWIRE_CHAT_KEY name: titles and sentences of the news are sent there.",
    ),
]
LLM_BUDGET = Annotated[
    str,
    typer.Option(
        "--llm-budget",
        metavar="AMOUNT",
        help="The most that the chat model may use a day: tokens, such as `200k`, or money, such as `2.50usd`.",
    ),
]
LLM_PRICES = Annotated[
    tuple[float, float] | None,
    typer.Option(
        "--llm-prices",
        metavar="IN OUT",
        help="Prices of a million tokens in questions and in answers, for a budget in money.",
    ),
]


READER: TypeAlias = "Adviser | None"
"""The chat model that :func:`with_second_reader` opens."""


def with_second_reader(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a second reader to a command, which gets it as ``reader``.

    What goes wrong with it, and in the end what it was asked, is printed on standard error.
    """

    @wraps(command)
    def with_options(*, llm: bool, llm_budget: str, llm_prices: tuple[float, float] | None, **given: Any) -> None:
        if not llm:
            command(**given)
            return
        from whywire.api.second_reader import second_reader

        reader = second_reader(llm_budget, prices=llm_prices, say=_warn)
        try:
            command(**given, reader=reader)
        finally:
            reader.say(f"{reader.model}: {reader.tally}")

    own = signature(command, eval_str=True)
    parameters = [one.replace(kind=Parameter.KEYWORD_ONLY) for one in own.parameters.values() if one.name != "reader"]
    for name, kind, default in (
        ("llm", LLM, False),
        ("llm_budget", LLM_BUDGET, DEFAULT_BUDGET),
        ("llm_prices", LLM_PRICES, None),
    ):
        parameters.append(Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind))
    with_options.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    with_options.__annotations__ = {one.name: one.annotation for one in parameters}  # what typer reads
    return with_options


def _warn(text: str) -> None:
    PlainConsole(stderr=True).print(Text(text, "yellow"))


# a graph, or a part of it

NEWS = Annotated[
    list[str],
    typer.Option(
        "--news",
        help="A folder that `build` wrote, a store, or files and folders of articles, which are built first; may be "
        "given several times.",
    ),
]
EVENT = typer.Argument(
    help="An event: its id, its title, or words of its headlines; or an entity named in several events of one story."
)
AS_OF = Annotated[
    str | None,
    typer.Option("--as-of", help="Only what was known at this time, or by the end of this day (ISO 8601)."),
]
AT_LEAST = Annotated[
    float, typer.Option("--at-least", min=0, max=100, help="Only links of at least this strength (0 to 100).")
]
OUTLET = Annotated[
    str | None, typer.Option("--source", help="Only links whose evidence is all from this outlet.", metavar="OUTLET")
]
EVIDENCE = Annotated[
    list[EvidenceKind] | None,
    typer.Option(
        "--evidence",
        help="Only links with evidence of this kind: *said* in a sentence, *shown* by headlines, or *implied* by an "
        "article; may be given several times.",
    ),
]


class EngineName(StrEnum):
    """Where models work."""

    LOCAL = "local"
    RAY = "ray"


ENGINE = Annotated[
    EngineName,
    typer.Option(
        "--engine",
        help="Where models work: *local*, in threads of this process, or *ray*, in the processes of a Ray cluster "
        "(extra **ray**). The graph is the same.",
    ),
]
ADDRESS = Annotated[
    str | None,
    typer.Option(
        "--address",
        metavar="HOST:PORT",
        help="The Ray cluster, `auto` for the one that this machine is in; without it, processes start on this "
        "machine.",
    ),
]


@contextmanager
def opened_engine(name: EngineName, address: str | None) -> Iterator[Engine | None]:
    """The engine of the options ``--engine`` and ``--address`` while the block runs; ``None`` for the local one."""
    if name is EngineName.LOCAL:
        if address is not None:
            raise typer.BadParameter("an address is that of a Ray cluster: --engine ray")
        yield None
        return
    from whywire.engines.ray_engine import RayEngine

    with RayEngine(address) as engine:
        yield engine


def open_news(
    news: list[str],
    models: LanguageModels,
    *,
    asked: Question | Collection[str] = (),
    as_of: str | None = None,
    at_least: float = 0,
    outlet: str | None = None,
    evidence: Sequence[EvidenceKind] | None = None,
    language: Language | None = None,
) -> CausalGraph:
    """The graph of the option ``--news``, narrowed by the options of these names; shows progress.

    Args:
        asked: as for :func:`whywire.open_graph`.
    """
    from whywire.api.graphs import open_graph  # commands without a graph import none

    with BarProgress() as progress:
        return open_graph(
            news,
            asked=asked,
            as_of=as_of,
            at_least=at_least,
            outlet=outlet,
            evidence=evidence or (),
            language=language,
            models=models,
            progress=progress,
            on_rejected=report_rejected,
        )


def report_rejected(rejected: Sequence[Problem]) -> None:
    """Print on standard error how many rows of news could not be used."""
    PlainConsole(stderr=True).print(f"{len(rejected):,} rows left out; `whywire build` says why", style="yellow")
