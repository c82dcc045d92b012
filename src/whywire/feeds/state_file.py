"""States of feeds in one JSON file, which is replaced as a whole."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from whywire.errors import InputError
from whywire.feeds.states import FeedState, Seen
from whywire.output import json_text, open_output

_VERSION = 1
_TIMES = ("next_fetch", "last_success")


class StateFile:
    """Keeps states in a file. Only one process may use it at a time.

    Raises:
        InputError: the file is there and holds something else.
        OutputError: while saving, it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._states = {state.url: state for state in _read(path)}

    def load(self) -> Iterable[FeedState]:
        """All states in the file."""
        return list(self._states.values())

    def save(self, state: FeedState) -> None:
        """Write the file with this state in place of that of the same ``url``."""
        self._states[state.url] = state
        with open_output(self._path) as file:
            file.write(f'{{"version": {_VERSION}, "feeds": [\n')
            file.write(",\n".join(json_text(state_row(one)) for one in self._states.values()))
            file.write("\n]}\n")


def _read(path: Path) -> list[FeedState]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["version"] != _VERSION:
            raise InputError(f"written by another version ({content['version']})", where=str(path))
        return [state_from_row(row) for row in content["feeds"]]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(f"cannot be opened: {error.strerror}", where=str(path)) from error
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise InputError(
            "no file of feed states", where=str(path), hint="name another, or remove it to begin anew"
        ) from error


def state_row(state: FeedState) -> dict[str, object]:
    """A state as JSON; what is not known is left out."""
    times = {name: time.isoformat() for name in _TIMES if (time := getattr(state, name))}
    named = {"url": state.url, "address": state.address}
    return named | {name: value for name, value in (asdict(state) | times).items() if value}


def state_from_row(row: Mapping[str, Any]) -> FeedState:
    """The inverse of :func:`state_row`.

    Raises:
        ValueError, LookupError, TypeError: the row is no state.
    """
    times = {name: datetime.fromisoformat(row[name]) for name in _TIMES if name in row}
    known = {field.name for field in fields(FeedState)}
    if not isinstance(row["url"], str) or not row.keys() <= known:
        raise ValueError("a row that is no state")
    return FeedState(**{**row, **times, "seen": tuple(map(_seen, row.get("seen", ())))})


def _seen(row: str | list[str]) -> Seen:
    return Seen(row) if isinstance(row, str) else Seen(*row)  # a key alone, as earlier versions wrote it
