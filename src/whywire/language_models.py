"""The models of each language, loaded on first use."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from whywire.news.language import Language, detect_language, language_by_letters

if TYPE_CHECKING:  # a command imports the readers that it uses
    from whywire.pairs.model import PairModel
    from whywire.reading.document_reader import DocumentReader
    from whywire.sentences.reader import SentenceReader


class LanguageModels:
    """The embedded models, or models in folders that replace them.

    ``documents()`` returns the document reader, ``sentences(language)`` the sentence model of a language, and
    ``pairs(language)`` the pair model. The document reader and the pair model read both languages. A text in any
    language but Russian is read as English.

    Args:
        folders: folders of models, by the names of the embedded models that they replace, such as ``"pairs"``.
    """

    def __init__(self, folders: dict[str, str] | None = None) -> None:
        self._folders = folders or {}
        self.sentences = cache(self._sentences)
        self.pairs = cache(self._pairs)
        self.documents = cache(self._documents)

    def _documents(self) -> DocumentReader:
        from whywire.reading.document_reader import DocumentReader

        return DocumentReader.from_pretrained(self._folders.get("documents", "documents"))

    def _sentences(self, language: Language) -> SentenceReader:
        from whywire.sentences.reader import SentenceReader

        name = f"sentences-{_code(language)}"
        return SentenceReader.from_pretrained(self._folders.get(name, name))

    def _pairs(self, language: Language) -> PairModel:
        """Load the pair model, with the model of causal strength in that language."""
        from whywire.pairs.model import PairModel

        return PairModel.from_pretrained(self._folders.get("pairs", "pairs"), language=_code(language))


def _code(language: Language) -> str:
    return "ru" if language is Language.RUSSIAN else "en"


def model_language(text: str) -> Language:
    """Return the language of the model for a text: Russian for Cyrillic, English for ASCII, else as detected."""
    by_letters = language_by_letters(text)
    return by_letters if by_letters is Language.RUSSIAN or text.isascii() else detect_language(text)


def indices_by_language(texts: Sequence[str]) -> dict[Language, list[int]]:
    """Return the indices of the texts that each language's model reads."""
    indices: dict[Language, list[int]] = {}
    for index, text in enumerate(texts):
        indices.setdefault(model_language(text), []).append(index)
    return indices
