"""One answer of several, for each kind of task; agreement; what is disputed."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.annotation.answers import GraphAnswer
from whywire.annotation.campaigns import CURATOR, Rules, Vote
from whywire.annotation.graph_votes import merge_graphs
from whywire.annotation.items import Kind, answer_to, item_of
from whywire.annotation.results import Method, agreement, disputed, results

DAY = datetime(2026, 3, 4, tzinfo=UTC)
RULES = Rules(overlap=3)
TEXT = "Fire shut the refinery and fuel ran short."
TITLE = "Storm cuts power, schools close, shops open late"


def item(kind, **fields):
    usual = {
        Kind.RELATION: {"left_title": "Fire", "right_title": "Smoke"},
        Kind.GROUPING: {"headlines": [{"id": name, "title": f"Fire {name}"} for name in "abcd"]},
        Kind.COUNTERFACTUAL: {"text": "Had the dam held, the town would be dry."},
        Kind.SPANS: {"text": TEXT},
        Kind.STRENGTH: {"cause": "Fire", "effect": "Smoke"},
        Kind.GRAPH: {"articles": [{"id": "a", "title": TITLE}]},
    }
    return item_of(kind, {"id": "i", **usual[kind], **fields})


def votes_on(one, *answers, people="pqrstuv"):
    return [
        Vote(item=one.id, person=person, answer=answer_to(one, answer), at=DAY)
        for person, answer in zip(people, answers, strict=False)
    ]


def result_of(one, *answers, rules=RULES, kind, method=Method.MAJORITY):
    [found] = results(kind, rules, {one.id: one}, votes_on(one, *answers), method)
    return found


@pytest.mark.parametrize("method", Method)
def test_relations_by_each_method(method):
    same, cause = {"relation": "same_event"}, {"relation": "left_right_cause"}
    items = {f"i{n}": item(Kind.RELATION, id=f"i{n}") for n in range(8)}
    votes = [vote for one in items.values() for vote in votes_on(one, same, same, cause)]
    found = results(Kind.RELATION, Rules(overlap=3, agreed=0.6), items, votes, method)
    assert {(one.answer.relation, one.agreed, one.answers) for one in found} == {("same_event", True, 3)}
    assert not any(one.agreed for one in results(Kind.RELATION, RULES, items, votes, method))


def test_a_tie_has_no_answer():
    found = result_of(
        item(Kind.RELATION), {"relation": "same_event"}, {"relation": "no_relationship"}, kind=Kind.RELATION
    )
    assert (found.answer, found.agreed, found.share) == (None, False, 0.5)


def test_what_is_known_teaches_the_model_who_errs():
    """Five controls show that two people take causes for other relations; their majority is not believed."""
    cause, other = {"relation": "left_right_cause"}, {"relation": "other_relationship"}
    gold = {"role": "control", "gold": cause}
    items = {f"c{n}": item(Kind.RELATION, id=f"c{n}", **gold) for n in range(12)} | {"w": item(Kind.RELATION, id="w")}
    votes = [vote for one in items.values() for vote in votes_on(one, cause, other, other)]
    by = {method: results(Kind.RELATION, RULES, items, votes, method)[0].answer.relation for method in Method}
    assert by[Method.MAJORITY] == "other_relationship"
    assert by[Method.DAWID_SKENE] == "left_right_cause"


def test_one_answer_agrees_with_nothing_unless_one_is_all_that_is_asked_for():
    one, said = item(Kind.RELATION), {"relation": "same_event"}
    assert not result_of(one, said, kind=Kind.RELATION).agreed
    assert result_of(one, said, kind=Kind.RELATION, rules=Rules(overlap=1)).agreed


def test_the_curator_decides_and_does_not_count_as_agreement():
    one = item(Kind.RELATION)
    votes = votes_on(one, {"relation": "same_event"}, {"relation": "no_relationship"})
    votes += votes_on(one, {"relation": "left_right_cause"}, people=[CURATOR])
    [found] = results(Kind.RELATION, RULES, {"i": one}, votes)
    assert (found.answer.relation, found.curated, found.agreed, found.answers) == ("left_right_cause", True, True, 2)
    assert disputed([found]) == []
    assert agreement(Kind.RELATION, {"i": one}, votes).by_person.keys() == {"p", "q"}


def test_groupings_by_the_pairs_that_most_put_together():
    together, apart = {"groups": [["a", "b"], ["c", "d"]]}, {"groups": [["a"], ["b", "c", "d"]]}
    found = result_of(item(Kind.GROUPING), together, together, apart, kind=Kind.GROUPING)
    assert found.answer.groups == [["a", "b"], ["c", "d"]]
    assert 0.7 < found.share < 1


def test_a_counterfactual_has_the_parts_that_most_come_nearest_to():
    yes = {"counterfactual": True, "antecedent": [0, 16], "consequent": [18, 39]}
    wide = {"counterfactual": True, "antecedent": [0, 17]}
    no = {"counterfactual": False}
    found = result_of(item(Kind.COUNTERFACTUAL), yes, yes, wide, no, kind=Kind.COUNTERFACTUAL)
    assert (found.answer.antecedent, found.answer.consequent, found.share) == ((0, 16), (18, 39), 0.75)
    assert result_of(item(Kind.COUNTERFACTUAL), no, no, yes, kind=Kind.COUNTERFACTUAL).answer.counterfactual is False


def test_spans_by_those_whom_most_come_nearest_to():
    one = {"cause": [0, 22], "effect": [27, 41]}
    found = result_of(
        item(Kind.SPANS),
        {"relations": [one], "splits": [23]},
        {"relations": [one, {"cause": [27, 31], "effect": [32, 41]}], "splits": [23]},
        {"relations": [{"cause": [5, 22], "effect": [27, 41]}]},
        kind=Kind.SPANS,
    )
    assert [(relation.cause, relation.effect) for relation in found.answer.relations] == [((0, 22), (27, 41))]
    assert found.answer.splits == [23]
    assert result_of(item(Kind.SPANS), {"relations": []}, {"relations": []}, kind=Kind.SPANS).agreed


def test_spread_scores_around_a_bound_are_for_an_expert():
    one = item(Kind.STRENGTH)
    found = result_of(one, {"score": 20}, {"score": 80, "without": "no"}, {"score": 52}, kind=Kind.STRENGTH)
    assert (found.answer.score, found.answer.without, found.for_expert, found.agreed) == (51, "no", True, False)
    near = result_of(one, {"score": 60}, {"score": 64}, {"score": 70}, kind=Kind.STRENGTH)
    assert (near.answer.score, near.strength_class, near.share, near.for_expert) == (65, "medium", 1.0, False)


def drawn(*events, links=(), main=()):
    """A graph of events, each a word of the title."""
    return {
        "events": [
            {
                "id": name,
                "mentions": [
                    {"article": "a", "field": "title", "span": [TITLE.index(words), TITLE.index(words) + len(words)]}
                ],
                "main": name in main,
            }
            for name, words in events
        ],
        "links": [{"cause": cause, "effect": effect} for cause, effect in links],
    }


def test_graphs_by_what_at_least_half_drew():
    one = drawn(("s", "Storm cuts power"), ("c", "schools close"), links=[("s", "c")], main="s")
    two = drawn(
        ("1", "Storm cuts power"), ("2", "schools close"), ("3", "shops open late"), links=[("1", "2"), ("1", "3")]
    )
    three = drawn(("x", "cuts power"), ("y", "schools close"), links=[("y", "x")], main="xy")
    found = result_of(item(Kind.GRAPH), one, two, three, kind=Kind.GRAPH).answer
    words = {event.id: TITLE[slice(*event.mentions[0].span)] for event in found.events}
    assert words == {"e1": "Storm cuts power", "e2": "schools close"}
    assert [(link.cause, link.effect) for link in found.links] == [("e1", "e2")]
    assert [event.main for event in found.events] == [True, False]


GRAPHS = st.lists(
    st.lists(st.sampled_from(["Storm", "power", "schools", "shops"]), unique=True, max_size=4).flatmap(
        lambda words: st.builds(
            lambda links: drawn(*((word, word) for word in words), links=links),
            st.lists(
                st.tuples(st.sampled_from(words or [""]), st.sampled_from(words or [""])).filter(
                    lambda p: p[0] < p[1]
                ),
                unique=True,
                max_size=3,
            )
            if len(words) > 1
            else st.just([]),
        )
    ),
    min_size=1,
    max_size=4,
)


@given(GRAPHS, st.randoms())
def test_a_merged_graph_can_be_an_answer_and_the_order_of_annotators_does_not_matter(graphs, luck):
    one = item(Kind.GRAPH)
    given_graphs = [answer_to(one, graph) for graph in graphs]
    merged = merge_graphs(given_graphs)
    assert list(one.faults(merged)) == []
    luck.shuffle(given_graphs)
    assert merge_graphs(given_graphs) == merged
    assert one.score(merge_graphs(given_graphs[:1] * 3), given_graphs[0]) == 1.0


def test_nothing_merges_into_nothing():
    assert merge_graphs([GraphAnswer([], []), GraphAnswer([], [])]) == GraphAnswer([], [])


def test_agreement_by_item_and_person():
    items = {name: item(Kind.RELATION, id=name) for name in "xyz"}
    same, none = {"relation": "same_event"}, {"relation": "no_relationship"}
    votes = [
        *votes_on(items["x"], same, same),
        *votes_on(items["y"], none, same),
        *votes_on(items["z"], none, none, none),
    ]
    found = agreement(Kind.RELATION, items, votes)
    assert found.by_item == {"x": 1.0, "y": 0.0, "z": 1.0}
    assert found.by_person == {"p": 0.75, "q": 0.75, "r": 1.0}
    assert 0 < found.alpha < 1
    assert [one.item for one in disputed(results(Kind.RELATION, RULES, items, votes))] == ["y"]


def test_agreement_of_groupings_leaves_one_out():
    one = item(Kind.GROUPING)
    votes = votes_on(one, {"groups": [["a", "b"], ["c"], ["d"]]}, {"groups": [["a", "b"], ["c", "d"]]})
    found = agreement(Kind.GROUPING, {"i": one}, votes)
    assert found.leave_one_out == pytest.approx({"p": 2 / 3, "q": 2 / 3})
    assert found.alpha is None


def test_nobody_agrees_with_nobody():
    one = item(Kind.STRENGTH)
    alone = agreement(Kind.STRENGTH, {"i": one}, votes_on(one, {"score": 5}))
    assert (alone.alpha, alone.pairwise, alone.by_item, alone.by_person) == (None, None, {}, {})
    [found] = results(Kind.STRENGTH, RULES, {"i": one}, [])
    assert (found.answer, found.answers) == (None, 0)
