"""The program ``whywire``, also as ``python -m whywire``."""

from __future__ import annotations

import sys

from whywire.errors import INTERRUPTED


def main() -> None:
    """Load the commands and run one; see :func:`whywire.cli.app.main`."""
    try:
        from whywire.cli.app import main as run  # takes a second or two, in which Ctrl-C may come

        run()
    except KeyboardInterrupt:
        sys.stderr.write("error: stopped; nothing was left half-written\n")
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
