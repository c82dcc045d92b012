"""Groups the mentions of a story by event.

Which error is worse? Two events in one: it links what has nothing to do with each other, and puts words into a
source's mouth. So mentions are grouped by average linkage (:mod:`whywire.events.linkage`), what their words tell
apart counts against it (:mod:`whywire.events.distinct`), and the cause and the effect of one claim are never one
event.

Which headlines report one event has been decided by the pair model, and that decision is kept: headlines of one group
stay together, headlines of different groups stay apart. All other mentions join these groups, or each other, by the
vectors that the sentence model made of their words in their sentences, which needs no further model passes.

Of two merges that are equally likely, average linkage takes the first it meets. So mentions are taken in an order
that depends on their vectors, and the events are the same in whatever order the mentions come.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from whywire.events.candidates import Pair, Times, candidate_pairs
from whywire.events.linkage import SAME_EVENT_THRESHOLD, Constraints, Estimate, partition
from whywire.events.told import Told
from whywire.news.article import Published

MENTION_PRIOR = 0.75
"""Log-odds added to the probability of *same event* of two mentions of a story, which is fitted on all pairs of a
story's mentions. With 2.5 more of the annotated links of ECB+ are found, but by groups of several events; with 1.75
readers of links still found many that join what their sentence does not speak of.
"""

MIN_PROBABILITY = 1 / (1 + math.exp(MENTION_PRIOR))
"""The probability, before the prior, from which two mentions may be one event: one half with the prior."""

MAX_NEIGHBOURS = 30
"""Other mentions that a mention is connected with, at most; connected components are compared all with all."""


def group_mentions(
    vectors: NDArray[np.float32],
    stories: Iterable[Sequence[int]],
    times: Sequence[Published | None],
    estimate: Estimate,
    floor: float,
    *,
    told: Sequence[Told] = (),
    headlines: Iterable[Sequence[int]] = (),
    apart: Iterable[Pair] = (),
) -> list[list[int]]:
    """Partition mentions into events, inside each story.

    Args:
        vectors: (mentions, size), unit length.
        stories: the indices of the mentions of each; every mention is in one.
        times: when the article of each mention was published.
        estimate: from cosines to probabilities of *same event*, before the prior.
        floor: lowest cosine of two mentions that may be connected.
        told: what each mention tells; empty where that is not known.
        headlines: groups of mentions that are headlines of one event; a group lies inside one story.
        apart: pairs (i < j) that are two events whatever their vectors say.

    Returns:
        Groups in the order of their first members; members in order. A group has at most
        ``whywire.events.linkage.MAX_COMPONENT`` mentions.
    """
    labels = np.full(len(vectors), -1, dtype=np.int64)
    for number, group in enumerate(headlines):
        labels[list(group)] = number
    story_of = np.empty(len(vectors), dtype=np.int64)
    place_of = np.empty(len(vectors), dtype=np.int64)
    ordered: list[NDArray[np.int64]] = []
    for number, story in enumerate(stories):
        members = np.array(sorted(story, key=lambda member: (vectors[member].tobytes(), member)), dtype=np.int64)
        story_of[members] = number
        place_of[members] = np.arange(len(members))
        ordered.append(members)
    apart_in: list[list[Pair]] = [[] for _ in ordered]
    for i, j in apart:
        if story_of[i] == story_of[j]:
            apart_in[story_of[i]].append((int(place_of[i]), int(place_of[j])))
    groups: list[list[int]] = []
    for members, pairs in zip(ordered, apart_in, strict=True):
        published = [times[member] for member in members]
        near = candidate_pairs(vectors[members], published, neighbours=MAX_NEIGHBOURS, floor=floor)
        connections = dict.fromkeys(near, SAME_EVENT_THRESHOLD)
        connections |= dict.fromkeys(_chain_by_label(labels[members]), 1.0)
        found = partition(
            vectors[members],
            connections,
            estimate,
            prior=MENTION_PRIOR,
            times=Times(published),
            constraints=Constraints(
                [told[member] for member in members.tolist()] if told else (), labels[members], pairs
            ),
        )
        groups += [sorted(members[group].tolist()) for group in found]
    return sorted(groups)


def _chain_by_label(labels: NDArray[np.int64]) -> list[Pair]:
    """Pairs of indices that connect all items of the same label; -1 is no label."""
    last: dict[int, int] = {}
    pairs = []
    for index, label in enumerate(labels.tolist()):
        if label >= 0:
            if label in last:
                pairs.append((last[label], index))
            last[label] = index
    return pairs
