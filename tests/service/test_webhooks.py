"""Webhooks of a running service: news comes signed, in order, until it is taken, and never where it must not."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import socket
import time
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from tests.service.receivers import receiving
from tests.service.servers import running
from tests.service.test_problems import check_shape

import whywire
from whywire.api.webhooks import make_secret
from whywire.client.connection import ServiceError
from whywire.errors import InputError
from whywire.service import webhooks
from whywire.service.settings import Settings
from whywire.service.telemetry import log_to
from whywire.service.webhooks import NotTakenError, WebhookSender, pause_after, trial_message
from whywire.store import Topic, TopicKind, Watch

NUMBERS = count(1)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    """Pauses of an instant."""
    monkeypatch.setattr(webhooks, "FIRST_PAUSE", 0.02)
    monkeypatch.setattr(webhooks, "IDLE_SECONDS", 0.02)


@pytest.fixture
def settings(tmp_path):
    return Settings(store=tmp_path / "news.db", port=0, private_webhooks=True)


@pytest.fixture
def service(settings, fake_models):
    with running(settings, fake_models) as one:
        yield one


@pytest.fixture
def receiver():
    with receiving() as one:
        yield one


def follow(service, url, value="fire", **fields):
    """Make a watch; return its row, with the secret."""
    given = {"kind": "words", "value": value, "webhook": url} | fields
    answer = service.post("/v1/watches", json=given, headers=service.key("write"))
    assert answer.status_code == 201, answer.text
    return answer.json()


def report(service, title):
    """Have an article taken in."""
    row = {"title": title, "id": f"a-{next(NUMBERS)}", "published": "2026-03-04T10:00:00Z"}
    assert service.post("/v1/articles", json=row, headers=service.key("write")).status_code == 202
    service.settle()


def test_what_is_new_comes_signed_and_only_that(service, receiver):
    report(service, "Fire before anybody followed it")
    watch = follow(service, f"{receiver.url}/hook", name="Fires")
    report(service, "Rain floods the fields of Ellery")
    report(service, "Fire destroys the mill of Varnholt")
    receiver.until(lambda one: one.came)
    [message] = receiver.came
    assert message.is_signed_with(watch["secret"])
    assert not message.is_signed_with(make_secret())
    assert abs(int(message.headers["webhook-timestamp"]) - time.time()) < 60
    assert message.headers["content-type"] == "application/json"
    content = message.content
    assert content["type"] == "watch.changes"
    assert content["data"]["watch"] == {"id": watch["id"], "name": "Fires", "kind": "words", "value": "fire"}
    [change] = content["data"]["changes"]
    assert (change["kind"], change["details"]["title"]) == ("article added", "Fire destroys the mill of Varnholt")
    titles = {one["id"]: one["title"] for one in service.get("/v1/stories").json()["items"]}
    assert change["story_title"] == titles[change["story"]]
    listed = service.get("/v1/changes", params={"limit": 100}).json()["items"]
    assert {name: change[name] for name in listed[0]} in listed
    assert service.get(f"/events/{change['story']}").status_code == 200


def test_a_feed_has_the_same_entries(service, receiver):
    feedparser = pytest.importorskip("feedparser", reason="the extra feeds is not installed")
    watch = follow(service, receiver.url)
    for title in ("Fire destroys the mill of Varnholt", "Rain in Ellery", "Fire closes the refinery of Teskal"):
        report(service, title)
    receiver.until(lambda one: sum(len(message.changes) for message in one.came) == 2)
    sent = [number for message in receiver.came for number in message.changes]
    feed = feedparser.parse(service.get("/feed.atom", params={"watch": watch["id"]}).content)
    assert [int(entry.id.rpartition(":")[2]) for entry in feed.entries] == sent[::-1]
    assert feed.feed.title == "Whywire: fire"
    assert service.get("/feed.atom", params={"watch": "w-none"}).status_code == 404


def test_it_is_sent_again_until_it_is_taken_with_the_same_words(service, receiver):
    receiver.statuses = [500, 302, 429]
    receiver.headers = {"Location": f"{receiver.url}/elsewhere"}
    watch = follow(service, receiver.url)
    report(service, "Fire destroys the mill of Varnholt")
    receiver.until(lambda one: len(one.came) == 4)
    report(service, "Fire closes the refinery of Teskal")
    receiver.until(lambda one: len(one.came) == 5)
    first, *again, following = receiver.came
    assert {(message.id, message.body) for message in again} == {(first.id, first.body)}
    assert all(message.is_signed_with(watch["secret"]) for message in receiver.came)
    assert following.id != first.id
    assert following.changes[0] > first.changes[-1]
    settled(service, watch, lambda row: row["delivered_at"] and not row["failures"] and row["last_error"] is None)


def settled(service, watch, holds, seconds=30):
    """Wait until something holds of the row of a watch; return the row."""
    end = time.monotonic() + seconds
    while not holds(row := service.get(f"/v1/watches/{watch['id']}").json()):
        assert time.monotonic() < end, row
        time.sleep(0.02)
    return row


def test_the_reason_of_a_failure_is_shown(service, monkeypatch):
    monkeypatch.setattr(webhooks, "FIRST_PAUSE", 3600.0)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens
        watch = follow(service, f"http://127.0.0.1:{taken.getsockname()[1]}/")
        report(service, "Fire destroys the mill of Varnholt")
        row = settled(service, watch, lambda row: row["failures"])
    assert "no connection" in row["last_error"]
    assert datetime.fromisoformat(row["next_try"]) - datetime.now(UTC) > timedelta(minutes=30)
    assert row["last_error"] in service.get("/watches").text
    assert 'whywire_webhooks_total{outcome="failed"} 1.0' in service.get("/metrics").text


def test_nothing_is_lost_when_the_service_stops_meanwhile(settings, fake_models, receiver):
    receiver.statuses = [500] * 1000
    with running(settings, fake_models) as service:
        watch = follow(service, receiver.url)
        report(service, "Fire destroys the mill of Varnholt")
        receiver.until(lambda one: one.came)
    refused = len(receiver.came)
    receiver.statuses = []
    with running(settings, fake_models) as service:
        receiver.until(lambda one: len(one.came) > refused)
        report(service, "Fire closes the refinery of Teskal")
        receiver.until(lambda one: len(one.came) == refused + 2)
    first, last, following = receiver.came[0], *receiver.came[refused:]
    assert (last.id, last.body) == (first.id, first.body)
    assert last.is_signed_with(watch["secret"])
    assert following.changes[0] > last.changes[-1]


def test_a_receiver_that_is_gone_or_silent_for_a_day_is_left_alone(service, receiver, monkeypatch):
    receiver.statuses = [410, 500]
    watch = follow(service, receiver.url)
    report(service, "Fire destroys the mill of Varnholt")
    row = settled(service, watch, lambda row: row["paused"])
    assert row["last_error"] == "the receiver answered 410"
    monkeypatch.setattr(webhooks, "GIVEN_UP", timedelta(0))
    change(service, watch, paused=False)
    row = settled(service, watch, lambda row: row["paused"])
    assert row["last_error"] == "the receiver answered 500"
    assert "paused" in service.get("/watches").text
    change(service, watch, paused=False)
    receiver.until(lambda one: len(one.came) == 3)
    assert len({message.id for message in receiver.came}) == 1
    settled(service, watch, lambda row: row["delivered_at"])


def change(service, watch, **fields):
    answer = service.web.patch(f"/v1/watches/{watch['id']}", json=fields, headers=service.key("write"))
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_of_two_services_on_one_store_one_sends(postgresql, fake_models, receiver):
    settings = Settings(store=postgresql.make_database(), port=0, private_webhooks=True)
    with running(settings, fake_models) as one, running(settings, fake_models) as other:
        follow(one, receiver.url)
        for number in range(8):
            report((one, other)[number % 2], f"Fire {number} in the mill of Varnholt")
        receiver.until(lambda came: sum(len(message.changes) for message in came.came) >= 8)
        time.sleep(0.3)  # what would be sent twice had time to be
    sent = [number for message in receiver.came for number in message.changes]
    assert sent == sorted(set(sent))


def test_a_secret_is_shown_once_and_never_again(settings, fake_models, receiver):
    lines = io.StringIO()
    handler = log_to(lines, logging.DEBUG)
    try:
        with running(settings, fake_models) as service:
            receiver.statuses = [500]
            watch = follow(service, f"{receiver.url}/T0KEN?key=T0KEN")
            report(service, "Fire destroys the mill of Varnholt")
            receiver.until(lambda one: len(one.came) == 2)
            row = settled(service, watch, lambda row: row["delivered_at"])
            paths = ("/v1/watches", f"/v1/watches/{watch['id']}", "/watches", f"/feed.atom?watch={watch['id']}")
            shown = [service.get(path).text for path in (*paths, "/status", "/metrics")]
            shown.append(json.dumps(change(service, watch, name="Fires")))
    finally:
        logging.getLogger("whywire").removeHandler(handler)
    assert row["webhook"] == receiver.url, "without the path, which may be a secret itself"
    assert "webhook" in lines.getvalue()
    for text in (*shown, lines.getvalue()):
        assert watch["secret"].removeprefix("whsec_") not in text
        assert "T0KEN" not in text


def test_a_webhook_that_is_set_again_gets_another_secret(service, receiver):
    watch = follow(service, receiver.url)
    assert change(service, watch, name="Fires")["secret"] is None
    secret = change(service, watch, webhook=receiver.url)["secret"]
    assert secret not in (None, watch["secret"])
    report(service, "Fire destroys the mill of Varnholt")
    receiver.until(lambda one: one.came)
    assert receiver.came[0].is_signed_with(secret)
    assert not receiver.came[0].is_signed_with(watch["secret"])
    assert change(service, watch, webhook=None)["webhook"] is None


def test_a_receiver_is_tried_out(service, receiver):
    receiver.statuses = [500]
    watch = follow(service, receiver.url)
    test = f"/v1/watches/{watch['id']}/test"
    answers = [service.post(test, headers=service.key("write")).json() for _ in range(2)]
    assert answers == [{"taken": False, "reason": "the receiver answered 500"}, {"taken": True, "reason": None}]
    assert [message.content["type"] for message in receiver.came] == ["watch.test"] * 2
    assert all(message.is_signed_with(watch["secret"]) for message in receiver.came)
    assert service.get(f"/v1/watches/{watch['id']}").json()["failures"] == 0
    without = follow(service, None)
    refused = service.post(f"/v1/watches/{without['id']}/test", headers=service.key("write")).json()
    assert refused == {"taken": False, "reason": "there is no webhook"}


def test_watches_are_kept_by_the_python_client(service, receiver):
    key = service.key("write")["authorization"].removeprefix("Bearer ")
    with whywire.Client(service.url, key=key) as news:
        made = news.add_watch("words", "fire", name="Fires", webhook=receiver.url)
        assert [row["id"] for row in news.watches()] == [made["id"]]
        assert news.test_watch(made["id"]) == {"taken": True, "reason": None}
        assert receiver.came[0].is_signed_with(made["secret"])
        assert news.change_watch(made["id"], paused=True)["secret"] is None
        assert news.watch(made["id"])["paused"] is True
        assert news.change_watch(made["id"], webhook=receiver.url)["secret"] != made["secret"]
        assert news.remove_watch(made["id"])["name"] == "Fires"
        assert [*news.watches()] == []
        with pytest.raises(ServiceError, match="no watch"):
            news.watch(made["id"])


# Who may do what, and what cannot be followed.


def test_following_needs_a_key_that_may_write(service, receiver):
    watch = follow(service, receiver.url)
    own = f"/v1/watches/{watch['id']}"
    given = {"kind": "words", "value": "fire"}
    for method, path, body in (
        ("POST", "/v1/watches", given),
        ("PATCH", own, {"paused": True}),
        ("DELETE", own, None),
        ("POST", f"{own}/test", None),
    ):
        check_shape(service.web.request(method, path, json=body), 401)
        check_shape(service.web.request(method, path, json=body, headers=service.key("read")), 403)
    assert receiver.came == []
    assert service.get("/v1/watches").json()["items"] == [service.get(own).json()]
    assert service.web.delete(own, headers=service.key("write")).json()["id"] == watch["id"]
    for method, path in (("GET", own), ("PATCH", own), ("DELETE", own), ("POST", f"{own}/test")):
        json_body = {"paused": True} if method == "PATCH" else None
        check_shape(service.web.request(method, path, json=json_body, headers=service.key("write")), 404)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"kind": "words", "value": " "}, "0 words"),
        ({"kind": "words", "value": "a\u0000fire"}, "invisible"),
        ({"kind": "words", "value": "fire", "name": "\u202efire"}, "invisible"),
        ({"kind": "place", "value": "Calder Bay"}, "no listed place"),
        ({"kind": "story", "value": "e-none"}, "no story"),
        ({"kind": "people", "value": "fire"}, "'words', 'place' or 'story'"),
        ({"kind": "words", "value": "fire", "webhook": "ftp://a.example/"}, "not a web address"),
        ({"kind": "words", "value": "fire", "webhook": "https://me:secret@a.example/"}, "user name"),
        ({"kind": "words", "value": "fire", "webhook": "https://169.254.169.254/"}, "special address"),
        ({"kind": "words", "value": "fire", "webhook": "http://8.8.8.8/"}, "public address"),
        ({"kind": "words", "value": "fire", "secret": "x"}, "Extra inputs"),
    ],
)
def test_what_cannot_be_followed_is_refused_with_the_reason(service, given, reason):
    answer = service.post("/v1/watches", json=given, headers=service.key("write"))
    check_shape(answer, 422)
    assert reason in answer.text
    assert service.get("/v1/watches").json()["items"] == []


@pytest.mark.parametrize(
    ("webhook", "reason"),
    [
        ("http://hooks.example/", "https://"),
        ("https://127.0.0.1/", "--private-webhooks"),
        ("https://[::1]/", "--private-webhooks"),
        ("https://[::ffff:10.0.0.1]/", "--private-webhooks"),
    ],
)
def test_private_addresses_need_leave(tmp_path, fake_models, webhook, reason):
    with running(Settings(store=tmp_path / "news.db", port=0), fake_models) as service:
        given = {"kind": "words", "value": "fire", "webhook": webhook}
        answer = service.post("/v1/watches", json=given, headers=service.key("write"))
        check_shape(answer, 422)
        assert reason in answer.text


# Where messages go.


def send(webhook, *answers, allow_private=False, seconds=5.0):
    """Send a trial message; names resolve to these addresses, one after the other."""
    left = list(answers)

    async def resolve(host, port):
        return left.pop(0)

    watch = Watch("w", "Fires", Topic(TopicKind.WORDS, "fire"), datetime.now(UTC), "k", webhook, make_secret())

    async def send_all():
        async with WebhookSender(allow_private=allow_private, seconds=seconds, resolve=resolve) as sender:
            while left:
                await sender.send(watch, *trial_message(watch))

    asyncio.run(send_all())


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1", "::1", "::ffff:127.0.0.1", "169.254.169.254"])
def test_a_name_is_judged_by_the_address_that_is_dialled(receiver, address):
    with pytest.raises(NotTakenError, match=r"(private|special) address.*--private-webhooks"):
        send(f"https://hooks.example:{receiver.port}/", [address])
    assert receiver.came == []


def test_a_name_that_points_elsewhere_when_asked_again_is_refused(receiver):
    url = f"http://hooks.example:{receiver.port}/"
    with pytest.raises(NotTakenError, match="special address"):
        send(url, ["127.0.0.1"], ["169.254.169.254"], allow_private=True)
    assert len(receiver.came) == 1
    with pytest.raises(NotTakenError, match="special address"):
        send(url, ["127.0.0.1", "169.254.169.254"], allow_private=True)
    assert len(receiver.came) == 1


def test_what_is_not_encrypted_leaves_no_private_network(receiver):
    url = f"http://hooks.example:{receiver.port}/"
    with pytest.raises(NotTakenError, match=r"public address.*https"):
        send(url, ["93.184.215.14"], allow_private=True)
    with pytest.raises(NotTakenError, match="--private-webhooks"):
        send(url, ["127.0.0.1"])
    assert receiver.came == []


def test_a_receiver_that_never_answers_is_not_waited_for(receiver):
    receiver.wait = 2.0
    with pytest.raises(NotTakenError, match=r"within 0\.3 seconds"):
        send(f"{receiver.url}/", ["127.0.0.1"], allow_private=True, seconds=0.3)


def test_pauses_double_up_to_an_hour(monkeypatch):
    monkeypatch.setattr(webhooks, "FIRST_PAUSE", 5.0)
    assert [pause_after(failures, 0) for failures in (1, 2, 3, 10, 11, 1000)] == [5, 10, 20, 2560, 3600, 3600]
    assert pause_after(1, -1) == 4
    assert all(4 <= pause_after(1) <= 6 for _ in range(100))


# Receivers in Python.

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
SENT = {"webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330"}
BODY = b'{"test": 2432232314}'
"""The example of the documentation of Standard Webhooks, and its signature."""

SIGNED = SENT | {"webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="}
LONG_AGO = time.time() - 1614265330 + 24 * 60 * 60


def test_a_receiver_in_python_verifies_the_message(service, receiver):
    assert whywire.verify_webhook(SECRET, SIGNED, BODY, tolerance=LONG_AGO) == {"test": 2432232314}
    watch = follow(service, receiver.url)
    report(service, "Fire destroys the mill of Varnholt")
    receiver.until(lambda one: one.came)
    [message] = receiver.came
    headers = {name.title(): value for name, value in message.headers.items()}
    assert whywire.verify_webhook(watch["secret"], headers, message.body) == message.content


@pytest.mark.parametrize(
    ("secret", "headers", "body", "reason"),
    [
        (SECRET, SIGNED, BODY + b" ", "another secret"),
        ("whsec_" + "A" * 32, SIGNED, BODY, "another secret"),
        (SECRET, SIGNED | {"webhook-id": "msg_2"}, BODY, "another secret"),
        (SECRET, SIGNED | {"webhook-timestamp": "1614265331"}, BODY, "another secret"),
        (SECRET, SIGNED | {"webhook-signature": "v1,é v2,x"}, BODY, "another secret"),
        (SECRET, SENT, BODY, "no header webhook-signature"),
        (SECRET, SIGNED | {"webhook-timestamp": "now"}, BODY, "not a number"),
        ("whsec_%%%", SIGNED, BODY, "not a secret"),
    ],
)
def test_what_was_not_signed_so_is_refused(secret, headers, body, reason):
    with pytest.raises(InputError, match=reason):
        whywire.verify_webhook(secret, headers, body, tolerance=LONG_AGO)


def test_an_old_message_is_refused():
    with pytest.raises(InputError, match="seconds old"):
        whywire.verify_webhook(SECRET, SIGNED, BODY)


def test_one_of_several_signatures_is_enough():
    several = SIGNED | {"webhook-signature": f"v1,AAAA {SIGNED['webhook-signature']}"}
    assert whywire.verify_webhook(SECRET, several, BODY, tolerance=LONG_AGO)
