"""Groups headlines by the event they report.

Candidate pairs are found by embedding and time, scored by the pair model in two passes, and partitioned by average
linkage (:mod:`whywire.events.linkage`, which says which error is worse). What words tell apart counts against a merge
(:mod:`whywire.events.distinct`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from whywire.events.candidates import Pair, Times, candidate_pairs
from whywire.events.linkage import (
    MAX_COMPONENT,
    SAME_EVENT_THRESHOLD,
    Constraints,
    Estimate,
    UncertainMerge,
    components,
    partition,
    with_prior,
)
from whywire.events.told import Told, told_by_report
from whywire.models.odds import log_odds
from whywire.news import Article, Language
from whywire.pairs.reports import Report, TwoReports, report_of
from whywire.progress import Advance, Stages

MAX_NEIGHBOURS = 12
"""Most other reports that a report is compared with in the first pass."""

MIN_PROBABILITY = 0.1
"""Probability of *same event*, by the vectors alone, from which two reports are compared by the pair model."""

HEADLINE_PRIOR = 1.0
"""Log-odds added to every probability of *same event* of two reports.

Chosen on the validation pairs of the streams, and on topics of ECB+ and Wikinews that no result is reported on. With
1.5 a few more pairs are found there, and more often two events become one.
"""

COLLECTION_PRIOR = 0.6
"""The share of pairs of one event among similar reports of a collection.

