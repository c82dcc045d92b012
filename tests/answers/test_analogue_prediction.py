"""What the past of a graph foretells, and what it must not."""

from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from whywire import (
    Article,
    CausalGraph,
    Event,
    InputError,
    Language,
    Link,
    LinkKind,
    Order,
    PairModel,
    Published,
)
from whywire.answers.analogue_prediction import MIN_PROBABILITY, Predictor
from whywire.answers.analogues import analogues_of_graph
from whywire.answers.predictions import MIN_WRITTEN_PROBABILITY, rank_candidates
from whywire.answers.search import MAX_PROBABILITY
from whywire.building import build
from whywire.elements import HeadlineEvidence
from whywire.events.opposites import are_opposite
from whywire.graph.build_folder import read_graph


@pytest.fixture(scope="module")
def model() -> PairModel:
    return PairModel.from_pretrained()


def day(number, month=3, year=2026):
    return Published(datetime(year, month, number, tzinfo=UTC), day_only=True)


def headline(title, *, published=day(20), language=Language.ENGLISH):  # noqa: B008  a constant
    return Article("new", title, language=language, published=published)


def told(name, *titles, probability=0.9, seen=day(5, year=2019), language=Language.ENGLISH, **changes):  # noqa: B008
    """A story in which each title led to the next, each reported by an outlet of its own.

    Args:
        changes: of the fields of the last link.
    """
    articles = {
        f"{name}{number}": Article(
            f"{name}{number}",
            title,
            language=language,
            published=seen,
            source=f"Outlet {name}{number}",
            url=f"https://news.example/{name}{number}",
        )
        for number, title in enumerate(titles)
    }
    events = [
        Event(one.id, one.title, language, seen, seen, (one.id,), story=f"{name}0") for one in articles.values()
    ]
    links = [
        Link(
            one.id,
            other.id,
            LinkKind.CAUSES,
            probability,
            70.0,
            Order.UNKNOWN,
            (HeadlineEvidence(one.id, other.id, probability),),
        )
        for one, other in pairwise(events)
    ]
    return CausalGraph(articles, tuple(events), (*links[:-1], *(replace(link, **changes) for link in links[-1:])))


def together(*stories):
    """The graph of several stories."""
    return CausalGraph(
        {name: article for story in stories for name, article in story.articles.items()},
        tuple(event for story in stories for event in story.events),
        tuple(link for story in stories for link in story.links),
    )


QUAKE = "Strong earthquake shakes northern Peru"
SOUTH, FLIGHT = "Powerful earthquake shakes southern Peru", "Thousands of villagers flee their homes"
EVACUATION = told("a", SOUTH, FLIGHT)
OTHERS = [
    told("x", "Pilots of Norvia walk out over pay", "Norvia cancels three hundred flights"),
    told("y", "Owl moves into the museum", "Museum counts twice as many visitors"),
]


def texts(predictions):
    return [one.text for one in predictions]


def test_what_followed_a_like_event_in_another_story_may_follow_and_names_its_precedent():
    (first,) = Predictor(together(*OTHERS, EVACUATION)).predict(headline(QUAKE))
    assert (first.after, first.text) == (SOUTH, FLIGHT)
    (match,) = first.because
    assert (match.analogue.story, match.analogue.story_title) == ("a0", SOUTH)
    assert [article.url for article in match.analogue.articles] == [f"https://news.example/a{end}" for end in (0, 1)]
    assert MIN_PROBABILITY <= first.probability == pytest.approx(match.probability)
    assert 0 < first.fits < 1


@pytest.mark.parametrize("title", ["Poet laureate reads at the opera", "Chess champion defends her title"])
def test_without_a_precedent_nothing_is_predicted(title):
    assert Predictor(together(*OTHERS, EVACUATION)).predict(headline(title)) == []
    assert Predictor(CausalGraph()).predict(headline(title)) == []


