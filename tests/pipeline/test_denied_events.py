"""What a denial and a retraction do to the events and links of a build."""

import pytest

from whywire import LinkKind, build
from whywire.elements import MentionKind
from whywire.news import read_row

pytestmark = pytest.mark.model

DENIED_EVENTS = {
    "no explosion": (
        (
            "Tanker explodes at Corrin harbour",
            "A tanker exploded at Corrin harbour, which led to the closure of the port.",
        ),
        ("Corrin harbour master: no tanker exploded", "No tanker exploded at Corrin harbour, he said."),
    ),
    "a denied dismissal": (
        ("Coach Ilves sacked by Norden FC", "Norden FC sacked coach Ilves on Monday because of poor results."),
        ("Norden FC deny sacking Ilves", "The club denied that it had sacked Ilves."),
    ),
    "a hoax": (
        (
            "Pupils poisoned at Orme camp",
            "Pupils were poisoned at Orme camp. The poisoning led to the closure of the camp.",
        ),
        ('"A hoax": Orme camp says no pupils were poisoned', "No pupils were poisoned, the camp said."),
    ),
    "a tanker that did not explode, Russian": (
        ("Танкер взорвался в порту Находка", "Танкер взорвался в порту. Взрыв привёл к закрытию порта."),
        ("Власти Находки: танкер в порту не взрывался", "Танкер не взрывался, сообщили власти."),
    ),
    "a fake, Russian": (
        ("Певица Лада Зорина скончалась", "Певица Лада Зорина умерла. Из-за смерти певицы отменили концерт в Твери."),
        ("Слухи о смерти Лады Зориной — фейк", "Певица жива и здорова, сообщил её директор."),
    ),
    "a death": (
        (
            "Rebel leader Omar Tessik killed in air strike",
            "Omar Tessik was killed in an air strike. His death triggered protests in the town of Karsk.",
        ),
        ("Omar Tessik not dead, rebels say", "A spokesman showed a video of him."),
    ),
    "a death, Russian": (
        (
            "Главарь отряда Омар Тессик убит",
            "Омар Тессик убит при авиаударе. Его гибель привела к протестам в Карске.",
        ),
        ("Омар Тессик жив, заявил его брат", "Он показал видеозапись."),
    ),
    "an escape, Russian": (
        (
            "Из питомника в Лужне сбежала рысь",
            "Из питомника в Лужне сбежала рысь. Побег рыси привёл к закрытию парка.",
        ),
        ("Питомник в Лужне: рысь не сбегала", "Рысь не сбегала, сообщили в питомнике."),
    ),
    "a retraction": (
        ("Senator Holt resigns", "Senator Holt resigned on Monday because of a scandal."),
        ("RETRACTED: Senator Holt resigns", "The story was wrong."),
    ),
}

DENIED_CAUSES = {
    "a part of the cause's name": (
        ("Winter storm caused blackout in Tasso", "A winter storm caused the blackout in Tasso, the minister said."),
        (
            "Storm ruled out as cause of blackout in Tasso",
            "Engineers ruled out the storm as the cause of the blackout in Tasso.",
        ),
    ),
    "a false report, Russian": (
        ("Шторм вызвал аварию на подстанции в Ключах", "Сильный шторм вызвал аварию на подстанции в Ключах."),
        (
            "Информация о том, что шторм вызвал аварию на подстанции в Ключах, не соответствует действительности",
            "Об этом сообщили энергетики.",
        ),
    ),
    "not caused by": (
        ("Storm caused Astra Hotel blackout", "A storm caused the blackout. The blackout forced 200 guests out."),
        (
            "Astra Hotel blackout was not caused by storm, report finds",
            "The blackout was not caused by a storm.",
        ),
    ),
    "retracted": (
        ("Dust caused blast at Orme mill", "Dust caused the blast at Orme mill."),
        ("WITHDRAWN - Dust caused blast at Orme mill", "The Orme Post has withdrawn this article."),
    ),
    "another cause": (
        ("Gas leak caused explosion in Fenwick", "A gas leak caused the explosion in Fenwick."),
        ("Bomb, not gas leak, caused explosion in Fenwick", "A bomb caused the explosion, police said."),
    ),
    "retracted, Russian": (
        ("Утечка кислоты вызвала гибель рыбы в Оби", "Утечка кислоты вызвала гибель рыбы в Оби."),
        ("Отозвано: утечка кислоты вызвала гибель рыбы в Оби", "Редакция приносит извинения."),
    ),
}