It is higher than in a stream, for a collection has a subject. Chosen by cross-validation over nine sets
(``lab/experiments/told_apart.py``): the mean B-cubed F1 changes little from 0.5 to 0.7. A higher prior helps
collections on few events and harms those with near misses.
"""

MAX_SECOND_PASS_PAIRS = 16
"""Most extra pairs per headline that the second pass scores, within connected components of the first."""


class SameEventScorer(Protocol):
    """Scores how likely two reports report the same event; :class:`whywire.pairs.model.PairModel` is one."""

    def embed(self, reports: Sequence[Report], advance: Advance | None = None, /) -> NDArray[np.float32]:
        """Unit vectors (reports, size)."""

    def same_event_probabilities(
        self, pairs: Sequence[TwoReports], cosines: NDArray[np.float32], advance: Advance | None = None, /
    ) -> NDArray[np.float64]:
        """The probability (pairs,) of *same event*, the same in either order.

        Args:
            cosines: (pairs,), of the vectors of the two reports.
        """

    @property
    def usual_share(self) -> float:
        """The prior of these probabilities: the share of pairs of one event (0 to 1)."""

    def same_event_by_cosine(self, cosines: NDArray[np.float32], /) -> NDArray[np.float64]:
        """An estimate of the probability from the cosine alone; of any shape."""

    def cosine_for(self, probability: float, /) -> float:
        """The cosine from which :meth:`same_event_by_cosine` reaches a probability."""


@dataclass(frozen=True, eq=False)
class ScoredHeadlines:
    """Headlines with the probabilities of *same event* of their pairs, as :func:`partition_headlines` takes them."""

    probabilities: Mapping[Pair, float]
    vectors: NDArray[np.float32]
    estimate: Estimate
    prior: float
    told: Sequence[Told]
    times: Times

    def groups(
        self,
        apart: Sequence[Pair] = (),
        together: Sequence[Pair] = (),
        uncertain: list[UncertainMerge] | None = None,
    ) -> list[list[int]]:
        """For each event, the indices of the articles whose headlines report it."""
        return partition_headlines(
            self.probabilities,
            self.vectors,
            self.estimate,
            prior=self.prior,
            told=self.told,
            apart=apart,
            together=together,
            times=self.times,
            uncertain=uncertain,
        )


def score_headlines(
    articles: Sequence[Article],
    vectors: NDArray[np.float32],
    language: Language,
    scorer: SameEventScorer,
    stages: Stages,
    *,
    stories: Iterable[Sequence[int]] | None = None,
    prior: float = HEADLINE_PRIOR,
) -> ScoredHeadlines:
    """Score pairs of headlines in two passes.

    Args:
        articles: all in one language.
        vectors: (articles, size), unit length.
        scorer: of that language.
        stories: for each, the indices of its articles, in order; an event lies inside a story. ``None`` compares all
            articles.
        prior: log-odds added to every probability of *same event*.
    """
    reports = [report_of(article) for article in articles]
    times = [article.published for article in articles]

    def score(pairs: Sequence[Pair]) -> dict[Pair, float]:
        with stages.stage("relating headlines", language, len(pairs)) as advance:
            left, right = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
            cosines = (vectors[left] * vectors[right]).sum(axis=1)
            scores = scorer.same_event_probabilities([(reports[i], reports[j]) for i, j in pairs], cosines, advance)
        stages.counts["headline pairs"] += len(pairs)
        return dict(zip(pairs, scores.tolist(), strict=True))

    with stages.stage("comparing headlines", language):
        floor = scorer.cosine_for(MIN_PROBABILITY)
        first: list[Pair] = []
        for story in [range(len(articles))] if stories is None else stories:
            published = [times[number] for number in story]
            near = candidate_pairs(vectors[list(story)], published, neighbours=MAX_NEIGHBOURS, floor=floor)
            first += [(story[i], story[j]) for i, j in near]
    probabilities = score(first)
    probabilities |= score(second_pass_pairs(len(reports), probabilities, max_pairs=MAX_SECOND_PASS_PAIRS))
    told = [told_by_report(article) for article in articles]
    return ScoredHeadlines(probabilities, vectors, scorer.same_event_by_cosine, prior, told, Times(times))


def partition_headlines(
    probabilities: Mapping[Pair, float],
    vectors: NDArray[np.float32],
    estimate: Estimate,
    *,
    prior: float = HEADLINE_PRIOR,
    told: Sequence[Told] = (),
    apart: Sequence[Pair] = (),
    together: Sequence[Pair] = (),
    times: Times | None = None,
    max_component: int = MAX_COMPONENT,
    uncertain: list[UncertainMerge] | None = None,
) -> list[list[int]]:
    """Partition headlines by event.

    Args:
        probabilities: of *same event*, before the prior, for the pairs (i < j) that were scored.
        vectors: (headlines, size), unit length.
        estimate: from cosines to probabilities, for pairs that were not scored.
        prior: log-odds added to every probability.
        told: what each headline tells; empty where that is not known.
        apart: pairs (i < j) that are never of one event.
        together: pairs that are of one event, unless ``apart`` says otherwise.
        times: of the headlines; ``None`` if all have one time.
        max_component: most headlines in a connected component, and so in a group.
        uncertain: receives the merges near the threshold.

    Returns:
        Groups in the order of their first members; members in order.
    """
    scored = with_prior(np.array(list(probabilities.values())), prior).tolist()
    known = dict(zip(probabilities, scored, strict=True))
    return partition(
        vectors,
        known,
        estimate,
        prior=prior,
        known=known,
        times=times,
        constraints=Constraints(told, apart=apart, together=together),
        max_component=max_component,
        uncertain=uncertain,
    )


def prior_odds(scorer: SameEventScorer, prior: float | None) -> float:
    """The log-odds to add to a scorer's probabilities for another prior.

    Args:
        prior: the share of pairs of one event among similar reports (0 to 1); ``None`` gives ``HEADLINE_PRIOR``.
    """
    return HEADLINE_PRIOR if prior is None else float(log_odds(prior) - log_odds(scorer.usual_share))


def second_pass_pairs(
    count: int,
    probabilities: Mapping[Pair, float],
    *,
    max_pairs: int,
    threshold: float = SAME_EVENT_THRESHOLD,
    max_component: int = MAX_COMPONENT,
) -> list[Pair]:
    """Pairs inside the connected components of the first pass that have not been scored yet.

    If many outlets report one event, a few neighbours of each report are a small part of the event's pairs. If a
    component is divided, items spend the rest of their budget on pairs across its parts; else the neighbours of an
    item in a full part would stay alone, though they may be one event.

    Args:
        count: number of items.
        probabilities: of the pairs scored so far.
        max_pairs: most extra pairs per item.
        threshold: probability from which a pair connects its items.
        max_component: most items in a component; a larger one is divided.

    Returns:
        Sorted pairs (i < j).
    """
    budget = [max_pairs] * count
    pairs: set[Pair] = set()
    divided = [members for members in components(count, probabilities, threshold) if len(members) > max_component]
    for members in [*components(count, probabilities, threshold, max_component), *divided]:
        unspent = list(range(len(members)))
        for gap in range(1, len(members)):
            # unspent pairs with smaller gaps are already taken, so few items are left at wide gaps
            unspent = [place for place in unspent if budget[members[place]]]
            if len(unspent) < 2 or unspent[-1] - unspent[0] < gap:
                break
            for place in unspent:
                if place + gap >= len(members):
                    break
                i, j = members[place], members[place + gap]
                if budget[i] and budget[j] and (i, j) not in probabilities and (i, j) not in pairs:
                    budget[i] -= 1
                    budget[j] -= 1
                    pairs.add((i, j))
    return sorted(pairs)
