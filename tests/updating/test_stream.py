"""Headlines made of words; the scorer knows only which words they share."""

import random
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from whywire.events.article_index import ArticleIndex
from whywire.events.headline_events import score_headlines
from whywire.events.report_vectors import report_vector
from whywire.events.story_linkage import IndexedArticle
from whywire.news import Article, Language
from whywire.news.article import Published
from whywire.news.duplicates import in_canonical_order
from whywire.pairs.model import PairModel
from whywire.pairs.reports import Report, TwoReports, report_of
from whywire.progress import Advance, Stages
from whywire.updating.stream import KEPT, MAX_LATENESS, MonolingualStream, StreamStep, final_events

START = datetime(2026, 3, 2, 8, tzinfo=UTC)
SIZE = 32


class SharedWords:
    """Scores by the cosine of two bags of words."""

    usual_share = 0.5

    def embed(self, reports: Sequence[Report], advance: Advance | None = None) -> NDArray[np.float32]:
        vectors = np.array([sum(_direction(word) for word in report.title.lower().split()) for report in reports])
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)

    def same_event_probabilities(
        self, pairs: Sequence[TwoReports], cosines: NDArray[np.float32], advance: Advance | None = None
    ) -> NDArray[np.float64]:
        return self.same_event_by_cosine(cosines)

    def same_event_by_cosine(self, cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        return 1 / (1 + np.exp(-12 * (cosines.astype(np.float64) - 0.75)))

    def cosine_for(self, probability: float) -> float:
        return 0.75 + float(np.log(probability / (1 - probability))) / 12


def _direction(word: str) -> NDArray[np.float64]:
    return np.random.default_rng(zlib.crc32(word.encode())).normal(size=SIZE)


def headline(number: int, title: str, hours: float | None = 0.0) -> Article:
    at = None if hours is None else Published(START + timedelta(hours=hours))
    return Article(f"h{number}", title, published=at)


TOPICS = [
    "ferry runs aground rocks harbour karvala passengers rescued",
    "vellmark bank chief executive resigns board names successor",
    "dam bursts valley flooded village evacuated river bridge",
    "refinery blaze pipeline closed petrol shortage calder",
]


def noisy(count: int, seed: int, days: float = 4) -> list[Article]:
    """Headlines on a few topics, of four or five of the topic's words each."""
    rng = random.Random(seed)
    return [
        headline(
            number,
            " ".join(rng.sample(rng.choice(TOPICS).split(), rng.choice([4, 5]))),
            rng.choice([None, *[rng.uniform(0, 24 * days)] * 9]),
        )
        for number in range(count)
    ]


def partition(event_of: dict[str, str]) -> set[frozenset[str]]:
    return {frozenset(name for name in event_of if event_of[name] == event) for event in event_of.values()}


def all_at_once(headlines: Sequence[Article]) -> set[frozenset[str]]:
    """The headlines of each event, as a build groups them."""
    scorer, articles = SharedWords(), in_canonical_order(headlines)
    vectors = scorer.embed([report_of(article) for article in articles])
    stories = ArticleIndex().regroup(
        [
            IndexedArticle(article.id, article.published, report_vector(article, vector))
            for article, vector in zip(articles, vectors, strict=True)
        ]
    )
    place = {article.id: number for number, article in enumerate(articles)}
    indices = [[place[name] for name in story] for story in stories.stories]
    scored = score_headlines(articles, vectors, Language.ENGLISH, scorer, Stages(), stories=indices)
    return {frozenset(articles[number].id for number in group) for group in scored.groups()}


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.randoms(use_true_random=False))
def test_after_any_order_of_arrivals_the_events_are_those_of_grouping_all_at_once(
    seed: int, shuffler: random.Random
) -> None:
    headlines = noisy(30, seed)
    expected = all_at_once(headlines)
    shuffler.shuffle(headlines)
    assert partition(final_events(MonolingualStream(SharedWords()).add(headlines))) == expected


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 1000), st.lists(st.integers(1, 20), min_size=1, max_size=12))
def test_how_the_stream_is_cut_into_batches_changes_nothing(seed: int, sizes: list[int]) -> None:
    headlines = noisy(40, seed)
    whole = MonolingualStream(SharedWords()).add(headlines)
    stream, cut, at = MonolingualStream(SharedWords()), [], 0
    while at < len(headlines):
        size = sizes[len(cut) % len(sizes)]
        cut += stream.add(headlines[at : at + size])
        at += size
    assert cut == whole


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 1000))
def test_an_assignment_tells_of_every_move_and_an_ended_id_is_never_given_again(seed: int) -> None:
    event_of: dict[str, str] = {}
    ended: set[str] = set()
    for one in MonolingualStream(SharedWords()).add(noisy(40, seed)):
        before = {**event_of}
        event_of |= {one.id: one.event, **one.moved}
        assert all(before[name] != event for name, event in one.moved.items())
        assert {*before.values()} - {*event_of.values()} == {*one.ended}
        assert ended.isdisjoint(event_of.values())
        opened = one.event not in before.values()
        assert one.step is (StreamStep.OPENED if opened else StreamStep.MERGED if one.ended else StreamStep.JOINED)
        ended |= {*one.ended}


