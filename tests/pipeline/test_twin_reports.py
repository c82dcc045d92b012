"""Reports that say the same of two places, nights or times are of two events, and so is all that is in them."""

from datetime import UTC, datetime, timedelta

import pytest

from whywire import build
from whywire.elements import MentionKind
from whywire.news import read_row

pytestmark = pytest.mark.model

MONDAY = datetime(2025, 1, 6, 9, tzinfo=UTC)

TWO_PLACES = [
    ("Gas explosion in Kielce flattens house", "A leaking pipe caused a gas explosion in Kielce."),
    ("Gas explosion in Bari flattens house", "A faulty boiler caused a gas explosion in Bari."),
    ("Bus drivers in Leeds strike over pay", "Bus drivers in Leeds went on strike over pay."),
    ("Bristol bus drivers strike over pay", "Bus drivers in Bristol went on strike over pay."),
    ("Air strike on Rafah kills seven", "An air strike on Rafah killed seven people."),
    ("Air strike on Aden kills seven", "An air strike on Aden killed seven people."),
    ("Storm Kills Three In Tilford", "A storm killed three people in Tilford."),
    ("Storm Kills Three In Ashmere", "A storm killed three people in Ashmere."),
    ("В Шуе сгорел рынок", "В Шуе сгорел рынок из-за короткого замыкания."),
    ("В Клину сгорел рынок", "В Клину сгорел рынок из-за поджога."),
    ("ДТП под Вязьмой: погибли трое", "Трое погибли в ДТП под Вязьмой."),
    ("ДТП под Ржевом: погибли трое", "Трое погибли в ДТП под Ржевом."),
    ("Наводнение в Шуйском районе", "Наводнение произошло в Шуйском районе из-за дождей."),
    ("Наводнение в Клинском районе", "Наводнение произошло в Клинском районе из-за таяния снега."),
    ("Power cut leaves Lower Drayle in the dark", "A power cut left Lower Drayle in the dark after a crash."),
    ("Power cut leaves Upper Drayle in the dark", "A power cut left Upper Drayle in the dark after a storm."),
    ("Pine Street closed by gas leak", "Pine Street was closed because of a gas leak."),
    ("Elm Street closed by gas leak", "Elm Street was closed because of a gas leak."),
    # one bare cause
    ("Flight cancelled in Reno because of heavy snow", "A flight in Reno was cancelled because of heavy snow."),
    ("Ferry in Napier cancelled because of heavy snow", "The ferry in Napier was cancelled because of heavy snow."),
    ("Hospital in Ards loses power", "A hospital in Ards lost power because of a fire."),
    ("Prison in Tully evacuated", "A prison in Tully was evacuated because of a fire."),
    ("Blackout hits Corrin", "A blackout hit Corrin because of a storm. The blackout closed schools."),
    ("Blackout hits Merrow", "A blackout hit Merrow because of a storm. The blackout closed shops."),
    ("Дорогу под Кунгуром закрыли из-за оползня", "Дорогу под Кунгуром закрыли из-за оползня."),
    ("Тоннель под Адлером закрыли из-за оползня", "Тоннель под Адлером закрыли из-за оползня."),
]
"""Title and text, each two of two places."""

TWO_TIMES = [
    (72, "Drones attack Belmora", "Drones attacked Belmora on Monday. Four people were injured."),
    (72, "Drones attack Belmora", "Drones attacked Belmora on Thursday. Eleven people were injured."),
    (72, "Обстрел Белморы", "Белмору обстреляли 6 января. Погибли два человека."),
    (72, "Обстрел Белморы", "Белмору обстреляли 9 января. Погибли четыре человека."),
    (24, "Drones attack Kursk", "Drones attacked Kursk late on Sunday."),
    (24, "Drones attack Kursk", "Drones attacked Kursk overnight into Tuesday."),
    (72, "Hackers breach Lumen Bank", "Hackers breached Lumen Bank."),
    (72, "Second breach at Lumen Bank in a week", "Hackers breached Lumen Bank for the second time."),
    (96, "Дроны повторно атаковали порт Мыса", "Порт Мыса повторно атаковали дроны."),
    (96, "Новая атака дронов на порт Мыса", "Порт Мыса вновь атаковали дроны."),
]
"""Hours between the two, title and text."""

ONE_EVENT = [
    (2, "Fire in Leeds mill kills two", "A fire in a mill in Leeds, West Yorkshire, killed two people."),
    (2, "Two die in West Yorkshire mill fire", "Two people died in a fire at a mill in Leeds."),
    (2, "Protest in Hyde Park draws thousands", "Thousands protested in Hyde Park."),
    (2, "Protest in London draws thousands", "Thousands protested in London."),
    (2, "Shares in Tesla fall 10%", "Shares in Tesla fell 10% on Monday."),
    (2, "Tesla shares fall 10% in New York", "Tesla shares fell 10% in New York on Monday."),
    (2, "В Чите сгорел торговый центр", "Торговый центр сгорел в Чите."),
    (2, "Сгорел торговый центр Читы", "Пожар уничтожил торговый центр в Чите."),
    (2, "Под Шуей перевернулся автобус", "Автобус перевернулся под Шуей."),
    (2, "Автобус перевернулся возле Шуи", "Возле Шуи перевернулся автобус."),
    (8, "Blast rocks Tarvik market", "A blast rocked a market in Tarvik late on Sunday."),
    (8, "Explosion at Tarvik market", "An explosion rocked a market in Tarvik overnight into Monday."),
    (8, "Пожар в Клину", "Пожар в Клину начался вечером 5 января."),
    (8, "Пожар в Клину", "Пожар в Клину начался в ночь на 6 января."),
    (24, "Suicide bombing in Karsel kills 12", "A suicide bombing in Karsel on Monday killed 12 people."),
    (24, "Toll of Karsel suicide bombing rises to 20", "The toll of Monday's suicide bombing in Karsel rose to 20."),
]
"""The same of one event."""


def events_of(hours, *reports):
    """The events of two reports so many hours apart."""
    articles = []
    for number, (title, text) in enumerate(reports):
        published = (MONDAY + number * timedelta(hours=hours)).isoformat()
        row = {"id": f"a{number}", "title": title, "text": text, "published": published, "source": f"Outlet {number}"}
        articles.append(read_row(row)[0])
    return build(articles).graph.events


def pairs(reports):
    return [pytest.param(*two, id=two[0][-2]) for two in zip(reports[::2], reports[1::2], strict=True)]


@pytest.mark.parametrize(("one", "other"), pairs([(3, *report) for report in TWO_PLACES]) + pairs(TWO_TIMES))
def test_twin_reports_share_no_event(one, other):
    for event in events_of(one[0], one[1:], other[1:]):
        assert len({mention.article for mention in event.mentions}) == 1, event.title


@pytest.mark.parametrize(("one", "other"), pairs(ONE_EVENT))
def test_one_event_in_other_words_is_one(one, other):
    headlines = [
        {mention.article for mention in event.mentions if mention.kind is MentionKind.HEADLINE}
        for event in events_of(one[0], one[1:], other[1:])
    ]
    assert {"a0", "a1"} in headlines
