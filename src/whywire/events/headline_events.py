"""Which headlines tell of the same event: candidates, the pair model, a second look, and average linkage.

The pair model is asked about the nearest neighbours of each headline, and then about pairs that may end in one group
and that nobody has asked about: neighbours are few where many outlets report one thing. Which error is worse is said
where groups are made (:mod:`whywire.events.linkage`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whywire.events.candidates import Times, candidate_pairs
from whywire.events.linkage import Pair, group_events, pairs_left_open
from whywire.news import Article, Language
from whywire.pairs.model import HeadlineModel
from whywire.progress import Stages

SAME_EVENT_NEIGHBOURS, SAME_EVENT_FLOOR = 12, 0.1
"""A headline is compared with this many others at most, none of them less like it than this.

Similarity is the probability, by the embeddings alone, that two headlines tell of one event.
"""

SECOND_LOOK = 16
"""Extra pairs a headline takes part in at most in the second look, within connected components of the first."""


@dataclass(frozen=True)
class HeadlineEvents:
    """The headlines of one language by event.

    Args:
        vectors: (articles, size), unit length, of the headlines.
        groups: the numbers of the articles of each event, by the headlines alone.
    """

    vectors: NDArray[np.float32]
    groups: list[list[int]]


def group_headlines(
    articles: Sequence[Article], language: Language, model: HeadlineModel, stages: Stages
) -> HeadlineEvents:
    """Compare the headlines of articles of one language, and partition them by event."""
    titles = [article.title for article in articles]
    times = [article.published for article in articles]
    with stages.stage("embedding headlines", language, len(titles)) as advance:
        vectors = model.embed(titles, advance)

    def same_event(pairs: Sequence[Pair]) -> dict[Pair, float]:
        with stages.stage("relating headlines", language, len(pairs)) as advance:
            relations = model.ask([(titles[i], titles[j]) for i, j in pairs], advance)
            left, right = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
            same = model.same_event(relations, (vectors[left] * vectors[right]).sum(axis=1))
        stages.counts["headline pairs"] += len(pairs)
        return dict(zip(pairs, same.tolist(), strict=True))

    with stages.stage("comparing headlines", language):
        floor = model.cosine_for(SAME_EVENT_FLOOR)
        near = candidate_pairs(vectors, times, neighbours=SAME_EVENT_NEIGHBOURS, floor=floor)
    same = same_event(near)
    same |= same_event(pairs_left_open(len(titles), same, each=SECOND_LOOK))
    with stages.stage("grouping", language):
        groups = group_events(same, vectors, model.same_event_by_cosine, clock=Times(times))
    return HeadlineEvents(vectors, groups)
