"""Every error Whywire raises on purpose: what went wrong, where, and what to do about it."""

from __future__ import annotations

import re

INTERRUPTED = 130
"""The exit status of a command that Ctrl-C stopped."""

_UNSEEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]"
    r"|[\U000e0000-\U000e007f\ud800-\udfff]"
)
"""Characters that a terminal obeys instead of showing, that change the order of others, or that it cannot show."""


def escape_invisible(text: str) -> str:
    r"""Write every character that is not shown as itself as an escape: ESC as ``\x1b``, a line's end as ``\n``.

    Words from outside (a headline, a file's name, what a server answers) go through this before a person sees them:
    a terminal obeys control characters, and text that runs backwards passes for other text.
    """
    return _UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


class WhywireError(Exception):
    """Base of all errors meant for the person who meets them.

    Args:
        message: what went wrong, in one sentence without a full stop.
        where: the place: ``file``, ``file:line`` or an article's id.
        hint: what the reader can do about it.
    """

    def __init__(self, message: str, *, where: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        """Render as ``where: message (hint)``, in one line."""
        text = f"{self.where}: {self.message}" if self.where else self.message
        return escape_invisible(f"{text} ({self.hint})" if self.hint else text)


class InputError(WhywireError):
    """Input that cannot be used: a file that is not there, a row that is not an article."""


class OutputError(WhywireError):
    """Output that cannot be written: no permission, no space, a folder in the way."""


class ModelError(WhywireError):
    """Weights that are missing, broken or made for something else."""


class MissingExtraError(WhywireError):
    """A feature whose optional dependency is not installed.

    Args:
        needed: the package that is missing, or the command.
        extra: the extra of the distribution that brings it.
        package: the distribution.
    """

    def __init__(self, needed: str, extra: str | None = None, *, package: str = "whywire") -> None:
        wanted = f"'{package}[{extra}]'" if extra else package
        super().__init__(
            f"this needs the package {needed!r}" if extra else f"{needed!r} is a command of {package}",
            hint=f"install it with: pip install {wanted}",
        )
