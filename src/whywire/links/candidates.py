"""Link candidates: the pairs of events that may be linked by their headlines, and the headlines that are scored.

A false link is worse than a missed one, and the pair model can be wrongly sure of a relation between unrelated
headlines. So without a distinctive term in common, two headlines are scored only at a higher similarity
(``MIN_SIMILARITY_NO_TERM``), or if a sentence links their events.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from whywire.events.candidates import Pair, candidate_pairs
from whywire.events.event_groups import EventTable
from whywire.news.stems import shared_rare_stems
from whywire.pairs.model import PairModel

MAX_NEIGHBOURS = 10
"""Most other events that an event is compared with."""

MIN_SIMILARITY = 0.02
"""The probability of *same event*, by the embeddings of their headlines alone, from which two events are compared. It
is low, for an effect is reported in other words than its cause.
"""

MIN_SIMILARITY_ONE_TERM, MIN_SIMILARITY_NO_TERM = 0.04, 0.2
"""The same probability for two headlines that share one distinctive term, or none, to be scored."""


def link_candidates(
    table: EventTable, vectors: NDArray[np.float32], model: PairModel, claimed: Iterable[Pair]
) -> dict[Pair, list[Pair]]:
    """The pairs (i < j) of events of one story that may be linked, with the pairs of articles to be scored for each.

    Args:
        vectors: (articles, size), unit length.
        claimed: pairs of events that a sentence links.
    """
    articles, headlines = table.articles, table.headlines
    said = {(min(pair), max(pair)) for pair in claimed if all(headlines[number] for number in pair)}
    medoid = cache(lambda number: _medoid(headlines[number], vectors))

    def related(i: int, j: int) -> bool:
        shared = shared_rare_stems(articles[i].title, articles[j].title, articles[i].language)
        return may_be_related(shared, float(model.same_event_by_cosine(vectors[i] @ vectors[j])))

    candidates = {}
    for a, b in sorted({*_neighbours(table, vectors, model), *said}):
        pairs = headlines_to_ask((headlines[a], headlines[b]), (medoid(a), medoid(b)), vectors)
        if (a, b) in said or any(related(i, j) for i, j in pairs):
            candidates[a, b] = pairs
    return candidates


def _neighbours(table: EventTable, vectors: NDArray[np.float32], model: PairModel) -> Iterator[Pair]:
    """Pairs (i < j) of events of one story whose headlines are similar."""
    floor = model.cosine_for(MIN_SIMILARITY)
    by_story: defaultdict[int, list[int]] = defaultdict(list)
    for number, headlines in enumerate(table.headlines):
        if headlines:
            by_story[table.story_of[table.articles[headlines[0]].id]].append(number)
    for events in by_story.values():
        if len(events) > 1:
            centres = np.stack([vectors[table.headlines[number]].mean(axis=0) for number in events])
            centres /= np.linalg.norm(centres, axis=1, keepdims=True)
            times = [table.events[number].event.first_seen for number in events]
            near = candidate_pairs(centres, times, neighbours=MAX_NEIGHBOURS, floor=floor)
            yield from ((events[i], events[j]) for i, j in near)


def may_be_related(shared: int, similarity: float) -> bool:
    """Whether two headlines have enough in common to be scored.

    Args:
        shared: number of distinctive terms in both.
        similarity: probability of *same event* by their embeddings alone (0 to 1).
    """
    return shared > 1 or similarity >= (MIN_SIMILARITY_ONE_TERM if shared else MIN_SIMILARITY_NO_TERM)


def headlines_to_ask(
    events: tuple[Sequence[int], Sequence[int]], medoids: tuple[int, int], vectors: NDArray[np.float32]
) -> list[Pair]:
    """The pairs of headlines scored for two events: the two medoids, and the two most similar headlines.

    Args:
        events: the indices of the articles of both events.
        medoids: for each event, the article whose headline is most similar to all others.
        vectors: (articles, size), unit length.

    Returns:
        One or two pairs of indices of articles.
    """
    similarity = vectors[list(events[0])] @ vectors[list(events[1])].T
    first, second = np.unravel_index(int(np.argmax(similarity)), similarity.shape)
    return list(dict.fromkeys([medoids, (events[0][int(first)], events[1][int(second)])]))


def _medoid(members: Sequence[int], vectors: NDArray[np.float32]) -> int:
    """The member with the highest mean cosine with all members."""
    rows = vectors[list(members)]
    return members[int(np.argmax((rows @ rows.T).sum(axis=1)))]
