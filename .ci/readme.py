"""Type what the README says, line by line, and stop at the first line that fails.

Every ``sh`` block of the README runs in one shell, from the top of a checkout. ``make test`` is left out, for it is
what calls this.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Return 0 when every command of the README leaves with 0."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines() if line.strip() and line != "make test"]
    if not lines:
        print("the README has no commands")
        return 1
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    for line in lines:
        print(f"$ {line}", flush=True)
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", line], cwd=ROOT, env=os.environ | {"PATH": path})
        if done.returncode:
            print(f"the README's command failed with {done.returncode}: {line}")
            return 1
    print(f"{len(lines)} commands of the README work")
    return 0


if __name__ == "__main__":
    sys.exit(main())
