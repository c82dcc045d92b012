"""Backfills that are killed with ``kill -9`` at a chosen point: before a statement of SQL, or at a file.

A process that has everything loaded forks each of them.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event
from tests.conftest import ROOT
from tests.fake_models import FakeLanguageModels

from whywire import backfill

SMALL = {"READ_ROWS": 7, "TAKEN_AT_ONCE": 8}
"""Rows of a transaction and articles of an update, so that a small archive has many of both."""

_FILE_EVENTS = {"os.rename", "os.mkdir", "os.link", "os.remove", "shutil.rmtree"}


def serve() -> None:
    """Fork a backfill for each line ``[options, point]``; answer how it ended, and how many points it passed."""
    models = FakeLanguageModels()
    for line in sys.stdin:
        options, point = json.loads(line)
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            status = 1
            try:
                passed = _count_points(point)
                _fill_in(options, models)
                os.write(writing, str(passed[0]).encode())
                status = 0
            finally:
                os._exit(status)
        os.close(writing)
        _, status = os.waitpid(child, 0)
        points = os.read(reading, 20).decode()
        os.close(reading)
        ended = "killed" if os.WIFSIGNALED(status) else f"ended {os.waitstatus_to_exitcode(status)}"
        sys.stdout.write(json.dumps([ended, int(points or 0)]) + "\n")
        sys.stdout.flush()


def _fill_in(options: dict[str, Any], models: FakeLanguageModels) -> None:
    for name, value in SMALL.items():
        setattr(sys.modules["whywire.api.backfill"], name, value)
    backfill(**options, models=models)


def _count_points(kill_at: int | None) -> list[int]:
    passed = [0]

    def pass_point(*_: object) -> None:
        passed[0] += 1
        if passed[0] == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(Engine, "before_cursor_execute", pass_point)
    event.listen(Engine, "commit", pass_point)
    sys.addaudithook(lambda name, _: pass_point() if name in _FILE_EVENTS else None)
    return passed


class Backfills:
    """Backfills of a process that forks them."""

    def __init__(self, stack: ExitStack) -> None:
        command = [sys.executable, "-c", "from tests.api.killed_backfills import serve; serve()"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._server = stack.enter_context(subprocess.Popen(command, **pipes, text=True, cwd=ROOT))
        stack.callback(self._server.stdin.close)

    def run(self, kill_at: int | None = None, **options: object) -> tuple[str, int]:
        """Run one; return how it ended and, if nobody killed it, how many points it passed."""
        given = {name: str(value) if isinstance(value, Path) else value for name, value in options.items()}
        self._server.stdin.write(json.dumps([given, kill_at]) + "\n")
        self._server.stdin.flush()
        ended, points = json.loads(self._server.stdout.readline())
        return ended, points
