import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.news import Language, detect_language

ENGLISH = [
    "Central bank raises rates by a quarter point",
    "Storm kills 12 in Texas",
    "Markets rally as oil rebounds",
]
RUSSIAN = ["В Москве сгорел склад", "Цены на нефть Brent упали ниже $20", "Apple представила новый iPhone SE"]
OTHERS = [
    "Зеленський звільнив міністра охорони здоров'я",
    "Борисов: Мерките остават до края на май",
    "Вучић: Полицијски час се укида",
    "Қазақстанда төтенше жағдай ұзартылды",
    "Die Börse erholt sich nach dem Absturz",
    "El presidente anuncia nuevas medidas",
    "Le ministre annonce la fin de la grève",
    "Bolsa cai 5% após anúncio do governo",
    "Arrestato il sindaco di Napoli",
    "北京の病院で火災",
    "Φωτιά σε νοσοκομείο",
]


@pytest.mark.parametrize(
    ("headline", "language"),
    [(headline, Language.ENGLISH) for headline in ENGLISH]
    + [(headline, Language.RUSSIAN) for headline in RUSSIAN]
    + [(headline, Language.OTHER) for headline in OTHERS],
)
def test_headline_alone_is_enough(headline, language):
    assert detect_language(headline) is language


@pytest.mark.parametrize("text", ["", "   ", "2020 — 19,99 €", "!!!"])
def test_no_letters_is_no_language(text):
    assert detect_language(text) is Language.OTHER


@given(st.text(st.characters(), max_size=100))
def test_any_text_has_a_language(text):
    assert detect_language(text) in Language
