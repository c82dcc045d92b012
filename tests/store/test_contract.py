"""What holds of a store on either database: everything comes back as it was, once, in pages that do not shift."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from tests.store.conftest import commit_all

from whywire.elements import ClaimKind, EvidenceKind, LinkKind
from whywire.engines import PredictionCache, text_key
from whywire.errors import InputError
from whywire.feeds.states import FeedState, Seen, Subscription
from whywire.graph.snapshots import as_of
from whywire.news import Article, Language, Published, parse_time
from whywire.store import ApiKey, LeaseLostError, Outcome, StaleStateError, StoryFilter, Worker, feeds
from whywire.updating import Change, ChangeKind, Changes, link_key

DAY = datetime(2026, 3, 4, tzinfo=UTC)


def pages(read, **options):
    """All items of a list, read in pages of seven."""
    items, after = [], None
    while True:
        page = read(after=after, limit=7, **options)
        assert len(page.items) <= 7
        items += page.items
        if page.next is None:
            return items
        after = page.next


def news(number, **fields):
    return Article(**{"id": f"n{number}", "title": f"Report {number}", "language": Language.ENGLISH} | fields)


# Deciding.


def links_at(state, event):
    return {key for key in state.links if event in key[:2]}


def positions(indices, articles):
    return {
        name: indices[one.language].position_of(name) for name, one in articles.items() if one.language in indices
    }


def test_where_articles_lie_comes_back_as_it_was(filled, final):
    index = filled.index()
    assert index.at == filled.last_change()
    assert positions(index.indices, final.articles) == positions(final.indices, final.articles)
    for article in final.articles.values():
        if article.language in final.indices:
            assert story_of(index, article) == story_of(final, article)


def test_an_index_catches_up_with_what_others_committed(store, updates, final):
    commit_all(store, updates[:2])
    index = store.index()
    for part in (updates[2:3], updates[3:]):
        commit_all(store, part)
        store.catch_up(index)
    assert index.at == store.last_change()
    assert positions(index.indices, final.articles) == positions(final.indices, final.articles)


def test_what_an_update_asks_for_comes_back_as_it_was(filled, final):
    articles = [*final.articles.values()][::7]
    stories = {name for one in articles if one.language in final.indices for name in story_of(final, one)}
    state = filled.state(filled.index(), articles[:3])
    assert {one.id for one in articles[:3]} <= state.articles.keys()
    state.fetch(stories)
    for mine, theirs in (
        (state.events_in(stories), final.events_in(stories)),
        (state.links_in(stories), final.links_in(stories)),
        (state.claims_in(stories), final.claims_in(stories)),
    ):
        assert theirs
        assert mine == theirs
    names = [event.id for event in state.events_in(stories)]
    assert state.used_among([*names, *final.ended, "e-none"]) == {*names, *final.ended}
    assert state.stories_among([*names, "e-none"]) == final.stories_among(names)
    state.predictions.recall([*final.predictions.relations, *final.predictions.strengths])
    assert_answers(state.predictions, final, stories)


def story_of(state, article):
    index = state.indices[article.language]
    return index.story_of(article.id)


def assert_answers(answers, final, names):
    for name in names:
        if final.articles[name].language in final.indices:
            key = text_key(final.articles[name])
            np.testing.assert_array_equal(answers.readings[key].vector, final.predictions.readings[key].vector)
    assert answers.strengths == final.predictions.strengths
    assert answers.relations.keys() == final.predictions.relations.keys()
    for pair, row in final.predictions.relations.items():
        np.testing.assert_array_equal(answers.relations[pair], row)


def test_a_state_that_others_overtook_says_so(filled, updates):
    state = filled.state(filled.index())
    filled.commit(Changes(history=(Change(ChangeKind.ARTICLE_ADDED, "n1"),)), decided_at=state.at)
    with pytest.raises(StaleStateError, match="meanwhile"):
        state.fetch({updates[0][0][0].id})


def test_answers_of_other_models_are_not_given(filled, example):
    assert filled.known_answers(example).readings
    filled.models = "others"
    assert not filled.known_answers(example).readings


def test_answers_are_kept_before_the_update_is_decided(store, updates):
    batch, changes = updates[0]
    store.keep_answers(changes.predictions)
    assert store.known_answers(batch).readings.keys() == changes.predictions.readings.keys()
    assert store.counts().articles == 0


def test_a_pair_keeps_both_its_answers(store):
    pair = (Language.ENGLISH, ("Fire", "Smoke"))
    store.keep_answers(PredictionCache(strengths={pair: 71.5}))
    store.keep_answers(PredictionCache(relations={pair: np.array([0.1, 0.9])}))
    answers = store.state(store.index()).predictions
    answers.recall([pair])
    assert answers.strengths == {pair: 71.5}
    np.testing.assert_array_equal(answers.relations[pair], [0.1, 0.9])


def test_changes_of_an_older_state_are_refused_and_write_nothing(filled, updates):
    before = filled.counts()
    with pytest.raises(StaleStateError, match="later ones"):
        filled.commit(updates[0][1], decided_at=0)
    assert filled.counts() == before


def test_an_update_that_changes_nothing_leaves_no_history(filled):
    last = filled.last_change()
    assert filled.commit(Changes(), decided_at=last) == last


# Work coming in.


def test_an_article_is_accepted_once(store):
    article = news(1, url="https://example.org/1", text="A fire.")
    other = replace(article, id="n2")
    outcomes = store.accept([article, article, other, replace(article, text="A flood.")])
    assert [one.outcome for one in outcomes] == [Outcome.NEW, Outcome.KNOWN, Outcome.COPY, Outcome.CONFLICT]
    assert "another article has its url" in outcomes[3].reason
    again = store.accept([article, other])
    assert [one.outcome for one in again] == [Outcome.KNOWN, Outcome.KNOWN]
    assert store.waiting() == 2


def test_what_a_store_knows_is_not_accepted_again(filled, example):
    assert {one.outcome for one in filled.accept(example)} == {Outcome.KNOWN}
    known = next(article for article in example if article.url)
    same_url = replace(known, id="other", title="Another title")
    assert [one.outcome for one in filled.accept([replace(known, id="copy"), same_url])] == [
        Outcome.COPY,
        Outcome.CONFLICT,
    ]


@pytest.mark.parametrize(
    "unusable",
    [news(1, title="a\0b"), news(1, text="\ud800"), news(1, id="x" * 601), news(1, source="x" * 601)],
)
def test_an_article_that_no_database_can_hold_is_refused_with_the_reason(store, unusable):
    first, second = store.accept([unusable, news(2)])
    assert first.outcome is Outcome.REFUSED
    assert first.reason
    assert second.outcome is Outcome.NEW


def test_an_article_comes_out_of_the_queue_as_it_went_in(store):
    article = Article(
        "ю-1",
        "«Пожар» 🔥",
        text="Текст\n\tс\u00a0пробелами " * 50,
        language=Language.RUSSIAN,
        url="https://example.org/" + "длинный" * 500,
        source="Портовый вестник",
        published=Published(DAY, day_only=True),
        links=("https://example.org/a",),
        also=("b", "a"),
        place="news.jsonl:7",
    )
    store.accept([article])
    lease = store.lease("one")
    assert lease.articles == (article,)
    assert lease.articles[0].place == article.place


def test_the_zone_of_a_time_is_kept(store, fake_models):
    from whywire.updating import State, update

    article = news(1, published=parse_time("2026-03-04T09:00:00+11:00"))
    store.accept([article])
    lease = store.lease("one")
    store.commit(update(State(), lease.articles, models=fake_models), lease, decided_at=0)
    for kept in (*lease.articles, store.article("n1")):
        assert (kept.published, kept.published.utc_offset) == (article.published, 11 * 60)


def test_two_workers_never_have_one_article(store):
    store.accept([news(number) for number in range(10)])
    one, two = store.lease("one", limit=6), store.lease("two", limit=6)
    assert [article.id for article in one.articles + two.articles] == [f"n{number}" for number in range(10)]
    assert store.lease("three") is None
    assert store.waiting() == 10


def test_what_a_dead_worker_had_is_taken_up_by_another_and_lost_to_it(store):
    store.accept([news(1)])
    dead = store.lease("dead", seconds=-1)
    alive = store.lease("alive")
    assert alive.articles == dead.articles
    changes = Changes(articles=dead.articles)
    with pytest.raises(LeaseLostError):
        store.commit(changes, dead, decided_at=0)
    with pytest.raises(LeaseLostError):
        store.renew(dead)
    assert store.counts().articles == 0
    store.renew(alive)
    store.commit(changes, alive, decided_at=0)
    assert store.waiting() == 0


def test_released_articles_are_free_at_once(store):
    store.accept([news(1)])
    store.release(store.lease("one"))
    assert store.lease("two") is not None


def test_an_article_that_fails_is_set_aside_and_listed_and_the_others_go_on(store):
    store.accept([news(1), news(2)])
    for _ in range(3):
        lease = store.lease("one")
        assert [article.id for article in lease.articles] == ["n1", "n2"]
        rest = store.fail(lease, "n1", "the model fails on it")
        assert [article.id for article in rest.articles] == ["n2"]
        store.release(rest)
    assert [(one.article.id, one.reason) for one in store.set_aside()] == [("n1", "the model fails on it")]
    assert [article.id for article in store.lease("one", seconds=-1).articles] == ["n2"]
    assert (store.counts().waiting, store.counts().set_aside) == (1, 1)
    assert store.retry(["n1", "n2"]) == 1
    assert store.waiting() == 2


def test_an_article_that_workers_die_of_is_tried_alone_and_then_set_aside(store):
    store.accept([news(1), news(2)])
    sizes = []
    while (lease := store.lease("dying", seconds=-1)) is not None:
        sizes.append(len(lease.articles))
        assert len(sizes) < 50
    assert sizes[0] == 2
    assert sizes[-1] == 1
    assert {one.article.id for one in store.set_aside()} == {"n1", "n2"}
    assert "died" in store.set_aside()[0].reason


def test_articles_that_the_update_leaves_out_are_set_aside_with_the_reason(store, final, fake_models):
    from whywire.updating import State, update

    store.accept([news(1, url="https://example.org/1")])
    lease = store.lease("one")
    other = news(9, url="https://example.org/1", title="Another")
    state = State()
    state.apply(update(state, [other], models=fake_models))
    store.commit(update(State(), [other], models=fake_models), decided_at=0)
    changes = update(state, lease.articles, models=fake_models)
    store.commit(changes, lease, decided_at=store.last_change())
    assert store.waiting() == 0
    assert "another article has its url" in store.set_aside()[0].reason


# Reading.


def test_articles_come_latest_first_in_pages(example_store, final):
    found = pages(example_store.articles)
    assert {article.id: article for article in found} == final.articles
    times = [article.published.at if article.published else None for article in found]
    known = [time for time in times if time]
    assert known == sorted(known, reverse=True)
    assert times[len(known) :] == [None] * (len(times) - len(known))


def test_a_time_to_come_puts_nothing_at_the_head_of_a_list(store, fake_models):
    now = datetime.now(UTC).replace(microsecond=0)
    ages = {0: timedelta(hours=3), 1: timedelta(hours=-20), 2: timedelta(days=30), 3: timedelta(days=-30)}
    ages |= {number: timedelta(days=number) for number in range(4, 20)} | {20: timedelta(days=-9000)}
    told = {
        number: news(number, title=f"Mill {number} in town {number} burns down", published=Published(now - age))
        for number, age in ages.items()
    }
    store.accept([*told.values(), news(99, title="Nobody knows when")])
    Worker(store, fake_models).work_all()
    known = sorted(set(told) - {3, 20}, key=ages.__getitem__)
    found = [one.id for one in pages(store.articles)]
    assert found[: len(known)] == [f"n{number}" for number in known]
    assert {*found[len(known) :]} == {"n3", "n20", "n99"}
    assert len(found) == len({*found})
    events = [one.articles[0] for one in pages(store.events)]
    assert (events[: len(known)], {*events}, len(events)) == (found[: len(known)], {*found}, len(found))
    assert {one.id for one in pages(store.articles, since=now + timedelta(days=2))} == {"n3", "n20"}


def test_an_event_that_one_report_puts_into_a_time_to_come_stands_where_it_was_first_seen(store, fake_models):
    now = datetime.now(UTC).replace(microsecond=0)
    titles = ["Fire destroys Teskal refinery", "Storm cuts power to Varnholt", "Fire destroys Teskal refinery"]
    for number, (title, age) in enumerate(zip(titles, (2, 1, -1.5), strict=True)):
        time = Published(now - timedelta(days=age))
        store.accept([news(number, title=title, text=f"Told by {number}.", published=time)])
        Worker(store, fake_models).work_all()
    found = pages(store.events)
    assert [event.title for event in found] == [titles[1], titles[0]], "one event of two reports is behind"
    assert found[1].last_seen.at > now


def test_articles_of_an_outlet_a_language_and_a_day(example_store, final):
    everything = final.articles.values()
    outlet = next(article.source for article in everything if article.source)
    assert {one.id for one in pages(example_store.articles, source=outlet)} == {
        one.id for one in everything if one.source == outlet
    }
    assert {one.id for one in pages(example_store.articles, language=Language.RUSSIAN)} == {
        one.id for one in everything if one.language is Language.RUSSIAN
    }
    until = DAY + timedelta(days=1)
    assert {one.id for one in pages(example_store.articles, since=DAY, until=until)} == {
        one.id for one in everything if one.published and DAY <= one.published.at <= until
    }


def test_events_come_last_seen_first_in_pages(example_store, final):
    found = pages(example_store.events)
    assert {event.id: event for event in found} == final.events
    assert len(found) == len(final.events)
    times = [event.last_seen.at for event in found if event.last_seen]
    assert times == sorted(times, reverse=True)


def test_events_of_a_story_a_language_and_a_period(example_store, final):
    story = next(event.story for event in final.events.values() if event.story)
    assert {one.id for one in pages(example_store.events, story=story)} == {
        one.id for one in final.events.values() if one.story == story
    }
    assert {one.id for one in pages(example_store.events, since=DAY, until=DAY + timedelta(days=1))} == {
        one.id
        for one in final.events.values()
        if one.first_seen and one.last_seen.at >= DAY and one.first_seen.at <= DAY + timedelta(days=1)
    }


def test_links_of_the_greatest_weight_come_first_in_pages(example_store, final):
    found = pages(example_store.links)
    assert {link_key(link): link for link in found} == final.links
    assert [link.weight for link in found] == sorted((link.weight for link in found), reverse=True)


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({"kind": LinkKind.REFUTES}, lambda link: link.kind is LinkKind.REFUTES),
        ({"min_strength": 50}, lambda link: link.strength >= 50),
        ({"include_closed": False}, lambda link: link.closed_by is None),
        *(
            ({"evidence": [kind]}, lambda link, kind=kind: any(one.kind is kind for one in link.evidence))
            for kind in EvidenceKind
        ),
    ],
)
def test_links_of_a_kind(example_store, final, options, wanted):
    kept = {key for key, link in final.links.items() if wanted(link)}
    assert {link_key(link) for link in pages(example_store.links, **options)} == kept


def test_links_claims_and_mentions_of_an_event(example_store, final):
    link = max(final.links.values(), key=lambda one: one.strength)
    event = final.events[link.source]
    assert {link_key(one) for one in pages(example_store.links, event=event.id)} == links_at(final, event.id)
    assert {one.id for one in pages(example_store.claims, event=event.id)} == {
        claim.id for claim in final.claims.values() if claim.event == event.id
    }
    found = pages(example_store.mentions, event=event.id)
    assert {mention for mention, _ in found} == set(event.mentions)
    assert {name for _, name in found} == {event.id}


def test_claims_and_mentions_of_an_article(example_store, final):
    claim = next(iter(final.claims.values()))
    assert set(pages(example_store.claims, article=claim.article)) == {
        one for one in final.claims.values() if one.article == claim.article
    }
    assert set(pages(example_store.claims, kind=ClaimKind.COUNTERFACTUAL)) == {
        one for one in final.claims.values() if one.kind is ClaimKind.COUNTERFACTUAL
    }
    assert set(pages(example_store.mentions, article=claim.article)) == {
        (mention, event.id)
        for event in final.events.values()
        for mention in event.mentions
        if mention.article == claim.article
    }


def test_one_article_and_one_event(example_store, final):
    article, event = next(iter(final.articles.values())), next(iter(final.events.values()))
    assert example_store.article(article.id) == article
    assert example_store.event(event.id) == event
    assert example_store.article("none") is example_store.event("none") is None


def test_the_graph_is_that_of_the_state(example_store, final):
    assert example_store.graph() == final.graph


def test_the_graph_as_of_a_day_is_the_snapshot(example_store, final):
    assert example_store.graph(as_of=DAY) == as_of(final.graph, DAY)


def test_the_graph_of_a_period_has_its_events_and_the_links_among_them(example_store, final):
    until = DAY + timedelta(days=1)
    graph = example_store.graph(since=DAY, until=until)
    inside = {one.id for one in pages(example_store.events, since=DAY, until=until)}
    assert inside <= {event.id for event in graph.events}
    assert {link_key(link) for link in graph.links} == {
        key for key in final.links if key[0] in inside and key[1] in inside
    }


def test_stories_are_those_of_the_graph_in_its_order(example_store, final):
    found = pages(example_store.stories)
    expected = final.graph.stories()
    assert [one.id for one in found] == [one.id for one in expected]
    for summary, story in zip(found, expected, strict=True):
        articles = {article for event in story.events for article in event.articles}
        outlets = {final.articles[name].source or name for name in articles}
        assert (summary.title, summary.lead) == (story.title, story.lead.id)
        assert (summary.events, summary.links) == (len(story.events), len(story.links))
        assert (summary.articles, summary.outlets) == (len(articles), len(outlets))


def test_stories_of_a_period_and_a_language(example_store, final):
    found = pages(example_store.stories, wanted=StoryFilter(DAY, DAY + timedelta(days=1), Language.RUSSIAN))
    assert found
    assert all(one.language is Language.RUSSIAN and one.last_seen.at >= DAY for one in found)


def test_a_story_has_its_events_links_claims_and_articles(example_store, final):
    story = final.graph.stories()[0]
    graph = example_store.story(story.id)
    assert {event.id for event in story.events} <= {event.id for event in graph.events}
    assert graph.links == story.links
    for link in graph.links:
        assert graph.event(link.source).story == story.id
    assert not example_store.story("none").events


def test_what_is_around_an_event_is_what_its_links_join(example_store, final):
    link = max(final.links.values(), key=lambda one: one.strength)
    graph = example_store.around([link.source])
    assert {link_key(one) for one in graph.links} == links_at(final, link.source)
    two = example_store.around([link.source], steps=2)
    ends = {end for key in links_at(final, link.source) for end in key[:2]}
    assert {link_key(one) for one in two.links} == {key for end in ends for key in links_at(final, end)}
    assert not example_store.around(["none"]).events


@pytest.mark.parametrize(("words", "found"), [("refinery fire", "refinery"), ("пожарные", "пожарн")])
def test_search_finds_events_by_words_in_both_languages(example_store, words, found):
    best = example_store.search(words, limit=3)
    assert best
    assert found in best[0].title.lower()


@pytest.mark.parametrize("words", ["", "…", "zzzzzz", "'; DROP TABLE events; --", "x" * 100_000, "\0"])
def test_search_takes_any_words(example_store, words):
    assert isinstance(example_store.search(words), list)


def test_pages_do_not_shift_while_news_arrives(store, updates, final):
    commit_all(store, updates[:2])
    first = store.events(limit=10)
    before = {event.id for event in pages(store.events)}
    last = store.last_change()
    batch, changes = updates[2]
    store.accept(batch)
    store.commit(changes, store.lease("one"), decided_at=last)
    rest = pages(lambda after, limit: store.events(after=after or first.next, limit=limit))
    seen = [event.id for event in (*first.items, *rest)]
    assert len(seen) == len(set(seen))
    unchanged = before - {event.id for event in changes.events} - {*changes.ended}
    assert unchanged <= set(seen)


@pytest.mark.parametrize("listed", ["articles", "events", "links", "claims", "mentions", "stories"])
def test_a_cursor_of_something_else_is_an_error(example_store, listed):
    for cursor in ("", "x", "W10", "WzEsMl0", "bm90IGpzb24", "W251bGwsInjil4siXQ", "é"):
        with pytest.raises(InputError, match="not a cursor"):
            getattr(example_store, listed)(after=cursor)


# History.


def test_the_history_is_kept_in_order_and_can_be_resumed(example_store, updates):
    expected = [change for _, changes in updates for change in changes.history]
    recorded = example_store.changes(limit=100_000)
    assert [one.change for one in recorded] == expected
    assert [one.id for one in recorded] == list(range(1, len(expected) + 1))
    assert example_store.last_change() == len(expected)
    assert example_store.changes(after=5, limit=2) == recorded[5:7]
    assert example_store.changes(since=recorded[-1].at)[-1] == recorded[-1]
    assert not example_store.changes(since=datetime.now(UTC) + timedelta(hours=1))


def test_the_history_of_an_event_is_what_names_it_and_what_was_merged_into_it(example_store, final, updates):
    recorded = example_store.changes(limit=100_000)

    def names(event, change):
        if change.kind in (ChangeKind.ARTICLE_ADDED, ChangeKind.ARTICLE_COPIED):
            return False
        return event in (change.subject, change.object, *change.into)

    ended = {name for _, changes in updates for name in changes.ended}
    often = Counter(name for one in recorded for name in {one.change.subject, *one.change.into})
    most = [name for name, _ in often.most_common() if name in final.events or name in ended]
    lengths = set()
    for event in {*most[:10], *most[10::20], *sorted(ended)[:5]}:
        expected = [one for one in recorded if names(event, one.change)]
        assert example_store.changes(event=event) == expected
        assert example_store.history_of(event, limit=1000) == expected[::-1]
        assert example_store.history_of(event, limit=2) == expected[::-1][:2]
        last = expected[len(expected) // 2].id
        rest = [one for one in expected if one.id > last]
        assert example_store.changes(event=event, after=last, limit=3) == rest[:3]
        lengths.add(len(expected))
    assert max(lengths) > 10
    late = datetime.now(UTC) + timedelta(hours=1)
    assert example_store.changes(event=next(iter(final.events)), since=late) == []
    assert example_store.history_of("none") == example_store.changes(event="none") == []
    article = next(iter(final.articles))
    assert example_store.history_of(article) == []


def test_an_ended_event_leads_to_those_that_hold_its_mentions(example_store, final, updates):
    ended = {name: into for _, changes in updates for name, into in changes.ended.items()}
    assert ended
    for name in ended:
        assert example_store.event(name) is None
        now = example_store.resolve(name)
        assert now
        assert all(example_store.event(one) for one in now)
    alive = next(iter(final.events))
    assert example_store.resolve(alive) == (alive,)
    assert example_store.resolve("none") == ()


def test_a_dropped_link_is_no_more_but_its_history_stays(example_store, final, updates):
    dropped = {key for _, changes in updates for key in changes.dropped} - final.links.keys()
    assert dropped
    assert not dropped & {link_key(link) for link in pages(example_store.links)}
    recorded = {
        (one.change.subject, one.change.object, one.change.link_kind)
        for one in example_store.changes(limit=100_000)
        if one.change.kind is ChangeKind.LINK_DROPPED
    }
    assert dropped <= recorded


def test_counts(example_store, final):
    counts = example_store.counts()
    assert (counts.articles, counts.events) == (len(final.articles), len(final.events))
    assert (counts.links, counts.claims) == (len(final.links), len(final.claims))
    assert counts.stories == len(final.graph.stories())
    assert counts.models == {"rules": len(final.predictions.readings)}


def test_another_process_sees_what_one_commits(store, open_store, updates):
    other = open_store()
    last = commit_all(store, updates[:1])
    assert other.last_change() == last
    assert other.graph() == store.graph()


# Keys and feeds.


def test_keys_are_found_used_and_revoked(store):
    key = ApiKey("k1", "newsroom", "ww_ab", "hash", ("write",), DAY)
    store.add_key(key)
    assert store.find_key("ww_ab") == key
    assert store.find_key("none") is None
    store.use_key("k1", DAY + timedelta(hours=1))
    assert store.revoke_key("k1", DAY + timedelta(days=1))
    assert not store.revoke_key("k1", DAY + timedelta(days=2))
    assert store.keys() == [replace(key, last_used=DAY + timedelta(hours=1), revoked=DAY + timedelta(days=1))]


def test_states_of_feeds_are_kept_by_url(store):
    state = FeedState(
        "https://example.org/feed", "https://example.org/feed.xml", next_fetch=DAY, seen=(Seen("a", "b"),)
    )
    store.feed_states.save(replace(state, failures=3))
    store.feed_states.save(state)
    other = FeedState("https://example.org/" + "x" * 3000, "https://example.org/x", title="a\0\ud800")
    store.feed_states.save(other)
    assert {one.url: one for one in store.feed_states.load()} == {state.url: state, other.url: other}


def test_feeds_are_added_changed_and_removed(store):
    url, other = "https://harbour.example/rss", "https://example.org/" + "x" * 3000
    store.name_feeds([url, url])
    [named] = store.feeds()
    assert (named.added, named.state, named.awaits_look) == (None, FeedState(url, address=url), True)
    assert store.subscriptions() == [(Subscription(url), False)]
    assert set(store.add_feeds({url: "Harbour", other: ""}, "k1")) == {url, other}
    assert store.add_feeds({url: "Another title"}, "k2") == []
    added = store.feed(named.id)
    assert store.subscriptions() == [(feed.subscription, True) for feed in store.feeds()]
    assert (added.title, added.added_by, added.paused, added.interval) == ("Harbour", "k1", False, None)
    assert store.change_feed(named.id, {"paused": True, "interval": 30})
    store.feed_states.save(
        FeedState(url, url, last_look=added.subscription.asked - timedelta(1), last_success=DAY, articles=2)
    )
    paused = store.feed(named.id)
    assert (paused.subscription.interval, paused.awaits_look, paused.health(DAY)) == (1800.0, False, "paused")
    store.change_feed(named.id, {"paused": False})
    assert store.feed(named.id).awaits_look
    looked = store.feed(named.id).subscription.asked
    store.known_feed_states.save(FeedState(url, url, last_look=looked, last_success=looked))
    assert not store.feed(named.id).awaits_look
    assert store.ask_for_look(named.id)
    assert store.feed(named.id).awaits_look
    assert store.remove_feed(named.id)
    assert not store.remove_feed(named.id)
    store.known_feed_states.save(FeedState(url, url))
    assert [feed.url for feed in store.feeds()] == [other], "a look that ends later does not bring a feed back"
    assert not store.change_feed(named.id, {"paused": True})


def test_a_store_has_a_limited_number_of_feeds(store, monkeypatch):
    monkeypatch.setattr(feeds, "MAX_FEEDS", 2)
    store.add_feeds({"https://a.example/": "", "https://b.example/": ""}, None)
    with pytest.raises(InputError, match="at most 2 feeds"):
        store.add_feeds({"https://b.example/": "", "https://c.example/": ""}, None)
    assert {feed.url for feed in store.feeds()} == {"https://a.example/", "https://b.example/"}


def test_one_process_watches_the_feeds_until_it_ends_or_dies(open_store):
    one, other = open_store(), open_store()
    assert one.feed_watcher() is None
    assert one.take_watch("one", seconds=60)
    assert not other.take_watch("other", seconds=60)
    assert one.take_watch("one", seconds=60), "renewed"
    assert other.feed_watcher() == "one"
    other.end_watch("other")
    assert other.feed_watcher() == "one"
    one.end_watch("one")
    assert other.take_watch("other", seconds=-1)
    assert other.feed_watcher() is None, "it ran out"
    assert other.take_watch("other", seconds=60)
    assert one.take_watch("one", seconds=60, dead=["other"])


def test_leased_articles_are_counted(store):
    store.accept([Article("a", "Dam gives way"), Article("b", "Ferry resumes")])
    assert (store.waiting(), store.leased()) == (2, 0)
    store.lease("test", limit=1)
    assert (store.waiting(), store.leased()) == (2, 1)
    store.lease("test", limit=1, seconds=-1)
    assert (store.waiting(), store.leased()) == (2, 1), "a lease that ran out does not count"


def test_a_snapshot_sees_one_state_while_others_write(store):
    store.accept([Article("a", "Dam gives way")])
    with store.snapshot() as frozen:
        assert frozen.waiting() == 1
        store.accept([Article("b", "Rain stops")])
        assert (frozen.waiting(), store.waiting()) == (1, 2)
    assert store.waiting() == 2
