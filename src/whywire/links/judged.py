"""Links that nobody says and no headlines show: a judge of direct causes asked about the likeliest pairs of events.

Which error is worse? A false arrow, and here no sentence stands behind it. So such links are marked as judged, are
asked for only where events have no other link, only the likeliest few of an article are asked about, and none is a
possible answer: what the judge finds less likely than not is no link.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from whywire.events.mentions import FoundMention
from whywire.links.candidates import PairScorer

ASKED = 0.3
"""The probability, by how two mentions stand in their article, from which the judge is asked."""

MOST_CAUSES = 3
"""Of each event so many others at most, the likeliest, are asked about as its causes."""

MOST_AN_ARTICLE = 4
"""So many pairs an article at most are asked about, the likeliest: each costs a pass of the judge."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Two events one of which may have led to the other.

    Args:
        source, target: numbers of the events.
        cause, effect: places of the mentions of one article that make it likeliest.
        probability: by how these two stand in the article (0 to 1).
    """

    source: int
    target: int
    cause: int
    effect: int
    probability: float


def candidates(
    scorer: PairScorer,
    stories: Iterable[Sequence[int]],
    mentions: Sequence[FoundMention],
    event_of: Sequence[int],
    claimed: Mapping[tuple[int, int], float],
    known: Iterable[tuple[int, int]],
) -> list[Candidate]:
    """The pairs of events worth asking about, likeliest first; each pair in one direction.

    Args:
        stories: the places of the mentions of each.
        event_of: (mentions,), the number of the event of each.
        claimed: the probability that a claim is worth a link, by the places of its cause and its effect.
        known: pairs of events that have a link already.
    """
    best: dict[tuple[int, int], Candidate] = {}
    linked = {frozenset(pair) for pair in known}
    for story in stories:
        at = {place: number for number, place in enumerate(story)}
        inside = {(at[i], at[j]): chance for (i, j), chance in claimed.items() if i in at and j in at}
        for i, j, probability in scorer.candidates([mentions[place] for place in story], inside, ASKED):
            pair = event_of[story[i]], event_of[story[j]]
            if pair[0] == pair[1] or frozenset(pair) in linked:
                continue
            if pair not in best or best[pair].probability < probability:
                best[pair] = Candidate(*pair, story[i], story[j], probability)
    ranked = sorted(best.values(), key=lambda one: (-one.probability, one.cause, one.effect))
    chosen: dict[tuple[int, int], Candidate] = {}
    causes: Counter[int] = Counter()
    asked: Counter[int] = Counter()
    for one in ranked:
        home = mentions[one.cause].home
        opposite = (one.target, one.source) in chosen
        if not opposite and causes[one.target] < MOST_CAUSES and asked[home] < MOST_AN_ARTICLE:
            chosen[one.source, one.target] = one
            causes[one.target] += 1
            asked[home] += 1
    return list(chosen.values())
