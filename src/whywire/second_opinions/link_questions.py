"""Which links of an article are uncertain, and what a second reader's answers make of them.

Links are asked about whose probability is between ``LEAST`` and ``MOST``, and likely pairs of events that the small
reader did not link; the likeliest first, for these are worth most (docs/experiments/second-reader.md). A request is
about one article, so no article has a say in the links of another, and the same article is asked about once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from whywire.events.article_readings import ArticleReading
from whywire.reading.drawing import ReadLink
from whywire.second_opinions.questions import MOST_QUESTIONS, Opinion, Verdict

LEAST, MOST = 0.2, 0.7
"""Probabilities between which a link is uncertain."""

CONFIRMED = 0.85
"""The probability of a link that a second reader confirms: of the links of one careful reader, another draws so many
(F1 of two readers on the articles that both read)."""


def uncertain_links(reading: ArticleReading) -> list[ReadLink]:
    """The links of an article that are asked about, most probable first."""
    drawn = [link for link in reading.links if LEAST <= link.probability <= MOST]
    likeliest = sorted((*drawn, *reading.doubtful), key=lambda link: (-link.probability, link.cause, link.effect))
    return likeliest[:MOST_QUESTIONS]


def with_opinions(reading: ArticleReading, asked: Sequence[ReadLink], opinions: Sequence[Opinion]) -> ArticleReading:
    """The reading with the links that a second reader confirms, and without those it denies.

    Args:
        asked: links of the reading.
        opinions: on each of them.
    """
    of = {(link.cause, link.effect): opinion for link, opinion in zip(asked, opinions, strict=True)}
    links = []
    for link in (*reading.links, *reading.doubtful):
        opinion = of.get((link.cause, link.effect), Opinion())
        if opinion.verdict is Verdict.YES:
            surer = max(CONFIRMED, link.probability)
            links.append(replace(link, probability=surer, checked_by=opinion.model))
        elif opinion.verdict is Verdict.UNSURE and link in reading.links:
            links.append(link)
    return replace(reading, links=tuple(links), doubtful=())
