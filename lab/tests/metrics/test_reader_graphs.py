"""Readers' graphs compared: what counts as the same event, and as the same link."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire_lab.metrics.reader_graphs import Counts, Drawn, count, same_place

FIRE, CLOSURE, STRIKE = ("text", 0, 20), ("text", 30, 50), ("text", 60, 80)
READER = Drawn([[FIRE, ("title", 0, 8)], [CLOSURE], [STRIKE]], {(0, 1): "said", (1, 2): "implied"})


def counted(drawn: Drawn, gold: Drawn = READER) -> Counts:
    sums = Counts()
    count(gold, drawn, sums)
    return sums


def test_a_graph_agrees_with_itself() -> None:
    sums = counted(READER)
    assert (sums.f1, sums.event_f1, sums.recall_of("said")) == (1, 1, 1)


def test_a_turned_link_is_wrong_and_counted_as_turned() -> None:
    sums = counted(Drawn(READER.events, {(1, 0): "said"}))
    assert (sums.drawn_links_right, sums.drawn_links_reversed, sums.recall) == (0, 1, 0)


def test_a_link_to_what_the_reader_has_not_costs_precision() -> None:
    drawn = Drawn([[FIRE], [CLOSURE], [("text", 200, 220)]], {(0, 1): "said", (0, 2): "said"})
    sums = counted(drawn)
    assert sums.precision == 0.5
    assert sums.drawn_events_right == 2


def test_any_mention_finds_an_event() -> None:
    assert counted(Drawn([[("title", 0, 8)], [CLOSURE]], {(0, 1): "said"})).drawn_links_right == 1


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (("text", 10, 40), True),
        (("text", 11, 31), False),
        (("text", 0, 81), False),
        (("title", 0, 20), False),
    ],
)
def test_half_of_the_shorter_must_be_shared(other: tuple[str, int, int], same: bool) -> None:
    assert same_place(FIRE, other) is same


places = st.tuples(st.sampled_from(["title", "text"]), st.integers(0, 60), st.integers(1, 30)).map(
    lambda place: (place[0], place[1], place[1] + place[2])
)


@given(places, places)
def test_sameness_is_symmetric(one: tuple[str, int, int], other: tuple[str, int, int]) -> None:
    assert same_place(one, other) == same_place(other, one)
    assert same_place(one, one)
