"""States in a file, and articles appended to one: whole, or not at all."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import articles

from whywire.errors import InputError, OutputError
from whywire.feeds.articles import ArticleLines
from whywire.feeds.states import FEW_LINES, FeedHealth, FeedState, Seen, StateFile
from whywire.news import Article, read_news, to_row

words = st.text(st.characters(codec="utf-8"), max_size=20)
times = st.none() | st.datetimes(timezones=st.just(UTC))
states = st.builds(
    FeedState,
    url=words,
    address=words,
    title=words,
    etag=words,
    modified=words,
    interval=st.floats(0, 1e6),
    next_fetch=times,
    failures=st.integers(0, 99),
    last_error=words,
    last_success=times,
    ended=st.booleans(),
    seen=st.lists(st.builds(Seen, words, words, words)).map(tuple),
)


@settings(max_examples=25)
@given(st.lists(states, max_size=4, unique_by=lambda state: state.url))
def test_states_come_back_as_they_were(tmp_path_factory, given_states):
    path = tmp_path_factory.mktemp("states") / "feeds.json"
    file = StateFile(path)
    for state in given_states:
        file.save(state)
    assert list(StateFile(path).load()) == list(file.load()) == given_states


def test_a_file_of_an_earlier_version_has_keys_alone(tmp_path):
    path = tmp_path / "feeds.json"
    path.write_text('{"version": 1, "feeds": [{"url": "u", "address": "a", "seen": ["k1", "k2"]}]}')
    [state] = StateFile(path).load()
    assert state.seen == (Seen("k1"), Seen("k2"))


def test_the_last_state_of_a_feed_counts(tmp_path):
    file = StateFile(tmp_path / "feeds.json")
    for failures in range(3):
        file.save(FeedState("https://a.example/", "https://a.example/", failures=failures))
    [state] = StateFile(tmp_path / "feeds.json").load()
    assert state.failures == 2


@pytest.mark.parametrize("cut", [1, 9, 60])
def test_a_killed_process_loses_at_most_the_state_it_was_writing(tmp_path, cut):
    path = tmp_path / "feeds.json"
    file = StateFile(path)
    for failures in range(3):
        file.save(FeedState("https://a.example/", "https://a.example/", failures=failures))
    path.write_bytes(path.read_bytes()[:-cut])
    file = StateFile(path)
    [state] = file.load()
    assert state.failures == 1
    file.save(replace(state, failures=7))
    [state] = StateFile(path).load()
    assert state.failures == 7


def test_a_state_costs_the_same_however_many_feeds_there_are(tmp_path):
    file = StateFile(tmp_path / "feeds.json")
    grown = []
    for number in range(50):
        before = (tmp_path / "feeds.json").stat().st_size if number else 0
        file.save(FeedState(f"https://{number:02}.example/", "https://a.example/"))
        grown.append((tmp_path / "feeds.json").stat().st_size - before)
    assert len(set(grown[1:])) == 1


def test_lines_that_are_out_of_date_go(tmp_path):
    path = tmp_path / "feeds.json"
    file = StateFile(path)
    for failures in range(10 * FEW_LINES):
        file.save(FeedState("https://a.example/", "https://a.example/", failures=failures))
        assert path.read_bytes().count(b"\n") <= FEW_LINES + 2
    [state] = StateFile(path).load()
    assert state.failures == 10 * FEW_LINES - 1


def test_a_file_that_is_moved_away_is_written_anew(tmp_path):
    path = tmp_path / "feeds.json"
    file = StateFile(path)
    file.save(FeedState("https://a.example/", "https://a.example/"))
    file.save(FeedState("https://b.example/", "https://b.example/"))
    path.rename(tmp_path / "old.json")
    file.save(FeedState("https://a.example/", "https://a.example/", failures=1))
    assert [state.failures for state in StateFile(path).load()] == [1, 0]


@pytest.mark.parametrize(
    "content", ["", "{}", "[1]", '{"version": 1, "feeds": [3]}', '{"version": 1, "feeds": [{"url": 3}]}', "\0", "nul"]
)
def test_a_file_of_something_else_is_left_alone(tmp_path, content):
    path = tmp_path / "feeds.json"
    path.write_text(content)
    with pytest.raises(InputError, match=r"feeds\.json: not a feed-state file"):
        StateFile(path)
    assert path.read_text() == content


def test_a_file_of_a_later_version(tmp_path):
    path = tmp_path / "feeds.json"
    path.write_text('{"version": 3}\n')
    with pytest.raises(InputError, match="another version"):
        StateFile(path)


def test_a_file_that_cannot_be_written(tmp_path):
    file = StateFile(tmp_path / "feeds.json")
    (tmp_path / "feeds.json").mkdir()
    with pytest.raises(OutputError):
        file.save(FeedState("u", "u", next_fetch=datetime(2026, 3, 4, tzinfo=UTC)))


@settings(max_examples=25)
@given(st.lists(st.lists(articles, max_size=3), max_size=3))
def test_articles_are_appended_as_rows(tmp_path_factory, batches):
    path = tmp_path_factory.mktemp("lines") / "news.jsonl"
    for batch in batches:
        ArticleLines(path)(batch)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if batches else []
    assert rows == [to_row(article) for batch in batches for article in batch]


def test_a_line_that_was_cut_spoils_no_other(tmp_path):
    path = tmp_path / "news.jsonl"
    path.write_text('{"title": "Storm"}\n{"title": "Flo')
    ArticleLines(path)([Article("1", "Slide")])
    storm, problem, slide = read_news(path)
    assert (storm.title, slide.title) == ("Storm", "Slide")
    assert problem.place == f"{path}:2"


def test_a_file_that_is_moved_away_is_begun_anew(tmp_path):
    lines = ArticleLines(tmp_path / "news.jsonl")
    lines([Article("1", "Storm")])
    (tmp_path / "news.jsonl").rename(tmp_path / "news.1.jsonl")
    lines([Article("2", "Flood")])
    assert [article.title for article in read_news([tmp_path / "news.1.jsonl", tmp_path / "news.jsonl"])] == [
        "Storm",
        "Flood",
    ]


def test_a_file_of_articles_that_cannot_be_written(tmp_path):
    with pytest.raises(OutputError, match="cannot be written"):
        ArticleLines(tmp_path)


def test_of_a_batch_that_does_not_fit_nothing_is_left(tmp_path):
    resource = pytest.importorskip("resource")
    path = tmp_path / "news.jsonl"
    signal = pytest.importorskip("signal")
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        lines = ArticleLines(path)
        lines([Article("1", "Storm")])
        size = path.stat().st_size
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 50, before[1]))
        with pytest.raises(OutputError):
            lines([Article(str(number), "Flood", "It rose. " * 9) for number in range(9)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert path.stat().st_size == size


def test_a_feed_that_nobody_looks_at_any_more_is_unwatched():
    now = datetime(2026, 3, 12, tzinfo=UTC)
    new = FeedState("https://feeds.example/a", "https://feeds.example/a")
    works = replace(new, last_success=now, next_fetch=now + timedelta(hours=1))
    failing = replace(works, failures=2, last_error="404 Not Found")
    assert [state.health(now) for state in (new, works, failing)] == [
        FeedHealth.NEW,
        FeedHealth.OK,
        FeedHealth.FAILING,
    ]
    later = now + timedelta(days=2)
    assert {works.health(later), failing.health(later)} == {FeedHealth.UNWATCHED}
    assert replace(failing, ended=True).health(later) is FeedHealth.ENDED
