"""The files of a release, and which part of the corpus each of its rows is in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from whywire.errors import OutputError
from whywire.news import Problem
from whywire.output import OutputFolder
from whywire_lab.corpora.splits import part_of_release

TRAIN, DEV, TEST = PARTS = ("train", "dev", "test")

Labelled = TypeVar("Labelled")


@dataclass(slots=True)
class Release:
    """Files by their paths in the folder of corpora, and a problem for all that they leave out."""

    files: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def divided(
    rows: Iterable[Labelled], part: str | None, group: Callable[[Labelled], str]
) -> dict[str, list[Labelled]]:
    """The rows of ``train``, ``dev`` and ``test``.

    Args:
        part: put all rows there; ``None`` divides them, eight tenths for training.
        group: a key that rows share which must not be in two parts.
    """
    parts: dict[str, list[Labelled]] = {name: [] for name in PARTS}
    for row in rows:
        parts[part or part_of_release(group(row))].append(row)
    return parts


def write_release(release: Release, data: Path) -> None:
    """Write the files of a release into a folder of corpora.

    Raises:
        OutputError: one of them is there already, or cannot be written; none is written then.
    """
    for name in release.files:
        if (data / name).exists():
            raise OutputError(
                "the file is there already",
                where=str(data / name),
                hint="a release never replaces a corpus: name a new folder, or remove the file",
            )
    with ExitStack() as stack:
        folders: dict[Path, OutputFolder] = {}
        for name, text in release.files.items():
            path = data / name
            if path.parent not in folders:
                folders[path.parent] = stack.enter_context(OutputFolder(path.parent))
            folders[path.parent].write(path.name, text)
