"""``whywire data``: lists the published corpora, downloads and describes them, and makes pairs in their form."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from whywire.cli.options import file_path
from whywire.cli.terminal import BarProgress, PlainConsole
from whywire.errors import InputError
from whywire.output import OutputFolder, json_text, open_output
from whywire_lab.corpora.catalogue import CORPORA, Corpus
from whywire_lab.corpora.download import get
from whywire_lab.corpora.headline_cause import LABELS, read_release
from whywire_lab.corpora.hlgd import PAIRS_FILE, SEED, read_timeline
from whywire_lab.corpora.pair_releases import headline_cause_rows, hlgd_rows
from whywire_lab.statistics import STATISTICS
from whywire_lab.statistics.tables import cell, draw

FOLDER = Path("data")
"""The default folder of corpora."""

BY_HAND = "by hand"

HLGD = "hlgd"


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    commands = typer.Typer(
        invoke_without_command=True,
        rich_markup_mode="markdown",
        help="List the published corpora that Whywire reads, and get them. Without a command they are listed.",
        callback=_list_by_default,
    )
    commands.command("list", epilog="Example: **whywire data list --data data**")(list_corpora)
    commands.command("get", epilog="Example: **whywire data get hlgd headline_cause --to data**")(get_corpora)
    commands.command(
        "pairs", epilog="Example: **whywire data pairs full labelled.jsonl --language en --to data/headline_cause**"
    )(make_pairs)
    commands.command("statistics", epilog="Example: **whywire data statistics semeval2020_task5 --data data**")(
        show_statistics
    )
    app.add_typer(commands, name="data", epilog="Example: **whywire data list**")


def _list_by_default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        list_corpora()


def list_corpora(
    data: Annotated[Path, typer.Option(help="The folder of corpora to look through.")] = FOLDER,
) -> None:
    """List the corpora: what each is, its licence, and whether it is in a folder."""
    console = PlainConsole(soft_wrap=False)
    table = Table("name", "what", "licence", f"in {data}", box=None)
    for corpus in CORPORA.values():
        table.add_row(corpus.name, corpus.what, corpus.licence, _present(corpus, data))
    console.print(table)
    for corpus in CORPORA.values():
        if corpus.note:
            console.print(f"\n{corpus.name}: {corpus.note}\n{corpus.page}", soft_wrap=True)


def get_corpora(
    names: Annotated[list[str], typer.Argument(metavar="NAME…", help="Corpora, as `whywire data list` names them.")],
    to: Annotated[Path, typer.Option(help="The folder of corpora; each gets its own folder in it.")] = FOLDER,
    force: Annotated[bool, typer.Option("--force", help="Fetch again what is there already.")] = False,
) -> None:
    """Get corpora from where their authors published them.

    Files that are there already stay. Each corpus comes under its own licence: see `whywire data list`.
    """
    for name in names:
        if name not in CORPORA:
            raise InputError(f"there is no corpus {name!r}", hint=f"known are {', '.join(CORPORA)}")
    for corpus in (CORPORA[name] for name in dict.fromkeys(names)):
        with BarProgress() as progress:
            written = get(corpus, to, force=force, progress=progress.start)
        done = f"{len(written)} of {len(corpus.files)} files fetched" if written else "is there already"
        typer.echo(f"{corpus.name}: {done} ({to / corpus.folder}); {corpus.licence}; {corpus.paper}")


def make_pairs(
    kind: Annotated[
        str, typer.Argument(help="`hlgd`: timelines with groups; `simple`, `full`: HeadlineCause's labelled pairs.")
    ],
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Files of timelines, or of labelled pairs.")],
    to: Annotated[Path, typer.Option("--to", help="The folder to write.")],
    language: Annotated[str, typer.Option(help="Of labelled pairs: `en` or `ru`.")] = "en",
    seed: Annotated[int, typer.Option(help="hlgd: decides which pairs of different events are drawn.")] = SEED,
) -> None:
    """Make pairs of headlines from annotations, split by time, in the form of a release that `bench` reads.

    **hlgd** makes pairs from timelines as its paper does (all pairs of one event, five times as many of two within
    four days) and holds out the timelines that end last: `hlgd.json`. **simple** and **full** split labelled pairs
    by time, source by source: `en_full_train.jsonl`, `…_val.jsonl`, `…_test.jsonl`. They leave out pairs whose label
    runs against the clock, with a cause that was certainly published after its effect, and name them.
    """
    if kind == HLGD:
        rows = hlgd_rows((report for file in files for report in read_timeline(file)), seed=seed)
        with OutputFolder(to) as folder:
            folder.write(PAIRS_FILE, json_text(rows) + "\n")
        counts = Counter(row["cut"] for row in rows)
        same = sum(row["label"] for row in rows)
        typer.echo(f"{len(rows):,} pairs, {same:,} of one event ({_listed(counts)}): {to / PAIRS_FILE}", err=True)
        return
    if kind not in LABELS or language not in ("en", "ru"):
        raise InputError(
            f"there are no pairs of the kind {kind!r} in {language!r}", hint=f"known are {HLGD}, simple, full; en, ru"
        )
    parts, dropped = headline_cause_rows(
        (pair for file in files for pair in read_release(file, language, kind)), kind
    )
    with OutputFolder(to) as folder:
        for part, own in parts.items():
            folder.write_rows(f"{language}_{kind}_{part}.jsonl", own)
    for pair in dropped:
        typer.echo(
            f"left out, its label runs against the clock: {pair.id or f'{pair.left} / {pair.right}'}", err=True
        )
    kept = {part: len(own) for part, own in parts.items()}
    typer.echo(f"{sum(kept.values()):,} pairs ({_listed(kept)}) in {to}; {len(dropped):,} left out", err=True)


def show_statistics(
    corpus: Annotated[str, typer.Argument(help=f"One of {', '.join(STATISTICS)}.")],
    data: Annotated[Path, typer.Option(help="The folder of corpora, or that of this one.")] = FOLDER,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", parser=file_path, metavar="FILE", help="Write the tables as JSON.")
    ] = None,
    figures: Annotated[Path | None, typer.Option(help="Draw the distributions into this folder, as .svg.")] = None,
) -> None:
    """Describe a corpus in the numbers that its paper prints.

    What is counted is what is in the folder: a part that is not published, or not there, is missing. Where a number
    was published and is known here, it stands beside ours, with its source. Lengths are in words between spaces.
    """
    if corpus not in STATISTICS:
        raise InputError(f"there are no statistics of {corpus!r}", hint=f"known are {', '.join(STATISTICS)}")
    folder = data / corpus if (data / corpus).is_dir() else data
    tables = STATISTICS[corpus](folder)
    if out:
        with open_output(out) as target:
            target.write(
                json.dumps(
                    {"corpus": corpus, "tables": [table.as_json() for table in tables]}, ensure_ascii=False, indent=2
                )
                + "\n"
            )
    if figures:
        with OutputFolder(figures) as drawn:
            for table in tables:
                if table.distribution:
                    drawn.write(f"{table.name}.svg", draw(table))
    console = PlainConsole(soft_wrap=False)
    for table in tables:
        shown = Table(*table.columns, title=table.title, box=None, title_justify="left", pad_edge=False)
        for column in shown.columns[1:]:
            column.justify = "right"
        for row in table.rows:
            shown.add_row(*map(cell, row))
        console.print(shown)
        for note in table.notes:
            console.print(note)
        console.print()


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())


def _present(corpus: Corpus, data: Path) -> str:
    files, missing = len(corpus.files), len(corpus.missing(data))
    if not files:
        return BY_HAND
    if not missing:
        return "yes"
    return "no" if missing == files else f"{files - missing} of {files} files"
