from starlette.responses import Response
from tests.service.servers import running

from whywire.service.kept_answers import KeptAnswers
from whywire.service.settings import Settings


def test_what_was_asked_for_longest_ago_is_forgotten():
    kept = KeptAnswers(max_bytes=100)
    for number in range(5):
        kept.keep((1, str(number)), Response(b"x" * 25))
        kept.get((1, "0"))
    assert [kept.get((1, str(number))) is not None for number in range(5)] == [True, False, True, True, True]


def test_errors_and_large_answers_are_not_kept():
    kept = KeptAnswers(max_bytes=100)
    kept.keep((1, "error"), Response(b"x", 404))
    kept.keep((1, "large"), Response(b"x" * 26))
    assert kept.get((1, "error")) is None
    assert kept.get((1, "large")) is None


def test_an_answer_is_kept_until_the_store_changes(service):
    key = service.key("write")
    assert service.get("/v1/events").json()["items"] == []
    service.post("/v1/articles", json={"title": "Fire"}, headers=key)
    service.settle()
    first = service.get("/v1/events")
    again = service.get("/v1/events")
    assert len(first.json()["items"]) == 1
    assert again.content == first.content
    assert again.headers["etag"] == first.headers["etag"]
    assert service.get("/v1/events", headers={"if-none-match": first.headers["etag"]}).status_code == 304
    service.post("/v1/articles", json={"title": "Rain in the north"}, headers=key)
    service.settle()
    assert len(service.get("/v1/events").json()["items"]) == 2


def test_a_kept_answer_is_not_for_everybody(tmp_path, fake_models):
    with running(Settings(store=tmp_path / "news.db", port=0, open_reading=False), fake_models) as one:
        assert one.get("/v1/events", headers=one.key("read")).status_code == 200
        assert one.get("/v1/events").status_code == 401
