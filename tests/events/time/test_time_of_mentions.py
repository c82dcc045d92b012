"""When an event happened: by words in the clause of a mention, the most exact of what its mentions name."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.elements import Mention, MentionKind
from whywire.events.assembling import time_of_mentions
from whywire.events.mentions import MentionCandidate, MentionReading, Sentence, mentions_of_sentence
from whywire.news import Article, Language, parse_time
from whywire.reading.drawing import ReadMention, Status
from whywire.sentences.reading import Reading

pytest.importorskip("dateparser")

VECTOR = np.ones(1, np.float32)


def article(name: str, text: str, published: str | None = "2026-03-06T12:00:00Z") -> Article:
    return Article(name, f"Headline {name}", text, Language.ENGLISH, published=parse_time(published))


def mention(of: Article) -> MentionCandidate:
    """All of the text, as a statement."""
    span = (0, len(of.text))
    reading = MentionReading(VECTOR, 1.0, 1.0)
    return MentionCandidate(of, Mention(of.id, "text", span, MentionKind.STATEMENT), 1, of.text, reading, span, span)


def start(*texts: str) -> date | None:
    articles = [article(str(number), text) for number, text in enumerate(texts)]
    time = time_of_mentions([mention(one) for one in articles])
    if time:
        assert articles[int(time.article)].text[slice(*time.span)] == time.words
    return time and time.start


def test_the_most_exact_time_is_taken_then_that_of_most_articles_then_of_the_earliest() -> None:
    month, tuesday, monday = "The dam burst in February.", "The dam burst on Tuesday.", "The dam burst on Monday."
    assert start("The dam burst.") is None
    assert start(month) == date(2026, 2, 1)
    assert start(month, tuesday) == date(2026, 3, 3)
    assert start(monday, tuesday, tuesday) == date(2026, 3, 3)
    assert start(monday, tuesday) == date(2026, 3, 2)
    assert start(month, "The dam burst on 3 March 2021.") == date(2026, 2, 1)


@given(st.lists(st.sampled_from(["on Tuesday", "on Monday", "in February", "", "in 2024"]), min_size=1), st.randoms())
def test_the_order_in_which_mentions_come_changes_nothing(times: list[str], rng: st.randoms) -> None:
    articles = [article(str(number), f"The dam burst {time}.") for number, time in enumerate(times)]
    group = [mention(one) for one in articles]
    assert time_of_mentions(rng.sample(group, len(group))) == time_of_mentions(group)


def times_of(
    text: str, cause: str, effect: str, published: str | None = "2026-03-06T12:00:00Z"
) -> tuple[str | None, ...]:
    """The words that name the time of the cause and of the effect of a sentence."""
    of = article("a", text, published)
    spans = [(text.index(words), text.index(words) + len(words)) for words in (cause, effect)]
    reading = Reading(1.0, (), 0.0)
    named = [ReadMention("text", span, 1, 1.0, Status.FACT, 1.0, VECTOR) for span in spans]
    sentence = Sentence("text", 1, (0, len(text)), text)
    times = (time_of_mentions([one]) for _, one in mentions_of_sentence(of, sentence, named, reading, VECTOR))
    return tuple(time.words if time else None for time in times)


@pytest.mark.parametrize(
    ("text", "cause", "effect", "times"),
    [
        ("The dam burst on Tuesday because of heavy rain.", "heavy rain", "The dam burst", (None, "Tuesday")),
        ("Because of heavy rain on Monday the dam burst.", "heavy rain", "the dam burst", ("Monday", None)),
        ("On Tuesday heavy rain led to floods in Orrin.", "heavy rain", "floods in Orrin", ("Tuesday", None)),
        ("Heavy rain on Monday made the dam burst on Tuesday.", "Heavy rain", "the dam burst", ("Monday", "Tuesday")),
        (
            "Crews, who were hired in 2019, could not repair the dam in time, so the town was flooded on Tuesday.",
            "Crews, who were hired in 2019, could not repair the dam in time",
            "the town was flooded",
            (None, "Tuesday"),
        ),
    ],
)  # fmt: skip
def test_a_time_is_that_of_the_mention_beside_it(
    text: str, cause: str, effect: str, times: tuple[str | None, ...]
) -> None:
    assert times_of(text, cause, effect) == times


def test_an_article_without_a_time_names_only_what_holds_its_year() -> None:
    assert times_of(
        "Heavy rain on 2 March 2026 made the dam burst on Tuesday.", "Heavy rain", "the dam burst", None
    ) == (
        "2 March 2026",
        None,
    )
