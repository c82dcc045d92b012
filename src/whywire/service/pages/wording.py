"""The texts of the pages in English and Russian: sentences, counted nouns, numbers and times."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from importlib.resources import files
from typing import Any

from whywire.elements import StrengthClass, round_strength, strength_class
from whywire.news.article import Published

LANGUAGES = {"en": "English", "ru": "Русский"}
"""The languages of the interface: codes, and names in the languages themselves."""


@dataclass(frozen=True)
class Wording:
    """The texts of one language of the interface."""

    language: str

    @cached_property
    def texts(self) -> Mapping[str, Any]:
        """Texts by name; a counted noun is a list of its forms."""
        path = files("whywire.service.pages") / "words" / f"{self.language}.json"
        texts: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return texts

    def text(self, name: str, **values: object) -> str:
        """Return a sentence with values filled in; raise ``KeyError`` if no sentence has this name."""
        sentence: str = self.texts[name]
        return sentence.format(**values) if values else sentence

    def count(self, noun: str, amount: int) -> str:
        """Return "1 event", "2 events"; «1 событие», «2 события», «5 событий»."""
        forms: list[str] = self.texts["nouns"][noun]
        return f"{self.number(amount)}\u00a0{forms[_plural_form(self.language, amount)]}"

    def number(self, amount: int) -> str:
        """Return a whole number with separated thousands."""
        return f"{amount:,}" if self.language == "en" else f"{amount:,}".replace(",", "\u00a0")

    def share(self, probability: float) -> str:
        """Return a probability (0 to 1) with two decimals, never as 0 or 1."""
        if probability > 0.99:
            return "> 0.99" if self.language == "en" else "> 0,99"
        if probability < 0.01:
            return "< 0.01" if self.language == "en" else "< 0,01"
        return f"{probability:.2f}" if self.language == "en" else f"{probability:.2f}".replace(".", ",")

    def how_sure(self, probability: float) -> str:
        """Return a probability (0 to 1) in words."""
        levels = self.texts["how sure"]
        return next(str(words) for least, words in levels if probability >= least)

    def strength(self, value: float) -> str:
        """Return the word for a strength (0 to 100)."""
        return str(self.texts["strengths"][strength_class(round_strength(value))])

    def strength_range(self, name: StrengthClass) -> str:
        """Return the word for a class of strength."""
        return str(self.texts["strengths"][name])

    def day(self, day: date, *, year: bool = True) -> str:
        """Return "4 March 2026" or "4 March"."""
        words = f"{day.day}\u00a0{self.texts['months'][day.month - 1]}"
        return f"{words}\u00a0{day.year}" if year else words

    def time(self, time: Published | datetime | None) -> str:
        """Return "4 March 2026, 10:00", without the hour where only the day is known."""
        if time is None:
            return self.text("time unknown")
        if isinstance(time, datetime):
            return f"{self.day(time.date())}, {time:%H:%M}"
        return self.day(time.at.date()) if time.day_only else f"{self.day(time.at.date())}, {time.at:%H:%M}"

    def time_left(self, seconds: float) -> str:
        """Return "about 2 minutes left", in hours from an hour and a half on."""
        minutes = round(seconds / 60)
        if minutes < 1:
            return self.text("under a minute left")
        noun, amount = ("minute left", minutes) if minutes < 90 else ("hour left", round(seconds / 3600))
        return self.text("time left", time=self.count(noun, amount))

    def period(self, first: Published | None, last: Published | None) -> str:
        """Return "4 – 9 March 2026"."""
        if first is None or last is None:
            return self.text("time unknown")
        return self.days(first.at.date(), last.at.date())

    def days(self, first: date, last: date) -> str:
        """Return a period by its first and its last day."""
        if first == last:
            return self.day(last)
        if (first.year, first.month) == (last.year, last.month):
            return f"{first.day}\u00a0–\u00a0{self.day(last)}"
        return f"{self.day(first, year=first.year != last.year)} – {self.day(last)}"

    def happened(self, start: date, end: date) -> str:
        """Return a period that ends before the day ``end``."""
        return self.days(start, end - timedelta(days=1))


def _plural_form(language: str, amount: int) -> int:
    """Return the index of a noun's form for a number: one, few, many in Russian; one, many in English."""
    if language == "en":
        return 0 if amount == 1 else 1
    if amount % 10 == 1 and amount % 100 != 11:
        return 0
    return 1 if 2 <= amount % 10 <= 4 and not 12 <= amount % 100 <= 14 else 2


def preferred_language(accepted: str) -> str:
    """Return the first language of a header ``Accept-Language`` that the pages have; English by default."""
    wanted = []
    for place, part in enumerate(accepted.split(",")):
        name, _, weight = part.strip().partition(";q=")
        try:
            wanted.append((-float(weight or 1), place, name.strip().lower().partition("-")[0]))
        except ValueError:
            continue
    return next((name for weight, _, name in sorted(wanted) if name in LANGUAGES and weight < 0), "en")
