"""Benchmarks over small corpora of our own: rows, baselines, submissions, and the command."""

import json
import re
import shutil
from dataclasses import replace
from datetime import date

import pytest
import typer
from typer.testing import CliRunner

from whywire.errors import InputError, MissingExtraError, ModelError
from whywire.models.pretrained import WEIGHTS
from whywire_lab.cli import bench
from whywire_lab.corpora.splits import part_of
from whywire_lab.exchange.tokens import split_tokens
from whywire_lab.tasks.run import TASKS, run, score_submission
from whywire_lab.tasks.sentence_baselines import random_labels, random_span_pairs, random_word_spans
from whywire_lab.tasks.word_tags import bio_tags, longest, spans_from_tags

NAMES = ["recess-1", "recess-2", "semeval2020-1", "semeval2020-2"]
"""The tasks on sentences; those on pairs of headlines have files of tests of their own."""


@pytest.fixture(scope="module")
def command():
    app = typer.Typer(rich_markup_mode="markdown")
    app.callback()(lambda: None)
    bench.register(app)

    def call(*arguments: object, columns: int = 200):
        return CliRunner().invoke(app, ["bench", *map(str, arguments)], env={"COLUMNS": str(columns)})

    return call


@pytest.mark.parametrize("name", NAMES)
def test_without_a_published_dev_file_it_is_our_part_of_train(corpora, name):
    task = TASKS[name]
    found = task.load(corpora)
    assert found.split == "dev (ours, of train)"
    assert found.rows
    assert {part_of(task.group(row)) for row in found.rows} == {"dev"}
    assert {part_of(task.group(row)) for row in found.train()} == {"train"}


