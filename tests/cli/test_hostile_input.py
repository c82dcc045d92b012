"""What commands do with input and output that somebody made to break them, or that broke by itself."""

import json
import os
import pty
import subprocess
import sys
import threading

import pytest
from tests.cli.commands import run

from whywire.errors import InputError, escape_invisible

WHYWIRE = [sys.executable, "-m", "whywire"]

MARKUP = ["[/b] Storm cuts power in Calder Bay", "[LIVE] Castra rowing club wins the national cup"]
LINK = "[link=https://evil.example]Dam bursts above Orrin[/link] :smile:"


def news(path, titles, **more):
    path.write_text("".join(json.dumps({"title": title, **more}) + "\n" for title in titles), encoding="utf-8")
    return path


def shell(*arguments, stdin=b"", **environment):
    command = [*WHYWIRE, *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, env={**os.environ, **environment}, check=False)


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def tampered(week, tmp_path):
    """A build whose titles hold what a terminal obeys or cannot show."""
    folder = tmp_path / "tampered"
    folder.mkdir()
    for name, data in content(week).items():
        (folder / name).write_bytes(data)
    rows = [json.loads(line) for line in (week / "events.jsonl").read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row["title"] = f"\x1b[31m\ud800\u202e[/b] {row['title']}"
    (folder / "events.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


@pytest.mark.parametrize("bad", [b"", b"\n\n", b"{broken\n", b'{"text": "no title"}\n'])
def test_a_build_without_an_article_leaves_a_good_folder_as_it_was(week, tmp_path, bad):
    folder = tmp_path / "graph"
    folder.mkdir()
    for name, data in content(week).items():
        (folder / name).write_bytes(data)
    (tmp_path / "bad.jsonl").write_bytes(bad)
    done = shell("build", tmp_path / "bad.jsonl", "--out", folder)
    assert done.returncode == 2
    assert b"Open" not in done.stdout
    assert b"no article could be read" in done.stderr
    assert content(folder) == content(week)


def test_a_build_whose_articles_are_all_no_news_leaves_the_folder_as_it_was(week, tmp_path):
    path = news(tmp_path / "news.jsonl", ["Horoscope for Tuesday: what the stars say for Aries and Leo"])
    assert "no article" in run("build", path, "--news-only", "--out", tmp_path / "graph", fails=InputError)
    assert not (tmp_path / "graph").exists()


def test_headlines_are_no_markup(tmp_path):
    path = news(tmp_path / "news.jsonl", [*MARKUP, LINK], published="2026-03-04T10:00:00Z")
    bad = tmp_path / "bad[green].jsonl"
    bad.write_text('{"text": "[/b]"}\n', encoding="utf-8")
    told = run("build", path, bad, "--out", tmp_path / "a[/]b")
    assert f"Open {tmp_path}/a[/]b/report.html" in told
    assert f"{bad}:1" in told
    told = run("merge", tmp_path / "a[/]b", "--out", tmp_path / "[bold]c")
    assert told.endswith("[bold]c/report.html in a browser.\n")
    listed = run("timeline", path)
    for title in MARKUP:
        assert title in listed
    told = run("why", LINK, "--news", tmp_path / "a[/]b")
    assert LINK in told


def test_what_a_terminal_obeys_is_made_visible(week, tampered):
    told = run("diff", week, tampered)
    assert "\\x1b[31m\\ud800\\u202e[/b]" in told
    event = json.loads((tampered / "events.jsonl").read_text(encoding="utf-8").splitlines()[0])["id"]
    for command in ("why", "effects"):
        told += run(command, event, "--news", tampered)
    assert escape_invisible(told.replace("\n", " ")) == told.replace("\n", " ")


def test_rows_on_a_terminal_hold_nothing_that_it_obeys():
    done = shell("read", "-", stdin=json.dumps({"text": "Fuel ran short \x9b31m\x1b[31m"}).encode())
    assert done.returncode == 0
    assert not {"\x9b", "\x1b"} & set(done.stdout.decode())


def test_errors_show_what_a_terminal_obeys(tmp_path):
    done = shell("build", tmp_path / "a\x1b[31m\u202eb.jsonl", "--out", tmp_path / "graph")
    assert done.returncode == 2
    assert "a\\x1b[31m\\u202eb.jsonl: no such file" in done.stderr.decode()


DEEP = '{"title": "Storm", "text": ' + "[" * 900 + "]" * 900 + "}"
BAD_ROWS = [
    '{"a": 1e400}',
    '{"a": -1e400, "title": "Storm hits the coast"}',
    DEEP,
    "[" * 100_000,
    '{"a": ' + "1" * 5000 + "}",
    '{"title": "\\ud800", "text": "\\udfff", "left_title": "\\ud800", "right_title": "x", "cause": "\\ud800"}',
    '{"title": "x", "published": 1e300, "id": 1e300}',
    '{"options": ["\\ud800", {}], "effect": "\\ud800"}',
    "\ufeff{}",
    '"text"',
]
GOOD_ROW = {
    "text": "Fuel ran short because the refinery burned down.",
    "title": "Refinery burns down",
    "left_title": "Refinery burns down",
    "right_title": "Fuel runs short",
    "cause": "Refinery burns down",
    "effect": "Fuel runs short",
    "options": ["Refinery burns down", "Actor wins prize"],
}


@pytest.mark.parametrize(
    "command",
    [["read"], ["relate"], ["score"], ["choose"], ["group"], ["group", "--stream"], ["predict", "--graph", "WEEK"]],
)
def test_a_bad_row_gets_an_error_and_the_others_come_through(tmp_path, week, command):
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join([json.dumps(GOOD_ROW), *BAD_ROWS, json.dumps(GOOD_ROW)]), encoding="utf-8")
    arguments = [str(week) if part == "WEEK" else part for part in command]
    found = [json.loads(line) for line in run(arguments[0], path, *arguments[1:]).splitlines()]
    assert len(found) == len(BAD_ROWS) + 2
    assert "error" not in found[0]
    assert "error" not in found[-1]
    for number, line in enumerate(BAD_ROWS[:5]):
        if command != ["read"] or line.startswith("{"):  # all else is a sentence to read
            assert f"{path}:{number + 2}: " in found[number + 1]["error"]


def test_a_bad_row_does_not_end_a_build(tmp_path):
    path = tmp_path / "news.jsonl"
    path.write_text("\n".join([*BAD_ROWS, json.dumps(GOOD_ROW)]), encoding="utf-8")
    run("build", path, "--out", tmp_path / "graph")
    rejected = [json.loads(line) for line in (tmp_path / "graph" / "rejected.jsonl").read_text().splitlines()]
    assert {f"{path}:{number}" for number in range(1, 6)} < {row["place"] for row in rejected}
    assert "nested too deeply" in next(row["reason"] for row in rejected if row["place"] == f"{path}:3")


def test_a_line_longer_than_asked_for_is_no_row(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(f"{'x' * 3000}\nFuel ran short because the refinery burned down.\n", encoding="utf-8")
    long, good = (json.loads(line) for line in run("read", path, "--max-line", "0.002").splitlines())
    assert long["error"] == f"{path}:1: a line of more than 2,000 characters"
    assert good["relations"]
    assert "no article" in run("build", path, "--max-line", 0.001, "--out", tmp_path / "graph", fails=InputError)


def through(pipe, command):
    """What a command writes into a pipe with a name."""
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    done = shell(*command, stdin=b"Fuel ran short because the refinery burned down.\n")
    reader.join(timeout=60)
    assert done.returncode == 0, done.stderr
    assert pipe.is_fifo()
    return b"".join(read)


def test_a_pipe_or_a_device_is_written_to_and_stays_one(tmp_path, week):
    assert b'"relations"' in through(tmp_path / "rows", ["read", "-", "--out", tmp_path / "rows"])
    assert b"digraph" in through(tmp_path / "dot", ["export", week, "--to", "dot", "--out", tmp_path / "dot"])
    leader, follower = pty.openpty()
    terminal = os.ttyname(follower)
    run("export", week, "--to", "mermaid", "--out", terminal)
    assert b"flowchart" in os.read(leader, 100)
    os.close(follower)
    os.close(leader)


def test_a_link_to_a_file_stays_a_link(tmp_path, week):
    (tmp_path / "real.dot").write_text("old")
    (tmp_path / "link.dot").symlink_to(tmp_path / "real.dot")
    run("export", week, "--to", "dot", "--out", tmp_path / "link.dot")
    assert (tmp_path / "link.dot").is_symlink()
    assert "digraph" in (tmp_path / "real.dot").read_text()


def test_a_dash_is_standard_output(tmp_path, week, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("export", week, "--to", "dot", "--out", "-") == run("export", week, "--to", "dot")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "out"),
    [("build", "-"), ("merge", ""), (("export", "--to", "csv"), "-"), (("export", "--to", "dot"), "")],
)
def test_a_folder_needs_a_name(tmp_path, week, monkeypatch, command, out):
    monkeypatch.chdir(tmp_path)
    name, *options = [command] if isinstance(command, str) else command
    done = shell(name, week / "articles.jsonl" if name == "build" else week, *options, "--out", out)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_rows_come_through_a_pipe_with_a_name(tmp_path):
    pipe = tmp_path / "pipe"
    for command in (["read"], ["build", "--out", tmp_path / "graph"]):
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_bytes, args=(json.dumps(GOOD_ROW).encode(),))
        writer.start()
        done = shell(command[0], pipe, *command[1:])
        writer.join(timeout=60)
        assert done.returncode == 0, done.stderr
        pipe.unlink()


