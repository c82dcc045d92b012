"""Progress on standard error: bars for a person, nothing for a pipe."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from whywire.cli.console import PlainConsole


class BarProgress:
    """Shows a bar a stage, where standard error is a terminal."""

    def __init__(self) -> None:
        console = PlainConsole(stderr=True)
        self._bars = Bars(
            TextColumn("{task.description:32}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            disable=not console.is_terminal,
        )

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()

    def start(self, stage: str, total: int) -> Callable[[float], object]:
        """Show a new bar of ``total`` steps; a stage without steps gets none."""
        if not total:
            return lambda steps: None  # noqa: ARG005
        task = self._bars.add_task(stage, total=total)
        return lambda steps: self._bars.advance(task, steps)
