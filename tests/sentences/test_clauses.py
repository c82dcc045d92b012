"""Clauses of a sentence: in order, apart, and nothing lost between them but spaces and punctuation."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import SENTENCES

from whywire.sentences.clauses import segments

LONG = (
    "Police in Port Ellery said on Monday that two dock workers had died after a fire broke out at the refinery, "
    "while the city council met to discuss the budget of next year."
)
RUSSIAN = (
    "В понедельник на заводе начался сильный пожар, который уничтожил два больших цеха, и город остался без света."
)


@pytest.mark.parametrize(
    ("sentence", "pieces"),
    [
        (
            LONG,
            [
                "Police in Port Ellery said on Monday",
                "that two dock workers had died",
                "after a fire broke out at the refinery",
                "while the city council met to discuss the budget of next year",
            ],
        ),
        (
            RUSSIAN,
            [
                "В понедельник на заводе начался сильный пожар",
                "который уничтожил два больших цеха",
                "и город остался без света",
            ],
        ),
        ("Fuel ran short.", ["Fuel ran short"]),
        ("", []),
        (" … ,;", ["…"]),
    ],
)
def test_a_sentence_falls_into_its_clauses(sentence, pieces):
    assert [sentence[slice(*span)] for span in segments(sentence)] == pieces


@given(st.one_of(st.lists(st.sampled_from([*SENTENCES, LONG, RUSSIAN])).map(" ".join), st.text(max_size=200)))
def test_pieces_are_in_order_apart_and_lose_no_word(sentence):
    pieces = segments(sentence)
    assert all(start < end for start, end in pieces)
    assert all(one[1] <= other[0] for one, other in pairwise(pieces))
    kept = "".join(sentence[slice(*span)] for span in pieces)
    assert [letter for letter in kept if letter.isalnum()] == [letter for letter in sentence if letter.isalnum()]
