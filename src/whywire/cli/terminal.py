"""Output for terminals: plain text, whatever the news contains, and progress bars."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Self

from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.segment import Segment

from whywire.errors import escape_invisible

SPEED_SECONDS = 3600.0
"""The time in which speed is measured, for the time left: many steps even where one takes minutes."""


class PlainConsole(Console):
    """A console that prints strings as they are: no markup, no emoji names, no control characters.

    ``[bold]`` in a string is printed as six characters. To style words, print a `rich.text.Text`.

    Args:
        stderr: print to standard error.
        soft_wrap: leave long lines to the terminal; otherwise lines and tables are folded to its width.
    """

    def __init__(self, *, stderr: bool = False, soft_wrap: bool = True) -> None:
        super().__init__(stderr=stderr, soft_wrap=soft_wrap, markup=False, emoji=False, highlight=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render with control characters written as escapes."""
        for segment in super().render(renderable, options):
            lines = segment.text.split("\n")
            yield segment if segment.control else segment._replace(text="\n".join(map(escape_invisible, lines)))


class BarProgress:
    """Shows a progress bar for each stage on standard error, if that is a terminal."""

    def __init__(self) -> None:
        console = PlainConsole(stderr=True)
        self._bars = Progress(
            TextColumn("{task.description:32}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left:"),
            TimeRemainingColumn(),
            speed_estimate_period=SPEED_SECONDS,
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
