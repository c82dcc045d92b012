"""What the whole way promises on any input, and what it makes of the bundled example."""

import json
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import event as counted
from hypothesis import strategies as st
from tests.agreement import pairs_score
from tests.conftest import articles

from whywire import Article, Build, ClaimKind, InputError, Language, LinkKind, Order, build, group
from whywire.elements import ClaimEvidence, MentionKind
from whywire.events.time import event_time as event_times
from whywire.graph.build_folder import read_graph
from whywire.graph.page_data import evidence_kinds
from whywire.language_models import LanguageModels
from whywire.links.strength import is_sufficient, link_probability
from whywire.news import Published
from whywire.news.article import overlap
from whywire.sentences.counterfactual import grammar

pytestmark = pytest.mark.model

ROWS = ["articles.jsonl", "claims.jsonl", "events.jsonl", "links.jsonl", "rejected.jsonl"]
FILES = [*ROWS, "graph.graphml", "graph.json", "report.html"]


def files_of(result: Build, folder) -> dict[str, bytes]:
    result.write(folder, title="Test", inputs=["news.jsonl"])
    return {name: (folder / name).read_bytes() for name in FILES}


MADE_UP_STORIES = [
    (
        Language.ENGLISH,
        ("Fire destroys Teskal oil refinery", ""),
        (
            "Fuel runs short in Teskal region, drivers queue for hours",
            "Fuel ran short because a fire had destroyed the Teskal oil refinery.",
        ),
    ),
    (
        Language.ENGLISH,
        ("Storm cuts power to 40,000 homes in Varnholt", "The wind brought down a mast."),
        ("Varnholt schools closed after storm cuts power", "Schools closed because the storm had cut the power."),
    ),
    (
        Language.ENGLISH,
        ("Explosion kills three at Ombray paint works", ""),
        ("Ombray paint works boss resigns over fatal explosion", "He resigned because of the explosion."),
    ),
    (
        Language.ENGLISH,
        ("Earthquake strikes Ostrey region", ""),
        ("Thousands left homeless in Ostrey by earthquake", "Tents were put up in the parks."),
    ),
    (
        Language.ENGLISH,
        ("Minister Hale resigned on Monday, sources say", ""),
        ("Minister Hale denies he has resigned", "Not a word of it was true, the minister said."),
    ),
    (
        Language.RUSSIAN,
        ("Пожар уничтожил нефтебазу в Заречной", ""),
        (
            "Бензин в Заречной подорожал вдвое после пожара на нефтебазе",
            "Бензин подорожал из-за пожара на нефтебазе.",
        ),
    ),
    (
        Language.RUSSIAN,
        ("В Ельнинске прорвало плотину", "Вода прибывает."),
        ("Жителей Ельнинска эвакуируют из-за прорыва плотины", "Людей вывозят, потому что прорвало плотину."),
    ),
    (
        Language.RUSSIAN,
        ("Пожар на заводе в Луговце, погибли трое", ""),
        ("Директора луговецкого завода арестовали после пожара", "Его арестовали из-за пожара."),
    ),
    (
        Language.RUSSIAN,
        ("Паром затонул у Выпьего мыса, восемь погибших", ""),
        ("Капитана парома, затонувшего у Выпьего мыса, взяли под стражу", "Вины он не признаёт."),
    ),
    (
        Language.RUSSIAN,
        ("Министр Гаранин ушёл в отставку, сообщил источник", ""),
        ("Министр Гаранин опроверг сообщения о своей отставке", "Всё это неправда, сказал министр."),
    ),
]
"""What happened and what followed: title and text of each.

In each language what followed is a denial in the last one, and the models all but link the two in the one before it.
"""


@st.composite
def stories_and_follow_ups(draw) -> list[Article]:
    """Two reports, or three, of one story; what followed comes first now and then, and a time may be missing."""
    language, before, after = draw(st.sampled_from(MADE_UP_STORIES))
    hour = draw(st.integers(0, 200))
    news = []
    for (title, text), hours in ((before, hour), (after, hour + draw(st.integers(-12, 72)))):
        moment = datetime(2026, 3, 1, tzinfo=UTC) + timedelta(hours=hours)
        day = Published(moment.replace(hour=0), day_only=True)
        published = draw(st.sampled_from([Published(moment), day, None]))
        news.append(Article(str(draw(st.uuids())), title, text, language, source="Harbour Post", published=published))
    again = replace(news[-1], id=str(draw(st.uuids())), source="Courier")
    return [*news, again] if draw(st.booleans()) else news


