"""Headlines that deny: a denied report takes its consequences with it, an updated one does not.

HeadlineCause's *refutation* holds both ("toll rises to nine" refutes "four dead"). Only where the later headline
says that the earlier one was never true are the earlier one's links closed.
"""

from __future__ import annotations

import re

DENIAL = re.compile(
    r"\b(den(y|ies|ied|ying)|refut(es?|ed|ing)|debunk\w*|dismiss(es|ed)?|false|fake|hoax|untrue|not true|"
    r"no truth|never happened|retract\w*|reject(s|ed)? (claims?|reports?|allegations?)|fabricat\w*)\b"
    r"|\b(опров[её]рг\w*|опроверж\w*|фейк\w*|ложн\w+|ложь|неправд\w*|не подтверд\w*|вымысел|вымыс\w*|отрица\w*|"
    r"не соответству\w+ действительности)\b",
    re.IGNORECASE,
)


def is_denial(headline: str) -> bool:
    """Whether the headline's own words deny something (English or Russian)."""
    return DENIAL.search(headline) is not None
