"""What the past of a graph foretells, and what it must not."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from whywire import (
    Article,
    CausalGraph,
    Claim,
    ClaimKind,
    Event,
    InputError,
    Language,
    Link,
    LinkKind,
    Order,
    PairModel,
    Published,
)
from whywire.answers.analogue_prediction import AnaloguePredictor, Predictor
from whywire.answers.analogues import Analogue, LinkOrigin, analogues_of_graph
from whywire.answers.predictions import MIN_WRITTEN_PROBABILITY, rank_candidates
from whywire.answers.search import MAX_PROBABILITY
from whywire.answers.sourced_claims import SourcedClaim
from whywire.events.opposites import are_opposite
from whywire.graph.build_folder import read_graph
from whywire.pipeline import build


@pytest.fixture(scope="module")
def model() -> PairModel:
    return PairModel.from_pretrained()


def day(number):
    return Published(datetime(2026, 3, number, tzinfo=UTC), day_only=True)


def headline(title, *, published=None, article="new", language=Language.ENGLISH):
    return Article(article, title, language=language, published=published)


def linked(source, target, *, number=0, probability=0.9, known=None, language=Language.ENGLISH):
    titles = {f"e{number}-s": source, f"e{number}-t": target}
    start, end = (Event(name, title, language, known, known, ("n",)) for name, title in titles.items())
    link = Link(start.id, end.id, LinkKind.CAUSES, probability, 70.0, Order.UNKNOWN, ())
    return Analogue(source, target, probability, language, known, LinkOrigin(link, start, end))


def claimed(cause, effect, *, number=0, outlet=None, event=None, probability=0.9):
    quote = f"{effect} because of {cause}."
    claim = Claim(
        id=f"c{number}",
        kind=ClaimKind.CAUSAL,
        article=f"n{number}",
        event=event or f"e{number}",
        field="text",
        sentence=(0, len(quote)),
        quote=quote,
        probability=probability,
        cause=(len(quote) - 1 - len(cause), len(quote) - 1),
        effect=(0, len(effect)),
    )
    article = Article(f"n{number}", f"Report {number}", language=Language.ENGLISH, source=outlet)
    return Analogue(cause, effect, probability, Language.ENGLISH, None, SourcedClaim(claim, article))


def predict(headlines, analogues, model, **settings):
    """The predictions for each headline."""
    predictor = AnaloguePredictor(analogues, model)
    return [predictor.predict(headline, **settings) for headline in headlines]


QUAKE = "Strong earthquake shakes northern Peru"
EVACUATION = linked("Powerful earthquake shakes southern Peru", "Thousands flee homes after earthquake in Peru")
OTHERS = [
    linked("Pilots of Norvia walk out over pay", "Norvia cancels three hundred flights", number=7),
    linked("Owl moves into the museum", "Museum counts twice as many visitors", number=8),
    claimed("the late frost in April", "cherries are dear this summer", number=9),
]


def test_what_followed_a_like_event_may_follow_and_names_its_analogue(model):
    ((first, *_),) = predict([headline(QUAKE)], [*OTHERS, EVACUATION], model)
    assert first.text == EVACUATION.effect
    (match,) = first.because
    assert match.analogue is EVACUATION
    assert first.probability == min(MAX_PROBABILITY, match.probability)
    assert first.fits == match.fits
    assert 0 < match.similarity < 1


@pytest.mark.parametrize("title", ["Poet laureate reads at the opera", "Chess champion defends her title"])
def test_without_a_analogue_nothing_is_predicted(model, title):
    assert predict([headline(title)], [*OTHERS, EVACUATION], model) == [[]]
    assert predict([headline(title)], [], model) == [[]]


def test_nothing_to_predict_from_gives_nothing(model):
    assert predict([], OTHERS, model) == []


def test_headlines_are_answered_in_their_order_and_alone_as_in_company(model):
    titles = ["Pilots of Norvia strike over wages", "Poet laureate reads at the opera", QUAKE]
    past = [EVACUATION, *OTHERS]
    together = predict([headline(title) for title in titles], past, model)
    assert together == [predict([headline(title)], past, model)[0] for title in titles]
    assert [bool(effects) for effects in together] == [True, False, True]


def test_like_effects_are_one_prediction_and_more_analogues_make_it_surer(model):
    again = linked("Earthquake hits the coast of Peru", "Thousands leave homes after Peru earthquake", number=1)
    tremor = headline("Tremor felt across Chile")
    ((alone,),) = predict([tremor], [EVACUATION], model, min_probability=0.01)
    ((both,),) = predict([tremor], [EVACUATION, again], model, min_probability=0.01)
    assert {one.analogue.origin.source.id for one in both.because} == {"e0-s", "e1-s"}
    assert alone.probability < both.probability <= MAX_PROBABILITY


def test_what_followed_the_opposite_is_no_analogue(model):
    past = [linked("Oil prices slump", "Petrol gets cheaper across the country")]
    assert predict([headline("Oil prices jump")], past, model) == [[]]
    assert predict([headline("Oil prices slide")], past, model)[0]


def test_a_cause_of_everything_predicts_nothing(model):
    past = [
        claimed("the pandemic that spread to the towns", f"the fair in town {number} was put off", number=number)
        for number in range(40)
    ]
    spread = [headline("Pandemic spreads to three more towns")]
    assert predict(spread, past[:10], model, min_probability=0.1)[0]
    assert predict(spread, past, model, min_probability=0.1) == [[]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Rents climb again", "after rents fell"),
        ("State reopens beaches", "the state closed its beaches"),
        ("Нефть подешевела", "нефть подорожала"),
        ("Рестораны закрыли", "ресторанам разрешили работать"),
    ],
)
def test_opposites_are_known_by_their_words(one, other):
    assert are_opposite(one, other)
    assert are_opposite(other, one)
    assert not are_opposite(one, one)
    assert not are_opposite(one, f"{one}, then {other}"), "what names both sides is neither"


def test_one_event_outlet_or_wording_is_one_analogue(model):
    cause, effect = "a powerful earthquake in northern Peru", "thousands of people fled their homes"
    one = claimed(cause, effect, outlet="Northwire", probability=0.95)
    repeats = [
        claimed(cause, "people fled their homes by the thousand", number=1, event="e0"),
        claimed(cause, "thousands of people had fled their homes", number=2, outlet="Northwire"),
        claimed(cause, effect, number=3),
    ]
    for repeat in repeats:
        (found,) = predict([headline(QUAKE)], [one, repeat], model, min_probability=0.01)
        alone = [predict([headline(QUAKE)], [past], model, min_probability=0.01)[0][0] for past in (one, repeat)]
        assert [len(prediction.because) for prediction in found] == [1]
        assert found[0].probability == pytest.approx(max(prediction.probability for prediction in alone))


def test_what_only_repeats_the_headline_is_no_prediction(model):
    echo = linked("Powerful earthquake shakes southern Peru", "Northern Peru shaken by strong earthquake")
    assert predict([headline(QUAKE)], [echo], model, min_probability=0.0) == [[]]


def test_a_headline_is_answered_from_what_was_known_by_then(model):
    past = [linked(EVACUATION.cause, EVACUATION.effect, known=day(10))]
    days = {number: predict([headline(QUAKE, published=day(number))], past, model)[0] for number in (9, 10, 11)}
    assert not days[9]
    assert days[10] == days[11] != []


def test_a_report_is_no_analogue_of_itself(model):
    past = [claimed("a powerful earthquake in northern Peru", "thousands of people fled their homes")]
    assert predict([headline(QUAKE)], past, model, min_probability=0.01)[0]
    assert predict([headline(QUAKE, article="n0")], past, model, min_probability=0.01) == [[]]


def test_analogues_in_another_language_are_ignored():
    claim = claimed("a powerful earthquake in northern Peru", "thousands of people fled their homes").origin.claim
    for language, known in ((Language.ENGLISH, True), (Language.RUSSIAN, False)):
        article = Article("n0", "Report 0", claim.quote, language=language)
        event = Event(claim.event, article.title, language, None, None, (article.id,))
        predictor = Predictor(CausalGraph({article.id: article}, (event,), (), (claim,)))
        assert bool(predictor.predict(headline(QUAKE), min_probability=0.01)) is known


def test_most_and_floor_keep_the_most_probable(model):
    past = [
        EVACUATION,
        linked("Earthquake shakes southern Peru", "Copper mines in Peru halt work after earthquake", number=1),
        linked("Earthquake shakes southern Peru", "Peru's president visits area hit by earthquake", number=2),
    ]
    (everything,) = predict([headline(QUAKE)], past, model, min_probability=0.01)
    probabilities = [one.probability for one in everything]
    assert len(everything) > 1
    assert probabilities == sorted(probabilities, reverse=True)
    assert predict([headline(QUAKE)], past, model, min_probability=0.01, most=1) == [everything[:1]]
    (surest,) = predict([headline(QUAKE)], past, model, min_probability=probabilities[0])
    assert [one.text for one in surest] == [one.text for one in everything if one.probability == probabilities[0]]


def test_what_others_made_up_is_ranked_and_the_unlikely_falls_out(model):
    title = "Gas leak at factory kills dozens in Ardel"
    likely = ["Ardel factory manager arrested after gas leak", "Families of gas leak victims demand compensation"]
    nonsense = ["New species of frog found on island", title, "", "Ardel factory gas leak kills dozens"]
    found = rank_candidates(title, [*nonsense, *likely, *likely], model)
    assert sorted(one.text for one in found) == likely
    assert all(one.probability == one.fits >= MIN_WRITTEN_PROBABILITY and one.because == () for one in found)
    assert rank_candidates(title, [], model) == []
    assert {one.text for one in rank_candidates(title, [*nonsense, *likely], model, min_probability=0.0)} >= {
        nonsense[0],
        *likely,
    }


@pytest.fixture(scope="module")
def built(example):
    return build([article for article in example if "Marrow Point" in article.text or "Orvane" in article.text])


def test_the_files_of_a_build_hold_the_same_past_as_its_graph(built, tmp_path):
    built.write(tmp_path, title="Test", inputs=["news.jsonl"])
    past, read = analogues_of_graph(built.graph), analogues_of_graph(read_graph(tmp_path))

    def content(analogues):
        return [(each.cause, each.effect, each.language, each.known_since, each.event) for each in analogues]

    assert content(read) == content(past)
    assert [one.probability for one in read] == pytest.approx([one.probability for one in past], abs=1e-4)
    assert {type(one.origin) for one in past} == {LinkOrigin, SourcedClaim}


def test_the_past_holds_no_denial_no_aim_and_nothing_twice(built):
    past = analogues_of_graph(built.graph)
    evidence = {item.claim for link in built.graph.links for item in link.evidence if hasattr(item, "claim")}
    claims = [one.origin.claim for one in past if isinstance(one.origin, SourcedClaim)]
    assert claims
    assert all(claim.kind is ClaimKind.CAUSAL for claim in claims)
    assert not evidence & {claim.id for claim in claims}
    assert not any(one.cause.startswith("to ") for one in past if isinstance(one.origin, SourcedClaim))
    assert not any(one.effect.lower().startswith(("it ", "they ", "который ")) for one in past)


@pytest.mark.parametrize(
    ("effect", "kept"),
    [
        ("the mill will close in June", True),
        ("US mills will close in June", True),
        ("IT firms will close two mills", True),
        ("we’re closing the mill in June", False),
        ("It's the end of the mill", False),
        ("them to close the mill", False),
        ("us to close the mill", False),
        ("его закрыли в июне", False),
        ("the mill will close", True),
        ("the mill closes", False),
    ],
)
def test_an_effect_that_only_its_sentence_explains_is_no_analogue(effect, kept):
    (one,) = (claimed("a lack of rye", effect).origin,)
    claim, article = one.claim, replace(one.article, text=one.claim.quote)
    event = Event(claim.event, article.title, Language.ENGLISH, None, None, (article.id,))
    past = analogues_of_graph(CausalGraph({article.id: article}, (event,), (), (claim,)))
    assert [analogue.effect for analogue in past] == [effect] * kept


@pytest.mark.parametrize("broken", ['{"source": "e-1"}', "[]", "{"])
def test_a_broken_row_of_a_build_is_named(built, tmp_path, broken):
    built.write(tmp_path, title="Test", inputs=["news.jsonl"])
    (tmp_path / "links.jsonl").write_text(f"\n{broken}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"links\.jsonl:2: not a row that `whywire build` writes"):
        analogues_of_graph(read_graph(tmp_path))
