"""Which language a text is written in, and the few facts of a language that more than one room needs.

A text taken for another language is read by no model, which is the worse error: so English and Russian win unless
another language is clearly likelier.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier  # type: ignore[import-untyped]


class Language(StrEnum):
    """The languages Whywire tells apart."""

    ENGLISH = "en"
    RUSSIAN = "ru"
    OTHER = "other"


READ_CHARS = 200
"""How much of a text is looked at: a lead paragraph settles the matter, and time grows with length."""

SCORE_TOLERANCE, SHORT_TOLERANCE = 9.0, 12.0
"""How many nats English or Russian may score below the best language and still win; the second in short titles.

Headlines are full of foreign names, and few n-grams say little. On 8,082 headlines in English and Russian this lowers
the share taken for another language to 0.1 %. Of short titles written to measure it none of 190 in the two languages
is lost, and 11 of 80 in Ukrainian are taken for Russian: most would be Russian, too, but for an ending.
"""

SHORT_CHARS = 24
"""Characters of a short title: three or four words."""

FOREIGN_LETTER = 30.0
"""Nats that a language loses for each Cyrillic letter that its alphabet lacks: one outweighs a headline's n-grams."""

FOREIGN_SPELLING = 15.0
"""Nats that Russian loses for each word of Ukrainian that has none of its letters."""

DECLARED = 20.0
"""Nats that a language gains where a feed or page declares it: many declare what their software was set to, so that
it decides only where the words do not."""

_CANDIDATES = frozenset(
    code
    for line in (
        "en ru uk be bg sr mk kk az tr de nl da no sv fi et lv lt fr es pt it ca ro pl cs sk sl hr bs hu el",
        "ar he fa hi ka hy id ms vi zh ja ko",
    )
    for code in line.split()
)
"""Languages news is commonly written in: among fewer languages a short headline is told more surely."""

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
_UKRAINIAN = re.compile(
    r"(?<!\S)(?:з|зі|й|що|щодо|це|але|або)(?!\S)"
    r"|\w(?:нн|тт|лл)я\b|\w[сцз]ьк|\w{2}вся\b|\w{2}ють(?:ся)?\b|\w['’ʼ][яю]"
    r"|\b(?:аеро|арешт|безпе|будин|вибух|вимкну|вимог|виро[кб]|вулиц|вчител|загину|закрито|заборон|збито|знайде|землетрус|"
    r"зросл|зупин|мешкан|нафт[аиоу]|нехтув|пожеж|податок|помер\b|потяг|працю|рейси|скасов|спалах|затрима|хвор|шахтар)"
)
"""Words and endings that are common in Ukrainian and no Russian, for titles with none of the letters іїєґ."""

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
"""Words that stand for somebody or something named elsewhere, in lower case.

"Her", "его" and their like may also say whose ("her fans").
"""

_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
_LETTER = re.compile(r"[A-Za-zА-Яа-яЁё]")


def detect_language(text: str, declared: str = "") -> Language:
    """Tell whether a text, a headline at least, is in English, in Russian or in another language.

    The model is py3langid's: byte n-grams and naive Bayes (Lui and Baldwin 2012, "langid.py"), to which is added what
    alphabets say of Cyrillic texts, and what the text's feed or page declares. About 0.2 ms a headline.

    Args:
        declared: a code as HTML has it, "ru" or "ru-RU"; empty where nothing is declared.
    """
    beginning = text[:READ_CHARS]
    if not _LETTER.search(beginning):
        return Language.OTHER
    letters = _CYRILLIC_LETTER.findall(beginning.lower())
    scores: dict[str, float] = dict(_identifier().rank(beginning))
    for code, alphabet in _ALPHABETS.items():
        scores[code] -= FOREIGN_LETTER * sum(letter not in alphabet for letter in letters)
    if letters:
        scores["ru"] -= FOREIGN_SPELLING * len(_UKRAINIAN.findall(beginning.lower()))
    if (code := declared[:2].lower()) in scores:
        scores[code] += DECLARED
    language = max("en", "ru", key=scores.__getitem__)
    tolerance = SHORT_TOLERANCE if len(beginning) <= SHORT_CHARS else SCORE_TOLERANCE
    return Language(language) if scores[language] >= max(scores.values()) - tolerance else Language.OTHER


def language_by_letters(text: str) -> Language:
    """Russian where a text has Cyrillic letters, else English: for words known to be in one of the two."""
    return Language.RUSSIAN if _CYRILLIC.search(text) else Language.ENGLISH


@cache
def _identifier() -> LanguageIdentifier:
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    identifier.set_languages(_CANDIDATES)
    return identifier
