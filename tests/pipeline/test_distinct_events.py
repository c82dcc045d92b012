"""Happenings that share their words are events of their own in a build, with their own causes and denials."""

import pytest

from whywire import LinkKind, build
from whywire.elements import ClaimEvidence, MentionKind
from whywire.news import read_row

pytestmark = pytest.mark.model


def rows(*told: tuple[str, str, str]) -> list[dict[str, str]]:
    return [
        {"id": f"a{number}", "title": title, "text": text, "published": time, "source": f"Outlet {number}"}
        for number, (time, title, text) in enumerate(told)
    ]


TWO_HAPPENINGS = {
    "days": rows(
        ("2026-03-02T09:00:00Z", "Orlen shells Tarvik", "Orlen shelled Tarvik on Monday. Four people died."),
        ("2026-03-04T09:00:00Z", "Orlen shells Tarvik", "Orlen shelled Tarvik on Wednesday. Nine people died."),
    ),
    "days, Russian": rows(
        ("2026-03-02T09:00:00Z", "Орлен обстрелял Тарвик", "Орлен обстрелял Тарвик в понедельник. Погибли четверо."),
        ("2026-03-04T09:00:00Z", "Орлен обстрелял Тарвик", "Орлен обстрелял Тарвик в среду. Погибли девять человек."),
    ),
    "directions": rows(
        (
            "2026-03-02T09:00:00Z",
            "Tarvik raises fuel tax to 9%",
            "Tarvik raised the fuel tax to 9%. Hauliers struck.",
        ),
        ("2026-03-04T09:00:00Z", "Tarvik cuts fuel tax to 7%", "Tarvik cut the fuel tax to 7%. Drivers cheered."),
    ),
    "directions, Russian": rows(
        ("2026-03-02T09:00:00Z", "Цены на хлеб в Тарвике выросли", "Хлеб подорожал на 9 процентов."),
        ("2026-03-04T09:00:00Z", "Цены на хлеб в Тарвике упали", "Хлеб подешевел на 7 процентов."),
    ),
    "places": rows(
        (
            "2026-03-02T09:00:00Z",
            "Tram derails in Lyon, six hurt",
            "Six people were hurt when a tram derailed in Lyon.",
        ),
        (
            "2026-03-03T09:00:00Z",
            "Tram derails in Lille, six hurt",
            "Six people were hurt when a tram derailed in Lille.",
        ),
    ),
    "places in the text": rows(
        ("2026-03-02T09:00:00Z", "Tram derails, six hurt", "Six people were hurt when a tram derailed in Boston."),
        ("2026-03-03T09:00:00Z", "Tram derails, six hurt", "Six people were hurt when a tram derailed in Denver."),
    ),
    "places, Russian": rows(
        (
            "2026-03-02T09:00:00Z",
            "В Казани сошёл с рельсов трамвай",
            "Трамвай сошёл с рельсов в Казани, ранены шестеро.",
        ),
        (
            "2026-03-03T09:00:00Z",
            "В Самаре сошёл с рельсов трамвай",
            "Трамвай сошёл с рельсов в Самаре, ранены шестеро.",
        ),
    ),
    "again": rows(
        ("2026-03-02T09:00:00Z", "Orlen shells Tarvik", ""),
        ("2026-03-04T09:00:00Z", "Orlen shells Tarvik again", ""),
    ),
    "again, Russian": rows(
        ("2026-03-02T09:00:00Z", "Орлен обстрелял Тарвик", ""),
        ("2026-03-04T09:00:00Z", "Орлен вновь обстрелял Тарвик", ""),
    ),
}

DENIED = {
    "a death": rows(
        (
            "2026-03-02T08:00:00Z",
            "Mayor of Tarvik dies in hospital",
            "The mayor of Tarvik died on Monday. His death led to a fall of the port's shares.",
        ),
        ("2026-03-02T15:00:00Z", "Mayor of Tarvik is alive, report of his death was false", "The mayor is alive."),
    ),
    "a death, Russian": rows(
        ("2026-03-02T08:00:00Z", "Мэр Тарвика скончался", "Мэр Тарвика умер в больнице."),
        ("2026-03-02T15:00:00Z", "Сообщения о смерти мэра Тарвика оказались ложью", "Мэр жив, заявили в мэрии."),
    ),
}

ONE_HAPPENING = {
    "a toll rises": rows(
        ("2026-03-02T09:00:00Z", "Quake kills four in Tarvik", "A quake killed four people in Tarvik on Monday."),
        (
            "2026-03-03T09:00:00Z",
            "Tarvik quake death toll rises to nine",
            "The toll of the quake that struck Tarvik on Monday rose to nine.",
        ),
    ),
    "told a day later": rows(
        ("2026-03-02T18:00:00Z", "Blast at Tarvik market", "A blast shook the market of Tarvik on Monday."),
        ("2026-03-03T09:00:00Z", "Blast at Tarvik market", "Monday's blast at the market of Tarvik broke windows."),
    ),
    "a country and its city, Russian": rows(
        ("2026-03-02T09:00:00Z", "В Белгороде сгорел склад", "Склад сгорел в Белгороде."),
        ("2026-03-02T11:00:00Z", "В Белгородской области сгорел склад", "Склад сгорел в Белгородской области."),
    ),
}


