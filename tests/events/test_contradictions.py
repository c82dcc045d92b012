"""What one headline contradicts another in."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.elements import Contradiction
from whywire.events.contradictions import contradiction
from whywire.links.refutations import refuted_in
from whywire.news import Article
from whywire.news.numbers import NUMBER_WORDS, counts, numbers

POLARITY = [
    ("Ellery port to close for a month", "Harbour master denies Ellery port is to close"),
    ("Blast heard at Corvane factory was an attack", "Corvane factory attack was a hoax, police say"),
    ("Tanner festival to go ahead in August", "Organisers cancel Tanner festival in August"),
    ("Herb tea cures Ellery fever, clinic says", "Ellery fever: herb tea calms, not cures"),
    ("Ellery ferry will sail on Sunday", "Ellery ferry will not sail on Sunday"),
    ("Ellery dockers' strike is called off", "Union denies Ellery dockers' strike is called off"),
    ("Singer Lada Ellery cancels winter tour", "Lada Ellery: winter tour is not cancelled"),
    ("Lomax won't run for mayor of Ellery", "Lomax to run for mayor of Ellery after all"),
    ("В Заречье закроют городскую больницу", "Минздрав опроверг закрытие больницы в Заречье"),
    ("Певица Лада Зорина попала в больницу", "Сообщения о певице Ладе Зориной назвали фейком"),
    ("Клуб «Тополь» купит вратаря Лосева", "Клуб «Тополь» не купит вратаря Лосева"),
    ("Pirates board tanker Ellery off Tanner", "Owner: no pirates had boarded tanker Ellery"),
    ("Storm destroys lighthouse at Cape Ellery", "Lighthouse at Cape Ellery intact, keeper says"),
    ("В Заречье прорвало дамбу у рынка", "Дамба у рынка в Заречье цела"),
    ("Власти Заречья назначили парад на июнь", "Власти Заречья отменили парад в июне"),
]
NUMBER = [
    ("Four dead in Ellery refinery fire", "Ellery refinery fire: toll rises to 9"),
    ("Ten killed in train crash near Tanner Bay", "Tanner Bay train crash: 6 dead, says ministry"),
    ("Corvane to cut 400 jobs at Ellery factory", "Corvane will cut 250 jobs at Ellery factory in spring"),
    ("Ellery bonds fell 5% after vote in March", "Ellery bonds fell 2% after vote, bourse says"),
    ("При пожаре на складе в Заречье погибли трое", "Число погибших при пожаре на складе в Заречье выросло до семи"),
    ("Завод «Тополь» получит 300 млн рублей ссуды", "Завод «Тополь» получит 90 млн рублей ссуды"),
]
ATTRIBUTION = [
    ("Rebels blamed for Ellery market bombing", "Army shell caused Ellery market bombing, monitors say"),
    ("Driver asleep before Ellery coach crash", "Brakes, not driver, behind Ellery coach crash"),
    ("Pilot error brought down Ellery jet", "Goose, not pilot error, brought down Ellery jet"),
    ("Strike shuts Ellery mine", "Ellery mine shut by power cut, not strike"),
    ("Хакеры остановили станцию в Заречье", "Остановку станции в Заречье объяснили пожаром, а не хакерами"),
]
NEITHER = [
    ("Court upholds Ellery dog ban", "Court does not overturn Ellery dog ban"),
    ("Суд признал законным запрет собак в Заречье", "Суд не стал отменять запрет собак в Заречье"),
    ("Four dead in Ellery refinery fire", "Four workers killed in Ellery refinery fire"),
    ("Four dead in Ellery refinery fire", "Ellery mourns victims of refinery fire"),
    ("Over 300 dead in Ellery floods", "Ellery floods kill 340"),
    ("Ellery to get €6bn for new dykes", "Ellery dykes: €6.4bn agreed"),
    ("Three dead, 12 hurt in Ellery coach crash", "Twelve hurt and three killed in Ellery coach crash"),
    ("Actor Karl Ellery dead at 56", "Actor Karl Ellery dies, aged 53"),
    ("Ellery reports 7 new cases of fever", "Ellery reports 12 new cases of fever"),
    ("Ellery Rovers beat Tanner 3-0 at home", "Ellery Rovers beat Tanner 2-1 at home"),
    ("Ellery hearing set for 5 May", "Ellery hearing set for 7 May"),
    ("Four dead in Dallas refinery fire at port", "Refinery fire at Oslo port: nine dead"),
    ("Ellery port denies plan to close", "Harbour master: Ellery port denies closing plan"),
    ("Ellery coach crash kills four", "Ellery coach firm denies its manager took bribes"),
    ("Ellery dockers walk out, strike halts port", "Union denies Ellery dockers' strike is called off"),
    ("Inspectors rule out arson in Ellery fire, blame pipe", "Rusty pipe, not arson, caused Ellery fire"),
    ("Four dead in Ellery refinery fire", "Rusty pipe, not arson, caused Ellery refinery fire"),
    ("Trio set for garden clash in Ellery", "Pole vault pair share the spoils in Ellery garden"),
    ("Government of Ellery to outline aid for shops", "Ellery government announces €6bn aid for shops"),
    ("Ellery fans can't wait for season start", "Fans in Ellery look forward to season start"),
    ("При пожаре на складе в Заречье погибли трое", "Три человека погибли при пожаре на складе в Заречье"),
    ("Власти Заречья отменили парад в июне", "Парад в Заречье отменили, сообщили власти"),
    ("В Заречье выявили 14 новых случаев гриппа", "В Заречье выявили 20 новых случаев гриппа"),
    ("Власти: плотина в Заречье цела, опасности нет", "Власти не видят опасности: плотина в Заречье цела"),
    ("Не стало актёра Карла Тополя", "Умер актёр Карл Тополь"),
]


@pytest.mark.parametrize(("earlier", "later"), POLARITY)
def test_a_denial_a_negation_and_a_plan_taken_back(earlier: str, later: str) -> None:
    assert contradiction(earlier, later) is Contradiction.POLARITY


@pytest.mark.parametrize(("earlier", "later"), NUMBER)
def test_another_number_of_the_same_thing(earlier: str, later: str) -> None:
    assert contradiction(earlier, later) is Contradiction.NUMBER


@pytest.mark.parametrize(("earlier", "later"), ATTRIBUTION)
def test_one_deed_put_down_to_another(earlier: str, later: str) -> None:
    assert contradiction(earlier, later) is Contradiction.ATTRIBUTION


@pytest.mark.parametrize(("earlier", "later"), NEITHER)
def test_reports_that_agree_or_tell_of_other_things(earlier: str, later: str) -> None:
    assert contradiction(earlier, later) is None


@pytest.mark.parametrize(
    "number",
    ["1200", "1,200", "1 200", "1\u00a0200", "1\u2007200", "1\u2009200", "1\u202f200", "1'200", "1’200", "1.200"],
)
@pytest.mark.parametrize("told", ["Quake in Ellery kills {}", "При землетрясении в Эллери погибли {} человек"])
def test_thousands_are_apart_in_many_ways(told: str, number: str) -> None:
    assert [(count.counted, count.value) for count in counts(told.format(number))] == [("dead", 1200)]
    assert contradiction(told.format(number), told.format("1200")) is None
    assert contradiction(told.format(number), told.format("1700")) is Contradiction.NUMBER


def test_a_point_before_three_digits_is_read_only_where_it_is_plain() -> None:
    assert counts("В Эллери вывезли 2.500 тонн угля") == counts("Plant sold for $1.250") == []
    assert [count.value for count in counts("Rates rise by 1.250%")] == [Decimal("1.250")]
    assert [count.value for count in counts("1.250 million people ill with fever")] == [1_250_000]
    assert [count.value for count in counts("Plant sold for $1.200.000")] == [1_200_000]


TOLD = sorted({headline for pair in (*POLARITY, *NUMBER, *ATTRIBUTION, *NEITHER) for headline in pair})
OUTLETS = st.sampled_from(["", " - Ellery Post", " | The Daily Tanner", " — Вестник Заречья", "  "])


@given(st.sampled_from(TOLD), OUTLETS, OUTLETS)
def test_a_headline_and_its_copy_never_contradict(headline: str, outlet: str, other: str) -> None:
    assert contradiction(headline + outlet, headline + other) is None


@given(st.lists(st.sampled_from([word for headline in TOLD for word in headline.split()]), max_size=14))
def test_no_headline_contradicts_itself(words: list[str]) -> None:
    assert contradiction(" ".join(words), " ".join(words)) is None


@given(st.sampled_from(sorted(NUMBER_WORDS)), st.booleans())
def test_a_number_in_digits_and_in_words_is_one(word: str, turned: bool) -> None:
    of = "{} погибших при пожаре на складе в Заречье" if word[0] > "z" else "{} dead in Ellery fire at port"
    pair = of.format(word), of.format(NUMBER_WORDS[word])
    assert counts(pair[0]) == counts(pair[1]) != []
    assert contradiction(*(pair[::-1] if turned else pair)) is None


@given(st.integers(2, 10**7))
def test_a_number_is_read_however_its_digits_are_parted(number: int) -> None:
    plain, parted = (f"{told} dead in Ellery floods" for told in (number, f"{number:,}"))
    if not 1900 <= number <= 2099:
        assert [count.value for count in counts(plain)] == [number]
        assert counts(plain) == counts(parted)


def test_a_text_names_a_number_however_it_is_written():
    assert numbers("Seven of 1,200 ships, 3,5% of the fleet, sank in 2019") == {"7", "1200", "3.5", "2019"}
    assert numbers("Двое из 1 200 моряков") == numbers("1200 sailors, two missing") == {"2", "1200"}
    assert numbers("Nobody was counted") == set()


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Tests find no plague among the Teskal crew", "Teskal crew's plague tests come back negative"),
        ("У экипажа «Тескала» не нашли чуму", "Анализы экипажа «Тескала» на чуму отрицательные"),
        (
            "No proof that Teskal fumes cause fever, ministry says",
            "Ministry rejects claims that Teskal fumes cause fever",
        ),
        (
            "Нет доказательств связи лихорадки с дымом Тескала",
            "В министерстве отвергли связь лихорадки с дымом Тескала",
        ),
    ],
)
def test_two_reports_that_say_no_agree(earlier, later):
    assert contradiction(earlier, later) is None
    assert refuted_in(Article("1", earlier), Article("2", later)) is None


def test_of_what_a_model_takes_for_a_refutation_a_denial_in_other_words_is_one():
    earlier, later = "Doctors name a cause of the fever in Teskal", "Professor Orlen debunks fumes theory"
    assert contradiction(earlier, later) is None
    assert refuted_in(Article("1", earlier), Article("2", later)) is Contradiction.POLARITY
    assert refuted_in(Article("1", earlier), Article("2", "Professor Orlen backs fumes theory")) is None
