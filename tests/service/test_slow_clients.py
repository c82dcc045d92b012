"""Clients that are slow, or that go away."""

import contextlib
import socket
import time

import pytest
from tests.service.servers import running

from whywire.service.settings import Settings


@pytest.fixture
def impatient(tmp_path, fake_models, monkeypatch):
    """A service that waits for a second."""
    monkeypatch.setattr("whywire.service.client_limits.PATIENCE", 1.0)
    with running(Settings(store=tmp_path / "news.db", port=0), fake_models) as one:
        yield one


@contextlib.contextmanager
def connected(service):
    host, port = service.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as raw:
        yield raw


def head(path, key, length):
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: 127.0.0.1",
        f"Authorization: {key['authorization']}",
        "Content-Type: application/x-ndjson",
        f"Content-Length: {length}",
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def test_who_says_nothing_for_too_long_is_let_go(impatient):
    with connected(impatient) as raw:
        raw.sendall(head("/v1/articles/bulk", impatient.key("write"), 1000) + b'{"title":')
        answer = b""
        while piece := raw.recv(4096):
            answer += piece
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"application/problem+json" in answer


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\nX-A: "])
def test_a_request_whose_head_does_not_end_is_let_go(impatient, sent):
    with connected(impatient) as raw:
        raw.sendall(sent)
        assert raw.recv(100) == b""


def test_the_head_of_a_second_request_is_timed_as_well(impatient):
    with connected(impatient) as raw:
        raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET / HT")
        answer = b""
        while piece := raw.recv(4096):
            answer += piece
    assert answer.count(b"HTTP/1.1 200") == 1


def test_what_came_before_a_client_went_away_stays(service, monkeypatch):
    monkeypatch.setattr("whywire.service.v1.articles.ROWS_AT_ONCE", 2)
    with connected(service) as raw:
        rows = b'{"id": "a", "title": "Fire"}\n{"id": "b", "title": "Rain"}\n{"id": "c", "title": "Wind"}\n'
        raw.sendall(head("/v1/articles/bulk", service.key("write"), 10_000) + rows)
        end = time.monotonic() + 20
        while service.context.store.counts().articles < 2:
            assert time.monotonic() < end
            time.sleep(0.02)
    known = {row["id"] for row in service.get("/v1/articles").json()["items"]}
    assert known == {"a", "b"}


def test_listeners_that_go_away_are_forgotten(impatient):
    for _ in range(20):
        with connected(impatient) as raw:
            raw.sendall(b"GET /v1/changes/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert raw.recv(100).startswith(b"HTTP/1.1 200")
    end = time.monotonic() + 20
    while impatient.context.notifier.listeners:
        assert time.monotonic() < end
        time.sleep(0.05)
