"""What a program costs, whoever wrote it: seconds of the processor and memory of a command and all that it starts.

Processor time is compared, not time by the clock, so that what else the machine does matters little. For this each
library has one thread (``OMP_NUM_THREADS=1``): threads that wait for each other are busy. Nothing here needs Whywire:
the same lines measure it and its peers.
"""

from __future__ import annotations

import math
import os
import resource
import signal
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SAMPLED = 0.2
"""Seconds between two looks at the memory."""

PRICES = {"GPT-4o mini": (0.15, 0.60), "GPT-5 mini": (0.25, 2.00)}
"""Dollars for a million tokens read and written, by model: OpenAI's list prices as quoted in March 2026."""


@dataclass(frozen=True, slots=True)
class Run:
    """A command that ended.

    Args:
        output: what it wrote to standard output.
        seconds: of the processor, in user and system mode, with all processes that it started and waited for.
        megabytes: the most memory that it and its processes held at once; pages that they share count once.
        stopped: it was ended since it had used up the seconds it was given.
    """

    output: str
    seconds: float
    megabytes: float
    stopped: bool


def run(command: Sequence[str], *, limit: int | None = None, environment: Mapping[str, str] | None = None) -> Run:
    """Run a command to its end, and measure it.

    Args:
        limit: seconds of the processor after which a process is ended.

    Raises:
        RuntimeError: it failed; the end of what it wrote to standard error is told.
    """

    def restrict() -> None:
        if limit:
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))

    with tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            env=os.environ | (environment or {}),
            preexec_fn=restrict,
        )
        most, ended = [0.0], threading.Event()
        watch = threading.Thread(target=_watch, args=(process.pid, most, ended))
        watch.start()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        ended.set()
        watch.join()
        stopped = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
        errors.seek(0)
        output.seek(0)
        if process.returncode and not stopped:
            raise RuntimeError(f"{' '.join(command)}:\n{errors.read().decode()[-3000:]}")
        written = output.read().decode()
    return Run(written, used.ru_utime + used.ru_stime, most[0], stopped)


def _watch(process: int, most: list[float], ended: threading.Event) -> None:
    while not ended.wait(SAMPLED):
        most[0] = max(most[0], megabytes(process))


def megabytes(process: int) -> float:
    """Memory of a process and all that it started; a page that several share counts in parts (proportional set)."""
    folder = Path(f"/proc/{process}")
    try:
        lines = (folder / "smaps_rollup").read_text().splitlines()
        kilobytes = next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
        children = [child for task in folder.glob("task/*/children") for child in task.read_text().split()]
    except (OSError, StopIteration):
        return 0.0  # it ended meanwhile
    return kilobytes / 1024 + sum(megabytes(int(child)) for child in children)


def growth(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The exponent with which a cost grew from the first to the last size: 1 in proportion, 2 with the square."""
    return math.log(costs[-1] / costs[0]) / math.log(sizes[-1] / sizes[0])


def ratio(peer: float, ours: float) -> str:
    """How many times what we take the peer takes, with two digits that mean something."""
    return f"{peer / ours:.2g} ×" if peer < 100 * ours else f"{peer / ours:,.0f} ×"


def dollars(read: float, written: float, model: str) -> float:
    """What so many tokens cost at the list price of a model in ``PRICES``."""
    dear_read, dear_written = PRICES[model]
    return (read * dear_read + written * dear_written) / 1e6


def table(rows: Sequence[Mapping[str, object]]) -> str:
    """Rows with the same names as a table in Markdown; a missing value is a dash."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = [names, ["---"] * len(names), *([_shown(row.get(name)) for name in names] for row in rows)]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def _shown(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
