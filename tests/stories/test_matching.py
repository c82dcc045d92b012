"""A claim speaks of the nearest event, if that is near enough and inside the window."""

from datetime import UTC, datetime, timedelta

import numpy as np

from whywire.headlines.candidates import Times
from whywire.headlines.words import TellingWords
from whywire.news import Published
from whywire.stories.matching import Match, match_claims, worth_embedding

START = datetime(2026, 3, 1, tzinfo=UTC)
TITLES = np.eye(3, dtype=np.float32)
EVENT_OF = np.array([0, 1, 2])


def clock(*days):
    return Times([Published(START + timedelta(days=day)) for day in days])


def match(cause, effect, home, times):
    spans = (np.array([cause], np.float32), np.array([effect], np.float32))
    return match_claims(spans, [home], TITLES, EVENT_OF, times, np.asarray)


def test_both_sides_near_two_events():
    found = match([1, 0, 0], [0, 1, 0], home=2, times=clock(0, 1, 2))
    assert found == [Match(claim=0, source=0, target=1, likeness=1.0)]


def test_the_articles_own_event_need_not_be_so_near():
    found = match([0.9, 0.1, 0.42], [0.5, 0.5, 0.55], home=2, times=clock(0, 1, 2))
    assert [(item.source, item.target) for item in found] == [(0, 2)]


def test_far_words_name_no_event():
    assert match([0.4, 0.1, 0.3], [0, 1, 0], home=1, times=clock(0, 1, 2)) == []


def test_one_event_cannot_cause_itself():
    assert match([1, 0, 0], [1, 0, 0], home=2, times=clock(0, 1, 2)) == []


def test_events_outside_the_window_are_not_named():
    assert match([1, 0, 0], [0, 1, 0], home=2, times=clock(0, 9, 9)) == []


def test_spans_that_share_no_telling_words_are_not_worth_embedding():
    headlines = ["Refinery fire in Port Ellery", "На заводе в Верхнереченске вспыхнул пожар"]
    spans = ["the fire at the refinery in Ellery", "rising prices", "пожара на заводе", "the refinery", "of it"]
    assert worth_embedding(spans, TellingWords(headlines)) == [True, False, True, True, False]
