"""Runs parsers of untrusted bytes in separate processes with limits on time and memory.

On some inputs parsers of HTML and XML take minutes or gigabytes. A thread cannot be stopped, and it shares its memory
with the program. So such a function runs in another process, which is killed at a limit; the next call starts a new
process. Results are JSON. Unlike a process of multiprocessing, such a process does not run the program's main script
again.
"""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from typing import Any, Self, TypeVar

from whywire.errors import InputError, WhywireError

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

SECONDS = 20.0
"""The longest wall-clock time of one call: hundreds of times the time that a common page takes, even on a busy
machine."""

MEGABYTES = 1024
"""The most memory of a process: a page of 10 MB takes about 300 MB."""

CALLS = 500
"""After this many calls a process is replaced, which bounds memory leaks of libraries."""

T = TypeVar("T")

_LENGTHS = struct.Struct(">II")
_LENGTH = struct.Struct(">I")
_MAX_ANSWER = 64 * 2**20
_CPU_MARGIN = 5
"""A process whose parent was killed ends by itself after this many CPU seconds beyond the limit."""


class IsolationError(WhywireError):
    """A call took too long or too much memory, or its process ended."""


class Isolated:
    """A function that runs in separate processes. Several threads may call it.

    >>> with Isolated(read_page) as read:  # doctest: +SKIP
    ...     read(b"<html>…", url="https://example.org/1")

    Args:
        function: takes bytes and JSON values as keyword arguments, and returns JSON; defined at the top of a module.
        processes: the largest number of processes at a time; each is started when it is needed.
        seconds: the longest time that a call may take.
        megabytes: the most memory of a process, on systems that can limit it.
    """

    def __init__(
        self,
        function: Callable[..., object],
        *,
        processes: int = 1,
        seconds: float = SECONDS,
        megabytes: int = MEGABYTES,
    ) -> None:
        self._command = [
            *(sys.executable, "-c", "from whywire.isolation import serve; serve()"),
            *(f"{function.__module__}:{function.__qualname__}", str(megabytes), str(seconds)),
        ]
        self._processes = processes
        self._seconds = seconds
        self._free = threading.Semaphore(processes)
        self._lock = threading.Lock()
        self._idle: list[_Process] = []
        self._busy: set[_Process] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes; unanswered calls fail."""
        with self._lock:
            for process in self._busy:
                process.kill()
            idle, self._idle = self._idle, []
        for process in idle:
            process.close()

    def __call__(self, content: bytes, **options: object) -> Any:
        """Call the function.

        Raises:
            InputError: the function raised this error.
            IsolationError: the call took too long or too much memory, failed otherwise, or its process ended.
        """
        with self._free:
            kind, value = self._answer(content, options)
        if kind == "value":
            return value
        raise (InputError if kind == "unusable" else IsolationError)(value)

    def _answer(self, content: bytes, options: Mapping[str, object]) -> tuple[str, Any]:
        """Call an idle process, or a new one; return the kind of the answer, and the value or the message."""
        with self._lock:
            while self._idle and self._idle[-1].is_worn:  # the process was ended from outside
                self._idle.pop().close()
            process = self._idle.pop() if self._idle else _Process(self._command)
            self._busy.add(process)
        is_fit = False
        try:
            kind, value = process.call(content, options, self._seconds)
            is_fit = not process.is_worn and kind != "exhausted"
        finally:
            with self._lock:
                self._busy.discard(process)
                if is_fit:
                    self._idle.append(process)
            if not is_fit:
                process.close()
        return kind, value

    def map(self, calls: Iterable[tuple[T, bytes, Mapping[str, object]]]) -> Iterator[tuple[T, Any]]:
        """Call the function in parallel.

        Args:
            calls: the tag, the content and the options of each call. At most about two calls per process are held in
                memory at a time.

        Returns:
            For each call, in order, its tag and the result or the `WhywireError` that it raised.
        """

        def call(about: T, content: bytes, options: Mapping[str, object]) -> tuple[T, Any]:
            try:
                return about, self(content, **options)
            except WhywireError as error:
                return about, error

        with ThreadPoolExecutor(self._processes) as threads:
            waiting: deque[Future[tuple[T, Any]]] = deque()
            try:
                for about, content, options in calls:
                    waiting.append(threads.submit(call, about, content, options))
                    if len(waiting) > 2 * self._processes:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                for future in waiting:
                    future.cancel()


class _Process:
    """A process that answers calls, one at a time."""

    def __init__(self, command: list[str]) -> None:
        one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # threads reserve memory
        self._process = subprocess.Popen(  # noqa: S603
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | one_thread,
            start_new_session=True,  # so that Ctrl-C reaches only the parent
        )
        self._calls = 0

    @property
    def is_worn(self) -> bool:
        """Whether the process has ended or should be replaced."""
        return self._calls >= CALLS or self._process.poll() is not None

    def call(self, content: bytes, options: Mapping[str, object], seconds: float) -> tuple[str, Any]:
        """Send a call and return the kind of its answer, and the value or the message."""
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise RuntimeError("a process without pipes")
        self._calls += 1
        late = threading.Event()

        def end() -> None:
            late.set()
            self.kill()

        given = json.dumps(options).encode()
        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()
        try:
            stdin.write(_LENGTHS.pack(len(given), len(content)) + given)
            stdin.write(content)
            stdin.flush()
            head = stdout.read(_LENGTH.size)
            length = _LENGTH.unpack(head)[0] if len(head) == _LENGTH.size else 0
            body = stdout.read(length) if length <= _MAX_ANSWER else b""
        except OSError:
            length, body = 0, b""
        finally:
            timer.cancel()
        if late.is_set():
            raise IsolationError(f"it took more than {seconds:g} seconds to read")
        if not length or len(body) < length:
            raise IsolationError("the process that read it ended")
        kind, value = json.loads(body)
        return kind, value

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()

    def close(self) -> None:
        """End the process and close its pipes."""
        self.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()
        self._process.wait()


def serve() -> None:
    """Run in the child process: answer calls from standard input. Arguments: function, megabytes, seconds."""
    name, megabytes, seconds = sys.argv[1:4]
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # so that a library's prints do not mix with the answers
    module, _, function_name = name.partition(":")
    function = getattr(import_module(module), function_name)
    if resource:
        _limit("RLIMIT_DATA", int(megabytes) * 2**20)
    while len(head := sys.stdin.buffer.read(_LENGTHS.size)) == _LENGTHS.size:
        lengths = _LENGTHS.unpack(head)
        options, content = (sys.stdin.buffer.read(length) for length in lengths)
        if resource:
            used = resource.getrusage(resource.RUSAGE_SELF)
            _limit("RLIMIT_CPU", int(used.ru_utime + used.ru_stime + float(seconds)) + _CPU_MARGIN)
        answer = json.dumps(_answer(function, content, json.loads(options), megabytes)).encode()
        answers.write(_LENGTH.pack(len(answer)) + answer)
        answers.flush()


def _answer(
    function: Callable[..., object], content: bytes, options: dict[str, Any], megabytes: str
) -> tuple[str, object]:
    try:
        return "value", function(content, **options)
    except InputError as error:
        return "unusable", str(error)  # with its hint
    except MemoryError:
        return "exhausted", f"it took more than {megabytes} MB of memory to read"
    except Exception as error:  # parsers raise anything on bad input; the caller reports it with its place
        return "failed", f"it cannot be read: {type(error).__name__}: {str(error)[:200]}"


def _limit(name: str, most: int) -> None:
    """Set a soft limit of this process, but not above the hard limit."""
    kind = getattr(resource, name)
    hard = resource.getrlimit(kind)[1]
    with suppress(ValueError, OSError):
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
