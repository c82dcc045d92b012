"""Past, present and future by the forms of verbs."""

import pytest

from whywire.events.time.tenses import Tense, tense_near, tense_of
from whywire.news import Language

EN, RU = Language.ENGLISH, Language.RUSSIAN


@pytest.mark.parametrize(
    ("text", "language", "tense"),
    [
        ("The dam burst after rain had fallen", EN, Tense.PAST),
        ("The dam has been closed", EN, Tense.PAST),
        ("Two ships were sunk", EN, Tense.PAST),
        ("The council is to vote", EN, Tense.FUTURE),
        ("The council will vote", EN, Tense.FUTURE),
        ("Strong quake shakes coast", EN, Tense.PRESENT),
        ("Indeed a hundred need speed", EN, Tense.PRESENT),
        ("Port opens after storm", EN, Tense.PRESENT),
        ("Склад сгорел", RU, Tense.PAST),
        ("Границу закрыли", RU, Tense.PAST),
        ("Подписано соглашение", RU, Tense.PAST),
        ("Музей откроется", RU, Tense.FUTURE),
        ("Футбол, школы и недели", RU, Tense.PRESENT),
    ],
)
def test_tense_of(text, language, tense):
    assert tense_of(text, language) is tense


def test_the_nearest_verb_decides_for_a_place():
    text = "The minister said on Monday that the port will open on Friday"
    assert tense_near(text, EN, text.index("Monday")) is Tense.PAST
    assert tense_near(text, EN, text.index("Friday")) is Tense.FUTURE


def test_beside_a_time_the_present_is_that_of_a_timetable():
    text = "The port opens on Friday"
    assert tense_of(text, EN) is Tense.PRESENT
    assert tense_near(text, EN, text.index("Friday")) is Tense.FUTURE
