"""``whywire data``: lists the published corpora, gets and describes them, and writes annotations in their form."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from whywire.annotation.results import Method
from whywire.cli import annotate_labels
from whywire.cli.terminal import BarProgress, PlainConsole
from whywire.errors import InputError
from whywire_lab.cli.data_pairs import make_pairs
from whywire_lab.cli.data_statistics import show_statistics
from whywire_lab.corpora.catalogue import CORPORA, Corpus
from whywire_lab.corpora.download import get
from whywire_lab.exchange.labelled_items import ITEMS, VOTES, LabelledItems, read_campaign
from whywire_lab.exchange.releases.corpora import release_of
from whywire_lab.exchange.releases.release import PARTS, write_release

FOLDER = Path("data")
"""The default folder of corpora."""

BY_HAND = "by hand"


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    commands = typer.Typer(
        invoke_without_command=True,
        rich_markup_mode="markdown",
        help="List the published corpora that Whywire reads, get them, and write your own. Without a command they "
        "are listed.",
        callback=_list_by_default,
    )
    commands.command("list", epilog="Example: **whywire data list --data data**")(list_corpora)
    commands.command("get", epilog="Example: **whywire data get hlgd headline_cause --to data**")(get_corpora)
    commands.command(
        "release", epilog="Example: **whywire data release items.jsonl votes.jsonl --to own --part dev**"
    )(release)
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


def release(
    files: annotate_labels.FILES = None,
    to: Annotated[Path, typer.Option(help="The folder of corpora; a file that is there is never replaced.")] = FOLDER,
    store: annotate_labels.STORE_OR_NONE = None,
    campaign: annotate_labels.CAMPAIGN = None,
    kind: annotate_labels.KIND = None,
    person: annotate_labels.PERSON = None,
    without: annotate_labels.WITHOUT = None,
    agreed: annotate_labels.AGREED = None,
    method: annotate_labels.METHOD = Method.MAJORITY,
    part: Annotated[
        str | None,
        typer.Option(help=f"Put all items into this part, one of {', '.join(PARTS)}; by default they are divided."),
    ] = None,
) -> None:
    """Write what people agreed on in a campaign as the papers' corpora are, for `whywire bench` and `whywire train`.

    The campaign is files of items and votes, one of a store, or a folder that `whywire convert --to campaign` wrote,
    whose results are taken as they are.

    * **relation** becomes `headline_cause/` (bench headline-cause, headline-cause-ru; train relations, pairs),
    * **grouping** `hlgd/` (bench hlgd, hlgd-groups),
    * **counterfactual** `semeval2020_task5/` (bench semeval2020-1, semeval2020-2; train sentences-en),
    * **spans** `causal_news_corpus_v2/` (bench recess-1, recess-2; train sentences-en, recess-…),
    * **strength** `crab/` (bench crab; train crab-…),
    * **graph** `reader_graphs/` (train documents).

    Items of work on which people do not agree are left out, and listed on standard error with the reason. Without
    **--part** near-duplicates, sentences of one document and whole timelines stay in one part: a tenth is for
    development, a tenth for testing.
    """
    if part not in (None, *PARTS):
        raise InputError(f"there is no part {part!r}", hint=f"known are {', '.join(PARTS)}")
    folder = Path(files[0]) if files and len(files) == 1 and Path(files[0]).is_dir() else None
    data = read_campaign(folder, kind) if folder else None
    if data is None or not data.results:
        paths = [str(path) for path in (folder / ITEMS, folder / VOTES) if path.is_file()] if folder else files
        labels = annotate_labels.load(paths, store, campaign, kind, person, without, agreed)
        found = tuple(result for result in labels.results(method) if result.answer is not None)
        data = LabelledItems(labels.kind, tuple(labels.items.values()), tuple(labels.votes), found)
    made = release_of(data, part)
    console = PlainConsole(stderr=True)
    for problem in (*data.problems, *made.problems):
        console.print(str(problem))
    if not made.files:
        hint = "`whywire annotate disputed` lists what they do not agree on"
        raise InputError("people agree on nothing that could be released", hint=hint)
    write_release(made, to)
    for name in made.files:
        typer.echo(str(to / name))


def _present(corpus: Corpus, data: Path) -> str:
    files, missing = len(corpus.files), len(corpus.missing(data))
    if not files:
        return BY_HAND
    if not missing:
        return "yes"
    return "no" if missing == files else f"{files - missing} of {files} files"
