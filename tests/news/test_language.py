from pathlib import Path

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


SHORT_RUSSIAN = [
    "Пожар на складе",
    "Суд над мэром",
    "Атака на нефтебазу",
    "Банк закрыт",
    "Взрыв на заводе",
    "Авария на шахте",
    "Рост цен на хлеб",
    "Курс доллара вырос",
    "Мост рухнул",
    "Град побил посевы",
    "Паводок на Оке",
    "Обвал в горах",
    "Завод встал",
    "Поезд сошел с рельсов",
    "Суд отменил приговор",
    "Мэр ушел в отставку",
    "Снег в апреле",
    "Дефицит бензина",
    "Забастовка водителей",
    "Отставка министра",
    "Ураган на Сахалине",
    "Землетрясение на Камчатке",
    "Штраф для банка",
    "Запрет на экспорт зерна",
    "Дождь помог фермерам",
    "Нефть подорожала",
    "Рубль упал",
    "Вода ушла",
    "Газ отключили",
    "Школа закрыта на карантин",
    "Вспышка гриппа",
    "Погиб шахтер",
    "Сгорел дом",
    "Умер актер",
    "Угнали автобус",
    "Дрон сбит",
    "Порт стоит",
    "Аэропорт закрыт",
    "Рейсы отменены",
    "Авиабилеты подорожали",
    "Смерч в Туле",
    "Пробки на МКАД",
    "Увольнения на заводе",
    "Протест в Уфе",
    "Арест директора",
    "Побег из тюрьмы",
    "Обыск в банке",
    "Взятка в мэрии",
    "Хакеры взломали банк",
    "Утечка газа",
    "Прорыв трубы",
    "Засуха на юге",
    "Наводнение в Орске",
    "Ливень в Сочи",
    "Гроза над городом",
    "Туман над портом",
    "Танкер сел на мель",
    "Катер затонул",
    "Самолет разбился",
    "Спад в экономике",
    "Сгорел рынок",
    "Кража в музее",
    "Лед тронулся",
    "Кабмин повысил пошлины",
    "Сбой в метро",
    "Трамвай сбил пешехода",
    "Налог на вклады",
    "Долги за газ",
    "Урожай погиб",
    "Саранча на полях",
    "Мор рыбы в реке",
    "Уголь дорожает",
    "Цены на яйца",
    "Банкротство авиакомпании",
    "Пенсии вырастут",
    "Посол отозван",
    "Переговоры сорваны",
    "Санкции против банка",
    "Удар по порту",
    "Обстрел города",
    "Мэр арестован",
    "Депутат задержан",
    "Врач осужден",
    "Теракт в метро",
    "Пожар в порту",
    "Пожар на рынке",
    "Матч отменен",
    "Тренер уволен",
    "Шторм на Балтике",
    "Паром сел на мель",
    "Крушение поезда",
    "Авария на ТЭЦ",
    "Город без света",
    "Свет дали",
    "Без воды",
    "Карантин снят",
    "Холера в лагере",
    "Корь в школе",
    "Волк в городе",
    "Медведь напал на туриста",
    "Лавина в горах",
    "Сель в Дагестане",
    "Оползень в Сочи",
    "Утонул рыбак",
    "Погибли альпинисты",
    "Найден клад",
    "Стрельба в клубе",
    "Драка на рынке",
    "Угон самолета",
    "Взорван мост",
    "Срыв поставок",
    "Дефицит лекарств",
    "Зарплаты упали",
    "Инфляция замедлилась",
    "Ставка снижена",
    "Акции рухнули",
    "Биржа закрыта",
    "Золото дорожает",
    "Завод продан",
    "Суд над банкиром",
]
SHORT_UKRAINIAN = [
    "Пожежа на складі",
    "Пожежа в готелі",
    "Обвал гривні",
    "Шторм в Одесі",
    "Вибух на заводі",
    "Аварія на шахті",
    "Суд над мером",
    "Ціни на хліб зросли",
    "Курс долара зріс",
    "Міст упав",
    "Град побив посіви",
    "Паводок на Дністрі",
    "Завод зупинився",
    "Потяг зійшов з рейок",
    "Суд скасував вирок",
    "Мер подав у відставку",
    "Сніг у квітні",
    "Дефіцит бензину",
    "Страйк водіїв",
    "Відставка міністра",
    "Ураган на заході",
    "Землетрус у Румунії",
    "Штраф для банку",
    "Заборона експорту зерна",
    "Дощ допоміг фермерам",
    "Нафта подорожчала",
    "Гривня впала",
    "Газ вимкнули",
    "Школа закрита на карантин",
    "Спалах грипу",
    "Загинув шахтар",
    "Згорів будинок",
    "Помер актор",
    "Дрон збито",
    "Порт не працює",
    "Аеропорт закрито",
    "Рейси скасовано",
    "Арешт директора",
    "Витік газу",
    "Посуха на півдні",
    "Крадіжка в музеї",
    "Лід скреснув",
    "Уряд підвищив мита",
    "Збій у метро",
    "Трамвай збив пішохода",
    "Податок на вклади",
    "Борги за газ",
    "Врожай загинув",
    "Сарана на полях",
    "Вугілля дорожчає",
    "Ціни на яйця",
    "Банкрутство авіакомпанії",
    "Пенсії зростуть",
    "Посла відкликано",
    "Переговори зірвано",
    "Санкції проти банку",
    "Удар по порту",
    "Обстріл міста",
    "Мера заарештовано",
    "Депутата затримано",
    "Лікаря засуджено",
    "Теракт у метро",
    "Пожежа в порту",
    "Матч скасовано",
    "Тренера звільнено",
    "Шторм на Балтиці",
    "Пором сів на мілину",
    "Аварія поїзда",
    "Місто без світла",
    "Карантин знято",
    "Холера в таборі",
    "Кір у школі",
    "Вовк у місті",
    "Лавина в горах",
    "Зсув у Карпатах",
    "Потонув рибалка",
    "Знайдено скарб",
    "Стрілянина в клубі",
    "Бійка на ринку",
    "Акції впали",
]
SHORT_ENGLISH = [
    "Fire at warehouse",
    "Bank closed",
    "Mayor on trial",
    "Storm hits port",
    "Dam bursts",
    "Oil jumps",
    "Rouble falls",
    "Plant halts",
    "Train derails",
    "Mine blast kills 3",
    "Gas leak",
    "Snow in April",
    "Drought in south",
    "Ferry sinks",
    "Bus hijacked",
    "Drone downed",
    "Port idle",
    "Flights cancelled",
    "Euro slides",
    "Court overturns verdict",
    "Minister quits",
    "Flood in Orsk",
    "Riot in Ufa",
    "Actor dies",
    "House burns",
    "Dollar gains",
    "Factory layoffs",
    "Tanker aground",
    "Flu outbreak",
    "Tornado in Tula",
    "Bread prices up",
    "Hail ruins crops",
    "Nurses strike",
    "Smog alert",
    "Jail break",
    "Bridge collapse",
    "Hackers hit bank",
    "Grain export ban",
    "Rain helps farmers",
    "Tax cut delayed",
    "Mill shuts",
    "Copper slumps",
    "Harbour frozen",
    "Strike ends",
    "Peso dives",
    "Mayor jailed",
    "Metro delays",
    "Cholera in camp",
    "Wolf in town",
    "Avalanche kills two",
    "Tram hits cyclist",
    "Tax on savings",
    "Crop fails",
    "Locusts swarm",
    "Envoy recalled",
    "Talks collapse",
    "Museum theft",
    "Tycoon on trial",
    "Market fire",
    "Coach sacked",
    "Match abandoned",
    "Climbers die",
    "Pipeline burst",
    "Power cut",
    "Lights back on",
    "Rates held",
    "Shares tumble",
    "Gold soars",
    "Plant sold",
    "Nurse sentenced",
]
OTHER_LETTERS = [
    "Аварія на шахті",
    "Нічого нового в Києві",
    "Ґанок упав",
    "Єдина школа закрита",
    "Мэр сышоў у адстаўку",
    "Пойыз рельстен шықты",
    "Воз искочио, троје повређених",
    "Земјотрес во Скопје",
    "Струја поскупљује",
]


