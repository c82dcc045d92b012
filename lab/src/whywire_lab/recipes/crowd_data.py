"""Pairs of the news streams, related as HeadlineCause's annotators would say.

They call more a cause than a graph of causes wants: a first report leads to the words on it, to its details and to
the video of it. The model of picked pairs learns from those of ``train``, and those of ``dev`` measure ``relate``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from whywire.pairs.relations import Relation
from whywire_lab.recipes.pair_data import CODES
from whywire_lab.recipes.sentence_data import LABELS, articles_by_key


@dataclass(frozen=True, slots=True)
class CrowdPair:
    """A pair and what annotators, who did not know of each other, said of it.

    Args:
        said: by one annotator in ``train``, by two in ``valid`` and ``dev``; each names the likeliest relation, and
            another after it where others would be divided.
        affair: what an older system took the two headlines for; pairs of one affair are much the same pair.
    """

    left: str
    right: str
    said: tuple[tuple[Relation, ...], ...]
    affair: frozenset[str]


def crowd_pairs(folder: Path, language: str, part: str) -> list[CrowdPair]:
    """The labelled pairs of a part of a language's news stream.

    Args:
        folder: of the news streams; the labels hold hashes of urls, never text.
        part: ``train``, ``valid`` or ``dev``.
    """
    articles = articles_by_key(folder, language)
    rows = []
    for line in (LABELS / f"crowd_{language}_{part}.tsv").read_text(encoding="ascii").splitlines():
        left, right, *readings = line.split("\t")
        first, second = articles[left], articles[right]
        said = tuple(tuple(CODES[code] for code in reading) for reading in readings)
        affair = frozenset({first["system_group"], second["system_group"]})
        rows.append(CrowdPair(first["title"], second["title"], said, affair))
    return rows
