"""Words that name no event, and words that look like them and do."""

import pytest

from whywire.sentences.references import names_no_event, stands_for_sentence_before

NO_EVENTS = [
    "Tuesday", "the following morning", "in 2019", "March 5", "the past few days", "it", "All this",
    "As a result", "as a direct consequence", "Because of this", "all that", "For this reason", "Из-за этого",
    "В результате", "По этой причине", "Вследствие этого",
    "the same blast", "an earlier quake", "treacherous terrain", "An overnight search in blizzard conditions",
    "вторник",
    "в понедельник", "На следующее утро", "последние два года", "два часа спустя", "5 мая", "это", "Всё это",
    "аналогичный пожар", "сложный рельеф", "Ночные поиски в условиях метели",
]  # fmt: skip
EVENTS = [
    "the result", "As a result of fog", "the election result", "Because of this quake", "Из-за этого пожара",
    "результаты",
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


@pytest.mark.parametrize(
    ("text", "words", "stands"),
    [
        ("This led to protests.", "This", True),
        ("As a result, flights were diverted.", "As a result", True),
        ("Because of this, the road closed.", "this", True),
        ("Всё это привело к забастовке.", "Всё это", True),
        ("Из-за этого закрыли дорогу.", "этого", True),
        ("В результате закрыли дорогу.", "В результате", True),
        # within a sentence, a thing, a named event
        ("The mayor quit, and this led to protests.", "this", False),
        ("Fog fell, and as a result flights were diverted.", "as a result", False),
        ("It led to protests.", "It", False),
        ("This ruling led to protests.", "This ruling", False),
        ("Мэр ушёл, и это привело к протестам.", "это", False),
    ],
)
def test_whether_words_stand_for_the_sentence_before(text: str, words: str, stands: bool) -> None:
    start = text.index(words)
    assert stands_for_sentence_before(text, (start, start + len(words))) is stands
