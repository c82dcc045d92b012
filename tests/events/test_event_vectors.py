"""Events of articles are compared by what they mean and by the words they are told in."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.elements import Mention, MentionKind
from whywire.events.event_vectors import cosine_for, event_vector, same_event
from whywire.events.mentions import MentionCandidate, MentionReading
from whywire.news import Article, Language

MEANING = np.float32([0.6, 0.8, 0])
OTHER_MEANING = np.float32([0, 0, 1])


def mention(words, meaning=MEANING):
    article = Article("a", "Title", words, Language.ENGLISH)
    span = (0, len(words))
    reading = MentionReading(meaning, 0.9)
    return MentionCandidate(article, Mention("a", "text", span, MentionKind.STATEMENT), 0, words, reading, span, span)


def likeness(*pair):
    one, other = (event_vector(mentions) for mentions in pair)
    return float(one @ other)


def test_words_in_common_and_like_meanings_bring_events_together_and_each_counts_half():
    fire = mention("fire shut the refinery")
    assert likeness([fire], [mention("fire shut the refinery")]) == pytest.approx(1)
    assert likeness([fire], [mention("vote delayed", OTHER_MEANING)]) == pytest.approx(0, abs=0.1)
    assert likeness([fire], [mention("fire shut the refinery", OTHER_MEANING)]) == pytest.approx(0.5)
    assert likeness([fire], [mention("vote delayed")]) == pytest.approx(0.5, abs=0.1)
    assert 0.6 < likeness([fire], [mention("the refinery burnt")]) < 1


def test_rare_words_say_more_than_common_ones():
    one = mention("people left Grindavik")
    assert likeness([one], [mention("Grindavik emptied")]) > likeness([one], [mention("people emptied")])


def test_the_order_of_mentions_does_not_matter():
    mentions = [mention("fire shut the refinery"), mention("the refinery burnt", OTHER_MEANING)]
    np.testing.assert_allclose(event_vector(mentions), event_vector(mentions[::-1]), atol=1e-6)


def test_words_without_letters_leave_the_meaning_alone():
    assert likeness([mention("—")], [mention("…")]) == pytest.approx(1)


@given(st.floats(0.01, 0.99))
def test_a_cosine_and_its_probability_belong_together(probability):
    assert same_event(np.array([cosine_for(probability)]))[0] == pytest.approx(probability)
