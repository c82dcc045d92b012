"""A question has the same answers from the part of a store that decides it as from the whole graph."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fake_models import FakeLanguageModels

from whywire import build
from whywire.answers import similarity
from whywire.answers.question import parse_question
from whywire.answers.search import find_answers
from whywire.api.queries import causes, chain, effects, roots
from whywire.news import Language
from whywire.store import Store, search, subgraphs

ASKED = ("Why {}?", "What did {} lead to?", "Почему {}?", "К чему привёл {}?")


@pytest.fixture(params=[None, (1, 3)], ids=["as it is", "as if all terms were common"])
def limits(request, monkeypatch):
    """Limits so low that few terms select events, and few events are compared."""
    if request.param:
        common, most = request.param
        monkeypatch.setattr(search, "COMMON", common)
        monkeypatch.setattr(search, "AT_ONCE", most)
        for module in (similarity, pytest.importorskip("whywire.store.subgraphs")):
            monkeypatch.setattr(module, "MOST_EVENTS", most)


def test_part_and_whole_answer_alike(example_store, fake_models, limits):
    whole = example_store.graph()
    answered = 0
    for event in whole.events[::10]:
        asked = ASKED[2:] if event.language is Language.RUSSIAN else ASKED[:2]
        for form in asked:
            question = parse_question(form.format(" ".join(event.title.split()[:6])))
            model = fake_models.pairs(question.language)
            found = find_answers(question, whole, model, limit=8)
            assert find_answers(question, example_store.asked_about(question), model, limit=8) == found
            answered += bool(found.answers)
    assert answered


def test_events_of_a_large_store_have_the_causes_that_the_whole_graph_gives(example_store, fake_models, monkeypatch):
    whole = example_store.graph()
    monkeypatch.setattr(subgraphs, "MAX_WHOLE", 0)
    led_to = 0
    for event in whole.events[::15]:
        part = example_store.about(event.id)
        assert len(part.events) < len(whole.events)
        for asked in (causes, effects, roots):
            assert asked(event.id, part, models=fake_models) == asked(event.id, whole, models=fake_models)
        for path in roots(event.id, whole, models=fake_models):
            first = path.events[0]
            both = example_store.about(first, event.id)
            assert chain(first, event.id, both, models=fake_models)[0] == path
            led_to += 1
    assert led_to


def test_a_question_without_known_words_has_no_events(example_store):
    question = parse_question("Why zzzzz qqqqq?")
    assert not example_store.asked_about(question).events


def test_words_of_a_withdrawn_headline_are_forgotten(filled, fake_models):
    from whywire.store import Worker

    article = next(one for one in filled.articles(limit=50).items if len(one.title.split()) > 3)
    filled.withdraw([article.id])
    Worker(filled, fake_models).work_all()
    assert not filled.check()
    assert article.id not in filled.asked_about(parse_question(f"Why {article.title}?")).articles


CAUSES = ("a fire", "a storm", "the strike", "no fuel", "a rare fault")
EFFECTS = ("schools closed", "fuel ran short", "trains stood still", "prices rose")
TOWNS = ("Tarn", "Ellery", "Gullholm")
told = st.builds(
    lambda cause, effect, town, day: {
        "title": f"{effect.capitalize()} in {town}",
        "text": f"On day {day} {effect} in {town} because {cause} hit {town}.",
        "published": f"2026-03-{day:02}T08:00:00Z",
    },
    *(st.sampled_from(words) for words in (CAUSES, EFFECTS, TOWNS)),
    st.integers(1, 9),
)


@pytest.mark.slow
@settings(max_examples=10)
@given(
    news=st.lists(told, min_size=1, max_size=8, unique_by=str),
    asked=st.lists(st.sampled_from([*CAUSES, *EFFECTS, *TOWNS, "anything else"]), min_size=1, max_size=3),
    common=st.integers(1, 4),
    most=st.integers(1, 3),
)
def test_part_and_whole_answer_alike_whatever_the_news(tmp_path_factory, news, asked, common, most):
    models = FakeLanguageModels()
    path = tmp_path_factory.mktemp("made up") / "news.db"
    build(news, store=str(path), models=models)
    with Store.open(path, models="rules") as store, pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "COMMON", common)
        patch.setattr(search, "AT_ONCE", most)
        whole = store.graph()
        for form in ASKED[:2]:
            question = parse_question(form.format(" ".join(asked)))
            found = find_answers(question, whole, models.pairs(question.language), limit=8)
            part = store.asked_about(question)
            assert find_answers(question, part, models.pairs(question.language), limit=8) == found
