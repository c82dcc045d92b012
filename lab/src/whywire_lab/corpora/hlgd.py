"""News Headline Grouping, HLGD (Laban, Bandarkar and Hearst 2021; headlines Apache-2.0).

Ten timelines of news were grouped by event by five annotators each. From the merged groups pairs of headlines were
made, which either tell of the same event or do not; whole timelines lie in one cut: training, validation or testing.
The copy on the hub names its labels the wrong way round; in all copies 1 means the same event.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from whywire.errors import InputError
from whywire.events.candidates import WINDOW
from whywire.news.times import parse_time
from whywire_lab.corpora.csv_tables import csv_table

PAIRS_FILE = "hlgd.json"
"""The name of the file of all pairs, if a folder has several files."""

ANNOTATORS = 5

GROUP_COLUMNS = tuple(f"annot_{number}_group" for number in range(1, ANNOTATORS + 1))
GLOBAL_GROUP = "global_group"
"""The columns of a timeline: the group that each annotator gave a headline, and the merged group."""

NEGATIVES = 5
"""Pairs of different events for each pair of the same event (section 3.5)."""

SEED = 2021

SPLITS = {"training": "train", "validation": "dev", "testing": "test"}
"""The release's names for its cuts, and ours."""

CHALLENGES = ("headline", "time", "other")
"""What a system may look at: the headlines; their dates, too; all that can be known of the reports."""


@dataclass(frozen=True, slots=True)
class Report:
    """A headline, the day it was published on, and what else is known; unknown fields are blank.

    Args:
        text: of the article, which the release does not have.
    """

    headline: str
    day: date
    url: str = ""
    source: str = ""
    authors: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class HeadlinePair:
    """Two reports of one timeline, and whether they tell of the same event.

    Args:
        split: ``train``, ``dev`` or ``test``.
    """

    a: Report
    b: Report
    same: bool
    timeline: str
    split: str

    @property
    def days_apart(self) -> int:
        """Days between the two reports, whichever came first."""
        return abs((self.a.day - self.b.day).days)


@dataclass(frozen=True, slots=True)
class TimelineReport:
    """A report of a timeline and the groups it was put into.

    Args:
        annotated: the group that each annotator gave it; ``None`` if the annotator gave none.
        group: the merged group. All names of groups begin with the timeline's, so timelines can be put together.
    """

    report: Report
    timeline: str
    annotated: tuple[str | None, ...]
    group: str | None

    def grouped_with(self, other: TimelineReport) -> bool:
        """Whether both are in one merged group; a report without a group is alone."""
        return self.group is not None and self.group == other.group


def pairs_file(folder: Path, split: str) -> Path:
    """The file that holds a split's pairs: ``hlgd.json``, the hub's ``{split}.json``, or else the only ``*.json``.

    Raises:
        InputError: there is none, or several may be meant.
    """
    for name in (PAIRS_FILE, f"{split}.json"):
        if (folder / name).is_file():
            return folder / name
    found = sorted(folder.glob("*.json"))
    if len(found) != 1:
        there = ", ".join(path.name for path in found) or "no *.json"
        raise InputError(
            f"there is no {PAIRS_FILE}, only {there}" if found else "there is no *.json",
            where=str(folder),
            hint=f"put the release's pairs there as {PAIRS_FILE}",
        )
    return found[0]


def read_pairs(path: Path) -> Iterator[HeadlinePair]:
    """Read pairs: a JSON list, an object a line, or CSV.

    A row has ``headline_a, day_a`` (or ``date_a``) and the same with ``_b``, ``timeline`` (or ``timeline_id``) and
    ``label``; it may have ``source_*``, ``authors_*``, ``url_*``. Its split is in ``cut``, or in the file's name.

    Raises:
        InputError: the file is missing or broken, or a row lacks one of these.
    """
    for place, row in _rows(path):
        label = _needed(row, place, "label")
        if label not in ("0", "1", "False", "True"):
            raise InputError(f"the label must be 0 or 1, not {label[:20]!r}", where=place)
        cut = _text(row, "cut") or path.stem
        split = SPLITS.get(cut, cut)
        if split not in SPLITS.values():
            raise InputError(f"the cut must be one of {', '.join(SPLITS)}, not {cut[:40]!r}", where=place)
        yield HeadlinePair(
            _report(row, place, "_a"),
            _report(row, place, "_b"),
            label in ("1", "True"),
            _needed(row, place, "timeline", "timeline_id"),
            split,
        )


def read_timeline(path: Path) -> Iterator[TimelineReport]:
    """Read a timeline: CSV, a JSON list, or an object a line.

    A row has ``url, headline, date, annot_1_group`` to ``annot_5_group`` and ``global_group``; a group may be blank.
    The timeline is named in ``timeline``, or else by the file.

    Raises:
        InputError: the file is missing or broken, or a row lacks a field.
    """
    for place, row in _rows(path):
        yield timeline_report(row, place, path.stem)


