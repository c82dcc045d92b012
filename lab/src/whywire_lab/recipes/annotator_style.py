"""Pairs of the news streams labelled in the style of HeadlineCause's annotators.

These annotators call more pairs causes than a causal graph needs: a first report is the cause of comments on it, of
its details and of a video of it. The model ``relations`` is trained on the pairs of ``train``; the pairs of ``dev``
measure ``relate``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from whywire.pairs.relations import Relation
from whywire_lab.labels.files import read_labels
from whywire_lab.labels.keys import articles_by_hash
from whywire_lab.labels.rows import AnnotatorStylePair


@dataclass(frozen=True, slots=True)
class ReadPair:
    """Two headlines and the readings of independent annotators.

    Args:
        readings: one in ``train``, two in ``valid`` and ``dev``; each names the most probable relation, and a second
            one if annotators would be divided.
        stories: the stories that an older system put the two headlines in; pairs of one story are near-duplicates.
    """

    left: str
    right: str
    readings: tuple[tuple[Relation, ...], ...]
    stories: frozenset[str]


def annotator_style_pairs(folder: Path, language: str, part: str) -> list[ReadPair]:
    """The labelled pairs of a part of a language's news stream.

    Args:
        folder: of the news streams.
        part: ``train``, ``valid`` or ``dev``.
    """
    articles = articles_by_hash(folder, language)
    pairs = []
    for row in read_labels(AnnotatorStylePair, f"stream_pairs_annotator_style_{language}_{part}"):
        left, right = articles[row.left], articles[row.right]
        stories = frozenset({left["system_group"], right["system_group"]})
        pairs.append(ReadPair(left["title"], right["title"], tuple(map(tuple, row.readings)), stories))
    return pairs
