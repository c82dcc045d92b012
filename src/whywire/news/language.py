"""Which language a text is written in."""

from __future__ import annotations

from enum import StrEnum


class Language(StrEnum):
    """The languages Whywire tells apart."""

    ENGLISH = "en"
    RUSSIAN = "ru"
    OTHER = "other"