STANDING = {
    "the death of another person, Russian": (
        ("Умер актёр Пётр Холодов", "Актёр Пётр Холодов умер. Из-за его смерти отменили фестиваль кино в Вельске."),
        ("Актёр Роман Лужин жив, сообщил его агент", "Об этом агент сообщил в четверг."),
    ),
    "arson ruled out": (
        ("Fire wrecks Hallam mill", "A fire wrecked the Hallam mill. The fire led to the closure of Mill Street."),
        ("Police rule out arson in Hallam mill fire", "Police ruled out arson in the Hallam mill fire."),
    ),
    "the denial of one's own deed": (
        (
            "Nurse poisoned patients at Wexley clinic, prosecutors say",
            "Nurse Alda Orm poisoned three patients. The poisonings led to an inquiry.",
        ),
        ("Nurse Alda Orm denies poisoning patients", "Alda Orm pleaded not guilty to poisoning patients in Wexley."),
    ),
    "the denial of one's own deed, Russian": (
        (
            "Фермер Жилин отравил колодец в Ручьях",
            "Фермер Жилин отравил колодец в Ручьях. Отравление привело к госпитализации семи человек.",
        ),
        ("Жилин отрицает, что отравил колодец", "Жилин отрицает, что отравил колодец в Ручьях."),
    ),
    "a plea": (
        (
            "Arson caused fire at Pell mosque, police say",
            "The fire at the mosque in Pell was caused by arson, police said."
            " Because of the fire, the school next door was closed.",
        ),
        ("Suspect denies arson at Pell mosque", "A man pleaded not guilty to arson at the mosque in Pell."),
    ),
    "nobody hurt": (
        ("Ferry sinks off Pell after collision", "A collision caused the sinking of the ferry off Pell."),
        ("No survivors after ferry sinks off Pell", "The ferry sank off Pell and nobody survived."),
    ),
}


def graph_of(reports):
    rows = (
        {
            "id": f"a{at}",
            "title": title,
            "text": text,
            "published": f"2026-03-0{at + 2}T08:00:00Z",
            "source": f"S{at}",
        }
        for at, (title, text) in enumerate(reports)
    )
    graph = build([read_row(row)[0] for row in rows]).graph
    mentions = [(event, mention) for event in graph.events for mention in event.mentions]
    return graph, {one.article: event.id for event, one in mentions if one.kind is MentionKind.HEADLINE}


def refutations(graph):
    return [(link.source, link.target) for link in graph.links if link.kind is LinkKind.REFUTES]


@pytest.mark.parametrize("reports", DENIED_EVENTS.values(), ids=DENIED_EVENTS)
def test_a_denial_is_an_event_that_refutes_and_closes_what_it_denies(reports):
    graph, event_of = graph_of(reports)
    assert refutations(graph) == [(event_of["a0"], event_of["a1"])]
    causes = [link for link in graph.links if link.kind is LinkKind.CAUSES]
    assert causes
    assert {link.closed_by for link in causes} == {event_of["a1"]}


@pytest.mark.parametrize("reports", DENIED_CAUSES.values(), ids=DENIED_CAUSES)
def test_a_denied_cause_is_closed_and_what_it_led_to_stands(reports):
    graph, event_of = graph_of(reports)
    assert refutations(graph) == [(event_of["a0"], event_of["a1"])]
    causes = [link for link in graph.links if link.kind is LinkKind.CAUSES]
    denied = [link for link in causes if link.target == event_of["a0"] and "a0" in graph.event(link.source).articles]
    assert denied
    assert all(link.closed_by == event_of["a1"] and link.denied_by for link in denied)
    assert all(link.closed_by is None for link in causes if link not in denied)


@pytest.mark.parametrize("reports", STANDING.values(), ids=STANDING)
def test_what_denies_something_else_closes_nothing(reports):
    graph, _ = graph_of(reports)
    assert any(link.kind is LinkKind.CAUSES for link in graph.links)
    assert all(link.closed_by is None for link in graph.links)


CORRECTED = {
    "in fact": (
        ("Storm caused collapse of Lister pier", "A storm caused the collapse of Lister pier."),
        (
            "About Lister pier",
            "We reported that a storm caused the collapse of Lister pier. In fact, a barge was to blame.",
        ),
    ),
    "in fact, Russian": (
        ("Короткое замыкание вызвало пожар в клубе «Омега»", "Короткое замыкание вызвало пожар в клубе «Омега»."),
        (
            "О пожаре в клубе «Омега»",
            "Мы писали, что короткое замыкание вызвало пожар в клубе «Омега». На самом деле причиной был поджог.",
        ),
    ),
    "a misstated cause": (
        ("Ice caused derailment at Holm", "A train derailed at Holm. Ice on the rails caused the derailment."),
        (
            "Corrections",
            "An article on Monday misstated the cause of the derailment at Holm."
            " It was caused by a broken rail, not by ice.",
        ),
    ),
}


@pytest.mark.parametrize("reports", CORRECTED.values(), ids=CORRECTED)
def test_what_a_text_puts_right_denies_the_old_cause(reports):
    graph, _ = graph_of(reports)
    old = [
        link
        for link in graph.links
        if link.kind is LinkKind.CAUSES
        and all("a0" in graph.event(end).articles for end in (link.source, link.target))
    ]
    assert old
    assert all(link.denied_by for link in old)
