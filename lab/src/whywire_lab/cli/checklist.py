"""``whywire checklist``: behavioural tests of a model of headline pairs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from whywire.cli.options import file_path
from whywire.cli.terminal import BarProgress, PlainConsole
from whywire.output import open_output
from whywire_lab.cli.bench_tables import DASH
from whywire_lab.metrics.checklist import CaseResults
from whywire_lab.tasks.checklist import ChecklistReport, expectation, run
from whywire_lab.tasks.record import provenance


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("checklist", epilog="Example: **whywire checklist en mine.jsonl --failures**")(checklist)


def checklist(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            help="Files of cases; `en` and `ru` are the shipped ones, and all that are asked without any."
        ),
    ] = None,
    model: Annotated[
        str, typer.Option(help="The embedded pair model, or a folder that `whywire train` wrote.")
    ] = "pairs",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", parser=file_path, metavar="FILE", help="Write rates, counts and failing cases as JSON."
        ),
    ] = None,
    failures: Annotated[bool, typer.Option("--failures", help="Print every case that failed.")] = False,
    seed: Annotated[int, typer.Option(help="Decides where the typos fall.")] = 0,
) -> None:
    """Test how a model of headline pairs behaves, by cases that everybody agrees on.

    Tells for each test how many cases fail: by HeadlineCause's three classes, as its paper does (a case that every
    class passes is left out), and by the seven relations, which is stricter. **INV**: a change must leave the
    relation as it is. **DIR**: a change must reverse the relation. **MFT**: the relation must be the expected one.

    To add cases, write a file of your own, a case a line, and name it after `en` or `ru`:

    `{"test": "typos", "type": "INV", "left": "…", "right": "…", "change": "typo"}`

    `{"test": "swapped pairs", "type": "DIR", "left": "…", "right": "…", "change": "swap"}`

    `{"test": "tense", "type": "INV", "left": "…", "right": "…", "change": {"right": "the new title"}}`

    `{"test": "refutations", "type": "MFT", "left": "…", "right": "…", "expect": "left_right_refute"}`

    `{"test": "other places", "type": "MFT", "left": "…", "right": "…", "not": ["same_event"]}`

    Cases of one name are one test, across files. *expect* and *not* take one of the seven relations, or a list;
    *change* is `typo` (a letter left out, or two swapped), `swap`, or new titles; *note* may say why. INV and DIR ask
    whether two answers go together, not whether they are right.
    """
    with BarProgress() as progress:
        report = run(model, files or (), seed=seed, progress=progress.start)
    if out:
        with open_output(out) as target:
            target.write(json.dumps(report.as_json() | provenance(), ensure_ascii=False, indent=2) + "\n")
    console = PlainConsole(soft_wrap=False)
    _show(console, report)
    if failures:
        for tally in report.tallies:
            _show_failures(console, tally)


def _show(console: PlainConsole, report: ChecklistReport) -> None:
    files = ", ".join(path.name for path in report.files)
    console.print(Text.assemble((report.model, "bold"), f": {files}"))
    table = Table("test", "type", "of 3 classes", "%", "of 7 relations", "%", box=None)
    for tally in report.tallies:
        three, rate = tally.in_three, tally.rate_in_three
        of_three = (f"{three[0]} of {three[1]}", DASH if rate is None else f"{100 * rate:.1f}")
        of_seven = (f"{len(tally.failures)} of {len(tally.outcomes)}", f"{100 * tally.rate:.1f}")
        table.add_row(tally.test, tally.type, *of_three, *of_seven)
    for column in table.columns[2:]:
        column.justify = "right"
    console.print(table)


def _show_failures(console: PlainConsole, tally: CaseResults) -> None:
    for outcome in tally.failures:
        case = outcome.case
        lines = ["", f"{tally.test} ({tally.type}), {case.place}", *(f"  {title}" for title in case.pair)]
        if case.changed:
            lines += [f"  {outcome.found}; changed:", *(f"  {title}" for title in case.changed)]
        lines.append(f"  {outcome.after or outcome.found}, expected {expectation(outcome)}")
        if case.note:
            lines.append(f"  {case.note}")
        console.print("\n".join(lines), soft_wrap=True)
