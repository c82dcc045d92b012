"""``whywire.relate``: the relation of two reports, each a headline with or without its text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from whywire.api.news_input import HeadlineInput, to_article
from whywire.elements import round_probability
from whywire.errors import InputError
from whywire.events.contradictions import contradiction, denies
from whywire.events.distinct import distinction
from whywire.events.told import told_by_report
from whywire.language_models import LanguageModels, indices_by_language
from whywire.links.order import order_of_reports
from whywire.links.refutations import may_refute, plain_relation
from whywire.news import Article, Published
from whywire.pairs.relations import RELATIONS, Causality, Relation, as_three, column, decide_three, most_likely
from whywire.pairs.reports import report_of
from whywire.progress import NoProgress, Progress, share_of

TOLD_APART = 0.05
"""The highest probability of *same event* for two reports whose words state different events, and of a refutation by
a report that speaks of something else."""

RELATION_SHARE = 0.8
"""The share of the work on a pair that goes into its relation, for the progress bar; the rest is its strength."""

EVEN = 0.5
"""The default prior of *same event*: two compared reports are as likely of one event as of two."""


@dataclass(frozen=True)
class PairRelation:
    """The relation of a left and a right report; swapping the two mirrors it exactly.

    Args:
        probabilities: of the seven relations of picked pairs, in the order of ``RELATIONS``, rounded, so that files
            and answers of a service give the same label; but for that they sum to 1. If the words of the reports
            state different events, the probability of *same event* is at most ``TOLD_APART``. The same limit holds
            for a refutation if its report speaks of something else.
        same_event: the probability (0 to 1) that both report the same event, under the given prior, with the same
            limit.
        strengths: how strongly left caused right, and right left (0 to 100 on CRAB's scale).
        published: when the left and the right report appeared, if known.
    """

    probabilities: tuple[float, ...]
    same_event: float
    strengths: tuple[float, float]
    published: tuple[Published | None, Published | None] = (None, None)

    @cached_property
    def label(self) -> Relation:
        """The most probable relation of the most probable class, :attr:`simple`."""
        return most_likely(np.array(self.probabilities))

    @property
    def simple(self) -> Causality:
        """The class of HeadlineCause's simple task, in which a refutation counts as a cause."""
        return decide_three(as_three(np.array(self.probabilities)))

    @property
    def causality(self) -> float:
        """The probability (0 to 1) of a cause or a refutation, in either direction: of all but *no causality*."""
        _, forward, backward = as_three(np.array(self.probabilities))
        return float(forward + backward)

    @property
    def against_clock(self) -> bool:
        """Whether the label leads from a report that is certainly later to an earlier one."""
        left, right = self.published
        if self.label in (Relation.LEFT_RIGHT_CAUSE, Relation.LEFT_RIGHT_REFUTE):
            return order_of_reports(left, right) is None
        if self.label in (Relation.RIGHT_LEFT_CAUSE, Relation.RIGHT_LEFT_REFUTE):
            return order_of_reports(right, left) is None
        return False


def relate(
    pairs: Iterable[tuple[HeadlineInput, HeadlineInput]],
    *,
    prior: float = EVEN,
    models: LanguageModels | None = None,
    progress: Progress | None = None,
) -> list[PairRelation]:
    """Relate pairs of reports: same event, cause, refutation, or another of the seven relations (HeadlineCause).

    >>> (relation,) = whywire.relate([("Storm cuts power to the bay", "Schools stay closed after power cut")])
    >>> relation.label, relation.strengths

    Args:
        pairs: left and right headlines: texts, articles or rows of articles. If an article has a text, its beginning
            is also read.
        prior: the share of same-event pairs among these pairs (between 0 and 1), for ``same_event``.
        models: loaded models; the embedded ones by default.
        progress: shows the progress of the work.

    Returns:
        One relation for each pair, in their order.

    Raises:
        InputError: a headline is empty, a row is not an article or has a time that cannot be read, or the prior is
            not between 0 and 1.
    """
    check_prior(prior)
    models, progress = models or LanguageModels(), progress or NoProgress()
    ends = [(to_article(left), to_article(right)) for left, right in pairs]
    titles = [(left.title, right.title) for left, right in ends]
    reports = [(report_of(left), report_of(right)) for left, right in ends]
    related: dict[int, PairRelation] = {}
    for language, indices in indices_by_language([" ".join(sorted(pair)) for pair in titles]).items():
        of_language = [reports[index] for index in indices]
        advance = progress.start(f"relating headlines ({language})", len(of_language))
        model = models.pairs(language)
        compared = model.compared_probabilities(of_language, share_of(advance, RELATION_SHARE / 2))
        table = model.relate(of_language, share_of(advance, RELATION_SHARE / 2), compared=compared)
        same = model.with_share(model.same_event(compared, model.similarity(of_language)), prior)
        for at, index in enumerate(indices):
            if distinction(*map(told_by_report, ends[index])):
                same[at] = min(same[at], TOLD_APART)
            table[at] = by_words(table[at], *ends[index])
        both_ways = of_language + [(right, left) for left, right in of_language]
        strengths = model.strengths(both_ways, share_of(advance, (1 - RELATION_SHARE) / 2)).reshape(2, -1).T.tolist()
        for index, row, (forward, backward), same_event in zip(indices, table, strengths, same.tolist(), strict=True):
            left, right = ends[index]
            related[index] = PairRelation(
                tuple(map(round_probability, row)), same_event, (forward, backward), (left.published, right.published)
            )
    return [related[index] for index in range(len(titles))]


def by_words(probabilities: NDArray[np.float64], left: Article, right: Article) -> NDArray[np.float64]:
    """The probabilities (7,) of a model, corrected by what the words of two reports plainly say.

    If they state different events, *same event* is limited to ``TOLD_APART``, and the other relations share the rest.
    So is a refutation by a report that speaks of something else (:func:`whywire.links.refutations.may_refute`); the
    rest is *other relationship*, for the model saw that the two have something in common. What a report denies did
    not lead to it, so there a cause is limited, and the rest is the refutation. A plain refutation, such as a title
    that repeats the other after "retracted", counts as a refutation whatever the model says.
    """
    plain = plain_relation(left, right)
    if plain is not None:
        return plain
    result = probabilities.copy()
    if distinction(told_by_report(left), told_by_report(right)):
        same = np.arange(len(RELATIONS)) == column(Relation.SAME_EVENT)
        rest = result * (1 - np.minimum(result[same], TOLD_APART)) / np.maximum(1 - result[same], 1e-12)
        result = np.where(same, np.minimum(result, TOLD_APART), rest)
    of_something_else = 0.0
    for earlier, later, cause, refutation in (
        (left, right, column(Relation.LEFT_RIGHT_CAUSE), column(Relation.LEFT_RIGHT_REFUTE)),
        (right, left, column(Relation.RIGHT_LEFT_CAUSE), column(Relation.RIGHT_LEFT_REFUTE)),
    ):
        if order_of_reports(earlier.published, later.published) is None or not may_refute(later, earlier):
            of_something_else += _cut(result, refutation)
        elif denies(later.title, earlier.title) and contradiction(earlier.title, later.title):
            result[refutation] += _cut(result, cause)
    result[column(Relation.OTHER_RELATIONSHIP)] += of_something_else
    return result


def _cut(probabilities: NDArray[np.float64], place: int) -> float:
    """Limit one of the probabilities to ``TOLD_APART``, and return what was cut off."""
    before = float(probabilities[place])
    probabilities[place] = min(before, TOLD_APART)
    return max(0.0, before - TOLD_APART)


def check_prior(prior: float) -> None:
    """Raise ``InputError`` unless a prior is strictly between 0 and 1."""
    if not 0 < prior < 1:
        raise InputError(
            f"a prior is a share between 0 and 1, not {prior}", hint="with 0.5 one event is as likely as two"
        )
