"""Which mentions tell of the same event: a partition of all the mentions of a story, by average linkage.

Which error is worse? Two events in one: it links what has nothing to do with each other, and puts words into a
source's mouth. So groups are joined by average linkage (see `whywire.events.linkage`), and the cause and the
effect of one claim are never taken for the same.

Which headlines tell of one event was judged by the pair model, and that stands: these groups are where it starts, and
no two of them are joined. All other mentions join them, or each other, by the vectors that the sentence model made of
their words in their sentences, which costs no further passes.

Of two joins that are equally likely, average linkage makes the first it meets. So mentions are taken in an order of
their vectors, and the events are the same in whatever order the mentions come.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from whywire.events.candidates import Times, candidate_pairs
from whywire.events.linkage import MOST, SAME_EVENT, Pair, average_linkage, components, with_prior
from whywire.news.article import Published

MENTION_PRIOR = 0.75
"""Log-odds added to the probability that two mentions of one story tell of the same event, which is fitted on all the
pairs of a story's mentions. With 2.5 marked links of ECB+ are found oftener, but by groups of several events; with
1.75 readers of links still found many that join what their sentence does not speak of.
"""

LEAST_LIKELY = 1 / (1 + math.exp(MENTION_PRIOR))
"""The probability, without the prior, from which two mentions may be one: one half with it."""

NEIGHBOURS = 30
"""A mention is connected with this many others at most; what is connected is compared all with all."""

Estimate = Callable[[NDArray[np.float32]], NDArray[np.float64]]


def telling_of(cosines: NDArray[np.float32], estimate: Estimate) -> NDArray[np.float64]:
    """How likely mentions of a group tell of what names it, 0 to 1, by their cosines with the mention that does.

    Groups are joined on average, so at their edges are mentions that hardly tell of the same. A link that rests on
    one of these counts less, for what the reader sees is the name.
    """
    whole = with_prior(estimate(np.ones(1, dtype=np.float32)), MENTION_PRIOR)
    likely: NDArray[np.float64] = np.minimum(1.0, with_prior(estimate(cosines), MENTION_PRIOR) / whole)
    return likely


def group_mentions(
    vectors: NDArray[np.float32],
    stories: Iterable[Sequence[int]],
    times: Sequence[Published | None],
    estimate: Estimate,
    floor: float,
    *,
    headlines: Iterable[Sequence[int]] = (),
    apart: Iterable[Pair] = (),
) -> list[list[int]]:
    """Partition mentions into events, inside of each story.

    Args:
        vectors: (mentions, size), unit length.
        stories: the numbers of the mentions of each; every mention is in one.
        times: when the article of each mention was published.
        estimate: from cosines to the probability of telling of the same event.
        floor: the cosine from which two mentions may be one.
        headlines: the mentions that are headlines, those of one event together; all of one are in one story.
        apart: pairs (i < j) that are two events whatever their vectors say.

    Returns:
        Groups in the order of their first members; members in order. A group is at most as large as the headlines'
        limit, ``whywire.events.linkage.MOST``, lets it be.
    """
    label = np.full(len(vectors), -1, dtype=np.int64)
    for number, group in enumerate(headlines):
        label[list(group)] = number
    partners: defaultdict[int, list[int]] = defaultdict(list)
    for i, j in apart:
        partners[i].append(j)
    groups: list[list[int]] = []
    for story in stories:
        members = np.array(sorted(story, key=lambda member: (vectors[member].tobytes(), member)), dtype=np.int64)
        when = [times[member] for member in members]
        near = candidate_pairs(vectors[members], when, neighbours=NEIGHBOURS, floor=floor)
        tied = dict.fromkeys(near, SAME_EVENT) | dict.fromkeys(_chained(label[members]), 1.0)
        for places in components(len(members), tied, SAME_EVENT, MOST):
            own = members[places]
            if len(own) == 1:
                groups.append(own.tolist())
                continue
            matrix = with_prior(estimate(vectors[own] @ vectors[own].T), MENTION_PRIOR)
            everything = np.arange(len(own))
            matrix[Times([times[member] for member in own]).outside(everything, everything)] = 0.0
            known = label[own] >= 0
            both = known[:, None] & known
            same = label[own][:, None] == label[own]
            matrix[both] = np.where(same, 1.0, -np.inf)[both]
            at = {member: place for place, member in enumerate(own.tolist())}
            for i in at:
                for j in partners.get(i, ()):
                    if j in at:
                        matrix[at[i], at[j]] = matrix[at[j], at[i]] = -np.inf
            found = average_linkage(matrix, SAME_EVENT, overwrite=True)
            groups += [sorted(own[group].tolist()) for group in found]
    return sorted(groups)


def _chained(labels: NDArray[np.int64]) -> list[Pair]:
    """Pairs of places that hang together all that have the same label; -1 is none."""
    last: dict[int, int] = {}
    pairs = []
    for place, label in enumerate(labels.tolist()):
        if label >= 0:
            if label in last:
                pairs.append((last[label], place))
            last[label] = place
    return pairs
