"""Pairs of the news streams, related as HeadlineCause's annotators would say.

They call more a cause than a graph of causes wants: a first report leads to the words on it, to its details and to
the video of it. No embedded model has learnt
from these labels (docs/results.md says what came of trying); the ones of ``dev`` measure ``relate``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from whywire.corpora import news_stream
from whywire.headlines.relations import Relation
from whywire.training.pair_data import CODES, PairRow
from whywire.training.sentence_data import LABELS, url_key


@dataclass(frozen=True, slots=True)
class TwiceLabelled:
    """A pair and what two annotators, who did not know of each other, thought likeliest.

    Args:
        affair: what an older system took the two headlines for; pairs of one affair are much the same pair.
    """

    left: str
    right: str
    said: tuple[Relation, Relation]
    affair: frozenset[str]


def crowd_pairs(folder: Path) -> Iterator[tuple[str, PairRow]]:
    """The pairs of ``train`` and ``valid``; two relations are possible where the annotator thought others divided.

    Args:
        folder: of the news streams; the labels hold hashes of urls, never text.
    """
    for language in ("en", "ru"):
        articles = _articles(folder, language)
        for part in ("train", "valid"):
            for left, right, said, *_ in _labels(language, part):
                allowed = frozenset(CODES[code] for code in said)
                yield part, PairRow(articles[left]["title"], articles[right]["title"], allowed, language, "crowd")


def twice_labelled(folder: Path, language: str, part: str = "dev") -> list[TwiceLabelled]:
    """The pairs of ``valid`` or ``dev``."""
    articles = _articles(folder, language)
    rows = []
    for left, right, one, other in _labels(language, part):
        first, second = articles[left], articles[right]
        affair = frozenset({first["system_group"], second["system_group"]})
        rows.append(TwiceLabelled(first["title"], second["title"], (CODES[one[0]], CODES[other[0]]), affair))
    return rows


def _articles(folder: Path, language: str) -> dict[str, dict[str, str]]:
    articles = list(news_stream.read_articles(folder, language))
    return {url_key(row["url"]): row for row in reversed(articles)}


def _labels(language: str, part: str) -> Iterator[list[str]]:
    for line in (LABELS / f"crowd_{language}_{part}.tsv").read_text(encoding="ascii").splitlines():
        yield line.split("\t")
