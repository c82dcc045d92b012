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
from whywire.second_opinions.questions import Verdict

LEAST, MOST = 0.2, 0.7
"""Probabilities between which a link is uncertain."""

MOST_QUESTIONS = 32
"""Most questions about an article."""

CONFIRMED = 0.85
"""The probability of a link that a second reader confirms: of the links of one careful reader, another draws so many
(F1 of two readers on the articles that both read)."""


def uncertain_links(reading: ArticleReading) -> list[ReadLink]:
    """The links of an article that are asked about, most probable first."""
    drawn = [link for link in reading.links if LEAST <= link.probability <= MOST]
    likeliest = sorted((*drawn, *reading.doubtful), key=lambda link: (-link.probability, link.cause, link.effect))
    return likeliest[:MOST_QUESTIONS]


def with_verdicts(
    reading: ArticleReading, asked: Sequence[ReadLink], verdicts: Sequence[Verdict], model: str
) -> ArticleReading:
    """The reading with the links that a second reader confirms, and without those it denies.

    Args:
        asked: links of the reading.
        verdicts: on each of them.
        model: the name of the second reader.
    """
    of = {(link.cause, link.effect): verdict for link, verdict in zip(asked, verdicts, strict=True)}
    links = []
    for link in (*reading.links, *reading.doubtful):
        verdict = of.get((link.cause, link.effect), Verdict.UNSURE)
        if verdict is Verdict.YES:
            links.append(replace(link, probability=max(CONFIRMED, link.probability), checked_by=model))
        elif verdict is Verdict.UNSURE and link in reading.links:
            links.append(link)
    return replace(reading, links=tuple(links), doubtful=())
