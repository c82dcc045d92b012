"""Replacement of characters that a format cannot represent."""

from __future__ import annotations

import re

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Every character outside XML 1.0's ``Char`` production; no escape makes them legal."""

_NUL_OR_SURROGATE = re.compile("[\x00\ud800-\udfff]")
"""NUL, which ends a string in C, and lone surrogates, which no encoding can represent."""


def xml_text(text: str) -> str:
    """Put U+FFFD in place of each character that XML 1.0 cannot represent."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def plain_text(text: str) -> str:
    """Put U+FFFD in place of NUL and of each lone surrogate."""
    return _NUL_OR_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
