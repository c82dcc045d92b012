"""The task of grouping whole timelines, over two of our own in the release's format."""

import json
from datetime import date, timedelta

import pytest

from whywire.errors import InputError
from whywire_lab.corpora.hlgd import Report, TimelineReport
from whywire_lab.tasks.hlgd_groups import GROUPS, annotator_scores, score

START = date(2019, 3, 1)
TOWNS = ("Harwick", "Veldport")
EVENTS = [
    (0, "Fire closes the {} ferry terminal", "{} ferry terminal shut by fire"),
    (1, "{} mayor resigns over missing funds", "Mayor of {} steps down over missing money"),
    (3, "Storm tears roof off {} school", "School roof in {} ripped away by storm"),
    (40, "Second fire at the {} ferry terminal", "{} ferry terminal burns again"),
]


def timeline(town: str) -> list[dict[str, object]]:
    rows = [
        {"url": "", "headline": title.format(town), "date": (START + timedelta(days)).isoformat(), "group": number}
        for number, (days, *titles) in enumerate(EVENTS)
        for title in titles
    ]
    for place, row in enumerate(rows):
        group = row.pop("group")
        row |= {f"annot_{number}_group": group for number in range(1, 6)} | {"global_group": group}
        row["annot_5_group"] = place  # the last annotator thinks that no two belong together
    return rows


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpora") / "hlgd" / "timelines"
    folder.mkdir(parents=True)
    for town in TOWNS:
        (folder / f"{town}.json").write_text(json.dumps(timeline(town)), encoding="utf-8")
    return folder.parent.parent


def test_our_model_groups_each_timeline_by_itself(data):
    found = GROUPS.load(data)
    assert len(found.rows) == 16
    answers = GROUPS.answer(GROUPS.open(GROUPS.model), found.rows, None)
    towns = [
        {answer for row, answer in zip(found.rows, answers, strict=True) if row.timeline == town} for town in TOWNS
    ]
    assert not set.intersection(*towns)
    scores = GROUPS.score(found.rows, answers)
    assert list(scores) == ["F1", "precision", "recall", "B-cubed F1", "AMI"]
    assert scores["F1"] > 0.5


def test_the_same_day_finds_all_pairs_of_these_timelines(data):
    rows = GROUPS.load(data).rows
    assert GROUPS.score(rows, GROUPS.baselines["same day"]([], rows)) == dict.fromkeys(
        ("F1", "precision", "recall", "B-cubed F1", "AMI"), pytest.approx(1.0)
    )
    assert GROUPS.score(rows, GROUPS.baselines["each by itself"]([], rows))["F1"] == 0


def test_people_are_compared_with_the_others(data):
    assert annotator_scores(GROUPS.load(data).rows) == {"annotators, F1": pytest.approx(0.8)}


def test_a_report_nobody_grouped_is_alone():
    reports = [TimelineReport(Report("A headline", START), "t", (None,) * 5, None) for _ in range(2)]
    assert score(reports, ["one", "one"])["precision"] == 0


def test_a_submission_scores_as_the_answers_it_was_made_of(data, tmp_path):
    rows = GROUPS.load(data).rows
    answers = [row.group or "" for row in rows]
    path = tmp_path / "groups.jsonl"
    path.write_text(GROUPS.submission(rows, answers), encoding="utf-8")
    assert GROUPS.read_submission(path, rows) == answers
    path.write_text('{"group": "1"}\n{"cluster": 2}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"groups\.jsonl:2: a line must be an object"):
        GROUPS.read_submission(path, rows)
    path.write_text('{"group": "1"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="1 groups for 16 reports"):
        GROUPS.read_submission(path, rows)


def test_timelines_that_are_not_there_are_asked_for(tmp_path):
    (tmp_path / "hlgd").mkdir()
    with pytest.raises(InputError, match=r"timelines: there are no timelines"):
        GROUPS.load(tmp_path)
