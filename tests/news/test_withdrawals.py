"""Titles of articles that take a report back, and sentences that quote what they correct."""

import pytest

from whywire.news.withdrawals import is_retraction, is_taken_back, takes_back, without_mark


@pytest.mark.parametrize(
    ("title", "retraction", "back"),
    [
        ("RETRACTED: Lightning caused fire", True, True),
        ("Retraction — Lightning caused fire", True, True),
        ("[Withdrawn] Storm sank ferry", True, True),
        ("Опровержение: молния вызвала пожар", True, True),
        ("Lightning caused fire (retracted)", True, True),
        ("[Updated: story withdrawn] Lightning caused fire", True, True),
        ("Молния вызвала пожар (материал отозван)", True, True),
        ("Candidate withdraws from poll (photo)", False, False),
        ("Correction: Refinery fire", False, True),
        ("Clarification: Refinery fire", False, True),
        ("Исправление: пожар на заводе", False, True),
        ("Police retract statement on the fire", False, False),
        ("Correction in oil prices hits Norland", False, False),
        ("Withdrawal of troops leads to riots", False, False),
        ("Отозван посол Норланда", False, False),
    ],
)
def test_titles(title: str, retraction: bool, back: bool) -> None:
    assert is_retraction(title) is retraction
    assert takes_back(title) is back


@pytest.mark.parametrize(
    ("title", "sentence", "quotes"),
    [
        ("Correction: fire", "An article on Monday said that lightning caused the fire.", True),
        ("Refinery fire", "An article on Monday said that lightning caused the fire.", False),
        ("Refinery fire", "An earlier version of this article said lightning caused the fire.", True),
        ("Correction: fire", "The fire was caused by a faulty valve.", False),
        ("Исправление: пожар", "В понедельник сообщалось, что пожар вызвала молния.", True),
        ("Пожар на заводе", "Ранее сообщалось, что пожар вызвала молния.", False),
        ("Пожар на заводе", "В предыдущей версии текста пожар объяснялся молнией.", True),
    ],
)
def test_sentences_that_quote_what_is_corrected(title: str, sentence: str, quotes: bool) -> None:
    assert is_taken_back(title, sentence, "") is quotes


@pytest.mark.parametrize("mark", ["RETRACTED: ", "Correction — ", "Опровержение: ", "", "Retracted plans "])
def test_without_its_mark_a_title_keeps_its_offsets(mark):
    title = f"{mark}Rats caused the blackout"
    bare = without_mark(title)
    assert len(bare) == len(title)
    assert bare.strip() == (title if mark == "Retracted plans " else "Rats caused the blackout")