def timeline_report(row: Mapping[str, Any], place: str, timeline: str) -> TimelineReport:
    """The report of a row of a timeline; :func:`read_timeline` says what a row holds.

    Args:
        timeline: its name, if the row names none.

    Raises:
        InputError: a field is missing; the place is named.
    """
    columns = [*GROUP_COLUMNS, GLOBAL_GROUP]
    missing = [name for name in columns if name not in row]
    if missing:
        raise InputError(f"there is no {', '.join(missing)}", where=place)
    timeline = _text(row, "timeline", "timeline_id") or timeline
    *annotated, group = (f"{timeline}-{own}" if (own := _text(row, name)) else None for name in columns)
    return TimelineReport(_report(row, place), timeline, tuple(annotated), group)


def make_pairs(
    reports: Iterable[TimelineReport], split: str, *, negatives: int = NEGATIVES, seed: int = SEED
) -> list[HeadlinePair]:
    """Make pairs of grouped reports as the paper does (section 3.5), timeline by timeline.

    Positives are all pairs inside a group. Negatives are drawn from the other pairs of the timeline that lie within
    four days of each other; where there are not enough, all are taken.

    Args:
        split: what the pairs are for.
        negatives: how many for each positive.
        seed: with it, the same reports in the same order give the same pairs.
    """
    timelines: dict[str, list[TimelineReport]] = defaultdict(list)
    for report in reports:
        timelines[report.timeline].append(report)
    dice = np.random.default_rng(seed)
    chosen = []
    for timeline, members in timelines.items():
        pairs = [
            HeadlinePair(one.report, other.report, one.grouped_with(other), timeline, split)
            for one, other in combinations(members, 2)
        ]
        same = [number for number, pair in enumerate(pairs) if pair.same]
        near = [number for number, pair in enumerate(pairs) if not pair.same and pair.days_apart <= WINDOW.days]
        drawn = dice.permutation(near)[: negatives * len(same)].tolist()
        chosen += [pairs[number] for number in sorted([*same, *drawn])]
    return chosen


def read_submission(path: Path, size: int) -> list[dict[str, float]]:
    """Read answers: an object a pair, ``{"headline": 0.93, "time": 0.81}``, of the probability of *same event*.

    Args:
        size: how many pairs there are; the first object answers the first of them.

    Raises:
        InputError: a row answers other challenges than the first one, or with no number from 0 to 1, or there are
            more or fewer rows than pairs.
    """
    answers: list[dict[str, float]] = []
    for place, row in _rows(path):
        if not row or not set(row) <= set(CHALLENGES) or (answers and set(row) != set(answers[0])):
            raise InputError(
                f"a row must have the probabilities of {', '.join(CHALLENGES)}, or the same ones in every row",
                where=place,
            )
        for name, probability in row.items():
            if isinstance(probability, bool) or not isinstance(probability, int | float) or not 0 <= probability <= 1:
                raise InputError(f"{name} must be a number from 0 to 1, not {str(probability)[:20]!r}", where=place)
        answers.append({name: float(probability) for name, probability in row.items()})
    if len(answers) != size:
        raise InputError(f"there are {len(answers)} rows for {size} pairs", where=str(path))
    return answers


def submission_lines(answers: Iterable[Mapping[str, float]]) -> Iterator[str]:
    """The lines of a submission, as :func:`read_submission` reads them."""
    for answer in answers:
        yield json.dumps(dict(answer))


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each row with its place, counted from 1 whatever the form of the file."""
    if not path.is_file():
        raise InputError("no such file", where=str(path))
    try:
        rows: Sequence[Any] = list(csv_table(path, ())) if path.suffix.lower() == ".csv" else _json_values(path)
    except UnicodeDecodeError as error:
        raise InputError("the file is not UTF-8", where=str(path)) from error
    for number, row in enumerate(rows, 1):
        place = f"{path}, row {number}"
        if not isinstance(row, dict):
            raise InputError(f"a row must be an object with names, not {str(row)[:40]!r}", where=place)
        yield place, row


def _json_values(path: Path) -> list[Any]:
    """The values of a file's one list, or of its lines."""
    text = path.read_text(encoding="utf-8-sig")
    one_list = text.lstrip().startswith("[")
    values = []
    for number, part in enumerate([text] if one_list else text.split("\n"), 1):
        if part.strip():
            try:
                values.append(json.loads(part))
            except json.JSONDecodeError as error:
                line = number + error.lineno - 1
                raise InputError(
                    f"broken JSON: {error.msg} at column {error.colno}", where=f"{path}:{line}"
                ) from error
    return list(values[0]) if one_list else values


def _report(row: Mapping[str, Any], place: str, side: str = "") -> Report:
    written = _needed(row, place, f"day{side}", f"date{side}")
    try:
        published = parse_time(written)
    except InputError as error:
        raise InputError(error.message, where=place) from error
    if published is None:
        raise InputError(f"there is no day{side}", where=place)
    return Report(
        _needed(row, place, f"headline{side}"),
        published.at.date(),
        *(_text(row, f"{name}{side}") for name in ("url", "source", "authors")),
    )


def _needed(row: Mapping[str, Any], place: str, *names: str) -> str:
    found = _text(row, *names)
    if not found:
        raise InputError(f"there is no {' or '.join(names)}", where=place)
    return found


def _text(row: Mapping[str, Any], *names: str) -> str:
    """The value of the first of the names that has one, as text; blank if none has."""
    for name in names:
        value = row.get(name)
        text = ", ".join(map(str, value)) if isinstance(value, list) else str(value).strip()
        if text and value is not None and value == value:  # data frames write not-a-number for a missing value
            return text
    return ""
