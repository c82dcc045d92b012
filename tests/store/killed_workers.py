"""A worker that is killed with ``kill -9`` at random times, many times, and goes on each time where it was.

A process that has everything loaded forks the workers, so that a life is spent on work, not on imports. To see how
often a store survives, and how long that takes::

    python -m tests.store.killed_workers 200
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from tests.conftest import ROOT
from tests.fake_models import FakeLanguageModels, FakeSentences
from tests.store.postgresql import running_server, why_not

from whywire.graph.causal_graph import CausalGraph
from whywire.news import Article, read_news
from whywire.store import Store, Worker
from whywire.updating import ChangeKind

ACCEPTED_AT_ONCE, LEASED_AT_ONCE = 5, 4
SHORTEST_LIFE, LONGEST_LIFE = 0.02, 0.6
"""Seconds; opening the store, loading the state and one update take some 0.2."""
OF_ARTICLES = ChangeKind.ARTICLE_ADDED, ChangeKind.ARTICLE_REPLACED, ChangeKind.ARTICLE_WITHDRAWN
LONGER = 1.5
"""Where a life was too short for an update, the next may be so many times as long: the machine is busy."""


def news(count: int = 80) -> list[Article]:
    """A part of the example, out of order."""
    articles = [item for item in read_news(ROOT / "examples" / "news.jsonl") if isinstance(item, Article)]
    return random.Random(1).sample(articles, count)


def steps(articles: list[Article]) -> Iterator[tuple[str, list[Article]]]:
    """What is done with a store: articles come, and of those before some are replaced and some withdrawn."""
    for start in range(0, len(articles), ACCEPTED_AT_ONCE):
        yield "accept", articles[start : start + ACCEPTED_AT_ONCE]
        before = articles[max(0, start - ACCEPTED_AT_ONCE) : start]
        yield "replace", [version_of(article) for article in before[:1]]
        yield "withdraw", before[1:2]


def version_of(article: Article) -> Article:
    return replace(article, text=f"A correction. {article.text}")


def left(articles: list[Article]) -> dict[str, Article]:
    """The articles that a store has in the end."""
    found: dict[str, Article] = {}
    for action, part in steps(articles):
        for article in part:
            found[article.id] = article
            if action == "withdraw":
                del found[article.id]
    return found


def live(url: str, models: FakeLanguageModels, articles: list[Article], log: Path) -> None:
    """Feed articles, versions and withdrawals, and work on them; note in a file how many steps are done."""
    done = len(log.read_bytes()) if log.exists() else 0
    waiting = [*steps(articles)][done:]
    with Store.open(url, models="rules") as store, log.open("ab", buffering=0) as file:
        worker = Worker(store, models)
        while waiting or store.waiting():
            for action, part in waiting[:1]:
                if action == "withdraw":
                    store.withdraw([article.id for article in part])
                else:
                    store.accept(part, replace=action == "replace")
                file.write(b".")
            waiting = waiting[1:]
            worker.work(limit=LEASED_AT_ONCE)


class _Deadly(FakeSentences):
    """The process dies of a text with one of the words."""

    def answers(self, encoding):
        if {"poison", "яд"} & {*encoding.tokens}:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().answers(encoding)


class DeadlyModels(FakeLanguageModels):
    """Models that a process dies of where an article says *poison* or *яд*."""

    def _sentence_rules(self, name):
        return _Deadly(name)


def work_in_danger(url: str) -> None:
    """Take in all that waits, by models that one may die of."""
    with Store.open(url, models="rules") as store:
        Worker(store, DeadlyModels()).work_all()


def serve_lives() -> None:
    """Fork a worker for each line ``[url, log, count, seconds]`` and kill it after that time; say how it ended.

    It takes so many articles in.
    """
    models = FakeLanguageModels()
    for line in sys.stdin:
        url, log, count, seconds = json.loads(line)
        articles = news(count)
        child = os.fork()
        if not child:
            status = 1
            try:
                live(url, models, articles, Path(log))
                status = 0
            finally:
                os._exit(status)
        deadline, ended, status = time.monotonic() + seconds, 0, 0
        while not ended and time.monotonic() < deadline:
            time.sleep(0.002)
            ended, status = os.waitpid(child, os.WNOHANG)
        if not ended:
            os.kill(child, signal.SIGKILL)
            ended, status = os.waitpid(child, 0)
        killed = os.WIFSIGNALED(status)
        say("killed" if killed else f"ended {os.waitstatus_to_exitcode(status)}")


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class Lives:
    """Workers of a process that forks them."""

    def __init__(self, stack: ExitStack) -> None:
        command = [sys.executable, "-c", "from tests.store.killed_workers import serve_lives; serve_lives()"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._server = stack.enter_context(subprocess.Popen(command, **pipes, text=True, cwd=ROOT))

    def live(self, url: str, log: Path, count: int, seconds: float) -> str:
        self._server.stdin.write(json.dumps([url, str(log), count, seconds]) + "\n")
        self._server.stdin.flush()
        return self._server.stdout.readline().strip()

    def close(self) -> None:
        self._server.stdin.close()


def survive(lives: Lives, make_url, folder: Path, kills: int, count: int = 80) -> dict[str, float]:
    """Kill workers so many times, over as many stores as that takes; check the store after each and at the end.

    Raises:
        AssertionError: something is lost, there twice, or half made.
    """
    chance, begun = random.Random(kills), time.monotonic()
    articles, models = news(count), FakeLanguageModels()
    expected = undisturbed(lives, make_url(), folder / "undisturbed.log", count, models)
    killed = stores = 0
    longest = LONGEST_LIFE
    while killed < kills:
        stores += 1
        url, log = make_url(), folder / f"{stores}.log"
        before = -1
        while True:
            last = killed >= kills
            ended = lives.live(url, log, count, 600 if last else chance.uniform(SHORTEST_LIFE, longest))
            if ended == "ended 0":
                break
            assert ended == "killed", ended
            killed += 1
            with Store.open(url, models="rules") as store:
                assert store.check() == []
                now = store.last_change()
            # articles that many died of are set aside
            longest, before = (max(LONGEST_LIFE, longest / LONGER) if now > before else longest * LONGER), now
        with Store.open(url, models="rules") as store:
            assert store.check() == []
            assert (store.waiting(), store.set_aside()) == (0, []), store.set_aside()
            graph = store.graph()
            told = Counter((one.change.kind, one.change.subject) for one in store.changes(limit=1_000_000))
        assert graph.articles == left(articles)
        assert all(told[kind, article.id] <= 1 for kind in OF_ARTICLES for article in articles)
        assert all(told[ChangeKind.ARTICLE_ADDED, name] == 1 for name in graph.articles)
        assert comparable(graph) == expected
    return {"kills": killed, "stores": stores, "seconds": round(time.monotonic() - begun, 1)}


def undisturbed(lives: Lives, url: str, log: Path, count: int, models: FakeLanguageModels) -> object:
    assert lives.live(url, log, count, 600) == "ended 0"
    with Store.open(url, models="rules") as store:
        return comparable(store.graph())


def comparable(graph: CausalGraph) -> object:
    """A graph but for the ids of its events, which depend on the order in which these were found."""
    members = {event.id: frozenset(event.mentions) for event in graph.events}
    return (
        graph.articles,
        {(members[event.id], event.title, event.first_seen, event.last_seen) for event in graph.events},
        {(members[link.source], members[link.target], link.kind, round(link.strength, 1)) for link in graph.links},
        {(claim.id, members[claim.event]) for claim in graph.claims},
    )


def main(kills: int) -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        lives = Lives(stack)
        stack.callback(lives.close)
        numbers = iter(range(10**6))
        kinds = {"sqlite": lambda: str(folder / f"{next(numbers)}.db")}
        if reason := why_not():
            say(f"without PostgreSQL: {reason}")
        else:
            kinds["postgresql"] = stack.enter_context(running_server()).make_database
        for kind, make_url in kinds.items():
            (folder / kind).mkdir()
            say(f"{kind}: {survive(lives, make_url, folder / kind, kills)}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
