"""The command line: each command mirrors one public call."""

from whywire.cli.app import main

__all__ = ["main"]
