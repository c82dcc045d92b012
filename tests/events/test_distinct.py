"""What the words of two reports tell apart, and what they do not."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.events.distinct import Distinction, distinct_pairs, distinction
from whywire.events.told import Told, told_by_report
from whywire.news import Article, Published
from whywire.news.language import language_by_letters

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)


def report(title: str, hours: float = 0, lead: str = "") -> Told:
    """What a report tells that appeared so many hours after nine on Monday, 2 March 2026."""
    at = Published(MONDAY + timedelta(hours=hours))
    return told_by_report(Article("a", title, lead, language_by_letters(title), published=at))


DISTINCT = [
    # two happenings on two stated days
    ("Kasran shells Belmora on Monday", 0, "Kasran shells Belmora on Wednesday", 48, "days"),
    ("Teskal refinery explosion in 2019", 0, "Teskal refinery explosion in 2024", 0, "days"),
    ("В понедельник Касран обстрелял Белмору", 9, "В среду Касран обстрелял Белмору", 57, "days"),
    ("Взрыв на заводе «Тополь» 1 марта", 0, "Взрыв на заводе «Тополь» 3 марта", 48, "days"),
    # two places
    ("Fire in Boston warehouse kills two", 0, "Fire in Chicago warehouse kills two", 24, "place"),
    ("Lyon tram derails, nine hurt", 0, "Marseille tram derails, nine hurt", 10, "place"),
    ("Strong quake hits Peru", 0, "Strong quake hits Chile", 20, "place"),
    ("Bus crash in Texas leaves six dead", 0, "Bus crash in Ohio leaves six dead", 20, "place"),
    ("В Брянске при пожаре на складе погибли двое", 0, "В Белгороде при пожаре на складе погибли двое", 24, "place"),
    ("Взрыв газа в Тверской области", 0, "Взрыв газа в Рязанской области", 24, "place"),
    # two places that are on no list
    ("Fire in Leeds mill", 0, "Fire in Bristol mill", 3, "place"),
    ("Dam bursts above Thornby", 0, "Dam bursts above Kestrel Falls", 3, "place"),
    ("Flood in Calder Valley", 0, "Flood in Tarn Valley", 3, "place"),
    ("В Шуе сгорел рынок", 0, "Сгорел рынок под Клином", 3, "place"),
    ("Удар по Заречному", 0, "Удар по Дубраве", 3, "place"),
    ("Паводок в Шуйском районе", 0, "Паводок в Клинском районе", 3, "place"),
    # two nights
    ("Drones attack Belmora on Monday night", 20, "Drones attack Belmora on Tuesday night", 44, "days"),
    ("Дроны атаковали Курск в ночь на вторник", 20, "Дроны атаковали Курск в ночь на среду", 44, "days"),
    # opposite directions of one thing
    ("Bank of Norland raises rates to 5%", 0, "Bank of Norland cuts rates to 4%", 52, "direction"),
    ("Norland rates raised by central bank", 0, "Central bank of Norland lowers rates", 50, "direction"),
    ("Editor of Ellery Post jailed", 0, "Editor of Ellery Post freed", 50, "direction"),
    ("Court in Tanner bans Ellery rally", 0, "Court in Tanner lifts ban on Ellery rally", 50, "direction"),
    ("Ellery Rovers win at home", 0, "Ellery Rovers lose at home", 90, "direction"),
    ("Ellery dockers' strike begins", 0, "Ellery dockers' strike ends", 70, "direction"),
    ("Unemployment in Norland up", 0, "Unemployment in Norland down", 30, "direction"),
    ("Norland sends troops to Teskal", 0, "Norland withdraws troops from Teskal", 70, "direction"),
    ("Инфляция в Норландии ускорилась", 0, "Инфляция в Норландии замедлилась", 70, "direction"),
    ("ЦБ повысил ключевую ставку до 17%", 0, "ЦБ понизил ключевую ставку до 15%", 48, "direction"),
    ("Мэр Заречья задержан", 0, "Мэр Заречья освобождён", 48, "direction"),
    ("Парламент Норландии принял закон о рыбе", 0, "Парламент Норландии отклонил закон о рыбе", 48, "direction"),
    ("«Тополь» выиграл у «Зари»", 0, "«Тополь» проиграл «Заре»", 90, "direction"),
    # a report and its denial
    (
        "President of Norland dies at 71",
        0,
        "President of Norland is alive, reports of his death were false",
        7,
        "direction",
    ),
    ("Ellery port to close for a month", 0, "Harbour master denies Ellery port is to close", 5, "polarity"),
    ("Bomb found at Ellery station", 0, "Ellery station bomb was a hoax, police say", 5, "polarity"),
    ("Ellery ferry will sail on Sunday", 0, "Ellery ferry will not sail on Sunday", 5, "polarity"),
    ("Президент Норландии скончался", 0, "Сообщения о смерти президента Норландии оказались ложью", 9, "polarity"),
    ("Президент Норландии умер", 0, "Президент Норландии жив", 9, "direction"),
    ("В Заречье закроют городскую больницу", 0, "Минздрав опроверг закрытие больницы в Заречье", 9, "polarity"),
    ("Умер актёр Карл Эллери", 0, "Актёр Карл Эллери не умер, сообщил агент", 5, "polarity"),
    (
        "Drones hit Teskal depot on 1 March, police said",
        0,
        "Drones hit Teskal depot on 5 March, mayor says",
        97,
        "days",
    ),
    ("Взрыв прогремел в Заречье", 0, "В Заречье не было взрыва, заявили власти", 5, "polarity"),
    # another rate, price or sum on another day
    ("Bank of Norland raises rates to 5%", 0, "Bank of Norland raises rates to 6%", 72, "level"),
    ("Norland to lend Ellery bank €300 mln", 0, "Norland to lend Ellery bank €900 mln", 72, "level"),
    # names that tell their class, or which of two they are
    ("Power cut leaves Lower Drayle in the dark", 0, "Power cut leaves Upper Drayle in the dark", 20, "place"),
    ("Fire in East London flat kills two", 0, "Fire in West London flat kills two", 3, "place"),
    ("Two drown in Lake Morrow", 0, "Two drown in Lake Tessin", 3, "place"),
    ("Pine Street closed by gas leak", 0, "Elm Street closed by gas leak", 3, "place"),
    ("Blackout leaves San Telmo in the dark", 0, "Blackout leaves San Ysidro in the dark", 3, "place"),
    ("Большая Каменка осталась без света", 0, "Малая Каменка осталась без света", 3, "place"),
    ("Лавина сошла с Сорочьей горы", 0, "Лавина сошла с перевала Хантага", 3, "place"),
    ("На улице Ленина прорвало трубу", 0, "На улице Гагарина прорвало трубу", 3, "place"),
    # again
    ("Kasran strikes Belmora", 0, "Kasran strikes Belmora again", 48, "repetition"),
    ("Kasran strikes Belmora again", 0, "Kasran strikes Belmora for third time in a week", 24, "repetition"),
    ("Blast at Corvane factory", 0, "Another blast at Corvane factory", 30, "repetition"),
    ("Second suspect held over Ellery raid", 0, "Third suspect held over Ellery raid", 1, "repetition"),
    ("Землетрясение в Белморе", 0, "Второе за неделю землетрясение в Белморе", 24, "repetition"),
    ("Касран нанёс удар по Белморе", 0, "Касран вновь нанёс удар по Белморе", 48, "repetition"),
    ("Взрыв на заводе «Тополь»", 0, "Ещё один взрыв на заводе «Тополь»", 24, "repetition"),
    ("Power fails in Kerch", 0, "Power fails in Kerch for third straight day", 48, "repetition"),
]

ONE_EVENT = [
    # tolls rise, numbers are rounded
    ("Four dead in Ellery refinery fire", 0, "Ellery refinery fire: toll rises to nine", 24),
    ("При пожаре в Заречье погибли трое", 0, "Число погибших при пожаре в Заречье выросло до семи", 24),
    ("Over 300 dead in Ellery floods", 0, "Ellery floods kill 340", 20),
    ("Norland lends bank €300 mln", 0, "Norland lends bank €310 mln, a correction", 2),
    # one day in other words
    ("Blast shakes Ellery market on Monday", 3, "Monday's blast at Ellery market: what we know", 26),
    ("Blast shakes Ellery market", 3, "Blast at Ellery market on Monday was an accident, police said on Tuesday", 26),
    ("Взрыв на рынке в Заречье произошёл в понедельник", 3, "Взрыв на рынке в Заречье, сообщили во вторник", 26),
    # a name with and without what tells it from another, a street in a village
    ("Power cut leaves Lower Drayle in the dark", 0, "Power cut leaves Drayle in the dark", 3),
    ("Mount Serrat erupts", 0, "Serrat volcano erupts", 3),
    ("Fire in Mill Lane kills two", 0, "Fire in San Telmo kills two", 3),
    ("Corrin sign Mount", 0, "Corrin sign Mason Mount", 3),
    ("В Верхней Пойме сгорел склад", 0, "В Пойме сгорел склад", 3),
    ("Верхняя палата приняла закон", 0, "Палата приняла закон", 3),
    # one place inside another, a place named by one alone, a place as an adjective
    ("Fire in Houston warehouse kills two", 0, "Two die in Texas warehouse fire", 3),
    ("Fire in Houston warehouse kills two", 0, "Two die in warehouse fire", 3),
    ("US envoy lands in Belmora for talks", 0, "Envoy of United States in Belmora for talks", 3),
    ("US Secretary of State condemns Belfast blast", 0, "Secretary of State condemns Northern Ireland blast", 3),
    ("В Москве сгорел склад", 0, "В России сгорел склад", 3),
    ("В Белгороде сгорел склад", 0, "В Белгородской области сгорел склад", 3),
    ("Под Петербургом сгорел склад", 0, "В Ленобласти сгорел склад", 3),
    ("Fire in Leeds mill kills two", 0, "Two die in West Yorkshire mill fire", 3),
    ("Coach crash near Ashby kills nine", 0, "Coach crash in Leicestershire kills nine", 3),
    ("В Алексеевке сгорел склад", 0, "В Белгородской области сгорел склад", 3),
    ("Взрыв в Шуе", 0, "Взрыв в центре Шуи", 3),
    ("Lumen Bank robbed in Tarn", 0, "Masked men rob branch of Lumen Bank in Ellery mall", 3),
    ("Trust in Ostrom falls", 0, "Trust in leader falls in Moscow", 3),
    # one night of two days
    ("Blast at Ellery market late on Monday", 15, "Blast at Ellery market overnight into Tuesday", 22),
    ("Blast at Ellery market on Monday", 9, "Blast at Ellery market on Monday night", 15),
    ("Взрыв на рынке поздно вечером в понедельник", 15, "Взрыв на рынке в ночь на вторник", 22),
    # one thing from two sides
    ("Rouble falls against dollar", 0, "Dollar rises to 90 roubles", 2),
    ("Ellery Rovers beat Tanner United", 0, "Tanner United lose to Ellery Rovers", 2),
    ("«Тополь» обыграл «Зарю»", 0, "«Заря» проиграла «Тополю»", 2),
    ("Norland rates raised by central bank", 0, "Central bank of Norland raises rates", 2),
    ("Gas output fell in Norland, oil output rose", 0, "Oil output rose in Norland", 2),
    ("Editor of Ellery Post arrested", 0, "Ellery Post says its editor was arrested", 2),
    ("Court frees editor of Ellery Post, jailed in May", 0, "Jailed editor of Ellery Post freed", 2),
    ("Норландия сняла санкции с Касрана", 0, "Норландия отменила санкции против Касрана", 2),
    ("Closed Ellery bridge reopens", 0, "Ellery bridge reopens", 2),
    ("Пятеро погибли при взрыве в Заречье", 24, "При взрыве в Заречье погибли пятеро", 0),
    ("Десятки ранены при взрыве в Заречье", 24, "Взрыв в Заречье", 0),
    # no is said in two ways
    ("Ellery refuses to borrow from Norland", 0, "Ellery rules out borrowing from Norland", 2),
    ("Harbour master denies Ellery port is to close", 0, "Ellery port will not close, says harbour master", 2),
    ("Учёные рассказали, как не заразиться гриппом", 0, "Учёные назвали способы не заразиться гриппом", 2),
    ("Investigators rule out sabotage in Ellery refinery fire", 0, "Fire at Ellery refinery kills two", 30),
    # a repetition reported at one time, and ordinals of other things
    ("Kasran strikes Belmora", 0, "Kasran strikes Belmora again", 2),
    ("Kasran strikes Belmora again", 0, "Kasran strikes Belmora", 20),
    ("Norland economy shrinks in second quarter", 24, "Norland economy shrinks", 0),
    ("Second World War bomb found in Ellery", 24, "World War bomb found in Ellery", 0),
    ("New York court frees editor", 24, "Court frees editor", 0),
    ("Норландия назначила нового посла", 24, "Норландия назначила посла", 0),
]


@pytest.mark.parametrize(("left", "at", "right", "later", "what"), DISTINCT)
def test_two_happenings_that_share_their_words(left: str, at: float, right: str, later: float, what: str) -> None:
    one, other = report(left, at), report(right, later)
    assert distinction(one, other) == distinction(other, one) == Distinction(what)


@pytest.mark.parametrize(("left", "at", "right", "later"), ONE_EVENT)
def test_what_may_be_one_happening(left: str, at: float, right: str, later: float) -> None:
    one, other = report(left, at), report(right, later)
    assert distinction(one, other) is None
    assert distinction(other, one) is None


def test_where_and_when_is_read_under_the_headline_and_not_from_who_speaks_there() -> None:
    boston = report("Warehouse fire kills two", 0, "Two people died when a warehouse burned in Boston on Monday.")
    denver = report("Warehouse fire kills two", 24, "Two people died when a warehouse burned in Denver on Monday.")
    later = report("Warehouse fire kills two", 24, "Two people died when a warehouse burned in Boston on Tuesday.")
    from_afar = report("Warehouse fire kills two", 24, "DENVER, March 3 - Two people died when a warehouse burned.")
    told_later = report("Warehouse fire kills two", 24, "A warehouse burned and two died, police said on Tuesday.")
    assert distinction(boston, denver) is Distinction.PLACE
    assert distinction(boston, later) is Distinction.DAYS
    assert distinction(boston, from_afar) is distinction(boston, told_later) is None


def test_a_mention_of_the_event_in_the_headline_is_told_apart_by_the_headline() -> None:
    boston, chicago = report("Fire in Boston warehouse"), report("Fire in Chicago warehouse")
    of_boston, of_chicago = (Told("the fire", report=one, of_report=True) for one in (boston, chicago))
    assert distinction(of_boston, of_chicago) is Distinction.PLACE
    assert distinction(Told("the fire", report=boston), Told("the fire", report=chicago)) is None


def test_bare_words_are_told_apart_by_the_place_of_their_report() -> None:
    leeds, hull = (report(f"School in {town} shut because of snow") for town in ("Leeds", "Hull"))
    in_leeds, in_hull = (Told("heavy snow", scene=one.scene, report=one, is_bare=True) for one in (leeds, hull))
    assert distinction(in_leeds, in_hull) is Distinction.PLACE
    assert distinction(in_leeds, in_leeds) is None


def test_bare_words_are_told_apart_by_the_days_of_twin_reports_and_not_of_a_report_and_what_followed() -> None:
    monday, friday = (
        report(f"Fog shuts Ellery airport on {day}", hours) for day, hours in (("Monday", 0), ("Friday", 96))
    )
    mourned = report("Ellery mourns victims on Friday", 96)
    fog = [Told("the fog", report=one, is_bare=True) for one in (monday, friday, mourned)]
    assert distinction(fog[0], fog[1]) is Distinction.DAYS
    assert distinction(fog[0], fog[2]) is None


def test_a_place_that_the_other_report_speaks_of_tells_nothing_apart() -> None:
    town = report("Fire in Ashmere mill", lead="A mill burned in Ashmere.")
    village = report("Fire in Tilford mill", lead="A mill burned in Tilford, a suburb of Ashmere.")
    other = report("Fire in Tilford mill", lead="A mill burned in Tilford.")
    assert distinction(town, village) is None
    assert distinction(town, other) is Distinction.PLACE


def test_tolls_tell_apart_only_in_reports_of_two_events() -> None:
    monday, wednesday = report("Kasran shells Belmora on Monday"), report("Kasran shells Belmora on Wednesday", 48)
    one, other = Told("Four people died", report=monday), Told("Nine people died", report=wednesday)
    assert distinction(one, other) is Distinction.TOLL
    assert distinction(one, Told("Nine people died", report=monday)) is None


HEADLINES = sorted({told[side] for told in (*DISTINCT, *ONE_EVENT) for side in (0, 2)})


@given(st.lists(st.tuples(st.sampled_from(HEADLINES), st.integers(0, 96)), max_size=6))
def test_every_pair_is_looked_at_that_is_told_apart(told: list[tuple[str, int]]) -> None:
    reports = [report(*one) for one in told]
    apart = [[one is not other and distinction(one, other) is not None for other in reports] for one in reports]
    assert distinct_pairs(reports).tolist() == apart


@given(st.sampled_from(HEADLINES), st.integers(0, 96))
def test_a_report_and_its_copy_are_not_told_apart(headline: str, hours: int) -> None:
    assert distinction(report(headline, hours), report(headline, hours)) is None
