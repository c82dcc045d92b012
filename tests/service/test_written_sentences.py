"""Sentences on stories: a worker has them written, and pages and API show those that are kept."""

from __future__ import annotations

import html
import re
import time
from dataclasses import replace

import pytest
from tests.second_opinions.writers import clauses, copied, writing
from tests.service.servers import running

from whywire.service.settings import Settings
from whywire.store import Store, Worker


@pytest.fixture(scope="session")
def news(example):
    """Articles of the bundled example on one fire, from outlets with hostile names."""
    about = [article for article in example if "refinery" in article.title]
    return [replace(article, source="Post <i>") for article in about]


@pytest.fixture
def kept(tmp_path, news, fake_models):
    """Puts the news into a store, with the sentences that a chat model writes; returns its most important story."""
    path = tmp_path / "news.db"

    def keep(adviser):
        with Store.open(path) as store:
            store.accept(news)
            Worker(store, fake_models, adviser=adviser).work_all()
            return path, store.stories(limit=1).items[0].id

    return keep


def test_a_sentence_is_shown_with_its_sources_and_its_writer_as_text(kept, fake_models):
    with writing(copied) as adviser:
        path, story = kept(adviser)
    with running(Settings(store=path, port=0), fake_models) as service:
        row = service.get(f"/v1/stories/{story}/sentence").json()
        page = service.get(f"/stories/{story}").text
    assert row["model"] == "<b>tiny</b>"
    assert {clause["part"] for clause in row["clauses"]} >= {"happened"}
    assert len(row["clauses"]) > 1
    for clause in row["clauses"]:
        assert set(re.findall(r"\w+", clause["text"])) <= set(re.findall(r"\w+", clause["quote"]))
        assert clause["text"] in html.unescape(page)
    assert all(f'href="{clause["url"]}"' in page for clause in row["clauses"])
    assert "<b>tiny</b>" not in page
    assert "Post <i>" not in page


def test_a_story_without_a_sentence_says_so(kept, fake_models):
    with writing(lambda _: clauses((1, "the mayor was arrested"), (2, "the mayor was arrested"))) as adviser:
        path, story = kept(adviser)
    with running(Settings(store=path, port=0), fake_models) as service:
        assert service.get(f"/v1/stories/{story}/sentence").status_code == 404
        assert service.get("/v1/stories/nowhere/sentence").status_code == 404
        page = service.get(f"/stories/{story}").text
    assert "arrested" not in page
    assert 'class="written"' not in page


def test_a_sentence_goes_when_its_evidence_does(kept, news, fake_models):
    with writing(copied) as adviser:
        path, story = kept(adviser)
        with Store.open(path) as store:
            store.withdraw([article.id for article in news])
            Worker(store, fake_models).work_all()
    with running(Settings(store=path, port=0), fake_models) as service:
        assert service.get(f"/v1/stories/{story}/sentence").status_code == 404


def test_the_worker_of_a_service_writes_when_nothing_waits(tmp_path, news, fake_models):
    asked = []
    with writing(lambda passages: asked.append(1) or copied(passages)) as adviser:
        settings = Settings(store=tmp_path / "news.db", port=0, second_reader=adviser)
        with running(settings, fake_models) as service:
            store = service.context.store
            store.accept(news)
            service.context.accepted()
            service.settle()
            end = time.monotonic() + 60
            while not (stories := store.stories(limit=1).items) or not asked:
                assert time.monotonic() < end
                time.sleep(0.05)
            while (found := service.get(f"/v1/stories/{stories[0].id}/sentence")).status_code == 404:
                assert time.monotonic() < end
                time.sleep(0.05)
    assert found.json()["model"] == adviser.model
