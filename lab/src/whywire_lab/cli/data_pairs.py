"""``whywire data pairs``: pairs of headlines from annotations, split by time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from whywire.errors import InputError
from whywire.output import OutputFolder, json_text
from whywire_lab.corpora.headline_cause import LABELS, read_release
from whywire_lab.corpora.hlgd import PAIRS_FILE, SEED, read_timeline
from whywire_lab.corpora.pair_releases import headline_cause_rows, hlgd_rows

HLGD = "hlgd"


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


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())
