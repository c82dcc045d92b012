"""Worker processes: their names, which of them have died, and which articles kill a process.

The name of a worker holds its machine and process number, so that other workers of the machine notice its death.

A worker may die of one of its articles, which needs too much memory or crashes a library; or somebody killed it, or
the machine was turned off. To find out, the articles are tried in a forked process, which shares the loaded models.
An article is blamed only if the fork died of it while this process lived on. When a worker is killed, its fork is
killed with it, and no article is blamed.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from uuid import uuid4

from whywire.news import Article

_RUN = uuid4().hex[:8]
"""Distinguishes this process from an earlier one with the same number: in a container the number is often 1."""

_NUMBERS = count(1)


def process_name() -> str:
    """A name for a worker of this process."""
    return f"{socket.gethostname()}:{os.getpid()}:{_RUN}:{next(_NUMBERS)}"


def dead_processes(names: Iterable[str]) -> list[str]:
    """Return the names of workers whose process, on this machine, has ended."""
    return [name for name in names if _is_dead(name)]


def _is_dead(name: str) -> bool:
    parts = name.rsplit(":", 3)
    if len(parts) != 4 or parts[0] != socket.gethostname() or not parts[1].isdigit() or sys.platform == "win32":
        return False
    process = int(parts[1])
    if process == os.getpid():
        return parts[2] != _RUN
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


MAX_SECONDS = 600.0
"""The longest trial. A fork that hangs (on a lock that a thread held at the time of the fork) blames no article."""

LOOK_SECONDS = 0.02
"""How often a fork is checked."""

CAN_TRY = sys.platform == "linux"
"""Whether this system can fork a process that has threads, and kill the fork when its parent dies."""

_PR_SET_PDEATHSIG = 1


def deadly_articles(
    articles: Sequence[Article], work: Callable[[Sequence[Article]], object], watch: Callable[[], object]
) -> list[tuple[Article, int]]:
    """Return the articles that a process dies of, each with the number of the signal that it died by.

    Args:
        work: what is tried. It must not use threads, nor open files and connections, which the fork closes.
        watch: called repeatedly; an exception that it raises ends the trial.
    """
    died_by = _trial(lambda: work(articles), watch)
    if not died_by:
        return []
    if len(articles) == 1:
        return [(articles[0], died_by)]
    half = len(articles) // 2
    return [*deadly_articles(articles[:half], work, watch), *deadly_articles(articles[half:], work, watch)]


def _trial(work: Callable[[], object], watch: Callable[[], object]) -> int:
    """Do the work in a fork; return the signal that killed the fork, 0 if it lived or took too long."""
    parent = os.getpid()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # later Pythons warn of every fork beside threads
        fork = os.fork()
    if not fork:
        _run_fork(parent, work)
    try:
        deadline = time.monotonic() + MAX_SECONDS
        while time.monotonic() < deadline:
            ended, status = os.waitpid(fork, os.WNOHANG)
            if ended:
                fork = 0
                return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
            watch()
            time.sleep(LOOK_SECONDS)
        return 0
    finally:
        if fork:
            os.kill(fork, signal.SIGKILL)
            os.waitpid(fork, 0)


def _run_fork(parent: int, work: Callable[[], object]) -> None:
    """Do the work in the fork, then exit. An exception is no death: it will occur again in the worker."""
    try:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        os.closerange(
            3, os.sysconf("SC_OPEN_MAX")
        )  # otherwise peers of the parent would wait for the fork to close its connections
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")  # so that the kernel kills the fork, not its parent
        if os.getppid() == parent:
            work()
    finally:
        os._exit(0)
