import json
import logging
import time

import pytest
from tests.fake_models import FakeLanguageModels, FakeSentences
from tests.service.servers import running

from whywire.service.settings import Settings
from whywire.store import Store

NDJSON = {"content-type": "application/x-ndjson"}


class _Fragile(FakeSentences):
    """Fails on a text with the word."""

    def answers(self, encoding):
        if "poison" in encoding.tokens:
            raise RuntimeError("no model can read this")
        return super().answers(encoding)


class FragileModels(FakeLanguageModels):
    """Models that one article is too much for."""

    def _sentence_rules(self, name):
        return _Fragile(name)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """An empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'news.db'}"
    return request.getfixturevalue("postgresql").make_database()


def wait_until(done, seconds=60):
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_an_article_that_cannot_be_read_is_set_aside_and_the_others_go_in(tmp_path):
    models = FragileModels()
    with running(Settings(store=tmp_path / "news.db", port=0), models) as one:
        rows = [{"id": f"a-{n}", "title": "a poison cloud" if n == 4 else f"Report {n}"} for n in range(8)]
        body = "\n".join(map(json.dumps, rows)).encode()
        key = one.key("admin")
        one.post("/v1/articles/bulk", content=body, headers=key | NDJSON)
        wait_until(lambda: one.get("/v1/status").json()["waiting"] == 0)
        status = one.get("/v1/status").json()
        assert (status["articles"], status["set_aside"]) == (7, 1)
        (row,) = one.get("/v1/set-aside", headers=key).json()["items"]
        assert row["article"]["id"] == "a-4"
        assert "no model can read this" in row["reason"]
        assert one.post("/v1/set-aside/retry", json={"ids": ["a-4", "a-5"]}, headers=key).json() == {"retried": 1}
        wait_until(lambda: one.get("/v1/status").json()["set_aside"] == 1)
        assert one.get("/readyz").status_code == 200


def test_what_a_worker_died_with_is_tried_in_a_copy_and_taken_in(tmp_path, fake_models, example):
    path = tmp_path / "news.db"
    with Store.open(path) as store:
        store.accept(example[:20])
        assert len(store.lease("another", seconds=-1).articles) == 20
    with running(Settings(store=path, port=0), fake_models) as one:
        one.settle()
        status = one.get("/v1/status").json()
        assert (status["articles"], status["set_aside"]) == (20, 0)


def test_two_services_share_the_work_of_one_database(url, fake_models, example_lines, example):
    settings = Settings(store=url, port=0)
    with running(settings, fake_models) as first, running(settings, fake_models) as second:
        lines = example_lines.splitlines(keepends=True)
        half = len(lines) // 2
        for service, part in ((first, lines[:half]), (second, lines[half - 20 :])):
            answer = service.post("/v1/articles/bulk", content=b"".join(part), headers=first.key("write") | NDJSON)
            assert answer.status_code == 200
        first.settle(120)
        graphs = [service.get("/v1/graph").json() for service in (first, second)]
        assert graphs[0] == graphs[1]
        assert {row["id"] for row in graphs[0]["articles"]} == {article.id for article in example}
        changes = first.get("/v1/changes", params={"limit": 1000}).json()["items"]
        added = [row["subject"] for row in changes if row["kind"] == "article added"]
        assert len(added) == len(set(added))


def test_a_stream_tells_what_another_service_did(url, fake_models):
    settings = Settings(store=url, port=0)
    with (
        running(settings, fake_models) as first,
        running(settings, fake_models) as second,
        first.web.stream("GET", "/v1/changes/stream", timeout=30) as answer,
    ):
        lines = answer.iter_lines()
        next(lines)
        second.post("/v1/articles", json={"id": "a", "title": "Fire"}, headers=second.key("write"))
        assert next(line for line in lines if line.startswith("event:")) == "event: article-added"


def test_a_stop_gives_back_what_is_in_work(tmp_path, fake_models, example):
    path = tmp_path / "news.db"
    with Store.open(path) as store:
        store.accept(example)
    with running(Settings(store=path, port=0), fake_models):
        pass
    with Store.open(path) as store:
        lease = store.lease("another", limit=1000)
        waiting = len(lease.articles) if lease else 0
        assert waiting + store.counts().articles == len(example)


@pytest.mark.slow
def test_what_is_left_out_of_a_long_article_is_logged(service, caplog):
    text = "\n".join(f"Roads of district {n} flooded because the storm had broken dyke {n}." for n in range(600))
    with caplog.at_level(logging.WARNING):
        row = {"id": "long", "title": "Storm breaks dykes", "text": text, "language": "en"}
        assert service.post("/v1/articles", json=row, headers=service.key("write")).status_code == 202
        service.settle()
        service.context._worker.stop()
        assert service.context._worker.join(60)
    (note,) = [record for record in caplog.records if record.message == "a note on an article"]
    assert note.article == "long"
    assert "too long" in note.reason
