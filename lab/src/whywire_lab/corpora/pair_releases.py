"""Pairs of headlines for training and testing, from what annotators said, in the form of two releases.

HLGD's pairs are made from timelines (section 3.5), and whole timelines go into a cut; HeadlineCause's are split by
time, source by source, and those whose label runs against the clock are left out, as its authors did.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from whywire.news import Published
from whywire.news.times import render_time
from whywire_lab.corpora.headline_cause import (
    DEV,
    DEV_UNTIL,
    LABELS,
    TEST,
    TRAIN,
    TRAIN_UNTIL,
    LabelledPair,
    consistent_in_time,
    split_by_time,
)
from whywire_lab.corpora.hlgd import SEED, SPLITS, HeadlinePair, TimelineReport, make_pairs

Rows = list[dict[str, Any]]

CUTS = {ours: theirs for theirs, ours in SPLITS.items()}
"""HLGD's names for the splits."""

FILE_OF = {TRAIN: "train", DEV: "val", TEST: "test"}
"""The names that HeadlineCause gives its splits."""


def hlgd_rows(reports: Iterable[TimelineReport], *, seed: int = SEED) -> Rows:
    """The pairs of timelines, as ``hlgd.json`` has them; the timelines that end last are held out.

    Of ten timelines, eight are for training, one for validation and one for testing.

    Args:
        seed: of the pairs of different events, which are drawn.
    """
    timelines: dict[str, list[TimelineReport]] = {}
    for report in reports:
        timelines.setdefault(report.timeline, []).append(report)
    ordered = sorted(timelines, key=lambda name: (_last_day(timelines[name]), name))
    train, dev = (int(share * len(ordered)) for share in (TRAIN_UNTIL, DEV_UNTIL))
    parts = ((TRAIN, ordered[:train]), (DEV, ordered[train:dev]), (TEST, ordered[dev:]))
    return [
        hlgd_row(pair)
        for part, names in parts
        for pair in make_pairs([report for name in names for report in timelines[name]], part, seed=seed)
    ]


def headline_cause_rows(pairs: Iterable[LabelledPair], labels: str) -> tuple[Mapping[str, Rows], list[LabelledPair]]:
    """The rows of the files ``train``, ``val`` and ``test``, and the pairs that were left out.

    Args:
        labels: ``simple`` or ``full``.

    Raises:
        InputError: a pair has no time.
    """
    kept, dropped = consistent_in_time(pairs)
    parts = split_by_time(kept)
    return {FILE_OF[part]: [headline_cause_row(pair, labels) for pair in own] for part, own in parts.items()}, dropped


def _last_day(reports: Sequence[TimelineReport]) -> date:
    return max(report.report.day for report in reports)


def hlgd_row(pair: HeadlinePair) -> dict[str, Any]:
    """A pair as ``hlgd.json`` has it."""
    row: dict[str, Any] = {}
    for side, report in (("a", pair.a), ("b", pair.b)):
        row |= {f"headline_{side}": report.headline, f"day_{side}": report.day.isoformat()}
        row |= {f"source_{side}": report.source, f"url_{side}": report.url}
        row |= {f"authors_{side}": report.authors} if report.authors else {}
    return row | {"cut": CUTS[pair.split], "timeline": pair.timeline, "label": int(pair.same)}


def headline_cause_row(pair: LabelledPair, labels: str) -> dict[str, Any]:
    """A pair as the files of *simple* or *full* have it; what is not known is left out."""
    times = (pair.left_published, pair.right_published)
    row: dict[str, Any] = {
        "left_url": pair.left_url,
        "right_url": pair.right_url,
        "left_title": pair.left,
        "right_title": pair.right,
        **{f"{side}_timestamp": _timestamp(time) for side, time in zip(("left", "right"), times, strict=True)},
        "label": LABELS[labels].index(pair.allowed),
        "agreement": pair.agreement,
        "has_link": pair.has_link,
        "id": pair.id,
    }
    return {name: value for name, value in row.items() if value is not None}


def _timestamp(time: Published | None) -> int | str | None:
    """Unix seconds, as in the release; a day where only that is known."""
    if time is None:
        return None
    return render_time(time) if time.day_only else int(time.at.timestamp())
