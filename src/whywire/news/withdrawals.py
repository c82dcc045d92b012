"""Recognises retractions, corrections, and sentences that take back what was reported.

A report is taken back by a mark before or after its title, by a note in its text, or in its sentences: "We wrote
that a leak caused the fire. That was false."

Such an article does not assert the report that it repeats, and a withdrawn report must not count as evidence. So no
claim of a retraction counts. The report that is repeated in the title of a retraction, or in a correction, is denied.
"""

from __future__ import annotations

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_MARK = r"\s*(?:[:.—–|\])-]|$)"
"""The end of a mark before a title."""

_REPORT = "(?:article|story|paper|report)"

_RETRACTS = _any(
    rf"\W*(?:{_REPORT} )?(?:retracted|retraction|withdrawn|withdrawal)(?: {_REPORT})?{_MARK}",
    rf"\W*(?:this |our )?{_REPORT} (?:(?:has been|was|is) )?(?:retracted|withdrawn|removed|deleted|taken down|killed)"
    rf"{_MARK}",
    r"\W*(?:(?:we|post|times|news|gazette|courier|herald|newsroom|editors?)\s)?(?:retracts?|withdraws?)\s"
    r"(?:its |our |the |an? )?(?:article|story|report)\b",
    r"\W*(?:(?:материал|статья|новость) )?(?:опровержение|отозван[ао]?|снят[ао]? с публикации|удал[её]н[ао]?)"
    rf"{_MARK}",
    r"\W*редакция (?:отзывает|отозвала|удал(?:яет|ила)|снимает|сняла|опроверг\w+)\s(?:\w+\s)?"
    r"(?:материал|статью|новость|публикацию|заметку|сообщение)\b",
)
_RETRACTED_BEHIND = _any(
    r"[(\[][^)\]]*\b(?:retracted|withdrawn|retraction|отозван[ао]?|опровергнут[ао]?|снят[ао]? с публикации)\b"
    r"[^)\]]*[)\]]"
)
"""A mark of a retraction in brackets, anywhere in a title."""

_CORRECTS = _any(
    rf"\W*(?:corrections?|clarifications?|erratum|editor[’']?s[’']? note)(?: and \w+)?{_MARK}",
    rf"\W*(?:исправлени[ея]|уточнени[ея]|поправк[аи])(?: и \w+)?{_MARK}",
)
_UPDATES = _any(
    rf"\W*(?:corrected|corrects|refiled?|updated?|fact[- ]?check){_MARK}",
    rf"\W*(?:исправлено|обновлено|уточнено|фактчек){_MARK}",
)
"""Marks of a corrected title, which says what is true."""

_WITHDRAWN_NOTE = _any(
    r"\bthis (?:article|story|report|piece)\s(?:has been|was|is|had to be)\s(?:\w+ )?"
    r"(?:retracted|withdrawn|removed|taken down|deleted|unpublished)\b(?! from (?!our|the (?:site|website)))",
    r"\bwe (?:have |hereby |are |had to )*(?:retract|withdr[ae]w|remov|delet|unpublish)\w* (?:this|the|our) "
    r"(?:article|story|report|post|piece)\b",
    r"\b(?:has )?(?:retract(?:s|ed)|withdr(?:aws|ew|awn)) this (?:article|story|report|piece)\b",
    r"\b(?:материал|статья|публикация|заметка|новость)\s(?:был[ао]?\s)?"
    r"(?:отозван|удал[её]н|снят[ао]? с (?:публикации|сайта))",
    r"\bредакция (?:отзывает|отозвала|удалила|сняла) (?:(?:этот|эту|данный|данную) )?"
    r"(?:материал|статью|публикацию|новость)\b",
)
"""A note in a text that withdraws the article."""

_UNTRUE = (
    r"(?:\w+ly )?(?:false|wrong|incorrect|untrue|inaccurate|mistaken|unfounded|baseless|fabricated"
    r"|an? (?:error|mistake|hoax|lie)|not (?:true|correct|so|(?:in )?the case|what happened))"
    r"(?=\s*(?:[.,;:!?–—-]|$|and\b|as\b|because\b))"
)
_RUSSIAN_UNTRUE = (
    r"(?:не так|не ?правда|ложь|неверн[оыа]|ошибочн[оыа]|ошибка|фейк|выдумка|не соответству\w+ действительности"
    r"|не подтвердил\w+|(?:оказал\w+|был[аио]?) (?:ложн|ошибочн|неверн|недостоверн|фейк|неправд|ложь)\w*)"
    r"(?=\s*(?:[.,;:!?–—-]|$))"
)
_FALSE_AFTER = _any(
    r"\W*(?:but |however,? |in fact,? )?"
    r"(?:that|this|it|these|the (?:claim|report|story|statement|information|article))\s(?:\w+\s){0,2}?"
    rf"(?:is|was|are|were|proved|turned out to be|has proved|has turned out to be)\s(?:later )?{_UNTRUE}",
    r"\W*(?:but |however,? )?it (?:did|was|does|has) not[.,;:]",
    r"\W*(?:но |однако,? )?(?:это|то|эт[аио]т?\s\w+|данн\w+\s\w+|сообщени[ея]|информация|сведения)\s"
    rf"(?:\w+\s)?{_RUSSIAN_UNTRUE}",
)
"""The beginning of a sentence that calls the sentence before it untrue."""

_FALSE_WITHIN = _any(
    rf"[,;–—]\s(?:but |and )?(?:that|which|this|it)\s(?:is|was|proved|turned out to be|has proved)\s{_UNTRUE}",
    rf"[,;–—]\s(?:но |а )?(?:что|это|которая|которое|которые)\s(?:\w+\s)?{_RUSSIAN_UNTRUE}",
)
"""Words that call the first part of their sentence untrue."""

