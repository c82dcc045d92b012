"""A story is as wide as the news around it suggests."""

import tracemalloc
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import silhouette_samples

from whywire.events import candidates, stories
from whywire.events.candidates import Times
from whywire.events.linkage import components, merges
from whywire.events.stories import CUTS, group_silhouettes, mean_silhouette, separate_stories
from whywire.news import Published


def group_stories(vectors, times=(), **options):
    return separate_stories(vectors, times, **options)


def separation(similarity, groups):
    return mean_silhouette(group_silhouettes(similarity, groups)) if groups else 0.0


def near(direction, count, spread):
    vectors = np.array(direction) + np.random.default_rng(1).normal(size=(count, len(direction))) * spread
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@given(st.integers(3, 12), st.integers(0, 2**32 - 1))
def test_silhouettes_agree_with_scikit_learn(count, seed):
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(count, 4))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    names = rng.integers(0, count - 1, size=count)
    groups = [np.flatnonzero(names == name).tolist() for name in sorted(set(names.tolist()))]
    if 1 < len(groups) < count:
        expected = silhouette_samples(vectors, names, metric="cosine")
        assert stories.silhouettes(vectors @ vectors.T, groups) == pytest.approx(expected)


def test_how_wide_an_story_is_depends_on_what_else_there_is():
    apart = np.vstack([near(np.eye(8)[0], 6, 0.2), near(np.eye(8)[1], 6, 0.2)])
    assert group_stories(apart) == [[*range(6)], [*range(6, 12)]]
    pairs = np.vstack([near(np.eye(8)[0] + 0.6 * np.eye(8)[place], 2, 0.01) for place in range(1, 7)])
    assert group_stories(pairs) == [[k, k + 1] for k in range(0, 12, 2)]


@pytest.mark.parametrize("count", [2, 3, 10, 40])
def test_reports_of_one_story_and_nothing_else_stay_together(count):
    assert group_stories(near(np.eye(8)[0], count, 0.15)) == [[*range(count)]]


def test_a_large_story_that_could_fall_apart_does_not_decide_for_the_small_ones():
    halves = [near(np.eye(8)[0] + 0.8 * sign * np.eye(8)[7], 30, 0.02) for sign in (1, -1)]
    small = [near(np.eye(8)[place], 3, 0.12) for place in range(1, 7)]
    vectors = np.vstack([*halves, *small])
    whole = [[*range(60)], *([60 + 3 * k, 61 + 3 * k, 62 + 3 * k] for k in range(6))]
    apart = [[*range(30)], [*range(30, 60)], *([item] for item in range(60, 78))]
    alike = vectors @ vectors.T
    assert stories.silhouettes(alike, apart).mean() > stories.silhouettes(alike, whole).mean()
    assert separation(alike, apart) < separation(alike, whole)


def test_the_same_words_a_week_later_are_another_story():
    start = datetime(2026, 3, 4, tzinfo=UTC)
    times = [Published(start + timedelta(days=days), False) for days in (0, 1, 9, 10, 0, 1)]
    vectors = np.vstack([near(np.eye(8)[0], 4, 0.05), near(np.eye(8)[1], 2, 0.05)])
    assert group_stories(vectors) == [[0, 1, 2, 3], [4, 5]]
    assert group_stories(vectors, times=times) == [[0, 1], [2, 3], [4, 5]]
    assert group_stories(vectors, times=times, max_articles=3) == [[0, 1], [2, 3], [4, 5]]


def undivided(vectors, times):
    """Stories as they were found before there was a limit, by one matrix of all pairs."""
    alike = (vectors @ vectors.T).astype(np.float64)
    if times:
        alike[Times(times).outside(np.arange(len(vectors)), np.arange(len(vectors)))] = 0.0
    found = merges(alike, CUTS[0])
    partitions = [components(len(vectors), found, cut) for cut in CUTS]
    return max(partitions, key=lambda groups: separation(alike, groups))


