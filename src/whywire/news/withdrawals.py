"""Articles that take back what was reported: retractions, corrections, and sentences that quote what they correct.

What such an article repeats it does not say. Which error is worse? To count a withdrawn report as evidence. So no
claim of a retraction counts, and what its title or a correction repeats is denied.
"""

from __future__ import annotations

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_MARK = r"\s*(?:[:.—–|\])-]|$)"
"""What ends a mark before a title."""

_RETRACTS = _any(
    rf"\W*(?:(?:article|story|paper|report) )?(?:retracted|retraction|withdrawn|withdrawal|removed|killed){_MARK}",
    rf"\W*(?:(?:материал|статья|новость) )?(?:опровержение|отозван[ао]?|снят[ао]? с публикации|удален[ао]?){_MARK}",
)
_RETRACTED_BEHIND = _any(
    r"[(\[][^)\]]*\b(?:retracted|withdrawn|retraction|отозван[ао]?|опровергнут[ао]?|снят[ао]? с публикации)\b"
    r"[^)\]]*[)\]]"
)
"""The same in brackets, anywhere in a title."""

_CORRECTS = _any(
    rf"\W*(?:corrections?|clarifications?|erratum|editor[’']?s[’']? note)(?: and \w+)?{_MARK}",
    rf"\W*(?:исправлени[ея]|уточнени[ея]|поправк[аи])(?: и \w+)?{_MARK}",
)
_EARLIER = _any(
    r"\b(?:earlier|previous|prior|original|initial|first) (?:version|edition)s? of (?:this|the|our|an?)\b",
    r"\b(?:an?|our) (?:earlier|previous) (?:version|headline)\b",
    r"\bв (?:предыдущей|более ранней|ранней|первоначальной|прежней|первой) версии\b",
)
_REPORTED = _any(
    r"\b(?:article|story|report|headline|version|post|item|piece|we)\b[^.;]{0,60}?"
    r"\b(?:said|stated|reported|claimed|wrote|suggested|asserted|attributed|misstated)\b",
    r"\b(?:incorrectly|wrongly|erroneously|mistakenly)\b",
    r"\b(?:сообщал[ои]сь|сообщил[аи]?|говорилось|утверждалось|указано|указывалось|написали|ошибочно|неверно)\b",
)


def is_retraction(title: str) -> bool:
    """Whether a title says that its article withdraws a report (English or Russian)."""
    return bool(_RETRACTS.match(title) or _RETRACTED_BEHIND.search(title))


def takes_back(title: str) -> bool:
    """Whether a title says that its article withdraws or corrects a report."""
    return is_retraction(title) or bool(_CORRECTS.match(title))


def without_mark(title: str) -> str:
    """A title with spaces in the place of its mark, so offsets stay: "RETRACTED:" is no part of what is repeated."""
    mark = _RETRACTS.match(title) or _CORRECTS.match(title)
    return " " * mark.end() + title[mark.end() :] if mark and mark.end() < len(title.rstrip()) else title


def quotes_what_is_corrected(title: str, sentence: str) -> bool:
    """Whether a sentence tells what a report said before it was corrected.

    Args:
        title: of the article; what is a plain quotation elsewhere tells in a correction what it corrects.
    """
    return bool(_EARLIER.search(sentence) or (takes_back(title) and _REPORTED.search(sentence)))
