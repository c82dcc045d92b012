"""The commands as a person runs them: real processes, real files, real pipes."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from tests.cli import commands
from tests.conftest import ROOT

from whywire.errors import WhywireError

WHYWIRE = [sys.executable, "-m", "whywire"]


def run(*arguments, stdin="", cwd=None):
    return subprocess.run(
        [*WHYWIRE, *map(str, arguments)],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        cwd=cwd,
        env=os.environ | {"COLUMNS": "200", "NO_COLOR": "1"},
        check=False,
    )


def rows(done):
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def news_file(tmp_path, count=6):
    lines = (ROOT / "examples" / "news.jsonl").read_text(encoding="utf-8").splitlines()[:count]
    path = tmp_path / "news.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_read_answers_lines_and_objects_in_order_and_names_what_it_cannot_use():
    done = run(
        "read",
        "-",
        stdin="Fuel ran short because the refinery burned down.\n\n"
        '{"id": 7, "text": "Had the dam held, the town would not have flooded."}\n'
        '{"id": 8}\n{broken\n{"text": "  "}\n',
    )
    assert done.returncode == 0, done.stderr
    plain, imagined, empty, broken, blank = rows(done)
    relation = plain["relations"][0]
    assert plain["text"][slice(*relation["cause"])] == "the refinery burned down"
    assert plain["text"][slice(*relation["effect"])] == "Fuel ran short"
    assert [plain["text"][slice(*signal)] for signal in relation["signals"]] == ["because"]
    assert plain["counterfactual"] < 0.5 < plain["causal"]
    assert imagined["id"] == 7
    assert imagined["counterfactual"] > 0.5
    assert imagined["text"][slice(*imagined["antecedent"])] == "Had the dam held"
    assert imagined["text"][slice(*imagined["consequent"])] == "the town would not have flooded"
    assert empty == {"id": 8, "error": "standard input:4: there is no text"}
    assert "standard input:5: broken JSON" in broken["error"]
    assert "empty" in blank["error"]


def test_relate_mirrors_and_speaks_of_the_clock():
    effect = "Calder Bay schools stay closed after power cut"
    pair = {"left_title": "Storm cuts power to 40,000 homes in Calder Bay", "right_title": effect}
    back = {"left_title": pair["right_title"], "right_title": pair["left_title"]}
    late = pair | {"left_published": "2026-03-04T10:00:00Z", "right_published": "2026-03-03T10:00:00Z"}
    asked = "\n".join(map(json.dumps, [pair, back, late, {"left_title": "x"}]))
    forth, mirror, against, bad = commands.rows("relate", "-", stdin=asked)
    assert forth["probabilities"]["left_right_cause"] == mirror["probabilities"]["right_left_cause"]
    assert forth["probabilities"]["same_event"] == mirror["probabilities"]["same_event"]
    assert forth["same_event"] == mirror["same_event"]
    assert sum(forth["probabilities"].values()) == pytest.approx(1, abs=1e-3)
    assert forth["label"].startswith("left_right_")
    assert mirror["label"] == forth["label"].replace("left_right", "right_left")
    assert against["against_clock"] is True
    assert "against_clock" not in forth
    assert bad["error"].endswith("there is no right_title")


def test_group_keeps_rows_in_order_and_adds_event_and_story(tmp_path):
    path = news_file(tmp_path)
    out = tmp_path / "grouped.jsonl"
    commands.run("group", path, "--out", out)
    before = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    after = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    added = [{name: row[name] for name in ("event", "story")} for row in after]
    assert [row | new for row, new in zip(before, added, strict=True)] == after
    assert len({(row["event"], row["story"]) for row in added}) == len({row["event"] for row in added})


def test_strict_stops_at_the_first_bad_row_and_leaves_no_output(tmp_path):
    out = tmp_path / "answers.jsonl"
    done = run("read", "-", "--strict", "--out", out, stdin='{"text": "Good."}\n{"text": 3}\n')
    assert done.returncode == 2
    assert "standard input:2" in done.stderr.decode()
    assert not out.exists()


def test_build_writes_every_file_and_a_summary(tmp_path):
    path = news_file(tmp_path, 5)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"text": "no title"}\n[1, 2]\n')
    done = run("build", path, "--out", tmp_path / "graph")
    assert done.returncode == 0, done.stderr
    assert sorted(file.name for file in (tmp_path / "graph").iterdir()) == [
        "articles.jsonl",
        "claims.jsonl",
        "events.jsonl",
        "graph.graphml",
        "graph.json",
        "in_short.jsonl",
        "links.jsonl",
        "rejected.jsonl",
        "report.html",
        "run.json",
    ]
    assert "5 articles tell of" in done.stdout.decode()
    assert "report.html" in done.stdout.decode()
    rejected = [json.loads(line) for line in (tmp_path / "graph" / "rejected.jsonl").read_text().splitlines()]
    assert [row["place"] for row in rejected] == [f"{path}:6", f"{path}:7"]
    counts = json.loads((tmp_path / "graph" / "run.json").read_text())["counts"]
    assert (counts["articles"], counts["rejected"]) == (5, 2)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "no article could be read"),
        (b'{"title": "caf\xe9"}\n', "not UTF-8"),
        (b'{"text": "x"}\n', "there is no title"),
    ],
)
def test_input_without_a_single_article_is_unusable_and_says_why(tmp_path, content, reason):
    path = tmp_path / "news.jsonl"
    path.write_bytes(content)
    done = run("build", path, "--out", tmp_path / "graph")
    assert done.returncode == 2
    assert reason in (done.stderr + done.stdout).decode()
    assert str(path) in (done.stderr + done.stdout).decode()


def test_odd_rows_come_through_and_what_was_mended_is_noted(tmp_path):
    odd = [
        {"title": "From the year one", "published": "0001-01-01T00:00:00+03:00"},
        {"title": "From the far future", "published": "9999-12-31T23:59:59-12:00"},
        {"title": "Bell \x07 and null \x00", "text": "a\x00b"},
        {"title": "‮right to left‬ שלום"},
        {"title": "Ten megabytes", "text": "Water rose again. " * 600_000},
        {"id": "twin", "title": "First of two"},
        {"id": "twin", "title": "Second of two"},
    ]
    path = tmp_path / "news.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in odd), encoding="utf-8")
    done = run("build", path, "--out", tmp_path / "graph")
    assert done.returncode == 0, done.stderr
    rejected = [json.loads(line) for line in (tmp_path / "graph" / "rejected.jsonl").read_text().splitlines()]
    assert {(row["place"], row["kept"]) for row in rejected} == {
        (f"{path}:1", True),
        (f"{path}:2", True),
        (f"{path}:5", True),
        (f"{path}:6", False),
    }
    assert json.loads((tmp_path / "graph" / "run.json").read_text())["counts"]["articles"] == 6


def test_an_output_that_cannot_be_written_is_said_before_the_work(tmp_path):
    (tmp_path / "file").write_text("in the way")
    done = run("build", news_file(tmp_path), "--out", tmp_path / "file" / "graph")
    assert done.returncode == 1
    assert "cannot be written" in done.stderr.decode()
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_missing_file_is_named(tmp_path):
    done = run("build", tmp_path / "none.jsonl", "--out", tmp_path / "graph")
    assert done.returncode == 2
    assert "none.jsonl: no such file" in done.stderr.decode()
    assert not (tmp_path / "graph").exists()


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_leaves_nothing_behind(tmp_path):
    process = subprocess.Popen(
        [*WHYWIRE, "build", str(ROOT / "examples" / "news.jsonl"), "--out", str(tmp_path / "graph")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    while not (tmp_path / "graph").exists():  # made when the articles have been read
        time.sleep(0.05)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"stopped" in complaint
    assert not list(tmp_path.glob("graph/*"))


def test_wrong_usage_is_status_two():
    assert run("build").returncode == 2
    assert run("nonsense").returncode == 2


def test_group_takes_a_stream_row_by_row_and_answers_before_the_next_comes():
    process = subprocess.Popen(
        [*WHYWIRE, "group", "-", "--stream"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdin is not None
    assert process.stdout is not None

    def told(row):
        process.stdin.write(json.dumps(row).encode() + b"\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    first = told({"id": "a", "title": "Ferry runs aground off Karvala, 120 taken off", "published": "2026-03-02"})
    other = told({"id": "b", "title": "Vellmark Bank names new chief executive", "published": "2026-03-02"})
    again = told({"id": "c", "title": "120 rescued as ferry runs aground near Karvala", "published": "2026-03-02"})
    broken = told({"id": "d", "title": 7})
    process.stdin.close()
    assert process.wait(timeout=60) == 0
    assert (first["event"], first["step"]) == ("a", "opened")
    assert (other["event"], other["step"]) == ("b", "opened")
    assert (again["event"], again["step"], again["nearest"]["id"]) == ("a", "joined", "a")
    assert "standard input:4" in broken["error"]
    process.stdout.close()


def test_a_command_starts_without_what_only_research_needs():
    heavy = {"catboost", "matplotlib", "scipy", "sklearn", "torch", "transformers"}
    code = f"import sys, whywire.cli.app; print(sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]", "import it where it is used: every command would wait for it"


def test_a_build_that_runs_out_of_memory_names_the_longest_article_and_keeps_the_last_build(tmp_path, monkeypatch):
    news, out = tmp_path / "news.jsonl", tmp_path / "out"
    news.write_text('{"title": "Fire", "text": "It burned."}\n{"title": "Доклад", "text": "Буря. Буря. Буря."}\n')
    out.mkdir()
    (out / "events.jsonl").write_text("{}\n")
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    monkeypatch.setattr("whywire.cli.building.build_graph", lambda *_, **__: np.zeros(2**50))
    message = commands.run("build", news, "--out", out, fails=WhywireError)
    assert "news.jsonl:2: memory ran out" in message
    assert "with 17 characters" in message
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
