"""What an answer means: nothing is lost, no server is asked too early, and a dead one less and less often."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.feeds import schedule
from whywire.feeds.documents import DocumentKind, Entry, FeedDocument
from whywire.feeds.schedule import Document, Failure, Unchanged, decide, entry_key, partly_done
from whywire.feeds.states import FeedState, Seen, Subscription

URL = "https://harbour.example/rss"
NOW = datetime(2026, 3, 4, 10, tzinfo=UTC)
NEW = FeedState(URL, address=URL)
FEED = Subscription(URL)


def entries(*numbers):
    return tuple(Entry(f"Report {number}", link=f"https://harbour.example/{number}") for number in numbers)


def document(*numbers, ttl=None, **more):
    return Document(FeedDocument(DocumentKind.FEED, "Post", entries(*numbers), ttl), **more)


def pause(state, now=NOW):
    return (state.next_fetch - now).total_seconds()


def keys(*numbers):
    return tuple(entry_key(URL, entry) for entry in entries(*numbers))


def found(decision):
    """The entries of a decision."""
    return tuple(one.entry for one in decision.entries)


def seen_keys(state):
    return tuple(one.key for one in state.seen)


def test_a_first_look():
    decision = decide(NEW, document(3, 2, 1, etag='"a"', modified="Wed"), NOW, 0)
    assert found(decision) == entries(1, 2, 3), "oldest first"
    state = decision.state
    assert (state.etag, state.modified, state.title, state.last_success) == ('"a"', "Wed", "Post", NOW)
    assert seen_keys(state) == keys(3, 2, 1)
    assert pause(state) == schedule.FIRST
    assert not FEED.is_due(state, NOW)
    assert FEED.is_due(state, state.next_fetch)


def test_only_what_is_new_comes_again():
    seen = decide(NEW, document(2, 1), NOW, 0).state
    decision = decide(seen, document(3, 2, 1), NOW, 0)
    assert found(decision) == entries(3)
    assert seen_keys(decision.state)[:1] == keys(3)


def test_entries_that_are_the_same_come_once_as_the_first_of_them():
    one, other = Entry("First", link="https://a.example/1"), Entry("Second", link="https://a.example/1", guid="2")
    content = FeedDocument(DocumentKind.FEED, entries=(one, other))
    assert found(decide(NEW, Document(content), NOW, 0)) == (one,)


def test_a_feed_that_gives_all_its_entries_one_id_loses_none():
    content = FeedDocument(DocumentKind.FEED, entries=tuple(replace(entry, guid="x") for entry in entries(1, 2, 3)))
    assert len(decide(NEW, Document(content), NOW, 0).entries) == 3


def test_without_addresses_entries_are_known_by_their_ids_then_by_their_words():
    assert entry_key(URL, Entry("A", guid="1")) == entry_key(URL, Entry("A, corrected", guid="1"))
    assert entry_key(URL, Entry("A", guid="1")) != entry_key("https://b.example/", Entry("A", guid="1"))
    assert entry_key(URL, Entry("A")) != entry_key(URL, Entry("B"))
    link = "https://a.example/1"
    assert entry_key(URL, Entry("A", link=link, guid="1")) == entry_key("https://b.example/", Entry("B", link=link))


FIRST = Entry("Fire at the mill", "Lightning caused it.", "https://a.example/fire?utm_campaign=1", "g1", updated="t1")


@pytest.mark.parametrize(
    ("change", "is_handed_over"),
    [
        ({}, False),
        ({"link": "https://a.example/fire?utm_campaign=2#top"}, False),
        ({"link": "https://a.example/mill-burns"}, False),
        ({"guid": "g2"}, False),
        ({"guid": ""}, False),
        ({"published": "2026-03-04"}, False),
        ({"title": "Correction: fire at the mill"}, True),
        ({"text": "A spark caused it.", "guid": "g2"}, True),
        ({"updated": "t2"}, True),
        ({"title": "Пожар на мельнице", "link": "https://a.example/mill-burns"}, True),
    ],
)
def test_a_known_entry_that_changed_is_handed_over_once_as_a_version_of_the_same_article(change, is_handed_over):
    state = decide(NEW, Document(FeedDocument(DocumentKind.FEED, entries=(FIRST,))), NOW, 0).state
    changed = Document(FeedDocument(DocumentKind.FEED, entries=(replace(FIRST, **change),)))
    decision = decide(state, changed, NOW, 0)
    assert [one.is_version for one in decision.entries] == [True] * is_handed_over
    assert seen_keys(decision.state) == (entry_key(URL, FIRST),)
    assert decision.state.interval == decide(state, Unchanged(), NOW, 0).state.interval, "nothing is new"
    assert decide(decision.state, changed, NOW, 0).entries == ()


def test_another_link_and_another_guid_are_another_entry():
    state = decide(NEW, Document(FeedDocument(DocumentKind.FEED, entries=(FIRST,))), NOW, 0).state
    other = replace(FIRST, link="https://a.example/fire?id=2", guid="g2")
    (one,) = decide(state, Document(FeedDocument(DocumentKind.FEED, entries=(other,))), NOW, 0).entries
    assert not one.is_version


def test_entries_of_which_only_the_keys_are_known_are_known():
    state = replace(NEW, seen=tuple(map(Seen, keys(1, 2))), last_success=NOW)
    assert found(decide(state, document(1, 2, 3), NOW, 0)) == entries(3)


def test_the_interval_follows_how_often_something_is_new():
    state = decide(NEW, document(1), NOW, 0).state
    quick = decide(state, document(2, 1), NOW, 0).state
    assert quick.interval == state.interval * schedule.QUICKER
    slow = decide(state, document(1), NOW, 0).state
    assert slow.interval == decide(state, Unchanged(), NOW, 0).state.interval == state.interval * schedule.SLOWER
    for number in range(40):
        quick, slow = decide(quick, document(number), NOW, 0).state, decide(slow, Unchanged(), NOW, 0).state
    assert (quick.interval, slow.interval) == (schedule.SHORTEST, schedule.LONGEST)


@pytest.mark.parametrize(
    "answer",
    [
        document(1, pause=7200.0),
        document(1, ttl=7200.0),
        Unchanged(pause=7200.0),
        Failure("busy", pause=7200.0),
    ],
)
def test_no_server_is_asked_earlier_than_it_wishes(answer):
    assert pause(decide(NEW, answer, NOW, 0).state) == 7200
    assert 7200 < pause(decide(NEW, answer, NOW, 1).state) <= 7200 * (1 + schedule.JITTER)


@pytest.mark.parametrize("answer", [document(1, pause=1e9), document(1, ttl=1e9), Failure("busy", pause=1e9)])
def test_no_server_ends_a_feed_by_a_wish_without_an_end(answer):
    assert pause(decide(NEW, answer, NOW, 1).state) <= schedule.LONGEST_WISH * (1 + schedule.JITTER)


def test_failures_in_a_row_are_ever_further_apart_and_one_success_ends_them():
    state, pauses = decide(NEW, document(1, etag='"a"'), NOW, 0).state, []
    for number in range(60):
        state = decide(state, Failure(f"reason {number}"), NOW, 0).state
        pauses.append(pause(state))
    assert pauses[:3] == [schedule.SHORTEST, 2 * schedule.SHORTEST, 4 * schedule.SHORTEST]
    assert pauses[-1] == schedule.LONGEST
    assert (state.failures, state.last_error, state.last_success, state.etag) == (60, "reason 59", NOW, '"a"')
    again = decide(state, document(2, 1), NOW, 0)
    assert found(again) == entries(2)
    assert (again.state.failures, again.state.last_error) == (0, "")


def test_a_feed_that_is_gone_is_not_asked_for_again():
    state = decide(NEW, Failure("gone", gone=True), NOW, 0).state
    assert state.ended
    assert not FEED.is_due(state, NOW + timedelta(days=999))


def test_a_feed_that_moved_is_asked_for_there():
    state = decide(NEW, document(1, moved_to="https://new.example/rss"), NOW, 0).state
    assert (state.url, state.address) == (URL, "https://new.example/rss")
    assert decide(state, document(2), NOW, 0).state.address == "https://new.example/rss"
    assert decide(state, Failure("x"), NOW, 0).state.address == "https://new.example/rss"


def test_when_only_some_entries_were_handed_over_the_others_come_again():
    before = decide(NEW, document(1, etag='"a"'), NOW, 0).state
    decision = decide(before, document(4, 3, 2, 1, etag='"b"'), NOW, 0)
    state = partly_done(before, decision, [decision.entries[0].seen], NOW)
    assert state.etag == '"a"', "else the server would say that nothing is new"
    assert found(decide(state, document(4, 3, 2, 1, etag='"b"'), NOW, 0)) == entries(3, 4)
    assert pause(state) == schedule.SHORTEST
    assert partly_done(before, decision, (), None).next_fetch == before.next_fetch


def test_what_a_feed_still_holds_is_never_forgotten(monkeypatch):
    monkeypatch.setattr(schedule, "MAX_SEEN", 6)
    state = decide(NEW, document(*range(5)), NOW, 0).state
    state = decide(state, document(9, *range(5)), NOW, 0).state
    assert len(state.seen) == 6
    assert decide(state, document(9, *range(5)), NOW, 0).entries == ()


answers = st.one_of(
    st.builds(Unchanged, st.floats(0, 1e12)),
    st.builds(Failure, st.just("no"), st.floats(0, 1e12)),
    st.lists(st.integers(0, 9), max_size=6).map(lambda numbers: document(*numbers, etag=str(numbers))),
)


@given(st.lists(st.tuples(answers, st.integers(0, 6)), max_size=12), st.floats(0, 1))
def test_whatever_happens_each_entry_is_handed_over_exactly_once(steps, jitter):
    state, now, came, held = NEW, NOW, [], set()
    for answer, count in steps:
        decision = decide(state, answer, now, jitter)
        done = decision.entries[:count]
        came += [one.entry for one in done]
        if len(done) < len(decision.entries):
            handed_over = [one.seen for one in reversed(done)]
            state = partly_done(state, decision, handed_over, now)
        else:
            state = decision.state
        assert state.next_fetch > now
        now = state.next_fetch
        held |= set(answer.content.entries) if isinstance(answer, Document) else set()
    assert len(came) == len(set(came))
    last = decide(state, document(*range(10)), now, jitter)
    assert {*came, *found(last)} == set(entries(*range(10)))
    assert set(came) <= held


def test_a_fixed_interval_holds_whatever_is_new_but_the_wish_of_the_server_comes_first():
    state = decide(NEW, document(1), NOW, 0, every=600).state
    assert pause(state) == 600
    assert pause(decide(state, Unchanged(), NOW, 0, every=600).state) == 600
    assert pause(decide(state, document(1, 2), NOW, 0, every=600).state) == 600
    assert pause(decide(state, document(1, 2, ttl=3600), NOW, 0, every=600).state) == 3600
    failed = decide(state, Failure("away"), NOW, 0, every=86_400).state
    assert pause(failed) == schedule.SHORTEST
    assert pause(decide(state, Unchanged(), NOW, 0).state) == 900, "adapted again"


def test_a_paused_feed_is_never_due_and_one_that_was_asked_for_is_due_even_if_it_is_gone():
    state = decide(NEW, Failure("gone", gone=True), NOW, 0).state
    later = NOW + timedelta(seconds=30)
    asked = replace(FEED, asked=later)
    assert not asked.is_due(state, later), "not twice a minute"
    assert asked.is_due(state, NOW + timedelta(minutes=1))
    assert asked.awaits_look(state)
    assert not replace(asked, paused=True).is_due(state, NOW + timedelta(days=1))
    assert not replace(asked, paused=True).awaits_look(state)
    done = decide(state, document(1), NOW + timedelta(minutes=1), 0).state
    assert not asked.awaits_look(done)
    assert not asked.is_due(done, NOW + timedelta(minutes=2))
    assert not FEED.awaits_look(done)
    assert FEED.awaits_look(NEW)


def test_a_look_that_goes_on_has_not_ended():
    decision = decide(NEW, document(1, 2), NOW, 0)
    handed_over = [decision.entries[0].seen]
    assert partly_done(NEW, decision, handed_over, None).last_look is None
    assert partly_done(NEW, decision, handed_over, NOW).last_look == NOW
