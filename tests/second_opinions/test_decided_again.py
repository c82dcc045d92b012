"""Stories of a store are decided again by what a second reader has said, whoever decides them, and without asking."""

import json
from dataclasses import replace

import pytest
from tests.local_server import says, serving
from tests.second_opinions.chat_servers import UnsureModels, adviser_at, all_say, questioned, questions_of
from tests.second_opinions.test_llm_option import run
from tests.second_opinions.test_second_reader import NEWS, content, erratic

import whywire
from whywire.building import build
from whywire.elements import EvidenceKind
from whywire.graph.codec import graph_row
from whywire.news import to_row
from whywire.store import Store

MODELS = UnsureModels()


@pytest.fixture(scope="module")
def story(example):
    """Articles of the example about one affair, of which the fake models are unsure what is one event."""
    return [article for article in example if "Marrow Point" in article.title]


@pytest.fixture(scope="module")
def asked_store(story, tmp_path_factory):
    """A store of the story, decided with a chat model that is gone since."""
    path = tmp_path_factory.mktemp("asked") / "news.db"
    with serving(erratic) as server:
        whywire.update(story, path, models=MODELS, second_reader=adviser_at(server))
    return path


@pytest.fixture
def path(asked_store, tmp_path):
    """A copy of that store."""
    whywire.backup(asked_store, tmp_path / "news.db")
    return tmp_path / "news.db"


def by_kept_answers(articles, path, **options):
    """The graph that a build gives with the answers of a store, and no chat model."""
    with serving() as nobody, Store.open(path) as store:
        return build(
            articles, models=MODELS, adviser=adviser_at(nobody, "1", kept=store.chat_answers), **options
        ).graph


def checked(graph) -> set:
    """What a second reader has decided, apart from the events that are marked."""
    return {(link.source, link.target, link.checked_by) for link in graph.links if link.checked_by}


@pytest.mark.parametrize("gone", [0, 3, 6])
def test_a_withdrawal_keeps_what_was_decided_of_the_other_articles(path, story, gone):
    before = whywire.open_graph(path)
    whywire.withdraw(story[gone].id, path, models=MODELS)
    left = [article for article in story if article is not story[gone]]
    graph = whywire.open_graph(path)
    assert content(graph) == content(by_kept_answers(left, path))
    assert content(graph) != content(build(left, models=MODELS).graph)
    assert checked(before)
    assert checked(graph)
    assert whywire.doctor(path) == []


def test_an_article_that_comes_again_is_decided_as_before(path, story):
    before = content(whywire.open_graph(path))
    whywire.withdraw(story[2].id, path, models=MODELS)
    whywire.update([story[2]], path, models=MODELS)
    assert content(whywire.open_graph(path)) == before


def test_a_correction_that_is_taken_back_leaves_what_was_decided(path, story):
    before = whywire.open_graph(path)
    link = next(link for link in before.links if link.checked_by)
    with whywire.corrections(path, models=MODELS) as desk:
        desk.hide_link(link.source, link.target, by="desk")
        (made,) = [one.correction for one in desk.list()]
        corrected = content(whywire.open_graph(path))
        assert corrected == content(by_kept_answers(story, path, corrections=[made]))
        desk.take_back(made.id, by="desk")
    assert content(whywire.open_graph(path)) == content(before) != corrected


def test_other_models_decide_by_what_was_said_too(path, story):
    before = content(whywire.open_graph(path))
    with Store.open(path, models="others") as store:
        whywire.update([], store, models=MODELS)
    assert content(whywire.open_graph(path)) == before


