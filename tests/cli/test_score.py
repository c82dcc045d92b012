"""``whywire score`` and ``choose`` as a program runs them: with the embedded judge, a chat model, and both."""

import json
import os
import subprocess
import sys

import pytest
from tests.local_server import Reply, says, serving
from typer.testing import CliRunner

from whywire.cli.app import app
from whywire.errors import InputError, ModelError
from whywire.models.chat import KEY, MODEL, URL

CAUSE, EFFECT = "Fire closes the Orvane refinery", "Fuel runs short in the north after refinery fire"
OTHER = "Orvane marathon draws a record field"
SCORE_ROW = {"id": 7, "cause": CAUSE, "effect": EFFECT, "context": ["The refinery burned on Monday."], "desk": "x"}
CHOOSE_ROW = {"id": "q", "effect": EFFECT, "options": [OTHER, CAUSE, CAUSE]}


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path))


def invoke(*arguments, lines, **environment):
    settings = {URL: None, MODEL: None, KEY: None, "COLUMNS": "200", "NO_COLOR": "1"} | environment
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    return CliRunner().invoke(app, list(map(str, arguments)), env=settings, input=text)


def run(*arguments, lines, **environment):
    done = invoke(*arguments, lines=lines, **environment)
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def chat(server):
    return {URL: server.url, MODEL: "tiny-chat"}


def test_rows_of_one_effect_are_answered_together():
    none = {"effect": EFFECT, "options": [CAUSE, "None of the others"]}
    rows = [
        {"effect": EFFECT, "options": [OTHER, CAUSE]},
        {"effect": EFFECT, "options": [OTHER, "None of the others"]},
    ]
    alone = run("choose", "-", lines=[*rows, none])
    found = run("choose", "-", "--together", lines=[*rows, none])
    assert [row["answer"] for row in found[:2]] == [[1], [1]]
    assert (1 in found[2]["answer"]) == (0 not in found[2]["answer"])
    assert [row["strengths"] for row in found] == [row["strengths"] for row in alone]
    broken = run("choose", "-", "--together", lines=[{"effect": EFFECT}, rows[0]])
    assert "there are no options" in broken[0]["error"]
    assert broken[1]["answer"] == [1]


def test_the_embedded_judge_scores_pairs():
    rows = [SCORE_ROW, {"cause": OTHER, "effect": EFFECT}, {"cause": "Пожар на заводе", "effect": "Завод встал"}]
    found = run("score", "-", lines=rows)
    assert [{name: row[name] for name in row if name not in ("strength", "class", "causal")} for row in found] == rows
    for row in found:
        assert 0 <= row["strength"] <= 100
        assert row["class"] in ("none", "low", "medium", "high")
        assert row["causal"] == (row["class"] in ("medium", "high"))
    assert found[0]["strength"] > found[1]["strength"]
    strict = run("score", "-", "--threshold", found[0]["strength"] + 1, lines=rows[:1])
    loose = run("score", "-", "--threshold", found[0]["strength"] - 1, lines=rows[:1])
    assert (strict[0]["causal"], loose[0]["causal"]) == (False, True)


def test_the_embedded_judge_chooses():
    (found,) = run("choose", "-", lines=[CHOOSE_ROW])
    other, cause, again = found["strengths"]
    assert cause == again > other
    assert found["answer"] == [1, 2]
    assert found["id"] == "q"


BAD = [
    ("score", "{", "JSON"),
    ("score", [1], "object"),
    ("score", {"effect": EFFECT}, "there is no cause"),
    ("score", {"cause": 7, "effect": EFFECT}, "cause must be a string"),
    ("score", {"cause": CAUSE, "effect": " "}, "the effect is empty"),
    ("score", {**SCORE_ROW, "context": "one text"}, "list of texts"),
    ("score", {**SCORE_ROW, "context": [1]}, "list of texts"),
    ("choose", {"effect": EFFECT}, "no options"),
    ("choose", {"effect": EFFECT, "options": []}, "list of events"),
    ("choose", {"effect": EFFECT, "options": "A"}, "list of events"),
    ("choose", {"effect": EFFECT, "options": [CAUSE, None]}, "no option 1"),
]


@pytest.mark.parametrize(("command", "bad", "reason"), BAD)
def test_a_bad_row_keeps_its_place_and_says_why(command, bad, reason):
    good = SCORE_ROW if command == "score" else CHOOSE_ROW
    answered = "strength" if command == "score" else "answer"
    wrong, right = run(command, "-", lines=[bad if isinstance(bad, str) else json.dumps(bad), good])
    assert reason in wrong["error"]
    assert "standard input:1" in wrong["error"]
    assert answered in right
    done = invoke(command, "-", "--strict", lines=[bad if isinstance(bad, str) else json.dumps(bad), good])
    assert isinstance(done.exception, InputError)


