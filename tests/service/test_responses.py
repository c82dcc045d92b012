import asyncio

import pytest
from starlette.responses import Response
from tests.service.servers import running

from whywire.service import responses
from whywire.service.problems import ProblemError
from whywire.service.responses import ENTRY_BYTES, ResponseCache
from whywire.service.settings import Settings


class Maker:
    """Makes answers when it is let, and counts them."""

    def __init__(self, *answers):
        self.answers, self.made, self.may = list(answers), 0, asyncio.Event()

    async def __call__(self):
        self.made += 1
        answer = self.answers[min(self.made, len(self.answers)) - 1]
        await self.may.wait()
        if isinstance(answer, Exception):
            raise answer
        return Response(answer) if isinstance(answer, bytes) else answer


async def ask(kept, address, change, answer, times=1):
    """Ask at once; return how often the answer had to be made."""
    maker = Maker(answer)
    maker.may.set()
    for _ in range(times):
        await kept.get(address, change, maker)
    return maker.made


def test_what_was_asked_for_longest_ago_is_forgotten():
    async def scene():
        kept = ResponseCache(max_bytes=4 * (ENTRY_BYTES + 1000))
        for number in range(5):
            await ask(kept, str(number), 1, b"x" * 500)
            await ask(kept, "0", 1, b"")
        return [await ask(kept, str(number), 1, b"") for number in (0, 2, 3, 4, 1)]

    assert asyncio.run(scene()) == [0, 0, 0, 0, 1]


@pytest.mark.parametrize("answer", [Response(b"x", 404), Response(b"x" * 5000)], ids=["an error", "a large one"])
def test_errors_and_large_answers_are_not_kept(answer):
    async def scene():
        kept = ResponseCache(max_bytes=4 * 5000)
        return await ask(kept, "a", 1, answer, times=2), kept.size

    assert asyncio.run(scene()) == (2, 0)


def test_addresses_count_as_well_as_bodies():
    async def scene():
        kept = ResponseCache(max_bytes=100_000)
        for number in range(100):
            await ask(kept, f"{number}?{'x' * 10_000}", 1, b"{}")
            assert kept.size <= 100_000
        again = [await ask(kept, f"{number}?{'x' * 10_000}", 1, b"{}") for number in (99, 0)]
        return again, kept.size

    again, size = asyncio.run(scene())
    assert again == [0, 1]
    assert size > 70_000


def test_an_answer_is_made_once_for_all_who_wait():
    async def scene():
        kept, maker = ResponseCache(), Maker(b"one")
        asked = [asyncio.create_task(kept.get("a", 1, maker)) for _ in range(50)]
        await asyncio.sleep(0)
        maker.may.set()
        return {(await one).body for one in asked}, maker.made

    assert asyncio.run(scene()) == ({b"one"}, 1)


def test_who_asked_after_a_change_gets_no_answer_begun_before_it():
    async def scene():
        kept, maker = ResponseCache(), Maker(b"before", b"after")
        first = asyncio.create_task(kept.get("a", 1, maker))
        await asyncio.sleep(0)
        second = asyncio.create_task(kept.get("a", 2, maker))
        await asyncio.sleep(0)
        maker.may.set()
        return (await first).body, (await second).body

    assert asyncio.run(scene()) == (b"before", b"after")


@pytest.mark.parametrize(("late", "expected"), [(1e9, b"old"), (0.0, b"new")])
def test_while_an_answer_is_made_anew_the_one_before_is_given_unless_it_is_too_old(late, expected, monkeypatch):
    monkeypatch.setattr(responses, "LATE_SECONDS", late)
    monkeypatch.setattr(responses, "MOMENT_SECONDS", 0.01)

    async def scene():
        kept, maker = ResponseCache(), Maker(b"new")
        await ask(kept, "a", 1, b"old")
        asked = [asyncio.create_task(kept.get("a", change, maker)) for change in (2, 3, 3)]
        done, _ = await asyncio.wait(asked, timeout=0.1)
        maker.may.set()
        given = {(await one).body for one in asked}
        return len(done), given, (await kept.get("a", 2 if late else 3, maker)).body

    assert asyncio.run(scene()) == (3 if late else 0, {expected}, b"new")


def test_a_refusal_is_for_who_was_refused():
    async def scene():
        kept, maker = ResponseCache(), Maker(ProblemError(503, "you ask too much"), b"one")
        asked = [asyncio.create_task(kept.get("a", 1, maker)) for _ in range(3)]
        await asyncio.sleep(0)
        maker.may.set()
        return [getattr(one, "body", one) for one in await asyncio.gather(*asked, return_exceptions=True)]

    refused, *answered = asyncio.run(scene())
    assert isinstance(refused, ProblemError)
    assert answered == [b"one", b"one"]


def test_an_answer_is_kept_until_the_store_changes(service):
    key = service.key("write")
    assert service.get("/v1/events").json()["items"] == []
    service.post("/v1/articles", json={"title": "Fire"}, headers=key)
    service.settle()
    first = service.get("/v1/events")
    again = service.get("/v1/events")
    assert len(first.json()["items"]) == 1
    assert again.content == first.content
    assert again.headers["etag"] == first.headers["etag"]
    assert service.get("/v1/events", headers={"if-none-match": first.headers["etag"]}).status_code == 304
    service.post("/v1/articles", json={"title": "Rain in the north"}, headers=key)
    service.settle()
    assert len(service.get("/v1/events").json()["items"]) == 2


def test_a_kept_answer_is_not_for_everybody(tmp_path, fake_models):
    with running(Settings(store=tmp_path / "news.db", port=0, open_reading=False), fake_models) as one:
        assert one.get("/v1/events", headers=one.key("read")).status_code == 200
        assert one.get("/v1/events").status_code == 401
