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
    r"не соответству\w+ действительности|развенча\w+|отверг\w*)\b",
    re.IGNORECASE,
)


def is_denial(headline: str) -> bool:
    """Whether the headline's own words deny something (English or Russian)."""
    return DENIAL.search(headline) is not None


NUMBER_WORDS = {
    word: str(number)
    for number, words in enumerate(
        (
            "two два две двое двух двоих",
            "three три трое трех трёх троих",
            "four четыре четверо четырех четырёх четверых",
            "five пять пятеро пяти пятерых",
            "six шесть шестеро шести шестерых",
            "seven семь семеро семи семерых",
            "eight восемь восьмеро восьми восьмерых",
            "nine девять девятеро девяти девятерых",
            "ten десять десятеро десяти десятерых",
            "eleven одиннадцать одиннадцати",
            "twelve двенадцать двенадцати",
        ),
        start=2,
    )
    for word in words.split()
}
"""Small numbers as headlines spell them."""

NUMBER = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")


def numbers(headline: str) -> set[str]:
    """The numbers a headline names, in digits or in words from two to twelve."""
    found = NUMBER.findall(headline.lower())
    return {NUMBER_WORDS.get(word, word) for word in found if word[0].isdigit() or word in NUMBER_WORDS}


def may_refute(earlier: str, later: str) -> bool:
    """Whether the later headline shows that it takes back the earlier: it denies, or names another number.

    A model that was shown few refutations takes any later turn of a story for one; a real one can be seen.
    """
    return is_denial(later) or bool(numbers(earlier) and numbers(later) - numbers(earlier))
