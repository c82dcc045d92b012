"""Names of workers: machine, process and number, by which it can be told that a worker of this machine has ended."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterable
from itertools import count
from uuid import uuid4

_RUN = uuid4().hex[:8]
"""Tells this process from an earlier one with its number, as the first process of a container always has."""

_NUMBERS = count(1)


def process_name() -> str:
    """A name for a worker of this process."""
    return f"{socket.gethostname()}:{os.getpid()}:{_RUN}:{next(_NUMBERS)}"


def dead_processes(names: Iterable[str]) -> list[str]:
    """Those of the names that belong to processes of this machine which have ended."""
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
