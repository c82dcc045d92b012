import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.news import Language, split_sentences
from whywire.news.sentences import MAX_SENTENCE_CHARS

ENGLISH = [
    ["Mr. Hale met J. K. Moor in St. Ives at 5 p.m.", "They spoke of Dr. Lowe."],
    ["The U.S. Senate sued Acme Inc. over patents.", "No. 5 fell 3.5% on Jan. 12, 2020."],
    ["He lives in the U.S.", "The army left."],
    ["Fruit, e.g. Fuji apples, sold well vs. Spanish ones.", "Visit example.com.", "It works."],
    ["It shut in 2019.", "The owner left.", "25 people stayed.", "“Quiet,” he said."],
    ["She said: “We won.”", "Then she left.", "(It was late.)", "Why?!", "Nobody knew..."],
    ["Well… maybe not.", "Wait... what?", "Enough…", "Next."],
    ["“Will it rain?” Mary Hale asked.", '"Run!" - said Tom.', "Yes."],
    ["WASHINGTON (Reuters) - Prices rose.", "Wages fell."],
    ["LONDON, May 2 (AP) — Prices rose."],
    ["1. Wash your hands.", "2. Stay at home."],
    ["The storm came to an end.", "Then it rained."],
    ["He is 25.", "Her son is 5."],
    ["Prices rose.", "$5 million was lost."],
    ["A valve that failed at 4:30 a.m. Tuesday shut the mill.", "It reopens at 5 p.m. Wed. at the earliest."],
    [
        "The tide turned at 7:15 a.m. March 4.",
        "The ferry sank at 9 p.m. Sept. 5.",
        "It shut at 6 p.m.",
        "March was cold.",
    ],
    ["The vote is at 3 p.m. Eastern on Friday.", "It began at 9 a.m. ET, or 2 p.m. (GMT).", "Then it ended."],
    ["The grid failed at 6 a.m. Moscow time.", "At 5 p.m. Central European Time it was back."],
    ["Shops stay open until 5 p.m. Monday-Friday.", "They open at 9 a.m. New Year's Eve."],
    ["Shops stay open until 5 p.m.", "The port reopens.", "Ships wait until 4 a.m.", "Officials say so."],
    ["The port closed at 5 p.m.", "Monday's storm had broken its cranes.", "It was 9 p.m.", "Eastern Europe froze."],
    ["Brig. Gen. Ann Hale and Pfc. Moor met Mme. Lowe.", "Acme Inc. Chief Executive Moor left.", "No. 5 fell."],
]
RUSSIAN = [
    ["А. С. Петров и И.И. Ким, т.е. соседи, живут на ул. Садовой в г. Орле.", "Им тепло."],
    ["Завод получил 5 млн. руб.", "Фирма «Луч» и др. компании ждут.", "В 2020 г. стало лучше."],
    ["Это было в 2020 г.", "Компания выросла до 3 тыс. человек."],
    ["Музей им. Королёва открыт.", "Профессор, проф. Лунин, приехал 12.05.2020."],
    ["«Мы победим!» — сказал тренер.", "Игра кончилась…", "Почему?!", "«Да.»", "Он ушёл."],
    ["МОСКВА, 4 мая - РИА Новости. Цены выросли.", "Курс упал."],
    ["МОСКВА, 4 мая. /ТАСС/. Цены выросли.", "Курс упал."],
    ["Москва. 4 мая. ИНТЕРФАКС - Цены выросли.", "Курс упал."],
    ["Он принёс яблоки, груши и т. д.", "Потом ушёл."],
    ["Ночью +5… +7°, днём до +15°.", "Ветер слабый."],
    ["Не хватает витамина D.", "Врачи встревожены."],
    ["Поезд ушёл в 17 ч. МСК из Эллери.", "Он ушёл."],
    ["Поезд ушёл в 17.00 мск.", "Завод встал в 10 ч. утра.", "Потом запустили."],
    [
        "Пострадали все, в т. ч. Мур, т. е. директор.",
        "На пр. Мира и ул. Садовой стоят трамваи, автобусы и пр.",
        "Ждут.",
    ],
    ["Завод получил 5 млн долл. США.", "Это 400 млн руб.", "Завод купил склад."],
]


def sentences(text, language=Language.ENGLISH):
    return [text[start:end] for start, end in split_sentences(text, language)]


@pytest.mark.parametrize("expected", ENGLISH, ids=lambda expected: expected[0][:20])
def test_english(expected):
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize("expected", RUSSIAN, ids=lambda expected: expected[0][:20])
def test_russian(expected):
    assert sentences(" ".join(expected), Language.RUSSIAN) == expected


def test_lines_are_boundaries():
    assert sentences("First line\nsecond line\r\n\r\n  third \u2028 fourth") == [
        "First line",
        "second line",
        "third",
        "fourth",
    ]


def test_a_lost_paragraph_break_is_found_and_names_hold_together():
    assert sentences("The bank fell.Then it rose.") == ["The bank fell.", "Then it rose."]
    assert sentences("See News.Com and v2.Beta now") == ["See News.Com and v2.Beta now"]


def test_ordinals_of_other_languages():
    text = "Am 3. Mai kam er."
    assert sentences(text, Language.OTHER) == [text]


def test_nothing_has_no_sentences():
    assert sentences("") == sentences(" \n\t ") == []


@pytest.mark.parametrize("text", ["word " * 1000, "x" * 5000, "." * 5000, "a" + " " * 5000 + "b" * 1500])
def test_long_sentences_are_cut(text):
    found = sentences(text)
    assert max(map(len, found)) <= MAX_SENTENCE_CHARS
    assert "".join(text.split()) == "".join("".join(found).split())


@pytest.mark.parametrize("unit", [".", "x", " ", ". A", "! ", "a.", ". - ", "( .", "\n.", "A. ", '."', "1. ", "…«"])
def test_hostile_texts_take_linear_time(unit):
    assert split_sentences(unit * 100_000, Language.ENGLISH) is not None


pieces = st.sampled_from(
    [
        "Mr",
        "U.S",
        "т",
        "д",
        "г",
        "2020",
        "Слово",
        "word",
        "A",
        "The",
        *".!?… \n\"»«”“()[]-–—/'",
        "...",
        "\u00a0",
        "\x85",
    ]
)


@given(st.text(st.characters()) | st.lists(pieces, max_size=60).map("".join), st.sampled_from(Language))
def test_spans_cover_the_text_in_order(text, language):
    spans = split_sentences(text, language)
    end = 0
    for start, stop in spans:
        assert not text[end:start].strip()
        assert 0 < stop - start <= MAX_SENTENCE_CHARS
        assert text[start:stop] == text[start:stop].strip()
        assert len(text[start:stop].splitlines()) == 1
        assert start >= end
        end = stop
    assert not text[end:].strip()
