"""Words that name no event, and words that look like them and do."""

import pytest

from whywire.sentences.no_events import names_no_event

NO_EVENTS = [
    "Tuesday", "the following morning", "in 2019", "March 5", "the past few days", "it", "All this",
    "the same blast", "an earlier quake", "treacherous terrain", "An overnight search in blizzard conditions",
    "вторник",
    "в понедельник", "На следующее утро", "последние два года", "два часа спустя", "5 мая", "это", "Всё это",
    "аналогичный пожар", "сложный рельеф", "Ночные поиски в условиях метели",
]  # fmt: skip
EVENTS = [
    "the march", "the fall of the city", "Saturday's quake", "Tuesday's vote", "the night raid", "This quake",
    "That quake", "war",
    "another blast", "heavy snow on Tuesday", "October 7 attacks", "the summer camp fire", "Это землетрясение",
    "Тот пожар",
    "вторничный пожар", "Год без дождя", "март протеста", "дневной обстрел", "условия сделки нарушены",
]  # fmt: skip


@pytest.mark.parametrize(("words", "none"), [*((one, True) for one in NO_EVENTS), *((one, False) for one in EVENTS)])
def test_whether_words_name_an_event(words: str, none: bool) -> None:
    assert names_no_event(words, (0, len(words))) is none
    text = f"It is said: «{words}»."
    assert names_no_event(text, (text.index("«"), text.index(".") + 1)) is none