@pytest.mark.parametrize(
    "encoding", ["ascii", *(pytest.param(name, marks=pytest.mark.slow) for name in ("koi8-r", "utf-16"))]
)
def test_any_standard_output_takes_any_words(tmp_path, week, encoding):
    path = news(tmp_path / "news.jsonl", ["Пожар закрыл завод — 北京 😀"], text="Топлива не хватает из-за пожара.")
    done = shell("build", path, "--out", tmp_path / "graph", PYTHONIOENCODING=encoding)
    assert done.returncode == 0, done.stderr
    done = shell("group", path, PYTHONIOENCODING=encoding)
    assert json.loads(done.stdout.decode("utf-8"))["title"] == "Пожар закрыл завод — 北京 😀"


def test_a_spreadsheet_gets_no_formulas_and_a_program_the_cells_as_they_are(tmp_path):
    title = '=HYPERLINK("https://evil.example","Dam bursts above Orrin")'
    run("build", news(tmp_path / "news.jsonl", [title]), "--out", tmp_path / "graph")
    for option, cell in ([], "'="), (["--raw"], "="):
        run("export", tmp_path / "graph", "--to", "csv", "--out", tmp_path / "csv", *option)
        assert f'"{cell}HYPERLINK' in (tmp_path / "csv" / "nodes.csv").read_text(encoding="utf-8")


