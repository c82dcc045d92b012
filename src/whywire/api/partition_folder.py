"""A folder with the partitions of a store's graph, each a folder such as ``whywire build`` writes."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from whywire.errors import InputError
from whywire.graph.build_folder import RUN_FILE, is_build_folder, sizes, versions, write_graph
from whywire.models.pretrained import weights_hashes
from whywire.output import OutputFolder, current_path

if TYPE_CHECKING:
    from whywire.store import Store
    from whywire.store.partitions import Period


class PartitionFolder:
    """Writes partitions, each all at once.

    ``run.json`` of a partition says which change of the store its graph includes, so a process that goes on after
    another was killed knows what there is to write.

    Args:
        folder: made if it is missing.
        by: how long a partition is.

    Raises:
        InputError: the folder has partitions of another length, or of another store.
        OutputError: the folder cannot be written.
    """

    def __init__(self, folder: Path, by: Period, store: Store) -> None:
        self.folder, self._by, self._store = folder, by, store
        self.written: list[Path] = []
        self._changes = dict(self._found())
        with OutputFolder(folder):
            pass  # fails before the work if the folder cannot be written
        self._ended: datetime | None = None

    def write_ended(self, until: datetime) -> None:
        """Write the partitions that end by a time and are not there."""
        for name in self._store.partition_names(self._by, since=self._ended, until=until):
            span = self._by.span_of(name)
            if span is not None and span[1] <= until and name not in self._changes:
                self._write(name)
        begun = self._by.span_of(self._by.name_of(until.date()))
        self._ended = begun and begun[0]

    def write_changed(self) -> None:
        """Write the partitions that are not there, and those whose graph has changed."""
        changes = self._store.partition_changes(self._by)
        has_articles = self._store.partition_names(self._by)
        for name in sorted({*has_articles, *self._changes}):
            if name not in self._changes or changes.get(name, 0) > self._changes[name]:
                self._write(name)

    def _write(self, name: str) -> None:
        with self._store.snapshot() as state:
            change, graph = state.last_change(), state.partition(self._by, name)
        counts = sizes(graph)
        run = {
            "versions": versions(),
            "models": weights_hashes(),
            "inputs": [self._store.name],
            "partition": {"by": self._by.value, "name": name, "change": change},
            "counts": counts,
        }
        write_graph(graph, self.folder / name, title=name, run=run, summary=counts)
        self._changes[name] = change
        self.written.append(self.folder / name)

    def _found(self) -> list[tuple[str, int]]:
        """The partitions that are there, and the last change of each."""
        found = []
        for folder in sorted(self.folder.glob("*/")):
            if not is_build_folder(folder):
                continue
            run = json.loads(current_path(folder, RUN_FILE).read_text(encoding="utf-8"))
            made = run.get("partition", {})
            if made.get("by") != self._by or run["inputs"] != [self._store.name]:
                what = f"partitions by {made['by']} of {run['inputs'][0]}" if made else "another graph"
                raise InputError(f"the folder holds {what}", where=str(folder), hint="name another folder")
            found.append((made["name"], made["change"]))
        return found
