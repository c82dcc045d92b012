"""Cuts an article into windows of tokens: the title, then whole sentences, no more than the encoder can read at once.

Every token knows its characters, so that spans of tokens can be turned into spans of characters and back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tokenizers import Tokenizer

from whywire.models.capitals import sentence_case
from whywire.news.article import Span

WINDOW = 512
"""Tokens the encoder has positions for."""

MAX_TITLE_TOKENS, MAX_SENTENCE_TOKENS = 64, 160

_SURROGATE = re.compile(r"[\ud800-\udfff]")
"""Half of a character, which a tokenizer refuses."""

Place = tuple[str, int, int]
"""Field (``"title"`` or ``"text"``), and half-open character offsets in it."""


@dataclass(slots=True)
class Window:
    """A part of an article that is read in one pass.

    Args:
        ids: (tokens,), numbers of word pieces.
        places: of each token; ``None`` for one that marks a border.
        sentences: (tokens,), the number of the sentence; the title is 0, -1 marks what no mention may be in.
    """

    ids: list[int] = field(default_factory=list)
    places: list[Place | None] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)

    def add(self, number: int, place: Place | None, sentence: int) -> None:
        """Append a token."""
        self.ids.append(number)
        self.places.append(place)
        self.sentences.append(sentence)

    def place(self, first: int, last: int) -> Place:
        """The place of a span of tokens of one sentence, both included."""
        left, right = self.places[first], self.places[last]
        if left is None or right is None:
            raise ValueError("a span of tokens that mark borders")
        return left[0], left[1], right[2]


def windows_of(title: str, text: str, sentences: Sequence[Span], tokenizer: Tokenizer) -> list[Window]:
    """The windows of an article; each opens with the title, which may hold mentions only in the first window.

    Args:
        sentences: of the text, as :func:`~whywire.news.sentences.split_sentences` gives them.
    """
    first, last = tokenizer.encode("").ids
    title, text = _readable(title), _readable(text)
    heading = _tokens(title, (0, len(title)), "title", tokenizer)[:MAX_TITLE_TOKENS]
    windows: list[Window] = []

    def opened() -> Window:
        window = Window()
        window.add(first, None, -1)
        for number, place in heading:
            window.add(number, place, -1 if windows else 0)
        window.add(last, None, -1)
        windows.append(window)
        return window

    window = opened()
    for sentence, span in enumerate(sentences, 1):
        tokens = _tokens(text, span, "text", tokenizer)[:MAX_SENTENCE_TOKENS]
        if len(window.ids) + len(tokens) + 1 > WINDOW:
            window.add(last, None, -1)
            window = opened()
        for number, place in tokens:
            window.add(number, place, sentence)
    window.add(last, None, -1)
    return windows


def _readable(text: str) -> str:
    """A text of the same length, with U+FFFD for lone surrogates, and words in capitals in lower case."""
    return sentence_case(_SURROGATE.sub("\ufffd", text))


def _tokens(text: str, span: Span, name: str, tokenizer: Tokenizer) -> list[tuple[int, Place]]:
    """The word pieces of a span of a field, with their places."""
    start = span[0]
    encoded = tokenizer.encode(text[slice(*span)], add_special_tokens=False)
    tokens = []
    for number, (left, right) in zip(encoded.ids, encoded.offsets, strict=True):
        while left < right and text[start + left].isspace():
            left += 1
        tokens.append((number, (name, start + left, start + right)))
    return tokens
