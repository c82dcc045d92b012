"""Errors that Whywire raises: each says what went wrong, where, and what to do about it."""

from __future__ import annotations

import re

INTERRUPTED = 130
"""The exit status of a command that Ctrl-C stopped."""

_INVISIBLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]"
    r"|[\U000e0000-\U000e007f\ud800-\udfff]"
)
"""Control characters, characters that change the direction of text, and lone surrogates."""


def escape_invisible(text: str) -> str:
    r"""Escape all invisible characters: ESC becomes ``\x1b``, a line feed ``\n``.

    Text from outside (headlines, file names, answers of servers) is escaped before it is printed: terminals execute
    control characters, and characters that change the direction of text can disguise it.
    """
    return _INVISIBLE.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


class WhywireError(Exception):
    """Base class of all errors that are shown to the user.

    Args:
        message: what went wrong, in one sentence without a full stop.
        where: the place: ``file``, ``file:line`` or an id.
        hint: what the user can do about it.
    """

    def __init__(self, message: str, *, where: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        """Return ``where: message (hint)`` in one line, with invisible characters escaped."""
        text = f"{self.where}: {self.message}" if self.where else self.message
        return escape_invisible(f"{text} ({self.hint})" if self.hint else text)


class InputError(WhywireError):
    """Input that cannot be used, such as a missing file or a row that is not an article."""


class OutputError(WhywireError):
    """Output that cannot be written: no permission, no space, or a folder with the name of the file."""


class ModelError(WhywireError):
    """Model weights that are missing, broken or of another kind, or a chat model that cannot be used."""


class MissingExtraError(WhywireError):
    """A feature whose optional dependency is not installed.

    Args:
        needed: the missing Python package, or the missing command.
        extra: the extra of the distribution that installs it.
        package: the distribution that has this extra.
    """

    def __init__(self, needed: str, extra: str | None = None, *, package: str = "whywire") -> None:
        wanted = f"'{package}[{extra}]'" if extra else package
        super().__init__(
            f"this needs the package {needed!r}" if extra else f"{needed!r} is a command of {package}",
            hint=f"install it with: pip install {wanted}",
        )
