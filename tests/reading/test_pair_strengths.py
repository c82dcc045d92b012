"""How strongly one event led to another, by the document reader."""

import pytest

from whywire.news import Language
from whywire.reading.document_reader import DocumentReader
from whywire.reading.pair_strengths import read_document, strength_alone, strength_told

FIRE, FUEL = "A fire closed the Orvane refinery.", "Fuel ran short in the north."
DOCUMENT = f"{FIRE} {FUEL} The mayor of Lowton opened a park."
ENGLISH = Language.ENGLISH


@pytest.fixture(scope="module")
def reader():
    return DocumentReader.from_pretrained()


def test_full_stops_and_spaces_make_no_difference(reader):
    assert strength_alone(reader, FIRE, FUEL, ENGLISH) == strength_alone(
        reader, FIRE.rstrip("."), f"  {FUEL} ", ENGLISH
    )


def test_punctuation_is_no_event(reader):
    assert strength_alone(reader, FIRE, "?!", ENGLISH) is None


def test_a_document_tells_only_of_events_whose_words_it_has(reader):
    document = read_document(reader, DOCUMENT, ENGLISH)
    assert strength_told([document], FIRE, FUEL, ENGLISH) is not None
    assert strength_told([document], FIRE, "Pilots walked out", ENGLISH) is None
    assert strength_told([], FIRE, FUEL, ENGLISH) is None


def test_documents_that_do_not_tell_of_both_do_not_count(reader):
    document, other = (read_document(reader, text, ENGLISH) for text in (DOCUMENT, "Pilots walked out. Planes stay."))
    assert strength_told([other, document], FIRE, FUEL, ENGLISH) == strength_told([document], FIRE, FUEL, ENGLISH)


@pytest.mark.parametrize("text", ["", "?"])
def test_a_document_without_mentions_tells_of_no_pair(reader, text):
    assert strength_told([read_document(reader, text, ENGLISH)], FIRE, FUEL, ENGLISH) is None
