"""``whywire convert``: causal relations in sentences, from the files of one tool to those of another."""

from __future__ import annotations

from typing import Annotated

import typer

from whywire.cli.terminal import PlainConsole
from whywire_lab.exchange.formats import FORMATS
from whywire_lab.exchange.formats import convert as convert_files

NAMES = ", ".join(FORMATS)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "convert", epilog="Example: **whywire read news.txt -o read.jsonl && whywire convert read.jsonl brat/**"
    )(convert)


def convert(
    source: Annotated[str, typer.Argument(metavar="INPUT", help="A file, brat's folder, or `-` for standard input.")],
    target: Annotated[
        str, typer.Argument(metavar="OUTPUT", help="A file, brat's folder, or `-` for standard output.")
    ],
    from_: Annotated[
        str | None,
        typer.Option("--from", help=f"The format of INPUT, one of {NAMES}; by default by its ending."),
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", help=f"The format of OUTPUT, one of {NAMES}; by default by its ending.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Write nothing when anything cannot be read.")] = False,
) -> None:
    """Convert annotated sentences: their causes, effects and signals, between the files of other tools.

    * **jsonl** (.jsonl): the rows of `whywire read`; holds everything.
    * **arg** (.csv): the table of the Causal News Corpus, with `<ARG0>`, `<ARG1>` and `<SIG0>` in its texts.
    * **brat** (.ann or a folder): standoff annotation, two files for each sentence, ready for brat.
    * **bio** (.bio, .conll): one token a line, a column of BIO labels for each relation.
    * **webanno** (.xmi or .zip): UIMA CAS for WebAnno and INCEpTION; needs the extra **exchange** of whywire-lab.
    * **squad** (.json): why-questions with answers, in the shape of SQuAD 2.0; written only.

    Only jsonl holds probabilities. What cannot be read, such as an arrow between two effects, is reported on standard
    error with its place; the rest is converted.
    """
    console = PlainConsole(stderr=True)
    done = convert_files(
        source, target, from_, to, strict=strict, on_problem=lambda problem: console.print(f"not read: {problem}")
    )
    relations = sum(len(sentence.relations) for sentence in done.sentences)
    typer.echo(f"{len(done.sentences)} sentences with {relations} relations converted", err=True)
