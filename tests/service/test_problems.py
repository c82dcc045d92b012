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


@pytest.mark.parametrize(
    ("path", "body", "where"),
    [
        ("read", '{"items": [{"text": "Dam holds", "id": NaN}]}', "body.items.0.id"),
        (
            "read",
            '{"items": [{"text": "Dam holds"}, {"text": "x", "of": [1, {"a": -Infinity}]}]}',
            "body.items.1.of.1.a",
        ),
        (
            "relate",
            '{"items": [{"left_title": "Dam holds", "right_title": "Дамба выдержала", "n": 1e999}]}',
            "body.items.0.n",
        ),
        ("group", '{"items": [{"title": "Dam holds"}], "prior": NaN}', "body.prior"),
        ("score", '{"items": [{"cause": "Rain", "effect": "Flood"}], "threshold": Infinity}', "body.threshold"),
        ("choose", '{"items": [{"effect": "Flood", "options": ["Rain", 1e400]}]}', "body.items.0.options.1"),
        ("predict", '{"items": [{"title": "Ливень в городе", "id": -1e999}]}', "body.items.0.id"),
        ("read", '{"items": [{"text": "Dam holds"}], "n_best": true}', "body.n_best"),
        ("read", '{"items": [{"text": "Dam holds"}], "n_best": "3"}', "body.n_best"),
        ("relate", '{"items": [{"left_title": "Rain", "right_title": "Flood"}], "prior": "0.5"}', "body.prior"),
        ("score", '{"items": [{"cause": "Rain", "effect": "Flood"}], "threshold": true}', "body.threshold"),
        ("choose", '{"items": [{"effect": "Flood", "options": ["Rain"]}], "together": 1}', "body.together"),
        ("predict", '{"items": [{"title": "Storm shuts port"}], "min_probability": false}', "body.min_probability"),
    ],
)
def test_what_is_no_number_is_refused_with_its_place(served_example, path, body, where):
    answer = served_example.post(f"/v1/{path}", content=body, headers={"content-type": "application/json"})
    assert [one["where"] for one in check_shape(answer, 422)["errors"]] == [where]


def test_rows_of_a_bulk_with_what_is_no_number_are_refused_alone(service):
    numbers = ["NaN", "-Infinity", "1e999", "5"]
    rows = "\n".join(f'{{"title": "Dam holds {place}", "id": {one}}}' for place, one in enumerate(numbers))
    headers = {**service.key("write"), "content-type": "application/x-ndjson"}
    answer = service.post("/v1/articles/bulk", content=rows, headers=headers)
    found = [json.loads(line) for line in answer.text.splitlines()]
    assert [(row["row"], row["outcome"]) for row in found] == [
        (1, "refused"),
        (2, "refused"),
        (3, "refused"),
        (4, "new"),
    ]
    assert all("number" in row["reason"] for row in found[:3])


@pytest.mark.parametrize("number", ["3", "3.0", "3e0"])
def test_a_whole_number_may_be_written_in_any_way_of_json(served_example, number):
    body = f'{{"items": [{{"text": "Dam holds"}}], "n_best": {number}}}'
    assert served_example.post("/v1/read", content=body, headers={"content-type": "application/json"}).is_success


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
