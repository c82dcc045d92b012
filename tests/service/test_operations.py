import socket
from contextlib import closing

from whywire.service.serving import listen
from whywire.service.settings import Settings


def test_health_and_readiness(service):
    assert service.get("/healthz").text == "ok\n"
    assert service.get("/readyz").status_code == 200


def test_metrics_count_requests_by_route(service):
    service.get("/healthz")
    assert 'whywire_requests_total{method="GET",route="/healthz",status="200"} 1.0' in service.get("/metrics").text


def test_an_unknown_path_is_a_problem(service):
    answer = service.get("/v1/nothing", headers={"x-request-id": "abc"})
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json() == {
        "type": "urn:whywire:problem:not-found",
        "title": "Not Found",
        "status": 404,
        "detail": "there is nothing at /v1/nothing",
        "request_id": "abc",
        "errors": [],
    }


def test_answers_are_sent_without_delay(tmp_path):
    """The event loop turns Nagle's algorithm off only for sockets that name their protocol."""
    with closing(listen(Settings(store=tmp_path / "news.db", port=0))) as opened:
        assert opened.proto == socket.IPPROTO_TCP