def some_articles(count, seed, spread=0.4):
    """Vectors around five directions, and times over twelve days, or none."""
    rng = np.random.default_rng(seed)
    home = rng.integers(0, 5, size=count)
    vectors = np.eye(8)[home] + spread * rng.normal(size=(count, 8))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    start = datetime(2026, 3, 4, tzinfo=UTC)
    times = [Published(start + timedelta(days=day), False) for day in rng.uniform(0, 12, count).tolist()]
    return vectors.astype(np.float32), [None if rng.random() < 0.1 else moment for moment in times]


@given(st.integers(0, 40), st.integers(0, 2**32 - 1), st.booleans())
def test_below_the_limit_stories_are_those_of_all_pairs(count, seed, timed):
    vectors, times = some_articles(count, seed)
    times = times if timed else ()
    expected = undivided(vectors, times)
    assert group_stories(vectors, times) == expected
    assert group_stories(vectors, times, max_articles=max(1, count)) == expected


@given(st.integers(1, 30), st.integers(2, 12), st.integers(0, 2**32 - 1))
def test_above_the_limit_stories_are_a_partition_and_no_larger_than_it(count, most, seed):
    vectors, times = some_articles(count, seed)
    found = group_stories(vectors, times, max_articles=most)
    assert found == sorted(found)
    assert sorted(item for group in found for item in group) == list(range(count))
    assert max(map(len, found)) <= most


@pytest.mark.slow
def test_more_than_ten_thousand_articles_fall_into_their_stories():
    rng = np.random.default_rng(1)
    centres = rng.normal(size=(150, 24))
    home = np.sort(rng.integers(0, 150, size=10_500))
    vectors = centres[home] + 0.3 * rng.normal(size=(10_500, 24))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    start = datetime(2026, 3, 4, tzinfo=UTC)
    times = [Published(start + timedelta(hours=8 * name), False) for name in home.tolist()]
    found = group_stories(vectors.astype(np.float32), times=times, max_articles=1_000)
    assert found == [np.flatnonzero(home == name).tolist() for name in sorted(set(home.tolist()))]


def test_parts_are_cut_where_it_suits_all_articles():
    direction = np.eye(10)
    stories_alike = [near(direction[0] + direction[place], 6, 0.02) for place in range(1, 7)]
    strangers = np.array([direction[8], 0.35 * direction[8] + (1 - 0.35**2) ** 0.5 * direction[9]], dtype=np.float32)
    vectors = np.vstack([*stories_alike, strangers])
    expected = [[*range(6 * place, 6 * place + 6)] for place in range(6)] + [[36], [37]]
    assert group_stories(strangers) == [[0, 1]]
    assert group_stories(vectors) == expected
    assert group_stories(vectors, max_articles=36) == expected  # the strangers are a part of their own


def test_identical_articles_fill_their_parts():
    vectors = np.ones((100, 4), dtype=np.float32) / 2
    assert sorted(map(len, group_stories(vectors, max_articles=30))) == [10, 30, 30, 30]


def peak_memory(vectors, most=10_000):
    tracemalloc.start()
    group_stories(vectors, max_articles=most)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.slow
def test_memory_is_that_of_two_matrices_and_above_the_limit_that_of_neighbours(monkeypatch):
    monkeypatch.setattr(stories, "CUTS", (0.15, 0.4))
    for module in (candidates, stories):
        monkeypatch.setattr(module, "BLOCK_ROWS", 128)
    vectors = np.random.default_rng(1).normal(size=(5_000, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert peak_memory(vectors[:1_500]) < 2.6 * 8 * 1_500**2
    assert 2.6 * 8 * stories.MAX_ARTICLES**2 < 0.6e9  # as many bytes at the limit
    assert peak_memory(vectors, most=500) < 0.5 * 8 * 5_000**2


@given(st.integers(0, 20), st.integers(0, 2**32 - 1))
def test_stories_are_a_partition(count, seed):
    vectors = np.random.default_rng(seed).normal(size=(count, 4)).astype(np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    assert sorted(item for group in group_stories(vectors) for item in group) == list(range(count))
