"""Conversion of titles and sentences in capitals to lower case, because the models were trained on lower case."""

from __future__ import annotations

import re
from itertools import groupby

MIN_LETTERS = 10
"""Shorter runs of capitals may be abbreviations and are left alone."""


def sentence_case(text: str) -> str:
    """Return a text in which words in capitals become lower case, except for the first letter of a sentence.

    The length does not change, so offsets stay valid. Names lose their capitals, too.
    """
    pieces: list[str] = []
    done = 0
    words = [word for word in re.finditer(r"\S+", text) if any(map(str.isalpha, word[0]))]
    for capitals, run in groupby(words, key=lambda word: word[0].isupper()):
        first, *further = run
        if capitals and further:
            start, end = first.start(), further[-1].end()
            pieces += text[done:start], _small(text[start:end], opens=_opens_sentence(text, start))
            done = end
    return "".join([*pieces, text[done:]])


def _opens_sentence(text: str, at: int) -> bool:
    """Whether a sentence begins at an offset: a mark that ends a sentence stands right before it."""
    while at and not (text[at - 1].isalnum() or text[at - 1] == "_"):
        at -= 1
        if text[at] in ".!?:":
            return True
    return at == 0


def _small(words: str, *, opens: bool) -> str:
    """Return words in lower case, except for the first letter if the words open a sentence.

    Words with fewer than ``MIN_LETTERS`` letters together are left as they are.
    """
    if sum(map(str.isalpha, words)) < MIN_LETTERS:
        return words
    small = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in words)
    first = next(place for place, letter in enumerate(words) if letter.isalpha())
    return small[:first] + words[first] + small[first + 1 :] if opens else small