def test_it_opens_joins_and_merges_and_lists_the_headlines_that_move() -> None:
    ferry = TOPICS[0].split()
    placed = MonolingualStream(SharedWords()).add(
        [headline(0, " ".join(ferry[:6])), headline(1, " ".join(ferry[2:])), headline(2, TOPICS[1])]
        + [headline(number, TOPICS[0]) for number in (3, 4)]
    )
    assert [one.step.value for one in placed] == ["opened", "opened", "opened", "merged", "joined"]
    assert (placed[3].event, dict(placed[3].moved), placed[3].ended) == ("h0", {"h1": "h0"}, ("h1",))
    assert final_events(placed) == {"h0": "h0", "h1": "h0", "h2": "h2", "h3": "h0", "h4": "h0"}


def test_headlines_with_one_id_are_two_headlines() -> None:
    placed = MonolingualStream(SharedWords()).add([headline(0, TOPICS[0]), headline(0, TOPICS[1])])
    assert placed[0].event == "h0" != placed[1].event


@pytest.mark.parametrize("hours", [None, 0.0, 30.0])
def test_late_news_finds_its_event(hours: float | None) -> None:
    stream = MonolingualStream(SharedWords())
    stream.add([headline(0, TOPICS[0], 12), headline(1, TOPICS[1], MAX_LATENESS / timedelta(hours=1))])
    (late,) = stream.add([headline(2, TOPICS[0], hours)])
    assert (late.event, late.late) == ("h0", False)


def test_news_that_comes_too_late_says_so_and_only_headlines_inside_the_window_are_compared() -> None:
    stream = MonolingualStream(SharedWords())
    placed = stream.add([headline(0, TOPICS[0]), headline(1, TOPICS[0], 24 * 9), headline(2, TOPICS[0], 24 * 9.5)])
    assert [one.event for one in placed] == ["h0", "h1", "h1"]
    assert stream.scored == 1
    (late,) = stream.add([headline(3, TOPICS[0], 3)])
    assert (late.event, late.step, late.late, stream.scored) == ("h3", StreamStep.OPENED, True, 1)


def test_memory_is_bounded_by_the_window() -> None:
    stream = MonolingualStream(SharedWords())
    kept = []
    for at in range(0, 1000, 50):
        stream.add(headline(number, f"{number}left {number}right", 8 * number) for number in range(at, at + 50))
        kept.append(len(stream))
    assert max(kept) <= KEPT / timedelta(hours=8) + 257


@pytest.mark.model
def test_the_headline_model_groups_real_headlines() -> None:
    titles = [
        "Ferry runs aground off Karvala, 120 passengers taken off",
        "Vellmark Bank names new chief executive",
        "Passengers evacuated after ferry hits rocks near Karvala",
        "Karvala: 120 rescued as ferry runs aground",
    ]
    headlines = [headline(number, title, number) for number, title in enumerate(titles)]
    events = final_events(MonolingualStream(PairModel.from_pretrained()).add(headlines))
    assert events["h0"] == events["h2"] == events["h3"] != events["h1"]


class Alike(SharedWords):
    """Takes every report for the same."""

    def embed(self, reports: Sequence[Report], advance: Advance | None = None) -> NDArray[np.float32]:
        return np.tile(np.eye(1, SIZE, dtype=np.float32), (len(reports), 1))


def test_what_the_words_tell_apart_is_two_events_however_near_and_not_the_nearest() -> None:
    told = [
        headline(0, "Kasran strikes Belmora"),
        headline(1, "Kasran strikes Belmora", 1),
        headline(2, "Kasran strikes Belmora again", 40),
    ]
    placed = MonolingualStream(Alike()).add(told)
    assert [one.event for one in placed] == ["h0", "h0", "h2"]
    assert placed[2].nearest is not None
    assert placed[2].nearest[1] == 0