def test_new_articles_without_a_chat_model_leave_what_was_decided_of_the_others(story, tmp_path):
    path, half = tmp_path / "news.db", len(story) // 2
    with serving(all_say("no")) as server:
        whywire.update(story[:half], path, models=MODELS, second_reader=adviser_at(server))
    whywire.update(story[half:], path, models=MODELS)
    graph = whywire.open_graph(path)
    assert content(graph) == content(by_kept_answers(story, path))
    told = articles_that_tell(graph)
    assert told  # links of the new articles
    assert told.isdisjoint(article.id for article in story[:half])  # none of those that were denied
    assert articles_that_tell(build(story, models=MODELS).graph) > told


def articles_that_tell(graph) -> set[str]:
    """The articles that tell a link."""
    pieces = [piece for link in graph.links for piece in link.evidence]
    said = {graph.claim(piece.claim).article for piece in pieces if piece.kind is EvidenceKind.SAID}
    return said | {piece.cause.article for piece in pieces if piece.kind is EvidenceKind.IMPLIED}


def test_drafts_of_sentences_alone_change_no_byte(story, tmp_path):
    rows = []
    for name in ("plain", "drafted"):
        with Store.open(tmp_path / f"{name}.db", models="rules") as store:
            if name == "drafted":
                store.chat_answers.keep("tiny-chat", {"k": '{"clauses": []}'})
            whywire.update(story, store, models=MODELS)
            rows.append(json.dumps(graph_row(store.graph())))
    assert rows[0] == rows[1]


def test_a_withdrawal_with_a_chat_model_asks_only_what_is_new_and_within_the_budget(path, story):
    with serving(erratic) as server:
        whywire.withdraw(story[3].id, path, models=MODELS, second_reader=adviser_at(server))
        assert not [one for asked in questioned(server) for one in questions_of(asked.body) if "cause" in one]
        before = len(server.asked)
        whywire.update([story[3]], path, models=MODELS, second_reader=adviser_at(server, "1"))
        assert len(server.asked) == before


def test_a_backfill_keeps_to_the_budget_of_a_day_from_its_first_week_to_its_last(tmp_path):
    path, news = tmp_path / "news.db", tmp_path / "news.jsonl"
    news.write_text("\n".join(json.dumps(to_row(article)) for article in NEWS))
    said, costs = [], {"prompt_tokens": 2000, "completion_tokens": 10}
    with serving(lambda asked: says({one["id"]: "yes" for one in questions_of(asked)}, usage=costs)) as server:
        reader = adviser_at(server, "3000", say=said.append)
        whywire.backfill(news, path, models=MODELS, second_reader=reader)
        assert len(server.asked) == 1  # of two articles, three weeks apart
    graph = whywire.open_graph(path)
    assert [link.checked_by for link in sorted(graph.links, key=lambda link: graph.event(link.source).articles)] == [
        "tiny-chat",
        None,
    ]
    assert len([one for one in said if "budget" in one]) == 1


@pytest.mark.slow
def test_commands_that_decide_again_ask_with_llm_and_remember_without(tmp_path):
    path, news = tmp_path / "news.db", tmp_path / "news.jsonl"
    more = [*NEWS, *(replace(one, id=f"{one.id}2", title=f"Again: {one.title}") for one in NEWS)]
    news.write_text("\n".join(json.dumps(to_row(article)) for article in more))
    with serving(all_say("yes")) as server:
        named = {"WHYWIRE_CHAT_URL": server.url, "WHYWIRE_CHAT_MODEL": "tiny-chat"}
        done = run("backfill", news, "--store", path, "--llm", **named)
        assert done.returncode == 0, done.stderr
        assert f"tiny-chat: {len(server.asked)} requests" in done.stderr
        before = whywire.open_graph(path)
        assert checked(before)
        asked = len(server.asked)
        done = run("withdraw", more[2].id, "--store", path, "--llm", "--llm-budget", "1", **named)
        assert done.returncode == 0, done.stderr
        assert len(server.asked) == asked
    done = run("withdraw", more[3].id, "--store", path)
    assert done.returncode == 0, done.stderr
    assert {one[2] for one in checked(whywire.open_graph(path))} == {"tiny-chat"}
