"""Answers of chat models are kept in a store, and all its processes share one budget."""

import multiprocessing
import time
from datetime import date

from whywire.store import Store

DAY, NEXT = date(2026, 3, 1), date(2026, 3, 2)


def test_an_answer_is_kept_as_it_came_first(store, open_store):
    answers = store.chat_answers
    assert answers.answers(["k"]) == {}
    answers.keep("tiny", {"k": '{"q1": "yes"} мост'})
    answers.keep("tiny", {"k": "another", "l": ""})
    assert open_store().chat_answers.answers(["k", "l", "m"]) == {"k": '{"q1": "yes"} мост', "l": ""}


def test_models_are_listed_by_their_last_answers(store):
    answers = store.chat_answers
    assert answers.models() == []
    for key, model in enumerate(["tiny", "Large", "tiny:2", "Large", "tiny"]):
        answers.keep(model, {str(key): "{}"})
        time.sleep(0.002)
    assert answers.models() == ["tiny", "Large", "tiny:2"]


def test_what_is_reserved_never_passes_the_limit_of_its_day_and_unit(store):
    answers = store.chat_answers
    assert [answers.reserve(DAY, "tokens", 40, 100) for _ in range(3)] == [True, True, False]
    answers.settle(DAY, "tokens", -30)
    assert [answers.reserve(DAY, "tokens", 40, 100) for _ in range(2)] == [True, False]
    assert answers.reserve(NEXT, "tokens", 100, 100)
    assert answers.reserve(DAY, "usd", 100, 100)
    assert not answers.reserve(DAY, "eur", 101, 100)


def _spend(url: str, times: int) -> int:
    with Store.open(url) as store:
        return sum(store.chat_answers.reserve(DAY, "tokens", 7, 700) for _ in range(times))


def test_processes_of_a_store_share_a_budget(store, url):
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        granted = pool.starmap(_spend, [(url, 50)] * 3)
    assert sum(granted) == 100
    assert not store.chat_answers.reserve(DAY, "tokens", 1, 700)
