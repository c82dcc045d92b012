"""A second reader from the outside: ``whywire.update`` of a store, and the option ``--llm``."""

import json
import os
import subprocess
import sys
from datetime import date

import pytest
from tests.local_server import Reply, says, serving
from tests.second_opinions.chat_servers import UnsureModels, adviser_at, all_say, questioned, questions_of
from tests.second_opinions.test_second_reader import NEWS, content

import whywire
from whywire.building import build
from whywire.news import to_row
from whywire.store import Store
from whywire.store.worker import Worker

MODELS = UnsureModels()
QUIET = {"WHYWIRE_CHAT_URL": "", "WHYWIRE_CHAT_MODEL": "", "WHYWIRE_CHAT_KEY": ""}


def test_a_store_keeps_answers_and_asks_each_question_once(tmp_path):
    path = tmp_path / "news.db"
    with serving(all_say("yes")) as server:
        for article in (*NEWS, NEWS[0]):
            whywire.update([article], path, models=MODELS, second_reader=adviser_at(server))
        assert len(questioned(server)) == 2
        built = build(NEWS, models=MODELS, adviser=adviser_at(server)).graph
    graph = whywire.open_graph(path)
    assert content(graph) == content(built)
    assert {link.checked_by for link in graph.links} == {"tiny-chat"}


def test_a_store_without_an_answer_is_whole_and_asks_again_when_the_story_changes(tmp_path):
    path = tmp_path / "news.db"
    with serving(Reply("broken", 500)) as server:
        whywire.update(NEWS, path, models=MODELS, second_reader=adviser_at(server))
    assert content(whywire.open_graph(path)) == content(build(NEWS, models=MODELS).graph)
    assert whywire.doctor(path) == []


def test_processes_of_a_store_share_what_may_be_spent(tmp_path):
    path, today = tmp_path / "news.db", date(2026, 3, 1)
    with serving(all_say("yes")) as server:
        for article in NEWS:  # an adviser each, as two processes have
            reader = adviser_at(server, "3000", today=lambda: today)
            whywire.update([article], path, models=MODELS, second_reader=reader)
        assert len(questioned(server)) == 2
        with Store.open(path) as store:
            assert store.chat_answers.reserve(today, "tokens", 3000 - 110 * len(server.asked), 3000)
            assert not store.chat_answers.reserve(today, "tokens", 1, 3000)


def test_what_the_budget_of_a_day_left_out_is_asked_about_the_next_day(tmp_path):
    def dear(asked: dict) -> Reply:
        return says({one["id"]: "yes" for one in questions_of(asked)}, usage={"prompt_tokens": 1_500})

    days = [date(2026, 3, 1)]
    with serving(dear) as server, Store.open(tmp_path / "news.db") as store:
        worker = Worker(store, MODELS, adviser=adviser_at(server, "2200", today=lambda: days[-1]))

        def idle():
            while worker.work() is not None:
                pass
            return len(questioned(server)), content(store.graph())

        store.accept(NEWS)
        first, graph = idle()
        assert idle() == (first, graph), "today nothing more is asked"
        whole = content(build(NEWS, models=MODELS, adviser=adviser_at(server)).graph)
        assert graph != whole
        for day in range(2, 9):
            days.append(date(2026, 3, day))
            idle()
        asked, graph = idle()
        assert (graph, store.check()) == (whole, [])
        days.append(date(2026, 3, 9))
        assert idle() == (asked, graph), "each question is asked once"


def test_all_that_was_left_out_is_asked_about_whatever_the_answers(tmp_path):
    days = [date(2026, 3, 1)]
    with serving(all_say("unsure")) as server, Store.open(tmp_path / "news.db") as store:
        assert store.chat_answers.reserve(days[0], "tokens", 2_900, 3_000)
        worker = Worker(store, MODELS, adviser=adviser_at(server, "3000", today=lambda: days[-1]))
        store.accept(NEWS)
        worker.work_all()
        assert not questioned(server)
        days.append(date(2026, 3, 2))
        worker.work_all()
        assert len(questioned(server)) == len(NEWS)


def test_a_lease_is_held_while_a_chat_model_is_slow(tmp_path):
    def slow(asked: dict) -> Reply:
        reply = all_say("yes")(asked)
        reply.wait = 0.6
        return reply

    with serving(slow) as server, Store.open(tmp_path / "news.db", models="unsure") as store:
        store.accept(NEWS)
        done = Worker(store, MODELS, adviser=adviser_at(server), lease_seconds=1.0).work_all()
        assert [len(changes.articles) for changes in done] == [2]
        assert len(questioned(server)) == 2


def run(*arguments, **environment):
    command = [sys.executable, "-m", "whywire", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | QUIET | environment)


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        (["--llm"], "WHYWIRE_CHAT_URL is not set"),
        (["--llm", "--llm-budget", "lots"], "200k"),
        (["--llm", "--llm-budget", "2usd"], "--llm-prices"),
    ],
)
def test_what_is_missing_is_said_before_the_work(tmp_path, options, hint):
    news = tmp_path / "news.jsonl"
    news.write_text(json.dumps(to_row(NEWS[0])))
    named = {"WHYWIRE_CHAT_URL": "http://127.0.0.1:1/v1", "WHYWIRE_CHAT_MODEL": "tiny"} if len(options) > 1 else {}
    done = run("build", news, "--out", tmp_path / "out", *options, **named)
    assert done.returncode == 2
    assert hint in " ".join(done.stderr.split())
    assert not (tmp_path / "out" / "links.jsonl").exists()


@pytest.mark.slow
def test_a_build_says_what_was_asked_and_marks_it(tmp_path):
    news, out = tmp_path / "news.jsonl", tmp_path / "out"
    news.write_text("\n".join(json.dumps(to_row(article)) for article in NEWS))
    with serving(all_say("yes")) as server:
        named = {"WHYWIRE_CHAT_URL": server.url, "WHYWIRE_CHAT_MODEL": "tiny-chat"}
        done = run("build", news, "--out", out, "--llm", **named)
    assert done.returncode == 0, done.stderr
    assert f"{len(server.asked)} requests" in done.stderr
    links = [json.loads(line) for line in (out / "links.jsonl").read_text().splitlines()]
    assert "tiny-chat" in {link.get("checked_by") for link in links}
    assert "checkedBy" in (out / "report.html").read_text()
