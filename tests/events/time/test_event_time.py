"""Times that words name, resolved against the day of the report; and words that only look like times."""

import re
import sys
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.errors import MissingExtraError
from whywire.events.time.event_time import event_time, find_times
from whywire.news import Language, parse_time
from whywire.news.article import InferredFrom

pytest.importorskip("dateparser")

WEDNESDAY = parse_time("2020-05-06T12:00:00Z")
EN, RU = Language.ENGLISH, Language.RUSSIAN


def days(year, month=None, day=None):
    """The interval of a day, a month or a year."""
    if day:
        return date(year, month, day), date.fromordinal(date(year, month, day).toordinal() + 1)
    if month:
        return date(year, month, 1), date(year + month // 12, month % 12 + 1, 1)
    return date(year, 1, 1), date(year + 1, 1, 1)


ENGLISH = [
    ("The mayor resigned on Tuesday.", "Tuesday", days(2020, 5, 5)),
    ("On Wednesday divers found the wreck.", "Wednesday", days(2020, 5, 6)),
    ("The museum will open on Friday.", "Friday", days(2020, 5, 8)),
    ("A fire broke out Friday night.", "Friday night", days(2020, 5, 1)),
    ("The bridge closed last Friday.", "last Friday", days(2020, 5, 1)),
    ("Talks resume next Tuesday.", "next Tuesday", days(2020, 5, 12)),
    ("This Sunday sees the regatta.", "This Sunday", days(2020, 5, 10)),
    ("The state will hold the regatta on August 20.", "August 20", days(2020, 8, 20)),
    ("She won the prize last May.", "last May", days(2019, 5)),
    ("Sales fell in May last year.", "May last year", days(2019, 5)),
    ("Sales fell in early April.", "early April", days(2020, 4)),
    ("Rain fell for a week in September.", "September", days(2019, 9)),
    ("Cash is short until July, the firm said in June.", "June", days(2020, 6)),
    ("The new law comes into force on Monday.", "Monday", days(2020, 5, 11)),
    ("The state will vote in November.", "November", days(2020, 11)),
    ("The dam burst in 1963.", "1963", days(1963)),
    ("Today in 2010 the bridge opened.", "2010", days(2010)),
    ("It opened on May 4, 2019, with a parade.", "May 4, 2019", days(2019, 5, 4)),
    ("Doctors saw the first case on Dec. 31.", "Dec. 31", days(2019, 12, 31)),
    ("The pool reopens starting Monday.", "Monday", days(2020, 5, 11)),
    ("Two ships collided yesterday.", "yesterday", days(2020, 5, 5)),
    ("A storm hit the coast last night.", "last night", days(2020, 5, 5)),
    ("The firm cut jobs two days ago.", "two days ago", days(2020, 5, 4)),
    ("The firm cut jobs last week.", "last week", (date(2020, 4, 27), date(2020, 5, 4))),
    ("The firm cut jobs earlier this month.", "earlier this month", days(2020, 5)),
]
RUSSIAN = [
    ("Мэр ушёл в отставку во вторник.", "вторник", days(2020, 5, 5)),
    ("В среду водолазы нашли судно.", "среду", days(2020, 5, 6)),
    ("В субботу откроется музей.", "субботу", days(2020, 5, 9)),
    ("В ночь на пятницу сгорел склад.", "пятницу", days(2020, 5, 1)),
    ("Мост закрыли в прошлую пятницу.", "прошлую пятницу", days(2020, 5, 1)),
    ("Суд состоится в следующий вторник.", "следующий вторник", days(2020, 5, 12)),
    ("Цены упали в мае.", "мае", days(2020, 5)),
    ("Цены упали в декабре прошлого года.", "декабре прошлого года", days(2019, 12)),
    ("В мае 2018 года открыли завод.", "мае 2018 года", days(2018, 5)),
    ("Завод закрыли в 1998 году.", "1998 году", days(1998)),
    ("Он умер 30 апреля.", "30 апреля", days(2020, 4, 30)),
    ("Школы откроют 20 мая.", "20 мая", days(2020, 5, 20)),
    ("Погода изменится в понедельник 11 мая.", "понедельник 11 мая", days(2020, 5, 11)),
    ("В это воскресенье обещают дождь.", "это воскресенье", days(2020, 5, 10)),
    ("На этой неделе сгорел склад.", "этой неделе", (date(2020, 5, 4), date(2020, 5, 11))),
    ("Погода изменится в понедельник, 11 мая.", "понедельник, 11 мая", days(2020, 5, 11)),
    ("Договор подписали 12.03.2019.", "12.03.2019", days(2019, 3, 12)),
    ("Вчера столкнулись два судна.", "Вчера", days(2020, 5, 5)),
    ("Накануне сгорел склад.", "Накануне", days(2020, 5, 5)),
    ("Склад сгорел два дня назад.", "два дня назад", days(2020, 5, 4)),
    ("На прошлой неделе сгорел склад.", "прошлой неделе", (date(2020, 4, 27), date(2020, 5, 4))),
    ("В конце марта закрыли границу.", "марта", days(2020, 3)),
]


@pytest.mark.parametrize(
    ("language", "text", "words", "interval"),
    [(EN, *row) for row in ENGLISH] + [(RU, *row) for row in RUSSIAN],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_words_that_name_a_time(language, text, words, interval):
    (when,) = find_times(text, language, WEDNESDAY)
    assert text[slice(*when.span)] == words
    assert (when.start, when.end) == interval


NO_TIMES = [
    (EN, "It may rain, and prices may fall."),
    (EN, "Theresa May lost the vote."),
    (EN, "The March of Dimes gave money."),
    (EN, "March Madness was played in empty halls."),
    (EN, "The Sun rose for a second time."),
    (EN, "The virus was found in 2019 cases."),
    (EN, "He weighs 2019 grams and ran 100 metres."),
    (EN, "May 20,000 people be right?"),
    (EN, "April Jones met June Smith and Augusta Hall."),
    (EN, "USA Today ran the picture."),
    (EN, "Black Friday broke a record."),
    (EN, "The shop is closed until May 11."),
    (EN, "By Friday the ice had gone."),
    (EN, "He sang on The Tonight Show."),
    (EN, "He trains every Tuesday."),
    (EN, "Music of the 1990s won."),
    (RU, "Майя и Мая поехали в Марь."),
    (RU, "Режим продлён до 11 мая."),
    (RU, "Животных выпустили в среду обитания."),
    (RU, "Об этом пишет Россия сегодня."),
    (RU, "Об этом пишет «Деревня сегодня»."),
    (RU, "Накануне выборов цены выросли."),
    (RU, "Он тренируется по вторникам, каждый вторник."),
    (RU, "Нашли 2019 писем и 15 марок."),
    (RU, "31 июня не бывает."),
]


@pytest.mark.parametrize(("language", "text"), NO_TIMES)
def test_words_that_name_none(language, text):
    assert find_times(text, language, WEDNESDAY) == []


def test_without_a_report_only_times_with_their_own_year():
    text = "It opened on Tuesday, after it had closed in May and in 2019, on March 3, 2018."
    found = find_times(text, EN, None)
    assert [text[slice(*when.span)] for when in found] == ["2019", "March 3, 2018"]


def test_other_languages_name_none():
    assert find_times("Am 3. Mai 2019 kam er.", Language.OTHER, WEDNESDAY) == []


def test_the_time_of_the_event_is_not_that_of_an_aside():
    text = "Ann Hale, who retired in 2011, was found in March after going missing in 2019"
    when = event_time(text, EN, WEDNESDAY)
    assert text[slice(*when.span)] == "March"
    assert event_time("Ann Hale, who retired in 2011, was found", EN, WEDNESDAY) is None
    assert event_time("Склад, который построили в 1998 году, сгорел", RU, WEDNESDAY) is None


def test_what_is_done_does_not_lie_ahead():
    assert event_time("The council moved the vote to 20 May", EN, WEDNESDAY) is None
    assert event_time("The council will vote on 20 May", EN, WEDNESDAY) is not None


def test_what_is_announced_does_not_lie_behind():
    assert event_time("The club will auction the bat used in 2006", EN, WEDNESDAY) is None
    assert event_time("Клуб будет продавать мяч, забитый в 2006 году", RU, WEDNESDAY) is None


@pytest.mark.parametrize(
    "text",
    [
        "The team won in 2015 and 2019",
        "Sales fell in February and March",
        "The clinic treated sailors from March 18 to April 8",
        "The club moved the regatta from the dates of March 15-23",
        "The fair was held on Monday and Tuesday",
    ],
)
def test_one_of_several_times_is_not_that_of_the_event(text):
    assert event_time(text, EN, WEDNESDAY) is None


def test_only_the_part_that_speaks_of_the_event_names_its_time():
    text = "Rain fell on Monday and the dam burst on Tuesday"
    cut = text.index("and")
    assert [event_time(text, EN, WEDNESDAY, part).start.day for part in ((0, cut), (cut, len(text)))] == [4, 5]


def test_by_an_inferred_day_neither_weekdays_nor_what_is_counted_from_it():
    inferred = replace(WEDNESDAY, at=WEDNESDAY.at.replace(hour=0), day_only=True, inferred_from=InferredFrom.URL)
    for text in ("The dam burst on Tuesday", "The dam burst yesterday", "The dam burst two days ago"):
        assert event_time(text, EN, inferred) is None
    for text in ("The dam burst on May 4", "The dam burst on May 4, 2020", "The dam burst in April"):
        assert event_time(text, EN, inferred) == event_time(text, EN, WEDNESDAY) is not None


PASSING = [
    "The attack was the deadliest since the junta seized power in 2021.",
    "The attack killed 12, the most since a bombing in 2021.",
    "More people were killed in the attack than in 2021.",
    "An attack similar to one in 2021 killed 12 people.",
    "Drones hit the depot, as they did in 2021.",
    "Drones hit the depot opened in 2021.",
    "The army, which seized power in 2021, attacked the town.",
    "The army attacked the town after it had seized power in 2021.",
    "The army attacked the town three years after it seized power in 2021.",
    "The attack came three years after the coup in 2021.",
    "Drones hit the depot for the first time since 2021.",
    "Drones hit the depot, where a blast in 2021 killed five.",
    "The attack comes amid a war that began in 2021.",
    "Fighters attacked the base, which foreign troops left in 2021.",
    "The commander appointed in 2021 was killed in the attack.",
    "Ann Hale, elected in 2021, was attacked.",
    "The attack killed 12, compared with 5 in 2021.",
    "Under a deal reached in 2021, the port was attacked.",
    "The attack broke a truce of March 2021.",
    "Rebels attacked the town captured in 2021.",
    "The bridge collapsed, 3 years after it opened in 2021.",
    "Sales fell to levels last seen in 2021.",
    "Prices rose at the fastest pace since March 2021.",
    "The attack killed Omar Hale, wanted for a bombing in 2021.",
    "The attack happened on the anniversary of the siege in 2021.",
    "The suspect, jailed in 2021 for theft, attacked a guard.",
    "Атака стала крупнейшей с тех пор, как военные захватили власть в 2021 году.",
    "Атака стала самой кровавой со времени переворота в 2021 году.",
    "Дроны атаковали склад, как и в 2021 году.",
    "Дроны атаковали построенный в 2021 году склад.",
    "Армия, захватившая власть в 2021 году, атаковала город.",
    "Армия атаковала город после того, как захватила власть в 2021 году.",
    "Атака произошла через три года после переворота в 2021 году.",
    "Мэр, избранный в 2021 году, погиб при атаке.",
    "Атака похожа на взрыв в 2021 году.",
    "По сравнению с 2021 годом атак стало больше.",
    "Осуждённый в 2021 году за кражу напал на охранника.",
]
"""Sentences of events of today that name a year in passing."""

LONG_AGO = [
    "The dam burst in 1963.",
    "The dam burst in 1963, killing 2,000 people.",
    "The dam burst in 1963 and was rebuilt.",
    "In 2021 the army seized power.",
    "Rebels from Ellery seized the town in 2021.",
    "Police said the dam burst in 2021.",
    "the attack in 2021",
    "a bombing in March 2021",
    "The law was passed in 2019.",
    "The mill was shut on 12 March 2019 because of a fire.",
    "The mill had been shut in 2019.",
    "Back in 2021 the river flooded the valley.",
    "a storm had flooded the mine in 2019",
    "The bridge opened in 1931 but closed later.",
    "after the army seized power in 2021",
    "When the dam burst in 1963 the valley was flooded.",
    "Завод закрыли в 1998 году.",
    "В 2021 году военные захватили власть.",
    "Мост в 2021 году рухнул.",
    "Взрыв в 2021 году",
    "Мэр заявил, что завод закрыли в 2019 году.",
    "Завод был закрыт в мае 2018 года из-за пожара.",
]


@pytest.mark.parametrize("text", PASSING)
def test_a_year_told_in_passing_is_not_that_of_the_event(text):
    assert event_time(text, RU if re.search("[а-я]", text) else EN, parse_time("2024-04-14T12:00:00Z")) is None


@pytest.mark.parametrize("text", LONG_AGO)
def test_a_year_with_the_verb_or_noun_of_the_event_is_its_own(text):
    when = event_time(text, RU if re.search("[а-я]", text) else EN, parse_time("2024-04-14T12:00:00Z"))
    assert str(when.start.year) in text[slice(*when.span)]


def test_of_a_recent_and_an_old_time_the_recent_one_is_that_of_the_event():
    text = "Gunmen attacked the hall in April, the worst attack since an army took power there in 2021"
    assert event_time(text, EN, parse_time("2024-04-14T12:00:00Z")).start == date(2024, 4, 1)


@pytest.mark.parametrize(
    ("published", "text", "day"),
    [
        ("2026-03-04T09:00:00+11:00", "The mill shut on Wednesday", 4),
        ("2026-03-04T09:00:00+11:00", "The mill shut on Tuesday", 3),
        ("2026-03-04T09:00:00+11:00", "The mill shut today", 4),
        ("2026-03-04T09:00:00+11:00", "The mill shut yesterday", 3),
        ("2026-03-04T09:00:00+11:00", "The mill shut on March 4", 4),
        ("2026-03-04T09:00:00+11:00", "The mill will open on Thursday", 5),
        ("2026-03-04T09:00:00+11:00", "The mill will open tomorrow", 5),
        ("2026-03-04T21:00:00-05:00", "The mill shut on Wednesday", 4),
        ("2026-03-04T21:00:00-05:00", "The mill shut today", 4),
        ("2026-03-12T21:00:00-05:00", "The mill shut on Friday", 6),
        ("Wed, 04 Mar 2026 01:30:00 MSK", "Завод закрыли в среду", 4),
        ("2026-03-04T01:30:00+03:00", "Завод закрыли сегодня", 4),
        ("2026-03-04T01:30:00+03:00", "Завод закрыли вчера", 3),
        ("2026-03-04T01:30:00+03:00", "Завод откроют завтра", 5),
        ("2026-03-04T01:30:00+03:00", "Завод закрыли 4 марта", 4),
        ("2026-03-03T22:00:00Z", "The mill shut on Wednesday", 4),
        ("2026-03-03T22:00:00", "Завод закрыли в среду", 4),
        ("2026-03-03T22:00:00Z", "The mill shut on Tuesday", 3),
        ("2026-03-03T22:00:00Z", "The mill shut last Wednesday", 25),
        ("2026-03-03T08:00:00Z", "The mill shut on Wednesday", 25),
        ("2026-03-03T22:00:00+01:00", "The mill shut on Wednesday", 25),
    ],
)
def test_words_are_resolved_by_the_clock_of_the_outlet(published, text, day):
    language = RU if "З" in text else EN
    assert event_time(text, language, parse_time(published)).start.day == day


def test_one_moment_by_two_clocks_is_two_days():
    here, there = parse_time("2026-03-04T09:00:00+11:00"), parse_time("2026-03-03T17:00:00-05:00")
    assert here == there
    assert [event_time("The mill shut today", EN, one).start.day for one in (here, there, here)] == [4, 3, 4]


def test_a_missing_library_says_which_extra_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "dateparser.date", None)
    with pytest.raises(MissingExtraError, match=r"whywire\[times\]"):
        find_times("The dam burst on 17 October 1931.", EN, None)
    assert find_times("The dam burst.", EN, WEDNESDAY) == []


PIECES = st.sampled_from(
    [row[0] for row in ENGLISH + RUSSIAN] + ["may", "в", "2019", "May 3", "на", "\n", "—", "last"]
)


@given(st.lists(st.one_of(PIECES, st.text(max_size=12)), max_size=5).map(" ".join), st.sampled_from(Language))
def test_any_text_gives_spans_in_order_and_apart(text, language):
    end = 0
    for when in find_times(text, language, WEDNESDAY):
        assert end <= when.span[0] < when.span[1] <= len(text)
        assert when.start < when.end
        end = when.span[1]
