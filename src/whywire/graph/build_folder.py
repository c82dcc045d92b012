"""The files of a build folder that hold the graph."""

from __future__ import annotations

from pathlib import Path

from whywire.output import current_path

EVENTS_FILE = "events.jsonl"
LINKS_FILE = "links.jsonl"
CLAIMS_FILE = "claims.jsonl"
ARTICLES_FILE = "articles.jsonl"
REJECTED_FILE = "rejected.jsonl"
RUN_FILE = "run.json"


def is_build_folder(path: str | Path) -> bool:
    """Return whether this is a folder that ``whywire build`` wrote."""
    return all(current_path(Path(path), name).is_file() for name in (EVENTS_FILE, CLAIMS_FILE))
