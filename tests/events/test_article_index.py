"""Stories depend on what is near, whatever came when."""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from whywire.events import story_linkage
from whywire.events.article_index import ArticleIndex
from whywire.events.candidates import UNIT, WINDOW, similarities
from whywire.events.story_linkage import CROWD, FIRST_CUT, LAST_CUT, RELATED, IndexedArticle
from whywire.news import Published

START = datetime(2026, 3, 4, tzinfo=UTC)
SIZE = 24


def vector(direction):
    own = np.asarray(direction, dtype=np.float64)
    return np.round(own / np.linalg.norm(own) * UNIT).astype(np.int8)


def article(name, direction, days=0.0):
    return IndexedArticle(name, None if days is None else Published(START + timedelta(days=days)), vector(direction))


def toward(similarity, first=0, second=1):
    """A direction with this cosine to the first axis."""
    return similarity * np.eye(SIZE)[first] + np.sqrt(1 - similarity**2) * np.eye(SIZE)[second]


def some_articles(count, seed, topics=5, days=12):
    """Reports around a few directions, over some days, some of them without a time, some of them twins."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(count):
        direction = np.eye(SIZE)[rng.integers(topics)] + 0.35 * rng.normal(size=SIZE)
        found.append(article(f"a{number}", direction, None if rng.random() < 0.05 else rng.uniform(0, days)))
        if rng.random() < 0.1:
            found.append(found[-1]._replace(id=f"twin{number}"))
    return found


def at_once(articles):
    index = ArticleIndex()
    index.apply(index.regroup(articles))
    return index


def everything(index, articles):
    """The stories, and where each article lies."""
    return {index.story_of(one.id) for one in articles}, {one.id: index.position_of(one.id) for one in articles}


def stories(articles):
    return everything(at_once(articles), articles)[0]


def linked(articles, crowd):
    """The stories by average linkage of all articles at once, as scipy finds them."""
    vectors = np.stack([one.vector for one in articles]).astype(np.float64)
    values = vectors @ vectors.T / UNIT**2
    times = [one.published and one.published.at for one in articles]
    apart = np.array([[bool(a and b) and abs(a - b) > WINDOW for b in times] for a in times])
    values[apart] = -1
    sizes = np.minimum(((values >= RELATED) & ~apart).sum(axis=1) - 1, crowd)
    distances = -(values - FIRST_CUT - (LAST_CUT - FIRST_CUT) / crowd * (sizes[:, None] + sizes) / 2)
    np.fill_diagonal(distances, 0)
    shift = distances.min() - 1  # scipy takes no negative distances
    tree = linkage(squareform(distances - shift * (1 - np.eye(len(articles))), checks=False), "average")
    if np.abs(tree[:, 2] + shift).min() < 1e-5:
        return None  # a merge at the very cut may go either way
    labels = fcluster(tree, -shift, "distance")
    return {frozenset(one.id for one, its in zip(articles, labels, strict=True) if its == label) for label in labels}


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), count=st.integers(2, 80), at_a_time=st.integers(1, 12))
def test_stories_are_those_of_one_linkage_of_all_articles(seed, count, at_a_time):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(story_linkage, "PLACED_AT_ONCE", at_a_time)
        articles = [one for one in some_articles(count, seed) if not one.id.startswith("twin")]  # without equal pairs
        expected = linked(articles, CROWD)
        if expected is not None:
            assert {frozenset(story) for story in stories(articles)} == expected


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10**6), count=st.integers(1, 60), crowd=st.sampled_from([4, CROWD]))
def test_whatever_comes_and_goes_stories_are_those_of_what_is_there(seed, count, crowd):
    chance = random.Random(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(story_linkage, "CROWD", crowd)  # so that it is full
        patch.setattr(story_linkage, "PLACED_AT_ONCE", chance.choice([1, 5, 64]))
        waiting, index, there = some_articles(count, seed), ArticleIndex(), {}
        chance.shuffle(waiting)
        while waiting:
            size = chance.randint(1, 12)
            coming, waiting = waiting[:size], waiting[size:]
            gone = chance.sample(sorted(there), min(len(there), chance.choice([0, 0, 2])))
            moved = [there[name] for name in chance.sample(sorted(there), min(len(there), 1)) if name not in gone]
            coming += [one._replace(vector=vector(np.eye(SIZE)[chance.randrange(5)] + 0.1)) for one in moved]
            before = everything(index, there.values())[0]
            change = index.regroup(coming, gone)
            assert everything(index, there.values())[0] == before  # nothing is changed yet
            index.apply(change)
            there = {name: one for name, one in there.items() if name not in gone} | {one.id: one for one in coming}
            after, positions = everything(index, there.values())
            assert (after, positions) == everything(at_once([*there.values()]), there.values())
            assert {*change.before} <= before
            assert after == (before - {*change.before}) | {*change.stories}
            assert len(index) == len(there)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_many_are_grouped_as_few_are(seed):
    articles = some_articles(60, seed)
    whole = stories(articles)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(story_linkage, "BLOCK_ROWS", 7)
        patch.setattr(story_linkage, "BLOCK_COLUMNS", 11)
        assert stories(articles) == whole


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), days=st.floats(15, 39), lost=st.booleans())
def test_an_index_without_what_is_older_finds_the_same_or_says_that_it_needs_more(seed, days, lost):
    """It has whole stories, as one that a store loads."""
    *earlier, last = sorted(
        (one for one in some_articles(60, seed, days=40) if one.published), key=lambda one: one.published.at
    )
    index, since = at_once(earlier), (START + timedelta(days=days)).timestamp()
    recent = [one for one in earlier if one.published.at.timestamp() >= since]
    stories = {index.story_of(one.id) for one in recent}
    loaded = [one for one in earlier if index.story_of(one.id) in stories]
    part = ArticleIndex()
    part.load(loaded, [index.position_of(one.id) for one in loaded])
    change = ([], [one.id for one in recent[:1]]) if lost else ([last], [])
    found, whole = part.regroup(*change), index.regroup(*change)
    if found.since >= since:
        assert (found.before, found.stories, found.positions) == (whole.before, whole.stories, whole.positions)
    else:
        assert found.since > since - timedelta(days=20).total_seconds()


def test_an_update_compares_no_more_articles_however_long_topics_go_on(monkeypatch):
    compared = []

    def counted(left, right):
        compared.append(len(left) * len(right))
        return similarities(left, right)

    monkeypatch.setattr(story_linkage, "similarities", counted)
    index, by_day = ArticleIndex(), []
    for day in range(60):
        told = some_articles(12, seed=day, days=1)
        later = [
            one._replace(id=f"{day} {one.id}", published=replace(one.published, at=one.published.at + timedelta(day)))
            for one in told
            if one.published
        ]
        compared.clear()
        index.apply(index.regroup(later))
        by_day.append(sum(compared))
    assert sum(by_day[40:]) < 1.2 * sum(by_day[20:40])


def test_where_little_else_is_told_less_likeness_is_enough():
    pair = [article("one", toward(1.0)), article("other", toward(FIRST_CUT + 0.1))]
    assert stories(pair) == {("one", "other")} or stories(pair) == {("other", "one")}
    crowd = [article(f"c{n}", np.eye(SIZE)[0] + 2.4 * np.eye(SIZE)[2 + n % 20], n / 100) for n in range(CROWD)]
    found = stories([*pair, *crowd])
    assert not any({"one", "other"} <= {*story} for story in found)
    twins = [article("one", toward(1.0)), article("other", toward(LAST_CUT + 0.3))]
    assert any({"one", "other"} <= {*story} for story in stories([*twins, *crowd]))


def test_reports_of_other_weeks_are_other_stories():
    assert len(stories([article("one", np.eye(SIZE)[0]), article("other", np.eye(SIZE)[0], days=6)])) == 2
    assert len(stories([article("one", np.eye(SIZE)[0]), article("other", np.eye(SIZE)[0], days=3)])) == 1
    assert len(stories([article("one", np.eye(SIZE)[0]), article("other", np.eye(SIZE)[0], days=None)])) == 1


def test_a_story_that_falls_apart_is_two():
    left, right = article("left", toward(1.0)), article("right", toward(0.0))
    between = article("between", toward(0.7))
    index = at_once([left, between, right])
    assert index.position_of("left").story == index.position_of("right").story
    index.apply(index.regroup((), {"between", "unknown"}))
    assert index.position_of("left").story != index.position_of("right").story
    assert len(index) == 2
