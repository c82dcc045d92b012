"""The task of grouping headlines, over small timelines of our own in the release's format."""

import json
from dataclasses import replace
from datetime import date, timedelta
from itertools import combinations

import pytest

from whywire.errors import InputError
from whywire_lab.corpora.hlgd import HeadlinePair, Report, TimelineReport, make_pairs
from whywire_lab.tasks.hlgd import PAIRS, consistency, score
from whywire_lab.tasks.hlgd_groups import GROUPS

CHAIN = [
    ("Fire closes the Harwick ferry terminal", "Harwick ferry terminal shut by fire"),
    ("Harwick ferry terminal shut by fire", "Ferry passengers stranded in Harwick"),
]
START = date(2019, 3, 1)
CUTS = {"harbour": "training", "island": "training", "valley": "validation", "coast": "testing"}
STORY = [
    (0, "Fire closes the {} ferry terminal", "{} ferry terminal shut by fire", "Blaze shuts ferry terminal in {}"),
    (1, "{} mayor resigns over missing funds", "Mayor of {} steps down over missing money", "{} mayor quits"),
    (3, "Storm tears roof off {} school", "School roof in {} ripped away by storm", "Storm damages school in {}"),
    (6, "{} bakers strike for higher pay", "Bakers in {} walk out over wages", "Strike: no bread in {}"),
    (
        9,
        "Second fire at the {} ferry terminal",
        "{} ferry terminal burns again",
        "Ferry terminal in {} on fire again",
    ),
]
"""Days from the start, and three headlines of one event."""


def rows() -> list[dict[str, object]]:
    found = []
    for timeline, cut in CUTS.items():
        reports = [
            TimelineReport(Report(title.format(timeline.title()), START + timedelta(days)), timeline, (), str(number))
            for number, (days, *titles) in enumerate(STORY)
            for title in titles
        ]
        for pair in make_pairs(reports, cut):
            row = {"cut": cut, "timeline": timeline, "label": int(pair.same)}
            for side, report in (("a", pair.a), ("b", pair.b)):
                row |= {f"headline_{side}": report.headline, f"day_{side}": report.day.isoformat()}
            found.append(row)
    return found


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpora") / "hlgd"
    folder.mkdir()
    (folder / "pairs_of_the_release.json").write_text(json.dumps(rows()), encoding="utf-8")
    return folder.parent


def pair(days: int, *, same: bool = True, name: str = "x") -> HeadlinePair:
    return HeadlinePair(Report(f"{name} a", START), Report(f"{name} b", START + timedelta(days)), same, "0", "dev")


def test_a_split_is_a_cut_of_the_one_file(data):
    for split, names in (("dev", {"valley"}), ("test", {"coast"})):
        found = PAIRS.load(data, split)
        assert found.split == f"{split} (published)"
        assert {row.timeline for row in found.rows} == names
        assert {row.timeline for row in found.train()} == {"harbour", "island"}
        assert found.files[0].name == "pairs_of_the_release.json"
    assert PAIRS.load(data / "hlgd").rows == PAIRS.load(data).rows


def test_a_cut_that_is_not_there_is_named(tmp_path):
    (tmp_path / "hlgd.json").write_text(json.dumps([row for row in rows() if row["cut"] == "training"]))
    with pytest.raises(InputError, match=r"hlgd\.json: there are no pairs of the test cut, only of train"):
        PAIRS.load(tmp_path, "test")
    with pytest.raises(InputError, match="nowhere: no such folder"):
        PAIRS.load(tmp_path / "nowhere")


def test_without_texts_our_model_answers_two_challenges_and_its_submission_scores_the_same(data, tmp_path):
    found = PAIRS.load(data)
    assert [note.split(" is not measured")[0] for note in found.notes] == ["+other (all fields)"]
    answers = PAIRS.answer(PAIRS.open(PAIRS.model), found.rows, None)
    scores = PAIRS.score(found.rows, answers)
    assert list(scores) == [f"{name}{more}" for name in ("F1", "accuracy", "AUC") for more in ("", " +time")]
    assert scores["F1"] > 0.5
    assert scores["AUC +time"] >= scores["AUC"] > 0.9
    path = tmp_path / "answers.jsonl"
    path.write_text(PAIRS.submission(found.rows, answers), encoding="utf-8")
    assert PAIRS.score(found.rows, PAIRS.read_submission(path, found.rows)) == scores


