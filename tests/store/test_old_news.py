"""Old news in the queue, files that are being read, and partitions, on both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from whywire.errors import InputError
from whywire.news import Article, Language, Problem, Published
from whywire.store import Store, Worker, queue
from whywire.store.inputs import InputFile
from whywire.store.partitions import UNDATED, Period

APRIL = datetime(2024, 4, 1, 10, tzinfo=UTC)
FILE = InputFile("/archive/news.jsonl", size=1, modified=1)


def report(number, time=None):
    return Article(f"a{number}", f"Report {number}", "", Language.ENGLISH, published=time and Published(time))


def test_live_news_goes_first_and_old_news_follows_in_the_order_of_time(store):
    file = store.begin_input(FILE)
    old = [report(0), report(1, APRIL + timedelta(days=30)), report(2, APRIL)]
    store.take_input(file, old, [], replace(file, done=3))
    store.accept([report(7)])
    taken = []
    while lease := store.lease("one", limit=1, seconds=600):
        taken += [article.id for article in lease.articles]
    assert taken == ["a7", "a2", "a1", "a0"]
    assert store.next_rank() is not None


def test_what_a_dead_worker_had_comes_last_of_its_window_only(store):
    file = store.begin_input(FILE)
    days = [APRIL + timedelta(days=number) for number in range(4)]
    store.take_input(file, [report(number, day) for number, day in enumerate(days)], [], replace(file, done=4))
    store.lease("dead", limit=1, seconds=600)
    store.end_leases(["dead"])
    end = store.next_rank() + timedelta(days=2) // timedelta(microseconds=1)
    leases = [store.lease("one", limit=4, seconds=600, before=end) for _ in range(3)]
    assert [[one.id for one in lease.articles] for lease in leases if lease] == [["a1"], ["a0"]]


def test_a_lease_takes_no_longer_where_more_waits(tmp_path):
    taken = []
    for count in (400, 100):
        steps = []
        with Store.open(tmp_path / f"{count}.db", models="rules") as opened:
            file = opened.begin_input(FILE)
            hours = [APRIL + timedelta(hours=number) for number in range(count)]
            opened.take_input(file, [*map(report, range(count), hours)], [], replace(file, done=count))
            end = opened.next_rank() + timedelta(days=2) // timedelta(microseconds=1)
            with opened.writing() as connection:
                connection.connection.driver_connection.set_progress_handler(partial(steps.append, 0), 1)
                assert (queue.workers(connection), queue.waiting(connection, before=end)) == ([], 48)
                assert len(queue.lease(connection, "one", limit=8, before=end).articles) == 8
                assert (queue.workers(connection), queue.leased(connection)) == (["one"], 8)
                connection.connection.driver_connection.set_progress_handler(None, 0)
        taken.append(len(steps))
    assert taken[0] < 1.1 * taken[1], taken


def test_two_that_read_one_file_do_not_take_its_rows_twice(store):
    one, other = (store.begin_input(FILE) for _ in range(2))
    store.take_input(one, [report(1)], [], replace(one, done=1))
    with pytest.raises(InputError, match="another process fills in this file"):
        store.take_input(other, [report(1)], [], replace(other, done=1))
    assert store.waiting() == 1


def test_how_far_a_file_is_and_what_was_wrong_with_it_are_kept(store):
    hostile = Problem("news.jsonl:2", "no title", row={"text": "\x00 \ud800"})
    file = store.begin_input(FILE)
    reached = replace(file, done=2)
    store.take_input(file, [report(1)], [hostile], reached)
    assert store.begin_input(FILE) == reached
    assert store.unfinished_inputs() == [FILE.path]
    assert [*store.rejected()] == [hostile]
    assert store.begin_input(replace(FILE, size=2)).done == 0
    [changed] = store.rejected()
    assert (changed.place, changed.kept) == (FILE.path, True)


@pytest.mark.parametrize(
    ("by", "name", "end"),
    [
        (Period.DAY, "2024-02-29", "2024-03-01"),
        (Period.MONTH, "2024-12", "2025-01-01"),
        (Period.YEAR, "2024", "2025-01-01"),
    ],
)
def test_a_period_ends_where_the_next_begins(by, name, end):
    begin, after = by.span_of(name)
    assert by.name_of(begin.date()) == name
    assert by.name_of((after - timedelta(seconds=1)).date()) == name
    assert after.date().isoformat() == end


@pytest.mark.parametrize("by", Period)
def test_partitions_have_all_events_links_and_claims(example_store, by):
    whole = example_store.graph()
    names = example_store.partition_names(by)
    parts = [example_store.partition(by, name) for name in names]
    assert {event.id for part in parts for event in part.events} == {event.id for event in whole.events}
    assert {link for part in parts for link in map(_ends, part.links)} == {*map(_ends, whole.links)}
    assert {claim.id for part in parts for claim in part.claims} == {claim.id for claim in whole.claims}
    assert UNDATED in names
    changed = example_store.partition_changes(by)
    assert changed.keys() == {*names}
    assert all(0 < number <= example_store.last_change() for number in changed.values())


def test_a_change_is_one_of_the_days_that_tell_of_it(filled, fake_models):
    before, last = filled.partition_changes(Period.DAY), filled.last_change()
    day = datetime(2026, 7, 1, 12, tzinfo=UTC)
    filled.accept([report(1, day)])
    worker = Worker(filled, fake_models)
    worker.work_all()
    after = filled.partition_changes(Period.DAY)
    assert {name for name in after if after[name] != before.get(name)} == {"2026-07-01"}
    assert after["2026-07-01"] > last
    filled.withdraw(["a1"])
    worker.work_all()
    assert filled.partition_changes(Period.DAY)["2026-07-01"] > after["2026-07-01"]


def _ends(link):
    return link.source, link.target, link.kind
