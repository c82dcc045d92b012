"""Watches, and how their webhooks go on: each message is sent by one process at a time, until it is taken."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from tests.store.test_topics import commit, told

from whywire.errors import InputError
from whywire.store import Topic, TopicKind, Watch, watch_list

DAY = datetime(2026, 3, 4, tzinfo=UTC)
FIRES = Watch("w1", "Fires", Topic(TopicKind.WORDS, "fire"), DAY, "k1", "https://hooks.example/a", "whsec_YQ==")


def message(watch, news):
    """The numbers of the changes, and a mark of the store that made it."""
    return f"{watch.id}: {[one.recorded.id for one in news]}"


def lease(store, **options):
    return store.lease_webhooks(message, **options)


@pytest.fixture
def followed(store):
    """A store with a watch, and two reports about it among others that came later."""
    commit(store, told(0, "Fire before anybody followed it"))
    store.add_watch(FIRES)
    commit(store, told(1, "Rain"), told(2, "Fire in the mill"), told(3, "Snow"), told(4, "Fire in the barn"))
    return store


def test_a_watch_comes_back_as_it_was_and_begins_after_the_last_change(store):
    commit(store, told(1, "Rain"))
    assert store.add_watch(FIRES) == replace(FIRES, delivered=1)
    other = replace(FIRES, id="w2", made=DAY + timedelta(days=1), webhook=None, secret=None)
    store.add_watch(other)
    assert [one.id for one in store.watches()] == ["w2", "w1"]
    store.rename_watch("w2", "Пожары")
    assert store.find_watch("w2").name == "Пожары"
    assert store.remove_watch("w2")
    assert not store.remove_watch("w2")
    assert store.find_watch("w2") is None
    assert FIRES.secret not in repr(FIRES)


def test_there_is_an_end_to_watches(store, monkeypatch):
    monkeypatch.setattr(watch_list, "MAX_WATCHES", 1)
    store.add_watch(FIRES)
    with pytest.raises(InputError, match="1 watches"):
        store.add_watch(replace(FIRES, id="w2"))


def test_a_message_is_leased_once_and_stays_the_same_until_it_is_taken(followed, open_store):
    other = open_store()
    [watch] = lease(followed)
    assert watch.message == "w1: [3, 5]"
    assert lease(other) == []
    commit(followed, told(5, "Fire in the church"))
    now = datetime.now(UTC)
    failed = {"since": now, "next_try": now - timedelta(seconds=1), "gives_up": False}
    assert followed.webhook_failed(watch, "no connection", **failed)
    [again] = lease(other)
    assert (again.message, again.reaches) == (watch.message, watch.reaches), "the new report is not put in"
    assert (again.failures, again.last_error) == (1, "no connection")
    assert other.webhook_took(again)
    [following] = lease(followed)
    assert (following.message, following.failures, following.last_error) == ("w1: [6]", 0, None)


def test_what_a_dead_process_was_sending_is_sent_by_another(followed, open_store):
    [dead] = lease(followed, seconds=-1)
    [alive] = lease(open_store())
    assert alive.message == dead.message
    assert not followed.webhook_took(dead), "the other one has it now"
    assert followed.webhook_took(alive)
    assert not followed.has_due_webhooks()


def test_an_attempt_waits_for_its_time(followed):
    [watch] = lease(followed)
    now = datetime.now(UTC)
    followed.webhook_failed(watch, "500", since=now, next_try=now + timedelta(hours=1), gives_up=False)
    assert not followed.has_due_webhooks()
    assert lease(followed) == []
    assert followed.find_watch("w1").failing_since == now


def test_a_paused_watch_sends_what_changed_meanwhile_once_it_is_resumed(followed):
    [watch] = lease(followed)
    now = datetime.now(UTC)
    followed.webhook_failed(watch, "410", since=now, next_try=now, gives_up=True)
    assert (followed.find_watch("w1").paused, followed.find_watch("w1").last_error) == (True, "410")
    commit(followed, told(5, "Fire in the church"))
    assert not followed.has_due_webhooks()
    followed.pause_watch("w1", paused=False)
    [first] = lease(followed)
    followed.webhook_took(first)
    [second] = lease(followed)
    assert [first.message, second.message] == ["w1: [3, 5]", "w1: [6]"]


def test_news_of_something_else_is_passed(store):
    store.add_watch(FIRES)
    commit(store, told(1, "Rain"), told(2, "Snow"))
    assert store.has_due_webhooks()
    assert lease(store) == []
    assert store.find_watch("w1").delivered == store.last_change()
    assert not store.has_due_webhooks()


def test_a_message_has_so_many_changes_at_most(store, monkeypatch):
    monkeypatch.setattr(watch_list, "CHANGES_AT_ONCE", 2)
    store.add_watch(FIRES)
    commit(store, *(told(number, f"Fire {number} in the mill") for number in range(5)))
    messages = []
    while leased := lease(store):
        messages.append(leased[0].message)
        store.webhook_took(leased[0])
    assert messages == ["w1: [1, 2]", "w1: [3, 4]", "w1: [5]"]


def test_another_address_gets_what_the_one_before_did_not_take(followed):
    [watch] = lease(followed)
    followed.redirect_watch("w1", "https://hooks.example/b", "whsec_Yg==")
    assert not followed.webhook_took(watch), "what was on its way belongs to the address before"
    [again] = lease(followed)
    assert (again.webhook, again.secret, again.message) == ("https://hooks.example/b", "whsec_Yg==", watch.message)


def test_a_watch_without_a_webhook_sends_nothing_until_it_has_one(followed):
    followed.redirect_watch("w1", None, None)
    assert lease(followed) == []
    followed.redirect_watch("w1", "https://hooks.example/b", "whsec_Yg==")
    assert lease(followed) == [], "what came before was in the feed"
    commit(followed, told(5, "Fire in the church"))
    assert [one.message for one in lease(followed)] == ["w1: [6]"]


def test_watches_are_in_a_backup(followed, tmp_path):
    followed.backup(tmp_path / "backup.db")
    with type(followed).open(tmp_path / "backup.db", models="rules") as copy:
        assert copy.watches() == followed.watches()
        assert [one.message for one in lease(copy)] == ["w1: [3, 5]"]
