"""Stores on full, read-only and failing disks: what is acknowledged is there, and who reads writes nothing."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import whywire
from whywire.errors import InputError, WhywireError
from whywire.news import Article
from whywire.store import Store, StoreAwayError


@pytest.fixture
def path(example_file, tmp_path) -> Path:
    """A copy of the store with the example."""
    (tmp_path / "disk").mkdir()
    return Path(shutil.copy(example_file, tmp_path / "disk" / "news.db"))


def run_python(code: str, *arguments: object, prefix: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Run some code in a process of its own, for a minute at most."""
    command = [*prefix, sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def contents(path: Path) -> dict[str, str]:
    """The files of a folder, each with a hash."""
    return {one.name: hashlib.sha256(one.read_bytes()).hexdigest() for one in path.iterdir()}


# Writing.


UPDATE_WITH_LITTLE_ROOM = """
    import resource, sys
    from pathlib import Path
    from tests.fake_models import FakeLanguageModels
    from whywire.errors import OutputError
    from whywire.news import Article
    from whywire.store import Store, Worker

    path = Path(sys.argv[1])
    with Store.open(path, models="rules") as store:
        store.accept([Article(f"n{n}", f"Ferry {n} sinks", text=f"Wave {n} hit it. " * 400) for n in range(20)])
        most = path.stat().st_size + 4096
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        try:
            Worker(store, FakeLanguageModels()).work_all()
        except OutputError as error:
            print(error, store.counts().articles)
"""


def test_an_update_ends_where_the_log_cannot_be_copied_into_the_file_and_what_was_committed_stays(path, example):
    done = run_python(UPDATE_WITH_LITTLE_ROOM, path)
    assert "news.db: the disk failed" in done.stdout, done.stderr
    with Store.open(path, models="rules") as store:
        assert store.counts().articles > len(example)
        assert store.check() == []


def test_an_update_ends_where_deciding_anew_fails(path, fake_models, monkeypatch):
    with Store.open(path, models="rules") as store:
        worker = whywire.store.Worker(store, fake_models)
        worker.work()  # the state it decides by is loaded
        store.accept([Article("n1", "Ferry sinks off the cape")])
        monkeypatch.setattr(store, "tidy", lambda: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            worker.work_all()
        assert store.article("n1") is not None


def move(path: Path) -> None:
    path.rename(path.with_suffix(".away"))


def replace(path: Path) -> None:
    shutil.copy(path, path.with_suffix(".copy"))
    move(path)
    path.with_suffix(".copy").rename(path)


@pytest.mark.parametrize(("fault", "reason"), [(move, "was removed"), (replace, "another file is in the place")])
def test_nothing_is_acknowledged_into_a_file_that_nobody_will_open_again(path, fault, reason):
    with Store.open(path, models="rules") as store:
        store.accept([Article("n1", "Ferry sinks")])
        fault(path)
        there = contents(path.parent)
        for _ in range(3):
            with pytest.raises(StoreAwayError, match=reason):
                store.accept([Article("n2", "Dam holds")])
        assert contents(path.parent) == there, "no empty store came in its place"
        path.with_suffix(".away").rename(path)
        assert [one.outcome for one in store.accept([Article("n2", "Dam holds")])] == ["new"]
        assert store.waiting() == 2


def test_nothing_is_written_into_a_store_in_which_damage_was_found(path):
    with Store.open(path, models="rules") as store:
        content = bytearray(path.read_bytes())
        for place in range(4096 * 3, len(content) - 4096, 4096):
            content[place : place + 200] = b"\xff" * 200
        path.write_bytes(content)
        with pytest.raises(StoreAwayError, match="damaged"):
            store.graph()
        with pytest.raises(StoreAwayError, match="damaged"):
            store.accept([Article("n1", "Ferry sinks")])


# Reading.

READERS = {
    "doctor": lambda path, _: whywire.doctor(path),
    "open_graph": lambda path, _: whywire.open_graph(path).events[0],
    "export": lambda path, _: whywire.export(str(path), "json"),
    "backup": lambda path, out: whywire.backup(path, out / "copy.db"),
    "restore": lambda path, out: whywire.restore(path, out / "restored.db"),
    "diff": lambda path, _: whywire.diff(str(path), f"sqlite:///{path}"),
}


@pytest.mark.parametrize("name", READERS)
def test_who_reads_a_store_changes_no_byte_and_leaves_no_file(path, tmp_path, name):
    before = contents(path.parent)
    READERS[name](path, tmp_path)
    assert contents(path.parent) == before


def test_a_backup_is_read_as_it_is(path, tmp_path):
    whywire.backup(path, tmp_path / "disk" / "copy.db")
    before = contents(path.parent)
    whywire.doctor(tmp_path / "disk" / "copy.db")
    assert contents(path.parent) == before


def test_what_a_killed_process_left_in_the_log_is_read_and_stays_there(path):
    accept_and_die = """
        import os, sys
        from whywire.news import Article
        from whywire.store import Store
        store = Store.open(sys.argv[1], models="rules")
        store.accept([Article("n1", "Ferry sinks")])
        os._exit(0)
    """
    run_python(accept_and_die, path)
    before = contents(path.parent)
    assert before.keys() == {"news.db", "news.db-wal", "news.db-shm"}
    with Store.open(path, read_only=True, models="rules") as store:
        assert store.waiting() == 1
        assert store.check() == []
    after = contents(path.parent)
    assert [after[name] for name in ("news.db", "news.db-wal")] == [
        before[name] for name in ("news.db", "news.db-wal")
    ]


READ_ON_A_READ_ONLY_DISK = """
    import sys, whywire
    from whywire.errors import WhywireError
    path, out = sys.argv[1:]
    whywire.doctor(path)
    whywire.backup(path, out + "/copy.db")
    assert whywire.open_graph(path).events == whywire.open_graph(out + "/copy.db").events != ()
    try:
        whywire.update([{"title": "Ferry sinks"}], path)
    except WhywireError as error:
        print(error)
"""


def test_a_store_on_a_read_only_disk_is_read_and_a_writer_is_told(path, tmp_path):
    bind = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
    prefix = ("unshare", "--mount", "sh", "-c", bind, str(path.parent))
    if (
        shutil.which("unshare") is None
        or subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode
    ):
        pytest.skip("this user may mount nothing")
    before = contents(path.parent)
    done = run_python(READ_ON_A_READ_ONLY_DISK, path, tmp_path, prefix=prefix)
    assert "cannot be opened for writing" in done.stdout, done.stderr
    assert contents(path.parent) == before


def test_who_may_not_read_is_told_of_reading(path):
    (path.parent / "news.db-wal").mkdir()  # so that the log cannot be opened
    with pytest.raises(InputError, match="for reading"):
        whywire.doctor(path)


def test_a_store_that_is_written_while_it_is_read_without_locks_is_an_error(path, updates):
    with Store.open(path, read_only=True, models="rules") as reader:
        assert reader.last_change()
        with Store.open(path, models="rules") as writer:
            writer.accept([Article("n1", "Ferry sinks")])
        with pytest.raises(StoreAwayError, match="was written while it was read"):
            reader.graph()


def test_who_reads_can_not_write(path):
    with Store.open(path, read_only=True, models="rules") as store, pytest.raises(WhywireError):
        store.accept([Article("n1", "Ferry sinks")])


def test_a_store_that_is_used_is_read_with_what_was_committed_last(path, updates):
    with Store.open(path, models="rules") as writer:
        writer.accept([Article("n1", "Ferry sinks")])
        with Store.open(path, read_only=True, models="rules") as reader:
            assert reader.waiting() == 1
            writer.accept([Article("n2", "Dam holds")])
            assert reader.waiting() == 2
