"""Finds headlines that deny something, by their words.

A *refutation* in HeadlineCause is a denial or an update ("toll rises to nine" refutes "four dead"). Only where the
later headline says that the earlier one was never true are the earlier one's links closed.
"""

from __future__ import annotations

import re

DENIES = re.compile(
    r"\b(den(y|ies|ied|ying)|refut(es?|ed|ing)|debunk\w*|retract\w*|never happened|fabricat\w*|rul(e|es|ed|ing) out|"
    r"(reject|dismiss)(s|es|ed|ing)? (claims?|reports?|rumou?rs?|allegations?|suggestions?))\b"
    r"|\b(опров[её]рг\w*|опроверж\w*|не подтверд\w*|отрица\w*|развенча\w+|отверг\w*|(?<!не )исключил[аи]?)\b",
    re.IGNORECASE,
)
"""A verb of denial; what is denied mostly follows it."""

FALSEHOOD = re.compile(
    r"\b(false|fake|hoax|untrue|not true|no truth|baseless|unfounded)\b"
    r"|\b(фейк\w*|ложн\w+|ложью?|лживы\w*|недостоверн\w+|неправд\w*|вымыс\w*|не соответству\w+ действительности)\b",
    re.IGNORECASE,
)
"""A word for what is not true, anywhere in a headline."""


ALIVE = re.compile(
    r"\b((is|are|am|still) alive|alive and well|not dead|жив[аы]?|не (умер|умирал|погиб)[алои]*)\b|n['’]t dead\b",
    re.IGNORECASE,
)
"""Words that deny a death, and nothing else."""

DEATH = re.compile(
    r"\b(die[sd]?|dead|deaths?|killed|умер\w*|сконча\w+|смерт\w+|погиб\w*|не стало|убит\w*)\b", re.IGNORECASE
)
"""A word of somebody's death."""


def is_denial(headline: str) -> bool:
    """Whether the headline's own words deny something (English or Russian)."""
    return bool(DENIES.search(headline) or FALSEHOOD.search(headline) or ALIVE.search(headline))


_PLEA = re.compile(
    r"\b(suspects?|accused|defendants?|man|woman|driver|pleads?|lawyers?)\b.{0,40}\b(den(y|ies|ied)|not guilty)\b"
    r"|\b(обвиняем\w+|подозреваем\w+|подсудим\w+|адвокат\w*|фигурант\w*)\b.{0,40}"
    r"\b(отрица\w*|отверг\w*|не призна\w*)\b",
    re.IGNORECASE,
)


def is_plea(headline: str) -> bool:
    """Whether somebody accused denies a deed (English or Russian), which may well have been done."""
    return bool(_PLEA.search(headline))
