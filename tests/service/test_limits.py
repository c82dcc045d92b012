"""What one client may take of a service, over real connections; other clients come from other addresses."""

import contextlib
import json
import logging
import socket
import threading
import time

import httpx2
import pytest
from tests.fake_models import FakeLanguageModels, FakeSentences
from tests.service.servers import running
from tests.service.test_problems import check_shape

from whywire.service import change_notifier, client_limits, context, inference_pool
from whywire.service.client_limits import Connections, UnreadAnswers
from whywire.service.guards import MAX_ADDRESS_BYTES
from whywire.service.settings import Settings
from whywire.service.telemetry import MAX_LINES, MAX_WARNINGS, LineLimit

OTHER = "127.0.0.2"

ITEMS = {"items": [{"text": "Fuel ran short because the fire had shut the refinery."}]}
MANY_ITEMS = {"items": [{"text": f"Fuel ran short since fire {number} had shut the plant."} for number in range(64)]}


@contextlib.contextmanager
def served(tmp_path, models, **settings):
    with running(Settings(store=tmp_path / "news.db", port=0, **settings), models) as one:
        yield one


@contextlib.contextmanager
def connected(service, address="127.0.0.1", receive_buffer=None):
    host, port = service.url.removeprefix("http://").split(":")
    with socket.socket() as raw:
        if receive_buffer:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        raw.settimeout(20)
        raw.bind((address, 0))
        raw.connect((host, int(port)))
        yield raw


def head(path, *lines, method="POST"):
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: x", *lines, "", ""]).encode()


def from_other(service):
    transport = httpx2.HTTPTransport(local_address=OTHER)
    return httpx2.Client(base_url=service.url, transport=transport, timeout=20)


def wait_until(condition):
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("path", ["/v1/read", "/v1/relate", "/v1/group", "/v1/score", "/v1/choose", "/v1/predict"])
def test_a_key_is_asked_for_before_the_body_is_read(tmp_path, fake_models, path):
    with served(tmp_path, fake_models, open_reading=False) as service, connected(service) as raw:
        raw.sendall(head(path, "Content-Type: application/json", "Content-Length: 2000000"))
        assert raw.recv(100).startswith(b"HTTP/1.1 401")


def test_a_large_body_counts_as_many_requests(tmp_path, fake_models, monkeypatch):
    monkeypatch.setattr(client_limits, "BURST_SECONDS", 600)
    rows = json.dumps({"items": [{"text": "Rain.", "note": "x" * 500_000}]})
    with served(tmp_path, fake_models, requests_per_minute=1.0) as service:
        sent = {"content": rows, "headers": {"content-type": "application/json"}}
        assert [service.post("/v1/read", **sent).status_code for _ in range(2)] == [200, 429]
        with from_other(service) as other:
            assert other.post("/v1/read", json=ITEMS).status_code == 200


def test_a_question_without_a_type_of_json_is_refused(service):
    answer = service.post("/v1/read", content=json.dumps(ITEMS), headers={"content-type": "text/plain"})
    check_shape(answer, 415)


def test_choices_have_so_many_options_together(service):
    def choices(count):
        options = [f"Storm {number} shuts port" for number in range(16)]
        return {"items": [{"effect": f"Fuel {number} runs short", "options": options} for number in range(count)]}

    assert service.post("/v1/choose", json=choices(16)).status_code == 200
    answer = service.post("/v1/choose", json=choices(17))
    check_shape(answer, 422)
    assert "272 options" in answer.json()["detail"]
    assert "fewer items" in answer.json()["detail"]


@pytest.mark.parametrize("path", ["/v1/score", "/v1/choose"])
def test_the_documents_of_all_items_are_limited_together(service, path):
    def rows(count):
        ends = {"cause": "Fire", "effect": "Smoke", "options": ["Fire"]}
        return {"items": [{**ends, "context": [f"Report {2 * at}.", f"Report {2 * at + 1}."]} for at in range(count)]}

    assert service.post(path, json=rows(16)).status_code == 200
    answer = service.post(path, json=rows(17))
    assert answer.status_code == 422
    assert "32" in answer.json()["detail"]


def test_an_address_that_is_too_long_is_refused(service):
    fits = service.get("/v1/events?x=" + "a" * (MAX_ADDRESS_BYTES - len("/v1/eventsx=")))
    assert fits.status_code == 200
    check_shape(service.get("/v1/events?x=" + "a" * MAX_ADDRESS_BYTES), 414)
    check_shape(service.get("/v1/events/" + "a" * MAX_ADDRESS_BYTES), 414)


