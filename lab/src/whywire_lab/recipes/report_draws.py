"""How report pairs are drawn: shares of the sources, stars around one article, and priors of what is drawn."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from whywire.pairs.relations import Relation
from whywire.pairs.reports import Report
from whywire_lab.recipes.pair_rows import CAUSAL, REFUTING, SAME, with_typo
from whywire_lab.recipes.relation_priors import PRIORS, Prior, priors_by_group
from whywire_lab.recipes.report_rows import NEIGHBOURS, PICKED, ReportPair, with_leads_dropped
from whywire_lab.recipes.report_sources import ANNOTATORS, RANDOM, STREAM

SHARES: Mapping[str, float] = {
    "annotators directed": 0.13,
    "annotators other": 0.075,
    "annotators rest": 0.055,
    "stream directed": 0.055,
    "stream same": 0.075,
    "stream rest": 0.09,
    "random": 0.03,
    "topics": 0.03,
    "uci": 0.015,
    "wikinews": 0.015,
    "ecbplus": 0.03,
    "headline-cause": 0.04,
    "paraphraser": 0.09,
    "toloka": 0.005,
    "follow-ups": 0.09,
    "headline-stories": 0.04,
    "contrast-sets": 0.055,
    "invented": 0.03,
    "event-causes": 0.02,
    "graded-stories": 0.015,
    "main-event-stories": 0.005,
    "e-care": 0.01,
}
"""The share of the rows drawn from each pool.

Labelled pairs of the streams are in three pools by guideline: *directed* (a cause or a refutation), *same* or
*other*, and the *rest*.
"""

STAR = 4
"""Rows of one article that are drawn at once, at most: the article is read once for all of them."""

MERGED_PRIORS: Mapping[tuple[str, str], str] = {(RANDOM, NEIGHBOURS): STREAM, (RANDOM, PICKED): ANNOTATORS}
"""Sources that are a part of another one's pairs by a guideline: random pairs have one relation and so no prior."""


def pool_of(row: ReportPair) -> str:
    """The name in ``SHARES`` of the pool that a row is in."""
    if row.source not in (STREAM, ANNOTATORS):
        return row.source
    if row.allowed & (CAUSAL | REFUTING):
        return f"{row.source} directed"
    if row.source == STREAM:
        return "stream same" if row.allowed == SAME else "stream rest"
    return "annotators other" if Relation.OTHER_RELATIONSHIP in row.allowed else "annotators rest"


def prior_group(row: ReportPair, guideline: str) -> str:
    """The rows that share a prior with this one."""
    return f"{MERGED_PRIORS.get((row.source, guideline), row.source)} {row.language}"


class Pool:
    """Rows of one pool and their weights in drawing.

    A component with *n* rows is drawn *n*^(1/2) times as often as one with a single row: they are near-duplicates.
    """

    def __init__(self, rows: Sequence[ReportPair], component: Callable[[ReportPair], str]) -> None:
        self.rows = rows
        components = [component(row) for row in rows]
        counts = Counter(components)
        self.weights = [counts[name] ** -0.5 for name in components]
        self._up_to = list(accumulate(self.weights))
        self._of_report: dict[Report, list[int]] = defaultdict(list)
        for number, row in enumerate(rows):
            for report in {row.left, row.right}:
                self._of_report[report].append(number)

    def star(self) -> list[ReportPair]:
        """Up to ``STAR`` rows of one article, with or without leads alike."""
        (number,) = random.choices(range(len(self.rows)), cum_weights=self._up_to)
        row = self.rows[number]
        others = [other for other in self._of_report[random.choice((row.left, row.right))] if other != number]
        star = [number, *random.sample(others, min(STAR - 1, len(others)))]
        return [self.rows[other] for other in star]


class Draws:
    """Random batches in the proportions of ``SHARES``, and the priors of what is drawn.

    Args:
        rows: the training rows.
        component: names the component of a row, whose rows are near-duplicates.
    """

    def __init__(self, rows: Iterable[ReportPair], component: Callable[[ReportPair], str]) -> None:
        by_pool: dict[str, list[ReportPair]] = defaultdict(list)
        for row in rows:
            by_pool[pool_of(row)].append(row)
        self._pools = {name: Pool(by_pool[name], component) for name in SHARES if by_pool[name]}
        self._shares = [SHARES[name] for name in self._pools]
        self.priors: dict[str, dict[str, Prior]] = {
            guideline: priors_by_group(self._drawn(guideline), PRIORS[guideline])
            for guideline in (NEIGHBOURS, PICKED)
        }

    def batch(self, size: int) -> list[ReportPair]:
        """A batch of rows as they are shown: in random order of the sides, with typos, some without leads."""
        shown: list[ReportPair] = []
        while len(shown) < size:
            (pool,) = random.choices(list(self._pools.values()), self._shares)
            for row in pool.star()[: size - len(shown)]:
                turned = row.mirrored() if random.random() < 0.5 else row
                shown.append(with_leads_dropped(_with_typos(turned)))
        return shown

    def _drawn(self, guideline: str) -> Iterator[tuple[str, ReportPair, float]]:
        for pool, share in zip(self._pools.values(), self._shares, strict=True):
            whole = sum(pool.weights)
            for row, weight in zip(pool.rows, pool.weights, strict=True):
                if guideline in row.guidelines:
                    yield prior_group(row, guideline), row, share * weight / whole


def _with_typos(row: ReportPair) -> ReportPair:
    left, right = (report._replace(title=with_typo(report.title)) for report in (row.left, row.right))
    return replace(row, left=left, right=right)