_FALSE_REPORT = _any(
    r"\W*((?:(?:the|any|all) )?(?:\w+ )?(?:claims?|reports?|rumou?rs?|allegations?|suggestions?|story|news)"
    rf"(?: \w+){{0,3}}? that)\s.+?(,?\s(?:is|are|was|were|proved|proved to be|turned out to be)\s{_UNTRUE})",
    r"\W*(it(?: is|['’]s| was) (?:not true|untrue|false|a lie) that)\s",
    r"\W*((?:\w+ )?(?:информаци[яю]|сообщени[ея]|сведения|данные|слухи?|новость|утверждени[ея]|верси[яи])"
    rf"(?:\s[^,.]+?)?,? что)\s.+?(,?(?:\s—)?\s(?:\w+\s)?{_RUSSIAN_UNTRUE})",
    r"\W*((?:это )?(?:неправда|неверно|ложь|фейк), что)\s",
)
"""The words around a report that call it false, in groups: "the claim that", "is false"."""

_WRONGLY_SAID = _any(
    r"\b(?:incorrectly|wrongly|erroneously|mistakenly|falsely) "
    r"(?:said|stated|reported|claimed|wrote|suggested|asserted|attributed|blamed|linked)\b",
    r"\b(?:said|stated|reported|claimed|wrote|suggested) (?:incorrectly|wrongly|erroneously|mistakenly|falsely)\b",
    r"\b(?:gave|named|listed|stated) (?:the |an? )?(?:wrong|incorrect|false)\b",
    r"\bmis(?:stated|reported|identified|attributed|characteri[sz]ed)\b",
    r"\b(?:допущена|допустил[аи]?) (?:\w+ )?ошибк[ау]\b",
    r"\b(?:ошибочно|неверно|ложно) (?:сообщ|написа|указа|утвержда|говори|был\w* указан)\w*",
)
_EARLIER = _any(
    r"\b(?:earlier|previous|prior|original|initial|first) (?:version|edition)s? of (?:this|the|our|an?)\b",
    r"\b(?:an?|our) (?:earlier|previous) (?:version|headline)\b",
    r"\bв (?:предыдущей|более ранней|ранней|первоначальной|прежней|первой) версии\b",
)
IN_FACT = _any(r"\W*(?:in (?:actual )?fact|in reality|actually|на самом деле|в действительности)\b")
"""The beginning of a sentence that says what is true instead of what was said before."""

_NAMES_CAUSE = _any(
    r"(?!.*\b(?:confirm|indeed))[^.]*\b(?:caus\w+|trigger\w+|spark\w+|led to|due to|because|to blame|behind)\b",
    r"(?!.*\b(?:подтверд|действительно\b))[^.]*\b(?:вызва\w+|прив[её]л\w*|причин\w+|из-за|спровоцир\w+|винов\w+)\b",
)
"""A sentence that names a cause and does not confirm it."""

_REPORTED = _any(
    r"\b(?:article|story|report|headline|version|post|item|piece|(?:news)?paper|(?:web)?site|we)\b[^.;]{0,60}?"
    r"\b(?:said|stated|reported|claimed|wrote|suggested|asserted|attributed|misstated)\b",
    r"\b(?:сообщал[ои]сь|сообщал[аи]?|сообщил[аи]?|говорилось|утверждал[аи]?|утверждалось|указано|указывалось"
    r"|написали|писал[аи]?)\b",
)


def is_retraction(title: str) -> bool:
    """Return whether a title (English or Russian) says that its article withdraws a report."""
    return bool(_RETRACTS.match(title) or _RETRACTED_BEHIND.search(title))


def is_withdrawn(title: str, text: str) -> bool:
    """Return whether an article withdraws what its title repeats, in the title or by a note in the text."""
    return is_retraction(title) or bool(_WITHDRAWN_NOTE.search(text))


def takes_back(title: str) -> bool:
    """Return whether a title says that its article withdraws or corrects a report."""
    return is_retraction(title) or bool(_CORRECTS.match(title))


def without_mark(title: str) -> str:
    """Return a title with spaces in place of a mark such as "RETRACTED:", so that offsets stay valid."""
    mark = _RETRACTS.match(title) or _CORRECTS.match(title) or _UPDATES.match(title)
    return " " * mark.end() + title[mark.end() :] if mark and mark.end() < len(title.rstrip()) else title


def without_verdict(sentence: str) -> str:
    """Return a sentence with spaces in place of the words that call a report false, so that offsets stay valid."""
    match = _FALSE_REPORT.match(sentence)
    for start, end in match.regs[1:] if match else ():
        if start >= 0:
            sentence = sentence[:start] + " " * (end - start) + sentence[end:]
    return sentence


def says_untrue(sentence: str) -> bool:
    """Return whether a sentence, or a title, says that what it repeats is not true."""
    told = _EARLIER.search(sentence) or _WRONGLY_SAID.search(sentence) or _FALSE_WITHIN.search(sentence)
    return bool(told or _FALSE_REPORT.match(sentence))


def tells_of_error(words: str) -> bool:
    """Return whether words describe an error in a report and not its content: "an article misstated the cause"."""
    return bool(_WRONGLY_SAID.search(words))


def is_taken_back(title: str, sentence: str, following: str) -> bool:
    """Return whether a sentence repeats what was reported and is not true.

    Args:
        title: the title of the article; if it marks a correction, a quoted report is the report that is corrected.
        following: the text after the sentence.
    """
    reported = bool(_REPORTED.search(sentence))
    put_right = IN_FACT.match(following) and _NAMES_CAUSE.match(following)
    told = says_untrue(sentence) or _FALSE_AFTER.match(following)
    return bool(told or (reported and (takes_back(title) or put_right)))
