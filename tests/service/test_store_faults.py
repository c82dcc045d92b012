"""A service whose store is taken away or damaged: it acknowledges nothing, says so, and goes on when all is right."""

from __future__ import annotations

import logging
import shutil
import time
from pathlib import Path

import pytest
from tests.service.servers import Running, running
from tests.service.test_problems import check_shape

from whywire.service.settings import Settings
from whywire.store import Store

FERRY = {"id": "n1", "title": "Ferry sinks off the cape"}
DAM = {"id": "n2", "title": "Плотина выдержала паводок"}


@pytest.fixture
def path(example_store, tmp_path) -> Path:
    return Path(shutil.copy(example_store, tmp_path / "secret.db"))


@pytest.fixture
def served(path, fake_models):
    """A service of a copy of the example, whose worker reads the store all the time."""
    with running(Settings(store=path, port=0), fake_models) as one:
        yield one


def move(path: Path) -> None:
    path.rename(path.with_suffix(".away"))


def replace(path: Path) -> None:
    shutil.copy(path, path.with_suffix(".copy"))
    move(path)
    path.with_suffix(".copy").rename(path)


def check_refusal(service: Running, key: dict[str, str]) -> None:
    """What is sent is refused for now, and probes see it."""
    bulk = {"content": b'{"title": "Dam holds"}\n', "headers": {**key, "content-type": "application/x-ndjson"}}
    for answer in (
        service.post("/v1/articles", json=DAM, headers=key),
        service.post("/v1/articles/bulk", **bulk),
        service.get("/readyz"),
    ):
        row = check_shape(answer, 503)
        assert int(answer.headers["retry-after"]) > 0
        assert "secret" not in f"{row}"
    assert service.get("/healthz").status_code == 200


@pytest.mark.parametrize("fault", [move, replace])
def test_what_comes_while_the_file_is_gone_is_refused_until_it_is_back(served, path, fault, caplog):
    key, reader = served.key("write"), served.key("read")
    assert served.post("/v1/articles", json=FERRY, headers=key).status_code == 202
    served.settle()
    fault(path)
    with caplog.at_level(logging.ERROR):
        check_refusal(served, key)
    assert "secret.db" in caplog.text
    if fault is move:
        assert served.get("/v1/status", headers=reader).status_code == 200, "who reads needs no store to write into"
    path.with_suffix(".away").rename(path)
    assert served.get("/readyz").status_code == 200
    assert served.post("/v1/articles", json=DAM, headers=key).status_code == 202
    end = time.monotonic() + 60
    while served.get("/v1/articles/n2").status_code != 200:
        assert time.monotonic() < end
        time.sleep(0.1)
    with Store.open(path) as store:
        assert store.article("n1") is not None


def test_a_store_that_is_damaged_while_it_is_served_is_no_fault_of_the_client(path, fake_models, caplog):
    with running(Settings(store=path, port=0, works=False), fake_models) as service:
        key = service.key("write")
        content = bytearray(path.read_bytes())
        for place in range(4096 * 3, len(content) - 4096, 4096):
            content[place : place + 200] = b"\xff" * 200
        path.write_bytes(content)
        with caplog.at_level(logging.ERROR):
            found = [service.get(f"/v1/{name}") for name in ("graph", "events", "links", "claims", "articles")]
        damaged = [answer for answer in found if answer.status_code != 200]
        assert damaged
        for answer in damaged:
            assert "secret" not in f"{check_shape(answer, 503)}"
        assert "damaged" in caplog.text
        page = service.get("/?day=all")
        assert (page.status_code, "secret" in page.text) == (503, False)
        check_refusal(service, key)
