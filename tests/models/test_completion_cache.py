"""Answers of a chat model that are kept on disk, and what they cost."""

import multiprocessing
import os
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.local_server import says, serving

from whywire.errors import OutputError
from whywire.models.chat import ChatEndpoint, Completion
from whywire.models.completion_cache import CachedChatModel, CompletionCache, Usage, default_cache_folder

ASKED = {"url": "http://localhost:1/v1", "model": "tiny", "messages": [{"role": "user", "content": "Почему?"}]}


def kept(folder):
    """All that is on disk."""
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def chat_model(server, folder, **options):
    return CachedChatModel(ChatEndpoint(server.url, **({"model": "tiny"} | options)), CompletionCache(folder))


def test_an_answer_is_paid_for_once(tmp_path):
    usage = {"prompt_tokens": 1000, "completion_tokens": 10}
    with serving(says("Because.", usage=usage)) as server:
        first, second = chat_model(server, tmp_path), chat_model(server, tmp_path)
        assert first.ask("Why?") == first.ask("Why?") == second.ask("Why?") == "Because."
    assert len(server.asked) == 1
    assert first.usage == Usage(requested=1, cached=1, prompt_tokens=1000, completion_tokens=10)
    assert first.usage.cost(2.0, 8.0) == pytest.approx(0.00208)
    assert second.usage == Usage(cached=1)
    assert second.usage.cost(2.0, 8.0) == 0


def test_other_words_or_another_model_are_another_question(tmp_path):
    with serving(says("Because.")) as server:
        chat_model(server, tmp_path).ask("Why?")
        chat_model(server, tmp_path).ask("Why not?")
        chat_model(server, tmp_path, model="big").ask("Why?")
    assert len(server.asked) == 3
    assert chat_model(server, tmp_path).usage.uncounted == 0


def test_the_key_is_not_written_and_does_not_matter(tmp_path):
    with serving(says("Because.")) as server:
        chat_model(server, tmp_path, key="s3cret").ask("Why?")
        chat_model(server, tmp_path, key="other").ask("Why?")
    assert len(server.asked) == 1
    assert b"s3cret" not in kept(tmp_path)


def test_the_query_of_the_address_is_not_written_and_does_not_matter(tmp_path):
    with serving(says("Because.")) as server:
        for secret in ("", "?api_key=t0psecret", "/?api_key=t0pother#t0psecret"):
            asking = CachedChatModel(ChatEndpoint(server.url + secret, "tiny"), CompletionCache(tmp_path))
            assert asking.ask("Why?") == "Because."
    assert len(server.asked) == 1
    assert server.url.encode() in kept(tmp_path)
    assert b"t0p" not in kept(tmp_path)


def test_answers_that_nobody_counted_are_reported(tmp_path):
    with serving(says("Because.")) as server:
        asking = chat_model(server, tmp_path)
        asking.ask("Why?")
    assert (asking.usage.requested, asking.usage.uncounted) == (1, 1)


def test_a_file_that_is_no_database_is_reported(tmp_path):
    (tmp_path / "answers.sqlite").write_bytes(b"no database at all " * 100)
    with pytest.raises(OutputError, match="--cache"):
        CompletionCache(tmp_path).get(ASKED)


def _put_many(folder):
    for _ in range(20):
        CompletionCache(folder).put(ASKED, Completion("Потому. " * 2000))


def test_two_processes_never_show_each_other_half_an_answer(tmp_path):
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_put_many, args=(tmp_path,)) for _ in range(2)]
    for writer in writers:
        writer.start()
    cache, seen = CompletionCache(tmp_path), set()
    while any(writer.is_alive() for writer in writers):
        seen.add(cache.get(ASKED))
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    assert seen - {None} <= {Completion("Потому. " * 2000)}


def test_threads_share_a_folder_too(tmp_path):
    cache = CompletionCache(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: cache.put({**ASKED, "model": str(number % 4)}, Completion("x")), range(20)))
    assert [cache.get({**ASKED, "model": str(number)}) for number in range(5)] == [*4 * [Completion("x")], None]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_reported(tmp_path):
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    with pytest.raises(OutputError, match="--cache"):
        CompletionCache(tmp_path).put(ASKED, Completion("x"))


def test_a_file_in_the_way_is_reported(tmp_path):
    (tmp_path / "cache").write_text("")
    with pytest.raises(OutputError, match="--cache"):
        CompletionCache(tmp_path / "cache").put(ASKED, Completion("x"))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other places")
def test_the_users_cache_folder(monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "/tmp/kept")
    assert default_cache_folder() == Path("/tmp/kept/whywire/chat")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert default_cache_folder().is_relative_to(Path.home())
