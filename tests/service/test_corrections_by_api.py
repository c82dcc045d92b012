"""Corrections by persons over HTTP, and by the client."""

import pytest

import whywire

REPORTS = [
    {
        "id": f"a-{number}",
        "title": "Fire shuts the refinery",
        "text": f"Report {number}. Fuel ran short because the fire shut the refinery.",
        "language": "en",
    }
    for number in range(3)
]


@pytest.fixture
def filled(service):
    """A service with a link, the header of a key, and the link."""
    key = service.key("write")
    for row in REPORTS:
        service.post("/v1/articles", json=row, headers=key)
    service.settle()
    (link,) = service.get("/v1/links").json()["items"]
    return service, key, {name: link[name] for name in ("source", "target", "kind")}


def event_of(service, article):
    """The event of an article's headline."""
    mentions = service.get("/v1/mentions", params={"article": article}).json()["items"]
    return next(one["event"] for one in mentions if one["kind"] == "headline")


def test_a_link_is_hidden_and_shown_again(filled):
    service, key, link = filled
    answer = service.post("/v1/corrections", json={"hide_link": link, "note": " They  rose before. "}, headers=key)
    row = answer.json()
    assert (answer.status_code, row["kind"], row["link_kind"]) == (202, "hide_link", "causes")
    assert (row["by"], row["note"], row["events"]) == (
        "a test",
        "They rose before.",
        [link["source"], link["target"]],
    )
    assert row["left"][0].keys() == {"article", "field", "span", "words"}
    service.settle()
    assert service.get("/v1/links").json()["items"] == []
    listed = service.get("/v1/corrections", params={"event": link["target"]}).json()
    assert (listed["items"][0]["state"], listed["next"]) == ("in force", None)
    told = service.get("/v1/changes", params={"event": link["source"]}).json()["items"]
    assert "correction made" in {one["kind"] for one in told}
    back = service.web.delete(f"/v1/corrections/{row['id']}", headers=key)
    assert (back.status_code, back.json()["taken_back_by"]) == (202, "a test")
    service.settle()
    assert len(service.get("/v1/links").json()["items"]) == 1
    assert service.get("/v1/corrections").json()["items"][0]["state"] == "taken back"
    assert service.web.delete(f"/v1/corrections/{row['id']}", headers=key).json()["state"] == "taken back"


def test_reports_are_told_apart(filled):
    service, key, _ = filled
    event = event_of(service, "a-0")
    assert event == event_of(service, "a-1")
    asked = {"apart": {"event": event, "articles": ["a-1"]}}
    row = service.post("/v1/corrections", json=asked, headers=key).json()
    assert [anchor["article"] for anchor in row["right"]] == ["a-1"]
    service.settle()
    assert event_of(service, "a-0") != event_of(service, "a-1")
    (listed,) = service.get("/v1/corrections").json()["items"]
    assert listed["events"] == [event_of(service, "a-0"), event_of(service, "a-1")]


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({}, "either hide_link or apart"),
        ({"hide_link": {"source": "e-1", "target": "e-2"}}, "no link of the kind causes leads from e-1 to e-2"),
        ({"apart": {"event": "e-1", "articles": ["a-1"]}}, "there is no event e-1"),
        ({"apart": {"event": "EVENT", "articles": ["a-9"]}}, "not mentioned in a-9"),
        ({"apart": {"event": "EVENT", "articles": ["a-0", "a-1", "a-2"]}}, "both events need an article"),
        ({"apart": {"event": "EVENT", "articles": ["a-0"]}, "note": "\x00"}, "NUL"),
    ],
)
def test_what_cannot_be_corrected_is_explained(filled, asked, reason):
    service, key, _ = filled
    if "apart" in asked:
        event = asked["apart"]["event"].replace("EVENT", event_of(service, "a-0"))
        asked = asked | {"apart": asked["apart"] | {"event": event}}
    answer = service.post("/v1/corrections", json=asked, headers=key)
    assert answer.status_code == 422
    assert reason in answer.text
    assert service.get("/v1/corrections").json()["items"] == []


def test_a_key_that_writes_is_needed(filled):
    service, _, link = filled
    reader = service.key("read")
    assert service.post("/v1/corrections", json={"hide_link": link}).status_code == 401
    assert service.post("/v1/corrections", json={"hide_link": link}, headers=reader).status_code == 403
    assert service.web.delete("/v1/corrections/c-1", headers=reader).status_code == 403
    assert service.web.delete("/v1/corrections/c-1", headers=service.key("write")).status_code == 404


def test_the_client_corrects_and_a_build_with_its_list_is_the_same(filled, fake_models, tmp_path):
    service, key, link = filled
    with whywire.Client(service.url, key["authorization"].removeprefix("Bearer ")) as news:
        hidden = news.hide_link(link["source"], link["target"], note="wrong")
        news.tell_apart(event_of(service, "a-0"), ["a-1"])
        service.settle()
        assert [one["state"] for one in news.corrections()] == ["in force"] * 2
        rows = [*news.corrections()]
        built = whywire.build(REPORTS, corrections=rows, models=fake_models).graph
        assert {event.mentions for event in built.events} == {event.mentions for event in news.events()}
        assert built.links == ()
        assert news.take_back(hidden["id"])["taken_back_by"] == "a test"
        service.settle()
        assert len([*news.links()]) == 1
        again = whywire.build(REPORTS, corrections=[*news.corrections()], models=fake_models).graph
        assert len(again.links) == 1
