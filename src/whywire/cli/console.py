"""The console that prints for a person: words from outside as plain text, without markup or control characters."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from whywire.errors import escape_invisible


class PlainConsole(Console):
    """A console that prints strings as they are: no markup, no emoji names, no control characters.

    ``[bold]`` in a string is printed as six letters; what is to stand out is a `rich.text.Text` with a style.

    Args:
        stderr: print to standard error.
        soft_wrap: leave long lines to the terminal; without it they, and tables, are folded to its width.
    """

    def __init__(self, *, stderr: bool = False, soft_wrap: bool = True) -> None:
        super().__init__(stderr=stderr, soft_wrap=soft_wrap, markup=False, emoji=False, highlight=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render with control characters written as escapes."""
        for segment in super().render(renderable, options):
            lines = segment.text.split("\n")
            yield segment if segment.control else segment._replace(text="\n".join(map(escape_invisible, lines)))
