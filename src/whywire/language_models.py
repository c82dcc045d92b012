"""The models of each language, loaded when they are first used."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from whywire.news.language import Language, detect_language, language_by_letters
from whywire.pairs.model import HeadlineModel
from whywire.sentences.reader import SentenceReader


class LanguageModels:
    """The embedded models, or models in a user's folders instead of them.

    ``sentences(language)`` and ``headlines(language)`` return the models of a language; languages other than Russian
    get the English ones.

    Args:
        folders: by the name of the embedded model that each replaces, such as ``"headlines-en"``.
    """

    def __init__(self, folders: dict[str, str] | None = None) -> None:
        self._folders = folders or {}
        self.sentences = cache(self._sentences)
        self.headlines = cache(self._headlines)

    def _sentences(self, language: Language) -> SentenceReader:
        """The sentence model of a language."""
        return SentenceReader.from_pretrained(self._name("sentences", language))

    def _headlines(self, language: Language) -> HeadlineModel:
        """The headline model of a language."""
        return HeadlineModel.from_pretrained(self._name("headlines", language))

    def _name(self, kind: str, language: Language) -> str:
        name = f"{kind}-{'ru' if language is Language.RUSSIAN else 'en'}"
        return self._folders.get(name, name)


def model_language(text: str) -> Language:
    """The language whose model reads a text: Russian for any Cyrillic letter, else as detected, English for ASCII."""
    by_letters = language_by_letters(text)
    return by_letters if by_letters is Language.RUSSIAN or text.isascii() else detect_language(text)


def indices_by_language(texts: Sequence[str]) -> dict[Language, list[int]]:
    """The indices of the texts that each language's model reads."""
    indices: dict[Language, list[int]] = {}
    for index, text in enumerate(texts):
        indices.setdefault(model_language(text), []).append(index)
    return indices
