"""Hides secrets in text from outside before a message shows it.

An endpoint may repeat a key in its answer, plain or escaped for a URL, JSON or HTML. No part of a key may be shown,
not even where the text is cut. To hide something harmless is acceptable.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from whywire.errors import escape_invisible

MASK = "***"
"""Replaces a secret in a message."""

SHOWN_CHARACTERS = 80
"""Maximum number of characters of external text shown in a message."""

EXCERPT_BYTES = 1 << 12
"""The number of bytes that is enough for the shown characters and many spaces."""

_LONGEST_ESCAPE = 12
"""The length of the longest escape of a character: four bytes as ``%F0%9F%8C%89``."""


class Redactor:
    """Hides secrets in text.

    Args:
        secrets: strings that are not empty.

    Attributes:
        excerpt_bytes: the number of bytes of an answer that :meth:`excerpt` needs, unless the answer is shorter.
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        longest_first = sorted(set(secrets), key=len, reverse=True)
        patterns = ("".join(map(_escapes, secret)) for secret in longest_first)
        self._secret = re.compile("|".join(patterns), re.IGNORECASE) if longest_first else None
        self._longest = max(map(len, longest_first), default=0) * _LONGEST_ESCAPE
        self.excerpt_bytes = EXCERPT_BYTES + self._longest + 1

    def redact(self, text: str) -> str:
        """Return the text with ``MASK`` in place of each secret."""
        return self._secret.sub(MASK, text) if self._secret else text

    def line(self, text: str) -> str:
        """Return the text for a message: one line, cut, without secrets and control characters."""
        return escape_invisible(" ".join(self.redact(text).split())[:SHOWN_CHARACTERS])

    def excerpt(self, body: bytes) -> str:
        """Return the start of an answer without secrets; if cut, also without the possible start of a secret."""
        text = self.redact(body[: self.excerpt_bytes].decode("utf-8", "replace"))
        return text if len(body) < self.excerpt_bytes else text[: len(text) - self._longest]


def _escapes(character: str) -> str:
    """Return a pattern for a character, plain or escaped for a URL, JSON or HTML."""
    code = ord(character)
    units = character.encode("utf-16-be").hex()
    forms = {
        character,
        "\\" + character,
        "".join(f"%{byte:02x}" for byte in character.encode()),
        "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4)),
        html.escape(character),
        f"&#{code};",
        f"&#x{code:x};",
    }
    return f"(?:{'|'.join(map(re.escape, sorted(forms, key=len, reverse=True)))})"
