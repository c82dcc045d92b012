"""What is new about words, a place or a story: the same for feeds and for webhooks."""

from __future__ import annotations

import pytest

from whywire.elements import Event, Link, LinkKind, Mention, MentionKind, Order
from whywire.errors import InputError
from whywire.news import Article, Language
from whywire.store import Store, Topic, TopicKind
from whywire.updating import Change, ChangeKind, Changes

WORDS, PLACE, STORY = TopicKind


def told(number: int, title: str, *, language: Language = Language.ENGLISH, story: str | None = None) -> Changes:
    """An update by which an article came, with one event."""
    article = Article(f"a{number}", title, language=language)
    event = event_of(number, title, [article.id], language=language, story=story)
    history = (Change(ChangeKind.ARTICLE_ADDED, article.id, details={"title": title}),)
    return Changes(articles=(article,), events=(event,), history=history)


def event_of(number: int, title: str, articles: list[str], **fields) -> Event:
    mentions = tuple(Mention(article, "title", (0, len(title)), MentionKind.HEADLINE) for article in articles)
    return Event(
        **{"id": f"e{number}", "title": title, "language": Language.ENGLISH, "story": None}
        | {"first_seen": None, "last_seen": None, "articles": tuple(articles), "mentions": mentions}
        | fields
    )


def commit(store: Store, *updates: Changes) -> None:
    for update in updates:
        store.commit(update, decided_at=store.last_change())


def titles(store: Store, kind: TopicKind, value: str) -> list[str]:
    """The titles of what is new about a topic; a feed and a webhook have the same."""
    topic = Topic(kind, value)
    latest = store.latest_news(topic, limit=50)
    every, reaches = store.news_after(topic, 0, limit=50)
    assert latest == every[::-1]
    assert reaches == store.last_change()
    return [one.recorded.change.details["title"] for one in every]


HEADLINES = [
    "Refinery fire in Texas",
    "Fires rage near the refineries of Dallas",
    "Refinery reopens",
    "EU raises oil price cap",
    "Europe's price of oil falls",
]
RUSSIAN = ["Пожар на заводе в Техасе", "Цены на нефть выросли", "Рост цен на нефти не остановить", "Завод открыт"]


@pytest.fixture
def spoken(store: Store) -> Store:
    commit(store, *(told(number, title) for number, title in enumerate(HEADLINES)))
    of = {"language": Language.RUSSIAN}
    commit(store, *(told(number, title, **of) for number, title in enumerate(RUSSIAN, len(HEADLINES))))
    return store


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("refinery fire", HEADLINES[:2]),
        ("the fire at a refinery", HEADLINES[:2]),
        ("refinery", HEADLINES[:3]),
        ("oil price", HEADLINES[3:]),
        ("EU oil", HEADLINES[3:4]),
        ("refinery fire Nowhere", []),
        ("цена нефть", RUSSIAN[1:3]),
        ("заводы", [RUSSIAN[0], RUSSIAN[3]]),
    ],
)
def test_words_are_those_that_an_event_has_all_of_in_any_form(spoken, words, found):
    assert titles(spoken, WORDS, words) == found


@pytest.mark.parametrize(
    ("place", "found"),
    [
        ("Texas", [*HEADLINES[:2], RUSSIAN[0]]),
        ("Техас", [*HEADLINES[:2], RUSSIAN[0]]),
        ("Dallas, Texas", HEADLINES[1:2]),
        ("США", [*HEADLINES[:2], RUSSIAN[0]]),
        ("Peru", []),
    ],
)
def test_a_place_holds_the_places_in_it_in_both_languages(spoken, place, found):
    assert titles(spoken, PLACE, place) == found


@pytest.mark.parametrize(
    ("kind", "value", "wrong"),
    [
        (WORDS, "of the", "0 words"),
        (WORDS, "…", "0 words"),
        (WORDS, " ".join(f"word{number}" for number in range(17)), "17 words"),
        (PLACE, "Calder Bay", "no listed place"),
        (PLACE, "Texas or Peru", "several places"),
    ],
)
def test_what_cannot_be_followed_says_why(store, kind, value, wrong):
    with pytest.raises(InputError, match=wrong):
        store.title_of_topic(Topic(kind, value))


def test_a_story_has_its_reports_and_links(store):
    commit(store, told(1, "Dam breaks", story="e1"), told(2, "Town flooded", story="e1"), told(3, "Ferry resumes"))
    ends = {"source": "Dam breaks", "target": "Town flooded", "title": "led to"}
    linked = Changes(
        links=(Link("e1", "e2", LinkKind.CAUSES, 0.9, 80.0, Order.FORWARD, ()),),
        history=(Change(ChangeKind.LINK_ADDED, "e1", "e2", LinkKind.CAUSES, details=ends),),
    )
    commit(store, linked)
    assert titles(store, STORY, "e1") == ["Dam breaks", "Town flooded", "led to"]
    assert store.title_of_topic(Topic(STORY, "e1")) == "Dam breaks"
    assert titles(store, STORY, "e3") == ["Ferry resumes"], "an event by itself, until it is in a story"
    assert store.title_of_topic(Topic(STORY, "none")) is None
    assert titles(store, STORY, "none") == []


def test_a_story_is_followed_into_the_one_it_was_merged_into(store):
    commit(store, *(told(number, f"Report {number}", story="e1") for number in (1, 2)))
    commit(store, *(told(number, f"Report {number}", story="e3") for number in (3, 4)))
    before = store.last_change()
    merged = Changes(
        events=(event_of(3, "Report 3", ["a1", "a3"], story="e3"), event_of(2, "Report 2", ["a2"], story="e3")),
        ended={"e1": ("e3",)},
        history=(Change(ChangeKind.EVENT_MERGED, "e1", into=("e3",)),),
    )
    commit(store, merged, told(5, "Report 5", story="e3"))
    assert store.title_of_topic(Topic(STORY, "e1")) == "Report 3"
    assert [one.title for one in store.news_after(Topic(STORY, "e1"), before, limit=9)[0]] == ["Report 3"]
    assert titles(store, STORY, "e1") == [f"Report {number}" for number in range(1, 6)]


def test_an_event_that_ends_leaves_no_place_behind(spoken):
    commit(spoken, Changes(ended={"e0": ()}, history=(Change(ChangeKind.EVENT_ENDED, "e0"),)))
    assert titles(spoken, PLACE, "Texas") == [HEADLINES[1], RUSSIAN[0]]


def test_news_of_a_whole_store_comes_in_parts_without_gaps(example_store):
    story = example_store.stories(limit=1).items[0]
    topic = Topic(STORY, story.id)
    every, _ = example_store.news_after(topic, 0, limit=10_000)
    parts, after = [], 0
    while after < example_store.last_change():
        part, after = example_store.news_after(topic, after, limit=7)
        assert len(part) <= 7
        parts += part
    assert parts == every
    assert len(every) > 14
    assert {one.story for one in every} == {story.id}
    latest = example_store.latest_news(topic, limit=10_000)
    assert {one.recorded.id for one in latest} <= {one.recorded.id for one in every}
    reports = {one.recorded.id for one in every if one.recorded.change.kind is ChangeKind.ARTICLE_ADDED}
    assert reports <= {one.recorded.id for one in latest}
    assert store_articles(example_store, story.id) == len(reports)


def store_articles(store: Store, story: str) -> int:
    """How many articles have a headline in a story."""
    graph = store.story(story)
    heads = {m.article for event in graph.events for m in event.mentions if m.kind is MentionKind.HEADLINE}
    return len(heads)
