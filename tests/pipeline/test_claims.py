"""From what a sentence says to the claims of a graph: what is denied, and what follows from what is imagined."""

import pytest

from whywire import Article, ClaimKind, Language, LinkKind, build
from whywire.answers.sourced_claims import claims_of_graph
from whywire.elements import ClaimEvidence
from whywire.news.language import detect_language

DENIED = "The outage was not caused by the storm, the grid operator said."
IMAGINED = "Had the alarm been working, the night crew would have left in time."


RETRACTED = [
    ("Storm caused fire at Marrow Point refinery", "A storm caused the fire at the refinery, its owner said."),
    ("RETRACTED: Storm caused fire at Marrow Point refinery", "The Harbour Post was wrong on Monday."),
    ("Correction: Marrow Point fire", "An article on Monday said that a storm caused the fire at the refinery."),
]
NOT_HAPPENED = [
    "The vaccine prevented 2,000 deaths in Norland, the ministry said.",
    "The fire nearly caused an outage.",
    "Sign up for our newsletter to learn why the fire caused an outage.",
    "Новая дамба предотвратила затопление Каменки.",
    "Пожар едва не привёл к блэкауту.",
]


def claims_of(text):
    article = Article("a", "Power returns to Calder Bay", text, Language.ENGLISH)
    return [claim for claim in build([article]).graph.claims if claim.field == "text"]


def test_a_denied_cause_is_a_claim_of_the_other_sign():
    (claim,) = claims_of(f"It rained. {DENIED}")
    assert claim.kind is ClaimKind.DENIAL
    assert claim.quote == DENIED
    assert "storm" in f"It rained. {DENIED}"[slice(*claim.cause)]


def test_a_counterfactual_implies_a_claim_marked_as_derived():
    pytest.importorskip("spacy")
    imagined, derived = sorted(claims_of(IMAGINED), key=lambda claim: claim.kind is ClaimKind.CAUSAL)
    assert imagined.kind is ClaimKind.COUNTERFACTUAL
    assert imagined.derived is None
    assert (derived.kind, derived.cause, derived.effect) == (
        ClaimKind.CAUSAL,
        imagined.antecedent,
        imagined.consequent,
    )
    assert derived.derived == "Since the alarm was not working, the night crew did not leave in time."


def test_what_is_taken_back_is_denied_and_supports_no_link():
    reports = [Article(str(at), title, text, Language.ENGLISH) for at, (title, text) in enumerate(RETRACTED)]
    graph = build(reports).graph
    articles = {claim.id: claim.article for claim in graph.claims}
    (link,) = [link for link in graph.links if link.kind is LinkKind.CAUSES]
    assert "storm" in graph.event(link.source).title.lower()
    assert {articles[one.claim] for one in link.evidence if isinstance(one, ClaimEvidence)} == {"0"}
    assert {articles[one.claim] for one in link.denied_by} == {"1", "2"}


@pytest.mark.parametrize("text", NOT_HAPPENED)
def test_what_did_not_happen_is_linked_to_nothing(text):
    article = Article("a", "Norland in the news", text, detect_language(text))
    assert build([article]).graph.links == ()


@pytest.mark.parametrize("text", NOT_HAPPENED[:2])
def test_what_did_not_happen_answers_no_question(text):
    article = Article("a", "Norland in the news", text, detect_language(text))
    graph = build([article]).graph
    assert graph.claims
    assert claims_of_graph(graph) == []


def test_the_clause_before_a_connective_is_the_cause_of_the_link():
    text = "Банк ограничил выдачу наличных, вследствие чего у касс выстроились очереди."
    graph = build([Article("a", "Банк ограничил выдачу наличных", text, Language.RUSSIAN)]).graph
    link = max(graph.links, key=lambda link: link.probability)
    assert graph.event(link.source).title == "Банк ограничил выдачу наличных"
    assert "у касс выстроились очереди" in graph.event(link.target).title
    assert [type(piece) for piece in link.evidence] == [ClaimEvidence]


@pytest.mark.parametrize(
    ("title", "text", "effect"),
    [
        ("Court bans union in Tarn", "A court in Tarn banned a union. That ruling triggered riots.", "riots"),
        ("Storm in Pellan", "A storm struck Pellan on Monday. That storm led to floods in the old town.", "floods"),
        ("Удар по Зорино", "Дрон ударил по подстанции в Зорино. Этот удар вызвал перебои с током.", "перебои"),
    ],
)
def test_a_demonstrative_is_linked_as_the_event_just_told(title, text, effect):
    graph = build([Article("a", title, text, detect_language(text))]).graph
    (link,) = graph.links
    assert effect in graph.event(link.target).title
    assert {"headline", "statement"} & {mention.kind for mention in graph.event(link.source).mentions}


@pytest.mark.parametrize(
    ("title", "text", "phrase", "cause", "effect"),
    [
        (
            "Fog closes Melin airport",
            "Thick fog closed Melin airport on Monday. As a result, six flights were diverted.",
            "As a result",
            "airport",
            "diverted",
        ),
        (
            "Bridge in Orlo collapses",
            "A bridge in Orlo collapsed on Monday. Because of this, the motorway was closed.",
            "this",
            "collapses",
            "motorway",
        ),
        (
            "В Лузе прорвало дамбу",
            "В Лузе прорвало дамбу в понедельник. Это привело к эвакуации 300 человек.",
            "Это",
            "дамбу",
            "эвакуации",
        ),
    ],
)
def test_what_stands_for_the_sentence_before_joins_that_and_is_no_event(title, text, phrase, cause, effect):
    graph = build([Article("a", title, text, detect_language(text))]).graph
    titles = {event.id: event.title for event in graph.events}
    assert not any(name.startswith(phrase) for name in titles.values())
    assert any(cause in titles[link.source] and effect in titles[link.target] for link in graph.links)
