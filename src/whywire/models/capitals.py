"""Conversion of capitals in titles and sentences to lower case, on which the models were trained."""

from __future__ import annotations

import re
from itertools import groupby

MIN_LETTERS = 10
"""Shorter runs of capitals may be abbreviations and are left alone."""

_OPENS_SENTENCE = re.compile(r"(?:^|[.!?:])\W*$")


def sentence_case(text: str) -> str:
    """Return a text with runs of words in capitals in lower case, except for the first letter of a sentence.

    The length does not change, so offsets stay valid. Which words are names is lost.
    """
    read = text
    words = [word for word in re.finditer(r"\S+", text) if any(map(str.isalpha, word[0]))]
    for capitals, run in groupby(words, key=lambda word: word[0].isupper()):
        first, *further = run
        if capitals and further:
            start, end = first.start(), further[-1].end()
            opens = bool(_OPENS_SENTENCE.search(text[:start]))
            read = read[:start] + _small(text[start:end], opens=opens) + read[end:]
    return read


def _small(words: str, *, opens: bool) -> str:
    """Return words in lower case, except for the first letter if it opens a sentence; few letters unchanged."""
    if sum(map(str.isalpha, words)) < MIN_LETTERS:
        return words
    small = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in words)
    first = next(place for place, letter in enumerate(words) if letter.isalpha())
    return small[:first] + words[first] + small[first + 1 :] if opens else small
