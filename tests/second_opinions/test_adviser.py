"""A chat model is asked within a budget, each question once, and never in the way, however it behaves."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date

import msgspec
import pytest
from tests.local_server import Reply, says, serving
from tests.second_opinions.chat_servers import USAGE, adviser_at

from whywire.models.chat import ChatEndpoint
from whywire.second_opinions.chat_requests import Request
from whywire.second_opinions.kept_answers import AnswersInMemory
from whywire.second_opinions.questions import Opinion, Questions, Verdict
from whywire.second_opinions.recollection import Recollection


class Colour(msgspec.Struct, forbid_unknown_fields=True):
    """An answer."""

    colour: str


BLUE = says({"colour": "blue"}, usage=USAGE)


def about(data):
    return Request("Answer.", data, Colour, 50)


QUESTION, OTHER = about({"text": "The mill burnt. Мост"}), about({})


def ask(adviser, request=QUESTION):
    return adviser.ask(request)


def test_an_answer_comes_in_its_form_and_is_asked_for_once():
    with serving(BLUE) as server:
        adviser = adviser_at(server)
        assert ask(adviser) == ask(adviser) == Colour("blue")
    (asked,) = server.asked
    assert asked.body["messages"] == [
        {"role": "system", "content": "Answer."},
        {"role": "user", "content": '{"text": "The mill burnt. Мост"}'},
    ]
    assert (asked.body["temperature"], asked.body["max_tokens"]) == (0, 50)
    assert asked.body["response_format"]["json_schema"]["schema"] == QUESTION.schema
    assert (adviser.tally.requests, adviser.tally.kept, adviser.tally.prompt_tokens) == (1, 1, 100)


@pytest.mark.parametrize(("refused", "status"), [(1, 422), (2, 500), (3, 400), (4, 422), (5, 422)])
def test_options_that_an_endpoint_refuses_are_left_out_from_then_on(refused, status):
    with serving(*[Reply("no such option", status)] * refused, BLUE) as server:
        adviser = adviser_at(server)
        assert ask(adviser) == Colour("blue")
        assert ask(adviser, OTHER) == Colour("blue")
    *_, first, second = (asked.body for asked in server.asked)
    assert len(server.asked) == refused + 2
    assert first.keys() == second.keys()
    assert ("response_format" in first) == (refused < 4)
    assert ("max_tokens" in first) == (refused % 2 == 0)


@pytest.mark.parametrize(
    "words",
    [
        "blue",
        '{"colour": "blue"',
        '{"colour": 5}',
        '{"colour": "blue", "note": "x"}',
        "[]",
        "null",
        "",
        "[" * 100_000,
    ],
)
def test_another_form_is_no_answer_and_is_not_paid_for_twice(words):
    said = []
    with serving(says(words, usage=USAGE)) as server:
        adviser = adviser_at(server, say=said.append)
        assert ask(adviser) is None
        assert ask(adviser) is None
    assert len(server.asked) == 1
    assert adviser.tally.unreadable == 2
    assert len(said) == 1
    assert "another form" in said[0]


def test_a_fence_around_an_answer_is_taken_off():
    with serving(says('```json\n{"colour": "blue"}\n```')) as server:
        assert ask(adviser_at(server)) == Colour("blue")


def test_characters_that_no_store_can_keep_are_replaced():
    with serving(says('{"colour": "b\ud800\0lue"}')) as server:
        assert ask(adviser_at(server)) == Colour("b?lue")


@pytest.mark.parametrize(
    "bad",
    [
        Reply("busy", 429),
        Reply("broken", 503),
        Reply("no such model", 404),
        Reply(BLUE.body, cut=10),
        Reply(BLUE.body, wait=1.0),
        Reply("<html>not a completion</html>"),
        Reply("", 302, {"Location": "http://elsewhere.example"}),
    ],
    ids=["busy", "away", "unknown", "cut", "slow", "html", "redirect"],
)
def test_an_endpoint_that_fails_is_left_alone_and_it_is_said_once(bad):
    said = []
    with serving(bad, BLUE) as server:
        adviser = adviser_at(server, timeout=0.3, say=said.append)
        assert [ask(adviser), ask(adviser), ask(adviser, OTHER)] == [None, None, None]
    assert len(server.asked) == 1
    assert len(said) == 1
    assert "is not asked for 5 minutes" in said[0]
    assert adviser.tally.unanswered == 3


def test_an_endpoint_that_refuses_everything_is_left_alone_too():
    said = []
    with serving(Reply("broken", 500)) as server:
        adviser = adviser_at(server, say=said.append)
        assert [ask(adviser), ask(adviser)] == [None, None]
    assert len(server.asked) == 6
    assert len(said) == 1


def test_nobody_there_is_no_answer():
    with serving(BLUE) as server:
        adviser = adviser_at(server)
    assert ask(adviser) is None


def test_too_long_a_question_does_not_stop_the_others():
    with serving(BLUE, Reply("too long", 400), BLUE) as server:
        adviser = adviser_at(server)
        assert ask(adviser) == Colour("blue")
        assert ask(adviser, OTHER) is None
        assert ask(adviser, OTHER) == Colour("blue")


def test_a_budget_is_not_passed_and_begins_anew_with_the_day():
    said, days = [], [date(2026, 3, 1)]
    with serving(BLUE) as server:
        adviser = adviser_at(server, "400", say=said.append, today=lambda: days[-1])
        answers = [ask(adviser, about({"number": number})) for number in range(5)]
        assert len(server.asked) == answers.count(Colour("blue")) == 2  # 110 tokens each, more are reserved
        days.append(date(2026, 3, 2))
        assert ask(adviser, OTHER) == Colour("blue")
    assert len(said) == 1
    assert "budget of 2026-03-01" in said[0]


def test_what_an_endpoint_may_have_worked_for_counts_and_what_it_refused_does_not():
    for bad, left in ((Reply("busy", 429), True), (Reply(BLUE.body, cut=10), False), (Reply("away", 502), False)):
        kept = AnswersInMemory()
        with serving(bad) as server:
            ask(adviser_at(server, "400", kept=kept, today=lambda: date(2026, 3, 1)))
        assert kept.reserve(date(2026, 3, 1), "tokens", 400, 400) is left


def test_many_at_once_do_not_pass_the_budget():
    with serving(BLUE) as server:
        adviser = adviser_at(server, "2k")
        with ThreadPoolExecutor(8) as pool:
            [*pool.map(lambda number: ask(adviser, about({"number": number})), range(40))]
        tally = adviser.tally
        assert 0 < tally.requests == len(server.asked) < 40
        assert tally.prompt_tokens + tally.completion_tokens <= 2000


def test_an_endpoint_that_says_it_used_more_than_it_may_is_not_asked_again():
    with serving(says({"colour": "blue"}, usage={"prompt_tokens": 5000, "completion_tokens": 9})) as server:
        adviser = adviser_at(server, "3k")
        assert ask(adviser) == Colour("blue")
        assert ask(adviser, OTHER) is None
    assert len(server.asked) == 1


def three(*words):
    return Questions("Same colour?", [{"first": word, "second": "blue"} for word in words])


def verdicts(opinions):
    return [opinion.verdict for opinion in opinions]


def test_a_question_is_asked_once_whatever_is_asked_beside_it():
    with serving(
        says({"q1": "yes", "q2": "no", "q3": "unsure"}, usage=USAGE), says({"q1": "no"}, usage=USAGE)
    ) as server:
        adviser = adviser_at(server)
        first = adviser.opinions(three("azure", "red", "teal"))
        assert first == [Opinion(verdict, "tiny-chat") for verdict in (Verdict.YES, Verdict.NO, Verdict.UNSURE)]
        again = adviser.opinions(three("red", "green", "azure"))
    assert verdicts(again) == [Verdict.NO, Verdict.NO, Verdict.YES]
    (one,) = json.loads(server.asked[1].body["messages"][-1]["content"])["questions"]
    assert one == {"id": "q1", "first": "green", "second": "blue"}


@pytest.mark.parametrize("words", ["yes", '{"q1": "yes", "q2": "yes"}', '{"q1": "YES", "q2": "no", "q3": "no"}', ""])
def test_an_answer_in_another_form_says_nothing_and_is_not_asked_for_twice(words):
    said = []
    with serving(says(words, usage=USAGE)) as server:
        adviser = adviser_at(server, say=said.append)
        for _ in range(2):
            assert adviser.opinions(three("azure", "red", "teal")) == [Opinion()] * 3
    assert len(server.asked) == len(said) == 1


def test_where_a_model_does_not_answer_what_another_one_said_holds():
    kept = AnswersInMemory()
    with serving(says({"q1": "yes"}, usage=USAGE)) as server:
        adviser_at(server, kept=kept).opinions(three("azure"))
        new = replace(adviser_at(server, "1", kept=kept), endpoint=ChatEndpoint(server.url, "other"))
        assert new.opinions(three("azure", "red")) == [Opinion(Verdict.YES, "tiny-chat"), Opinion()]
    assert len(server.asked) == 1


def test_of_two_models_the_one_that_is_asked_now_holds():
    kept = AnswersInMemory()
    with serving(says({"q1": "yes"}, usage=USAGE), says({"q1": "no"}, usage=USAGE)) as server:
        adviser_at(server, kept=kept).opinions(three("azure"))
        new = replace(adviser_at(server, kept=kept), endpoint=ChatEndpoint(server.url, "other"))
        assert new.opinions(three("azure")) == [Opinion(Verdict.NO, "other")]
    assert Recollection.of(kept).opinions(three("azure", "red")) == [Opinion(Verdict.NO, "other"), Opinion()]
    assert Recollection.of(AnswersInMemory()) is None


def test_more_questions_than_are_asked_may_be_answered_already():
    """So an answer holds when nearer merges come before its own."""
    with serving(says({"q1": "yes", "q2": "no"}, usage=USAGE)) as server:
        adviser = adviser_at(server)
        adviser.opinions(three("azure", "red"))
        last = replace(three("teal", "green", "azure", "red", "grey"), most=2)
        assert verdicts(adviser.opinions(last)) == [
            Verdict.YES,
            Verdict.NO,
            Verdict.YES,
            Verdict.NO,
            Verdict.UNSURE,
        ]
    second = json.loads(server.asked[1].body["messages"][-1]["content"])["questions"]
    assert [one["first"] for one in second] == ["teal", "green"]
