from __future__ import annotations

import errno
import json
import math
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whywire import Article, build
from whywire.errors import OutputError
from whywire.graph.build_folder import read_graph
from whywire.output import OutputFolder, current_path, json_text

everything = st.text(st.characters(codec=None))


def files_in(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_files_appear_together_at_the_end(tmp_path: Path) -> None:
    target = tmp_path / "a" / "b"
    with OutputFolder(target) as folder:
        folder.write("page.html", "Привет")
        folder.write("data.bin", b"\x00\xff")
        folder.write_rows("rows.jsonl", [{"a": 1}, {"b": "ё"}])
        assert not [file for file in target.iterdir() if not file.name.startswith(".")]
    assert files_in(target) == {
        "page.html": "Привет".encode(),
        "data.bin": b"\x00\xff",
        "rows.jsonl": '{"a": 1}\n{"b": "ё"}\n'.encode(),
    }


def test_new_files_replace_old_ones_and_others_stay(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("old")
    (tmp_path / "mine.txt").write_text("mine")
    with OutputFolder(tmp_path) as folder:
        folder.write("page.html", "new")
    assert files_in(tmp_path) == {"page.html": b"new", "mine.txt": b"mine"}


def write_all(target: Path, files: dict[str, str], error: BaseException | None = None) -> None:
    with OutputFolder(target) as folder:
        for name, content in files.items():
            folder.write(name, content)
        if error:
            raise error


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), OSError(errno.EIO, "elsewhere")])
def test_after_an_error_the_old_files_are_there(tmp_path: Path, error: BaseException) -> None:
    (tmp_path / "page.html").write_text("old")
    with pytest.raises(type(error)) as raised:
        write_all(tmp_path, {"page.html": "new"}, error)
    assert raised.value is error
    assert files_in(tmp_path) == {"page.html": b"old"}


def test_created_folders_are_removed_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no"), OutputFolder(tmp_path / "a" / "b"):
        raise ValueError("no")
    assert not (tmp_path / "a").exists()


def test_a_row_that_is_not_json_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON compliant"), OutputFolder(tmp_path) as folder:
        folder.write_rows("rows.jsonl", [{"a": 1}, {"a": math.nan}])
    assert files_in(tmp_path) == {}


def test_a_folder_with_the_name_of_a_file_restores_the_old_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "c.txt").mkdir()
    with pytest.raises(OutputError) as raised:
        write_all(tmp_path, {"a.txt": "new", "b.txt": "new", "c.txt": "new"})
    assert raised.value.where == str(tmp_path / "c.txt")
    assert "there is a folder of this name" in str(raised.value)
    assert (tmp_path / "a.txt").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "c.txt"]


@pytest.mark.parametrize("below", ["", "deeper", "deeper/still"])
def test_a_file_with_the_name_of_the_folder(tmp_path: Path, below: str) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(OutputError) as raised, OutputFolder(tmp_path / "taken" / below):
        pytest.fail("the folder cannot have been opened")
    assert str(tmp_path / "taken") in str(raised.value)
    assert raised.value.hint is not None
    assert "file; choose another folder" in raised.value.hint


def test_a_folder_without_write_permission() -> None:
    if not Path("/proc/self").exists():
        pytest.skip("there is no /proc here")
    with pytest.raises(OutputError) as raised, OutputFolder("/proc/self/whywire"):
        pytest.fail("the folder cannot have been opened")
    assert raised.value.where == "/proc/self/whywire"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 KiB."""
    mounted = tmp_path / "disk"
    mounted.mkdir()
    try:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", mounted], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"a small disk cannot be mounted here: {error}")
    yield mounted
    subprocess.run(["umount", mounted], check=True)


def test_a_full_disk_leaves_everything_as_it_was(small_disk: Path) -> None:
    (small_disk / "page.html").write_text("old")
    with pytest.raises(OutputError) as raised:
        write_all(small_disk, {"page.html": "new", "large.jsonl": "x" * 100_000})
    assert raised.value.where == str(small_disk / "large.jsonl")
    assert raised.value.hint == "free some space on the disk or choose another folder"
    assert files_in(small_disk) == {"page.html": b"old"}


def test_the_error_of_a_full_device_is_reported(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    with OutputFolder(tmp_path) as folder:
        draft = next(path for path in tmp_path.iterdir() if path.is_dir())
        (draft / "page.html").symlink_to("/dev/full")
        with pytest.raises(OutputError, match="no space left on device"):
            folder.write("page.html", "new")
        (draft / "page.html").unlink()
    assert files_in(tmp_path) == {}


def test_writing_outside_the_with_block_raises(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="inside its with block"):
        OutputFolder(tmp_path).write("page.html", "new")


@settings(deadline=None)
@given(st.dictionaries(everything, st.lists(everything, max_size=3), max_size=3))
def test_json_is_one_line_of_utf8_that_reads_back(value: dict[str, list[str]]) -> None:
    text = json_text(value)
    assert "\n" not in text
    assert json.loads(text.encode("utf-8")) == value


KILLED = """
import os, signal, sys
from pathlib import Path
from whywire.output import OutputFolder

