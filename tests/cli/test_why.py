"""``whywire why`` as a person and a program run it."""

import json
from functools import partial

import pytest
from rich.text import Text
from tests.cli.commands import run as run_command
from tests.conftest import ROOT

from whywire.cli.queries import NO_ANSWER, marked
from whywire.errors import InputError

NEWS = [
    {
        "id": "n1",
        "title": "Bridge in Stonelow falls",
        "source": "Harbour Post",
        "url": "https://harbour-post.example/bridge",
        "published": "2026-03-04",
        "text": "The bridge fell because a barge had struck its middle pier on Monday.\nSchools stay open.",
    },
    {"id": "n2", "title": "В Старомостске отменили ярмарку", "text": "Ярмарку отменили из-за сильного ветра."},
]


run = partial(run_command, "why")


@pytest.fixture
def news(tmp_path):
    path = tmp_path / "news.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in NEWS), encoding="utf-8")
    return path


def test_a_person_sees_the_answer_its_sentence_and_where_it_stands(news):
    shown = run("Why did the bridge fall?", "--news", news)
    assert "1. a barge had struck its middle pier" in shown
    assert "[effect: The bridge fell] because [cause: a barge had struck its middle pier" in shown
    assert "Bridge in Stonelow falls · Harbour Post · 2026-03-04 · https://harbour-post.example/bridge" in shown


def test_a_program_gets_offsets_into_the_article(news):
    row, *_ = map(json.loads, run("Почему отменили ярмарку?", "--news", news, "--json").splitlines())
    assert (row["question"], row["asks"], row["denied"]) == ("Почему отменили ярмарку?", "cause", None)
    assert 0 < row["probability"] <= 1
    (source,) = row["sources"]
    article = NEWS[1]
    assert source["article"] == article["id"]
    assert article[source["field"]][slice(*source["cause"])] == row["answer"] == "сильного ветра"
    assert article[source["field"]][slice(*source["sentence"])] == source["quote"]
    assert article[source["field"]][slice(*source["effect"])].startswith("Ярмарку")


def test_where_nothing_answers_it_says_so(news):
    assert run("Why did the bank fail?", "--news", news).strip() == NO_ANSWER
    (row,) = map(json.loads, run("Why did the bank fail?", "--news", news, "--json").splitlines())
    assert row["answer"] is None
    assert row["sources"] == []


def test_a_question_that_asks_for_no_cause_is_refused_before_anything_is_read(tmp_path):
    assert "Why did fuel run short?" in run("Who won?", "--news", tmp_path / "no-such.jsonl", fails=InputError)
    assert "no such file" in run("Why did it rain?", "--news", tmp_path / "no-such.jsonl", fails=InputError)


def test_limit_keeps_the_most_probable(tmp_path):
    lines = (ROOT / "examples" / "news.jsonl").read_text(encoding="utf-8").splitlines()
    path = tmp_path / "refinery.jsonl"
    path.write_text("\n".join(line for line in lines if "Marrow Point" in line), encoding="utf-8")
    question = "What caused the fire at the Marrow Point refinery?"

    def answers(limit):
        rows = map(json.loads, run(question, "--news", path, "--json", "--limit", limit).splitlines())
        return [row for row in rows if row["denied"] is None]

    everything = answers(99)
    assert answers(1) == everything[:1]
    probabilities = [row["probability"] for row in everything]
    assert len(probabilities) > 1
    assert probabilities == sorted(probabilities, reverse=True)


def test_what_the_news_denies_is_shown_as_denied(tmp_path):
    path = tmp_path / "news.jsonl"
    denial = "The outage in Calder Bay was not caused by the storm, the grid operator said."
    path.write_text(json.dumps({"title": "Power back in Calder Bay", "text": denial}), encoding="utf-8")
    rows = list(map(json.loads, run("What caused the outage in Calder Bay?", "--news", path, "--json").splitlines()))
    assert [row["denied"] for row in rows if row["denied"]] == ["the storm"]
    assert not any(row["answer"] for row in rows)


def test_marks_leave_the_sentence_as_it_is():
    from tests.answers.test_search import STORM

    pieces = Text.assemble(*marked(STORM)).plain
    assert pieces.replace("[cause: ", "").replace("[effect: ", "").replace("]", "") == STORM.claim.quote