def test_what_is_known_of_an_event_is_no_prediction():
    graph = together(*OTHERS, EVACUATION)
    assert Predictor(graph).predict(graph.event("a0")) == []
    other = told("b", QUAKE, "Mayor of the town thanks soldiers", seen=day(20))
    both = together(EVACUATION, other)
    assert texts(Predictor(both).predict(both.event("b0"))) == [FLIGHT]
    assert Predictor(both).predict(both.event("a0")) == [], "what came later foretells nothing"


def test_the_story_of_a_headline_is_known_by_its_words_and_its_time():
    graph = told("a", SOUTH, FLIGHT, seen=day(18))
    same = "Southern Peru shaken by powerful earthquake"
    assert Predictor(graph).predict(headline(same)) == []
    assert Predictor(graph).predict(headline(same, published=None)) == [], "of two unknown times they may be one"
    assert texts(Predictor(graph).predict(headline(same, published=day(18, month=6)))) == [FLIGHT]


def test_what_followed_for_the_same_people_these_days_is_no_other_story():
    past = ("Regulator fines Grauwald over tainted yoghurt", "Shoppers leave dairy shelves untouched")
    again = headline("Prosecutor questions Grauwald over tainted cheese, regulator waits")
    assert Predictor(told("a", *past, seen=day(18))).predict(again) == []
    assert texts(Predictor(told("a", *past)).predict(again)) == [past[1]]
    other = headline("Prosecutor questions Helmstad over tainted cheese, regulator waits")
    assert texts(Predictor(told("a", *past, seen=day(18))).predict(other)) == [past[1]]


def test_what_a_headline_or_its_story_says_already_is_no_prediction():
    echo = told("a", SOUTH, "Northern coast shaken by strong earthquake")
    assert Predictor(echo).predict(headline(QUAKE), min_probability=0.0) == []
    own = told("b", QUAKE, "Villagers by their thousands flee homes", seen=day(20))
    both = together(EVACUATION, own)
    assert Predictor(both).predict(both.event("b0")) == []
    assert Predictor(both).predict(headline(QUAKE)) == []


def test_precedents_of_several_stories_make_a_prediction_surer():
    again = told("b", "Earthquake shakes islands before dawn", "Villagers flee homes in their thousands")
    lone = Predictor(EVACUATION).predict(headline(QUAKE))[0]
    (both,) = Predictor(together(EVACUATION, again)).predict(headline(QUAKE))
    assert {match.analogue.story for match in both.because} == {"a0", "b0"}
    assert lone.probability < both.probability <= MAX_PROBABILITY


def test_a_story_or_a_wording_counts_once():
    graph = told("a", "Tremor precedes the earthquake that shakes Peru", SOUTH, FLIGHT)
    first, second = graph.links
    twice = replace(graph, links=(second, replace(second, source=first.source, evidence=_shown("a0", "a2"))))
    copied = together(EVACUATION, told("b", "Earthquake shakes islands before dawn", FLIGHT))
    for past in (twice, copied):
        (found,) = Predictor(past).predict(headline(QUAKE))
        assert len(found.because) == 1
        assert found.probability == pytest.approx(found.because[0].probability)


def _shown(source, target):
    return (HeadlineEvidence(source, target, 0.9),)


def test_one_weak_precedent_shows_nothing():
    weak = [
        told("a", "Minister shakes hands after the earthquake drill in the harbour district", FLIGHT),
        told("b", "Old bridge shakes in earthquake drill that firemen held", "Villagers flee homes by the thousand"),
    ]
    quake = headline("Earthquake shakes capital of the islands, breaking windows and lamps")
    alone = [Predictor(past).predict(quake, min_probability=0.01)[0].probability for past in weak]
    (both,) = Predictor(together(*weak)).predict(quake, min_probability=0.01)
    assert max(alone) < both.probability
    between = (max(alone) + both.probability) / 2
    assert not any(Predictor(past).predict(quake, min_probability=between) for past in weak)
    assert len(Predictor(together(*weak)).predict(quake, min_probability=between)) == 1


def test_what_followed_the_opposite_is_no_precedent():
    past = told("a", "Oil prices slump overnight", "Petrol gets cheaper across the country")
    assert Predictor(past).predict(headline("Oil prices jump overnight")) == []
    assert Predictor(past).predict(headline("Oil prices slide overnight"))


