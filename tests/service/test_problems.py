import json
import socket

import pytest

from whywire.service.problems import PROBLEM_SCHEMA


def check_shape(answer, status):
    """The one shape of every error."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    row = answer.json()
    assert list(row) == PROBLEM_SCHEMA["required"]
    assert (row["status"], row["request_id"]) == (status, answer.headers["x-request-id"])
    assert row["type"].startswith("urn:whywire:problem:")
    assert isinstance(row["title"], str)
    assert isinstance(row["detail"], str)
    assert row["detail"]
    assert all(list(one) == ["where", "reason"] for one in row["errors"])
    return row


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/nothing", 404),
        ("GET", "/nothing/../../etc/passwd", 404),
        ("GET", "/v1/events/%2e%2e%2f%2e%2e%2fetc%2fpasswd", 404),
        ("GET", "/v1/events/e-unknown", 404),
        ("GET", "/v1/events/e-unknown/graph", 404),
        ("GET", "/v1/stories/e-unknown", 404),
        ("GET", "/v1/articles/unknown", 404),
        ("GET", "/v1/exports/word", 422),
        ("DELETE", "/v1/events", 405),
        ("PUT", "/v1/articles", 405),
        ("POST", "/v1/articles", 401),
        ("GET", "/v1/set-aside", 401),
        ("GET", "/v1/events?limit=0", 422),
        ("GET", "/v1/events?limit=many", 422),
        ("GET", "/v1/events?limit=99999999999999999999999999", 422),
        ("GET", "/v1/events?after=%00", 400),
        ("GET", "/v1/events?after=nonsense", 422),
        ("GET", "/v1/events?since=soon", 422),
        ("GET", "/v1/links?min_strength=NaN", 422),
        ("GET", "/v1/links?evidence=heard", 422),
        ("GET", "/v1/graph?as_of=9999-99-99", 422),
        ("GET", "/v1/search?q=%00", 400),
        ("GET", "/v1/events/%00", 400),
        ("GET", "/v1/search", 422),
        ("GET", "/v1/why?question=" + "x" * 501, 422),
        ("GET", "/v1/changes?after=-1", 422),
        ("GET", "/v1/changes/stream?after=x", 422),
        ("POST", "/v1/read", 415),
    ],
)
def test_every_error_has_one_shape(served_example, method, path, status):
    check_shape(served_example.web.request(method, path), status)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"items": []}',
        b'{"items": [3]}',
        b'{"items": "x"}',
        b'{"items": [{"text": "x"}], "other": 1}',
        b'{"items": [{"text": "x"}], "n_best": 1e400}',
        b"[" * 100_000,
        b'{"items": ' + b"[" * 100_000,
        b"\xff\xfe\x00",
        b'{"items": [{"text": "\\ud800"}]',
    ],
)
def test_a_question_that_cannot_be_read_is_a_problem(served_example, body):
    answer = served_example.post("/v1/read", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    check_shape(answer, answer.status_code)


def test_half_of_a_surrogate_pair_does_not_break_an_answer(served_example):
    answer = served_example.post(
        "/v1/read", content=b'{"items": [{"text": "\\ud800 x"}]}', headers={"content-type": "application/json"}
    )
    assert answer.status_code < 500


def test_a_body_that_is_too_large_is_refused_whether_it_says_so_or_not(served_example):
    big = b"x" * (3 * 2**20)
    check_shape(served_example.post("/v1/read", content=big), 413)
    check_shape(served_example.post("/v1/read", content=iter([big[: 2**20]] * 3)), 413)


def test_too_many_items_are_refused(served_example):
    check_shape(served_example.post("/v1/read", json={"items": [{"text": "x"}] * 65}), 413)


def test_a_failure_inside_tells_nothing_of_the_inside(service, monkeypatch):
    monkeypatch.setattr(service.context.store, "events", lambda **_: 1 / 0)
    row = check_shape(service.get("/v1/events"), 500)
    assert "division" not in json.dumps(row)


@pytest.mark.parametrize(
    ("given", "kept"), [("my-id.1", True), ("x" * 64, True), ("x" * 65, False), ("a b", False), ("", False)]
)
def test_a_sane_request_id_is_kept(served_example, given, kept):
    answer = served_example.get("/healthz", headers={"x-request-id": given})
    assert (answer.headers["x-request-id"] == given) == kept
    assert answer.headers["x-request-id"]


def test_every_answer_has_the_security_headers(served_example):
    for path in ("/v1/events", "/v1/nothing", "/healthz"):
        headers = served_example.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers
        assert "server" not in headers


@pytest.mark.parametrize(
    "sent", [b"\x00\x01\x02\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n"]
)
def test_what_is_no_http_is_answered_and_forgotten(served_example, sent):
    host, port = served_example.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=5) as raw:
        raw.sendall(sent)
        assert raw.recv(100).startswith((b"HTTP/1.1 4", b""))
    assert served_example.get("/healthz").status_code == 200
