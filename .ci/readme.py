"""Run what README.md and docs/commands.md show, block by block, and stop at the first line or block that fails.

Every line of an ``sh`` block runs in a shell of its own, and every ``python`` block as a program, at the top of a
checkout with ``.venv/bin`` first on the path. What should not run is a ``console`` or ``text`` block.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "docs/commands.md")


def commands(page: str) -> list[list[str]]:
    """The commands that a page shows."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = []
    for language, block in re.findall(r"^```(sh|python)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        if language == "python":
            found.append(["python", "-c", block])
        else:
            found += [["bash", "-euo", "pipefail", "-c", line] for line in block.splitlines() if line.strip()]
    return found


def main() -> int:
    """Return 0 when every command leaves with 0."""
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    for page in PAGES:
        found = commands(page)
        if not found:
            print(f"{page} has no commands")
            return 1
        for command in found:
            print(f"$ {command[-1]}", flush=True)
            done = subprocess.run(command, cwd=ROOT, env=os.environ | {"PATH": path})
            if done.returncode:
                print(f"a command of {page} failed with {done.returncode}: {command[-1]}")
                return 1
        print(f"{len(found)} commands of {page} work")
    return 0


if __name__ == "__main__":
    sys.exit(main())
