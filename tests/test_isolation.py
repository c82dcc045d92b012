"""A function in a process of its own cannot take more time or memory than it may, nor take anything down with it."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from whywire.errors import InputError
from whywire.isolation import Isolated, IsolationError


def behave(content, *, how="well"):
    """What a parser may do with bytes from outside."""
    if how == "loop":
        while True:
            pass
    if how == "eat":
        return len([bytes(2**20) for _ in range(4096)])
    if how == "die":
        os._exit(3)
    if how == "complain":
        raise InputError("no good")
    if how == "break":
        raise ValueError("what is this")
    if how == "chat":
        sys.stdout.write("words that are no answer")
    if how == "wait":
        time.sleep(0.2 if content == b"0" else 0)
    return {"length": len(content), "process": os.getpid()}


def test_it_answers_from_another_process_and_again_from_the_same():
    with Isolated(behave) as call:
        first, second = call(b"abc"), call(b"", how="chat")
    assert (first["length"], second["length"]) == (3, 0)
    assert first["process"] == second["process"] != os.getpid()


@pytest.mark.parametrize(
    ("how", "message"), [("loop", "more than 1 seconds"), ("die", "ended"), ("break", "ValueError: what is this")]
)
def test_what_goes_wrong_is_an_error_and_the_next_call_is_answered(how, message):
    with Isolated(behave, seconds=1) as call:
        with pytest.raises(IsolationError, match=message):
            call(b"", how=how)
        assert call(b"abc")["length"] == 3


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts all of a process's data")
def test_memory_is_bounded():
    with Isolated(behave, megabytes=200) as call:
        with pytest.raises(IsolationError, match="200 MB of memory"):
            call(b"", how="eat")
        assert call(b"abc")["length"] == 3


def test_an_error_about_the_input_stays_one():
    with Isolated(behave) as call, pytest.raises(InputError, match="no good"):
        call(b"", how="complain")


def test_a_large_content_and_a_process_that_reads_none_of_it():
    with Isolated(behave, seconds=20) as call:
        assert call(bytes(30 * 2**20))["length"] == 30 * 2**20


def test_a_map_keeps_the_order_and_says_what_failed():
    with Isolated(behave, processes=2) as call:
        calls = [(number, str(number).encode(), {"how": "wait"}) for number in range(6)]
        calls.insert(3, ("bad", b"", {"how": "complain"}))
        found = list(call.map(iter(calls)))
    assert [about for about, _ in found] == [0, 1, 2, "bad", 3, 4, 5]
    assert isinstance(found[3][1], InputError)
    assert len({answer["process"] for about, answer in found if about != "bad"}) == 2


def test_a_process_that_was_killed_meanwhile_is_replaced():
    with Isolated(behave) as call:
        process = call(b"")["process"]
        os.kill(process, signal.SIGKILL)
        while Path(f"/proc/{process}/stat").exists() and ") Z " not in Path(f"/proc/{process}/stat").read_text():
            time.sleep(0.01)
        assert call(b"abc")["length"] == 3


def test_no_process_is_left():
    with Isolated(behave) as call:
        process = call(b"")["process"]
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