@pytest.mark.parametrize(
    ("headline", "language"),
    [(headline, Language.ENGLISH) for headline in ENGLISH]
    + [(headline, Language.RUSSIAN) for headline in RUSSIAN]
    + [(headline, Language.OTHER) for headline in OTHERS],
)
def test_headline_alone_is_enough(headline, language):
    assert detect_language(headline) is language


def test_no_short_title_in_english_or_russian_is_lost():
    assert [title for title in SHORT_RUSSIAN if detect_language(title) is not Language.RUSSIAN] == []
    assert [title for title in SHORT_ENGLISH if detect_language(title) is not Language.ENGLISH] == []


def titles(code):
    return (Path(__file__).parent / "short_titles" / f"{code}.txt").read_text(encoding="utf-8").splitlines()


def test_no_short_russian_title_of_the_news_is_lost():
    assert [title for title in titles("ru") if detect_language(title) is not Language.RUSSIAN] == []


@pytest.mark.parametrize(
    ("others", "most"),
    [(SHORT_UKRAINIAN, 0.15), ("uk", 0.15), ("be", 0.06), ("bg", 0.27), ("sr", 0.3), ("mk", 0.28)],
    ids=["uk, before", "uk", "be", "bg", "sr", "mk"],
)
def test_few_short_titles_in_other_languages_of_cyrillic_letters_are_taken_for_russian(others, most):
    others = titles(others) if isinstance(others, str) else others
    taken = [title for title in others if detect_language(title) is Language.RUSSIAN]
    assert len(taken) <= most * len(others), taken
    assert not [title for title in taken if {*"іїєґўјћђљњќѓѕџ"} & {*title.lower()}]


