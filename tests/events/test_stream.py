"""Headlines made of a topic and a number; the scorer knows the topic by the direction of a vector."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from whywire.events.stream import MonolingualStream, StreamStep, final_events
from whywire.events.stream_window import Headline
from whywire.news.article import Published
from whywire.pairs.model import PairModel
from whywire.pairs.reports import Report, TwoReports
from whywire.progress import Advance

START = datetime(2026, 3, 2, 8, tzinfo=UTC)
SIZE = 16


class Directions:
    """Scores by the cosine alone; a title is a list of numbers that is taken for a direction."""

    def __init__(self) -> None:
        self.scored = 0

    usual_share = 0.5

    def embed(self, reports: Sequence[Report], advance: Advance | None = None) -> NDArray[np.float32]:
        vectors = np.array([[float(part) for part in report.title.split()] for report in reports])
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)

    def same_event_probabilities(
        self, pairs: Sequence[TwoReports], cosines: NDArray[np.float32], advance: Advance | None = None
    ) -> NDArray[np.float64]:
        self.scored += len(pairs)
        return self.same_event_by_cosine(cosines)

    def same_event_by_cosine(self, cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        return 1 / (1 + np.exp(-12 * (cosines.astype(np.float64) - 0.75)))

    def cosine_for(self, probability: float) -> float:
        return 0.75 + float(np.log(probability / (1 - probability))) / 12


def headline(number: int, direction: Sequence[float], hours: float | None = 0.0) -> Headline:
    at = None if hours is None else Published(START + timedelta(hours=hours))
    return Headline(f"h{number}", " ".join(map(str, direction)), at)


def along(*parts: float) -> list[float]:
    return [*parts, *([0.0] * (SIZE - len(parts)))]


def noisy(count: int, seed: int, topics: int = 12, days: float = 6) -> list[Headline]:
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(topics, SIZE))
    return [
        headline(number, (centres[rng.integers(topics)] + 0.35 * rng.normal(size=SIZE)).tolist(), hours)
        for number, hours in enumerate(np.sort(rng.uniform(0, 24 * days, size=count)).tolist())
    ]


def test_it_opens_joins_and_merges_under_the_older_name() -> None:
    stream = MonolingualStream(Directions())
    left, right, between = along(1, 0.6), along(0.6, 1), along(1, 1)
    placed = stream.add([headline(0, left), headline(1, right), headline(2, between), headline(3, along(0, 0, 1))])
    assert [one.step for one in placed] == [
        StreamStep.OPENED,
        StreamStep.JOINED,
        StreamStep.JOINED,
        StreamStep.OPENED,
    ]
    far = MonolingualStream(Directions())
    left, right = along(1, 0.3), along(0.3, 1)
    placed = far.add([headline(0, left), headline(1, right), *(headline(n, between) for n in range(2, 8))])
    assert placed[1].event == "h1"
    merged = [one for one in placed if one.step is StreamStep.MERGED]
    assert [(one.event, one.ended) for one in merged] == [("h0", ("h1",))]
    assert set(final_events(placed).values()) == {"h0"}


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1000), st.lists(st.integers(1, 40), min_size=1, max_size=12))
def test_how_the_stream_is_cut_into_batches_changes_nothing(seed: int, sizes: list[int]) -> None:
    headlines = noisy(120, seed)
    whole = MonolingualStream(Directions()).add(headlines)
    stream, cut, at = MonolingualStream(Directions()), [], 0
    while at < len(headlines):
        size = sizes[len(cut) % len(sizes)]
        cut += stream.add(headlines[at : at + size])
        at += size
    assert cut == whole


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1000))
def test_every_headline_is_in_one_event_named_for_its_first_headline(seed: int) -> None:
    headlines = noisy(150, seed)
    placed = MonolingualStream(Directions()).add(headlines)
    events = final_events(placed)
    assert list(events) == [one.id for one in headlines]
    opened = [one.id for one in placed if one.step is StreamStep.OPENED]
    ended = [gone for one in placed for gone in one.ended]
    assert set(events.values()) == set(opened) - set(ended)
    assert len(ended) == len(set(ended))
    for one in placed:
        assert one.event == one.id or one.step is not StreamStep.OPENED
        assert all(int(one.event[1:]) < int(gone[1:]) for gone in one.ended)


def test_only_headlines_inside_the_window_are_compared() -> None:
    scorer = Directions()
    stream = MonolingualStream(scorer)
    placed = stream.add([headline(0, along(1)), headline(1, along(1), 24 * 5), headline(2, along(1), 24 * 5.5)])
    assert [one.event for one in placed] == ["h0", "h1", "h1"]
    assert scorer.scored == 1


def test_late_news_finds_its_event_and_news_later_than_that_says_so() -> None:
    stream = MonolingualStream(Directions(), late=timedelta(hours=12))
    stream.add([headline(0, along(1), 0), headline(1, along(0, 1), 24 * 4)])
    [late] = stream.add([headline(2, along(1), 2)])
    assert (late.event, late.late) == ("h0", False)
    stream.add([headline(3, along(0, 0, 1), 24 * 30)])
    [too_late] = stream.add([headline(4, along(1), 3)])
    assert (too_late.event, too_late.step, too_late.late, too_late.scored) == ("h4", StreamStep.OPENED, True, 0)


def test_without_a_time_the_newest_is_taken_for_it() -> None:
    placed = MonolingualStream(Directions()).add(
        [headline(0, along(1), None), headline(1, along(1), 0), headline(2, along(1), None)]
    )
    assert placed[2].event == "h1"


@pytest.mark.slow
def test_memory_is_bounded_by_the_window_and_the_work_by_the_neighbours() -> None:
    scorer = Directions()
    stream = MonolingualStream(scorer, neighbours=5)
    headlines = noisy(3000, 5, days=60)
    kept = [len(stream) for at in range(0, 3000, 100) if stream.add(headlines[at : at + 100])]
    assert max(kept) < 400  # five of sixty days
    assert scorer.scored <= 5 * 3000


def test_the_order_of_arrival_changes_little() -> None:
    headlines = noisy(300, 8, topics=20, days=3)
    in_order = final_events(MonolingualStream(Directions()).add(headlines))
    backwards = final_events(MonolingualStream(Directions()).add(headlines[::-1]))
    pairs = [(a, b) for a in in_order for b in in_order if a < b]
    same = sum((in_order[a] == in_order[b]) == (backwards[a] == backwards[b]) for a, b in pairs)
    assert same / len(pairs) > 0.97


def test_the_headline_model_groups_real_headlines() -> None:
    titles = [
        "Ferry runs aground off Karvala, 120 passengers taken off",
        "Vellmark Bank names new chief executive",
        "Passengers evacuated after ferry hits rocks near Karvala",
        "Karvala: 120 rescued as ferry runs aground",
    ]
    scorer = PairModel.from_pretrained()
    headlines = [Headline(str(n), title, Published(START + timedelta(hours=n))) for n, title in enumerate(titles)]
    events = final_events(MonolingualStream(scorer).add(headlines))
    assert events["0"] == events["2"] == events["3"] != events["1"]


class Alike(Directions):
    """Takes every report for the same."""

    def embed(self, reports: Sequence[Report], advance: Advance | None = None) -> NDArray[np.float32]:
        return np.tile(np.eye(1, SIZE, dtype=np.float32), (len(reports), 1))


def test_what_the_words_tell_apart_is_two_events_however_near_and_not_the_nearest() -> None:
    titles = [
        "Kasran strikes Belmora",
        "Kasran strikes Belmora",
        "Kasran strikes Belmora again",
        "Strikes on Belmora",
    ]
    told = [
        Headline(f"h{number}", title, Published(START + timedelta(hours=hours)))
        for number, (title, hours) in enumerate(zip(titles, (0, 1, 40, 41), strict=True))
    ]
    placed = MonolingualStream(Alike()).add(told[:3])
    assert [one.event for one in placed] == ["h0", "h0", "h2"]
    assert placed[2].nearest is not None
    assert placed[2].nearest[1] == 0
