"""Link candidates: which pairs of events may be linked by their headlines, and which headlines speak for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from whywire.events.candidates import candidate_pairs
from whywire.events.components import Pair
from whywire.events.event_groups import EventGroups
from whywire.news.distinctive_terms import DistinctiveTerms
from whywire.pairs.model import HeadlineModel

MAX_NEIGHBOURS, MIN_SIMILARITY = 10, 0.02
"""An event is compared with this many others at most, none of them less like it than this.

Similarity is the probability, by the embeddings alone, that two headlines tell of one event. It may be low: what an
event led to is told in other words than the event.
"""

LEAST_WITH_ONE_TERM, LEAST_WITH_NONE = 0.04, 0.2
"""Similarity from which two headlines that share one distinctive term, or none, may still be of one story."""


def link_candidates(
    events: EventGroups,
    titles: Sequence[str],
    vectors: NDArray[np.float32],
    model: HeadlineModel,
    claimed: Iterable[Pair],
) -> dict[Pair, list[Pair]]:
    """For pairs (i < j) of events with headlines that may be linked, the pairs of headlines to ask about.

    Args:
        titles: of the articles.
        vectors: (articles, size), of the headlines.
        claimed: pairs of events that a sentence links.
    """
    titled = [number for number, own in enumerate(events.headlines) if own]
    if not titled:
        return {}
    terms = DistinctiveTerms(titles)
    centres = np.stack([vectors[events.headlines[number]].mean(axis=0) for number in titled])
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    times = [events.events[number].first_seen for number in titled]
    near = candidate_pairs(centres, times, neighbours=MAX_NEIGHBOURS, floor=model.cosine_for(MIN_SIMILARITY))
    named = {(min(pair), max(pair)) for pair in claimed if all(events.headlines[number] for number in pair)}
    medoids = {number: _medoid(events.headlines[number], vectors) for number in titled}

    def related(i: int, j: int) -> bool:
        similarity = float(model.same_event_by_cosine(vectors[i] @ vectors[j]))
        return may_be_related(terms.shared(titles[i], titles[j]), similarity)

    asked = {}
    for a, b in sorted({*((titled[i], titled[j]) for i, j in near), *named}):
        pairs = headlines_to_ask((events.headlines[a], events.headlines[b]), (medoids[a], medoids[b]), vectors)
        if (a, b) in named or any(related(i, j) for i, j in pairs):
            asked[a, b] = pairs
    return asked


def may_be_related(shared: int, similarity: float) -> bool:
    """Whether two headlines have enough in common to ask what one did to the other.

    Asked about two that have neither a name nor a subject in common, a pair model can be sure of nonsense.

    Args:
        shared: how many distinctive terms they share.
        similarity: the probability, by their embeddings alone, that they tell of one event.
    """
    return shared > 1 or similarity >= (LEAST_WITH_ONE_TERM if shared else LEAST_WITH_NONE)


def headlines_to_ask(
    events: tuple[Sequence[int], Sequence[int]], medoids: tuple[int, int], vectors: NDArray[np.float32]
) -> list[Pair]:
    """Which headlines speak for two events: the medoid of each, and the two that are nearest to each other.

    Args:
        events: the article numbers of both events.
        medoids: the article number whose headline is nearest to all others of each event.
        vectors: (articles, size), of the headlines.
    """
    similarity = vectors[list(events[0])] @ vectors[list(events[1])].T
    first, second = np.unravel_index(int(np.argmax(similarity)), similarity.shape)
    return list(dict.fromkeys([medoids, (events[0][int(first)], events[1][int(second)])]))


def _medoid(members: Sequence[int], vectors: NDArray[np.float32]) -> int:
    """The member nearest to all the others."""
    own = vectors[list(members)]
    return members[int(np.argmax((own @ own.T).sum(axis=1)))]
