import threading
from dataclasses import replace

import pytest

import whywire
from whywire.client.connection import ServiceError
from whywire.errors import InputError
from whywire.graph.codec import claim_rows, event_rows, link_rows
from whywire.service.problems import ProblemError
from whywire.store import Store


@pytest.fixture
def client(served_example):
    with whywire.Client(served_example.url) as one:
        yield one


def test_the_graph_is_the_one_of_the_store(client, example_store):
    with Store.open(example_store) as store:
        known = store.graph()
    found = client.open_graph()
    for rows in (event_rows, link_rows, claim_rows):
        assert list(rows(found)) == list(rows(known))
    assert [event.id for event in client.events()] != []
    assert {event.id for event in client.events()} == {event.id for event in known.events}
    assert {article.id for article in client.articles(text=True)} == set(known.articles)
    assert len(list(client.links(min_strength=60))) == len(known.with_min_strength(60).links)
    assert {claim.id for claim in client.claims()} == {claim.id for claim in known.claims}


def test_parts_of_the_graph(client):
    graph = client.open_graph(at_least=60, evidence=["said"])
    link = graph.links[0]
    assert link.strength >= 60
    assert client.event(link.source).title == graph.event(link.source).title
    assert any(one.target == link.target for one in client.around(link.source).links)
    story = next(client.stories())
    assert len([one for one in client.story(story["id"]).events if one.story == story["id"]]) == story["events"]
    outlet = next(article.source for article in client.story(story["id"]).articles.values() if article.source)
    named = client.stories(outlet=outlet.upper(), q=story["title"], language=story["language"])
    assert story["id"] in {row["id"] for row in named}
    assert not [*client.stories(outlet=outlet, place="Nowhere")]
    assert link.source in {event.id for event in client.search(graph.event(link.source).title)}
    assert client.export("dot").startswith("digraph")


def test_questions_give_what_whywire_gives(client, fake_models):
    sentences = ["It burned because it was dry.", "Had it rained, it would have stood."]
    assert [one.relations for one in client.read(sentences)] == [
        tuple(rounded(relation) for relation in one.relations) for one in whywire.read(sentences, models=fake_models)
    ]
    pairs = [
        ("Storm hits port", "Port shut after storm"),
        ("Orm dies at 80", "Orm is alive, agent says"),
        ("Blast shakes port in Peru", "Chile denies blast in port"),
        ("A", "B"),
    ]
    known = whywire.relate(pairs, models=fake_models)
    for one, mine in zip(client.relate(pairs), known, strict=True):
        assert (one.label, one.simple, one.causality) == (mine.label, mine.simple, mine.causality)
        assert one.probabilities == mine.probabilities
    assert client.score([("Fire", "Smoke")])[0].strength_class
    assert len(client.choose([("Smoke", ["Fire", "Rain"])])[0].strengths) == 2
    many = [f"Fire {number}" for number in range(32)]
    assert [len(one.strengths) for one in client.choose([("Smoke", many)] * 20)] == [32] * 20
    asked = [("Smoke", ["Fire", "Rain"]), ("Smoke", ["Rain", "None of the others"])]
    assert [one.direct_causes for one in client.choose(asked, together=True)] == [(0,), (1,)]
    groups = client.group(["Fire shuts port", "Fire shuts port"])
    assert groups.events[0] == groups.events[1]
    assert len(client.predict(["Storm shuts the port"])) == 1
    assert client.why("Why did fuel run short?")[0]["asks"] == "cause"


def rounded(relation):
    return replace(relation, probability=round(relation.probability, 4))


def test_articles_are_sent_and_what_is_wrong_with_them_comes_back(service, example):
    words = service.key("write")["authorization"].removeprefix("Bearer ")
    with whywire.Client(service.url, words) as client:
        rows = [{"title": "Fire", "id": "a"}, {"title": "Rain", "id": "a"}, {"text": "x"}]
        sent = client.add(rows)
        assert [row["outcome"] for row in sent.rows] == ["new", "conflict"]
        assert sorted(problem.reason.partition(":")[0] for problem in sent.problems) == [
            "'Rain' is left out",
            "there is no title",
        ]
        service.settle()
        assert client.status()["articles"] == 1
        article, added = client.changes()
        assert (article["kind"], added["kind"]) == ("article added", "event added")
        assert list(client.changes(event=added["subject"])) == [added]


def test_changes_are_followed(service):
    words = service.key("write")["authorization"].removeprefix("Bearer ")
    with whywire.Client(service.url, words) as client:
        seen, enough = [], threading.Event()

        def follow():
            for row in client.follow(0):
                seen.append(row["kind"])
                if len(seen) == 2:
                    enough.set()
                    return

        thread = threading.Thread(target=follow)
        thread.start()
        client.add([{"title": "Fire", "id": "a"}])
        assert enough.wait(20)
        thread.join()
    assert seen == ["article added", "event added"]


def test_errors_say_what_the_service_says(client):
    with pytest.raises(ServiceError, match="there is no event e-unknown") as caught:
        client.event("e-unknown")
    assert (caught.value.status, bool(caught.value.request_id)) == (404, True)
    with pytest.raises(ServiceError, match="needs a key"):
        client.add([{"title": "x"}])
    with pytest.raises(InputError, match="the text is empty"):
        client.read([" "])


def test_a_service_that_is_not_there():
    with whywire.Client("http://127.0.0.1:9") as client, pytest.raises(ServiceError, match="does not answer"):
        client.status()
    with pytest.raises(InputError, match="begins with http"):
        whywire.Client("localhost:8765")


def test_a_busy_service_is_asked_again(service, monkeypatch):
    refusals = iter([ProblemError(503, "busy", headers={"retry-after": "0"})] * 2)
    real = service.context.model_pool.run

    async def run(client, question, call):
        for refusal in refusals:
            raise refusal
        return await real(client, question, call)

    monkeypatch.setattr(service.context.model_pool, "run", run)
    with whywire.Client(service.url) as client:
        assert client.read("Fire.")
