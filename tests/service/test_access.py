import base64

import pytest
from tests.service.servers import running
from tests.service.test_problems import check_shape

from whywire.errors import InputError
from whywire.service import client_limits
from whywire.service.client_limits import RateLimits, network_of
from whywire.service.keys import Keys, find_key, keys
from whywire.service.settings import Settings

FIRE = {"title": "Fire shuts refinery"}


@pytest.fixture
def closed(tmp_path, fake_models):
    """A service that answers nobody without a key."""
    with running(Settings(store=tmp_path / "news.db", port=0, open_reading=False), fake_models) as one:
        yield one


def test_writing_needs_a_key_that_may_write(service):
    check_shape(service.post("/v1/articles", json=FIRE), 401)
    check_shape(service.post("/v1/articles", json=FIRE, headers=service.key("read")), 403)
    assert service.post("/v1/articles", json=FIRE, headers=service.key("write")).status_code == 202
    assert service.post("/v1/articles", json=FIRE, headers=service.key("admin")).status_code == 200


def test_a_revoked_key_stops_working_at_once(service):
    made = Keys(service.context.store).make("feeds", ["write"])
    header = {"authorization": f"Bearer {made.token}"}
    assert service.post("/v1/articles", json=FIRE, headers=header).status_code == 202
    Keys(service.context.store).revoke(made.key.id)
    check_shape(service.post("/v1/articles", json=FIRE, headers=header), 401)


@pytest.mark.parametrize("change", ["-", "x", "last", "prefix", "case"])
def test_words_that_are_no_key_are_refused(service, change):
    words = Keys(service.context.store).make("feeds").token
    wrong = {
        "-": "-",
        "x": "x" * 5000,
        "last": words[:-1] + ("a" if words[-1] != "a" else "b"),
        "prefix": words.replace(words.split("_")[1], "0" * 12),
        "case": words.swapcase(),
    }[change]
    answer = service.get("/v1/events", headers={"authorization": f"Bearer {wrong}"})
    check_shape(answer, 401)
    assert answer.headers["www-authenticate"] == 'Bearer realm="whywire"'


def test_where_reading_is_closed_every_route_needs_a_key(closed):
    description = closed.get("/v1/openapi.json", headers=closed.key("read"))
    for path, methods in description.json()["paths"].items():
        for method in methods:
            answer = closed.web.request(method.upper(), path.replace("{", "").replace("}", ""))
            check_shape(answer, 401)
    assert closed.get("/v1/events", headers=closed.key("read")).status_code == 200
    assert closed.get("/healthz").status_code == 200
    check_shape(closed.get("/metrics"), 401)
    assert closed.get("/metrics", headers=closed.key("read")).status_code == 200


def test_a_browser_may_read_with_its_own_dialogue_but_not_write(closed):
    made = Keys(closed.context.store).make("a person", ["read", "write"])
    header = {"authorization": "Basic " + base64.b64encode(f"me:{made.token}".encode()).decode()}
    assert closed.get("/v1/events", headers=header).status_code == 200
    check_shape(closed.post("/v1/articles", json=FIRE, headers=header), 401)
    check_shape(closed.get("/v1/events", headers={"authorization": "Basic %%%"}), 401)


def test_the_words_of_a_key_are_not_in_the_store(tmp_path):
    with keys(tmp_path / "news.db") as own:
        made = own.make("  the feed   reader ", ["write", "read"])
        assert (made.key.name, made.key.scopes) == ("the feed reader", ("read", "write"))
        assert find_key(own._store, made.token) == made.key
    held = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert made.token.split("_", 2)[2].encode() not in held


def test_a_key_that_is_used_says_when(service):
    header = service.key("read")
    assert service.context.store.keys()[0].last_used is None
    service.get("/v1/events", headers=header)
    assert service.context.store.keys()[0].last_used is not None


def test_keys_that_make_no_sense(tmp_path):
    with keys(tmp_path / "news.db") as own:
        for name, scopes, wrong in [
            (" ", ["read"], "needs a name"),
            ("x", ["all"], "no scope 'all'"),
            ("x", [], "needs a scope"),
        ]:
            with pytest.raises(InputError, match=wrong):
                own.make(name, scopes)
        with pytest.raises(InputError, match="no key in force"):
            own.revoke("unknown")


def test_a_bucket_fills_again():
    limits = RateLimits(per_minute=60, burst=2)
    assert [limits.take("a", now=now) for now in (0, 0)] == [0, 0]
    assert limits.take("a", now=0.5) == pytest.approx(0.5)
    assert limits.take("b", now=0.5) == 0
    assert limits.take("a", now=1.5) == 0


def test_addresses_of_one_network_of_ipv6_count_as_one():
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff:1") != network_of("2001:db8:0:1::1")
    assert network_of("::ffff:192.0.2.1") == network_of("192.0.2.1") == "192.0.2.1"
    assert network_of("fe80::1%eth0") == network_of("fe80::2")
    assert network_of("unix socket") == "unix socket"


def test_who_asks_too_often_is_told_when_to_come_back(tmp_path, fake_models, monkeypatch):
    monkeypatch.setattr(client_limits, "BURST_SECONDS", 30)
    with running(Settings(store=tmp_path / "news.db", port=0, requests_per_minute=6), fake_models) as one:
        assert [one.get("/v1/events").status_code for _ in range(3)] == [200] * 3
        answer = one.get("/v1/events")
        check_shape(answer, 429)
        assert 1 <= int(answer.headers["retry-after"]) <= 10
        assert one.get("/v1/events", headers=one.key("read")).status_code == 200
        assert one.get("/healthz").status_code == 200


def test_only_named_hosts_are_served(tmp_path, fake_models):
    with running(Settings(store=tmp_path / "news.db", port=0, allowed_hosts=("127.0.0.1",)), fake_models) as one:
        assert one.get("/v1/events").status_code == 200
        check_shape(one.get("/v1/events", headers={"host": "evil.example"}), 400)
        check_shape(one.get("/metrics", headers={"host": "evil.example"}), 400)
        probed = [one.get(path, headers={"host": "10.1.2.3:8765"}).status_code for path in ("/healthz", "/readyz")]
        assert probed == [200, 200]


def test_pages_of_other_sites_may_call_only_if_they_are_named(tmp_path, fake_models):
    site = "https://desk.example"
    with running(Settings(store=tmp_path / "news.db", port=0, cors_origins=(site,)), fake_models) as one:
        answer = one.get("/v1/events", headers={"origin": site})
        assert answer.headers["access-control-allow-origin"] == site
        other = one.get("/v1/events", headers={"origin": "https://other.example"})
        assert "access-control-allow-origin" not in other.headers
