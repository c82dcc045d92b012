"""Titles and sentences in capitals, whole or in part, made readable for models that learnt from small letters."""

from __future__ import annotations

import re
from itertools import groupby

MIN_LETTERS = 10
"""Letters from which capitals are a way of writing, and no abbreviation."""

_OPENS_SENTENCE = re.compile(r"(?:^|[.!?:])\W*$")


def sentence_case(text: str) -> str:
    """A text with its runs of words in capitals in small letters, but for what begins a sentence; any other as it is.

    The text stays as long as it was, so offsets stay, too. Which words are names is lost.
    """
    read = text
    words = [found for found in re.finditer(r"\S+", text) if any(map(str.isalpha, found[0]))]
    for capitals, run in groupby(words, key=lambda word: word[0].isupper()):
        first, *others = run
        if capitals and others:
            start, end = first.start(), others[-1].end()
            opens = bool(_OPENS_SENTENCE.search(text[:start]))
            read = read[:start] + _small(text[start:end], opens=opens) + read[end:]
    return read


def _small(words: str, *, opens: bool) -> str:
    """Words in small letters but for the first where it opens a sentence; few letters as they are."""
    if sum(map(str.isalpha, words)) < MIN_LETTERS:
        return words
    small = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in words)
    first = next(place for place, letter in enumerate(words) if letter.isalpha())
    return small[:first] + words[first] + small[first + 1 :] if opens else small
