"""Links run forward in time, or say that the times do not tell."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from whywire.elements import Event, EventTime, LinkKind, Precision
from whywire.events.denials import is_denial
from whywire.links.candidates import headlines_to_ask, may_be_related
from whywire.links.shown import RelationScore, has_cause_of_its_own, relation_scores, shows_contradiction
from whywire.news import Article, Language, Published
from whywire.news.stems import shared_rare_stems
from whywire.pairs.relations import Relation, column

DAY = datetime(2026, 3, 4, tzinfo=UTC)


def seen(*times):
    return [Event(str(n), f"Event {n}", Language.ENGLISH, time, time, (str(n),)) for n, time in enumerate(times)]


def at(hour, *, day_only=False):
    return Published(DAY + timedelta(hours=hour), day_only)


def test_a_score_never_runs_from_the_later_event_to_the_earlier():
    row = np.zeros(7)
    row[column(Relation.RIGHT_LEFT_CAUSE)] = 0.9
    found = relation_scores({(0, 1): [(10, 11)]}, {(10, 11): row}, seen(at(8), at(9)))
    assert {(score.source, score.target) for score in found} == {(0, 1)}
    found = relation_scores({(0, 1): [(10, 11)]}, {(10, 11): row}, seen(at(9), at(8)))
    strongest = max(found, key=lambda score: score.probability)
    assert (strongest.source, strongest.target, strongest.kind) == (1, 0, LinkKind.CAUSES)
    assert strongest.pairs == ((11, 10, 0.9),)


def test_the_clock_says_which_report_refutes_the_other():
    row = np.zeros(7)
    row[[column(Relation.LEFT_RIGHT_REFUTE), column(Relation.RIGHT_LEFT_REFUTE)]] = 0.4, 0.5
    found = relation_scores({(0, 1): [(10, 11)]}, {(10, 11): row}, seen(at(8), at(9)))
    assert [(item.source, item.target) for item in found if item.kind is LinkKind.REFUTES] == [(0, 1)]
    assert next(item.probability for item in found if item.kind is LinkKind.REFUTES) == pytest.approx(0.9)
    unsure = relation_scores({(0, 1): [(10, 11)]}, {(10, 11): row}, seen(None, at(9)))
    probabilities = {item.source: item.probability for item in unsure if item.kind is LinkKind.REFUTES}
    assert probabilities == {0: pytest.approx(0.4), 1: pytest.approx(0.5)}


def test_what_happened_first_is_first_but_refuted_is_what_was_reported_first():
    row = np.zeros(7)
    row[[column(Relation.LEFT_RIGHT_CAUSE), column(Relation.LEFT_RIGHT_REFUTE)]] = 0.6, 0.3
    days = [
        EventTime(
            DAY.date() + n * timedelta(1),
            DAY.date() + (n + 1) * timedelta(1),
            Precision.DAY,
            str(n),
            "title",
            (0, 5),
            "Event",
        )
        for n in (1, 0)
    ]
    events = [replace(event, when=when) for event, when in zip(seen(at(8), at(9)), days, strict=True)]
    found = {
        (item.source, item.target, item.kind)
        for item in relation_scores({(0, 1): [(10, 11)]}, {(10, 11): row}, events)
    }
    assert found == {(1, 0, LinkKind.CAUSES), (0, 1, LinkKind.REFUTES)}


def test_the_middles_and_the_nearest_headlines_are_asked():
    vectors = np.array([[1, 0], [0.8, 0.6], [0.6, 0.8], [0, 1]], np.float32)
    assert headlines_to_ask(([0, 1], [2, 3]), (0, 3), vectors) == [(0, 3), (1, 2)]
    assert headlines_to_ask(([1], [2]), (1, 2), vectors) == [(1, 2)]


def test_headlines_with_nothing_in_common_are_not_asked():
    titles = "Ellery pilots appeal after the ruling", "Judge rules against the Ellery harbour pilots"
    assert shared_rare_stems(*titles, Language.ENGLISH) == 2
    assert may_be_related(2, 0.01)
    assert may_be_related(1, 0.1)
    assert not may_be_related(0, 0.1)
    assert may_be_related(0, 0.3)


def test_denials_in_both_languages():
    assert is_denial("Company denies leak at plant")
    assert is_denial("Мэрия опровергла слухи об эвакуации")
    assert not is_denial("Toll in refinery fire rises to nine")
    assert not is_denial("Число погибших выросло до девяти")
    assert not is_denial("Judge dismisses appeal of harbour pilots")


def test_a_refutation_needs_a_contradiction_that_can_be_seen():
    titles = [
        "Four dead in Ellery refinery fire",
        "Ellery refinery fire: toll rises to 9",
        "Ellery mourns after fire",
    ]

    def score(target: int, probability: float) -> RelationScore:
        return RelationScore(0, 1, LinkKind.REFUTES, probability, ((0, target, probability),))

    articles = [Article(str(number), title) for number, title in enumerate(titles)]
    assert not shows_contradiction(score(2, 0.9), articles)
    assert shows_contradiction(score(1, 0.5), articles)
    assert shows_contradiction(RelationScore(0, 1, LinkKind.REFUTES, 0.6, ((0, 2, 0.6), (0, 1, 0.6))), articles)


@pytest.mark.parametrize(
    ("other", "headline", "cause", "own"),
    [
        (
            "Power failure in Glenhollow",
            "Surgeries postponed in Port Esker after power failure",
            "power failure",
            True,
        ),
        ("Power failure in Glenhollow", "Power failure closes shops in Esker", "Power failure", True),
        ("Gas explosion in Lyon", "Trains halted in Hamburg after gas explosion", "gas explosion", True),
        ("Авария на подстанции в Лузе", "В Кольцове отменили операции из-за аварии", "аварии", True),
        # one town, a named cause, none, what is felt afar
        (
            "Power failure in Port Esker",
            "Surgeries postponed in Port Esker after power failure",
            "power failure",
            False,
        ),
        (
            "Dam bursts in Glenhollow",
            "Homes flooded in Esker after Glenhollow dam burst",
            "Glenhollow dam burst",
            False,
        ),
        ("Dam bursts in Glenhollow", "Homes flooded in Esker after burst of dam Glen", "burst of dam Glen", False),
        ("Power failure in Glenhollow", "Surgeries postponed in Port Esker", "", False),
        ("Power failure", "Surgeries postponed in Port Esker after power failure", "power failure", False),
        ("Quake in Valparaiso", "Tsunami warning in Hilo after quake", "quake", False),
    ],
)
def test_a_headline_with_a_cause_of_its_own_town_shows_none_in_another(other, headline, cause, own):
    effect, report = (Article(title, title) for title in (headline, other))
    assert has_cause_of_its_own(effect, [cause] if cause else [], report) is own
