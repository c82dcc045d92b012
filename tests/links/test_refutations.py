"""Which of two reports refutes the other, and what is no refutation, whatever a model says."""

import pytest

from whywire.api.news_input import to_article
from whywire.elements import Contradiction
from whywire.links.refutations import may_refute, plain_relation, refuted_in
from whywire.news import Article
from whywire.pairs.relations import RELATIONS, Relation, mirrored

REFUTED = [
    ("Lighthouse keeper Orm quits Gullholm", "Orm denies quitting Gullholm", Contradiction.POLARITY),
    ("Ellmark Brewery burns down", "Ellmark Brewery has not burned down, owner says", Contradiction.POLARITY),
    ("Choir to sing at Gullholm in June", "Choir calls off June date at Gullholm", Contradiction.POLARITY),
    ("Talks on Gullholm ferry set for Monday", "Talks on Gullholm ferry postponed to Friday", Contradiction.POLARITY),
    (
        "Storm blamed for Gullholm blackout",
        "Squirrel, not storm, caused Gullholm blackout",
        Contradiction.ATTRIBUTION,
    ),
    (
        "Korland behind theft of Gullholm bell",
        "Korland denies role in theft of Gullholm bell",
        Contradiction.ATTRIBUTION,
    ),
    ("Avalanche kills six at Gullholm", "Gullholm avalanche, toll revised: four", Contradiction.NUMBER),
    (
        "Gullholm Airways to drop 40 flights",
        "Gullholm Airways says it has no plans to drop flights",
        Contradiction.POLARITY,
    ),
    ("Water cut off in Gullholm", "Water was never cut off in Gullholm, council says", Contradiction.POLARITY),
    ("Police arrest actor Ivo Lund", "Actor Ivo Lund was not arrested, says lawyer Prell", Contradiction.POLARITY),
    ("Bank of Lund stripped of its licence", "Licence of Bank of Lund has not been revoked", Contradiction.POLARITY),
    ("Банк «Лунь» лишился лицензии", "Лицензию у банка «Лунь» не отзывали", Contradiction.POLARITY),
    ("«Лунь» уходит из Лужни", "«Лунь» не собирается уходить из Лужни", Contradiction.POLARITY),
    ("В Лужне пройдёт концерт хора", "Концерта хора в Лужне не будет", Contradiction.POLARITY),
    ("В Лужне отключили свет", "Свет в Лужне не отключали, заявил мэр Лужни", Contradiction.POLARITY),
    ("В Лужне нашли бомбу", "Сообщение о бомбе в Лужне оказалось ошибочным", Contradiction.POLARITY),
    ("Мост через Лужню рухнул", "Мост через Лужню не рушился, заявили в мэрии", Contradiction.POLARITY),
    ("Из питомника в Лужне сбежала рысь", "Питомник в Лужне: рысь не сбегала", Contradiction.POLARITY),
    ("Хор даст концерт в Лужне в мае", "Хор отменил концерт в Лужне", Contradiction.POLARITY),
    (
        "Под лавиной в Лужне погибли шесть человек",
        "Число погибших под лавиной в Лужне уточнили: семь",
        Contradiction.NUMBER,
    ),
]