@pytest.mark.parametrize(
    "title",
    [
        "Суд скасував вибори", "Школу закрили", "Няма вода", "Актьор почина", "Ще има протест", "Двама са ранени",
        "Убиха журналист", "Мост се урна", "Судот ги поништи изборите", "Мост се срушио", "Умро глумац",
        "Няма вады", "Школы зачынілі", "Немає води",
    ],
)  # fmt: skip
def test_a_word_or_an_ending_that_russian_lacks_is_of_another_language(title):
    assert detect_language(title) is Language.OTHER


@pytest.mark.parametrize(
    "title",
    [
        "«Коммерсантъ» сообщил о скидке", "Рабьо может перейти в МЮ", "Черчилля изобразят на банкноте",
        "В Токио отменили парад", "В центре Цюриха стрельба", "Помпео заявил о взломе",
        "В Москве директора завода убили",
        "В дефиците молоко", "Жениха задержали", "Армия Египта молчит", "Он погиб во Львове",
        "Во главе банка новый человек",
    ],
)  # fmt: skip
def test_names_and_rare_endings_leave_russian_titles_russian(title):
    assert detect_language(title) is Language.RUSSIAN


@pytest.mark.parametrize("title", OTHER_LETTERS)
def test_letters_that_russian_lacks_are_of_another_language(title):
    assert detect_language(title) is Language.OTHER


@pytest.mark.parametrize(
    ("title", "declared", "language"),
    [
        ("Протест в София", "bg-BG", Language.OTHER),
        ("Протест в София", "ru", Language.RUSSIAN),
        ("Штраф для банку", "uk", Language.OTHER),
        ("Долги за газ", "ru-RU", Language.RUSSIAN),
        ("Сниг над Битола", "ru", Language.RUSSIAN),
        ("Brand in loods", "nl", Language.OTHER),
        ("Brand in loods", "en_US", Language.ENGLISH),
        ("Пожежа в готелі", "ru", Language.OTHER),
        ("Цены на нефть упали ниже двадцати долларов", "en", Language.RUSSIAN),
        ("Central bank raises rates by a quarter point", "ru", Language.ENGLISH),
        ("Le ministre annonce la fin de la grève", "en", Language.OTHER),
        ("Пожар на складе", "no code", Language.RUSSIAN),
    ],
)
def test_what_is_declared_decides_where_the_words_do_not(title, declared, language):
    assert detect_language(title, declared) is language


@pytest.mark.parametrize("text", ["", "   ", "2020 — 19,99 €", "!!!"])
def test_no_letters_is_no_language(text):
    assert detect_language(text) is Language.OTHER


@given(st.text(st.characters(), max_size=100), st.text(max_size=5))
def test_any_text_has_a_language(text, declared):
    assert detect_language(text, declared) in Language
