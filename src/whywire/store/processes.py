"""Processes of workers: their names, which have ended, and whether an article kills a process.

A name holds machine and process, by which a worker can tell that another one of its machine has ended.

Where a worker died, one of its articles may be the reason: one that takes more memory than there is, or that breaks
a library. Or somebody killed it, or the machine was turned off. So the articles are tried in a forked process, which
has all models at no cost. To set aside an article whose worker somebody killed is the worse error: an article is
blamed only where the fork died of it while this process lived on. Whoever kills a worker kills its fork too, and
blames nobody.
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
"""Distinguishes this process from an earlier one with its number, as the first process of each container has."""

_NUMBERS = count(1)


def process_name() -> str:
    """A name for a worker of this process."""
    return f"{socket.gethostname()}:{os.getpid()}:{_RUN}:{next(_NUMBERS)}"


def dead_processes(names: Iterable[str]) -> list[str]:
    """Return the names that belong to processes of this machine that have ended."""
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
"""How long a trial may take. A fork that hangs (on a lock that a thread held when it was made) blames no article."""

LOOK_SECONDS = 0.02
"""How often a fork is checked."""

CAN_TRY = sys.platform == "linux"
"""Whether this system can fork a process that has threads and libraries loaded, and kills a fork with its parent."""

_PR_SET_PDEATHSIG = 1


def deadly_articles(
    articles: Sequence[Article], work: Callable[[Sequence[Article]], object], watch: Callable[[], object]
) -> list[tuple[Article, int]]:
    """Return the articles that a process dies of, each with the number of the signal that it died by.

    Args:
        work: what a process may die of. It must not use open files and connections, which the fork closes, nor
            threads.
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
    """Return the signal that a fork of this process died by at this work; 0 if it did not, or took too long."""
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
    """Work in the fork, and end it: an error is not a death, and will occur again."""
    try:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))  # or peers of the parent would wait for the fork to hang up
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")  # of the two, the kernel ends this one
        if os.getppid() == parent:
            work()
    finally:
        os._exit(0)
