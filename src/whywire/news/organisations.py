"""The organisations that an English or Russian text names, listed in a file or recognised by their names.

- **listed** organisations are in ``organisations.txt``, with their names in both languages;
- **recognised** organisations have a type word in their name ("Harbour Workers Union", "Ministry of Health"), stand
  in quotes after a type word («компания „Волна“»), or are an acronym. Other names may look the same. So use a
  recognised organisation only if several reports name it.

A wrong organisation is worse than a missed one. Names of people, brands and works of art look like names of
organisations. So a name without one of these signs is not taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path

from whywire.news.gazetteer import OUTLET_SUFFIX, Names, inflected, listed_places
from whywire.news.language import Language
from whywire.news.places import CACHED_TEXTS, places_in

_FILE = Path(__file__).with_name("organisations.txt")
_KEEPS_ITS_FORM = "* "
_NO_ENGLISH_NAME = "*"


@lru_cache(maxsize=CACHED_TEXTS)
def listed_organisations(text: str) -> frozenset[str]:
    """Return the listed organisations that a text names, each by its first name in the list."""
    words = [word.strip("\"'“”‘’«»„()[]:;,!?–—-") for word in OUTLET_SUFFIX.sub("", text).split()]
    return frozenset(name for _, name in _list().named_in(words))


@lru_cache(maxsize=CACHED_TEXTS)
def recognised_organisations(text: str) -> frozenset[str]:
    """Return the names in a text that look like names of organisations and are not listed."""
    plain = OUTLET_SUFFIX.sub("", text)
    if places_in(plain).is_in_capitals:
        return frozenset()
    return whole_names(name for name in _recognised(plain) if not listed_organisations(name))


def whole_names(names: Iterable[str]) -> frozenset[str]:
    """Return the names that are not part of another name."""
    all_names = frozenset(names)
    return frozenset(name for name in all_names if not any(name != other and name in other for other in all_names))


def organisation_named(name: str) -> str | None:
    """Return the first name of the listed organisation with this name; ``None`` if there is no such organisation."""
    return _by_lower_case().get(" ".join(name.lower().split()))


def organisation_name(name: str, language: Language) -> str:
    """Return the name of an organisation in English or Russian, by its first name in the list."""
    return _names(language).get(name, name)


_WORD = r"(?:U\.S\.|[A-Z][\w’'&-]*)"
_CLASS = (
    r"(?:Bank|University|College|Ministry|Court|Party|Council|Commission|Committee|Agency|Department|Police|Airlines"
    r"|Airways|Corporation|Corp|Inc|Ltd|Group|Holdings|Foundation|Institute|Association|Federation|Union|Authority"
    r"|Bureau|Society|Parliament|Assembly|Airport|Hospital|Academy|Club|Trust|Motors|Pharmaceuticals|Technologies"
    r"|Exchange|Administration)"
)
_RECOGNISED = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?<![\w.&-])(?P<name>(?:{_WORD} (?:(?:and|of|for|&) )?){{1,4}}{_CLASS}"
        rf"(?: of (?:the )?{_WORD}(?: (?:and )?{_WORD})?)?)(?!\w|['’-])",
        r"(?<!\w)(?P<name>(?:Ministry|Department|University|Bank|Institute|Board|Office) (?:of|for) "
        rf"(?:the )?{_WORD}(?: (?:(?:and|of) )?{_WORD}){{0,3}})",
        r"(?i:\b(?:компани|корпораци|концерн|холдинг|групп[аыеу]|банк|парти|авиакомпани|издательств|завод|фонд|фирм|клуб"
        r"|оператор|производител|ассоциаци|агентств|союз|сет[ьи]|магазин|сервис|ООО|АО|ПАО)\w*)"
        r" «(?P<name>[^»«]{2,40})»",
        r"(?<![\w«.-])(?<![A-ZА-ЯЁ] )(?<!^)(?P<name>[A-Z]{3,6}|[А-ЯЁ]{3,6})(?![\w»-]| [A-ZА-ЯЁ]{2})",
    )
)

_OPENS_NO_NAME = re.compile(
    r"(?:The|A|An|In|At|On|By|For|From|As|But|And|When|While|After|Before|If|Our|Their|His|Her|This|That|President"
    r"|Mr|Mrs|Ms|Dr|Prime|Minister|Chief|Sir)\s"
)

_NO_ORGANISATION = re.compile(
    r"USA|UAE|NYC|GMT|BST|EST|EDT|PST|PDT|IST|UTC|CEST?|CET|CEO|CFO|COO|CTO|GDP|GST|VAT|IPO|ETF|USD|EUR|GBP|INR|RUB"
    r"|COVID|SARS|MERS|HIV|AIDS|DNA|RNA|PCR|PPE|PED|PPP|ICU|ECG|MRI|BMI|ADHD|PTSD|LGBTQ?|BAME|DIY|FAQ|PDF|USB|GPS|LTE|SIM"
    r"|SMS|URL|VPN|API|CPU|GPU|RAM|SSD|HDD|LED|LCD|OLED|HDMI|HDR|FPS|RPG|MMO|DLC|NPC|ARM|IOS|MIUI|EMUI|SQL|HTML|SUV|ATM"
    r"|VIP|MVP|BBC|CNN|NBC|ABC|CBS|ITV|AFP|UPI|PTI|ANI|TASS|RIA|RSS|NOT|AND|THE|FOR|NEW|ALL|ONE|TWO|YES|WILL|THIS"
    r"|США|ОАЭ|КНР|КНДР|ФРГ|ЮАР|СССР|РСФСР|ДНР|ЛНР|ПФО|ЦФО|ЮФО|УФО|СФО|ДФО|МСК|ДТП|ИВЛ|СМИ|ВВП|ВИЧ|СПИД|НДФЛ|НДС"
    r"|ЕГЭ|ОГЭ|ЖК[ХУ]|ОРВИ|АЗС|ТЭЦ|[АГ]ЭС|МРТ|ПЦР|СИЗО|[ОПЗ]АО|ООО|ВОВ|[ДР]НК|УЗИ|ГИА|ВНЖ|МКАД|КАД|ЖКТ|МРОТ|ОСАГО|КАСКО"
    r"|АКПП|АНО|НПЦ|НПО|ОПК|МСФО|РИА|ТАСС|РБК|НТВ|РЕН|ЦУМ|ГУМ|ТРЦ|АПК|ТЭК|МСП|НКО|ЛГБТ|ВПК|ЧЕМ|КАК|ЧТО|ДЛЯ|ПРИ|ЭТО|ВСЕ|БЕЗ|ГОД|ТОП"
)
"""Acronyms of places, time zones, illnesses, technology, money and posts; agencies and outlets; words in capitals."""


def _recognised(text: str) -> Iterator[str]:
    for pattern in _RECOGNISED:
        for match in pattern.finditer(text):
            name = match["name"].strip()
            while opening := _OPENS_NO_NAME.match(name):
                name = name[opening.end() :]
            if _NO_ORGANISATION.fullmatch(name) or re.fullmatch(_CLASS, name) or not re.search(r"\w{2}", name):
                continue
            if any(" ".join(place) == name or place[-1] == name for _, place in listed_places(name)):
                continue
            yield name


@cache
def _list() -> Names[str]:
    """Return the organisation's first name by every name."""
    names: dict[str, str] = {}
    for english, russian in _lines():
        first = (english or [name.removeprefix(_KEEPS_ITS_FORM) for name in russian])[0]
        names |= dict.fromkeys((*english, *chain.from_iterable(map(_forms, russian))), first)
    return Names(names)


@cache
def _by_lower_case() -> dict[str, str]:
    return {form.lower(): name for form, name in _list().meanings.items()}


@cache
def _names(language: Language) -> dict[str, str]:
    """Return the first Russian names by the first English names; nothing for other languages."""
    if language is not Language.RUSSIAN:
        return {}
    return {
        english[0]: russian[0].removeprefix(_KEEPS_ITS_FORM) for english, russian in _lines() if english and russian
    }


def _lines() -> Iterator[tuple[list[str], list[str]]]:
    """Yield the English and the Russian names of each organisation."""
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            english, russian = (
                [name.strip() for name in side.split(", ") if name.strip() not in ("", _NO_ENGLISH_NAME)]
                for side in f"{line} = ".split(" = ")[:2]
            )
            yield english, russian


def _forms(name: str) -> list[str]:
    return [name.removeprefix(_KEEPS_ITS_FORM)] if name.startswith(_KEEPS_ITS_FORM) else inflected(name)