def test_a_cause_of_everything_predicts_nothing():
    past = [
        told(f"t{number}-", "Pandemic spreads to the towns", f"the fair in town {number} was put off")
        for number in range(40)
    ]
    spread = headline("Pandemic spreads to three more towns")
    assert Predictor(together(*past[:10])).predict(spread)
    assert Predictor(together(*past)).predict(spread) == []


def test_a_headline_is_answered_from_what_was_known_by_then():
    past = told("a", SOUTH, FLIGHT, seen=day(10))
    found = {number: Predictor(past).predict(headline(QUAKE, published=day(number))) for number in (9, 20)}
    assert found[9] == []
    assert texts(found[20]) == [FLIGHT]


@pytest.mark.parametrize("language", [Language.RUSSIAN, Language.OTHER])
def test_precedents_in_another_language_are_ignored(language):
    assert Predictor(EVACUATION).predict(headline(QUAKE, language=language)) == []
    assert Predictor(told("a", SOUTH, FLIGHT, language=language)).predict(headline(QUAKE)) == []


def test_a_russian_headline_has_precedents():
    past = ("Сильное землетрясение разрушило посёлок в горах", "Тысячи жителей остались без крова")
    again = headline("Землетрясение разрушило школу на побережье", language=Language.RUSSIAN)
    assert texts(Predictor(told("a", *past, language=Language.RUSSIAN)).predict(again)) == [past[1]]


def test_most_and_floor_keep_the_most_probable():
    effects = [FLIGHT, "Copper mines halted their work", "Parliament voted for stricter building rules"]
    causes = [SOUTH, "Strong earthquake shakes the coast", "Earthquake shakes windows of two ministries"]
    past = together(*(told(f"s{n}-", *pair) for n, pair in enumerate(zip(causes, effects, strict=True))))
    everything = Predictor(past).predict(headline(QUAKE), min_probability=0.01)
    probabilities = [one.probability for one in everything]
    assert sorted(texts(everything)) == sorted(effects)
    assert probabilities == sorted(probabilities, reverse=True)
    assert Predictor(past).predict(headline(QUAKE), min_probability=0.01, most=1) == everything[:1]
    (surest,) = Predictor(past).predict(headline(QUAKE), min_probability=probabilities[0])
    assert surest == everything[0]


@pytest.mark.parametrize(
    ("effect", "changes"),
    [
        ("Mill closes its doors", {"probability": 0.4}),
        ("Mill closes its doors", {"closed_by": "a0"}),
        ("Mill closes its doors", {"kind": LinkKind.REFUTES}),
        ("Mill closes", {}),
        ("They closed the mill in June", {}),
        ("It's the end of the mill", {}),
        ("Его закрыли в начале июня", {}),
        ("Rye harvest fails in the north", {}),
    ],
)
def test_what_hardly_happened_or_only_its_sentence_explains_is_no_analogue(effect, changes):
    cause = "Rye harvest fails in the north"
    assert [*analogues_of_graph(told("a", cause, "US mill closes its doors"))]
    assert [*analogues_of_graph(told("a", cause, effect, **changes))] == []


def test_a_plan_is_no_effect():
    graph = told("a", "Rye harvest fails in the north", "Mill closes its doors")
    planned = replace(graph, events=(graph.events[0], replace(graph.events[1], planned=True)))
    assert [*analogues_of_graph(planned)] == []


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
    past, read = [*analogues_of_graph(built.graph)], [*analogues_of_graph(read_graph(tmp_path))]

    def content(analogues):
        return [(each.cause.id, each.effect.title, each.story, each.story_title) for each in analogues]

    assert past
    assert content(read) == content(past)


@pytest.mark.parametrize("broken", ['{"source": "e-1"}', "[]", "{"])
def test_a_broken_row_of_a_build_is_named(built, tmp_path, broken):
    built.write(tmp_path, title="Test", inputs=["news.jsonl"])
    (tmp_path / "links.jsonl").write_text(f"\n{broken}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"links\.jsonl:2: not a row that `whywire build` writes"):
        read_graph(tmp_path)
