"""Whose question is answered next, who is refused, and what a stop leaves."""

import asyncio
import threading

import pytest

from whywire.progress import stop_if_asked
from whywire.service.inference_pool import InferencePool
from whywire.service.problems import ProblemError
from whywire.service.telemetry import Metrics


async def started(pool, client, call):
    """A question that has taken its place."""
    task = asyncio.create_task(pool.run(client, "read", call))
    await asyncio.sleep(0)
    return task


def test_who_asks_much_waits_for_itself():
    async def scene():
        pool, may, order = InferencePool(Metrics(), 1, 32), threading.Event(), []

        def call(name):
            may.wait(20)
            order.append(name)

        asked = [await started(pool, "a", lambda number=number: call(f"a{number}")) for number in range(5)]
        asked += [await started(pool, client, lambda client=client: call(client)) for client in "bc"]
        may.set()
        await asyncio.gather(*asked)
        return order

    assert asyncio.run(scene()) == ["a0", "b", "c", "a1", "a2", "a3", "a4"]


def test_few_of_one_client_wait_and_few_of_all():
    async def scene():
        pool, may = InferencePool(Metrics(), 1, 8), threading.Event()
        asked = [await started(pool, client, lambda: may.wait(20)) for client in "aaaabbbbccccdddd"]
        may.set()
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert await pool.run("a", "read", lambda: "again") == "again"
        return ["503" if isinstance(one, ProblemError) else "" for one in answers]

    none, refused = [""], ["503"]
    assert asyncio.run(scene()) == [*3 * none, *refused] * 3 + 4 * refused


def test_a_stop_leaves_what_runs_between_two_batches_and_begins_no_more():
    async def scene():
        pool, running, begun = InferencePool(Metrics(), 1, 8), threading.Event(), []

        def long_question():
            running.set()
            for _ in range(4000):
                stop_if_asked()
                threading.Event().wait(0.005)

        asked = [await started(pool, "a", long_question), await started(pool, "b", lambda: begun.append("b"))]
        await asyncio.to_thread(running.wait, 20)
        pool.stop(0.05)
        return await asyncio.gather(*asked, return_exceptions=True), begun

    answers, begun = asyncio.run(scene())
    assert [getattr(one, "status_code", one) for one in answers] == [503, 503]
    assert not begun


@pytest.mark.parametrize("error", [ValueError("x"), ProblemError(404, "x")])
def test_a_question_that_fails_gives_its_place_back(error):
    def fail():
        raise error

    async def scene():
        pool = InferencePool(Metrics(), 1, 0)
        for _ in range(3):
            with pytest.raises(type(error)):
                await pool.run("a", "read", fail)

    asyncio.run(scene())
