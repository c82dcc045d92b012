"""Language identification, and facts about languages that several rooms need.

No model reads a text in another language. So a text counts as English or Russian unless another language is clearly
more probable.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier  # type: ignore[import-untyped]


class Language(StrEnum):
    """The languages Whywire tells apart."""

    ENGLISH = "en"
    RUSSIAN = "ru"
    OTHER = "other"


READ_CHARS = 200
"""Only this many characters of a text are read: a lead paragraph is enough, and time grows with length."""

SCORE_TOLERANCE = 14.0
"""The largest difference in nats by which English or Russian may score below the best language and still be chosen.

The value is high because headlines contain many foreign names and short texts have few n-grams. Other languages in
Cyrillic letters are recognised by letters, spelling and words. Of 16,397 Russian headlines, 7 are taken for another
language. Short titles were written for this measurement: all 240 titles in Russian are recognised; 88 of the 461
titles in Ukrainian, Belarusian, Bulgarian, Serbian and Macedonian are taken for Russian. Most of these 88 differ from
Russian only by an ending.
"""

FOREIGN_LETTER = 30.0
"""Nats that a language loses for each Cyrillic letter outside its alphabet. One such letter outweighs all n-grams of
a headline."""

FOREIGN_SPELLING = 20.0
"""Nats that Russian loses for each word or spelling that does not exist in Russian."""

NOT_RUSSIAN_FILE = Path(__file__).with_name("not_russian.txt")

DECLARED = 20.0
"""Nats that a declared language gains. Many feeds and pages declare the default language of their software. So a
declaration decides only if the words do not."""

_CANDIDATES = frozenset(
    code
    for line in (
        "en ru uk be bg sr mk kk az tr de nl da no sv fi et lv lt fr es pt it ca ro pl cs sk sl hr bs hu el",
        "ar he fa hi ka hy id ms vi zh ja ko",
    )
    for code in line.split()
)
"""Common languages of news. With fewer candidates the language of a short headline is identified more reliably."""

_ALPHABETS = {
    "ru": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
    "be": "абвгдеёжзійклмнопрстуўфхцчшыьэюя",
    "bg": "абвгдежзийклмнопрстуфхцчшщъьюя",
    "sr": "абвгдђежзијклљмнњопрстћуфхцчџш",
    "mk": "абвгдѓежзѕијклљмнњопрстќуфхцчџш",
    "kk": "аәбвгғдеёжзийкқлмнңоөпрстуұүфхһцчшщъыіьэюя",
}
_CYRILLIC_LETTER = re.compile("[\u0400-\u04ff]")
_NOT_RUSSIAN_SPELLING = (
    r"ъ[бвгджзклмнпрстфхцчшщь]|[жчшщ]ы|шч|ць|ц[ёэ]|ьор|\w['’ʼ][яю]|\w(?:нн|тт)я\b|\w[сцз]ьк(?:\w{1,3}\b|\b)"
    r"|\w{2}вся\b|\wл[аои]ся\b|\w{2}ють(?:ся)?\b|\w{3}(?<![дбс])[ую]ва(?:[втм]|л[аои]|ти|но|ат)?\b"
    r"|\bво [бгджзклмнпрстхцчш][аеиоу]|[нвдщб]иха\b(?<!жениха)|(?:на|ва|я)ха\b(?<!м[ао]наха)"
    r"|(?:а|к|ов)ите\b|(?:[шчп]|[сш]т)ио\b|\w(?:[пс]ао|упео)\b|\w{3}уо\b"
    r"|\wаат\b|[нкт]иот\b|\w{2}(?:[еа]р|ач|[плт]ат|от)от\b"
)
"""Spellings, endings and a preposition of other languages that do not exist in Russian, in Russian letters.

In order: Ukrainian and Belarusian spellings (but "ъ" before a consonant and "ьор" are Bulgarian), Ukrainian verbs,
Macedonian "во", Bulgarian verbs, the Bulgarian and Macedonian article, Serbian verbs, Macedonian verbs.
"""

PRONOUNS = frozenset(
    (
        *("i", "we", "you", "he", "she", "it", "they", "me", "us", "him", "her", "them", "his", "its"),
        *("this", "that", "these", "those", "what", "which", "who"),
        *("я", "мы", "вы", "он", "она", "оно", "они", "меня", "мне", "нас", "нам", "вас", "вам"),
        *("его", "ему", "её", "ее", "ей", "их", "им", "то", "того", "тому", "том", "тот", "та", "те"),
        *("это", "этого", "этому", "этим", "этом", "этот", "эта", "эти"),
        *("что", "чего", "чему", "который", "которая", "которое", "которые", "которого", "которой"),
    )
)
"""Pronouns in lower case; "her", "его" and similar words may also be possessive ("her fans")."""

_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
_LETTER = re.compile(r"[A-Za-zА-Яа-яЁё]")


def detect_language(text: str, declared: str = "") -> Language:
    """Return whether a text is in English, in Russian or in another language.

    The model is py3langid: byte n-grams and naive Bayes (Lui and Baldwin 2012, "langid.py"). Terms for the alphabet,
    spelling and words of Cyrillic texts, and for the declared language, are added to its scores. The text should be
    at least as long as a headline, which takes about 0.2 ms.

    Args:
        declared: a language code as in HTML, "ru" or "ru-RU"; empty if none is declared.
    """
    beginning = text[:READ_CHARS]
    if not _LETTER.search(beginning):
        return Language.OTHER
    letters = _CYRILLIC_LETTER.findall(beginning.lower())
    scores: dict[str, float] = dict(_identifier().rank(beginning))
    for code, alphabet in _ALPHABETS.items():
        scores[code] -= FOREIGN_LETTER * sum(letter not in alphabet for letter in letters)
    if letters:
        scores["ru"] -= FOREIGN_SPELLING * len(_not_russian().findall(beginning.lower()))
    if (code := declared[:2].lower()) in scores:
        scores[code] += DECLARED
    language = max("en", "ru", key=scores.__getitem__)
    return Language(language) if scores[language] >= max(scores.values()) - SCORE_TOLERANCE else Language.OTHER


def language_by_letters(text: str) -> Language:
    """Return Russian for a text with Cyrillic letters, else English. The text must be in one of the two languages."""
    return Language.RUSSIAN if _CYRILLIC.search(text) else Language.ENGLISH


@cache
def _not_russian() -> re.Pattern[str]:
    """Return a pattern of spellings and words (``not_russian.txt``) that no Russian text in lower case has."""
    lines = NOT_RUSSIAN_FILE.read_text(encoding="utf-8").splitlines()
    words = " ".join(line for line in lines if not line.startswith("#")).split()
    forms = "|".join(word.removesuffix("*") + (r"\w*" if word.endswith("*") else "") for word in words)
    return re.compile(rf"{_NOT_RUSSIAN_SPELLING}|(?<![\w-])(?:{forms})(?![\w-])")


@cache
def _identifier() -> LanguageIdentifier:
    # imported late: with NumPy it takes most of the memory of a process that parses feeds
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    identifier.set_languages(_CANDIDATES)
    return identifier
