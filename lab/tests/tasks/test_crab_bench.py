"""The benchmark on CRAB, over a small corpus of our own in its format."""

import json
import re

import pytest
import typer
from lab.tests.corpora.made_up_crab import STORIES, rows, write_lines
from typer.testing import CliRunner

from whywire.errors import InputError
from whywire_lab.cli import bench
from whywire_lab.corpora.crab import PAIRS_FILE
from whywire_lab.tasks.crab import PAIRS, leave_one_story_out
from whywire_lab.tasks.run import run, score_submission

SCORES = ["score F1", "4-class F1", "binary F1", "choice F1", "choice EM", "frame F1", "frame EM"]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    write_lines(folder / "crab" / PAIRS_FILE, rows())
    return folder


def test_by_default_it_is_all_pairs_and_the_paper_s_splits_are_there(data):
    found = PAIRS.load(data)
    assert (found.split, len(found.rows)) == ("all pairs", len(rows()))
    assert PAIRS.load(data / "crab", "all").rows == PAIRS.load(data / "crab" / PAIRS_FILE).rows == found.rows
    for split, name in (("date", "split by date"), ("story", "split by story"), ("random", "random split")):
        held_out = PAIRS.load(data, split)
        assert held_out.split == name
        assert len(held_out.rows) + len(held_out.train()) == len(found.rows)
        shared = {row.story for row in held_out.rows} & {row.story for row in held_out.train()}
        assert bool(shared) is (split == "random")
    with pytest.raises(InputError, match=r"no split 'test' \(one of date, story, random"):
        PAIRS.load(data, "test")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=f"there are no pairs .*{re.escape(PAIRS_FILE)}"):
        PAIRS.load(tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        PAIRS.load(tmp_path / "nowhere")


def test_our_model_and_its_submission_score_the_same(data, tmp_path):
    result = run("crab", data, baselines=False)
    ours = result.systems[0]
    assert list(ours.scores) == SCORES
    assert ours.scores["binary F1"] > 0.5
    for name in ("in-document, 4-class F1", "cross-document, choice EM", "before 2022-01-01, score F1"):
        assert name in ours.kinds
    for name in ("frame strong direct, F1", "frame none, EM", "chain mediation, EM", "chain confounding, F1"):
        assert name in ours.kinds
    assert ours.kinds["workers' alpha, none and high"] > 0.9
    path = tmp_path / "answers.jsonl"
    path.write_text(result.submission, encoding="utf-8")
    again = score_submission("crab", data, path).systems[0]
    assert (again.scores, again.kinds) == (ours.scores, ours.kinds)


def test_baselines_learn_from_other_stories_only(data):
    pytest.importorskip("sklearn")
    result = run("crab", data)
    _, words, similarity, frequent, random = (system.scores for system in result.systems)
    assert words["4-class F1"] > 0.8  # the made-up stories tell of the same kinds of events
    assert words["binary F1"] > random["binary F1"]
    assert frequent["4-class F1"] < 0.3
    assert 0 < similarity["score F1"] < 1
    assert run("crab", data).as_json() == result.as_json()


def test_what_is_asked_is_never_learnt_from(data):
    seen = []

    def learner(train, asked):
        seen.append(({row.story for row in train}, {row.story for row in asked}))
        return PAIRS.answer(PAIRS.open(PAIRS.model), asked, None)

    found = PAIRS.load(data)
    answers = leave_one_story_out(learner)(found.train(), found.rows)
    assert answers == PAIRS.answer(PAIRS.open(PAIRS.model), found.rows, None)
    assert len(seen) == len(STORIES)
    assert all(known.isdisjoint(asked) for known, asked in seen)
    one_story = [row for row in found.rows if row.story == found.rows[0].story]
    with pytest.raises(InputError, match="no other story"):
        leave_one_story_out(learner)(one_story, one_story)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"index": 60}, "row 1: the index must be one of 0 to 59, each once, not 60"),
        ({"strength": 101}, "row 1: the strength must be a number from 0 to 100, not 101"),
        ({"strength": None}, "row 1: the strength must be a number"),
        ({"class": "huge"}, "row 1: class is one of none, low, medium, high"),
        ({"causal": 1}, "row 1: class is one of"),
        ({}, "59 of 60 pairs have no line, the first of them 1"),
    ],
)
def test_a_broken_submission_is_refused(data, tmp_path, change, message):
    path = tmp_path / "submission.jsonl"
    path.write_text(json.dumps({"index": 0, "strength": 50} | change), encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        score_submission("crab", data, path)


def test_the_command_shows_many_kinds_below_each_other(data):
    app = typer.Typer(rich_markup_mode="markdown")
    app.callback()(lambda: None)
    bench.register(app)
    arguments = ["bench", "crab", "--data", str(data), "--no-baselines"]
    shown = CliRunner().invoke(app, arguments, env={"COLUMNS": "160"}, catch_exceptions=False).output
    assert "GPT-4 (Romanou et al. 2023)" in shown
    lines = shown.splitlines()
    kinds = [line.split("  ")[0].strip() for line in lines]
    assert "cross-document, binary F1" in kinds
    assert "chain mediation, F1" in kinds