def test_corpora_are_listed_without_being_asked_for():
    assert run("data") == run("data", "list")


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_while_a_command_starts_is_no_traceback(tmp_path):
    code = (
        "import os, signal, sys, threading; from whywire.__main__ import main;"
        "sys.argv = ['whywire', 'build', 'none.jsonl', '--out', 'out'];"
        "threading.Timer(float(sys.stdin.read()), os.kill, (os.getpid(), signal.SIGINT)).start(); main()"
    )
    for seconds in (b"0.01", b"0.1", b"0.3"):
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, input=seconds, capture_output=True, check=False, cwd=tmp_path)
        assert done.returncode in (130, 2)  # the second where all was over by then
        assert b"Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_copy_is_listed_and_what_is_left_out_is_named_with_its_place(tmp_path):
    rows = [
        {"id": "a", "url": "https://post.example/1", "title": "Storm hits Calder Bay", "text": "It rained."},
        {"id": "b", "url": "https://post.example/1", "title": "Storm hits Calder Bay", "text": "It rained."},
        {"id": "c", "url": "https://post.example/1", "title": "A storm", "text": "It rained all day in the bay."},
    ]
    path = tmp_path / "news.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows[:2]), encoding="utf-8")
    told = run("build", path, "--out", tmp_path / "copies")
    [article] = map(json.loads, (tmp_path / "copies" / "articles.jsonl").read_text().splitlines())
    assert article["also"] == ["b"]
    assert "left out" not in told
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    told = run("build", path, "--out", tmp_path / "graph")
    assert f"{path}:1: 'Storm hits Calder Bay' is left out: a later version has its url: c, 'A storm'" in told
    run("merge", tmp_path / "copies", "--out", tmp_path / "merged")
    [merged] = map(json.loads, (tmp_path / "merged" / "articles.jsonl").read_text().splitlines())
    assert merged == article
