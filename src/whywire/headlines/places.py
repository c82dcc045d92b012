"""The places that headlines name, by a list of countries, regions and large cities, one inside the other.

Which error is worse? A pair is set apart for naming different places, so a place that is none is worse than one that
is missed: names that mostly stand for people, clubs or words are not on the list (``places.txt``), small towns
neither. A tagger of names that reads whole sentences well takes brands and first names for places in headlines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

Place = tuple[str, ...]
"""From the country inwards, as ``("US", "Texas", "Dallas")``, by the first name of each."""

LIST = Path(__file__).with_name("places.txt")

INDENT = 2

ENDINGS = (
    "а|я|о|е|ё|и|ы|у|ю|й|ь|ой|ей|ий|ью|ья|ье|ьи|ью|ом|ем|ём|ам|ям|ах|ях|ами|ями|ов|ев|ая|ую|ого|ому|ым|тя|те|ту|том|та"
)
"""What Russian case adds to a stem on the list; adjectives and peoples have other letters and are no places."""

OUTLET = re.compile(r"(?<=\S{3})\s+[-–—|]\s+[^-–—|]{1,40}$")
"""The name of the outlet that some put behind their headlines, which may hold a place of its own."""

OTHER_THINGS = re.compile(r"\b(?:Tour de France|Тур де Франс)\b")


def places(headline: str) -> frozenset[Place]:
    """The places an English or Russian headline names by their own names, not by an adjective."""
    text = OTHER_THINGS.sub("", OUTLET.sub("", headline))
    pattern, paths = _gazetteer()
    return frozenset(paths[match.lastgroup or ""] for match in pattern.finditer(text))


def apart(left: frozenset[Place], right: frozenset[Place]) -> bool:
    """Whether both name places, and none of the one is, holds, or lies in one of the other."""
    return bool(left and right) and not any(_holds(one, other) for one in left for other in right)


def _holds(one: Place, other: Place) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


@cache
def _gazetteer() -> tuple[re.Pattern[str], dict[str, Place]]:
    """A pattern of every name, the longer first, each in a group of its own, and the place of each group."""
    names = sorted(_names(), key=lambda item: (-len(item[0]), item))
    groups = {f"p{number}": path for number, (_, _, path) in enumerate(names)}
    parts = [
        f"(?P<p{number}>{re.escape(name)}{f'(?:{ENDINGS})?' if russian else ''})"
        for number, (name, russian, _) in enumerate(names)
    ]
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(parts)})(?!\w|-\w)"), groups


def _names() -> Iterator[tuple[str, bool, Place]]:
    """Each name on the list, whether it is a Russian stem, and its place."""
    above: list[str] = []
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        depth = (len(line) - len(line.lstrip())) // INDENT
        english, _, russian = line.partition("=")
        both = [[name.strip() for name in side.split(",") if name.strip()] for side in (english, russian)]
        above[depth:] = [(both[0] + both[1])[0]]
        for side, names in enumerate(both):
            for name in names:
                yield name, bool(side), tuple(above)