SOMETHING_ELSE = {
    "both deny": [
        ("Scholars refute a myth of the Gullholm whales", "Researchers debunk a myth of the Gullholm whales"),
        ("Учёные опровергли миф о китах Лужни", "Исследователи развеяли миф о китах Лужни"),
        ("Gullholm court refuses to free Orm", "Gullholm court does not free Orm"),
        ("Korland holds no talks with Gullholm", "Korland denies reports of talks with Gullholm"),
        ("Gullholm council ignored pleas of farmers", "Council did not act on farmers' pleas in Gullholm"),
        ("Gullholm miners: no longer any hope", "No hope for Gullholm miners"),
        ("Суд отказался сократить срок Орму", "Суд не стал сокращать срок Орму"),
        ("Лужня не ведёт переговоров с Корландом", "В Лужне опровергли сообщения о переговорах с Корландом"),
    ],
    "place": [
        ("Earthquake hits Peru", "Chile denies tsunami warning after earthquake"),
        ("Mill in Gullholm burns down", "Reports of a mill fire in Tarsund are false"),
        ("Cholera found in Kenya", "Uganda says reports of cholera are false"),
        ("Холера в Кении", "Уганда назвала фейком сообщения о холере"),
        ("Snow closes trams in Lisbon", "No snow on trams, says Tarsund's mayor"),
        ("Blast in Gullholm metro", "No blast in metro, says mayor of Tarsund"),
        ("В Лужне взорвалось метро", "Взрыва в метро не было, заявил мэр Тарска"),
        ("Землетрясение произошло в Перу", "В Чили опровергли угрозу цунами после землетрясения"),
    ],
    "person or firm": [
        ("Banker Ivo Lund arrested for fraud", "Banker Olaf Prell denies being arrested"),
        ("Kestrel Airways cancels its flights", "Osprey Airways: no flights cancelled"),
        ("Finance minister of Korland resigns", "Defence minister of Korland denies resigning"),
        ("Gullholm Rovers sign striker Vane", "Gullholm Rovers deny signing keeper Pohl"),
        ("«Лунь» объявила о банкротстве", "«Сапсан» отрицает банкротство"),
        ("Умерла певица Ада Лужина", "Певец Тимур Прелль жив, сообщил агент"),
        ("Actor Ivo Lund held in Korland", "Rapper Olaf Prell was not held in Korland, agent says"),
        ("Goalkeeper Jan Pohl leaves Gullholm", "Coach Rolf Vane is not leaving Gullholm"),
        ("Актёр Иво Лунд задержан в Лужне", "Рэпера Олафа Прелля в Лужне не задерживали"),
        ("Korland bans herring exports", "Korland's fisheries minister denies being paid by herring exporters"),
        ("Лужня запретила вывоз сельди", "Министр Лужни отрицает, что ему платили вывозчики сельди"),
    ],
    "number": [
        ("Six skiers die at Gullholm", "Gullholm: 40 rescuers and 12 dogs at work"),
        ("Flood leaves 200 homeless in Gullholm", "Gullholm gets 5,000 sandbags"),
        ("«Лунь» закроет 120 магазинов", "«Лунь» продала три миллиона пар обуви"),
    ],
    "day": [
        ("Strike halts Gullholm ferries on Wednesday", "No strike on Gullholm ferries on Friday"),
        ("«Лунь» проиграла «Сапсану» в субботу", "«Лунь» не проиграла «Сапсану» в воскресном матче"),
    ],
    "part of what happened": [
        ("Fire wrecks Gullholm mill", "Police rule out arson in Gullholm mill fire"),
        ("Ferry sinks off Gullholm", "Owner denies ignoring warning before Gullholm ferry sank"),
        ("Storm hits Gullholm harbour", "Storm hits Gullholm harbour, but school does not close"),
        ("При пожаре на мельнице в Лужне пострадали двое", "Полиция исключила поджог мельницы в Лужне"),
        ("Горит мельница в Лужне", "Мельница в Лужне ещё горит, жертв нет"),
        ("Власти Лужни раздадут воду", "Власти Лужни: воды хватит всем, очередей не будет"),
        ("Magnitude 5 quake shakes Gullholm", "No victims after Gullholm quake"),
        ("Hail batters Gullholm", "No deaths reported as hail batters Gullholm"),
        ("Лавина сошла на Лужню", "После лавины в Лужне погибших нет"),
        ("Ferry hits pier in Gullholm", "No damage, no injuries as ferry hits Gullholm pier"),
        ("Землетрясение в Лужне", "Пострадавших после землетрясения в Лужне нет"),
    ],
    "missing supply": [
        ("Fire shuts Gullholm fuel depot", "Sorry, no fuel: Gullholm depot burned"),
        ("Storm cuts power lines in Gullholm", "Gullholm has no power"),
        ("Strike halts buses in Gullholm", "No buses in Gullholm today"),
        ("Mill in Gullholm burns down", "Gullholm left without bread as mill burns down"),
        ("В Лужне прорвало трубу с водой", "В Лужне нет воды"),
        ("Гроза повредила сеть в Лужне", "Лужня осталась без света"),
        ("Забастовка остановила автобусы в Лужне", "Автобусов в Лужне нет"),
    ],
    "charge, call or fear": [
        ("Ex-mayor on trial over bribes from builder", "Ex-mayor denies taking bribes from builder, court hears"),
        ("Calls grow for Premier Lund to resign", "Premier Lund rules out resigning"),
        ("Мэра Лужни судят за взятки", "Мэр Лужни отрицает в суде, что брал взятки"),
        ("Оппозиция требует отставки премьера Лунда", "Премьер Лунд исключил отставку"),
    ],
}


def article(title: str, published: str | None = None) -> Article:
    return to_article({"title": title} | ({"published": published} if published else {}))


@pytest.mark.parametrize(("earlier", "later", "kind"), REFUTED)
def test_what_a_report_refutes_another_in(earlier: str, later: str, kind: Contradiction) -> None:
    assert refuted_in(article(earlier), article(later)) is kind


@pytest.mark.parametrize(("earlier", "later"), [pair for pairs in SOMETHING_ELSE.values() for pair in pairs])
def test_a_report_that_speaks_of_something_else_refutes_nothing(earlier: str, later: str) -> None:
    assert not may_refute(article(later), article(earlier))
    assert refuted_in(article(earlier), article(later)) is None


PLAIN = [
    ("Painter Orm dies at 80", "Painter Orm is alive, his agent says"),
    ("Garlic cures colds, study says", "RETRACTED: Garlic cures colds, study says"),
    ("Умер художник Орм", "Художник Орм жив, сообщила жена"),
    ("Чеснок лечит простуду", "ОТОЗВАНО: Чеснок лечит простуду"),
]


@pytest.mark.parametrize(("earlier", "later"), PLAIN)
def test_a_death_denied_and_a_title_retracted_need_no_model(earlier: str, later: str) -> None:
    row, back = (
        plain_relation(*pair) for pair in ((article(earlier), article(later)), (article(later), article(earlier)))
    )
    assert row is not None
    assert back is not None
    assert RELATIONS[row.argmax()] is Relation.LEFT_RIGHT_REFUTE
    assert (mirrored(row) == back).all()


def test_nobody_denies_a_death_before_it_is_reported() -> None:
    alive = article("Painter Orm is alive, his agent says", "2026-03-02")
    dead = article("Painter Orm dies at 80", "2026-03-05")
    assert plain_relation(alive, dead) is None


def test_a_death_that_only_led_to_what_is_reported_is_not_what_is_reported() -> None:
    closed = article("Gullholm gallery shut after death of painter Orm")
    assert plain_relation(closed, article("Painter Orm is alive, his agent says")) is None