def test_a_chat_model_scores_and_its_cost_is_reported():
    usage = {"prompt_tokens": 500_000, "completion_tokens": 10_000}
    with serving(says("<answer>64</answer>", usage=usage)) as server:
        done = invoke(
            "score", "-", "--judge", "chat", "--prices", 2, 10, lines=[SCORE_ROW, SCORE_ROW], **chat(server)
        )
    first, second = map(json.loads, done.stdout.splitlines())
    assert first == second == SCORE_ROW | {"strength": 64, "class": "medium", "causal": True}
    assert len(server.asked) == 1  # the second row is the first one's question again
    assert "The refinery burned on Monday." in server.asked[0][2]["messages"][0]["content"]
    assert "1 answers of tiny-chat, 1 more from the cache" in done.stderr
    assert "500000 tokens asked and 10000 answered" in done.stderr
    assert "cost 1.1000" in done.stderr


def test_a_chat_model_picks_letters():
    with serving(says("<answer>B, C</answer>"), says("<answer>none</answer>")) as server:
        rows = [CHOOSE_ROW, {"effect": EFFECT, "options": [OTHER]}]
        first, second = run("choose", "-", "--judge", "chat", lines=rows, **chat(server))
    assert (first["strengths"], first["answer"]) == ([10, 90, 90], [1, 2])
    assert (second["strengths"], second["answer"]) == ([10], [])


def test_an_ensemble_scores_between_its_judges():
    (alone,) = run("score", "-", lines=[SCORE_ROW])
    with serving(says("<answer>A</answer>")) as server:
        (found,) = run("score", "-", "--judge", "ensemble", "--ask", "class", lines=[SCORE_ROW], **chat(server))
    assert found["strength"] == pytest.approx((alone["strength"] + 90) / 2, abs=0.1)


def test_a_malformed_answer_is_an_error_and_no_zero():
    with serving(says("It may well be.")) as server:
        done = invoke("score", "-", "--judge", "chat", lines=[SCORE_ROW], **chat(server))
    (row,) = map(json.loads, done.stdout.splitlines())
    assert "in another form" in row["error"]
    assert "strength" not in row
    assert "3 in another form than asked for" in done.stderr


def test_what_was_answered_before_a_refusal_is_kept(tmp_path):
    rows = [SCORE_ROW, {"cause": OTHER, "effect": EFFECT}]
    given = ("score", "-", "--judge", "chat", "--cache", tmp_path / "own")
    with serving(says("<answer>64</answer>"), Reply("no credit", 402)) as server:
        done = invoke(*given, lines=rows, **chat(server))
        assert isinstance(done.exception, ModelError)
        assert "1 answers of tiny-chat" in done.stderr
        server.replies[:] = [says("<answer>5</answer>")]
        assert [row["strength"] for row in run(*given, lines=rows, **chat(server))] == [64, 5]
    assert len(server.asked) == 3
    assert (tmp_path / "own").is_dir()


def test_a_chat_model_must_be_named():
    done = invoke("choose", "-", "--judge", "chat", lines=[CHOOSE_ROW])
    assert isinstance(done.exception, InputError)
    assert f"{URL} is not set" in str(done.exception)
    assert isinstance(invoke("score", "-", "--ask", "choice", lines=[SCORE_ROW]).exception, InputError)


def test_rows_are_written_to_a_file_whole(tmp_path):
    out = tmp_path / "scored.jsonl"
    assert run("score", "-", "-o", out, lines=[SCORE_ROW]) == []
    assert json.loads(out.read_text(encoding="utf-8"))["id"] == 7


@pytest.mark.slow
def test_two_processes_may_share_the_answers(tmp_path):
    """Real processes, so that the cache is seen through the disk alone."""
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps({**SCORE_ROW, "cause": f"{CAUSE} {n}"}) + "\n" for n in range(8)))
    command = [sys.executable, "-m", "whywire", "score", str(rows), "--judge", "chat"]
    with serving(says("<answer>64</answer>")) as server:
        environment = {**os.environ, **chat(server)}
        started = [subprocess.Popen(command, env=environment, stdout=-1, stderr=-1, text=True) for _ in range(2)]
        outs = [process.communicate(timeout=120) for process in started]
    assert [process.returncode for process in started] == [0, 0], outs
    assert outs[0][0] == outs[1][0]
    assert outs[0][0].count('"strength": 64') == 8
    assert 8 <= len(server.asked) <= 16