def test_invented_methods_and_paths_make_no_metrics(service):
    for number in range(20):
        service.web.request(f"INVENTED{number}", "/healthz")
        service.get(f"/nothing/{number}")
    lines = service.get("/metrics").text.splitlines()
    counted = [line for line in lines if line.startswith("whywire_requests_total")]
    assert 'whywire_requests_total{method="other",route="/healthz",status="405"} 20.0' in counted
    assert len(counted) < 5


def test_a_client_has_few_of_the_streams(tmp_path, fake_models, monkeypatch):
    monkeypatch.setattr(change_notifier, "MAX_STREAMS", 20)
    with served(tmp_path, fake_models) as service, contextlib.ExitStack() as opened:
        asked = [opened.enter_context(connected(service)) for _ in range(8)]
        for raw in asked:
            raw.sendall(head("/v1/changes/stream", method="GET"))
        answers = sorted(raw.recv(12) for raw in asked)
        assert answers == [b"HTTP/1.1 200"] * 2 + [b"HTTP/1.1 503"] * 6
        other = opened.enter_context(connected(service, OTHER))
        other.sendall(head("/v1/changes/stream", method="GET"))
        assert other.recv(12) == b"HTTP/1.1 200"
        assert service.context.notifier.listeners == 3


def test_a_client_has_few_of_the_connections_and_all_together_not_more_than_there_are(service):
    service.web.close()
    wait_until(lambda: not len(service.context.connections))
    service.context.connections = Connections(most=5, of_client=3)

    def ask(opened, address):
        raw = opened.enter_context(connected(service, address))
        try:
            raw.sendall(head("/healthz", method="GET"))
            return raw.recv(12)
        except ConnectionError:
            return b""

    with contextlib.ExitStack() as opened:
        answers = [ask(opened, address) for address in ("127.0.0.1",) * 4 + (OTHER,) * 3]
        assert answers == [b"HTTP/1.1 200"] * 3 + [b""] + [b"HTTP/1.1 200"] * 2 + [b""]
        assert len(service.context.connections) == 5
    wait_until(lambda: not len(service.context.connections))
    with contextlib.ExitStack() as opened:
        assert ask(opened, "127.0.0.1")


def test_behind_a_proxy_all_connections_may_be_of_one_address():
    alone, behind = (Connections.allowed(behind_proxy=proxy) for proxy in (False, True))
    assert 1 < alone.of_client < alone.most == behind.of_client == behind.most


@pytest.mark.parametrize("answered", [False, True], ids=["while it is read", "after it was answered"])
def test_who_drips_a_body_is_let_go(tmp_path, fake_models, monkeypatch, answered):
    monkeypatch.setattr(client_limits, "PATIENCE", 1.0)
    with served(tmp_path, fake_models) as service, connected(service) as raw:
        path = "/v1/nothing" if answered else "/v1/read"
        raw.sendall(head(path, "Content-Type: application/json", "Content-Length: 1000"))
        answer = b""
        with contextlib.suppress(ConnectionError):
            for _ in range(100):
                raw.sendall(b" ")
                raw.settimeout(0.1)
                with contextlib.suppress(TimeoutError):
                    piece = raw.recv(1000)
                    answer += piece
                    if not piece:
                        break
        assert answer.startswith(b"HTTP/1.1 404" if answered else b"HTTP/1.1 408")
        wait_until(lambda: not len(service.context.connections))


@pytest.mark.parametrize("rows", [100, 60_000], ids=["little", "much"])
def test_who_does_not_read_is_let_go(tmp_path, fake_models, monkeypatch, rows):
    """Much does not fit into the buffers of two sockets; little does, and is sent before anybody knows."""
    monkeypatch.setattr(client_limits, "PATIENCE", 1.0)
    with served(tmp_path, fake_models) as service:
        key = service.key("write")["authorization"]
        service.web.close()
        with connected(service, receive_buffer=4096) as raw:
            body = b"1\n" * rows
            lines = (f"Authorization: {key}", "Content-Type: application/x-ndjson", f"Content-Length: {len(body)}")
            raw.sendall(head("/v1/articles/bulk", *lines) + body)
            wait_until(lambda: not len(service.context.connections))
            raw.settimeout(20)
            answer = b""
            with contextlib.suppress(ConnectionError):
                while piece := raw.recv(2**16):
                    answer += piece
        assert (answer.count(b'"row"') == rows) == (rows == 100)


def test_large_answers_that_clients_read_are_bounded_and_one_of_several_readers_counts_once(service):
    key, path = service.key("write"), "/v1/articles?text=true&limit="
    for number in range(4):
        row = {"title": f"{number} قال المسؤول", "text": "قال المسؤول إن المصنع أغلق. " * 35_000}
        assert service.post("/v1/articles", json=row, headers=key).status_code == 202
    service.settle()
    service.context.unread = UnreadAnswers(most=2**20)
    with connected(service, receive_buffer=4096) as raw:
        raw.sendall(head(f"{path}50", method="GET"))
        wait_until(lambda: service.context.unread.size)
        same = service.get(f"{path}50", headers={"host": "x"})  # as in the head above
        assert len(same.content) == service.context.unread.size > 4 * 2**20
        check_shape(service.get(f"{path}49"), 503)
        assert service.get("/v1/status").status_code == 200
    wait_until(lambda: not service.context.unread.size)
    assert service.get(f"{path}49").status_code == 200


