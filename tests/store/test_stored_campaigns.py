"""Campaigns of annotation: everything comes back as it was, and no item is answered by more people than it needs."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from whywire.annotation.answers import RelationAnswer
from whywire.annotation.campaigns import CURATOR, Campaign, Rules, Vote
from whywire.annotation.items import HeadlinePair, Kind, Role
from whywire.errors import InputError
from whywire.pairs.relations import Relation
from whywire.store import AnswerRefusedError, NoItem, Store, annotators, campaigns
from whywire.store.schema import metadata

DAY = datetime(2026, 3, 4, tzinfo=UTC)
CAUSE, SAME = {"relation": "left_right_cause"}, {"relation": "same_event"}
CAMPAIGN = Campaign(
    id="c1",
    title="Pairs of March",
    kind=Kind.RELATION,
    language="en",
    made=DAY,
    rules=Rules(overlap=2, agreed=1.0, control_rate=0.0),
    guide="Look at the times.",
    seed=7,
)


def pair(name: str, role: Role = Role.WORK, gold: dict[str, str] | None = None, **fields: object) -> HeadlinePair:
    """Two headlines to be related."""
    right = msgspec.convert(gold, RelationAnswer) if gold else None
    return HeadlinePair(
        id=name, role=role, left_title=f"Fire {name}", right_title=f"Smoke {name}", gold=right, **fields
    )


def vote(item: str, person: str, relation: Relation = Relation.SAME_EVENT) -> Vote:
    """A vote given elsewhere."""
    return Vote(item=item, person=person, answer=RelationAnswer(relation), at=DAY, seconds=4.5)


def join(store: Store, *people: str) -> None:
    """Let people join, each with a token of their own."""
    for name in people:
        assert store.join_campaign("c1", name, f"hash of {name}")


def answer_all(store: Store, person: str, given: dict[str, str]) -> list[str]:
    """Give one answer to all that a person is asked; returns the ids of the items."""
    asked = []
    while item := store.ask_annotator("c1", person).item:
        store.take_answer("c1", item.id, person, given, 2.0)
        asked.append(item.id)
    return asked


@pytest.fixture
def campaign(store: Store) -> Store:
    """A store with a campaign of three items of work."""
    store.add_campaign(CAMPAIGN, [pair("a"), pair("b"), pair("c", priority=3.0)])
    return store


def test_a_campaign_comes_back_as_it_was(campaign):
    listed = campaign.campaign("c1")
    assert (listed.campaign, listed.items, listed.finished, listed.answers, listed.people) == (CAMPAIGN, 3, 0, 0, 0)
    assert campaign.items("c1") == {name: pair(name) for name in "ab"} | {"c": pair("c", priority=3.0)}
    assert campaign.item("c1", "a") == pair("a")
    assert campaign.item("c1", "x") is None
    later = msgspec.structs.replace(CAMPAIGN, id="c2", made=DAY.replace(day=5), open=False)
    campaign.add_campaign(later, [])
    assert [one.campaign for one in campaign.campaigns()] == [later, CAMPAIGN]
    assert campaign.remove_campaign("c2")
    assert not campaign.remove_campaign("c2")
    assert campaign.campaign("c2") is None


def test_people_answers_and_reservations_survive_a_restart_and_a_backup(campaign, open_store, tmp_path):
    join(campaign, "ann", "Боря")
    asked = campaign.ask_annotator("c1", "ann")
    assert (asked.item.id, asked.number, asked.reason) == ("c", 1, None), "it has the highest priority"
    campaign.take_answer("c1", "c", "ann", CAUSE, 3.5)
    held = campaign.ask_annotator("c1", "Боря")
    again = open_store()
    campaign.backup(tmp_path / "backup.db")
    with Store.open(tmp_path / "backup.db", models="rules") as copy:
        for one in (again, copy):
            [kept] = one.votes("c1")
            assert (kept.item, kept.person, kept.answer) == ("c", "ann", RelationAnswer(Relation.LEFT_RIGHT_CAUSE))
            assert (kept.seconds, kept.counted) == (3.5, True)
            assert one.ask_annotator("c1", "Боря").item == held.item
            assert one.annotator("c1", "hash of ann").name == "ann"
            assert one.check() == []
    assert "hash of" not in repr(campaign.annotators("c1"))


def test_an_answer_is_taken_once_and_a_person_may_change_it(campaign):
    join(campaign, "ann")
    first = campaign.ask_annotator("c1", "ann").item
    with pytest.raises(AnswerRefusedError, match="was not given to you"):
        campaign.take_answer("c1", next(name for name in "abc" if name != first.id), "ann", CAUSE)
    for said in (CAUSE, CAUSE, SAME):
        campaign.take_answer("c1", first.id, "ann", said, 1.0)
    assert [one.answer.relation for one in campaign.votes("c1", person="ann")] == [Relation.SAME_EVENT]
    with pytest.raises(InputError, match="no answer to the item"):
        campaign.take_answer("c1", first.id, "ann", {"relation": "maybe"})
    with pytest.raises(InputError, match="there is no item"):
        campaign.take_answer("c1", "unknown", "ann", CAUSE)
    with pytest.raises(InputError, match="nobody here is called"):
        campaign.take_answer("c1", first.id, "eve", CAUSE)


def test_the_first_answer_to_training_exam_and_controls_stays(store):
    items = [pair("t", Role.TRAINING, CAUSE), pair("e", Role.EXAM, CAUSE), pair("w")]
    store.add_campaign(CAMPAIGN, items)
    join(store, "ann")
    for name in "te":
        assert store.ask_annotator("c1", "ann").item.id == name
        store.take_answer("c1", name, "ann", CAUSE)
        with pytest.raises(AnswerRefusedError, match="first answer"):
            store.take_answer("c1", name, "ann", SAME)
    assert store.ask_annotator("c1", "ann").item.id == "w"


def test_who_fails_the_exam_is_asked_nothing(store):
    store.add_campaign(CAMPAIGN, [pair("e", Role.EXAM, CAUSE), pair("w")])
    join(store, "ann")
    assert answer_all(store, "ann", SAME) == ["e"]
    assert store.ask_annotator("c1", "ann").reason is NoItem.FAILED


def test_a_closed_campaign_asks_nothing_but_takes_what_it_asked(campaign):
    join(campaign, "ann")
    item = campaign.ask_annotator("c1", "ann").item
    campaign.change_campaign(msgspec.structs.replace(CAMPAIGN, open=False))
    assert campaign.ask_annotator("c1", "ann").reason is NoItem.CLOSED
    campaign.take_answer("c1", item.id, "ann", CAUSE)
    assert campaign.campaign("c1").answers == 1


def test_an_item_is_given_to_others_once_its_reservation_ran_out_and_a_late_answer_is_kept(store):
    store.add_campaign(msgspec.structs.replace(CAMPAIGN, rules=Rules(overlap=1)), [pair("a")])
    join(store, "ann", "bob")
    assert store.ask_annotator("c1", "ann", seconds=-1).item.id == "a"
    assert answer_all(store, "bob", SAME) == ["a"]
    store.take_answer("c1", "a", "ann", CAUSE)
    assert [one.person for one in store.votes("c1", item="a")] == ["ann", "bob"]
    assert store.check() == []


def test_who_is_early_agreed_upon_is_not_asked_again(store):
    rules = Rules(overlap=3, agreed=0.6)
    store.add_campaign(msgspec.structs.replace(CAMPAIGN, rules=rules), [pair("a")])
    join(store, "ann", "bob", "cid")
    for name in ("ann", "bob"):
        assert answer_all(store, name, SAME) == ["a"]
    assert store.ask_annotator("c1", "cid").reason is NoItem.FINISHED
    assert store.campaign("c1").finished == 1
    store.change_campaign(msgspec.structs.replace(CAMPAIGN, rules=Rules(overlap=3, agreed=1.0)))
    assert store.ask_annotator("c1", "cid").item.id == "a"


def test_withdrawing_and_restoring_is_the_identity(campaign):
    join(campaign, "ann", "bob")
    answer_all(campaign, "ann", SAME)
    answer_all(campaign, "bob", SAME)
    before = (campaign.votes("c1"), campaign.campaign("c1"), campaign.ask_annotator("c1", "ann"))
    assert campaign.exclude_annotator("c1", "ann")
    assert campaign.campaign("c1").finished == 0
    assert {one.person for one in campaign.votes("c1") if not one.counted} == {"ann"}
    assert campaign.ask_annotator("c1", "ann").reason is NoItem.EXCLUDED
    assert campaign.exclude_annotator("c1", "ann", excluded=False)
    assert (campaign.votes("c1"), campaign.campaign("c1"), campaign.ask_annotator("c1", "ann")) == before
    assert not campaign.exclude_annotator("c1", "eve")


def test_erasing_a_person_leaves_nothing_of_them(campaign):
    untouched = campaign.campaign("c1")
    join(campaign, "ann")
    answer_all(campaign, "ann", SAME)
    assert campaign.erase_annotator("c1", "ann")
    assert not campaign.erase_annotator("c1", "ann")
    assert (campaign.votes("c1"), campaign.annotators("c1"), campaign.campaign("c1")) == ([], [], untouched)
    assert campaign.annotator("c1", "hash of ann") is None
    with campaign._database.reading() as connection:
        kept = [row for table in metadata.sorted_tables for row in connection.execute(select(table))]
    assert "ann" not in str(kept)
    assert campaign.check() == []


def test_votes_of_elsewhere_are_taken_once_and_change_no_answer_of_the_browser(campaign):
    join(campaign, "ann")
    item = campaign.ask_annotator("c1", "ann").item.id
    campaign.take_answer("c1", item, "ann", SAME)
    given = [vote("a", "sheet"), vote("b", "sheet"), vote(item, "ann")]
    assert campaign.import_votes("c1", given) == 2, "the third is known"
    assert campaign.import_votes("c1", given) == 0
    rejected = msgspec.structs.replace(vote("a", "other"), counted=False)
    assert campaign.import_votes("c1", [rejected]) == 0, "one answer of a person cannot be left out here"
    assert campaign.import_votes("c1", [vote("a", "sheet", Relation.NO_RELATIONSHIP)]) == 1
    with pytest.raises(AnswerRefusedError, match=r"votes\.0: ann answered otherwise"):
        campaign.import_votes("c1", [vote(item, "ann", Relation.NO_RELATIONSHIP)])
    page = campaign.votes_page("c1", limit=2)
    assert [*page.items, *campaign.votes_page("c1", after=page.next).items] == campaign.votes("c1")
    assert not campaign.join_campaign("c1", "sheet", "hash"), "the name is taken"


def test_the_curators_answer_ends_the_question(campaign):
    join(campaign, "ann")
    campaign.import_votes("c1", [vote("c", CURATOR)])
    assert campaign.ask_annotator("c1", "ann").item.id != "c"
    with pytest.raises(InputError, match="is for whoever decides"):
        join(campaign, CURATOR)


def test_there_is_an_end_to_campaigns_items_and_people(campaign, monkeypatch):
    with pytest.raises(InputError, match=r"items\.1: two items have the id 'a'"):
        campaign.add_items("c1", [pair("d"), pair("a")])
    assert len(campaign.items("c1")) == 3
    for limit, where in (("MAX_CAMPAIGNS", campaigns), ("MAX_ITEMS", campaigns), ("MAX_PEOPLE", annotators)):
        monkeypatch.setattr(where, limit, 1)
    with pytest.raises(InputError, match="1 campaigns"):
        campaign.add_campaign(msgspec.structs.replace(CAMPAIGN, id="c2"), [])
    with pytest.raises(InputError, match="at most 1 items"):
        campaign.add_items("c1", [pair("d")])
    join(campaign, "ann")
    with pytest.raises(InputError, match="at most 1 people"):
        join(campaign, "bob")
    with pytest.raises(InputError, match="at most 1 people"):
        campaign.import_votes("c1", [vote("a", "bob")])


def test_the_doctor_finds_items_that_were_counted_wrongly(campaign):
    campaign.import_votes("c1", [vote("a", "x"), vote("a", "y")])
    assert campaign.check() == []
    with campaign._database.writing() as connection:
        connection.exec_driver_sql("UPDATE campaign_items SET finished = NOT finished WHERE id = 'a'")
    assert campaign.check() == ["the answers to an item of a campaign were counted wrongly: c1: a"]


def test_people_in_several_processes_get_no_item_that_has_enough(campaign, open_store):
    people = ("ann", "bob", "cid", "dan", "eve")
    campaign.add_items("c1", [pair(f"d{number}") for number in range(12)])
    join(campaign, *people)
    stores = [open_store() for _ in people]
    with ThreadPoolExecutor(len(people)) as pool:
        asked = [*pool.map(lambda store, person: answer_all(store, person, SAME), stores, people)]
    counts = Counter(item for own in asked for item in own)
    assert counts == dict.fromkeys(campaign.items("c1"), CAMPAIGN.rules.overlap)
    assert campaign.campaign("c1").answers == counts.total()
    assert campaign.check() == []


PEOPLE, ITEMS = ("p", "q", "r"), ("a", "b", "c")
STEPS = st.lists(
    st.tuples(
        st.sampled_from(PEOPLE), st.sampled_from(["ask", "leave", "answer", "change"]), st.sampled_from([CAUSE, SAME])
    ),
    max_size=40,
)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, overlap=st.integers(1, 3), agreed=st.sampled_from([0.5, 1.0]))
def test_no_item_is_answered_by_more_people_than_it_needs(steps, overlap, agreed, tmp_path_factory):
    rules = Rules(overlap=overlap, agreed=agreed)
    with Store.open(tmp_path_factory.mktemp("steps") / "news.db", models="rules") as store:
        store.add_campaign(msgspec.structs.replace(CAMPAIGN, rules=rules), [*map(pair, ITEMS)])
        join(store, *PEOPLE)
        given, held, late, too_many = {}, {}, set(), Counter()
        for person, step, answer in steps:
            if step in ("ask", "leave"):
                asked = store.ask_annotator("c1", person, seconds=-1 if step == "leave" else 1800).item
                assert person in late or asked == held.get(person, asked), "asked again, it is the same item"
                (late.add if step == "leave" else late.discard)(person)
                if asked:
                    held[person] = asked
            elif step == "answer" and person in held:
                item = held.pop(person).id
                store.take_answer("c1", item, person, answer)
                too_many[item] += person in late
                late.discard(person)
                given[item, person] = answer["relation"]
            elif step == "change":
                for item in [item for item, owner in given if owner == person][:1]:
                    store.take_answer("c1", item, person, answer)
                    given[item, person] = answer["relation"]
        assert {(one.item, one.person): one.answer.relation.value for one in store.votes("c1")} == given
        assert all(len(store.votes("c1", item=item)) <= overlap + too_many[item] for item in ITEMS)
        assert store.check() == []
