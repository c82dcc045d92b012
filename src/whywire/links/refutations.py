"""Refutations that the words of two headlines support (:mod:`whywire.events.contradictions`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from whywire.elements import Contradiction
from whywire.events.contradictions import (
    ANOTHER_TIME,
    contradiction,
    denies_death,
    retracts,
    speaks_of_something_else,
)
from whywire.events.denials import is_denial, negates, says_no
from whywire.events.distinct import Distinction, distinction
from whywire.events.told import told_by_report
from whywire.links.order import order_of_reports
from whywire.news import Article
from whywire.pairs.relations import Relation, column

PLAIN = 0.95
"""The probability that a title refutes what it repeats after "retracted", or that a report that somebody lives
refutes one of their death; no model is asked."""


def may_refute(later: Article, earlier: Article) -> bool:
    """Whether the words of two reports leave it open that the later refutes the earlier.

    They do not if the reports are of different places or days, if the later speaks of something else, or if both deny
    something: "scientists refute a myth" and "researchers dispel a myth" agree. If one of them says no, the words
    must show what it says no to; only a report that supersedes another, as a deed does its promise, needs no word.
    """
    if is_denial(later.title) and is_denial(earlier.title) and not retracts(later.title, earlier.title):
        return False
    apart = distinction(told_by_report(earlier), told_by_report(later))
    if apart is Distinction.PLACE or (apart is Distinction.DAYS and not ANOTHER_TIME.search(later.title)):
        return False
    if speaks_of_something_else(later.title, earlier.title):
        return False
    say_no = says_no(later.title) or says_no(earlier.title)
    return not say_no or _shown(earlier.title, later.title) is not None


def refuted_in(earlier: Article, later: Article) -> Contradiction | None:
    """How the later report contradicts the earlier, if a model takes it for a refutation; ``None`` if it does not.

    Besides what :func:`contradiction` finds, it is enough that the later headline denies something in other words and
    the earlier denies nothing: the model says that both are about the same.
    """
    return _shown(earlier.title, later.title) if may_refute(later, earlier) else None


def _shown(earlier: str, later: str) -> Contradiction | None:
    in_other_words = is_denial(later) and not negates(earlier)
    return contradiction(earlier, later) or (Contradiction.POLARITY if in_other_words else None)


def plain_relation(left: Article, right: Article) -> NDArray[np.float64] | None:
    """The probabilities (7,) of the relations of two reports if one plainly refutes the other; else ``None``."""
    for earlier, later, relation in (
        (left, right, Relation.LEFT_RIGHT_REFUTE),
        (right, left, Relation.RIGHT_LEFT_REFUTE),
    ):
        if order_of_reports(earlier.published, later.published) and _refutes_plainly(later, earlier):
            row = np.full(len(Relation), (1 - PLAIN) / (len(Relation) - 1))
            row[column(relation)] = PLAIN
            return row
    return None


def _refutes_plainly(later: Article, earlier: Article) -> bool:
    if retracts(later.title, earlier.title):
        return True
    return denies_death(later.title, earlier.title) and may_refute(later, earlier)
