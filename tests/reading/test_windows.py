"""Windows: each token knows its characters, each sentence is in one window, and none is too long for the encoder."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import SENTENCES
from tokenizers import Tokenizer

from whywire.models.pretrained import WEIGHTS
from whywire.news import Language, split_sentences
from whywire.reading.windows import MAX_SENTENCE_TOKENS, MAX_TITLE_TOKENS, WINDOW, Window, windows_of

TOKENIZER = Tokenizer.from_file(str(WEIGHTS / "documents" / "tokenizer.json"))
FIRST, LAST = TOKENIZER.encode("").ids

anything = st.one_of(
    st.sampled_from([*SENTENCES, "POLICE CLOSE NORTHERN BRIDGE", "\ud83d dam", "İSTANBUL AND ŞIŞLI QUAKE", "  "]),
    st.text(max_size=60),
    st.text(st.characters(categories=["Cs", "Zs", "Lu", "Po"]), max_size=30),
)
titles = st.lists(anything, max_size=3).map(" ".join)
texts = st.lists(anything, max_size=40).map("\n".join)


def windows(title: str, text: str, language: Language = Language.ENGLISH) -> list[Window]:
    return windows_of(title, text, split_sentences(text, language), TOKENIZER)


def inside(window: Window) -> list[tuple[int, tuple[str, int, int], int]]:
    """The tokens of a window that are not its borders."""
    return [
        (number, place, sentence)
        for number, place, sentence in zip(window.ids, window.places, window.sentences, strict=True)
        if place is not None
    ]


@given(titles, texts, st.sampled_from(Language))
def test_tokens_are_in_order_inside_their_sentence_and_borders_have_no_place(
    title: str, text: str, language: Language
) -> None:
    spans = [(0, len(title)), *split_sentences(text, language)]
    for window in windows(title, text, language):
        assert len(window.ids) == len(window.places) == len(window.sentences) <= WINDOW
        assert (window.ids[0], window.ids[-1]) == (FIRST, LAST)
        assert window.ids.count(FIRST) == 1
        assert window.ids.count(LAST) == 2, "after the title, and at the end"
        assert all(window.sentences[at] == -1 for at, place in enumerate(window.places) if place is None)
        for _, (name, start, end), sentence in inside(window):
            first, last = spans[max(sentence, 0)]
            assert (name == "title") is (sentence < 1)
            assert first <= start <= end <= last
        for (_, one, _), (_, other, _) in pairwise(inside(window)):
            assert one[0] != other[0] or one[1] <= other[1]


@given(titles, texts)
def test_each_sentence_is_in_one_window_and_the_title_is_read_in_the_first_alone(title: str, text: str) -> None:
    found = windows(title, text)
    numbers = [sorted({number for number in window.sentences if number > 0}) for window in found]
    listed = [number for part in numbers for number in part]
    assert listed == sorted(set(listed))
    for at, window in enumerate(found):
        headings = {number for _, (name, *_), number in inside(window) if name == "title"}
        assert headings <= ({-1} if at else {0})


WORDS = st.sampled_from(["Two", "villages", "flooded", "rain", ",", ".", "дамба", "рухнула", "из-за", "шторма"])


@given(st.lists(st.lists(WORDS, min_size=1, max_size=60).map(" ".join), max_size=30).map(".\n".join))
def test_no_word_is_lost_and_each_piece_is_the_words_at_its_place(text: str) -> None:
    covered = set()
    for window in windows("Dam fails", text):
        for number, (name, start, end), _ in inside(window):
            words = ("Dam fails" if name == "title" else text)[start:end]
            assert TOKENIZER.id_to_token(number).removeprefix("▁") in {words, ""}
            covered |= {*range(start, end)} if name == "text" else set()
    assert covered == {at for at, letter in enumerate(text) if not letter.isspace()}


@given(titles, texts)
def test_capitals_and_halves_of_characters_move_nothing(title: str, text: str) -> None:
    plain = windows(*(field.encode("utf-8", "replace").decode() for field in (title, text)))
    for one, other in zip(windows(title, text), plain, strict=True):
        assert all(place is None or place[2] <= len({"title": title, "text": text}[place[0]]) for place in one.places)
        assert len(one.ids) == len(other.ids) or max(title + text) >= "\ud800"


def test_words_in_capitals_are_read_as_others_and_keep_their_places() -> None:
    text = "POLICE CLOSED THE NORTHERN BRIDGE ON MONDAY."
    (capitals,), (small,) = windows("", text), windows("", text.capitalize())
    assert capitals == small


def test_half_of_a_character_counts_as_one() -> None:
    (window,) = windows("\ud83d Dam fails", "\udc00 The dam failed.")
    named = {place for place in window.places if place}
    assert ("title", 6, 10) in named
    assert ("text", 6, 9) in named


def test_long_titles_and_sentences_are_cut_and_a_sentence_that_finds_no_room_opens_a_window() -> None:
    title, text = "dam " * 900, "\n".join(["rain " * 900 + "fell."] * 5)
    found = windows_of(title, text, [(0, len(text) // 2), (len(text) // 2, len(text))] * 3, TOKENIZER)
    for window in found:
        assert sum(place is not None and place[0] == "title" for place in window.places) == MAX_TITLE_TOKENS
        for number in {*window.sentences} - {-1, 0}:
            assert window.sentences.count(number) == MAX_SENTENCE_TOKENS
    assert len(found) > 1
    assert found[0].sentences.count(0) == MAX_TITLE_TOKENS
    assert found[1].sentences.count(0) == 0


def test_an_empty_article_is_one_window() -> None:
    (window,) = windows("", "")
    assert window.ids == [FIRST, LAST, LAST]


def test_the_place_of_a_span_reaches_from_its_first_token_to_its_last() -> None:
    text = "A storm filled the reservoir. The dam failed at night."
    (window,) = windows("Dam fails", text)
    first = window.places.index(("text", text.index("The"), text.index("The") + 3))
    last = window.places.index(("text", text.index("failed"), text.index("failed") + 6))
    assert window.place(first, last) == ("text", text.index("The"), text.index(" at"))
    with pytest.raises(ValueError, match="borders"):
        window.place(0, last)
