"""An affair is as wide as the news around it suggests."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import silhouette_samples

from whywire.errors import InputError
from whywire.headlines.affairs import group_affairs, likeness, separation, silhouettes
from whywire.headlines.candidates import Times
from whywire.news import Published


def near(direction, count, spread):
    vectors = np.array(direction) + np.random.default_rng(1).normal(size=(count, 8)) * spread
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@given(st.integers(3, 12), st.integers(0, 2**32 - 1))
def test_silhouettes_agree_with_scikit_learn(count, seed):
    chance = np.random.default_rng(seed)
    vectors = chance.normal(size=(count, 4))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    names = chance.integers(0, count - 1, size=count)
    groups = [np.flatnonzero(names == name).tolist() for name in sorted(set(names.tolist()))]
    if 1 < len(groups) < count:
        expected = silhouette_samples(vectors, names, metric="cosine")
        assert silhouettes(likeness(vectors), groups) == pytest.approx(expected)


def test_how_wide_an_affair_is_depends_on_what_else_there_is():
    apart = np.vstack([near(np.eye(8)[0], 6, 0.2), near(np.eye(8)[1], 6, 0.2)])
    assert group_affairs(apart) == [[*range(6)], [*range(6, 12)]]
    pairs = np.vstack([near(np.eye(8)[0] + 0.6 * np.eye(8)[place], 2, 0.01) for place in range(1, 7)])
    assert group_affairs(pairs) == [[k, k + 1] for k in range(0, 12, 2)]


@pytest.mark.parametrize("count", [2, 3, 10, 40])
def test_reports_of_one_affair_and_nothing_else_stay_together(count):
    told = [
        "The Ostravik refinery burned for a second day and its owner said that nobody was hurt there. " * 2
    ] * count
    assert group_affairs(near(np.eye(8)[0], count, 0.15), told) == [[*range(count)]]
    assert group_affairs(near(np.eye(8)[0], count, 0.15)) == [[*range(count)]]


def test_a_few_strangers_stay_apart_though_they_share_common_words():
    texts = [
        "The Ostravik refinery burned for a second day and its owner said that nobody was hurt there, while "
        "firemen from three towns were still pumping water out of the river.",
        "A court in Belmora said that the owner of two newspapers must pay back what he had borrowed from "
        "the pension fund, while his lawyers spoke of a second hearing.",
        "Rain washed away half of the tents at the music festival on the island, and those who had come "
        "from the mainland spent a second night in a school there.",
    ]
    for few in (2, 3):
        assert group_affairs(np.eye(8, dtype=np.float32)[:few], texts[:few]) == [[place] for place in range(few)]


def test_a_large_affair_that_could_fall_apart_does_not_decide_for_the_small_ones():
    halves = [near(np.eye(8)[0] + 0.8 * sign * np.eye(8)[7], 30, 0.02) for sign in (1, -1)]
    small = [near(np.eye(8)[place], 3, 0.12) for place in range(1, 7)]
    vectors = np.vstack([*halves, *small])
    whole = [[*range(60)], *([60 + 3 * k, 61 + 3 * k, 62 + 3 * k] for k in range(6))]
    apart = [[*range(30)], [*range(30, 60)], *([item] for item in range(60, 78))]
    alike = likeness(vectors)
    assert silhouettes(alike, apart).mean() > silhouettes(alike, whole).mean()
    assert separation(alike, apart) < separation(alike, whole)


def test_the_same_words_a_week_later_are_another_affair():
    start = datetime(2026, 3, 4, tzinfo=UTC)
    clock = Times([Published(start + timedelta(days=days), False) for days in (0, 1, 9, 10, 0, 1)])
    vectors = np.vstack([near(np.eye(8)[0], 4, 0.05), near(np.eye(8)[1], 2, 0.05)])
    assert group_affairs(vectors) == [[0, 1, 2, 3], [4, 5]]
    assert group_affairs(vectors, clock=clock) == [[0, 1], [2, 3], [4, 5]]


def test_words_that_few_texts_share_tell_affairs_apart_that_mean_nearly_the_same():
    vectors = near(np.eye(8)[0], 6, 0.15)
    places = ["Ostravik refinery near Kolmen", "Belmora shipyard beside Tarsk"]
    texts = [
        f"Workers of the {place} walked out over pay. " + "They want more. " * 8 for place in places for _ in "abc"
    ]
    assert group_affairs(vectors) != [[0, 1, 2], [3, 4, 5]]
    assert group_affairs(vectors, texts) == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("count", [20, 22, 60])
def test_the_name_of_a_large_affair_tells_it_from_the_others(count):
    named = [f"The Ostravik refinery {'was on everybody’s mind again today ' * 4} number{at}" for at in range(count)]
    others = [f"Somewhere{at} else {'they spoke of something else today ' * 4} number{at}" for at in range(140)]
    alike = likeness(np.eye(count + 140, dtype=np.float32), named + others)
    inside, outside = alike[0, 1:count], alike[0, count:]
    assert inside.min() > outside.max() + 0.1


GROUPING_IN_A_FRESH_PROCESS = """
import numpy as np
from whywire.headlines.affairs import likeness
words = [f"word{place}" for place in range(300)]
texts = [" ".join(words[(step * at) % 300] for step in range(1, 60)) for at in range(1, 40)]
print(likeness(np.eye(39, dtype=np.float32), texts).tobytes().hex())
"""


def test_likeness_repeats_to_the_last_bit_in_another_process():
    found = {
        subprocess.run(
            [sys.executable, "-c", GROUPING_IN_A_FRESH_PROCESS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1


def test_only_articles_with_texts_are_compared_by_words():
    vectors = near(np.eye(8)[0], 4, 0.3)
    texts = ["The Ostravik refinery burns", "", "Fire at the refinery of Ostravik", "A quiet day in parliament"]
    texts = [f"{text} {'so he did say ' * 6}" if text else "" for text in texts]
    meaning, both = likeness(vectors), likeness(vectors, texts)
    assert both == pytest.approx(both.T)
    assert np.diag(both) == pytest.approx(np.ones(4))
    assert both[1] == pytest.approx(meaning[1])
    assert both[0, 3] == pytest.approx(meaning[0, 3] / 2)
    assert both[0, 2] > both[0, 3] + 0.3
    assert likeness(vectors, [text[:40] for text in texts]) == pytest.approx(meaning)


def test_too_many_to_compare_are_refused_with_a_way_out():
    with pytest.raises(InputError, match="10,001 articles") as caught:
        group_affairs(np.zeros((10_001, 2), dtype=np.float32))
    assert "--narrow" in str(caught.value.hint)


@given(st.integers(0, 20), st.integers(0, 2**32 - 1))
def test_affairs_are_a_partition(count, seed):
    vectors = np.random.default_rng(seed).normal(size=(count, 4)).astype(np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    texts = [["", "the quiet harbour " * 9, "harbour strike " * 13][number % 3] for number in range(count)]
    for told in ((), texts):
        assert sorted(item for group in group_affairs(vectors, told) for item in group) == list(range(count))
