"""Timelines grouped by event, as HLGD is released (Laban et al. 2021): sheets of timelines, and pairs made of them.

Written are ``hlgd/timelines/{timeline}.csv`` (url, headline, date, source, the group that each of up to five
annotators gave a headline, and the merged group; also its id and its timeline) and ``hlgd/hlgd.json``, pairs of
headlines of one event and of different events, made as the authors made them (section 3.5).

Lost in this format: times of day, people beyond five, names of people, and when they answered.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Any

from whywire.annotation.answers import GroupingAnswer
from whywire.annotation.items import Kind, Timeline
from whywire.news import Problem
from whywire_lab.corpora.hlgd import (
    ANNOTATORS,
    GLOBAL_GROUP,
    GROUP_COLUMNS,
    PAIRS_FILE,
    HeadlinePair,
    TimelineReport,
    make_pairs,
    timeline_report,
)
from whywire_lab.corpora.pair_releases import hlgd_row
from whywire_lab.exchange.labelled_items import Collector, LabelledItems, agreed_results
from whywire_lab.exchange.releases.release import Release, divided
from whywire_lab.exchange.tables import Row, files_of, given, table_text

FOLDER = "hlgd"

COLUMNS = ("id", "timeline", "url", "headline", "date", "source", *GROUP_COLUMNS, GLOBAL_GROUP)

_UNSAFE = re.compile(r'^\.|[%/\\:*?"<>|]')


def release(data: LabelledItems, part: str | None = None) -> Release:
    """The release of the timelines on whose groups people agree.

    Args:
        part: make all pairs for it; by default a tenth of the timelines is for development, and a tenth for testing.
    """
    kept, problems = agreed_results(data)
    found, pairs, counted = Release(problems=problems), list[HeadlinePair](), data.counted_votes()
    for name, timelines in divided(kept, part, lambda labelled: labelled[0].id).items():
        for item, result in timelines:
            undated = [headline.id for headline in item.headlines if headline.published is None]
            if undated:
                found.problems.append(Problem(item.id, f"left out, since the headline {undated[0]!r} has no day"))
                continue
            votes = counted[item.id]
            if len(votes) > ANNOTATORS:
                reason = f"of {len(votes)} people who grouped it, the first {ANNOTATORS} are written"
                found.problems.append(Problem(item.id, reason, kept=True))
            rows = _rows(item, result.answer, [vote.answer for vote in votes[:ANNOTATORS]])
            file = _UNSAFE.sub(lambda match: f"%{ord(match[0]):02X}", item.id)
            found.files[f"{FOLDER}/timelines/{file}.csv"] = table_text(COLUMNS, rows)
            pairs += make_pairs([timeline_report(row, item.id, item.id) for row in rows], name)
    if pairs:
        found.files[f"{FOLDER}/{PAIRS_FILE}"] = json.dumps([hlgd_row(pair) for pair in pairs], ensure_ascii=False)
    return found


def read(path: Path) -> LabelledItems:
    """Read the sheet of a timeline, or all ``*.csv`` of a folder; the annotators are called ``annot_1`` and so on.

    Raises:
        InputError: there is no such file.
    """
    collector = Collector(Kind.GROUPING)
    for file in files_of(path, ".csv"):
        timelines: dict[str, list[tuple[Row, TimelineReport]]] = defaultdict(list)
        for place, row in collector.rows(file):
            with collector.row(place, row):
                report = timeline_report(row, "", file.stem)
                timelines[report.timeline].append((row, report))
        for timeline, reports in timelines.items():
            with collector.row(f"{file}, timeline {timeline}", None):
                _add(collector, timeline, reports)
    return collector.done()


def _add(collector: Collector, timeline: str, rows: list[tuple[Row, TimelineReport]]) -> None:
    rows = sorted(rows, key=lambda row: row[1].report.day)
    names = [str(given(row, "id", "url") or number) for number, (row, _) in enumerate(rows, 1)]
    headlines = [
        {
            "id": name,
            "title": own.report.headline,
            "published": datetime.combine(own.report.day, time(0, tzinfo=UTC)),
            "source": own.report.source,
        }
        for name, (_, own) in zip(names, rows, strict=True)
    ]
    item = collector.add_item({"id": timeline, "headlines": headlines})
    for number, column in enumerate(zip(*(own.annotated for _, own in rows), strict=True), 1):
        if any(column):
            collector.add_vote({"item": item.id, "person": f"annot_{number}", "answer": _groups(names, column)})
    merged = [own.group for _, own in rows]
    if any(merged):
        collector.add_result({"item": item.id, "answer": _groups(names, merged)})


def _groups(names: Iterable[str], groups: Iterable[str | None]) -> Row:
    """The answer; a headline without a group is alone."""
    together: dict[object, list[str]] = defaultdict(list)
    for name, group in zip(names, groups, strict=True):
        together[group or (name,)].append(name)
    return {"groups": list(together.values())}


def _rows(item: Timeline, merged: GroupingAnswer, annotated: list[Any]) -> list[dict[str, str]]:
    columns = dict(zip(GROUP_COLUMNS, map(_numbers, annotated), strict=False)) | {GLOBAL_GROUP: _numbers(merged)}
    return [
        {
            "id": headline.id,
            "timeline": item.id,
            "url": "",
            "headline": headline.title,
            "date": headline.published.astimezone(UTC).date().isoformat() if headline.published else "",
            "source": headline.source,
            **{name: columns.get(name, {}).get(headline.id, "") for name in (*GROUP_COLUMNS, GLOBAL_GROUP)},
        }
        for headline in item.headlines
    ]


def _numbers(answer: GroupingAnswer) -> Mapping[str, str]:
    """The number of the group of each headline."""
    return {name: str(number) for number, group in enumerate(answer.groups, 1) for name in group}
