"""``whywire train``: makes the embedded weights again from the corpora."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from whywire.errors import InputError, MissingExtraError

NAMES = ("sentences-en", "sentences-ru", "headlines-en", "headlines-ru")


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("train", epilog="Example: **whywire train headlines-en --data data --out runs**")(train)


def train(
    name: Annotated[str, typer.Argument(help=f"One of {', '.join(NAMES)}, or `all`.")],
    data: Annotated[Path, typer.Option(help="The folder of corpora; see docs/training.md.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Where to write; each model gets a folder of its name.")],
    seed: Annotated[int, typer.Option(help="Of the first run; the next ones count on from it.")] = 1,
    runs: Annotated[
        int | None,
        typer.Option(min=1, help="How many runs to average; by default as many as for the embedded model."),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(
            help="Start from this encoder: a name on the hub such as `FacebookAI/xlm-roberta-large`, or a folder. "
            "By default the small one the embedded model was made from.",
        ),
    ] = None,
) -> None:
    """Train a model from the corpora and write it as int8 ONNX (needs the extra **train**).

    Progress goes to the terminal; on two cores a model takes between ten minutes and an hour, a large checkpoint
    wants a GPU machine. A folder written here is read by `from_pretrained`.
    """
    try:
        from whywire.training.recipes import make
    except ModuleNotFoundError as error:
        raise MissingExtraError(str(error.name), "train") from error
    if name not in (*NAMES, "all"):
        raise InputError(f"there is no recipe {name!r}", hint=f"known are {', '.join(NAMES)} and all")
    for chosen in NAMES if name == "all" else (name,):
        make(chosen, data, out / chosen, seed=seed, runs=runs, base=base)
