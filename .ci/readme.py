"""Run what README.md and docs/commands.md show, block by block, and stop at the first line or block that fails.

Every line of an ``sh`` block runs in a shell of its own, and every ``python`` block as a program, at the top of a
checkout with ``.venv/bin`` first on the path. What should not run is a ``console`` or ``text`` block.

A ``text`` block right after an ``sh`` block shows the beginning of what its last line prints. "…" stands
for anything, and one number may be another: probabilities differ by a hundredth from one processor to the next.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "docs/commands.md")


class Shown(NamedTuple):
    """A command of a page, and the output that the page shows of it, if any."""

    command: list[str]
    output: str | None = None


def commands(page: str) -> list[Shown]:
    """The commands that a page shows."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = []
    blocks = re.finditer(r"^```(sh|python)\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", text, re.DOTALL | re.MULTILINE)
    for language, block, output in (match.groups() for match in blocks):
        if language == "python":
            found.append(Shown(["python", "-c", block]))
        else:
            lines = [line for line in block.splitlines() if line.strip()]
            found += [Shown(["bash", "-euo", "pipefail", "-c", line]) for line in lines]
        found[-1] = found[-1]._replace(output=output)
    return found


def begins_with(printed: str, shown: str) -> bool:
    """Whether the output begins with what a page shows of it, numbers, line breaks and what "…" stands for aside."""
    printed, shown = (re.sub(r"\d+", "0", " ".join(text.split())) for text in (printed, shown))
    return re.match(re.escape(shown).replace("…", ".*"), printed) is not None


def main() -> int:
    """Return 0 when every command leaves with 0 and prints what its page shows."""
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    for page in PAGES:
        found = commands(page)
        if not found:
            print(f"{page} has no commands")
            return 1
        for command, output in found:
            print(f"$ {command[-1]}", flush=True)
            pipe = None if output is None else subprocess.PIPE
            done = subprocess.run(command, cwd=ROOT, env=os.environ | {"PATH": path}, stdout=pipe, text=True)
            if done.returncode:
                print(f"a command of {page} failed with {done.returncode}: {command[-1]}")
                return 1
            if output is not None and not begins_with(done.stdout, output):
                print(f"{page} shows:\n{output}\nbut this comes:\n{done.stdout}")
                return 1
        print(f"{len(found)} commands of {page} work")
    return 0


if __name__ == "__main__":
    sys.exit(main())
