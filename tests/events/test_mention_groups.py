"""Mentions fall into events inside their stories, whatever order they come in."""

import random
from datetime import UTC, datetime, timedelta
from itertools import permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from whywire.events.mention_groups import group_mentions
from whywire.events.told import Told
from whywire.news import Published


def estimate(cosines):
    """A probability that grows from 0 at a cosine of 0.5 to 1 at 1."""
    return np.clip(2 * np.asarray(cosines, dtype=np.float64) - 1, 1e-6, 1 - 1e-6)


def turned(*degrees):
    angles = np.radians(degrees)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def grouped(vectors, stories, *, headlines=(), apart=(), times=None, told=()):
    times = times or [None] * len(vectors)
    return group_mentions(vectors, stories, times, estimate, 0.6, told=told, headlines=headlines, apart=apart)


def test_near_mentions_of_a_story_are_one_event_and_those_of_another_story_never():
    vectors = turned(0, 3, 90, 2)
    assert grouped(vectors, [[0, 1, 2, 3]]) == [[0, 1, 3], [2]]
    assert grouped(vectors, [[0, 1, 2], [3]]) == [[0, 1], [2], [3]]


def test_the_cause_and_the_effect_of_a_claim_are_two_events():
    assert grouped(turned(0, 3), [[0, 1]], apart={(0, 1)}) == [[0], [1]]


def test_what_the_words_tell_apart_is_two_events_unless_most_of_a_group_says_otherwise():
    told = [Told("Rates rise"), Told("Rates fall"), Told("The bank met")]
    assert grouped(turned(0, 3), [[0, 1]], told=told[:2]) == [[0], [1]]
    assert grouped(turned(0, 3, 1), [[0, 1, 2]], told=told) != [[0, 1, 2]]
    assert grouped(turned(*range(8)), [[*range(8)]], told=told[:2] + told[2:] * 6) == [[*range(8)]]
    assert grouped(turned(0, 3), [[0, 1]], told=told[:2], headlines=[[0, 1]]) == [[0, 1]]


def test_of_headlines_the_pair_model_has_the_word():
    assert grouped(turned(0, 3), [[0, 1]], headlines=[[0], [1]]) == [[0], [1]]
    assert grouped(turned(0, 80), [[0, 1]], headlines=[[0, 1]]) == [[0, 1]]
    assert grouped(turned(0, 1, 2), [[0, 1, 2]], headlines=[[0], [2]]) in ([[0, 1], [2]], [[0], [1, 2]])


def test_what_is_reported_weeks_apart_is_not_one_event():
    times = [Published(datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=days)) for days in (0, 1, 30)]
    assert grouped(turned(0, 1, 2), [[0, 1, 2]], times=times) == [[0, 1], [2]]


@settings(max_examples=50)
@given(
    st.lists(st.integers(0, 180), min_size=1, max_size=12, unique=True),
    st.integers(1, 3),
    st.randoms(use_true_random=False),
)
def test_mentions_are_partitioned_inside_of_stories_in_whatever_order_they_come(degrees, count, rng: random.Random):
    story_of = [rng.randrange(count) for _ in degrees]
    order = rng.sample(range(len(degrees)), len(degrees))

    def partition(numbers):
        stories = [[at for at, number in enumerate(numbers) if story_of[number] == story] for story in range(count)]
        found = grouped(turned(*(degrees[number] for number in numbers)), [story for story in stories if story])
        assert sorted(at for group in found for at in group) == list(range(len(numbers)))
        return {frozenset(numbers[at] for at in group) for group in found}

    groups = partition(list(range(len(degrees))))
    assert all(len({story_of[number] for number in group}) == 1 for group in groups)
    assert partition(order) == groups


def test_of_joins_that_are_equally_likely_the_same_is_made_in_whatever_order_they_come():
    for degrees in ((0, 29, 58), (0, 29, 58, 87), (0, 1, 106, 135, 164)):
        found = set()
        for order in permutations(degrees):
            groups = grouped(turned(*order), [list(range(len(order)))])
            found.add(frozenset(frozenset(order[at] for at in group) for group in groups))
        assert len(found) == 1
