"""``whywire convert``: annotations, from the files of one tool to those of another."""

from __future__ import annotations

from typing import Annotated

import typer

from whywire.annotation.items import Kind
from whywire.cli.terminal import PlainConsole
from whywire_lab.exchange.formats import FORMATS, ITEM_FORMATS
from whywire_lab.exchange.formats import convert as convert_files

NAMES = f"{', '.join(FORMATS)}; {', '.join(ITEM_FORMATS)}"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "convert", epilog="Example: **whywire read news.txt -o read.jsonl && whywire convert read.jsonl brat/**"
    )(convert)


def convert(
    source: Annotated[str, typer.Argument(metavar="INPUT", help="A file, a folder, or `-` for standard input.")],
    target: Annotated[str, typer.Argument(metavar="OUTPUT", help="A file, a folder, or `-` for standard output.")],
    from_: Annotated[
        str | None,
        typer.Option("--from", help=f"The format of INPUT, one of {NAMES}; by default by its ending."),
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", help=f"The format of OUTPUT, one of {NAMES}; by default by its ending.")
    ] = None,
    kind: Annotated[
        Kind | None,
        typer.Option(help="The kind of the items, where their fields do not show it.", case_sensitive=False),
    ] = None,
    person: Annotated[
        str | None,
        typer.Option(help="Who annotated INPUT, if it does not say so; or the person whose answers OUTPUT gets."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Write nothing when anything cannot be read.")] = False,
) -> None:
    """Convert annotations between the files of other tools.

    **Causes, effects and signals in sentences:**

    * **jsonl** (.jsonl): the rows of `whywire read`; holds everything.
    * **arg** (.csv): the table of the Causal News Corpus, with `<ARG0>`, `<ARG1>` and `<SIG0>` in its texts.
    * **brat** (.ann or a folder): standoff annotation, two files for each sentence, ready for brat.
    * **bio** (.bio, .conll): one token a line, a column of BIO labels for each relation.
    * **webanno** (.xmi or .zip): UIMA CAS for WebAnno and INCEpTION; needs the extra **exchange** of whywire-lab.
    * **squad** (.json): why-questions with answers, in the shape of SQuAD 2.0; written only.

    Only jsonl holds probabilities.

    **Items and answers of a campaign of `whywire annotate`:**

    * **campaign**: a folder with items.jsonl, and votes.jsonl or results.jsonl where they are there.
    * **toloka** (.tsv): pairs of headlines and the votes on them, with the columns of HeadlineCause.
    * **label-studio** (.json): tasks and a labelling interface out, annotations in.
    * **headline-cause**, **hlgd**, **semeval2020**, **recess**, **crab**, **reader-graphs**: the corpora of the
    papers,
      read only; `whywire data release` writes them.

    Causal sentences go both ways: `whywire convert campaign/ brat/`, and `whywire convert brat/ back/ --to campaign
    --person anna`.

    What cannot be read or does not fit, such as an arrow between two effects, is reported on standard error with its
    place; the rest is converted.
    """
    console = PlainConsole(stderr=True)
    done = convert_files(
        source,
        target,
        from_,
        to,
        strict=strict,
        on_problem=lambda problem: console.print(f"not read: {problem}"),
        kind=kind,
        person=person,
    )
    typer.echo(f"{done} converted", err=True)
