"""Articles replaced and withdrawn over HTTP, and by the client."""

import pytest

import whywire

FIRE = {
    "id": "a-1",
    "title": "Fire shuts refinery",
    "text": "The fire was caused by lightning.",
    "url": "https://post.example/fire",
    "language": "en",
}
SPARK = FIRE | {"text": "The fire was caused by a spark."}
RAIN = {"id": "a-2", "title": "Rain floods the harbour", "url": "https://post.example/rain"}


@pytest.fixture
def filled(service):
    """A service that has taken an article in, and the header of a key."""
    key = service.key("write")
    service.post("/v1/articles", json=FIRE, headers=key)
    service.settle()
    return service, key


def kinds(service):
    return [row["kind"] for row in service.get("/v1/changes").json()["items"]]


def test_a_new_version_takes_the_place_of_the_old_one_which_stays_in_the_history(filled):
    service, key = filled
    event = next(one for one in service.get("/v1/events").json()["items"] if one["title"] == FIRE["title"])
    answer = service.web.put("/v1/articles/a-1", json={k: v for k, v in SPARK.items() if k != "id"}, headers=key)
    assert (answer.status_code, answer.json()) == (
        202,
        {"id": "a-1", "outcome": "replaced", "reason": None, "notes": []},
    )
    service.settle()
    assert service.get("/v1/articles/a-1").json()["text"] == SPARK["text"]
    again = service.web.put("/v1/articles/a-1", json=SPARK, headers=key)
    assert (again.status_code, again.json()["outcome"]) == (200, "known")
    changes = service.get("/v1/changes", params={"event": event["id"]}).json()["items"]
    (told,) = [row for row in changes if row["kind"] == "article replaced"]
    assert (told["subject"], told["object"], told["details"]["before"]["text"]) == ("a-1", event["id"], FIRE["text"])
    for page in ("/changes", f"/events/{event['id']}"):
        assert "lightning" in service.get(page).text


def test_a_new_version_without_a_url_keeps_that_of_the_article(filled):
    service, key = filled
    version = {"title": SPARK["title"], "text": SPARK["text"], "language": "en"}
    assert service.web.put("/v1/articles/a-1", json=version, headers=key).json()["outcome"] == "replaced"
    service.settle()
    found = service.get("/v1/articles/a-1").json()
    assert (found["text"], found["url"]) == (SPARK["text"], FIRE["url"])
    again = service.web.put("/v1/articles/a-1", json=version, headers=key)
    assert (again.status_code, again.json()["outcome"]) == (200, "known")
    elsewhere = version | {"url": "https://post.example/moved"}
    service.web.put("/v1/articles/a-1", json=elsewhere, headers=key)
    service.settle()
    assert service.get("/v1/articles/a-1").json()["url"] == elsewhere["url"]


def test_a_withdrawn_article_and_its_event_are_gone(filled):
    service, key = filled
    event = next(one for one in service.get("/v1/events").json()["items"] if one["title"] == FIRE["title"])
    assert service.web.delete("/v1/articles/a-1", headers=key).json()["outcome"] == "withdrawn"
    service.settle()
    assert service.get("/v1/articles/a-1").status_code == 404
    assert service.get(f"/v1/events/{event['id']}").status_code == 410
    assert "no more" in service.get(f"/events/{event['id']}").text
    assert service.get("/v1/events").json()["items"] == []
    assert {"article withdrawn", "event ended"} < {*kinds(service)}
    assert service.web.delete("/v1/articles/a-1", headers=key).status_code == 404


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("a-1", SPARK | {"id": "a-2"}, 422),
        ("a-1", {"text": "no title"}, 422),
        ("a-1", [1], 422),
        ("a-1", FIRE | {"url": RAIN["url"]}, 409),
        ("a-3", SPARK | {"id": "a-3"}, 202),
        ("https%3A%2F%2Fpost.example%2Fodd%3Fa%20b", {"title": "Odd"}, 202),
    ],
)
def test_what_cannot_be_put_is_refused(filled, path, body, status):
    service, key = filled
    service.post("/v1/articles", json=RAIN, headers=key)
    answer = service.web.put(f"/v1/articles/{path}", json=body, headers=key)
    assert answer.status_code == status, answer.text
    assert service.web.put(f"/v1/articles/{path}", json=body).status_code == 401
    assert service.web.delete(f"/v1/articles/{path}").status_code == 401


def test_an_article_that_waits_is_found_and_can_be_replaced_and_withdrawn(service):
    service.context._worker.stop()
    service.context._worker.join(30)
    key = service.key("write")
    service.post("/v1/articles", json=FIRE, headers=key)
    answer = service.get("/v1/articles/a-1")
    assert (answer.status_code, answer.json()) == (202, FIRE | {"status": "waiting", "reason": None})
    conflict = service.post("/v1/articles", json=SPARK, headers=key)
    assert (conflict.status_code, "PUT" in conflict.json()["detail"]) == (409, True)
    service.web.put("/v1/articles/a-1", json=SPARK, headers=key)
    assert service.get("/v1/articles/a-1").json()["text"] == SPARK["text"]
    assert service.context.store.waiting() == 1
    service.web.delete("/v1/articles/a-1", headers=key)
    assert service.get("/v1/articles/a-1").status_code == 404


def test_the_client_replaces_and_withdraws(filled):
    service, key = filled
    with whywire.Client(service.url, key["authorization"].removeprefix("Bearer ")) as client:
        assert client.replace(SPARK)["outcome"] == "replaced"
        service.settle()
        assert client.article("a-1").text == SPARK["text"]
        assert client.replace(RAIN)["outcome"] == "new"
        assert client.withdraw(f"{FIRE['url']}?utm_source=x")["id"] == "a-1"
        service.settle()
        assert [article.id for article in client.articles()] == ["a-2"]
        with pytest.raises(whywire.ServiceError, match="no article a-1"):
            client.withdraw("a-1")
