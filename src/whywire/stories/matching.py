"""Which events a claim speaks of.

A sentence that says "fuel ran short after the fire at the refinery" supports a link when its cause and its effect
are events of the graph. The words of a span are held against every headline inside the window; the span speaks
of the nearest headline's event, if that is near enough. One of the two may be the event that the article itself
tells of, and then its words need not be so near: an article mostly writes about its own headline.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whywire.headlines.candidates import BLOCK, Times
from whywire.headlines.words import TellingWords, stems

NEAR = 0.45
"""Likeness to a headline from which a span is taken to speak of another article's event."""

NEAR_OWN = 0.12
"""Likeness from which it is taken to speak of its own article's event."""

Guess = Callable[[NDArray[np.float32]], NDArray[np.float64]]
"""From cosines to likeness: the chance that two texts tell of one event."""


def worth_embedding(spans: Sequence[str], telling: TellingWords) -> list[bool]:
    """Which spans share two telling words with some headline (or their only one): no other can be near one."""
    result = []
    for span in spans:
        own = stems(span)
        shared = Counter(number for stem in own for number in telling.holders.get(stem, ()))
        result.append(bool(shared) and max(shared.values()) >= min(2, len(own)))
    return result


@dataclass(frozen=True, slots=True)
class Match:
    """A claim whose cause and effect are two events.

    Args:
        claim: number of the claim.
        source: number of the event the cause speaks of.
        target: number of the event the effect speaks of.
        likeness: the smaller of the two chances that a span tells of its event.
    """

    claim: int
    source: int
    target: int
    likeness: float


def match_claims(
    spans: tuple[NDArray[np.float32], NDArray[np.float32]],
    homes: Sequence[int],
    titles: NDArray[np.float32],
    event_of: NDArray[np.int64],
    clock: Times,
    guess: Guess,
) -> list[Match]:
    """Find the claims both sides of which are events, and not the same one.

    Args:
        spans: unit vectors of the claims' causes and effects, (claims, size) each.
        homes: number of the article each claim stands in.
        titles: unit vectors of the headlines, (articles, size).
        event_of: the event of each article.
        clock: the articles' times; a claim speaks only of events inside the window around it.
        guess: what a cosine of these vectors is worth.
    """
    matches = []
    everything = np.arange(len(titles))
    for first in range(0, len(homes), BLOCK):
        rows = slice(first, first + BLOCK)
        outside = clock.outside(np.asarray(homes[rows]), everything)
        sides = [_nearest(vectors[rows], homes[rows], titles, event_of, outside, guess) for vectors in spans]
        for place, (cause, effect) in enumerate(zip(*sides, strict=True)):
            if cause and effect and cause[0] != effect[0]:
                home = int(event_of[homes[first + place]])
                if home in (cause[0], effect[0]) or min(cause[1], effect[1]) >= NEAR:
                    matches.append(Match(first + place, cause[0], effect[0], min(cause[1], effect[1])))
    return matches


def _nearest(
    vectors: NDArray[np.float32],
    homes: Sequence[int],
    titles: NDArray[np.float32],
    event_of: NDArray[np.int64],
    outside: NDArray[np.bool_],
    guess: Guess,
) -> list[tuple[int, float] | None]:
    """The event each span speaks of and its likeness, or ``None``."""
    cosines = vectors @ titles.T
    cosines[outside] = -1
    best = cosines.argmax(axis=1)
    own = np.array([cosines[row, event_of == event_of[home]].max() for row, home in enumerate(homes)], np.float32)
    likeness = np.stack([guess(own), guess(cosines.max(axis=1))], axis=1)
    result: list[tuple[int, float] | None] = []
    for home, article, (at_home, anywhere) in zip(homes, best, likeness.tolist(), strict=True):
        if event_of[article] == event_of[home] or anywhere < NEAR:
            result.append((int(event_of[home]), at_home) if at_home >= NEAR_OWN else None)
        else:
            result.append((int(event_of[article]), anywhere))
    return result
