"""Abbreviations, after which a full stop may not end a sentence, and words that commonly begin one.

English and Russian stand in one table: their letters do not collide, and Russian news is full of English
names. Keys are lower case, without the last full stop. A key may name what stands before it: ``#г`` is ``г``
right after a number, and ``т.д`` is also ``д`` right after the word ``т.``; the longer key decides.
"""

from __future__ import annotations

import re

from whywire.news.times import ZONES


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


BEFORE_NAME = _words(
    # People and their posts.
    "mr mrs ms mme messrs dr prof rev hon pres gov lt sen rep reps sens gen brig adm maj col capt cmdr sgt cpl pvt",
    "pfc spc supt insp amb ald jr sr ph.d atty asst assoc dept",
    # Places and firms.
    "st ste mt ft ave blvd rd hwy bldg u.s u.k u.n e.u d.c inc ltd co corp cos bros llc plc univ intl natl",
    "ala ariz calif conn fla mich minn nev okla tenn wis wyo",
    # Words of explanation.
    "vs v cf viz e.g i.e incl a.k.a al approx",
    # Люди и должности.
    "проф акад доц канд г-н г-жа гр тов св дж ген полк подполк кап лейт серж адм зам зав пом нач ред им",
    "мл ген.-м ген.-л к.т.н д.т.н к.м.н д.м.н и.о еп архиеп митр кн",
    # Места.
    "г гор ул пл пр пр-т пр-кт просп пер бул наб ш д дер с пос п пгт обл р-н респ о оз р ст м корп кв стр туп мкр",
    # Слова пояснения.
    "т.е т.ч т.н т.к т.о напр ср см англ фр лат греч рус укр",
)
"""Abbreviations before a name or word: they end a sentence only before one of ``OPENERS``."""

BEFORE_NUMBER = _words(
    # Numbered things, months and hours.
    "no nos vol ch art sec p pp fig par jan feb mar apr jun jul aug sep sept oct nov dec a.m p.m etc ext tel",
    "рис табл гл ч п.п пп илл тел доб янв фев февр мар апр июн июл авг сен сент окт ноя нояб дек",
    # Units, sums of money, and ends of lists.
    # "ипр" is "и пр.", and so forth; else "пр." is an avenue.
    "тыс млн млрд трлн руб коп долл евр грн тг проц чел экз шт сут мин сек кг гг вв др ипр т.д т.п н.э",
    "#г #в #м #с #р #т #ст #кв #п #о #мл",
)
"""Abbreviations before a number, or at a clause's end: they end a sentence before a capital, never before a digit."""

OPENERS = _words(
    "The A An He She It They We I You This That These Those There His Her Their Its Our My",
    "In On At But By For From To Of With As If When While After Before Since Although Though Because Despite",
    "During And Or So However Meanwhile According Also Another Then Yet What Who Why How Where Some Many",
    "Most Both Not",
    "В Во На По С Со К Ко О Об Он Она Оно Они Мы Вы Я Это Этот Эта Эти Его Её Ее Их Там Тут",
    "Из За До При Для От У Под Над Без После Перед Между Среди Через Согласно",
    "Но А И Или Как Так Что Если Когда Пока Хотя Однако Также Кроме Ранее Позже Затем Поэтому Потом",
    "Вместе Сейчас Теперь Тогда Сегодня Вчера Напомним Все Всего Ещё Еще Не Ни Где Кто Который",
)
"""Words so common at the head of a sentence that an initial or an abbreviation before them ends one."""

_WEEKDAYS = (
    "Mon(?:day)?|Tue(?:s(?:day)?)?|Wed(?:nesday)?|Thu(?:rs(?:day)?)?|Fri(?:day)?|Sat(?:urday)?|Sun(?:day)?|"
    "Понедельник|Вторник|Сред[ау]|Четверг|Пятниц[ау]|Суббот[ау]|Воскресенье"
)
_MONTHS = "Jan(?:uary)?|Feb(?:ruary)?|March|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
_OF_AN_HOUR = re.compile(
    rf"(?:(?:{_WEEKDAYS}|Christmas|Easter)(?![\w'’])|New Year"
    rf"|(?:{_MONTHS}|Nov(?:ember)?|Dec(?:ember)?)\.?\s\d"
    rf"|(?:{'|'.join(ZONES)}|[ECMP]T)(?!\w)"
    r"|(?:Eastern|Central|Mountain|Pacific)(?!\s(?!Time|Standard|Daylight)[A-Z])\b"
    r"|(?:[A-Z][\w-]+\s){1,3}[Tt]ime\b)"
)

CONTINUED_BY = {
    **dict.fromkeys(("a.m", "p.m", "ч", "час", "мин"), _OF_AN_HOUR),
    "долл": re.compile(r"США\b"),
}
"""What goes on a sentence after an abbreviation that a capital would else end it behind: of an hour its day or zone
("at 5 p.m. Monday", "в 17 ч. МСК"), of dollars whose they are."""
