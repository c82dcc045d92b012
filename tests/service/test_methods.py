import pytest

READ = [
    *("/", "/status", "/changes", "/watches", "/bench", "/guide", "/why", "/static/site.js", "/settings", "/nothing"),
    *("/v1/articles", "/v1/events", "/v1/events/e-none", "/v1/graph", "/v1/exports/nodes.csv", "/v1/changes"),
    *(
        "/v1/status",
        "/v1/watches",
        "/v1/why?question=Why+did+petrol+run+short",
        "/v1/openapi.json",
        "/v1/events?limit=0",
    ),
    *("/metrics", "/healthz", "/readyz"),
]

VARYING = {"x-request-id", "date", "content-length"}


@pytest.mark.parametrize("path", READ)
def test_head_is_get_without_the_body(served_example, path):
    get, head = (served_example.web.request(method, path, follow_redirects=False) for method in ("GET", "HEAD"))
    assert (head.status_code, head.content) == (get.status_code, b"")
    assert {name: head.headers[name] for name in head.headers if name not in VARYING} == {
        name: get.headers[name] for name in get.headers if name not in VARYING
    }
    assert "content-length" in head.headers


def test_head_of_what_the_client_has_is_not_modified(served_example):
    tag = served_example.web.head("/v1/events").headers["etag"]
    assert served_example.web.head("/v1/events", headers={"if-none-match": tag}).status_code == 304


def test_head_of_a_stream_ends(served_example):
    answer = served_example.web.head("/v1/changes/stream", timeout=5)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
    assert served_example.get("/healthz").status_code == 200, "the connection is still good"


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/v1/articles", "GET, HEAD, POST"),
        ("PUT", "/v1/events", "GET, HEAD"),
        ("POST", "/", "GET, HEAD"),
        ("POST", "/readyz", "GET, HEAD"),
        ("PATCH", "/v1/openapi.json", "GET, HEAD"),
        ("GET", "/v1/read", "POST"),
        ("HEAD", "/v1/set-aside/retry", "POST"),
    ],
)
def test_a_wrong_method_is_told_all_the_right_ones(served_example, method, path, allowed):
    answer = served_example.web.request(method, path)
    assert (answer.status_code, answer.headers["allow"]) == (405, allowed)