def test_an_answer_that_is_read_comes_whole(service, tmp_path):
    rows = 30_000
    headers = {**service.key("write"), "content-type": "application/x-ndjson"}
    answer = service.post("/v1/articles/bulk", content=b"1\n" * rows, headers=headers)
    assert [json.loads(line)["row"] for line in answer.text.splitlines()] == list(range(1, rows + 1))


def test_a_stream_has_so_many_lines(service, monkeypatch):
    monkeypatch.setattr("whywire.service.v1.articles.MAX_ROWS", 3)
    headers = {**service.key("write"), "content-type": "application/x-ndjson"}
    lines = [json.dumps({"id": f"a-{number}", "title": f"Storm {number}"}) for number in range(5)]
    assert service.post("/v1/articles/bulk", content="\n".join(lines[:3]), headers=headers).status_code == 200
    answer = service.post("/v1/articles/bulk", content="\n".join(lines[1:]), headers=headers)
    check_shape(answer, 413)
    service.settle()
    assert {row["id"] for row in service.get("/v1/articles").json()["items"]} == {"a-0", "a-1", "a-2", "a-3"}


class SlowModels(FakeLanguageModels):
    """A sentence is read in a while, or when it is allowed."""

    def __init__(self):
        super().__init__()
        self.seconds = 0.1
        self.reads, self.may_go_on = threading.Event(), threading.Event()

    def _sentence_rules(self, name):
        models = self

        class Slow(FakeSentences):
            def answers(self, encoding):
                models.reads.set()
                models.may_go_on.wait(models.seconds)
                return super().answers(encoding)

        return Slow(name)


@pytest.fixture
def slow_models():
    return SlowModels()


def test_questions_to_the_models_of_one_client_hold_up_nobody_else(tmp_path, slow_models, monkeypatch):
    monkeypatch.setattr(inference_pool, "WAITING", 8)
    with served(tmp_path, slow_models) as service, contextlib.ExitStack() as opened:
        statuses = []

        def ask():
            with httpx2.Client(base_url=service.url, timeout=30) as web:
                statuses.append(web.post("/v1/read", json=MANY_ITEMS).status_code)

        threads = [threading.Thread(target=ask) for _ in range(6)]
        for thread in threads:
            thread.start()
        assert slow_models.reads.wait(20)
        wait_until(lambda: statuses == [503] * 3)  # one is read, two may wait
        other = opened.enter_context(from_other(service))
        assert other.post("/v1/read", json=ITEMS).status_code == 200
        for path in ("/v1/why?question=e-1", "/v1/graph", "/v1/stories", "/why?q=rain"):
            assert other.get(path).status_code in (200, 422), path
        assert statuses == [503] * 3  # all the while the others are not done
        slow_models.may_go_on.set()
        for thread in threads:
            thread.join(20)
        assert statuses == [503] * 3 + [200] * 3


def test_a_stop_leaves_a_long_question_and_answers_it(tmp_path, slow_models, monkeypatch):
    monkeypatch.setattr(context, "STOP_SECONDS", 2.0)
    statuses = []
    slow_models.seconds = 20
    with served(tmp_path, slow_models) as service:

        def ask():
            with httpx2.Client(base_url=service.url, timeout=60) as web:
                answer = web.post("/v1/read", json=MANY_ITEMS)
                statuses.append((answer.status_code, answer.json()["detail"]))

        thread = threading.Thread(target=ask)
        thread.start()
        assert slow_models.reads.wait(20)
        threading.Timer(1.4, slow_models.may_go_on.set).start()  # later than questions are left
    thread.join(20)
    assert statuses == [(503, "the service stops")]


def test_lines_of_a_log_are_limited_a_minute_and_those_left_out_are_counted():
    limit = LineLimit()

    def write(level, at, name="a"):
        record = logging.makeLogRecord({"name": name, "levelno": level, "created": at})
        return getattr(record, "left_out", 0) if limit.filter(record) else None

    for level, most in ((logging.INFO, MAX_LINES), (logging.ERROR, MAX_WARNINGS)):
        written = [write(level, 60.0) for _ in range(most + 7)]
        assert written == [0] * most + [None] * 7
        assert write(level, 60.0, name="b") == 0
        assert [write(level, 120.0), write(level, 120.0)] == [7, 0]