def test_with_texts_the_third_challenge_is_answered_by_the_beginnings_of_articles(tmp_path):
    addressed = [row | {f"url_{side}": row[f"headline_{side}"] for side in "ab"} for row in rows()]
    (tmp_path / "hlgd.json").write_text(json.dumps(addressed), encoding="utf-8")
    reports = {side.url: side for pair in PAIRS.load(tmp_path).rows for side in (pair.a, pair.b)}
    texts = {url: f"In the town of {number} something happened." for number, url in enumerate(reports)}
    first, *_ = texts
    found = replace(PAIRS, texts=texts).load(tmp_path)
    assert found.notes == ()
    assert found.rows[0].a.text.startswith("In the town of")
    (note,) = replace(PAIRS, texts={first: texts[first]}).load(tmp_path).notes
    assert note.startswith(f"{len(reports) - 1} of {len(reports)} articles have no text")
    answers = PAIRS.answer(PAIRS.open(PAIRS.model), found.rows, None)
    assert any(answer["other"] != answer["time"] for answer in answers)


def test_decisions_are_checked_on_all_pairs_of_the_reports_and_not_on_the_sampled_ones(data):
    model, found = PAIRS.open(PAIRS.model), PAIRS.load(data).rows
    assert 0 <= consistency(model, found)["transitive +time"] <= 1
    chain = [HeadlinePair(Report(a, START), Report(b, START), same=True, timeline="0", split="dev") for a, b in CHAIN]
    pairs = list(combinations(dict.fromkeys(name for ends in CHAIN for name in ends), 2))
    same = model.same_event_probabilities(pairs, prior=1 / 6) >= 0.5
    assert consistency(model, chain) == {"transitive +time": float(same.sum() != 2)}


def test_baselines_learn_on_the_training_cut(data):
    pytest.importorskip("rapidfuzz")
    found = PAIRS.load(data)
    train = found.train()
    scores = {name: PAIRS.score(found.rows, learn(train, found.rows)) for name, learn in PAIRS.baselines.items()}
    assert [set(found) & {"F1", "F1 +time", "F1 +other"} for found in scores.values()] == [
        {"F1 +time"},
        {"F1", "F1 +time"},
        {"F1", "F1 +time"},
        {"F1"},
    ]
    day, letters, meaning, random = scores.values()
    assert day["F1 +time"] == 1  # in these timelines, no two events share a day
    assert meaning["F1 +time"] > meaning["F1"] > random["F1"]
    assert letters["AUC"] < meaning["AUC"]


def test_scores_by_hand():
    rows = [pair(0), pair(1, same=False, name="y"), pair(0, name="z"), pair(0, same=False, name="w")]
    answers = [{"headline": 0.5, "time": 0.2}, {"headline": 0.6, "time": 0.1}, {"headline": 0.4, "time": 0.9}]
    answers += [{"headline": 0.1, "time": 0.3}]
    found = score(rows, answers)
    assert found == pytest.approx(
        {"F1": 0.5, "F1 +time": 2 / 3, "accuracy": 0.5, "accuracy +time": 0.75} | {"AUC": 0.5, "AUC +time": 0.75}
    )
    assert "AUC" not in score(rows[:1], answers[:1])
    assert score([], []) == {}


def test_time_only_ever_takes_away_and_ends_with_the_window():
    model = PAIRS.open(PAIRS.model)
    rows = [pair(days) for days in (0, 1, 4, 5)]
    answers = PAIRS.answer(model, rows, None)
    assert len({answer["headline"] for answer in answers}) == 1
    timed = [answer["time"] for answer in answers]
    assert timed[0] == answers[0]["headline"]
    assert timed == sorted(timed, reverse=True)
    assert timed[2] > timed[3] == 0


def test_published_scores_stand_by_what_they_were_measured_on():
    found = {(row.system.split(",")[-1], row.split, *row.scores, *row.scores.values()) for row in PAIRS.published}
    assert found == {
        (" each against the others", "dev (published)", "F1", 0.884),
        (" each against the others", "test (published)", "F1", 0.9),
        (" by headlines", "dev (published)", "F1", 0.753),
        (" by headlines", "test (published)", "F1", 0.796),
        (" with time", "test (published)", "F1 +time", 0.828),
    }
    reasons = [row.incomparable("dev (published)") for row in PAIRS.published]
    assert reasons == ["", other := "other rows, test (published)", "", other, other]
    (people,) = GROUPS.published
    assert "five negatives" in people.incomparable("all timelines")
