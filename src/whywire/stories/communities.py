"""Puts events into stories: affairs as a person would name them.

Which error is worse? A theme taken for an affair is: "sports" or "virus deaths" is no story, and whoever opens one
learns nothing, while a story told in two parts is still two stories. Headlines alone do not tell the two apart, for
those of a theme are alike; but reports of one affair mostly begin with the same names, places and figures, which few
others have. So the pair model's word and the rare words that two reports share are weighed together, and two events
are tied where it is rather sure that they have to do with each other.

What hangs together by such ties is one story only while most of its events have to do with most of the others. A
chain of ties that leads from one affair into the next does not: it is divided where it is weakest, by communities
(Blondel et al. 2008), until each part holds together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import fsum, log

import networkx as nx
import numpy as np

from whywire.headlines.words import stems
from whywire.models.odds import chances_of, log_odds
from whywire.news.article import Article

TIED = 0.75
"""The chance of having to do with each other from which two events are tied."""

HEADLINES, WORDS, SHIFT = 0.7, 15.6, -2.8
"""What the log-odds by the headlines, the share of words in common and nothing count for that chance, in log-odds.

Fitted on the pairs of both streams that the models are calibrated on.
"""

LEAST = 0.14
"""Sharing less than this says nothing: one affair is told in other words too, or by headlines alone."""

BEGINNING = 100
"""So many words of an article say what it tells of; the rest is background."""

HOLDS = 0.5
"""How much of all that could tie a story together must do so."""

NEIGHBOURS = 10
"""With about so many others an event is compared; in a larger story it can be tied to no more."""

FINER = 1.5
"""By how much the resolution rises where communities do not divide what has to be divided."""

Pair = tuple[int, int]


def beginning(article: Article) -> str:
    """The title and the first words of the text; nothing where there is no text."""
    words = article.text.split(maxsplit=BEGINNING)[:BEGINNING]
    return " ".join([article.title, *words]) if words else ""


def communities(
    beginnings: Sequence[str], related: Mapping[Pair, float], linked: Mapping[Pair, float]
) -> list[list[int]]:
    """Partition events into stories; an event that is tied to none is alone.

    The time it takes grows with the ties. The same ties give the same stories, in whatever order they come.

    Args:
        beginnings: how a report of each event begins, empty where only its headline is known; events go by number,
            from 0.
        related: for the pairs of events (i < j) that were compared, the chance by their headlines that they have any
            relationship.
        linked: for those (i < j) of which one led to the other or refutes it, how strongly, 0 to 100; they are tied
            whatever their chance, and the more so the stronger the link.

    Returns:
        Stories in the order of their first members; members in order.
    """
    ties = {pair: chance for pair, chance in _together(beginnings, related).items() if chance >= TIED}
    for pair, strength in linked.items():
        ties[pair] = 1 + strength / 100
    shape = nx.Graph()
    shape.add_nodes_from(range(len(beginnings)))
    shape.add_weighted_edges_from((i, j, ties[i, j]) for i, j in sorted(ties))
    return sorted(_stories(shape))


def _stories(shape: nx.Graph[int]) -> Iterator[list[int]]:
    """The stories that events fall into, each in order."""
    for hanging in nx.connected_components(shape):
        members = sorted(hanging)
        if len(members) < 3 or _holding(shape, members) >= HOLDS:
            yield members
            continue
        whole = _part(shape, members)
        for community in _divided(whole):
            yield from _stories(_part(whole, community))


def _holding(shape: nx.Graph[int], members: list[int]) -> float:
    """How far connected events hold together, 0 to 1: what ties them, of what could."""
    tied = sum(min(1.0, tie["weight"]) for event in members for tie in shape[event].values())
    return float(tied) / (len(members) * min(len(members) - 1, NEIGHBOURS))


def _divided(shape: nx.Graph[int]) -> list[set[int]]:
    """Two communities or more."""
    resolution, found = 1.0, [set(shape)]
    while len(found) < 2:
        found = nx.community.louvain_communities(shape, resolution=resolution, seed=0)
        resolution *= FINER
    return found


def _part(shape: nx.Graph[int], events: Iterable[int]) -> nx.Graph[int]:
    """Events with the ties between them, in an order that depends on nothing else."""
    members = sorted(events)
    inside = set(members)
    part = nx.Graph()
    part.add_nodes_from(members)
    part.add_edges_from((i, j, shape[i][j]) for i in members for j in sorted(shape[i]) if i < j and j in inside)
    return part


def _together(beginnings: Sequence[str], related: Mapping[Pair, float]) -> dict[Pair, float]:
    """The chance of each pair that its events have to do with each other, by headlines and words."""
    words = _Words(beginnings)
    shared = np.array([max(LEAST, words.shared(*pair)) for pair in related])
    odds = HEADLINES * log_odds(np.array(list(related.values()))) + WORDS * shared + SHIFT
    return dict(zip(related, chances_of(odds).tolist(), strict=True))


class _Words:
    """The words of texts, each weighed by how few of the texts have it."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.words = [stems(text) for text in texts]
        holders = Counter(word for words in self.words for word in words)
        self.weight = {word: log((len(texts) + 1) / (count + 0.5)) for word, count in holders.items()}
        self.norms = [self._sum(words) ** 0.5 for words in self.words]

    def shared(self, one: int, other: int) -> float:
        """The weight of the words that two of the texts share, against that of their own: 0 to 1."""
        return self._sum(self.words[one] & self.words[other]) / ((self.norms[one] * self.norms[other]) or 1.0)

    def _sum(self, words: Collection[str]) -> float:
        return fsum(self.weight[word] for word in words)
