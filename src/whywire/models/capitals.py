"""Titles and sentences in capitals alone, as models read them: they learnt from small letters."""

from __future__ import annotations

MIN_LETTERS = 10
"""Letters from which capitals are a way of writing, and no abbreviation."""


def sentence_case(text: str) -> str:
    """A text without small letters in small ones but its first; any other as it is.

    The text stays as long as it was, so offsets stay, too. Which words are names is lost.
    """
    if not text.isupper() or len(text.split()) < 2 or sum(map(str.isalpha, text)) < MIN_LETTERS:
        return text
    small = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
    first = next(place for place, letter in enumerate(text) if letter.isalpha())
    return small[:first] + text[first] + small[first + 1 :]
