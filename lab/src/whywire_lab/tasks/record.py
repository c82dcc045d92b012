"""What a written measurement says beside its scores, so that a stranger can judge and repeat it."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from whywire.models.pretrained import weights_hashes

CPU_INFO = Path("/proc/cpuinfo")
"""Where Linux names the processor."""


def provenance() -> dict[str, Any]:
    """The command, version, hashes of the embedded weights, day (UTC) and machine of this process."""
    return {
        "source": "measured",
        "command": _command(sys.argv[0], sys.argv[1:]),
        "version": version("whywire"),
        "weights": weights_hashes(),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}",
    }


def _command(program: str, arguments: list[str]) -> str:
    """The command as one types it: a script by its path, an installed program by its name."""
    return shlex.join([*(["python", program] if program.endswith(".py") else [Path(program).name]), *arguments])


def _processor() -> str:
    """The processor's name where the system gives one, else its architecture."""
    try:
        lines = CPU_INFO.read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
