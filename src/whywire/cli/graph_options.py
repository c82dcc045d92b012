"""Options that open a graph: which news or builds, and which part of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from whywire.answers.sourced_claims import SourcedClaim
from whywire.api.graphs import open_claims, open_graph
from whywire.cli.console import PlainConsole
from whywire.cli.progress_bars import BarProgress
from whywire.elements import EvidenceKind
from whywire.graph.causal_graph import CausalGraph
from whywire.language_models import LanguageModels
from whywire.news import Language, Problem

NEWS = Annotated[
    list[str],
    typer.Option(
        "--news",
        help="Files or folders of articles, as for `build`; a folder that `build` wrote, or a store; may be given "
        "several times.",
    ),
]
EVENT = typer.Argument(
    help="An event's id, its title, or words near a headline on it; or an entity that several events of a story name."
)
AS_OF = Annotated[
    str | None, typer.Option("--as-of", help="Only what was known then: a day (to its end) or a time, ISO 8601.")
]
AT_LEAST = Annotated[
    float, typer.Option("--at-least", min=0, max=100, help="Only links of at least this strength (0 to 100).")
]
SOURCE = Annotated[str | None, typer.Option("--source", help="Only links all of whose evidence is from this outlet.")]
EVIDENCE = Annotated[
    list[EvidenceKind] | None,
    typer.Option(
        "--evidence",
        help="Only links that rest on this: *said* in a sentence, *shown* by headlines or *judged* by a model; may "
        "be given twice.",
    ),
]


def open_news(
    news: list[str],
    models: LanguageModels,
    *,
    as_of: str | None = None,
    at_least: float = 0,
    source: str | None = None,
    evidence: Sequence[EvidenceKind] | None = None,
) -> CausalGraph:
    """The graph of news and builds, with progress; how many rows cannot be used goes to standard error.

    Args:
        news: values of the option ``--news``.
        as_of: value of the option of this name, as are the next three.
    """
    with BarProgress() as progress:
        return open_graph(
            news,
            as_of=as_of,
            at_least=at_least,
            outlet=source,
            evidence=evidence or (),
            models=models,
            progress=progress,
            on_rejected=_report,
        )


def open_news_claims(
    news: list[str], models: LanguageModels, language: Language, *, as_of: str | None = None
) -> list[SourcedClaim]:
    """The claims of news and builds in a language, opened as :func:`open_news` does."""
    with BarProgress() as progress:
        return open_claims(news, language, as_of=as_of, models=models, progress=progress, on_rejected=_report)


def _report(rejected: Sequence[Problem]) -> None:
    PlainConsole(stderr=True).print(f"{len(rejected):,} rows left out; `whywire build` says why", style="yellow")
