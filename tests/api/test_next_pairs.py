"""What to label next: unrelated headlines that look causal alone, or that fit a prediction."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fake_models import FakeLanguageModels

from whywire.annotation.priorities import Reason
from whywire.api.news_input import to_article
from whywire.api.next_pairs import candidate_of, candidates_among, next_pairs
from whywire.api.predicted_pairs import effects_of
from whywire.errors import InputError
from whywire.language_models import LanguageModels

SCHOOLS = {"text": "Schools closed across Eskdown after power cut", "probability": 0.6}
NEWS = [
    {"title": "Storm cuts power in Calder Bay", "published": "2026-03-04T08:00:00Z", "effects": [SCHOOLS]},
    {"title": "Power cut closes schools in Port Anselm", "published": "2026-03-05T08:00:00Z"},
    {"title": "Schools in Lower Tamsin closed over broken boilers", "published": "2026-03-05T09:00:00Z"},
    {"title": "Schools in Holt Quay closed for the regatta", "published": "2026-03-03T08:00:00Z"},
    {"title": "Schools in Verrin closed over frost", "published": "2026-03-12T08:00:00Z"},
    {"title": "Choir of Marden wins prize for old songs", "published": "2026-03-05T10:00:00Z"},
]
MODELS = FakeLanguageModels()


def predicted(rows, models=MODELS):
    """The pairs that fit a prediction, and how well."""
    found = candidates_among([to_article(row) for row in rows], [effects_of(row) for row in rows], models=models)
    return {frozenset((one.left.title, one.right.title)): one.predicted for one in found if one.predicted is not None}


def ranked(pairs, reasons):
    return [(one.item.id, one.item.priority) for one in next_pairs(pairs, reasons, models=MODELS)]


@given(st.permutations(NEWS))
@settings(max_examples=20, deadline=None)
def test_the_order_of_articles_does_not_matter_to_predictions(rows):
    assert predicted(rows) == pytest.approx(predicted(NEWS))


@given(
    st.permutations(range(1, len(NEWS))),
    st.lists(st.booleans(), min_size=len(NEWS), max_size=len(NEWS)),
    st.lists(st.sampled_from([None, 0.0, 0.3, 0.9]), min_size=len(NEWS), max_size=len(NEWS)),
)
@settings(max_examples=20, deadline=None)
def test_neither_the_order_of_pairs_nor_that_of_their_sides_matters_to_the_prior(order, turned, priors):
    def pair(number, turn):
        sides = (NEWS[0]["title"], NEWS[number]["title"])
        left, right = sides[::-1] if turn else sides
        return candidate_of({"left_title": left, "right_title": right, "prior": priors[number]})

    straight = [pair(number, False) for number in range(1, len(NEWS))]
    mixed = [pair(number, turned[number]) for number in order]
    assert ranked(mixed, [Reason.PRIOR]) == ranked(straight, [Reason.PRIOR])


@pytest.mark.model
def test_headlines_of_the_four_days_after_fit_a_prediction_if_they_are_of_its_kind():
    found = predicted(NEWS, LanguageModels())
    storm = NEWS[0]["title"]
    assert set(found) == {frozenset((storm, NEWS[1]["title"])), frozenset((storm, NEWS[2]["title"]))}
    assert 0 < found[frozenset((storm, NEWS[2]["title"]))] < found[frozenset((storm, NEWS[1]["title"]))] <= 0.6


@pytest.mark.parametrize("effects", ["rain", ["rain"], [{"text": "Rain"}], [{"text": None, "probability": 1}]])
def test_effects_are_texts_with_probabilities(effects):
    with pytest.raises(InputError, match="a text and a probability"):
        effects_of({"effects": effects})


@pytest.mark.parametrize("prior", ["high", 1.2, [0.3]])
def test_a_prior_is_a_probability(prior):
    with pytest.raises(InputError, match="from 0 to 1"):
        candidate_of({"left_title": "Storm", "right_title": "Rain", "prior": prior})
