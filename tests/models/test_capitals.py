"""Text in capitals as models read it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire import SentenceReader
from whywire.models.capitals import sentence_case


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("FIRE SHUTS REFINERY", "Fire shuts refinery"),
        ("«ТОПЛИВО ЗАКОНЧИЛОСЬ ИЗ-ЗА ПОЖАРА»", "«Топливо закончилось из-за пожара»"),
        ("Срочно! ШКОЛА ЗАКРЫТА ИЗ-ЗА УГРОЗЫ", "Срочно! Школа закрыта из-за угрозы"),
        ("BREAKING: SCHOOL CLOSED after threat", "Breaking: school closed after threat"),
        ("Fire SHUTS DOWN 2 REFINERIES in Texas", "Fire shuts down 2 refineries in Texas"),
        ("Мэр: «ГОРОД ОСТАЛСЯ БЕЗ ВОДЫ из-за аварии»", "Мэр: «Город остался без воды из-за аварии»"),
        ("ЦБ РФ поднял ставку, НАТО и ЕС молчат", "ЦБ РФ поднял ставку, НАТО и ЕС молчат"),
        ("WASHINGTON wakes to snow", "WASHINGTON wakes to snow"),
        ("EU, UN", "EU, UN"),
        ("NATO meets in Riga", "NATO meets in Riga"),
        ("12.03.2026, 10:00", "12.03.2026, 10:00"),
        ("", ""),
    ],
)
def test_capitals_alone_become_a_sentence(text: str, read: str) -> None:
    assert sentence_case(text) == read


@given(st.text())
def test_offsets_stay(text: str) -> None:
    assert len(sentence_case(text)) == len(text)
    assert sentence_case(text).lower() == text.lower() or "İ" in text or "Σ" in text


@pytest.mark.model
@pytest.mark.parametrize(
    ("model", "text"),
    [
        ("sentences-ru", "Топливо закончилось из-за пожара."),
        ("sentences-ru", "Из-за забастовки водителей остановились автобусы."),
        ("sentences-en", "Fuel ran short because of a strike."),
    ],
)
def test_a_sentence_in_capitals_claims_what_it_does_in_small_letters(model: str, text: str) -> None:
    small, capital = SentenceReader.from_pretrained(model).read([text, text.upper()])
    assert small.relations
    assert capital == small


@pytest.mark.model
@pytest.mark.parametrize(
    ("model", "text"),
    [
        ("sentences-ru", "Срочно! ШКОЛА ЗАКРЫТА ИЗ-ЗА УГРОЗЫ ВЗРЫВА"),
        ("sentences-en", "BREAKING: SCHOOL CLOSED BECAUSE OF a threat"),
        ("sentences-en", "Fire SHUTS DOWN REFINERY near the port, police say"),
    ],
)
def test_capitals_in_part_of_a_sentence_are_read_as_small_letters(model: str, text: str) -> None:
    small, capital = SentenceReader.from_pretrained(model).read([sentence_case(text), text])
    assert small.relations
    assert capital == small
