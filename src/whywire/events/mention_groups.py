"""Groups the mentions of a story by event.

Joining two events is worse than dividing one: it links unrelated events, and puts words into a source's mouth. So
mentions are grouped by average linkage (:mod:`whywire.events.linkage`), what their words tell apart counts against a
merge (:mod:`whywire.events.distinct`), and the cause and the effect of one claim are never one event.

The pair model has already grouped the headlines: headlines of one group stay together, headlines of different groups
stay apart. All other mentions join these groups, or each other, by the vectors of the sentence model, without further
model passes.

Between two equally likely merges, average linkage takes the first. So mentions are ordered by their vectors, and the
events do not depend on the order in which the mentions come.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from whywire.events.candidates import Pair, Times, candidate_pairs
from whywire.events.linkage import SAME_EVENT_THRESHOLD, Constraints, Estimate, UncertainMerge, partition
from whywire.events.told import Told
from whywire.news.article import Published

MENTION_PRIOR = 1.25
"""Log-odds added to the probability of *same event* of two mentions of a story, which is fitted on all pairs of a
story's events. On 58 Russian packs of articles, CoNLL F1 and B³ precision are .48 and .82 with 1.25, .49 and .81 with
1.75, .49 and .80 with 2 (50 English ones: .40 and .86 with 1.25, .42 and .84 with 2). Even so, two short statements
about one subject of a story ("hauliers struck", "hauliers cheered") may become one event.
"""

MIN_PROBABILITY = 1 / (1 + math.exp(MENTION_PRIOR))
"""The probability without the prior from which two mentions may be one event; with the prior it is one half."""

MAX_NEIGHBOURS = 30
"""Most other mentions that a mention is connected with; inside a component all mentions are compared."""


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
    together: Iterable[Pair] = (),
    uncertain: list[UncertainMerge] | None = None,
) -> list[list[int]]:
    """Partition mentions into events, inside each story.

    Args:
        vectors: (mentions, size), unit length.
        stories: for each, the indices of its mentions; every mention is in one story.
        times: publication time of the article of each mention.
        estimate: from cosines to probabilities of *same event*, before the prior.
        floor: lowest cosine of two mentions that may be connected.
        told: what each mention tells; empty if unknown.
        headlines: groups of mentions that are headlines of one event; a group lies inside a story.
        apart: pairs (i < j) that are never one event.
        together: pairs that are one event, unless ``headlines`` or ``apart`` say otherwise.
        uncertain: receives the merges near the threshold.

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

    def in_stories(pairs: Iterable[Pair]) -> list[list[Pair]]:
        inside: list[list[Pair]] = [[] for _ in ordered]
        for i, j in pairs:
            if story_of[i] == story_of[j]:
                inside[story_of[i]].append((int(place_of[i]), int(place_of[j])))
        return inside

    groups: list[list[int]] = []
    for members, apart_here, together_here in zip(ordered, in_stories(apart), in_stories(together), strict=True):
        near_here: list[UncertainMerge] | None = None if uncertain is None else []
        published = [times[member] for member in members]
        near = candidate_pairs(vectors[members], published, neighbours=MAX_NEIGHBOURS, floor=floor)
        connections = dict.fromkeys(near, SAME_EVENT_THRESHOLD)
        connections |= dict.fromkeys(_chain_by_label(labels[members]), 1.0)
        partitioned = partition(
            vectors[members],
            connections,
            estimate,
            prior=MENTION_PRIOR,
            times=Times(published),
            constraints=Constraints(
                [told[member] for member in members.tolist()] if told else (),
                labels[members],
                apart_here,
                together_here,
            ),
            uncertain=near_here,
        )
        if uncertain is not None:
            uncertain += (_with_items(merge, members) for merge in near_here or ())
        groups += [sorted(members[group].tolist()) for group in partitioned]
    return sorted(groups)


def _with_items(merge: UncertainMerge, members: NDArray[np.int64]) -> UncertainMerge:
    """A merge of places as one of the members at these places."""
    one, other = sorted(tuple(sorted(members[[*side]].tolist())) for side in (merge.left, merge.right))
    return UncertainMerge(one, other, merge.similarity)


def _chain_by_label(labels: NDArray[np.int64]) -> list[Pair]:
    """Pairs of indices that connect all items with one label; -1 is no label."""
    last: dict[int, int] = {}
    pairs = []
    for index, label in enumerate(labels.tolist()):
        if label >= 0:
            if label in last:
                pairs.append((last[label], index))
            last[label] = index
    return pairs
