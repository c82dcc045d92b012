"""Which language a text is written in, and the few facts of a language that more than one room needs.

A text taken for another language is read by no model, which is the worse error: so English and Russian win unless
another language is clearly likelier.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from pathlib import Path

from py3langid.langid import MODEL_FILE, LanguageIdentifier  # type: ignore[import-untyped]


class Language(StrEnum):
    """The languages Whywire tells apart."""

    ENGLISH = "en"
    RUSSIAN = "ru"
    OTHER = "other"


READ_CHARS = 200
"""How much of a text is looked at: a lead paragraph settles the matter, and time grows with length."""

SCORE_TOLERANCE = 14.0
"""How many nats English or Russian may score below the best language and still win.

Headlines are full of foreign names, and few n-grams say little, so it is wide: what tells other languages of Cyrillic
letters apart are letters, spelling and words. Of 16,397 Russian headlines seven are taken for another language. Of
short titles written to measure it none of 240 in Russian is lost, and 88 of 461 in Ukrainian, Belarusian, Bulgarian,
Serbian and Macedonian are taken for Russian: most would be Russian, too, but for an ending.
"""

FOREIGN_LETTER = 30.0
"""Nats that a language loses for each Cyrillic letter that its alphabet lacks: one outweighs a headline's n-grams."""

FOREIGN_SPELLING = 20.0
"""Nats that Russian loses for each word or spelling that it does not have."""

NOT_RUSSIAN_FILE = Path(__file__).with_name("not_russian.txt")

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
_NOT_RUSSIAN_SPELLING = (
    r"ъ[бвгджзклмнпрстфхцчшщь]|[жчшщ]ы|шч|ць|ц[ёэ]|ьор|\w['’ʼ][яю]|\w(?:нн|тт)я\b|\w[сцз]ьк(?:\w{1,3}\b|\b)"
    r"|\w{2}вся\b|\wл[аои]ся\b|\w{2}ють(?:ся)?\b|\w{3}(?<![дбс])[ую]ва(?:[втм]|л[аои]|ти|но|ат)?\b"
    r"|\bво [бгджзклмнпрстхцчш][аеиоу]|[нвдщб]иха\b(?<!жениха)|(?:на|ва|я)ха\b(?<!м[ао]наха)"
    r"|(?:а|к|ов)ите\b|(?:[шчп]|[сш]т)ио\b|\w(?:[пс]ао|упео)\b|\w{3}уо\b"
    r"|\wаат\b|[нкт]иот\b|\w{2}(?:[еа]р|ач|[плт]ат|от)от\b"
)
"""Spellings, endings and a preposition of other languages that Russian does not have, in letters that it has.

In order: of Ukrainian and Belarusian, but that "ъ" before a consonant and "ьор" are Bulgarian; verbs of Ukrainian;
then Macedonian "во", Bulgarian verbs, the Bulgarian and Macedonian article, Serbian verbs, and Macedonian ones.
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
"""Words that stand for somebody or something named elsewhere, in lower case.

"Her", "его" and their like may also say whose ("her fans").
"""

_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
_LETTER = re.compile(r"[A-Za-zА-Яа-яЁё]")


def detect_language(text: str, declared: str = "") -> Language:
    """Tell whether a text, a headline at least, is in English, in Russian or in another language.

    The model is py3langid's: byte n-grams and naive Bayes (Lui and Baldwin 2012, "langid.py"), to which is added what
    alphabets, spelling and words say of Cyrillic texts, and what the text's feed or page declares. About 0.2 ms a
    headline.

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
        scores["ru"] -= FOREIGN_SPELLING * len(_not_russian().findall(beginning.lower()))
    if (code := declared[:2].lower()) in scores:
        scores[code] += DECLARED
    language = max("en", "ru", key=scores.__getitem__)
    return Language(language) if scores[language] >= max(scores.values()) - SCORE_TOLERANCE else Language.OTHER


def language_by_letters(text: str) -> Language:
    """Russian where a text has Cyrillic letters, else English: for words known to be in one of the two."""
    return Language.RUSSIAN if _CYRILLIC.search(text) else Language.ENGLISH


@cache
def _not_russian() -> re.Pattern[str]:
    """What no Russian text in small letters has: a spelling, or a word of ``not_russian.txt``."""
    lines = NOT_RUSSIAN_FILE.read_text(encoding="utf-8").splitlines()
    words = " ".join(line for line in lines if not line.startswith("#")).split()
    forms = "|".join(word.removesuffix("*") + (r"\w*" if word.endswith("*") else "") for word in words)
    return re.compile(rf"{_NOT_RUSSIAN_SPELLING}|(?<![\w-])(?:{forms})(?![\w-])")


@cache
def _identifier() -> LanguageIdentifier:
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    identifier.set_languages(_CANDIDATES)
    return identifier
