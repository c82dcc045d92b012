import json

import pytest

NDJSON = {"content-type": "application/x-ndjson"}
FIRE = {"id": "a-1", "title": "Fire shuts refinery", "published": "2026-03-04T10:00Z", "source": "Harbour Post"}


def rows_of(answer):
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


def test_an_article_comes_in_and_appears_with_its_event(service):
    key = service.key("write")
    answer = service.post("/v1/articles", json=FIRE, headers=key)
    assert answer.status_code == 202
    assert answer.json() == {"id": "a-1", "outcome": "new", "reason": None, "notes": []}
    service.settle()
    assert service.get("/v1/articles/a-1").json()["title"] == "Fire shuts refinery"
    (event,) = service.get("/v1/events").json()["items"]
    assert event["articles"] == ["a-1"]
    again = service.post("/v1/articles", json=FIRE, headers=key)
    assert (again.status_code, again.json()["outcome"]) == (200, "known")


def test_another_article_with_a_known_id_is_a_conflict(service):
    key = service.key("write")
    service.post("/v1/articles", json=FIRE, headers=key)
    answer = service.post("/v1/articles", json=FIRE | {"title": "Something else"}, headers=key)
    assert answer.status_code == 409
    assert "another article has its id" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "there is no article in it"),
        (b"{", "broken JSON"),
        (b"[]", "a row must be an object"),
        (b'{"text": "x"}', "there is no title"),
        (b'{"title": " "}', "the title is empty"),
        (b'{"title": 3}', "title must be a string"),
        (b'{"title": "x", "links": 3}', "links must be a list"),
        (b'{"title": "\xff"}', "is not UTF-8"),
        (b'{"title": "x", "n": NaN}', "NaN"),
        (b'{"title": ' + b"[" * 5000 + b"]" * 5000 + b"}", "nested"),
    ],
)
def test_a_body_that_is_no_article_says_why(service, body, reason):
    headers = service.key("write") | {"content-type": "application/json"}
    answer = service.post("/v1/articles", content=body, headers=headers)
    assert answer.status_code == 422
    assert reason in answer.json()["errors"][0]["reason"]


@pytest.mark.parametrize(
    ("body", "where"),
    [
        (b'{"title": "x", "n": NaN}', "body.n"),
        (b'{"title": "x", "links": ["a", {"b": -Infinity}]}', "body.links.1.b"),
        (b'{"title": "x", "published": 1e999}', "body.published"),
    ],
)
def test_what_is_no_number_is_refused_with_its_place(service, body, where):
    headers = service.key("write") | {"content-type": "application/json"}
    for answer in (
        service.post("/v1/articles", content=body, headers=headers),
        service.web.put("/v1/articles/a-1", content=body, headers=headers),
    ):
        assert (answer.status_code, [one["where"] for one in answer.json()["errors"]]) == (422, [where])


def test_an_address_that_ends_before_the_id_is_that_of_the_list(service):
    key = service.key("write")
    answer = service.get("/v1/articles/")
    assert answer.status_code == 307
    assert answer.headers["location"].endswith("/v1/articles")
    for method in ("PUT", "DELETE"):
        answer = service.web.request(method, "/v1/articles/", json=FIRE, headers=key)
        assert answer.status_code in (307, 404, 405), answer.text


@pytest.mark.parametrize("zone", ["+03:00", "%2B03:00", " 03:00", "+0300", "%2B0300"])
def test_a_plus_of_a_zone_need_not_be_encoded(service, zone):
    service.post("/v1/articles", json=FIRE, headers=service.key("write"))
    service.settle()
    for since, count in (("2026-03-04T13:00:00", 1), ("2026-03-04T13:00:01", 0), ("2026-03-04 13:01", 0)):
        answer = service.get(f"/v1/articles?since={since.replace(' ', '%20')}{zone}")
        assert (answer.status_code, len(answer.json().get("items", ()))) == (200, count), answer.text


def test_a_time_that_cannot_be_read_is_noted(service):
    answer = service.post("/v1/articles", json={"title": "x", "published": "soon"}, headers=service.key("write"))
    assert answer.status_code == 202
    assert "soon" in answer.json()["notes"][0]


def test_a_bulk_of_ten_thousand_rows_with_a_hundred_bad_ones_gives_a_hundred_reasons(service):
    lines = [json.dumps({"id": f"a-{n}", "title": f"Report number {n}"}) for n in range(10_000)]
    bad = range(50, 10_000, 100)
    for number, place in enumerate(bad):
        lines[place] = ['{"text": "no title"}', "{", '"words"', '{"title": "", "id": 1}'][number % 4]
    service.context._worker.stop()
    answer = service.post(
        "/v1/articles/bulk", content="\n".join(lines).encode(), headers=service.key("write") | NDJSON, timeout=120
    )
    rows = rows_of(answer)
    assert len(rows) == 10_000
    refused = [row for row in rows if row["outcome"] == "refused"]
    assert [row["row"] for row in refused] == [place + 1 for place in bad]
    assert all(row["reason"] for row in refused)
    assert sum(row["outcome"] == "new" for row in rows) == 9_900
    assert service.context.store.waiting() == 9_900


def test_a_row_that_is_too_long_spoils_only_itself(service):
    long = b'{"title": "' + b"x" * (3 * 2**20) + b'"}'
    body = b'{"title": "first"}\n\n' + long + b'\n{"title": "last"}'
    rows = rows_of(service.post("/v1/articles/bulk", content=body, headers=service.key("write") | NDJSON))
    assert [(row["row"], row["outcome"]) for row in rows] == [(1, "new"), (3, "refused"), (4, "new")]
    assert "a row of more than" in rows[1]["reason"]


def test_a_bulk_ends_where_a_build_would(service, example, example_lines):
    answer = service.post("/v1/articles/bulk", content=example_lines, headers=service.key("write") | NDJSON)
    assert {row["outcome"] for row in rows_of(answer)} <= {"new", "copy"}
    service.settle()
    found = service.get("/v1/articles", params={"limit": 1000}).json()["items"]
    assert {row["id"] for row in found} == {article.id for article in example}


@pytest.mark.parametrize("path", ["/v1/articles", "/v1/articles/bulk"])
def test_a_body_of_another_type_is_refused(service, path):
    headers = service.key("write")
    answer = service.post(path, content=b"title=x", headers=headers | {"content-type": "text/plain"})
    assert answer.status_code == 415
    gzipped = {"content-type": "application/json" if path.endswith("s") else NDJSON["content-type"]}
    answer = service.post(path, content=b"\x1f\x8b", headers=headers | gzipped | {"content-encoding": "gzip"})
    assert answer.status_code == 415


def test_an_id_may_hold_anything(service):
    odd = "https://news.example/a?b=c#d e/../ü"
    service.post("/v1/articles", json=FIRE | {"id": odd}, headers=service.key("write"))
    service.settle()
    (row,) = service.get("/v1/articles").json()["items"]
    assert row["id"] == odd
    from urllib.parse import quote

    assert service.get(f"/v1/articles/{quote(odd, safe='')}").json()["id"] == odd
