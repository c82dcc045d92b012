"""Links run forward in time, or say that the times do not tell."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.graph.elements import LinkKind, Order
from whywire.headlines.denials import is_denial
from whywire.headlines.linking import Opinion, opinions, order_of, pairs_to_ask, refutation, tied
from whywire.headlines.relations import Relation, column
from whywire.headlines.words import TellingWords
from whywire.news import Published

DAY = datetime(2026, 3, 4, tzinfo=UTC)
moments = st.builds(
    lambda hours, day_only: Published(DAY + timedelta(hours=0 if day_only else hours), day_only),
    st.integers(0, 60),
    st.booleans(),
)


def at(hour, *, day_only=False):
    return Published(DAY + timedelta(hours=hour), day_only)


def test_the_clock_decides_the_order():
    assert order_of(at(8), at(9)) is Order.FORWARD
    assert order_of(at(9), at(8)) is None
    assert order_of(at(9), at(9)) is Order.SAME_TIME
    assert order_of(at(0, day_only=True), at(9)) is Order.SAME_TIME
    assert order_of(at(0, day_only=True), at(24)) is Order.FORWARD
    assert order_of(None, at(9)) is Order.UNKNOWN


@given(st.one_of(st.none(), moments), st.one_of(st.none(), moments))
def test_one_direction_is_forbidden_only_where_the_other_is_certain(one, other):
    forth, back = order_of(one, other), order_of(other, one)
    assert (forth is None) == (back is Order.FORWARD)
    assert (back is None) == (forth is Order.FORWARD)


def test_an_opinion_never_runs_from_the_later_event_to_the_earlier():
    row = np.zeros(7)
    row[column(Relation.RIGHT_LEFT_CAUSE)] = 0.9
    found = opinions({(0, 1): [(10, 11)]}, {(10, 11): row}, [at(8), at(9)])
    assert {(opinion.source, opinion.target) for opinion in found} == {(0, 1)}
    found = opinions({(0, 1): [(10, 11)]}, {(10, 11): row}, [at(9), at(8)])
    strongest = max(found, key=lambda opinion: opinion.probability)
    assert (strongest.source, strongest.target, strongest.kind) == (1, 0, LinkKind.CAUSES)
    assert strongest.pairs == ((11, 10, 0.9),)


def test_the_clock_says_which_report_refutes_the_other():
    row = np.zeros(7)
    row[[column(Relation.LEFT_RIGHT_REFUTE), column(Relation.RIGHT_LEFT_REFUTE)]] = 0.4, 0.5
    found = opinions({(0, 1): [(10, 11)]}, {(10, 11): row}, [at(8), at(9)])
    assert [(item.source, item.target) for item in found if item.kind is LinkKind.REFUTES] == [(0, 1)]
    assert next(item.probability for item in found if item.kind is LinkKind.REFUTES) == pytest.approx(0.9)
    unsure = opinions({(0, 1): [(10, 11)]}, {(10, 11): row}, [None, at(9)])
    chances = {item.source: item.probability for item in unsure if item.kind is LinkKind.REFUTES}
    assert chances == {0: pytest.approx(0.4), 1: pytest.approx(0.5)}


def test_the_middles_and_the_nearest_headlines_are_asked():
    vectors = np.array([[1, 0], [0.8, 0.6], [0.6, 0.8], [0, 1]], np.float32)
    assert pairs_to_ask(([0, 1], [2, 3]), (0, 3), vectors) == [(0, 3), (1, 2)]
    assert pairs_to_ask(([1], [2]), (1, 2), vectors) == [(1, 2)]


def test_headlines_with_nothing_in_common_are_not_asked():
    telling = TellingWords(["Judge rules against Ellery harbour pilots", "Bad loans weigh on Tidewell dividend"])
    assert telling.shared("Ellery pilots appeal", "Judge rules against Ellery harbour pilots") == 2
    assert tied(2, 0.01)
    assert tied(1, 0.1)
    assert not tied(0, 0.1)
    assert tied(0, 0.3)


def test_denials_in_both_languages():
    assert is_denial("Company denies leak at plant")
    assert is_denial("Мэрия опровергла слухи об эвакуации")
    assert not is_denial("Toll in refinery fire rises to nine")
    assert not is_denial("Число погибших выросло до девяти")
    assert not is_denial("Judge dismisses appeal of harbour pilots")


def test_a_refutation_needs_a_contradiction_that_can_be_seen():
    titles = [
        "Four dead in Ellery refinery fire",
        "Ellery refinery fire: toll rises to 9",
        "Ellery mourns after fire",
    ]

    def opinion(target: int, chance: float) -> Opinion:
        return Opinion(0, 1, LinkKind.REFUTES, chance, 1.0, Order.FORWARD, ((0, target, chance),))

    assert refutation(opinion(2, 0.9), titles) is None
    seen = refutation(opinion(1, 0.2), titles)
    assert seen is not None
    assert seen.probability == seen.pairs[0][2] == pytest.approx(0.5)
    both = Opinion(0, 1, LinkKind.REFUTES, 0.4, 1.0, Order.FORWARD, ((0, 2, 0.6), (0, 1, 0.2)))
    assert refutation(both, titles) == replace(
        both, probability=pytest.approx(0.55), pairs=((0, 2, 0.6), (0, 1, 0.5))
    )
