"""What the whole way promises on any input, and what it makes of the bundled example."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conftest import articles

from whywire import Article, Build, ClaimKind, Language, LinkKind, Order, build, group
from whywire.build_files import write_build
from whywire.evaluation.metrics import pairwise_score
from whywire.graph.reading import read_graph

ROWS = ["articles.jsonl", "claims.jsonl", "events.jsonl", "links.jsonl", "rejected.jsonl"]
FILES = [*ROWS, "graph.graphml", "graph.json", "report.html"]


def files_of(result: Build, folder) -> dict[str, bytes]:
    write_build(result, folder, title="Test", inputs=["news.jsonl"])
    return {name: (folder / name).read_bytes() for name in FILES}


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(articles, max_size=6, unique_by=lambda article: article.id), st.integers(0, 99))
def test_any_articles_in_any_order_give_one_and_the_same_consistent_graph(tmp_path_factory, news, seed):
    first = build(news)
    shuffled = random.Random(seed).sample(news, len(news))
    again = build(shuffled)
    graph = first.graph
    assert sorted(article for event in graph.events for article in event.articles) == sorted(a.id for a in news)
    for claim in graph.claims:
        field = getattr(graph.articles[claim.article], claim.field)
        assert field[slice(*claim.sentence)] == claim.quote
        spans = [claim.cause, claim.effect, *claim.signals, claim.antecedent, claim.consequent]
        for start, end in filter(None, spans):
            assert claim.sentence[0] <= start < end <= claim.sentence[1]
    for link in graph.links:
        check_link(graph, link)
    folder = tmp_path_factory.mktemp("build")
    assert files_of(first, folder / "one") == files_of(again, folder / "two")


def check_link(graph, link):
    source, target = graph.event(link.source), graph.event(link.target)
    assert link.source != link.target
    assert link.evidence
    assert 0.5 <= link.probability <= 1
    assert 0 <= link.strength <= 100
    if source.first_seen is None or target.first_seen is None:
        assert link.order is Order.UNKNOWN
    else:
        assert source.first_seen.at <= target.first_seen.until
        assert (link.order is Order.FORWARD) == (source.first_seen.until < target.first_seen.at)


def test_reading_the_same_articles_twice_adds_nothing(example):
    some = example[:12]
    once, twice = build(some), build([*some, *some])
    assert once.graph == twice.graph
    assert twice.problems == []


def test_no_articles_give_an_empty_graph():
    result = build([])
    assert (result.graph.events, result.graph.links, result.graph.claims) == ((), (), ())


def test_other_languages_are_kept_as_events_of_their_own():
    news = [Article(id=str(n), title="Das Wasser steigt weiter", language=Language.OTHER) for n in range(2)]
    graph = build(news).graph
    assert [event.articles for event in graph.events] == [("0",), ("1",)] or len(graph.events) == 2
    assert graph.links == ()


@pytest.fixture(scope="module")
def built(example) -> Build:
    shuffled = random.Random(1).sample(example, len(example))
    return build(shuffled)


def test_reports_of_one_event_are_grouped_and_others_are_not():
    titles = [
        "Blaze at Port Ellery refinery injures two workers",
        "Two workers injured in Port Ellery refinery blaze",
        "Port Ellery refinery blaze leaves two workers injured",
        "Castra rowing club wins national cup",
        "National cup won by Castra rowing club",
    ]
    news = [Article(id=str(n), title=title, language=Language.ENGLISH) for n, title in enumerate(titles)]
    first, second, third, fourth, fifth = group(news)
    assert first == second == third
    assert fourth == fifth
    assert first != fourth


def test_example_has_links_of_both_kinds_with_traceable_evidence(built):
    graph = built.graph
    for link in graph.links:
        check_link(graph, link)
    kinds = {link.kind for link in graph.links}
    assert kinds == {LinkKind.CAUSES, LinkKind.REFUTES}
    assert len(graph.links) >= 15


def affairs_of_example() -> dict[str, str]:
    path = Path(__file__).parents[2] / "examples" / "gold.json"
    gold = json.loads(path.read_text(encoding="utf-8"))["events"]
    return {article: event["name"].split("-")[0] for event in gold for article in event["articles"]}


def test_stories_of_the_example_are_one_affair_each_and_named_for_their_first_event(built):
    graph = built.graph
    affair = affairs_of_example()
    assert len(graph.stories()) >= 6
    for story in graph.stories():
        assert story.id == min(story.events, key=lambda event: graph.events.index(event)).id
        assert len({event.language for event in story.events}) == 1
    affairs = [
        {affair.get(article) for event in story.events for article in event.articles} for story in graph.stories()
    ]
    assert sum(len(told) == 1 for told in affairs) >= 0.8 * len(affairs)


def test_example_has_claims_of_both_kinds_in_both_languages(built):
    graph = built.graph
    found = {(claim.kind, graph.articles[claim.article].language) for claim in graph.claims}
    assert found == {(kind, language) for kind in ClaimKind for language in (Language.ENGLISH, Language.RUSSIAN)}


def test_the_example_comes_back_from_its_files_byte_for_byte(built, tmp_path):
    before = files_of(built, tmp_path / "one")
    again = replace(built, graph=read_graph(tmp_path / "one"))
    assert files_of(again, tmp_path / "two") == before


def test_narrow_groups_are_the_events_of_a_build_and_others_are_wider(built, example):
    ids = group(example, narrow=True)
    assert len(set(group(example))) < len(set(ids))
    assert ids == [
        next(event.id for event in built.graph.events if article.id in event.articles) for article in example
    ]


def test_wide_groups_are_the_affairs_of_the_example(example):
    affair = affairs_of_example()
    for language in (Language.ENGLISH, Language.RUSSIAN):
        own = [article for article in example if article.language is language]
        found = pairwise_score(group(own), [affair[article.id] for article in own])
        assert found.f1 > 0.7, (language, found)
