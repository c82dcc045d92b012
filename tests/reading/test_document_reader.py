"""The document reader: sensible events and links, whatever is read beside an article, and whatever it is made of."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from tests.conftest import articles

from whywire.errors import ModelError
from whywire.news import Article, Language
from whywire.progress import Stopped, stopping_when
from whywire.reading.document_reader import BATCH_ARTICLES, MOST_WINDOWS, DocumentReader
from whywire.reading.drawing import DrawnGraph, Status
from whywire.reading.windows import WINDOW, windows_of

pytestmark = pytest.mark.model

FIRE = Article(
    "en",
    "Fire at Teskal refinery leaves the north without fuel",
    "A fire destroyed the Teskal refinery on Monday.\n"
    "Because of the fire, fuel ran short in the north of the country. "
    "The government banned fuel exports on Wednesday in response to the shortage.\n"
    "The mayor of Teskal opened a new library on Thursday.",
    Language.ENGLISH,
)
FIRE_RU = Article(
    "ru",
    "Пожар на нефтебазе в Тескале оставил север без топлива",
    "В понедельник пожар уничтожил нефтебазу в Тескале.\n"
    "Из-за пожара на севере страны закончилось топливо. "
    "В среду правительство в ответ на дефицит запретило вывоз топлива.\n"
    "В четверг мэр Тескаля открыл новую библиотеку.",
    Language.RUSSIAN,
)


@pytest.fixture(scope="module")
def reader() -> DocumentReader:
    return DocumentReader.from_pretrained()


def words(article: Article, graph: DrawnGraph, event: int) -> str:
    """All words that name an event."""
    mentions = (graph.mentions[at] for at in graph.events[event].mentions)
    return " | ".join(getattr(article, mention.field)[slice(*mention.span)] for mention in mentions).lower()


def check(article: Article, graph: DrawnGraph) -> None:
    """What holds for every graph."""
    assert sorted(at for event in graph.events for at in event.mentions) == [*range(len(graph.mentions))]
    places = [(mention.field, mention.span) for mention in graph.mentions]
    assert len(set(places)) == len(places), "no words are a mention twice"
    for mention in graph.mentions:
        field = getattr(article, mention.field)
        start, end = mention.span
        assert 0 <= start < end <= len(field)
        assert any(map(str.isalnum, field[start:end]))
        assert (mention.sentence == 0) is (mention.field == "title")
        assert 0 <= mention.probability <= 1
    for link in graph.links:
        assert link.cause_mention in graph.events[link.cause].mentions
        assert link.effect_mention in graph.events[link.effect].mentions


@pytest.mark.parametrize(
    ("article", "cause", "effect"),
    [(FIRE, "fire", "fuel ran short"), (FIRE_RU, "пожар", "закончилось топливо")],
    ids=["en", "ru"],
)
def test_an_article_has_the_events_it_tells_and_the_link_it_says(
    reader: DocumentReader, article: Article, cause: str, effect: str
) -> None:
    (graph,) = reader.read([article])
    check(article, graph)
    assert 3 <= len(graph.events) <= 8
    assert any(mention.field == "title" for mention in graph.mentions)
    links = [
        link
        for link in graph.links
        if cause in words(article, graph, link.cause)
        and effect in words(article, graph, link.effect)
        and effect not in words(article, graph, link.cause)
        and link.said > 0.5
    ]
    assert links


@pytest.mark.parametrize(
    ("plan", "language"),
    [
        ("The government will build a new dam next year", Language.ENGLISH),
        ("Правительство построит новую плотину в следующем году", Language.RUSSIAN),
    ],
)
def test_what_will_be_is_a_plan(reader: DocumentReader, plan: str, language: Language) -> None:
    (graph,) = reader.read([Article("a", plan, f"{plan}.", language)])
    assert graph.mentions
    assert {mention.status for mention in graph.mentions} == {Status.PLAN}


def test_a_graph_depends_neither_on_other_articles_nor_on_threads(reader: DocumentReader) -> None:
    some = [
        replace(article, text=article.text + "\n" + "The council met. " * number)
        for number in range(BATCH_ARTICLES + 1)
        for article in (FIRE, FIRE_RU)
    ]
    read: list[float] = []
    together = reader.read(some, read.append)
    assert sum(read) == len(some)
    threads, reader.model.threads = reader.model.threads, 3
    try:
        assert reader.read(some) == together
    finally:
        reader.model.threads = threads
    for number in (0, 3, len(some) - 1):
        assert reader.read([some[number]]) == [together[number]]
    assert reader.read([]) == []


def test_words_found_twice_are_a_mention_once_and_those_without_letters_none(reader: DocumentReader) -> None:
    article = Article("a", "x", "Storm , and storm —", Language.ENGLISH)
    (window,) = windows_of(article.title, article.text, [(0, len(article.text))], reader.model.tokenizer)
    words = [None if place is None else article.text[place[1] : place[2]] for place in window.places]
    storm = next(at for at, place in enumerate(window.places) if place and place[0] == "text")
    comma, joins, again = words.index(",", storm), words.index("and"), words.index("storm")
    dash = len(words) - 2
    spans = [(storm, storm), (storm, comma), (comma, comma), (joins, again), (dash, dash), (0, 0)]
    count = len(spans)
    answers = {
        "window": np.array([0] * (count - 1) + [-1]),
        "first": np.array([first for first, _ in spans]),
        "last": np.array([last for _, last in spans]),
        "event": np.arange(count, dtype=np.float32),
        "main": np.zeros(count, np.float32),
        "status": np.zeros((count, 4), np.float32),
        "same": np.arange(count**2, dtype=np.float32).reshape(count, count),
        "links": np.zeros((count, count, 3), np.float32),
        "alone": -np.arange(count, dtype=np.float32),
        "vector": np.eye(count, dtype=np.float32),
    }
    fake = copy(reader)
    fake.model = copy(reader.model)
    fake.model.session = SimpleNamespace(run=lambda outputs, _: [answers[name] for name in outputs])
    logits = fake.logits(article)
    assert [article.text[start:end] for _, start, end in logits.places] == ["Storm", "storm"]
    assert logits.event.tolist() == [1, 3], "of two that name the same words, the likelier"
    assert logits.sentences == [1, 1]
    assert logits.alone.tolist() == [-1, -3]
    assert logits.vectors.argmax(axis=1).tolist() == [1, 3]
    assert logits.same.tolist() == [[count + 1, count + 3], [3 * count + 1, 3 * count + 3]]


LONG = "The storm closed road number {}. Villages were flooded."


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("x", ""),
        ("x", "x"),
        ("", ""),
        ("—", "…"),
        ("Fire", " \n\t\u00a0\u200b"),
        ("\ud83d", "\udc00 The dam failed because of \ud800 rain."),
        ("Fire\x00alarm", "The \x00dam\x1b[31m failed.\u2028It rained.\ufeff"),
        ("🔥" * 300, "👩‍👩‍👧‍👦 " * 200),
        ("n\u0303" * 500, "е\u0308" * 5_000),
        ("!" * 10_000, "?!" * 5_000),
        ("A" * 10_000, "а" * 10_000),
        ("THE DAM FAILED, " * 200, "AA BB cc " * 500),
        ("the, " * 1_000, "and, the, " * 500),
        ("قال المسؤول", "大坝溃决，村庄被淹。" * 200),
    ],
    ids=range(14),
)
def test_no_article_does_harm(reader: DocumentReader, title: str, text: str) -> None:
    article = Article("a", title, text, Language.ENGLISH)
    (graph,) = reader.read([article])
    check(article, graph)


def test_of_a_very_long_article_the_beginning_is_read(reader: DocumentReader) -> None:
    article = Article("a", "Storm closes roads", "".join(map(LONG.format, range(2_000))), Language.ENGLISH)
    (graph,) = reader.read([article])
    check(article, graph)
    assert graph.mentions
    assert max(mention.sentence for mention in graph.mentions) < MOST_WINDOWS * WINDOW


@settings(max_examples=25)
@given(article=articles)
def test_a_graph_is_of_its_article_whatever_it_says(reader: DocumentReader, article: Article) -> None:
    (graph,) = reader.read([article])
    check(article, graph)


def test_what_outlets_have_from_an_agency_is_read_once(reader: DocumentReader) -> None:
    outlets = [replace(FIRE, id=name, source=name) for name in ("left", "right")]
    read: list[float] = []
    first, other, second = reader.read([outlets[0], FIRE_RU, outlets[1]], read.append)
    assert first is second
    assert other != first
    assert sum(read) == 3


@pytest.mark.parametrize("count", [1, 3 * BATCH_ARTICLES])
def test_reading_stops_when_it_is_asked_to(reader: DocumentReader, count: int) -> None:
    read: list[float] = []
    some = [replace(FIRE, title=f"{FIRE.title}, day {number}") for number in range(40 * BATCH_ARTICLES)]
    with pytest.raises(Stopped), stopping_when(lambda: True):
        reader.read(some[:count], read.append)
    assert not read
    with pytest.raises(Stopped), stopping_when(lambda: bool(read)):
        reader.read(some, read.append)
    assert sum(read) < 40 * BATCH_ARTICLES


def test_a_folder_without_a_model_is_an_error(tmp_path) -> None:
    with pytest.raises(ModelError):
        DocumentReader.from_pretrained(tmp_path)
