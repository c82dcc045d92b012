"""A campaign over HTTP: its owner makes it, people answer it at once, and its results are read."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.service.servers import Running

import whywire
from whywire.client import campaigns

ITEMS = [
    {"id": "t-1", "role": "training", "hint": "Who was first?", "gold": {"relation": "left_right_cause"}},
    {"id": "e-1", "role": "exam", "gold": {"relation": "same_event"}},
    {"id": "c-1", "role": "control", "gold": {"relation": "same_event"}},
    *({"id": f"w-{number}"} for number in range(6)),
]
CAMPAIGN = {
    "title": "Pairs of March",
    "kind": "relation",
    "language": "en",
    "rules": {"overlap": 2, "agreed": 1.0, "control_rate": 0.3},
    "items": [{"left_title": "Storm cuts power", "right_title": "Schools stay closed", **item} for item in ITEMS],
}
SAME, CAUSE = {"relation": "same_event"}, {"relation": "left_right_cause"}
GOLD = {"t-1": CAUSE, "e-1": SAME, "c-1": SAME}


class Annotator:
    """A person with a token, who answers as they are told to."""

    def __init__(self, service: Running, campaign: str, name: str) -> None:
        joined = service.post(f"{campaign}/people", json={"name": name})
        assert joined.status_code == 201, joined.text
        self.name, self.web, self.campaign = name, service.web, campaign
        self.headers = {"x-annotator": joined.json()["token"]}

    def next(self) -> dict:
        return self.web.get(f"{self.campaign}/next", headers=self.headers).json()

    def answer(self, item: str, answer: dict, seconds: float = 2.5):
        body = {"answer": answer, "seconds": seconds}
        return self.web.put(f"{self.campaign}/answers/{item}", json=body, headers=self.headers)

    def answer_all(self, answer: dict = SAME) -> list[str]:
        """Answer what comes, what is known as it is known; returns the ids of the items."""
        items = []
        while item := self.next()["item"]:
            items.append(item["id"])
            assert self.answer(item["id"], GOLD.get(item["id"], answer)).status_code == 200
        return items


@pytest.fixture
def owner(service):
    """The header of a key of the owner."""
    return service.key("write")


@pytest.fixture
def campaign(service, owner) -> str:
    """The address of a campaign."""
    made = service.post("/v1/campaigns", json=CAMPAIGN, headers=owner)
    assert made.status_code == 201, made.text
    return f"/v1/campaigns/{made.json()['id']}"


def test_a_campaign_is_made_changed_and_removed(service, owner, campaign):
    row = service.get(campaign).json()
    assert (row["title"], row["kind"], row["open"], row["items"]) == ("Pairs of March", "relation", True, 9)
    assert (row["rules"]["overlap"], row["rules"]["pass_exam"]) == (2, 0.8)
    assert service.get("/v1/campaigns").json()["items"] == [row]
    changed = service.web.patch(campaign, json={"open": False, "rules": {"overlap": 3}}, headers=owner).json()
    assert (changed["open"], changed["rules"]["overlap"], changed["rules"]["control_rate"]) == (False, 3, 0.3)
    more = {"items": [{"id": "w-9", "left_title": "a", "right_title": "b"}]}
    assert service.post(f"{campaign}/items", json=more, headers=owner).json()["items"] == 10
    rows = service.get(f"{campaign}/items", headers=owner, params={"limit": 4}).json()
    assert [item["id"] for item in rows["items"]] == ["t-1", "e-1", "c-1", "w-0"]
    assert rows["items"][0]["gold"] == CAUSE
    assert service.web.delete(campaign, headers=owner).json() == changed | {"items": 10}
    assert service.get(campaign).status_code == 404


def test_who_does_not_say_otherwise_asks_as_many_as_the_papers_did(service, owner):
    given = {name: value for name, value in CAMPAIGN.items() if name != "rules"}
    assert service.post("/v1/campaigns", json=given, headers=owner).json()["rules"]["overlap"] == 10


def test_training_tells_and_nothing_else_does(service, campaign):
    ann = Annotator(service, campaign, " Ann  Lee ")
    first = ann.next()
    assert (first["item"]["id"], first["item"]["role"], first["number"], first["reason"]) == (
        "t-1",
        "training",
        1,
        None,
    )
    assert first["item"].keys().isdisjoint({"gold", "hint", "priority"})
    assert ann.next() == first
    assert ann.answer("t-1", SAME).json() == {"right": False, "gold": CAUSE, "hint": "Who was first?"}
    assert ann.answer("t-1", SAME).status_code == 200, "the same answer again changes nothing"
    assert ann.answer("t-1", CAUSE).status_code == 409
    assert ann.next()["reason"] == "failed"


def test_a_control_looks_like_work(service, campaign):
    ann = Annotator(service, campaign, "Ann")
    seen = {}
    while item := ann.next()["item"]:
        seen[item["id"]] = item["role"]
        answered = ann.answer(item["id"], GOLD.get(item["id"], CAUSE))
        if item["role"] == "work":
            assert answered.json() == {"right": None, "gold": None, "hint": ""}
    assert {role for name, role in seen.items() if name[0] in "cw"} == {"work"}
    last = ann.next()
    assert (last["reason"], last["standing"]["stage"]) == ("finished", "work")
    assert last["standing"]["worked"] == sum(name[0] in "cw" for name in seen)


def test_two_people_at_once_never_overwrite_each_other(service, owner, campaign):
    people = [Annotator(service, campaign, name) for name in ("Ann", "Боря", "Cid", "Dan")]
    said = dict(zip(people, (SAME, CAUSE, SAME, CAUSE), strict=True))
    with ThreadPoolExecutor(len(people)) as pool:
        items = dict(zip(people, pool.map(lambda one: one.answer_all(said[one]), people), strict=True))
    votes = service.get(f"{campaign}/votes", headers=owner, params={"limit": 200}).json()["items"]
    assert {(vote["item"], vote["person"]): vote["answer"] for vote in votes} == {
        (item, one.name): GOLD.get(item, said[one]) for one in people for item in items[one]
    }
    work = [vote["item"] for vote in votes if vote["item"].startswith("w")]
    assert {work.count(f"w-{number}") for number in range(6)} == {2}
    results = service.get(f"{campaign}/results", headers=owner).json()["items"]
    assert [row["item"] for row in results] == [f"w-{number}" for number in range(6)]
    assert {row["answers"] for row in results} == {2}


def test_people_are_listed_withdrawn_and_restored(service, owner, campaign):
    for name, answer in (("Ann", SAME), ("a/b", SAME)):
        Annotator(service, campaign, name).answer_all(answer)
    before = service.get(f"{campaign}/results", headers=owner).json()
    assert {(row["agreed"], row["share"]) for row in before["items"]} == {(True, 1.0)}
    listed = service.get(f"{campaign}/people", headers=owner).json()
    assert [(row["name"], row["stage"], row["worked"], row["agreement"]) for row in listed["items"]] == [
        ("Ann", "work", 6, 1.0),
        ("a/b", "work", 6, 1.0),
    ]
    assert listed["estimate"]["answers"] == 0
    withdrawn = service.post(f"{campaign}/people/a%2Fb/withdraw", headers=owner)
    assert withdrawn.json() == {"name": "a/b", "excluded": True}
    assert service.get(f"{campaign}/people", headers=owner).json()["estimate"]["answers"] == 9, "controls included"
    assert {row["answers"] for row in service.get(f"{campaign}/results", headers=owner).json()["items"]} == {1}
    service.post(f"{campaign}/people/a%2Fb/restore", headers=owner)
    assert service.get(f"{campaign}/results", headers=owner).json() == before
    assert service.post(f"{campaign}/people/eve/restore", headers=owner).status_code == 404


def test_a_person_has_their_answers_and_can_erase_them(service, owner, campaign):
    ann = Annotator(service, campaign, "Ann")
    items = ann.answer_all()
    own = service.get(f"{campaign}/answers", headers=ann.headers).json()["items"]
    assert [row["item"] for row in own] == sorted(items)
    assert own[0].keys() == {"item", "answer", "seconds", "at"}
    erased = service.web.delete(f"{campaign}/people/me", headers=ann.headers)
    assert erased.json() == {"name": "Ann", "answers": len(items)}
    assert service.get(f"{campaign}/votes", headers=owner).json()["items"] == []
    assert service.get(f"{campaign}/next", headers=ann.headers).status_code == 401
    assert Annotator(service, campaign, "Ann").next()["number"] == 1, "the name is free again"


def test_votes_of_elsewhere_are_imported_and_the_curator_decides(service, owner, campaign):
    votes = [{"item": "w-0", "person": name, "answer": SAME} for name in ("x", "y")]
    votes.append({"item": "w-0", "person": "curator", "answer": CAUSE, "at": "2026-03-06T10:00:00Z"})
    sent = service.post(f"{campaign}/votes", json={"votes": votes}, headers=owner)
    assert sent.json() == {"changed": 3}
    assert service.post(f"{campaign}/votes", json={"votes": votes}, headers=owner).json() == {"changed": 0}
    (first, *_) = service.get(f"{campaign}/results", headers=owner).json()["items"]
    assert (first["answer"], first["curated"], first["answers"]) == (CAUSE, True, 2)
    ann = Annotator(service, campaign, "Ann")
    ann.answer("t-1", CAUSE) if ann.next() else None
    other = {"item": "t-1", "person": "Ann", "answer": SAME}
    assert service.post(f"{campaign}/votes", json={"votes": [other]}, headers=owner).status_code == 409


@pytest.mark.parametrize("method", ["majority", "dawid-skene", "skill"])
def test_results_by_each_method(service, owner, campaign, method):
    votes = [{"item": f"w-{n}", "person": name, "answer": SAME} for n in range(6) for name in "xyz"]
    service.post(f"{campaign}/votes", json={"votes": votes}, headers=owner)
    rows = service.get(f"{campaign}/results", headers=owner, params={"method": method}).json()["items"]
    assert {(str(row["answer"]), row["agreed"]) for row in rows} == {(str(SAME), True)}


REFUSED = {
    "no kind": ({"kind": "colour"}, "body.kind"),
    "an unknown field": ({"colour": "red"}, "body.colour"),
    "an unknown rule": ({"rules": {"colour": 1}}, "rules"),
    "a rule out of range": ({"rules": {"overlap": 0}}, "rules"),
    "an item of another kind": ({"items": [{"id": "a", "text": "x"}]}, "items.0"),
    "an item without a title": ({"items": [CAMPAIGN["items"][0], {"id": "b", "left_title": "x"}]}, "items.1"),
    "two items of one id": ({"items": [CAMPAIGN["items"][0]] * 2}, "items.0"),
    "training without gold": ({"items": [CAMPAIGN["items"][4] | {"role": "training"}]}, "items.0"),
    "an id that nobody sees": ({"items": [CAMPAIGN["items"][4] | {"id": "\x00"}]}, "items.0"),
    "a blank title": ({"title": "  "}, "title"),
    "a title in disguise": ({"title": "a\u202eb"}, "title"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_used_is_refused_with_its_place(service, owner, case):
    change, where = REFUSED[case]
    answer = service.post("/v1/campaigns", json=CAMPAIGN | change, headers=owner)
    assert (answer.status_code, answer.json()["errors"][0]["where"]) == (422, where), answer.text
    assert service.get("/v1/campaigns").json()["items"] == []


def test_answers_that_do_not_fit_are_refused(service, owner, campaign):
    ann = Annotator(service, campaign, "Ann")
    assert ann.next()["item"]["id"] == "t-1"
    for answer in ({}, {"relation": "maybe"}, {"relation": "same_event", "more": 1}):
        refused = ann.answer("t-1", answer)
        assert (refused.status_code, refused.json()["errors"][0]["where"]) == (422, "answer")
    assert ann.answer("w-1", SAME).status_code == 409, "it was not given to Ann"
    assert ann.answer("unknown", SAME).status_code == 404
    assert ann.answer("t-1", CAUSE, seconds=-1).status_code == 422
    bad = {"votes": [{"item": "w-1", "person": "x", "answer": SAME}, {"item": "w-7", "person": "x", "answer": SAME}]}
    refused = service.post(f"{campaign}/votes", json=bad, headers=owner)
    assert (refused.status_code, refused.json()["errors"][0]["where"]) == (422, "votes.1")
    assert service.get(f"{campaign}/votes", headers=owner).json()["items"] == [], "all or none"


def test_nobody_reads_or_writes_what_is_not_theirs(service, campaign):
    for path in ("items", "votes", "results", "people"):
        assert service.get(f"{campaign}/{path}").status_code == 401
    for name in ("Ann", "curator", "\u200b"):
        Annotator(service, campaign, "Ann") if name == "Ann" else None
        status = service.post(f"{campaign}/people", json={"name": name}).status_code
        assert status == (409 if name == "Ann" else 422)
    wrong = service.get(f"{campaign}/next", headers={"x-annotator": "wa_wrong"})
    assert (wrong.status_code, wrong.headers["www-authenticate"]) == (401, "X-Annotator")
    assert service.get(f"{campaign}/next").status_code == 422
    assert service.get("/v1/campaigns/none/next", headers={"x-annotator": "wa_wrong"}).status_code == 404


def test_a_campaign_by_the_python_client(service, owner, monkeypatch):
    monkeypatch.setattr(campaigns, "ITEMS_AT_ONCE", 4)
    key = owner["authorization"].removeprefix("Bearer ")
    items = CAMPAIGN["items"]
    with whywire.Client(service.url, key) as client:
        made = client.make_campaign("Pairs", "relation", items, rules={"overlap": 2}, guide="Look twice.")
        campaign = made["id"]
        assert (made["items"], made["guide"], client.campaigns()) == (9, "Look twice.", [made])
        assert [item["id"] for item in client.items(campaign)] == [item["id"] for item in items]
        votes = [{"item": f"w-{n}", "person": "a b/c", "answer": SAME} for n in range(6)]
        assert client.import_votes(campaign, votes) == 6
        assert [vote["item"] for vote in client.votes(campaign)] == [vote["item"] for vote in votes]
        assert client.people(campaign)["items"][0]["worked"] == 6
        assert client.withdraw_answers(campaign, "a b/c")["excluded"]
        assert {row["answers"] for row in client.results(campaign)} == {0}
        assert not client.restore_answers(campaign, "a b/c")["excluded"]
        assert {row["answers"] for row in client.results(campaign, method="skill")} == {1}
        assert not client.change_campaign(campaign, open=False)["open"]
        client.remove_campaign(campaign)
        assert client.campaigns() == []
