"""News Headline Grouping as its annotators did it: group the reports of a timeline into events.

An answer is the name of a report's group. Systems see only headlines and days, and learn nothing from the corpus, so
all its timelines are measured; the annotators' own agreement is given beside the systems.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, time
from pathlib import Path
from statistics import mean

from whywire.annotation.groupings import adjusted_mutual_information, leave_one_out
from whywire.errors import InputError
from whywire.language_models import LanguageModels
from whywire.news import Article, Language, Published
from whywire.pairs.model import PairModel
from whywire.pipeline import group
from whywire_lab.corpora import hlgd
from whywire_lab.corpora.hlgd import TimelineReport
from whywire_lab.metrics.classification import pairwise_score
from whywire_lab.metrics.groups import b_cubed
from whywire_lab.tasks.hlgd import FOLDER, MODEL, PAPER, PEOPLE, PUBLISHED_TEST
from whywire_lab.tasks.task import DEV, Progress, PublishedResult, Task, TaskRows

TIMELINES = "timelines"
"""The folder, in that of the corpus, that holds the timelines: a file each, or all in one."""

Reports = Sequence[TimelineReport]
GroupFunction = Callable[[list[Article]], Sequence[str]]


def score(rows: Reports, answers: Sequence[str]) -> dict[str, float]:
    """Pairwise F1, precision and recall, B-cubed F1 and adjusted mutual information against the merged groups.

    A report that the annotators left ungrouped forms a group of its own.
    """
    truth = [row.group or f"{row.timeline}-alone-{number}" for number, row in enumerate(rows)]
    pairs = pairwise_score(answers, truth)
    return {
        "F1": pairs.f1,
        "precision": pairs.precision,
        "recall": pairs.recall,
        "B-cubed F1": b_cubed(answers, truth).f1,
        "AMI": adjusted_mutual_information(answers, truth),
    }


def annotator_scores(rows: Reports) -> dict[str, float]:
    """The mean pairwise F1 of each annotator against the merged groups of the others (leave-one-out).

    A column without any group is no annotator.
    """
    found: list[float] = []
    for reports in _timelines(rows).values():
        columns = list(filter(any, zip(*(rows[number].annotated for number in reports), strict=True)))
        if len(columns) > 1:
            found += leave_one_out(columns)
    return {"annotators, F1": mean(found)} if found else {}


def _timelines(rows: Reports) -> dict[str, list[int]]:
    """The numbers of the reports of each timeline."""
    found: dict[str, list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        found[row.timeline].append(number)
    return found


def _each_timeline(rows: Reports, grouper: GroupFunction, progress: Progress = None) -> list[str]:
    """Group the reports of each timeline separately."""
    answers = [""] * len(rows)
    for timeline, numbers in _timelines(rows).items():
        articles = [_article(rows[number], number) for number in numbers]
        for number, name in zip(numbers, grouper(articles), strict=True):
            answers[number] = f"{timeline}-{name}"
        if progress:
            progress(len(numbers))
    return answers


def _article(row: TimelineReport, number: int) -> Article:
    midnight = datetime.combine(row.report.day, time(0, tzinfo=UTC))
    return Article(
        str(number), row.report.headline, language=Language.ENGLISH, published=Published(midnight, day_only=True)
    )


def _answer(model: PairModel, rows: Reports, progress: Progress) -> list[str]:
    models = LanguageModels({MODEL: str(model.model.folder)})
    return _each_timeline(rows, lambda articles: group(articles, models=models).events, progress)


def _by_story(train: Reports, rows: Reports) -> list[str]:  # noqa: ARG001
    return _each_timeline(rows, lambda articles: group(articles).stories)


def _by_day(train: Reports, rows: Reports) -> list[str]:  # noqa: ARG001
    return [f"{row.timeline}-{row.report.day}" for row in rows]


def _singletons(train: Reports, rows: Reports) -> list[str]:  # noqa: ARG001
    return [str(number) for number in range(len(rows))]


def _read(folder: Path, split: str) -> list[TimelineReport]:  # noqa: ARG001
    return [report for path in _files(folder) for report in hlgd.read_timeline(path)]


def _files(folder: Path) -> list[Path]:
    """The files of timelines.

    Raises:
        InputError: there are none.
    """
    own = folder / TIMELINES
    found = sorted(path for path in own.glob("*") if path.suffix in (".csv", ".json", ".jsonl"))
    if not found:
        raise InputError(
            "there are no timelines",
            where=str(own),
            hint="put the release's timelines there, as CSV or JSON, with the group each annotator gave a headline",
        )
    return found


def read_submission(path: Path, rows: Reports) -> list[str]:
    """Read answers: an object a report, ``{"group": "12"}``, in the order of the timelines' files.

    Raises:
        InputError: a line is no such object, or there are more or fewer of them than reports.
    """
    if not path.is_file():
        raise InputError("no such file", where=str(path))
    answers: list[str] = []
    lines = (line for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    for number, line in enumerate(lines, 1):
        try:
            answers.append(str(json.loads(line)["group"]))
        except (ValueError, LookupError, TypeError) as error:
            raise InputError('a line must be an object such as {"group": "12"}', where=f"{path}:{number}") from error
    if len(answers) != len(rows):
        raise InputError(f"there are {len(answers)} groups for {len(rows)} reports", where=str(path))
    return answers


def submission(rows: Reports, answers: Iterable[str]) -> str:  # noqa: ARG001
    """The text of a submission, as :func:`read_submission` reads it."""
    return "".join(json.dumps({"group": name}, ensure_ascii=False) + "\n" for name in answers)


def _kinds(rows: Reports, answers: Sequence[str]) -> Mapping[str, float]:
    """F1 by timeline, and the annotators' own."""
    by_timeline = {
        f"timeline {name}": score([rows[number] for number in numbers], [answers[number] for number in numbers])["F1"]
        for name, numbers in _timelines(rows).items()
    }
    return by_timeline | annotator_scores(rows)


class AllTimelinesTask(Task[TimelineReport, str, PairModel]):
    """A task without a training split: all timelines are measured."""

    def load(self, data: Path, split: str = DEV) -> TaskRows[TimelineReport]:
        """The reports of all timelines, whatever the split."""
        folder = self.folder_in(data)
        return TaskRows("all timelines", tuple(_files(folder)), self.read(folder, split), list)


GROUPS = AllTimelinesTask(
    name="hlgd-groups",
    model=MODEL,
    open=PairModel.from_pretrained,
    folder=FOLDER,
    published=(
        PublishedResult(
            PEOPLE,
            PUBLISHED_TEST,
            PAPER,
            {"F1": 0.9},
            "F1 of people is over the pairs of that cut, five negatives for each positive; here over all pairs of "
            "reports of a timeline. The annotators' own F1 on these pairs is among the kinds below",
        ),
    ),
    files=lambda split: (TIMELINES,),  # noqa: ARG005
    read=_read,
    group=lambda row: row.timeline,
    answer=_answer,
    baselines={"Whywire, stories": _by_story, "same day": _by_day, "each by itself": _singletons},
    score=score,
    kinds=_kinds,
    kinds_of="timeline",
    read_submission=read_submission,
    submission=submission,
)
"""Which headlines of a timeline report the same event?"""
