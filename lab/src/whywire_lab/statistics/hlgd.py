"""HLGD (Laban et al. 2021, table 1 and figures 2 and 3): timelines, groups and how long they last, and pairs."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

from whywire.annotation.groupings import adjusted_mutual_information
from whywire.errors import InputError
from whywire_lab.corpora.hlgd import PAIRS_FILE, HeadlinePair, TimelineReport, read_pairs, read_timeline
from whywire_lab.statistics.tables import Cell, StatisticsTable, distribution, mean
from whywire_lab.tasks.hlgd_groups import TIMELINES, annotator_scores

PUBLISHED_PAIRS = {"train": 15492, "dev": 2069, "test": 2495}
"""Pairs of a cut, by the data card on the hub (hlgd)."""


def tables(folder: Path) -> list[StatisticsTable]:
    """Timelines, sizes and days of their groups, and pairs by cut, whichever are there.

    Raises:
        InputError: there are neither timelines nor pairs, or a file is broken.
    """
    files = sorted(path for path in (folder / TIMELINES).glob("*") if path.suffix in (".csv", ".json", ".jsonl"))
    reports = [report for path in files for report in read_timeline(path)]
    names = (PAIRS_FILE, *(f"{split}.json" for split in PUBLISHED_PAIRS))
    pairs = [pair for name in names if (folder / name).is_file() for pair in read_pairs(folder / name)]
    if not reports and not pairs:
        raise InputError(f"there are no {TIMELINES} and no {PAIRS_FILE}", where=str(folder))
    return [*(_of_timelines(reports) if reports else []), *([_pairs(pairs)] if pairs else [])]


def _of_timelines(reports: list[TimelineReport]) -> list[StatisticsTable]:
    timelines: dict[str, list[TimelineReport]] = defaultdict(list)
    groups: dict[str, list[TimelineReport]] = defaultdict(list)
    for report in reports:
        timelines[report.timeline].append(report)
        if report.group:
            groups[report.group].append(report)
    rows: list[tuple[Cell, ...]] = [_timeline(name, own) for name, own in timelines.items()]
    if len(timelines) > 1:
        rows.append(
            ("all", len(reports), len(groups), _days(reports), None, annotator_scores(reports)["annotators, F1"])
        )
    columns = ("timeline", "headlines", "groups", "days", "annotators' AMI", "annotators' F1")
    note = "AMI and pairwise F1: of each annotator and the merged groups, and against the others' groups; means."
    return [
        StatisticsTable("timelines", "Timelines (table 1)", columns, tuple(rows), (note,)),
        distribution(
            "group-sizes",
            "Sizes of groups",
            ("headlines of a group", "groups"),
            Counter(len(own) for own in groups.values()),
        ),
        distribution(
            "group-days",
            "Days from the first to the last headline of a group",
            ("days", "groups"),
            Counter(_days(own) for own in groups.values()),
        ),
    ]


def _timeline(name: str, reports: list[TimelineReport]) -> tuple[Cell, ...]:
    groups = [report.group or f"alone {number}" for number, report in enumerate(reports)]
    agreement = []
    for number in range(len(reports[0].annotated)):
        known = [place for place, report in enumerate(reports) if report.annotated[number] is not None]
        own = [reports[place].annotated[number] for place in known]
        if known:
            agreement.append(adjusted_mutual_information(own, [groups[place] for place in known]))
    merged = len({report.group for report in reports if report.group})
    return name, len(reports), merged, _days(reports), mean(agreement), annotator_scores(reports)["annotators, F1"]


def _days(reports: list[TimelineReport]) -> int:
    days = [report.report.day for report in reports]
    return (max(days) - min(days)).days


def _pairs(pairs: list[HeadlinePair]) -> StatisticsTable:
    rows: list[tuple[Cell, ...]] = []
    for split, published in PUBLISHED_PAIRS.items():
        own = [pair for pair in pairs if pair.split == split]
        same = sum(pair.same for pair in own)
        rows.append((split, len(own), published, same, mean(pair.days_apart for pair in own if pair.same)))
    columns = ("cut", "pairs", "card", "of one event", "days apart")
    note = "card: the data card on the hub. Days apart: mean of the pairs of one event."
    return StatisticsTable("pairs", "Pairs by cut", columns, tuple(rows), (note,))
