"""Documents are decoded by what they declare, unless their bytes say otherwise."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.news.web_pages import decode_document

WORDS = "Дамба прорвана: вода поднялась на четыре метра, жители посёлка покинули дома"


@pytest.mark.parametrize(
    ("content", "content_type"),
    [
        (WORDS.encode(), "text/html"),
        (WORDS.encode(), "text/html; charset=windows-1251"),  # a wrong declaration
        (WORDS.encode("cp1251"), 'text/html; charset="Windows-1251"'),
        (f'<meta charset="koi8-r">{WORDS}'.encode("koi8-r"), "text/html"),
        (f'<?xml version="1.0" encoding="windows-1251"?>{WORDS}'.encode("cp1251"), ""),
        (codecs.BOM_UTF16_LE + WORDS.encode("utf-16-le"), "text/html; charset=utf-8"),
        (f'<?xml version="1.0" encoding="UTF-16"?>{WORDS}'.encode("utf-16-be"), ""),
        (WORDS.encode("cp1251"), "text/html; charset=utf-8"),  # guessed
    ],
)
def test_the_words_are_read(content, content_type):
    assert decode_document(content, content_type).endswith(WORDS)


def test_an_encoding_that_hides_what_a_document_holds_is_not_taken():
    hidden = b'<?xml version="1.0" encoding="utf-7"?>' + "<!ENTITY x>".encode("utf-7")
    assert decode_document(hidden).encode() == hidden


@given(st.binary(max_size=200), st.text(max_size=60))
def test_any_bytes_are_decoded(content, content_type):
    assert isinstance(decode_document(content, content_type), str)


@given(st.text(alphabet=st.characters(exclude_characters="\ufeff\0", codec="utf-8"), max_size=100))
def test_utf_8_is_read_as_it_was_written(text):
    assert decode_document(text.encode(), "text/html; charset=utf-8") == text