def headline_events(news):
    """The graph of some rows, and the event of each headline by the id of its article."""
    graph = build([read_row(row)[0] for row in news]).graph
    mentions = [(event, mention) for event in graph.events for mention in event.mentions]
    return graph, {one.article: event for event, one in mentions if one.kind is MentionKind.HEADLINE}


@pytest.mark.parametrize("news", TWO_HAPPENINGS.values(), ids=TWO_HAPPENINGS)
def test_what_happened_twice_is_two_events_and_no_mention_is_under_the_other(news):
    graph, of = headline_events(news)
    assert of["a0"].id != of["a1"].id
    for event in graph.events:
        assert len({mention.article for mention in event.mentions}) == 1, event.title


@pytest.mark.parametrize("news", DENIED.values(), ids=DENIED)
def test_a_denial_is_an_event_that_refutes_and_closes_what_hung_on_the_denied(news):
    graph, of = headline_events(news)
    links = [link for link in graph.links if of["a0"].id in (link.source, link.target)]
    assert [link.target for link in links if link.kind is LinkKind.REFUTES] == [of["a1"].id]
    for link in links:
        if link.kind is LinkKind.CAUSES and of["a1"].id not in (link.source, link.target):
            assert link.closed_by == of["a1"].id


@pytest.mark.parametrize("news", ONE_HAPPENING.values(), ids=ONE_HAPPENING)
def test_what_is_told_of_one_happening_stays_together(news):
    _, of = headline_events(news)
    assert of["a0"].id == of["a1"].id


@pytest.mark.parametrize(
    ("title", "text", "cause"),
    [
        (
            "Fuel runs short in the north after refinery fire",
            "Fuel ran short in the north because a fire had closed the Marrow Point refinery.",
            "fire",
        ),
        (
            "Schools in Tarvik close because of storm",
            "Schools in Tarvik closed because a storm had torn off their roofs.",
            "storm",
        ),
        (
            "Школы Тарвика закрыли из-за шторма",
            "Школы Тарвика закрыли, потому что шторм сорвал с них крыши.",
            "шторм",
        ),
    ],
)
def test_a_headline_is_of_the_effect_in_it_and_not_of_the_cause(title, text, cause):
    graph, of = headline_events(rows(("2026-03-02T09:00:00Z", title, text)))
    inside = [
        event
        for event in graph.events
        if any(one.kind is MentionKind.STATEMENT and one.field == "title" for one in event.mentions)
    ]
    assert inside
    assert of["a0"] not in inside
    assert all(cause in event.title.lower() for event in inside)


TAKEN_BACK = {
    "a retraction": rows(
        (
            "2026-03-02T09:00:00Z",
            "Storm caused blackout at Tarvik hospital",
            "A storm caused the blackout at the hospital, nurses said.",
        ),
        (
            "2026-03-03T09:00:00Z",
            "RETRACTED: Storm caused blackout at Tarvik hospital",
            "This article has been withdrawn because there was no storm.",
        ),
    ),
    "a correction": rows(
        (
            "2026-03-02T09:00:00Z",
            "Storm caused blackout at Tarvik hospital",
            "A storm caused the blackout at the hospital, nurses said.",
        ),
        (
            "2026-03-03T09:00:00Z",
            "Correction: Tarvik hospital blackout",
            "A report on Monday said that a storm caused the blackout at Tarvik hospital. Nobody knows what did.",
        ),
    ),
    "a Russian retraction": rows(
        (
            "2026-03-02T09:00:00Z",
            "Шторм вызвал аварию на подстанции Тарвика",
            "Сильный шторм вызвал аварию на подстанции, сообщили энергетики.",
        ),
        (
            "2026-03-03T09:00:00Z",
            "Опровержение: Шторм вызвал аварию на подстанции Тарвика",
            "Редакция отзывает это сообщение.",
        ),
    ),
}


def told_by(piece, claims):
    """The article that tells of a link."""
    return claims[piece.claim] if isinstance(piece, ClaimEvidence) else piece.cause.article


@pytest.mark.parametrize("told", TAKEN_BACK.values(), ids=TAKEN_BACK)
def test_what_is_taken_back_supports_nothing_denies_what_it_repeats_and_names_no_event(told):
    graph = build([read_row(row)[0] for row in told]).graph
    claims = {claim.id: claim.article for claim in graph.claims}
    links = [link for link in graph.links if link.kind is LinkKind.CAUSES]
    assert {told_by(one, claims) for link in links for one in link.evidence} == {"a0"}
    assert any(claims[one.claim] == "a1" for link in links for one in link.denied_by)
    ends = [graph.event(end) for link in links if link.denied_by for end in (link.source, link.target)]
    assert {event.mentions[event.named_by].article for event in ends} == {"a0"}


@pytest.mark.parametrize(
    "title", ["RETRACTED", "Withdrawn - ", "Correction: !!!", "Опровержение: 5", "RETRACTED: Storm, rain"]
)
def test_any_title_with_a_mark_can_be_read(title):
    graph = build([read_row({"title": title, "text": "A fire caused the blackout, a nurse said."})[0]]).graph
    assert any(mention.kind is MentionKind.HEADLINE for event in graph.events for mention in event.mentions)