made_up_news = st.builds(
    lambda found, noise: [*chain.from_iterable(found), *noise],
    st.lists(stories_and_follow_ups(), min_size=1, max_size=2),
    st.lists(articles, max_size=2),
).filter(lambda news: len({article.id for article in news}) == len(news))


@pytest.mark.slow
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(made_up_news, st.integers(0, 99))
def test_any_articles_in_any_order_give_one_and_the_same_consistent_graph(tmp_path_factory, news, seed):
    first = build(news)
    shuffled = random.Random(seed).sample(news, len(news))
    again = build(shuffled)
    graph = first.graph
    counted(f"links: {len(graph.links)}")
    headlines = [one.article for event in graph.events for one in event.mentions if one.kind is MentionKind.HEADLINE]
    assert sorted(headlines) == sorted(article.id for article in news)
    places = [(one.article, one.field, one.span) for event in graph.events for one in event.mentions]
    assert len(set(places)) == len(places)
    story_of = {article: event.story for event in graph.events for article in event.articles if event.story}
    assert all(story_of[one] == event.story for event in graph.events if event.story for one in event.articles)
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


def test_most_news_made_up_for_the_test_above_has_links():
    models, links = LanguageModels(), []

    @settings(max_examples=20, derandomize=True, database=None, phases=[Phase.generate])
    @given(made_up_news)
    def draw(news):
        links.append(len(build(news, models=models).graph.links))

    draw()
    assert len(links) >= 20
    assert sum(map(bool, links)) >= len(links) / 2, links


def check_link(graph, link):
    source, target = graph.event(link.source), graph.event(link.target)
    assert link.source != link.target
    assert link.evidence
    said = [graph.claim(one.claim) for one in link.evidence if isinstance(one, ClaimEvidence)]
    assert is_sufficient(link.evidence)
    assert 0 < link.probability <= link_probability(link.evidence) + 1e-9 <= 1 + 1e-9
    assert 0 <= link.strength <= 100
    for claim in said:
        for event, span in ((source, claim.cause), (target, claim.effect)):
            assert any(
                (one.article, one.field) == (claim.article, claim.field) and overlap(one.span, span)
                for one in event.mentions
            )
    if (
        link.kind is LinkKind.CAUSES
        and source.when
        and target.when
        and (source.when.end <= target.when.start or target.when.end <= source.when.start)
    ):
        assert link.order is (Order.FORWARD if source.when.end <= target.when.start else Order.SAID)
    elif source.first_seen is None or target.first_seen is None:
        assert link.order is Order.UNKNOWN
    elif source.first_seen.earliest > target.first_seen.latest:
        assert link.order is Order.SAID
        assert said
    else:
        told_apart = source.first_seen.latest < target.first_seen.earliest
        assert link.order is (Order.FORWARD if told_apart else Order.SAME_TIME)


def test_reading_the_same_articles_twice_adds_nothing(example):
    some = example[:12]
    once, twice = build(some), build([*some, *some])
    assert once.graph == twice.graph
    assert twice.problems == []


def test_no_articles_give_an_empty_graph_and_input_without_any_is_refused(tmp_path):
    (tmp_path / "empty.jsonl").touch()
    with pytest.raises(InputError, match="no article could be read"):
        build(tmp_path / "empty.jsonl")
    result = build([])
    assert (result.graph.events, result.graph.links, result.graph.claims) == ((), (), ())


def test_other_languages_are_kept_as_events_of_their_own():
    news = [Article(id=str(n), title="Das Wasser steigt weiter", language=Language.OTHER) for n in range(2)]
    graph = build(news).graph
    assert sorted(event.articles for event in graph.events) == [("0",), ("1",)]
    assert {event.language for event in graph.events} == {Language.OTHER}
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
    for ids in (group(news).events, group(news).stories):
        first, second, third, fourth, fifth = ids
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


def stories_of_example() -> dict[str, str]:
    path = Path(__file__).parents[2] / "examples" / "gold.json"
    gold = json.loads(path.read_text(encoding="utf-8"))["events"]
    return {article: event["name"].split("-")[0] for event in gold for article in event["articles"]}


def test_stories_of_the_example_are_its_topics_and_named_for_their_first_event(built, example):
    graph = built.graph
    for story in graph.stories():
        assert story.id == min(story.events, key=lambda event: graph.events.index(event)).id
        assert len({event.language for event in story.events}) == 1
    of_story = stories_of_example()
    story_of = {article: event.story or article for event in graph.events for article in event.articles}
    for language in (Language.ENGLISH, Language.RUSSIAN):
        own = [article.id for article in example if article.language is language]
        found = pairs_score([story_of[name] for name in own], [of_story.get(name, name) for name in own])
        # the fire of the refinery and the shortage that it caused may be one story or two
        assert found.precision > 0.85, (language, found)
        assert found.recall > 0.65, (language, found)


