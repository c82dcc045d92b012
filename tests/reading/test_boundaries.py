"""Boundaries: whole words, without what only joins them to the rest of the sentence."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import SENTENCES

from whywire.reading.boundaries import tidied

PIECES = [
    *("and", "the", "to", "which", "и", "в", "что", "из", "которая", "storm", "плотина", "U.S.", "5", "ß", "İ"),
    *' ,.;:!?—–-()[]«»“”‘’"…\n\u00a0',
]
texts = st.one_of(
    st.sampled_from(SENTENCES), st.lists(st.sampled_from(PIECES), min_size=1).map("".join), st.text(min_size=1)
)


@st.composite
def spans(draw: st.DrawFn) -> tuple[str, int, int]:
    text = draw(texts)
    start = draw(st.integers(0, len(text) - 1))
    return text, start, draw(st.integers(start + 1, len(text)))


@given(spans())
def test_a_tidy_span_is_not_empty_of_whole_words_and_holds_words_of_the_span(case: tuple[str, int, int]) -> None:
    text, start, end = case
    first, last = tidied(text, (start, end))
    assert 0 <= first < last <= len(text)
    for border in (first, last):
        assert not text[max(0, border - 1) : border + 1].isalnum() or border in (0, len(text))
    assert first < end
    assert start < last
    if any(map(str.isalnum, text[start:end])):
        assert any(map(str.isalnum, text[first:last]))
    grown = (*range(first, start), *range(end, last))
    assert all(text[at].isalnum() for at in grown), "only words are completed"


@pytest.mark.parametrize(
    ("sentence", "marked", "tidy"),
    [
        ("Rain fell, and the dam failed.", ", and the dam failed.", "the dam failed"),
        ("Rain fell, and the dam failed.", "Rain fell, and the", "Rain fell"),
        ("The dam failed because of rain", "because of rain", "rain"),
        ("The dam failed because of rain", "e dam fai", "The dam failed"),
        ("Troops of the U.S. left", "Troops of the U.S.", "Troops of the U.S."),
        ("The dam (built in 1920) failed", "built in 1920)", "built in 1920"),
        ("The dam (built in 1920) failed", "The dam (built in 1920)", "The dam (built in 1920)"),
        ('He said "the dam failed" twice', 'the dam failed"', "the dam failed"),
        ('He said "the dam failed" twice', '"the dam failed"', '"the dam failed"'),
        ("The dam “failed” at night", "“failed", "failed"),
        ("Prices — and wages — rose", "— and wages —", "wages"),
        ("the storm, which the town had feared,", "which the town had feared,", "the town had feared"),
        ("AND THE DAM FAILED", "AND THE DAM FAILED", "THE DAM FAILED"),
        ("Dam fails after storm", "Dam fails after", "Dam fails"),
        ("Плотину прорвало после ливня", "Плотину прорвало после", "Плотину прорвало"),
        ("android sales fell", "android sales", "android sales"),
        ("Шёл дождь, и плотина рухнула.", ", и плотина рухнула.", "плотина рухнула"),
        ("Шёл дождь, и плотина рухнула.", "Шёл дождь, и", "Шёл дождь"),
        ("Плотина, которая рухнула в среду", "которая рухнула в", "рухнула"),
        ("Город затопило из-за дождя", "Город затопило из-", "Город затопило"),
        ("В «Доме» начался пожар", "«Доме", "Доме"),
        ("Вода вышла на улицы", "ода вышла на", "Вода вышла"),
        ("Город затопило из-за дождя", "из-за дождя", "дождя"),
        ("Город затопило из-за дождя", "за дождя", "дождя"),
        ("исход выборов", "исход", "исход"),
        ("и", "и", "и"),
        (" , and", "and", "and"),
        ("—", "—", "—"),
    ],
)
def test_what_joins_the_words_to_the_rest_is_left_out(sentence: str, marked: str, tidy: str) -> None:
    start = sentence.index(marked)
    first, last = tidied(sentence, (start, start + len(marked)))
    assert sentence[first:last] == tidy


@pytest.mark.parametrize(
    "text",
    [
        "." * 100_000,
        "." * 100_000 + "x",
        "x" + "," * 100_000 + "x",
        "x" + ",  the" * 20_000 + " x",
        "and , " * 20_000 + "x",
        "x" * 100_000,
        "x" + " " * 100_000,
        "(" * 50_000 + "x" + ")" * 50_000,
        "x" + " a.b." * 20_000,
    ],
)
def test_hostile_text_takes_no_longer_than_other_text(text: str) -> None:
    started = time.process_time()
    tidied(text, (0, len(text)))
    tidied(text, (len(text) // 2, len(text) // 2 + 1))
    assert time.process_time() - started < 1
