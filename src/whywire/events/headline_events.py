"""Groups headlines by the event they report.

Candidates are found by embedding and time, scored by both texts in two passes, and partitioned by average linkage
(:mod:`whywire.events.linkage`, which says which error is worse). What the words tell apart stays apart
(:mod:`whywire.events.distinct`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from whywire.events.article_reports import report_of
from whywire.events.candidates import Times, candidate_pairs, second_pass_pairs
from whywire.events.components import MAX_COMPONENT, Pair
from whywire.events.distinct import Told, told_by_report
from whywire.events.linkage import Constraints, Estimate, partition, with_prior
from whywire.events.scorer import HEADLINE_PRIOR, MAX_NEIGHBOURS, MIN_PROBABILITY, SameEventScorer
from whywire.models.odds import log_odds
from whywire.news import Article, Language
from whywire.progress import Stages

MAX_SECOND_PASS_PAIRS = 16
"""Extra pairs scored per headline in the second pass, within connected components of the first."""


def group_headlines(
    articles: Sequence[Article],
    vectors: NDArray[np.float32],
    language: Language,
    scorer: SameEventScorer,
    stages: Stages,
    *,
    stories: Iterable[Sequence[int]] | None = None,
    prior: float = HEADLINE_PRIOR,
) -> list[list[int]]:
    """Score pairs of headlines in two passes, and partition the headlines by event.

    Args:
        articles: all in one language.
        vectors: (articles, size), unit length.
        scorer: of that language.
        stories: the indices of the articles of each, in order; an event lies inside one. Without them all articles
            are compared.
        prior: log-odds added to every probability of *same event*.

    Returns:
        For each event, the indices of the articles whose headlines report it.
    """
    reports = [report_of(article) for article in articles]
    times = [article.published for article in articles]

    def score(pairs: Sequence[Pair]) -> dict[Pair, float]:
        with stages.stage("relating headlines", language, len(pairs)) as advance:
            left, right = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
            cosines = (vectors[left] * vectors[right]).sum(axis=1)
            found = scorer.same_event_probabilities([(reports[i], reports[j]) for i, j in pairs], cosines, advance)
        stages.counts["headline pairs"] += len(pairs)
        return dict(zip(pairs, found.tolist(), strict=True))

    with stages.stage("comparing headlines", language):
        floor = scorer.cosine_for(MIN_PROBABILITY)
        first: list[Pair] = []
        for story in [range(len(articles))] if stories is None else stories:
            published = [times[number] for number in story]
            near = candidate_pairs(vectors[list(story)], published, neighbours=MAX_NEIGHBOURS, floor=floor)
            first += [(story[i], story[j]) for i, j in near]
    probabilities = score(first)
    probabilities |= score(second_pass_pairs(len(reports), probabilities, max_pairs=MAX_SECOND_PASS_PAIRS))
    with stages.stage("grouping", language):
        estimate = scorer.same_event_by_cosine
        told = [told_by_report(article) for article in articles]
        return partition_headlines(probabilities, vectors, estimate, prior=prior, told=told, times=Times(times))


def partition_headlines(
    probabilities: Mapping[Pair, float],
    vectors: NDArray[np.float32],
    estimate: Estimate,
    *,
    prior: float = HEADLINE_PRIOR,
    told: Sequence[Told] = (),
    times: Times | None = None,
    max_component: int = MAX_COMPONENT,
) -> list[list[int]]:
    """Partition headlines by event.

    Args:
        probabilities: of *same event*, before the prior, for the pairs (i < j) that were scored.
        vectors: (headlines, size), unit length.
        estimate: from cosines to probabilities, for the pairs that were not scored.
        prior: log-odds added to every probability.
        told: what each headline tells; empty where that is not known.
        times: of the headlines; ``None`` if they are of one time.
        max_component: headlines in a connected component, and so in a group.

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
        constraints=Constraints(told),
        max_component=max_component,
    )


def prior_odds(scorer: SameEventScorer, prior: float | None) -> float:
    """The log-odds to add to a scorer's probabilities so that they start from a prior (0 to 1).

    Args:
        prior: the share of pairs of one event among similar reports; ``HEADLINE_PRIOR`` is added without it.
    """
    return HEADLINE_PRIOR if prior is None else float(log_odds(prior) - log_odds(scorer.usual_share))