def test_what_the_example_links_is_of_one_story(built):
    graph = built.graph
    of_story = stories_of_example()
    assert len(graph.links) >= 60
    inside = [
        {of_story.get(article) for end in (link.source, link.target) for article in graph.event(end).articles}
        for link in graph.links
    ]
    assert sum(len(stories) == 1 for stories in inside) >= 0.85 * len(inside)
    assert {rests for link in graph.links for rests in evidence_kinds(link)} >= {"said", "shown"}


def test_an_event_is_named_by_words_of_its_mentions(built):
    for event in built.graph.events:
        mention = event.mentions[event.named_by]
        words = getattr(built.graph.articles[mention.article], mention.field)[slice(*mention.span)]
        assert event.title.startswith(" ".join(words.split()))


def test_example_has_claims_of_both_kinds_in_both_languages(built):
    graph = built.graph
    found = {(claim.kind, graph.articles[claim.article].language) for claim in graph.claims}
    assert found == {(kind, language) for kind in ClaimKind for language in (Language.ENGLISH, Language.RUSSIAN)}


def test_the_example_comes_back_from_its_files_byte_for_byte(built, tmp_path):
    before = files_of(built, tmp_path / "one")
    again = replace(built, graph=read_graph(tmp_path / "one"))
    assert files_of(again, tmp_path / "two") == before


def test_groups_are_much_as_the_events_and_stories_of_a_build_and_stories_are_unions_of_events(built, example):
    found = group(example, prior=0.39)  # a stream's, as that of a build
    story_of = dict(zip(found.events, found.stories, strict=True))
    assert [story_of[event] for event in found.events] == found.stories
    assert len(set(found.stories)) < len(set(found.events))
    event_of = {
        one.article: event.id
        for event in built.graph.events
        for one in event.mentions
        if one.kind is MentionKind.HEADLINE
    }
    assert pairs_score([event_of[article.id] for article in example], found.events).f1 > 0.8
    built_story = {event.id: event.story or event.id for event in built.graph.events}
    assert pairs_score([built_story[event_of[article.id]] for article in example], found.stories).f1 > 0.8


def test_stories_are_those_of_the_example(example):
    of_story = stories_of_example()
    for language in (Language.ENGLISH, Language.RUSSIAN):
        own = [article for article in example if article.language is language]
        found = pairs_score(group(own).stories, [of_story[article.id] for article in own])
        assert found.f1 > 0.7, (language, found)


def test_a_build_says_which_packages_of_the_grammar_extra_took_part(tmp_path, monkeypatch):
    news = [
        Article("a", "Dam bursts above Orrin", "Had the dam held, the town would not have flooded.", Language.ENGLISH)
    ]
    for pipelines in (grammar.PIPELINES, ("en_nothing_of_this_name",)):
        monkeypatch.setattr(grammar, "PIPELINES", pipelines)
        result = build(news)
        result.write(tmp_path, title="Dam", inputs=[])
        told = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["extras"]["grammar"]
        assert bool(told) == any(claim.derived for claim in result.graph.claims)
    assert told == {}


def test_events_have_the_times_that_words_name_where_the_times_extra_is_there(tmp_path, monkeypatch):
    pytest.importorskip("dateparser")
    reported = Published(datetime(2026, 3, 6, 12, tzinfo=UTC))
    news = [
        Article("a", "Dam bursts above Orrin", "The dam burst on Tuesday.", Language.ENGLISH, published=reported),
        Article("b", "Orrin dam was built on 4 May 1931", "", Language.ENGLISH),
    ]
    for installed in (True, False):
        if not installed:
            monkeypatch.setattr(event_times, "versions", dict)
        result = build(news)
        result.write(tmp_path, title="Dam", inputs=[])
        assert read_graph(tmp_path).events == result.graph.events
        assert bool(json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["extras"]["times"]) is installed
        named = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text(encoding="utf-8").splitlines()]
        days = {row["title"]: row["when"] and (row["when"]["start"], row["when"]["words"]) for row in named}
        assert days["Orrin dam was built on 4 May 1931"] == (("1931-05-04", "4 May 1931") if installed else None)
        assert installed or not any(days.values())
