"""Processor time of other processes of this machine, as Linux tells it."""

from __future__ import annotations

import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")

PARENT, OWN, WITH_ENDED_CHILDREN = 1, slice(11, 13), slice(11, 15)
"""Fields of a process after its name: who started it, and its ticks."""


def process_seconds(process: int | str) -> float:
    """Of a running process, without its children."""
    return sum(map(int, _fields(process)[OWN])) / TICKS


def family_seconds(*others: int) -> float:
    """Of this process, of others and of all that descend from them, ended ones included, to a hundredth of a second.

    Args:
        others: ids of processes.
    """
    stats = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = _fields(folder.name)
            except OSError:
                continue
            stats[int(folder.name)] = (int(fields[PARENT]), sum(map(int, fields[WITH_ENDED_CHILDREN])))
    family, before = {os.getpid(), *others}, 0
    while len(family) > before:
        before = len(family)
        family |= {pid for pid, (parent, _) in stats.items() if parent in family}
    return sum(stats[pid][1] for pid in family if pid in stats) / TICKS


def parent_of(process: int) -> int:
    """The process that started another one on this machine."""
    return int(_fields(process)[PARENT])


def _fields(process: int | str) -> list[str]:
    """The fields of a process's state from the third on; the second, its name, may hold spaces."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