@pytest.mark.parametrize("name", NAMES)
def test_a_published_split_is_read_from_its_own_file(corpora, name):
    task = TASKS[name]
    found = task.load(corpora / task.folder, "test")
    assert found.split == "test (published)"
    assert all("west" in row.text for row in found.rows)
    assert len(found.train()) == 3 * len(found.rows)


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_file_is_named(tmp_path, name):
    with pytest.raises(InputError, match=re.escape(TASKS[name].files("test")[0]) + ": no such file"):
        TASKS[name].load(tmp_path, "test")
    with pytest.raises(InputError, match=r"train.*\.csv: no such file"):
        TASKS[name].load(tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        TASKS[name].load(tmp_path / "nowhere")


@pytest.mark.parametrize("name", NAMES)
def test_our_model_and_its_submission_score_the_same(corpora, tmp_path, name):
    result = run(name, corpora, split="test", baselines=False)
    path = tmp_path / "submission"
    path.write_text(result.submission, encoding="utf-8")
    again = score_submission(name, corpora, path, split="test")
    scores = {key: value for key, value in result.systems[0].scores.items() if not key.startswith("strict")}
    assert scores.items() <= dict(again.systems[0].scores).items()
    assert scores["F1"] > 0.5


@pytest.mark.parametrize("name", NAMES)
def test_baselines_learn_and_a_random_one_does_not(corpora, name):
    pytest.importorskip("sklearn_crfsuite")
    pytest.importorskip("simplemma")
    pytest.importorskip("spacy")
    result = run(name, corpora, split="test")
    ours, learnt, *_, random = (system.scores["F1"] for system in result.systems)
    assert learnt > 0.9 > random
    assert run(name, corpora, split="test").as_json() == result.as_json()
    assert 0 <= ours <= 1


def test_kinds_of_causal_sentences(corpora):
    result = run("recess-1", corpora, split="test", baselines=False)
    assert set(result.systems[0].kinds) == {"explicit", "implicit", "one relation", "several"}


def test_tags_and_back():
    text = "Rain, heavy rain, closed it."
    words = split_tokens(text)
    spans = [("cause", (0, 16)), ("effect", (18, 27))]
    tags = bio_tags(words, spans)
    assert tags == ["B-cause", "I-cause", "I-cause", "I-cause", "O", "B-effect", "I-effect", "O"]
    assert spans_from_tags(words, tags) == spans
    assert longest([("a", (0, 2)), ("b", (0, 9)), ("a", (3, 8)), ("a", (9, 14))], "a") == (3, 8)
    assert longest(spans, "signal") is None


def test_random_answers_are_the_same_every_time_and_keeps_the_rules():
    texts = ["One two three four five six.", "Alone", "", "Two words"]
    pairs = random_span_pairs(texts)
    assert pairs == random_span_pairs(texts)
    assert pairs[1:3] == [None, None]
    for text, pair in zip(texts, pairs, strict=True):
        if pair:
            (start, end), (other, stop) = pair
            assert 0 <= start < end <= len(text)
            assert end <= other or stop <= start
    assert sum(random_labels([True, False, False, False], 1000)) == pytest.approx(250, abs=50)
    assert len(random_word_spans(texts * 100, 0.5)[0]) <= 7


def test_the_command_shows_a_table_and_writes_json(corpora, command, tmp_path):
    out, answers = tmp_path / "new" / "scores.json", tmp_path / "answers.jsonl"
    shown = command(
        "recess-2", "--data", corpora, "--split", "test", "--no-baselines", "--out", out, "--predictions", answers
    )
    assert shown.exit_code == 0, shown.output
    assert "BoschAI" in shown.output
    assert "70.5" in shown.output
    assert "implicit" in shown.output
    found = json.loads(out.read_text(encoding="utf-8"))
    assert (found["task"], found["split"], found["rows"]) == ("recess-2", "test (published)", 30)
    assert found["versions"]["whywire"]
    assert found["source"] == "measured"
    assert found["machine"]
    assert len(found["weights"]["sentences-en"]) == 16
    assert date.fromisoformat(found["date"])
    assert len(found["systems"][0]["weights"]) == 16
    assert [row["source"] for row in found["published"]] == ["Tan et al. 2023", "Schrader et al. 2023"]
    first = json.loads(answers.read_text(encoding="utf-8").splitlines()[0])
    assert first["index"] == 0
    scored = command("recess-2", "--data", corpora, "--split", "test", "--score", answers)
    assert scored.exit_code == 0, scored.output
    assert "answers.jsonl" in scored.output


def test_tables_fit_eighty_columns_and_say_why_numbers_cannot_be_compared(corpora, command):
    shown = command("recess-2", "--data", corpora, "--split", "test", "--no-baselines", columns=80).output
    assert max(map(len, shown.splitlines())) <= 80
    assert "ALBERT-xxlarge, beam search, signal" in shown
    assert "classifier (Tan et al. 2023) [1]" in shown
    assert "[1] cannot be compared with ours: other rows, dev (published)." in shown
    assert shown.count("strict") == 1


def test_what_a_baseline_needs_is_asked_for_before_anything_is_read(tmp_path):
    def missing():
        raise MissingExtraError("spacy", "grammar")

    task = replace(TASKS["semeval2020-1"], needs={"grammatical forms": missing})
    with pytest.raises(InputError, match=r"'grammatical forms' cannot run: .*'spacy' .*--no-baselines"):
        run(task, tmp_path / "nowhere")
    with pytest.raises(InputError, match="no such folder"):
        run(task, tmp_path / "nowhere", baselines=False)


def test_what_was_measured_before_a_system_failed_is_kept(corpora, command, tmp_path, monkeypatch):
    def fails(train, rows):
        raise ModelError("the endpoint is gone")

    monkeypatch.setitem(TASKS, "recess-1", replace(TASKS["recess-1"], baselines={"broken": fails}))
    out, answers = tmp_path / "scores.json", tmp_path / "answers.jsonl"
    shown = command("recess-1", "--data", corpora, "--split", "test", "-o", out, "--predictions", answers)
    assert isinstance(shown.exception, ModelError)
    assert "Whywire, sentences-en" in shown.output
    assert [system["name"] for system in json.loads(out.read_text())["systems"]] == ["Whywire, sentences-en"]
    assert len(answers.read_text().splitlines()) == 30


@pytest.mark.parametrize("name", ["recess-1", "recess-2"])
def test_sentences_without_published_labels_are_only_answered(corpora, command, tmp_path, name):
    texts = [row.text for row in TASKS[name].load(corpora, "test").rows][:4]
    rows = "".join(f'test_01_{number},"{text}"\n' for number, text in enumerate(texts))
    (tmp_path / f"test_subtask{name[-1]}_text.csv").write_text("index,text\n" + rows, encoding="utf-8")
    answers, out = tmp_path / "submission.json", tmp_path / "scores.json"
    given = [name, "--data", tmp_path, "--split", "test"]
    shown = command(*given, "--predictions", answers, "-o", out)  # no training file is needed
    assert shown.exit_code == 0, shown.output
    assert "test (published, without labels): 4 rows" in shown.output
    lines = [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()]
    assert [line["index"] for line in lines] == [0, 1, 2, 3]
    assert json.loads(out.read_text())["systems"] == []
    for more, hint in (((), "--predictions FILE"), (("--score", answers), "are not known")):
        assert hint in str(command(*given, *more).exception)


def test_several_runs_have_a_mean_and_a_deviation(corpora, command, tmp_path):
    out = tmp_path / "scores.json"
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        shutil.copytree(WEIGHTS / "sentences-en", folder)
    given = ["recess-1", "--data", corpora, "--split", "test", "--no-baselines", "-o", out]
    shown = command(*given, *(part for folder in folders for part in ("--model", folder)))
    assert shown.exit_code == 0, shown.output
    one, two, mean = json.loads(out.read_text())["systems"]
    assert mean["name"] == "mean of 2 runs"
    assert one["scores"] == two["scores"] == mean["scores"]
    assert set(mean["deviations"].values()) == {0.0}
    assert "±0.0" in shown.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["semeval2021"], "known are semeval2020-1"),
        (["recess-1", "--score", "x", "--predictions", "y"], "leave out one of them"),
        (["recess-1", "--score", "nowhere.jsonl"], "nowhere.jsonl: no such file"),
    ],
)
def test_wrong_usage_says_what_to_do(corpora, command, arguments, message):
    shown = command(*arguments, "--data", corpora)
    assert isinstance(shown.exception, InputError)
    assert message in str(shown.exception)


def test_help_teaches(command):
    shown = command("--help").output
    for word in ("recess-2", "semeval2020-1", "--no-baselines", "sentenceID,pred_label", "<ARG0>"):
        assert word in shown