left = int(sys.argv[2])

blocked = len(sys.argv) > 3

def count(event, arguments):
    global left, blocked
    if blocked and event == "os.rename":  # something comes into the way of the last file, after all was looked at
        blocked = False
        os.mkdir(sys.argv[1] + "/new.txt")
        return
    if event in ("os.rename", "os.link", "os.mkdir", "os.remove", "os.rmdir", "os.unlink"):
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1

with OutputFolder(sys.argv[1]) as folder:
    for name in ("a.txt", "b.txt", "c.txt", "new.txt"):
        folder.write(name, "new")
    sys.addaudithook(count)
"""

OLD = dict.fromkeys(["a.txt", "b.txt", "c.txt"], "old")
NEW = dict.fromkeys([*OLD, "new.txt"], "new")


def as_read(folder: Path) -> dict[str, str]:
    """What a reader finds."""
    paths = {name: current_path(folder, name) for name in NEW}
    return {name: path.read_text() for name, path in paths.items() if path.is_file()}


@pytest.mark.slow
def test_killed_at_any_step_readers_see_all_old_or_all_new_files_and_the_next_writer_finishes(tmp_path: Path) -> None:
    seen = []
    for step in range(100):
        folder = tmp_path / str(step)
        folder.mkdir()
        for name, content in OLD.items():
            (folder / name).write_text(content)
        (folder / "mine.txt").write_text("mine")
        done = subprocess.run([sys.executable, "-c", KILLED, folder, str(step)], check=False)
        seen.append(as_read(folder))
        assert seen[-1] in (OLD, NEW)
        with OutputFolder(folder) as next_one:
            next_one.write("later.txt", "later")
        assert {name: data.decode() for name, data in files_in(folder).items()} == {
            **seen[-1],
            "mine.txt": "mine",
            "later.txt": "later",
        }
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
    else:
        pytest.fail("it is killed for ever")
    assert seen.index(NEW) >= 2
    assert seen[-1] == NEW


@pytest.mark.slow
def test_killed_while_rolling_back_readers_see_all_old_or_all_new_files(tmp_path: Path) -> None:
    for step in range(100):
        folder = tmp_path / str(step)
        folder.mkdir()
        for name, content in OLD.items():
            (folder / name).write_text(content)
        done = subprocess.run(
            [sys.executable, "-c", KILLED, folder, str(step), "blocked"], check=False, capture_output=True
        )
        assert as_read(folder) in (OLD, NEW)
        if done.returncode != -signal.SIGKILL:
            break
    assert b"there is a folder of this name" in done.stderr
    assert as_read(folder) == OLD
    assert step > 5
    assert sorted(path.name for path in folder.iterdir()) == sorted([*OLD, "new.txt"])


def test_a_symbolic_link_is_restored_after_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (tmp_path / "real.txt").write_text("real")
    (folder / "a.txt").symlink_to(tmp_path / "real.txt")
    (folder / "b.txt").symlink_to(tmp_path / "nowhere")
    os.mkfifo(folder / "c.txt")
    with pytest.raises(OutputError, match="there is a pipe or a device of this name"):
        write_all(folder, dict.fromkeys(OLD, "new"))
    assert (folder / "a.txt").readlink() == tmp_path / "real.txt"
    assert (folder / "b.txt").readlink() == tmp_path / "nowhere"
    assert (tmp_path / "real.txt").read_text() == "real"
    assert (folder / "c.txt").is_fifo()


def test_the_staging_folder_of_a_running_writer_is_kept(tmp_path: Path) -> None:
    with OutputFolder(tmp_path) as slow:
        slow.write("slow.txt", "slow")
        with OutputFolder(tmp_path) as quick:
            quick.write("quick.txt", "quick")
        assert (tmp_path / "quick.txt").exists()
    assert files_in(tmp_path) == {"slow.txt": b"slow", "quick.txt": b"quick"}


def test_two_writers_at_once_never_mix_their_files(tmp_path: Path) -> None:
    def write(word: str) -> None:
        for _ in range(20):
            write_all(tmp_path, dict.fromkeys(NEW, word))

    threads = [threading.Thread(target=write, args=(word,)) for word in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(as_read(tmp_path).values())) == 1
    assert sorted(files_in(tmp_path)) == sorted(NEW)


def test_a_reader_of_graphs_looks_into_the_journal(tmp_path: Path) -> None:
    news = [Article("a", "Storm hits the coast"), Article("b", "Ferry sinks off the cape")]
    for name, articles in (("old", news[:1]), ("new", news)):
        build(articles).write(tmp_path / name, title=name, inputs=[])
    (tmp_path / "new").rename(tmp_path / "old" / ".whywire-journal")
    assert set(read_graph(tmp_path / "old").articles) == {"a", "b"}
